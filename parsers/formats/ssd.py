"""The MLPerf SSD of NVIDIA and DeepSparkHub on a console: the job's samples per second."""

from __future__ import annotations

from collections.abc import Iterator

from parsers.events import Evaluation, Event, Iteration, Metric, Scope
from parsers.format import Reader, Statement
from parsers.shape import Fields, Skeleton
from parsers.text import Line

_HEAD = "Iteration: {step:int}, Loss function: {loss:float}, Average Loss: {average:float}"


class Ssd(Reader):
    """Reads one console log."""

    name = "ssd"
    title = "SSD PyTorch console (MLPerf lineage)"
    example = (
        "Iteration:   1000, Loss function: 4.123, Average Loss: 5.123, "
        "avg. samples / sec: 1234.56  lr: 0.002"
    )
    unread = "the COCO table but for its main figure, and the batch"

    def __init__(self) -> None:
        self._step: int | None = None

    def _iteration(self, line: Line, f: Fields) -> Iterator[Event]:
        self._step = f["step"]
        yield Iteration(
            line.origin(),
            epoch=None,
            step=f["step"],
            throughput=f.get("throughput"),
            unit="samples/s" if "throughput" in f else "",
            scope=Scope.JOB if "throughput" in f else Scope.UNKNOWN,
            loss=f["loss"],
            values=(Metric("Average Loss", f["average"], "", False),),
        )

    def _precision(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Evaluation(line.origin(), (Metric("box", f["value"], "fraction"),), step=self._step)

    statements = (
        Statement(
            Skeleton(_HEAD + ", avg. samples / sec: {throughput:float}..."),
            _iteration,
            1.0,
            "iteration",
        ),
        Statement(Skeleton(_HEAD + "..."), _iteration, 0.8, "iteration"),
        Statement(
            Skeleton(
                "Average Precision (AP) @[ IoU=0.50:0.95 | area= all | maxDets=100 ] = "
                "{value:float}"
            ),
            _precision,
            0.05,
            "evaluation",
        ),
    )
