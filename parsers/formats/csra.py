"""CSRA (class-specific residual attention), its Paddle and its PyTorch implementation."""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import EpochEnd, Evaluation, Event, Metric
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.pairs import figures
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import IterationRecord, further
from sixdim.parsers.statements.rows import progress
from sixdim.parsers.text.lines import Line


class CSRA(Reader):
    """Reads one log of CSRA."""

    name = "csra"
    title = "CSRA multi-label classification"
    example = "Epoch 1[16/5011]: loss:0.71410, lr:0.00000, batch time:0.4156, data time:1.6631"
    unread = "CP, CR, F1 lines and the counter's samples as steps (it counts samples, not batches)"

    def __init__(self) -> None:
        self._epoch: int | None = None

    def _ends(self, line: Line, f: Fields) -> Iterator[Event]:
        yield EpochEnd(line.origin(), f["epoch"], train_time=f["time"])

    def _test(self, line: Line, f: Fields) -> Iterator[Event]:
        self._epoch = f["epoch"]
        return iter(())

    def _precision(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Evaluation(line.origin(), (Metric("map", f["value"], "fraction"),), epoch=self._epoch)

    statements = (
        progress(
            KeyValues(
                "Epoch {epoch:int}[{step:int}/{steps:int}]: ",
                delimiter=", ",
                numbers={"loss": "loss", "batch": "batch time", "time": "time"},
            ),
            # The counter runs over samples, not batches.
            IterationRecord(
                epoch="epoch",
                step="step",
                steps="steps",
                loss=("loss",),
                duration=("batch", "time"),
                further=further(figures, ("loss",)),
            ),
            1.0,
        ),
        Statement(
            Skeleton("Epoch {epoch:int} training ends, total {time:float}s"), _ends, 1.0, "epoch"
        ),
        Statement(Skeleton("Test on Epoch {epoch:int}"), _test, 0.5, "evaluation"),
        Statement(Skeleton("mAP: {value:float}"), _precision, 0.2, "evaluation"),
        Statement(Skeleton("CP: {}, CR: {}, CF1 :{}"), Reader.quiet, 0.5, "evaluation"),
        Statement(Skeleton("OP: {}, OR: {}, OF1 {}"), Reader.quiet, 0.5, "evaluation"),
    )
