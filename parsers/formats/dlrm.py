"""DLRM (NVIDIA's, as in DeepSparkHub): records per second of the job, AUC as a fraction.

Some scripts print `step_time` in ms, others in s. The remaining time, which they compute from its
mean, tells which.
"""

from __future__ import annotations

from sixdim.parsers.events import Events, Iteration, Metric, RunEnd, Scope, Summary, TargetReached
from sixdim.parsers.grammar.shapes.figures import as_number
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.figure_rows import epoch_end, evaluation
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.rows import line

_UNIT = "samples/s"  # a record is a sample
_RECORD = NamedRecord(further=further("eta", "loss"), uses=("step_time",))
_LEAST_S = 10
"""Seconds of a remaining time below which its rounding is too large a part of it."""
_ALIKE = 3.0
"""Most that the mean of the steps and the latest one differ by, as a factor."""


class Dlrm(Reader):
    name = "dlrm"
    title = "DLRM PyTorch console"
    example = "Epoch:[0/1] [1000/64014]  eta: 0:10:00  step_time: 1.2345  loss: 0.1345  lr: 24.0"
    unread = "the batch, a `step_time` whose unit the remaining time does not tell"

    _second: float | None = None
    """What `step_time` prints for a second; None if that is not known."""

    @line(
        KeyValues(
            "Epoch:[{epoch:int}/{epochs:int}] [{step:int}/{steps:int}] eta: {eta:duration} ",
            separator=": ",
            numbers={"loss": "loss"},
            required=("step_time",),
        ),
        1.0,
        "iteration",
        _RECORD,
    )
    def _training(self, line: Line, f: Fields) -> Events:
        printed = as_number(f["pairs"].get("step_time"))
        if printed and self._second is None:
            self._second = _second(printed, f["eta"], f["steps"] - f["step"])
        seconds = printed / self._second if printed and self._second else None
        for event in _RECORD.read(self, line, f):
            yield event._replace(duration=seconds) if isinstance(event, Iteration) else event

    epochs = epoch_end(
        (
            "Finished epoch {epoch:int} in {epoch_time:duration}. "
            "Average speed {throughput:float} records/s.",
            "Finished epoch {epoch:int} in {epoch_time:duration}.",
        ),
        1.0,
        unit=_UNIT,
        scope=Scope.JOB,
    )

    scores = evaluation("Epoch {epoch:int} step {step:int}. auc {auc:float}", 1.0, unit="fraction")

    @line(
        (
            "Hit target accuracy AUC {target:float} at epoch {epoch:float} in {time:float}s. "
            "Average speed {speed:float} records/s.",
            "Hit target accuracy AUC {target:float} at epoch {epoch:float} in {time:float}s.",
        ),
        1.0,
        "target",
    )
    def _target(self, line: Line, f: Fields) -> Events:
        at = line.origin()
        # The test is strict in the scripts that print the speed.
        yield TargetReached(at, f"auc{'>' if 'speed' in f else '>='}{f['target']:g}")
        if "speed" in f:
            yield Summary(at, (Metric("average speed", f["speed"], _UNIT),))
        yield RunEnd(at, f["time"])


def _second(printed: float, left_s: float, steps: int) -> float | None:
    """Returns what is printed for a second, if the time of the remaining steps tells it."""
    mean = left_s / steps if steps > 0 and left_s >= _LEAST_S else 0.0
    return next(
        (u for u in (1, 1000) if printed / u < _ALIKE * mean < _ALIKE**2 * printed / u), None
    )
