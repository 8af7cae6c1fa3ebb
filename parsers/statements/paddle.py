"""What the launchers and loggers of all Paddle suites share: device counts, per-card speed."""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import Event, Fact, Metric, Problem, RunInfo, RunStart, Scope
from sixdim.parsers.grammar.pairs import figures, rate_unit
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import IterationRecord, first, further
from sixdim.parsers.statements.rows import each
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_LOSSES = ("loss", "avg loss")
_DEVICES = pattern(r"\d{1,4}(?:,\d{1,4})*+(?=\s|$)")


_COMMANDS = tuple(
    Skeleton("python -m paddle.distributed.launch {}--" + flag + "{devices:text}")
    for flag in ("gpus=", "gpus ", "devices=", "devices ")
)


def paddle_record(*duration: str, unit: str = "") -> IterationRecord:
    """The record of a progress line with the fields `throughput`, `loss`, and pairs.

    Args:
        duration: Fields of the seconds of one iteration, as in the record.
        unit: Unit of the throughput where the line does not print one.
    """
    return IterationRecord(
        epoch="epoch",
        step="step",
        steps="steps",
        throughput=("throughput",),
        unit=lambda f: rate_unit(f["pairs"]["ips"], unit),
        uses=("ips",),
        scope=Scope.DEVICE,
        loss=("loss",),
        duration=duration,
        further=further(figures, (*_LOSSES, "ips")),
    )


class Paddle(Reader):
    """Inherited by the readers of Paddle's suites.

    Paddle divides each process's own samples by its own time, so every `ips` is one card's.
    """

    def __init__(self) -> None:
        self._local = 0
        self._nodes = 1
        self._told: dict[str, Fact] = {}
        self._rated = False

    def planned(self, line: Line, f: Fields, record: IterationRecord) -> Iterator[Event]:
        """A progress line that may name the epochs planned beside its own."""
        if "epochs" in f:
            yield from self.tell(line, "epochs_planned", f["epochs"])
        yield from self.checked(line, f, record)

    def checked(self, line: Line, f: Fields, record: IterationRecord) -> Iterator[Event]:
        """A progress line; that its `ips` is none, or was cut short, is said."""
        told = f["pairs"].get("ips", "")
        rated = first(record.throughput, f)
        if not rated and "ips" in f["pairs"]:
            yield Problem(line.origin(), "no_throughput", f"ips is {told!r}: no figure")
        elif rated == "throughput" and not rate_unit(told) and self._rated:
            yield Problem(line.origin(), "cut_line", f"iteration line cut short in ips: {told!r}")
            f = {name: value for name, value in f.items() if name != rated}
        self._rated = self._rated or bool(rate_unit(told))
        yield from record.read(self, line, f)

    def _begin(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunStart(line.origin())

    def tell(self, line: Line, name: str, value: Fact) -> Iterator[Event]:
        """A fact, once: launchers and ranks repeat themselves."""
        if self._told.get(name) != value:
            self._told[name] = value
            yield RunInfo(line.origin(), name, value)

    def _trainers(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self.tell(line, "devices", f["trainers"])

    def _node_count(self, line: Line, f: Fields) -> Iterator[Event]:
        self._nodes = f["nodes"]
        yield from self.tell(line, "nodes", f["nodes"])
        if self._local:
            yield from self.tell(line, "devices", self._local * self._nodes)

    def _device_list(self, line: Line, f: Fields) -> Iterator[Event]:
        listed = _DEVICES.match(f["devices"])
        if listed is not None:
            self._local = listed[0].count(",") + 1
            yield from self.tell(line, "devices", self._local * self._nodes)


def metrics_of(pairs: dict[str, str], unit: str, names: dict[str, str]) -> tuple[Metric, ...]:
    """An evaluation's figures: known ones under their canonical names and with `unit`."""
    out = []
    for metric in figures(pairs):
        if metric.name in names:
            out.append(Metric(names[metric.name], metric.value, unit))
        else:
            out.append(metric)
    return tuple(out)


PADDLE = (
    Statement(
        Skeleton("| PADDLE_TRAINERS_NUM {trainers:int} |"), Paddle._trainers, 0.0, "launcher"
    ),
    Statement(Skeleton("LAUNCH INFO {} nnodes: {nodes:int}"), Paddle._node_count, 0.0, "launcher"),
    Statement(
        Skeleton("LAUNCH INFO {} devices: {devices:text}"), Paddle._device_list, 0.0, "launcher"
    ),
    *each(_COMMANDS, Paddle._device_list, 0.0, "launcher"),
    Statement(Skeleton("LAUNCH {}"), Paddle.quiet, 0.0, "launcher"),
)
"""Statements to put behind a suite's own."""
