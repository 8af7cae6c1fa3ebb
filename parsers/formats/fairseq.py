"""fairseq: `simple` and `json` logs, the bars of early versions, and what was derived from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Iteration,
    Metric,
    RunEnd,
    RunInfo,
    Scope,
)
from sixdim.parsers.grammar.json_record import JsonRecord
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.printed import figure, figures
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import IterationRecord, further
from sixdim.parsers.statements.rows import each, progress
from sixdim.parsers.text.lines import Line

_CANONICAL = {"ppl": "perplexity"}
_USED = ("loss", "wps", "epoch", "num_updates")


_INNER = IterationRecord(
    epoch="epoch",
    step="step",
    steps="steps",
    throughput=("wps",),
    unit="tokens/s",
    scope=Scope.JOB,
    loss=("loss",),
    further=further(figures, _USED),
)


def _barred(head: str, delimiter: str, separator: str, *required: str) -> tuple[KeyValues, ...]:
    """A line as it is printed today, and with the bar that early versions put before it."""
    return tuple(
        KeyValues(
            bar + head,
            delimiter=delimiter,
            separator=separator,
            numbers={key: key for key in required},
            required=required,
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

    def _inner_json(self, line: Line, f: Fields) -> Iterator[Event]:
        rate = _value(f, "wps")
        yield Iteration(
            line.origin(),
            epoch=_whole(f.get("epoch")),
            step=_whole(f.get("num_updates")),
            throughput=rate,
            unit="tokens/s" if rate is not None else "",
            scope=Scope.JOB if rate is not None else Scope.UNKNOWN,
            loss=_value(f, "loss"),
            values=figures(f, _USED),
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
        *(
            progress(shape, _INNER, 0.9)
            for shape in _barred(
                "epoch {epoch:int}: {step:int} / {steps:int} ", ",", "=", "loss", "wps"
            )
        ),
        *each(
            _barred("epoch {epoch:int} | valid on {} subset |", "|", " ", "loss"),
            _valid_line,
            0.9,
            "evaluation",
        ),
        *each(_barred("epoch {epoch:int} |", "|", " ", "loss", "wps"), _epoch_line, 0.9, "epoch"),
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
