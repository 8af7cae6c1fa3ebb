"""DLRM (NVIDIA's, as in DeepSparkHub): records per second of the job, AUC as a fraction."""

from __future__ import annotations

from sixdim.parsers.events import Events, Metric, RunEnd, Scope, Summary, TargetReached
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.figure_rows import epoch_end, evaluation
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.rows import line, progress

_UNIT = "samples/s"  # a record is a sample


class Dlrm(Reader):
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
        NamedRecord(further=further("eta", "loss")),
        1.0,
    )

    epochs = epoch_end(
        "Finished epoch {epoch:int} in {epoch_time:duration}. "
        "Average speed {throughput:float} records/s.",
        1.0,
        unit=_UNIT,
        scope=Scope.JOB,
    )

    scores = evaluation("Epoch {epoch:int} step {step:int}. auc {auc:float}", 1.0, unit="fraction")

    @line(
        "Hit target accuracy AUC {target:float} at epoch {epoch:float} in {time:float}s. "
        "Average speed {speed:float} records/s.",
        1.0,
        "target",
    )
    def _target(self, line: Line, f: Fields) -> Events:
        at = line.origin()
        # The script's own test is strict.
        yield TargetReached(at, f"auc>{f['target']:g}")
        yield Summary(at, (Metric("average speed", f["speed"], _UNIT),))
        yield RunEnd(at, f["time"])
