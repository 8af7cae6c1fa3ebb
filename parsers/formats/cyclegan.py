"""pytorch-CycleGAN-and-pix2pix (`(epoch: 1, iters: 100, time: 0.246, data: 0.002) G_GAN: …`).

`iters` counts images. `time` is the time of one image, without the wait for data, which is `data`
and that of a whole batch (train.py: `t_comp`, `t_data`). Lines have no size of the batch, so a line
has a speed only as long as the waits are short beside the time of one image. The time of an epoch
includes all. Later versions print the lines for each rank.
"""

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
    for head in (_PLACE + ", data: {data:float}", _PLACE, _OF_RANK)
)

_SHORT = 0.05
"""The largest share of the time that waits may have in a run whose lines have a speed."""


class CycleGan(Reader):
    name = "cyclegan"
    title = "CycleGAN and pix2pix (PyTorch)"
    example = (
        "(epoch: 1, iters: 100, time: 0.246, data: 0.002) G_GAN: 2.436 G_L1: 54.115 D_real: 0.167"
    )
    unread = "the options but for the number of images, the learning rate"

    _computed = _waited = 0.0
    """Seconds of all lines so far."""

    @line(_LINES, 1.0, "iteration")
    def _iteration(self, line: Line, f: Fields) -> Events:
        # An envelope with the rank may have been removed: such a line counts one rank's images.
        of_rank = "rank" in f or line.rank is not None
        images = None if of_rank else self.facts.get("samples_per_epoch")
        place = f["epoch"], f["step"], images if isinstance(images, int) else None
        scope = Scope.DEVICE if of_rank else Scope.JOB
        speed = self._speed(f["time"], f.get("data", 0.0)), "samples/s", scope
        values = figures(self.wanted(f["pairs"]))
        yield Iteration(line.origin(), *place, *speed, values=values)

    def _speed(self, computed: float, waited: float) -> float | None:
        """Returns images/s; None if the waits of the lines so far are too long to leave out."""
        self._computed += computed
        self._waited += waited
        return 1 / computed if computed > 0 and self._waited <= _SHORT * self._computed else None

    epochs = epoch_end(
        "End of epoch {epoch:int} / {epochs:int} Time Taken: {train_time:float} sec", 0.2
    )

    images = (
        fact("The number of training images = {samples_per_epoch:int}", 0.3),
        fact("#training images = {samples_per_epoch:int}", 0.2),
    )
