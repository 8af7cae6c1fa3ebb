"""fairseq: `simple` and `json` logs, the bars of early versions, and what was derived from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from parsers.events import EpochEnd, Evaluation, Event, Iteration, Metric, RunEnd, RunInfo, Scope
from parsers.format import Emit, Reader, Statement
from parsers.json_record import JsonRecord
from parsers.key_values import KeyValues
from parsers.printed import figure, figures
from parsers.shape import Fields, Skeleton
from parsers.text import Line

_CANONICAL = {"ppl": "perplexity"}
_USED = ("loss", "wps", "epoch", "num_updates")


def _barred(
    head: str, delimiter: str, separator: str, emit: Emit, what: str
) -> tuple[Statement, ...]:
    """A line as it is printed today, and with the bar that early versions put before it."""
    required = ("loss",) if what == "evaluation" else ("loss", "wps")
    numbers = {"loss": "loss"}
    return tuple(
        Statement(
            KeyValues(
                bar + head,
                delimiter=delimiter,
                separator=separator,
                numbers=numbers,
                required=required,
            ),
            emit,
            0.9,
            what,
        )
        for bar in ("", "| ")
    )


class Fairseq(Reader):
    """Reads one log. `wps`, words (tokens) per second, counts all devices."""

    name = "fairseq"
    title = "fairseq (simple and json logs)"
    example = (
        "epoch 001:     50 / 1637 loss=7.581, ppl=191.5, wps=320047, ups=4.1, wpb=74822, "
        "bsz=2574, num_updates=50, lr=0.00197"
    )
    unread = (
        "the model's and the task's description, the pace of tqdm bars, checkpoints, BLEU that "
        "generate prints"
    )

    def __init__(self) -> None:
        self._epoch: int | None = None

    def _inner(self, line: Line, f: Fields) -> Iterator[Event]:
        yield self._iteration(line, f["epoch"], f["pairs"], f["step"], f["steps"])

    def _inner_json(self, line: Line, f: Fields) -> Iterator[Event]:
        epoch, step = _whole(f.get("epoch")), _whole(f.get("num_updates"))
        yield self._iteration(line, epoch, f, step, None)

    def _iteration(
        self,
        line: Line,
        epoch: int | None,
        pairs: Mapping[str, object],
        step: int | None,
        steps: int | None,
    ) -> Iteration:
        self._epoch = epoch
        rate = _value(pairs, "wps")
        return Iteration(
            line.origin(),
            epoch=epoch,
            step=step,
            steps=steps,
            throughput=rate,
            unit="tokens/s" if rate is not None else "",
            scope=Scope.JOB if rate is not None else Scope.UNKNOWN,
            loss=_value(pairs, "loss"),
            values=figures(pairs, _USED),
        )

    def _epoch_line(self, line: Line, f: Fields) -> Iterator[Event]:
        yield self._epoch_end(line, f["epoch"], f["pairs"])

    def _epoch_json(self, line: Line, f: Fields) -> Iterator[Event]:
        pairs = {key.removeprefix("train_"): value for key, value in f.items()}
        yield self._epoch_end(line, _whole(f.get("epoch")), pairs)

    def _epoch_end(self, line: Line, epoch: int | None, pairs: Mapping[str, object]) -> EpochEnd:
        rate = _value(pairs, "wps")
        return EpochEnd(
            line.origin(),
            epoch,
            throughput=rate,
            unit="tokens/s" if rate is not None else "",
            scope=Scope.JOB if rate is not None else Scope.UNKNOWN,
            values=figures(pairs, ("wps", "epoch")),
        )

    def _valid_line(self, line: Line, f: Fields) -> Iterator[Event]:
        yield self._evaluation(line, f["epoch"], f["pairs"])

    def _valid_json(self, line: Line, f: Fields) -> Iterator[Event]:
        pairs = {k.removeprefix("valid_"): v for k, v in f.items() if k.startswith("valid_")}
        yield self._evaluation(line, _whole(f.get("epoch")), pairs)

    def _evaluation(self, line: Line, epoch: int | None, pairs: Mapping[str, object]) -> Evaluation:
        names = {key.removeprefix("valid_"): value for key, value in pairs.items()}
        renamed = {_CANONICAL.get(key, key): value for key, value in names.items()}
        metrics = figures(renamed, ("wps", "ups", "wpb", "bsz", "num_updates", "epoch", "wall"))
        return Evaluation(line.origin(), metrics, epoch, _whole(pairs.get("num_updates")))

    def _devices(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "devices", f["devices"])

    def _done(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunEnd(line.origin(), f["seconds"])

    statements = (
        *_barred("epoch {epoch:int}: {step:int} / {steps:int} ", ",", "=", _inner, "iteration"),
        *_barred("epoch {epoch:int} | valid on {} subset |", "|", " ", _valid_line, "evaluation"),
        *_barred("epoch {epoch:int} |", "|", " ", _epoch_line, "epoch"),
        Statement(JsonRecord(required=("epoch", "valid_loss")), _valid_json, 0.3, "evaluation"),
        Statement(JsonRecord(required=("train_wps", "train_loss")), _epoch_json, 0.9, "epoch"),
        Statement(
            JsonRecord(required=("epoch", "update", "num_updates")), _inner_json, 0.9, "iteration"
        ),
        Statement(Skeleton("training on {devices:int} devices {}..."), _devices, 0.3, "header"),
        Statement(Skeleton("| training on {devices:int} GPUs"), _devices, 0.3, "header"),
        Statement(Skeleton("done training in {seconds:float} seconds"), _done, 0.3, "end"),
        Statement(Skeleton("| done training in {seconds:float} seconds"), _done, 0.2, "end"),
    )


def _value(pairs: Mapping[str, object], name: str) -> float | None:
    found: Metric | None = figure(name, pairs.get(name))
    return None if found is None else found.value


def _whole(text: object) -> int | None:
    digits = str(text)
    return int(digits) if digits.isdecimal() and len(digits) < 16 else None
