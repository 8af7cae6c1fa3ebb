"""pytorch-CycleGAN-and-pix2pix (`(epoch: 1, iters: 100, time: 0.246, data: 0.271) G_GAN: …`).

`time` is the time of one image, `iters` counts images. Later versions print both for each rank.
"""

from __future__ import annotations

from sixdim.parsers.events import Events, Iteration, Scope
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.figure_rows import epoch_end
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import fact, line

_PLACE = "(epoch: {epoch:int}, iters: {step:int}, time: {time:float}"
_OF_RANK = f"[Rank {{rank:int}}] {_PLACE}, data: {{:float}}"
_LINES = tuple(
    KeyValues(head + ") ", delimiter=None)
    for head in (_PLACE + ", data: {:float}", _PLACE, _OF_RANK)
)


class CycleGan(Reader):
    name = "cyclegan"
    title = "CycleGAN and pix2pix (PyTorch)"
    example = (
        "(epoch: 1, iters: 100, time: 0.246, data: 0.271) G_GAN: 2.436 G_L1: 54.115 D_real: 0.167"
    )
    unread = "the options but for the number of images, the time of loading, the learning rate"

    @line(_LINES, 1.0, "iteration")
    def _iteration(self, line: Line, f: Fields) -> Events:
        # An envelope with the rank may have been removed: such a line counts one rank's images.
        of_rank = "rank" in f or line.rank is not None
        images = None if of_rank else self.facts.get("samples_per_epoch")
        place = f["epoch"], f["step"], images if isinstance(images, int) else None
        scope = Scope.DEVICE if of_rank else Scope.JOB
        speed = 1 / f["time"] if f["time"] > 0 else None, "samples/s", scope
        values = figures(self.wanted(f["pairs"]))
        yield Iteration(line.origin(), *place, *speed, values=values)

    epochs = epoch_end(
        "End of epoch {epoch:int} / {epochs:int} Time Taken: {train_time:float} sec", 0.2
    )

    images = (
        fact("The number of training images = {samples_per_epoch:int}", 0.3),
        fact("#training images = {samples_per_epoch:int}", 0.2),
    )
