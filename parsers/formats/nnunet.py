"""nnU-Net, versions 1 and 2: a few lines per epoch, with the Dice of each foreground class.

The Dice of an epoch is measured on patches. The best model is validated on whole images afterwards.
"""

from math import fsum

from sixdim.parsers.events import EpochEnd, Evaluation, Events
from sixdim.parsers.grammar.shapes.figures import as_number, figure
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import ends, ignored, line, remembers
from sixdim.parsers.text.patterns import pattern

_CLASS = pattern(r"(?<![\w.])(?:nan|[01](?:\.\d{1,20}+)?+(?:e-\d{1,3}+)?+)(?![\w.])")
"""The Dice of a class; NumPy may print its type, too: `np.float32(0.89)`."""


class NnUNet(Reader):
    name = "nnunet"
    title = "nnU-Net, versions 1 and 2 (medical segmentation)"
    example = "Pseudo dice [0.8912, 0.7712]"
    unread = "the batch, the learning rate, its moving mean of the Dice, lines of forks"

    _epoch: int | None = None
    _train_loss: float | None = None
    _loss: float | None = None
    _tested = False
    """Whether the Dice of an epoch was read."""

    begins = remembers(("Epoch {_epoch:int}", "epoch: {_epoch:int}"), 0.0, "epoch", _loss=None)
    losses = remembers(
        ("train_loss {_train_loss:float}", "train loss : {_train_loss:float}"), 0.0, "loss"
    )
    tested = remembers(("val_loss {_loss:float}", "validation loss: {_loss:float}"), 0.0, "loss")

    @line(
        ("Pseudo dice [{dice:text}", "Average global foreground Dice: [{dice:text}"),
        1.0,
        "evaluation",
    )
    def _dice(self, line: Line, f: Fields) -> Events:
        """Yields the mean over the classes that the patches contain; the others are `nan`."""
        printed = [as_number(one) for one in _CLASS.findall(f["dice"])]
        classes = [one for one in printed if one is not None and one == one]
        if not classes:
            return
        loss = () if self._loss is None else (figure("loss", self._loss),)
        dice = figure("dice", fsum(classes) / len(classes))
        self._tested = True
        yield Evaluation(line.origin(), (dice, *loss), self._epoch, data="val")

    @line(("Epoch time: {seconds:float} s", "This epoch took {seconds:float} s"), 0.0, "epoch")
    def _time(self, line: Line, f: Fields) -> Events:
        values = () if self._train_loss is None else (figure("loss", self._train_loss),)
        yield EpochEnd(line.origin(), self._epoch, epoch_time=f["seconds"], values=values)

    @line("Mean Validation Dice: {dice:float}", 0.2, "evaluation")
    def _validation(self, line: Line, f: Fields) -> Events:
        """Yields the Dice on whole images; it decides only if no epoch's Dice was read."""
        dice = figure("dice", f["dice"])
        yield Evaluation(line.origin(), (dice,), after_training=self._tested, data="val")

    over = ends("Training done.", 0.0)  # some forks say `finished training` after each epoch, too
    best = ignored("Yayy! New best EMA pseudo Dice: {}", 0.5, "best")
