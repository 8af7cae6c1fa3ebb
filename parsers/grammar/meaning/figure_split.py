"""Decides of each figure of a line whether it is the training's or an evaluation's."""

from typing import TypeAlias

from sixdim.parsers.grammar.meaning.about import BEGINNING, of_training
from sixdim.parsers.grammar.meaning.form import OF_DATA
from sixdim.parsers.grammar.meaning.line_numbers import LineNumbers
from sixdim.parsers.grammar.vocabulary.named import Named
from sixdim.parsers.grammar.vocabulary.names import ERRORS, EVALUATED, PARTS_OF_LOSS
from sixdim.parsers.grammar.vocabulary.rankings import ranks
from sixdim.parsers.grammar.vocabulary.splits import part_of_data, split_of
from sixdim.parsers.grammar.vocabulary.words import words as words_in
from sixdim.parsers.grammar.vocabulary.words import words_of

PlacedFigures: TypeAlias = list[tuple[int, Named]]
"""Figures with their places in the line."""
_OVERLAPS = frozenset({"dice", "iou"})
_OF_BATCHES = words_in("batch minibatch iter iteration step")


def split_figures(line: LineNumbers) -> tuple[PlacedFigures, PlacedFigures]:
    """Returns the figures of the training, and those of an evaluation."""
    rules = _Rules(line)
    trained: PlacedFigures = []
    tested: PlacedFigures = []
    split_before = ""
    for place, one in enumerate(line.named):
        split_before = one.split or split_before
        if one.role in OF_DATA and not rules.leave_out(one):
            figures = tested if rules.is_tested(one, split_before) else trained
            figures.append((place, one))
    return trained, _of_the_validation(tested)


class _Rules:
    """What a line says about all of its figures."""

    def __init__(self, line: LineNumbers) -> None:
        named = line.named
        # `test acc: 76.8 %, loss: 0.68`: the split of the first figure holds for all.
        first_split = next((one.split for one in named if one.role in OF_DATA), "")
        all_tested = first_split == "eval" and all(one.split != "train" for one in named)
        self._tests = line.evaluates or all_tested
        # `step 40, val_acc 0.8, loss 0.3`: the loss may be the training's
        begins = not EVALUATED.isdisjoint(line.words[:1])
        self._loss_is_unsaid = all_tested and line.has("step") and not begins
        self._said_of_tests = {one.canonical for one in named if one.split == "eval"}
        self._alone = _stand_alone(line, first_split)
        # `accuracy: 0.5 (0.5)` belongs to a batch whose count an earlier line shows.
        self._of_batches = self._alone and not line.evaluates and not line.has("epoch")
        of_epochs = not (line.has("step", "part") or line.names_training)
        # `Epoch 3, loss 0.5, mAP 0.4`: a training does not rank its results
        self._of_epoch = line.has("epoch") and of_epochs
        # `Total: 1.1 | Dice: 0.8 | BCE: 1.2`
        self._parts_of_loss = any(one.canonical in PARTS_OF_LOSS for one in named)
        # `Action: left | Reward: 1.5`
        self._of_one_action = "action" in line.words[:BEGINNING]
        # `loss 0.5, f1 0.7, best_f1 0.8`: a training keeps no best figure of its batches
        self._judged = {one.canonical for one in named if of_epochs and one.role == "best"}
        # `MAE=5.2, F1=0.6`: an error beside a quality is of the same evaluation, unless others
        # name theirs (`MSE 0.31, val RMSE 0.62`)
        self._errs = line.has("quality") and ERRORS.isdisjoint(self._said_of_tests)

    def leave_out(self, one: Named) -> bool:
        """Returns whether it is unknown what a figure is of."""
        if self._of_one_action and one.canonical == "reward":
            return True
        if one.split:
            return False
        of_parts = self._parts_of_loss and one.canonical in _OVERLAPS
        of_a_batch = self._of_batches and one.running
        return of_parts or of_a_batch or (self._loss_is_unsaid and one.role == "loss")

    def is_tested(self, one: Named, split_before: str) -> bool:
        """Returns whether a figure is an evaluation's.

        Args:
            one: The figure.
            split_before: The last split named up to it.
        """
        if one.split:
            return one.split == "eval"
        if self._tests:
            return True
        is_result = one.role == "quality" or (self._errs and one.canonical in ERRORS)
        if not is_result or not _OF_BATCHES.isdisjoint(words_of(one.name)):
            return False
        # `acc 0.9 val_acc 0.8`: the first is the training's; `train loss 0.5 acc 0.9 | val
        # loss 0.6 acc 0.8`: so is the first accuracy
        if one.canonical in self._said_of_tests or split_before == "train":
            return False
        of_epoch = self._of_epoch and ranks(one.canonical)
        return self._alone or of_epoch or one.canonical in self._judged


def _stand_alone(line: LineNumbers, first_split: str) -> bool:
    """Returns whether a quality without a split is an evaluation's, as nothing beside it trains."""
    # `train_loss … valid_loss … accuracy`: figures of the training are named as such.
    if any(one.split == "eval" for one in line.named) and all(one.split for one in line.losses):
        return True
    # `Train epoch 2, total time 18.9, accuracy: 12.6`
    trained_on = not first_split and (
        of_training(line.words) or part_of_data(line.words) == "train"
    )
    return line.has("eval time") or not (line.losses or trained_on or line.has("rate", "step"))


def _of_the_validation(tested: PlacedFigures) -> PlacedFigures:
    """Returns figures without those of a test that have one of the validation beside them."""
    splits = [split_of(words_of(one.name)) for _, one in tested]
    if "test" not in splits:
        return tested
    rows = [*zip(splits, tested, strict=True)]
    validated = {one.canonical for split, (_, one) in rows if split in ("val", "dev")}
    return [row for split, row in rows if split != "test" or row[1].canonical not in validated]
