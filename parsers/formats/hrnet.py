"""HRNet's own repositories, whose scopes differ.

Classification and pose print `Speed … samples/s` of one rank, segmentation and OCRNet in
DeepSparkHub `FPS: …` of the job.
"""

from __future__ import annotations

from collections.abc import Iterator

from parsers.events import Evaluation, Event, Iteration, Metric, Scope
from parsers.figures import figures
from parsers.format import Reader, Statement
from parsers.key_values import KeyValues
from parsers.shape import Fields, Skeleton
from parsers.text import Line

_HEAD = "Epoch: [{epoch:int}][{step:int}/{steps:int}] Time {duration:float}s ({}) "
_TAIL = " samples/s Data {}Loss {loss:float}..."
_NOT_VALUES = frozenset(("FPS", "Loss", "Time"))


class HrNet(Reader):
    """Reads one console log."""

    name = "hrnet"
    title = "HRNet and OCRNet console"
    example = "Epoch: [1/484] Iter:[0/371], Time: 1.20, lr: [0.01], Loss: 2.900000, FPS: 20.0"
    unread = "accuracies by class, the pose evaluation's table, epochs' times"

    def __init__(self) -> None:
        self._epoch: int | None = None

    def _rank_speed(self, line: Line, f: Fields) -> Iterator[Event]:
        self._epoch = f["epoch"]
        yield Iteration(
            line.origin(),
            epoch=f["epoch"],
            step=f["step"],
            steps=f["steps"],
            throughput=f["throughput"],
            unit="samples/s",
            scope=Scope.DEVICE,
            loss=f["loss"],
            duration=f["duration"],
        )

    def _iteration(self, line: Line, f: Fields) -> Iterator[Event]:
        self._epoch = f["epoch"]
        yield Iteration(
            line.origin(),
            epoch=f["epoch"],
            step=f["step"],
            steps=f["steps"],
            throughput=f.get("throughput"),
            unit="img/s" if "throughput" in f else "",
            scope=Scope.JOB if "throughput" in f else Scope.UNKNOWN,
            loss=f.get("loss"),
            duration=f.get("duration"),
            values=figures(f["pairs"], skip=_NOT_VALUES),
        )

    def _evaluation(self, line: Line, f: Fields) -> Iterator[Event]:
        metrics = (Metric("miou", f["value"], "fraction"), Metric("loss", f["loss"], "", False))
        yield Evaluation(line.origin(), metrics, epoch=self._epoch)

    statements = (
        Statement(
            Skeleton(_HEAD + "Speed {throughput:float}" + _TAIL), _rank_speed, 1.0, "iteration"
        ),
        Statement(
            Skeleton(_HEAD + "Speed: {throughput:float}" + _TAIL), _rank_speed, 1.0, "iteration"
        ),
        Statement(
            KeyValues(
                "Epoch: [{epoch:int}/{epochs:int}] Iter:[{step:int}/{steps:int}],",
                delimiter=", ",
                separator=": ",
                numbers={"duration": "Time", "loss": "Loss", "throughput": "FPS"},
                required=("Time", "Loss"),
            ),
            _iteration,
            1.0,
            "iteration",
        ),
        Statement(
            Skeleton("Loss: {loss:float}, MeanIU: {value:float}, Best_mIoU: {best:float}..."),
            _evaluation,
            1.0,
            "evaluation",
        ),
    )
