"""pytorch-CycleGAN-and-pix2pix (`(epoch: 1, iters: 100, time: 0.246, data: 0.271) G_GAN: …`).

`time` is the time of one image, `iters` counts images.
"""

from __future__ import annotations

from sixdim.parsers.events import Event, Iteration, Scope
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.figure_rows import epoch_end
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import fact, line

_HEAD = "(epoch: {epoch:int}, iters: {step:int}, time: {time:float}"


def _losses(head: str) -> KeyValues:
    return KeyValues(head, delimiter=None)


class CycleGan(Reader):
    name = "cyclegan"
    title = "CycleGAN and pix2pix (PyTorch)"
    example = (
        "(epoch: 1, iters: 100, time: 0.246, data: 0.271) G_GAN: 2.436 G_L1: 54.115 D_real: 0.167"
    )
    unread = "the options but for the number of images, the time of loading, the learning rate"

    @line(_losses(f"{_HEAD}, data: {{:float}}) "), 1.0, "iteration")
    @line(_losses(f"{_HEAD}) "), 1.0, "iteration")
    @line(_losses(f"[Rank {{:int}}] {_HEAD}, data: {{:float}}) "), 1.0, "iteration")
    def _iteration(self, line: Line, f: Fields) -> tuple[Event, ...]:
        images = self.facts.get("samples_per_epoch")
        steps = images if isinstance(images, int) else None
        rate, values = 1 / f["time"] if f["time"] > 0 else None, figures(self.wanted(f["pairs"]))
        at = line.origin()
        scope = Scope.JOB
        return (
            Iteration(at, f["epoch"], f["step"], steps, rate, "samples/s", scope, values=values),
        )

    epochs = epoch_end(
        "End of epoch {epoch:int} / {epochs:int} Time Taken: {train_time:float} sec", 0.2
    )

    images = (
        fact("The number of training images = {samples_per_epoch:int}", 0.3),
        fact("#training images = {samples_per_epoch:int}", 0.2),
    )
