"""SSD in PyTorch on a console: MLPerf's by NVIDIA and DeepSparkHub, and amdegroot's ssd.pytorch.

The former prints the samples per second of the job since the line before, with the evaluations in
between, the latter the time of one iteration.
So does RefineDet.PyTorch, which is made from it; some of its forks print that time on a line in
front of the iteration's.
"""

from sixdim.parsers.events import Events, Scope
from sixdim.parsers.statements.common_shapes import COCO_MEAN
from sixdim.parsers.statements.evaluated_between import EvaluatedBetween
from sixdim.parsers.statements.figure_rows import evaluation
from sixdim.parsers.statements.format import Fields, Line
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.record_fields import Gauge
from sixdim.parsers.statements.rows import line, progress

_HEAD = "Iteration: {step:int}, Loss function: {loss:float}, Average Loss: {average:float}"
_OF_SSD_PYTORCH = "iter {step:int} || Loss: {loss:float}"
_OF_REFINEDET = "iter {step:int} || ARM_L{} ||"

_RECORD = NamedRecord(
    unit="samples/s",
    scope=Scope.JOB,
    figures=(Gauge("average", "Average Loss", higher_is_better=False),),
)


class Ssd(EvaluatedBetween):
    name = "ssd"
    title = "SSD PyTorch console (MLPerf lineage, and ssd.pytorch)"
    example = (
        "Iteration:   1000, Loss function: 4.123, Average Loss: 5.123, "
        "avg. samples / sec: 1234.56  lr: 0.002"
    )
    unread = "the COCO table but for its main figure, and the batch"

    _cut: Fields | None = None
    _timer: tuple[int, Fields] | None = None

    training = (
        progress(_HEAD + ", avg. samples / sec: {throughput:float}...", _RECORD, 1.0),
        progress(_HEAD + "...", _RECORD, 0.8),
        progress(_OF_SSD_PYTORCH + " || timer: {duration:float} sec.", _RECORD, 0.8),
        progress(_OF_REFINEDET + " timer: {duration:float} sec.", _RECORD, 0.8),
    )

    @line(_OF_SSD_PYTORCH + " || {}", 0.1, "iteration without its time")
    def _beginning(self, line: Line, f: Fields) -> Events:
        self._cut = f  # a warning cut the line, and the time comes on a separate line
        return ()

    @line(_OF_REFINEDET + "...", 0.8, "iteration")
    def _timed(self, line: Line, f: Fields) -> Events:
        before, timer = self._timer or (0, {})
        return _RECORD.read(self, line, {**timer, **f}) if line.number == before + 1 else ()

    @line("timer: {duration:float} sec.", 0.1, "time of an iteration")
    def _time(self, line: Line, f: Fields) -> Events:
        cut, self._cut, self._timer = self._cut, None, (line.number, f)
        return () if cut is None else _RECORD.read(self, line, {**cut, **f})

    @line("Predicting Ended, total time: {:float} s", 0.5, "evaluation")
    def _predicted(self, line: Line, f: Fields) -> Events:
        self.evaluated()  # the scores come later, from a thread
        return ()

    precision = evaluation(COCO_MEAN, 0.05, names={"value": ("box", "fraction")})
