"""HRNet's own repositories, whose throughputs have different scopes.

Classification and pose estimation print `Speed … samples/s` of one process: that is the job, or one
of its ranks in HigherHRNet and other programs with a process for each device. Segmentation, and
OCRNet in DeepSparkHub, print `FPS: …` of the job; `Time` is there the mean since the epoch began,
and `FPS` is computed from it.
"""

from sixdim.parsers.events import Scope
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.figure_rows import evaluation
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.rows import progress

_PLACE = "Epoch: [{epoch:int}][{step:int}/{steps:int}] "
_TIMES = "{duration:float}s ({mean:float}s) "
_TAIL = "{throughput:float} samples/s Data"
_NOT_VALUES = frozenset(("FPS", "Loss", "Time"))
_OF_PROCESS = NamedRecord(unit="samples/s", scope=Scope.UNKNOWN, mean_duration="mean")
_OF_JOB = NamedRecord(
    unit="img/s",
    scope=Scope.JOB,
    mean_throughput="throughput",
    mean_duration="duration",
    further=further(*_NOT_VALUES),
)


class HrNet(Reader):
    name = "hrnet"
    title = "HRNet and OCRNet console"
    example = "Epoch: [1/484] Iter:[0/371], Time: 1.20, lr: [0.01], Loss: 2.900000, FPS: 20.0"
    unread = "accuracies by class, the pose evaluation's table, epochs' times"

    training = (
        *(
            progress(
                f"{_PLACE}Time {_TIMES}{speed} {_TAIL} {{}}Loss {{loss:float}}...", _OF_PROCESS, 1.0
            )
            for speed in ("Speed", "Speed:")
        ),
        progress(f"{_PLACE}Time: {_TIMES}Speed: {_TAIL}: ...", _OF_PROCESS, 1.0),
        progress(
            KeyValues(
                "Epoch: [{epoch:int}/{epochs:int}] Iter:[{step:int}/{steps:int}],",
                delimiter=", ",
                separator=": ",
                numbers={"duration": "Time", "loss": "Loss", "throughput": "FPS"},
                required=("Time", "Loss"),
            ),
            _OF_JOB,
            1.0,
        ),
    )

    scores = evaluation(
        "Loss: {loss:float}, MeanIU: {miou:float}, Best_mIoU: {:float}...", 1.0, unit="fraction"
    )
