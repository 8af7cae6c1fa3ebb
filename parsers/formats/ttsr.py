"""TTSR (DeepSparkHub super-resolution): frames per second, then the step and its losses."""

from sixdim.parsers.events import Events, Iteration
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line, remembers


class Ttsr(Reader):
    name = "ttsr"
    title = "TTSR train.log"
    example = "training fps = 41.24274159862805"
    unread = "evaluations (train.log has none), the losses of the parts; the scope is unknown"

    _speed: float | None = None

    fps = remembers("training fps = {_speed:float}", 1.0, "speed")

    @line("epoch: {epoch:int} batch: {step:int}", 0.6, "iteration")
    def _iteration(self, line: Line, f: Fields) -> Events:
        speed, self._speed = self._speed, None
        return (Iteration(line.origin(), f["epoch"], f["step"], None, speed, "img/s"),)
