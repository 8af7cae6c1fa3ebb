"""TTSR (DeepSparkHub super-resolution): frames per second, then the step and its losses."""

from __future__ import annotations

from collections.abc import Iterator

from parsers.events import Event, Iteration, Scope
from parsers.format import Reader, Statement
from parsers.record import IterationRecord
from parsers.shape import Fields, Skeleton
from parsers.text import Line


class Ttsr(Reader):
    """Reads one train.log."""

    name = "ttsr"
    title = "TTSR train.log"
    example = "training fps = 41.24274159862805"
    unread = (
        "evaluations (train.log has none), the losses of the parts, and whose frames per second "
        "they are"
    )

    def __init__(self) -> None:
        self._speed: float | None = None
        self._told_at = 0

    def passed(self, last: Iteration, rate: str) -> None:
        """As `Reader.passed`."""
        super().passed(last, rate)
        self._speed = None

    def _fps(self, line: Line, f: Fields) -> Iterator[Event]:
        self._speed, self._told_at = f["speed"], line.number
        return iter(())

    def _iteration(self, line: Line, f: Fields) -> Iterator[Event]:
        speed, self._speed = self._speed, None
        self.span, self._told_at = (self._told_at, line.number), 0
        yield Iteration(
            line.origin(),
            epoch=f["epoch"],
            step=f["step"],
            throughput=speed,
            unit="" if speed is None else "img/s",
            scope=Scope.UNKNOWN,
        )

    statements = (
        Statement(Skeleton("training fps = {speed:float}"), _fps, 1.0, "speed"),
        Statement(
            Skeleton("epoch: {epoch:int} batch: {step:int}"),
            _iteration,
            0.6,
            "iteration",
            IterationRecord(epoch="epoch", step="step", throughput=("speed",), unit="img/s"),
        ),
        Statement(Skeleton("rec_loss: {loss:float}"), Reader.quiet, 0.5, "loss"),
        Statement(Skeleton("per_loss: {loss:float}"), Reader.quiet, 0.5, "loss"),
        Statement(Skeleton("tpl_loss: {loss:float}"), Reader.quiet, 0.5, "loss"),
        Statement(Skeleton("adv_loss: {loss:float}"), Reader.quiet, 0.5, "loss"),
    )
