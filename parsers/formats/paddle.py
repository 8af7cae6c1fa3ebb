"""What the launchers and loggers of all Paddle suites share: device counts, per-card speed."""

from collections.abc import Mapping
from typing import Any

from sixdim.parsers.events import Event, Events, Problem, Scope
from sixdim.parsers.grammar.vocabulary.units import printed_unit
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord, first, further
from sixdim.parsers.statements.rows import line
from sixdim.parsers.text.patterns import pattern

_DEVICES = pattern(r"\d{1,4}(?:,\d{1,4})*+(?=\s|$)")
_LAUNCH = "python -m paddle.distributed.launch {}--"
_OPTIONS = ("gpus=", "gpus ", "devices=", "devices ")


class PaddleRecord(NamedRecord):
    """A progress line whose throughput is `ips`; warns if `ips` is cut short or no number."""

    def read(self, reader: Any, line: Line, fields: Fields) -> tuple[Event, ...]:
        """See `IterationRecord.read`."""
        ips = fields["pairs"].get("ips")
        has_unit = ips is not None and printed_unit(ips) != ""
        reader.prints_unit = reader.prints_unit or has_unit
        if ips is None or (has_unit and "throughput" in fields):
            return super().read(reader, line, fields)
        problems: tuple[Problem, ...] = ()
        if not first(self.throughput, fields):
            what = f"ips is {ips!r}: no figure"
            problems = (Problem(line.origin(), "no_throughput", what),)
        elif "throughput" in fields and reader.prints_unit:
            what = f"iteration line cut short in ips: {ips!r}"
            problems = (Problem(line.origin(), "cut_line", what),)
            fields = {name: value for name, value in fields.items() if name != "throughput"}
        return (*problems, *super().read(reader, line, fields))

    def unusual(
        self, values: Mapping[str, str], pairs: Mapping[str, str], scope: dict[str, Any]
    ) -> list[str]:
        """See `IterationRecord.unusual`; `ips` is no number, or only some lines have its unit."""
        if "ips" not in pairs:
            return []
        if "throughput" not in values:
            return ["return None"]
        scope["printed_unit"] = printed_unit
        return [f"if reader.prints_unit != (printed_unit({pairs['ips']}) != ''): return None"]


def paddle_record(*duration: str, unit: str = "") -> PaddleRecord:
    """Returns the record of a progress line with `throughput`, `loss` and `epochs`.

    Args:
        duration: Fields of the seconds of one iteration; the first that a line has counts.
        unit: Unit of the throughput where the line does not print one.
    """
    return PaddleRecord(
        unit=unit,
        unit_in=(("throughput", "ips"),),
        scope=Scope.DEVICE,
        duration=duration,
        further=further("loss", "avg loss", "ips"),
    )


class Paddle(Reader):
    """The base of the readers of Paddle's suites, which add its statements after their own.

    Each process divides its own samples by its own time, so every `ips` is the rate of one card.

    Attributes:
        prints_unit: Whether a progress line has printed the unit of `ips`.
    """

    prints_unit = False
    _local = 0  # devices of a node that the launcher named
    _nodes = 1

    @line("| PADDLE_TRAINERS_NUM {devices:int} |", 0.0, "launcher")
    def _trainers(self, line: Line, f: Fields) -> Events:
        self._local, self._nodes = f["devices"], 1
        yield from self.report(line.origin(), "devices", f["devices"])

    @line("LAUNCH INFO {} nnodes: {nodes:int}", 0.0, "launcher")
    def _node_count(self, line: Line, f: Fields) -> Events:
        self._nodes = f["nodes"]
        yield from self.report(line.origin(), "nodes", f["nodes"])
        if self._local:
            yield from self.report(line.origin(), "devices", self._local * self._nodes)

    @line(
        (
            "LAUNCH INFO {} devices: {devices:text}",
            *(f"{_LAUNCH}{name}{{devices:text}}" for name in _OPTIONS),
        ),
        0.0,
        "launcher",
    )
    def _device_list(self, line: Line, f: Fields) -> Events:
        listed = _DEVICES.match(f["devices"])
        if listed is not None:
            self._local = listed[0].count(",") + 1
            yield from self.report(line.origin(), "devices", self._local * self._nodes)
