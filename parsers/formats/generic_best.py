"""Finds figures that are printed again under the heading of the best model's: `Best model:`."""

from __future__ import annotations

from collections.abc import Sequence

from sixdim.parsers.events import Metric
from sixdim.parsers.grammar.meaning.line_plan import Figures, Tested
from sixdim.parsers.grammar.vocabulary.languages import english
from sixdim.parsers.grammar.vocabulary.names import EPOCHS, EVALUATED
from sixdim.parsers.grammar.vocabulary.words import words, words_of

_OF_THE_BEST = (
    EVALUATED
    | EPOCHS
    | words(
        "best model result results metrics metric performance score scores statistics summary "
        "step iter iteration round trial at of on the from with for set data overall other"
    )
)
"""Words of the heading; `other` is a word of another language."""
_LONGEST_HEADING = 80
_MOST_PRINTED = 10_000
"""The most figures that are stored."""


class BestModel:
    """The figures of a log's evaluations, and whether those of the best model follow.

    Attributes:
        headed: Whether the last heading is that of the best model's figures.
    """

    def __init__(self) -> None:
        self.headed = False
        self._values: Figures = ()  # figures of the training beside the loss
        self._printed: set[tuple[str, float]] = set()  # name and value of each figure

    def note_heading(self, text: str) -> None:
        """Notes a heading, which may be that of the best model's figures: `Best epoch: 12` is one.

        Another line that begins with `best` is none, and does not end those figures.
        """
        said = words_of(english(text)) if len(text) <= _LONGEST_HEADING else ()
        works = any(word.endswith(("ing", "ed")) for word in said)  # `Evaluating best model:`
        names = "best" in said and not works and _OF_THE_BEST.issuperset(said)
        self.headed = names or (self.headed and not text.endswith((":", "：")))

    def train(self, values: Figures) -> None:
        """Notes the figures of a line of training beside the loss."""
        self._values = values or self._values

    def repeats(self, tested: Tested, metrics: Sequence[Metric]) -> bool:
        """Whether figures were printed before, and the heading says that they are the best ones.

        The best model may be evaluated again, on other data: then the figures are new. Without any
        evaluation before them they are the training's, if its lines have figures of these names.
        """
        figures = [
            (one.name, round(one.value / 100 if one.unit == "%" else one.value, 9))
            for one in metrics
        ]
        if self.headed:
            of_training = not (self._printed or tested.names_split)
            if of_training and tested.names <= {one.name for _, one in self._values}:
                return True
            if self._printed.issuperset(figures):
                return True
        if len(self._printed) < _MOST_PRINTED:
            self._printed.update(figures)
        return False
