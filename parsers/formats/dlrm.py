"""DLRM (NVIDIA's, as in DeepSparkHub): records per second of the job, AUC as a fraction.

Some scripts print `step_time` in ms, others in s. The remaining time, which they compute from its
mean, tells which.
"""

from collections.abc import Collection, Mapping

from sixdim.parsers.events import Events, Metric, RunEnd, Scope, Summary, TargetReached
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import Wanted
from sixdim.parsers.statements.figure_rows import epoch_end, evaluation
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.rows import line, progress

_UNIT = "samples/s"  # a record is a sample
_LEAST_S = 10
"""Seconds of a remaining time below which its rounding is too large a part of it."""
_ALIKE = 3.0
"""Most that the mean of the steps and the latest one differ by, as a factor."""


class _Record(NamedRecord):
    """A progress line, whose reader knows the unit of `step_time` or infers it."""

    def wanted(self, names: Collection[str] | None) -> Wanted:
        """As `RecordFields.wanted`, with the remaining time."""
        found = super().wanted(names)
        return found._replace(fields=frozenset(("eta", *(found.fields or ()))))

    def _duration(self, values: Mapping[str, str]) -> list[str]:
        printed, left = values["step_time"], f"{values['steps']} - {values['step']}"
        return [
            f"unit = reader.second or reader.infer_second({printed}, {values['eta']}, {left})",
            f"duration = {printed} / unit if unit else None",
        ]


class Dlrm(Reader):
    name = "dlrm"
    title = "DLRM PyTorch console"
    example = "Epoch:[0/1] [1000/64014]  eta: 0:10:00  step_time: 1.2345  loss: 0.1345  lr: 24.0"
    unread = "the batch, a `step_time` whose unit the remaining time does not tell"

    second: float | None = None
    """What `step_time` prints for a second; None while that is not known."""

    training = progress(
        KeyValues(
            "Epoch:[{epoch:int}/{epochs:int}] [{step:int}/{steps:int}] eta: {eta:duration} ",
            separator=": ",
            numbers={"loss": "loss", "step_time": "step_time"},
            required=("step_time",),
        ),
        _Record(further=further("eta", "loss"), duration=("step_time",)),
        1.0,
    )

    def infer_second(self, printed: float, left_s: float, steps: int) -> float | None:
        """Returns what is printed for a second, if the time that is left for the steps tells it."""
        mean = left_s / steps if steps > 0 and left_s >= _LEAST_S else 0.0
        for unit in (1.0, 1000.0):
            if printed / unit < _ALIKE * mean < _ALIKE**2 * printed / unit:
                self.second = unit
        return self.second

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
