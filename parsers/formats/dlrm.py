"""DLRM (NVIDIA's, as in DeepSparkHub): records per second of the job, AUC as a fraction."""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Metric,
    RunEnd,
    Scope,
    Summary,
    TargetReached,
)
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import Fields
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import further
from sixdim.parsers.statements.rows import NamedRecord, line, progress
from sixdim.parsers.text.lines import Line

_UNIT = "samples/s"  # a record is a sample


class Dlrm(Reader):
    """Reads one console log."""

    name = "dlrm"
    title = "DLRM PyTorch console"
    example = "Epoch:[0/1] [1000/64014]  eta: 0:10:00  step_time: 1.2345  loss: 0.1345  lr: 24.0"
    unread = (
        "`step_time` as a duration (scripts print it in ms or in s): the speed is that of an epoch"
    )

    # `step_time` stays among the values: scripts print it in ms or in s.
    training = progress(
        KeyValues(
            "Epoch:[{epoch:int}/{epochs:int}] [{step:int}/{steps:int}]",
            separator=": ",
            numbers={"loss": "loss"},
            required=("eta", "step_time"),
        ),
        NamedRecord(
            further=further(figures, skip=frozenset(("eta", "loss"))),
        ),
        1.0,
    )

    @line(
        "Finished epoch {epoch:int} in {time:duration}. Average speed {speed:float} records/s.",
        1.0,
        "epoch",
    )
    def _epoch(self, line: Line, f: Fields) -> Iterator[Event]:
        yield EpochEnd(
            line.origin(), f["epoch"], f["speed"], _UNIT, Scope.JOB, epoch_time=f["time"]
        )

    @line("Epoch {epoch:int} step {step:int}. auc {auc:float}", 1.0, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Iterator[Event]:
        metrics = (Metric("auc", f["auc"], "fraction"),)
        yield Evaluation(line.origin(), metrics, epoch=f["epoch"], step=f["step"])

    @line(
        "Hit target accuracy AUC {target:float} at epoch {epoch:float} in {time:float}s. "
        "Average speed {speed:float} records/s.",
        1.0,
        "target",
    )
    def _target(self, line: Line, f: Fields) -> Iterator[Event]:
        at = line.origin()
        # The script's own test is strict.
        yield TargetReached(at, f"auc>{f['target']:g}")
        yield Summary(at, (Metric("average speed", f["speed"], _UNIT),))
        yield RunEnd(at, f["time"])
