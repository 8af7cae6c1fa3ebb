"""TTSR (DeepSparkHub super-resolution): frames per second, then the step and its losses."""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import Event, Iteration, Scope
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.text.lines import Line


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

    def _fps(self, line: Line, f: Fields) -> Iterator[Event]:
        self._speed = f["speed"]
        return iter(())

    def _iteration(self, line: Line, f: Fields) -> Iterator[Event]:
        speed, self._speed = self._speed, None
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
        ),
        Statement(Skeleton("rec_loss: {loss:float}"), Reader.quiet, 0.5, "loss"),
        Statement(Skeleton("per_loss: {loss:float}"), Reader.quiet, 0.5, "loss"),
        Statement(Skeleton("tpl_loss: {loss:float}"), Reader.quiet, 0.5, "loss"),
        Statement(Skeleton("adv_loss: {loss:float}"), Reader.quiet, 0.5, "loss"),
    )
