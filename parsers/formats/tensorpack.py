"""Tensorpack: a line at the end of an epoch, followed by one line per figure.

The time of an epoch is that of its training pass. The names of an evaluation's figures begin with
`val`.
"""

from __future__ import annotations

from collections.abc import Sequence

from sixdim.parsers.events import EpochEnd, Evaluation, Event, Origin, Scope
from sixdim.parsers.grammar.shapes.figures import as_number, figure
from sixdim.parsers.grammar.vocabulary.durations import spoken_seconds
from sixdim.parsers.statements.format import Fields, Line
from sixdim.parsers.statements.gathering import Gathering
from sixdim.parsers.statements.rows import ends, ignored, line, remembers
from sixdim.parsers.text.patterns import pattern

_RATE = "Throughput (samples/sec)"
_OF_EVALUATION = pattern(r"val(?:idation)?[-_]")


class Tensorpack(Gathering):
    name = "tensorpack"
    title = "Tensorpack"
    example = "Epoch 1 (global_step 468) finished, time:15.7 seconds."
    unread = (
        "the batch (without its throughput the speed is it/s), progress bars, the configuration"
    )

    _step: int | None = None
    """Step of the run at the end of the last epoch."""
    _before = 0
    """Step of the run that epoch 1 begins with; more than 0 if it goes on from a checkpoint."""

    def __init__(self) -> None:
        self.gathered: tuple[Origin, int] | None = None
        self._figures: dict[str, float] = {}

    resumed = remembers("Start training with global_step={_before:int}", 0.3, "header")
    begins = ignored("Start Epoch {:int} ...", 0.0, "epoch")

    @line("Epoch {epoch:int} (global_step {step:int}) finished, time:{took:text}", 1.0, "epoch")
    def _end_of_epoch(self, line: Line, f: Fields) -> Sequence[Event]:
        lasted = spoken_seconds(f["took"].rstrip("."))
        before = self._before if f["epoch"] == 1 else self._step
        self.gathered, self._step = (line.origin(), f["epoch"]), f["step"]
        self._before = 0
        steps = 0 if before is None else f["step"] - before
        each = lasted / steps if steps > 0 and lasted else None
        return (
            EpochEnd(line.origin(), f["epoch"], train_time=lasted or None, iteration_time=each),
        )

    @line("{name:until}: {value:text}", 0.0, "figure")
    def _figure(self, _line: Line, f: Fields) -> Sequence[Event] | None:
        value = as_number(f["value"]) if " " not in f["value"] else None  # `20 days 3 hours`
        if self.gathered is None or value is None:
            return None
        self._figures[f["name"]] = value
        return ()

    closing = ends(("Training has finished!", "Training was stopped by exception {}"), 0.0)

    def goes_on(self, line: Line) -> bool:
        """As `Gathering.goes_on`: until the next epoch begins."""
        return not line.text.startswith(("Start Epoch", "Training has finished", "Epoch "))

    def complete(self) -> Sequence[Event]:
        """As `Gathering.complete`."""
        if self.gathered is None:
            return ()
        (at, epoch), self.gathered = self.gathered, None
        found, self._figures = self._figures, {}
        rate = found.pop(_RATE, None)
        tested = {k: v for k, v in found.items() if _OF_EVALUATION.match(k) or k.startswith("mAP")}
        values = tuple(figure(k, v) for k, v in found.items() if k not in tested)
        scores = tuple(figure(_OF_EVALUATION.sub("", k), v) for k, v in tested.items())
        end = EpochEnd(at, epoch, rate, "samples/s", Scope.JOB, values=values)
        return (end, Evaluation(at, scores, epoch, data="val")) if scores else (end,)
