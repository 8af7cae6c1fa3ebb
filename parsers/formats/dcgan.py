"""DCGAN-tensorflow and the many GANs with its line: `Epoch: [ 1/25] [ 10/ 400] time: 61.2346, …`.

`time` counts from the start of the training, in seconds (`time.time() - start_time`); some programs
begin it anew with each epoch. DCGAN-tensorflow prints the count of all iterations in front; UGATIT
counts only these.
"""

from sixdim.parsers.events import Events, Iteration
from sixdim.parsers.generic.training.elapsed import Elapsed
from sixdim.parsers.grammar.shapes.figures import figure
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line

_PLACE = "[{step:int}/{steps:int}] time: {time:float}"
_HEADS = (
    "Epoch: [{epoch:int}/{epochs:int}] ",
    "Epoch: [{epoch:int}] ",
    "[ {:int} Epoch:[{epoch:int}/{epochs:int}] ",
    "",
)
_LOSSES = tuple(
    f"{between}d_loss: {{d_loss:float}}, g_loss: {{g_loss:float}}{rest}"
    for between in (", ", " ")
    for rest in ("", ", {}...")
)


class Dcgan(Reader):
    name = "dcgan"
    title = "DCGAN-tensorflow, UGATIT and other GANs with their line"
    example = "Epoch: [ 1/25] [ 10/ 400] time: 61.2346, d_loss: 1.27453125, g_loss: 0.81213242"
    unread = "settings, samples of checkpoints (`[Sample] d_loss: …`), further losses"

    def __init__(self) -> None:
        self._elapsed = Elapsed()

    @line(tuple(head + _PLACE + losses for head in _HEADS for losses in _LOSSES), 0.9, "iteration")
    def _training(self, line: Line, f: Fields) -> Events:
        if "epochs" in f:
            yield from self.report(line.origin(), "epochs_planned", f["epochs"])
        epoch, step = f.get("epoch"), f["step"]
        seconds = self._elapsed.since(epoch, step, f["time"])
        values = tuple(figure(name, f[name]) for name in ("d_loss", "g_loss") if self.wants(name))
        yield Iteration(line.origin(), epoch, step, f["steps"], duration=seconds, values=values)
