"""Finds figures that are printed as the best ones: again under `Best model:`, or in words."""

from collections.abc import Iterable, Iterator

from sixdim.parsers.events import Metric, Summary
from sixdim.parsers.grammar.meaning.line_plan import Figures, Tested
from sixdim.parsers.grammar.vocabulary.languages import english
from sixdim.parsers.grammar.vocabulary.names import EPOCHS, EVALUATED, meaning
from sixdim.parsers.grammar.vocabulary.words import words, words_of
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_OF_THE_BEST = (
    EVALUATED
    | EPOCHS
    | words(
        "best model result results metrics metric performance score scores statistics summary "
        "step iter iteration round trial at of on the from with for set data overall other"
    )
)
"""Words of the heading; `other` is a word of another language."""
_STATED = pattern(
    r"(?i)(?<![a-z])best\]?(?: so far)?(?:[ _-]([a-z](?:(?!best)[\w@./ -]){0,40}?))??"
    r"(?:\s(?:is|was|of))?\s{0,8}[:=]?\s{0,8}(-?\d{1,9}\.\d{1,20}(?:e[-+]?\d{1,3})?)\s?(%)?(?![\w.])"
)
_OF_RESULTS = frozenset({"loss", "quality"})
_LONGEST_HEADING = 80
_MOST_PRINTED = 10_000
"""The most figures, and lines with some, that are stored."""


def stated_best(line: Line) -> tuple[Summary, ...]:
    """Returns the best figure that a line states, as `best` and its metric: `Best val acc: 0.81`.

    Without a name, as in `val acc 0.78 | best: 0.81`, it is `best` alone.
    """
    found = _STATED.search(line.text)
    if found is None:
        return ()
    unit = found[3] or ""
    known = meaning(found[1], unit, False) if found[1] else None
    if found[1] and (known is None or known.split == "train" or known.role not in _OF_RESULTS):
        return ()
    name = f"best {known.canonical}" if known else "best"
    return (Summary(line.origin(), (Metric(name, float(found[2]), unit),)),)


class BestModel:
    """The figures of a log's evaluations, and whether those of the best model follow.

    Attributes:
        headed: Whether the last heading is that of the best model's figures.
    """

    def __init__(self) -> None:
        self.headed = False
        self._values: Figures = ()  # figures of the training beside the loss
        self._printed: set[tuple[str, float]] = set()  # name and value of each figure
        self._later: set[tuple[Metric, ...]] = set()  # those of further lines

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

    def repeats(self, tested: Tested, metrics: tuple[Metric, ...]) -> bool:
        """Whether figures were printed before, and the heading says that they are the best ones.

        The best model may be evaluated again, on other data: then the figures are new. Without any
        evaluation before them they are the training's, if its lines have figures of these names.
        """
        if self.headed:
            for earlier in self._later:
                self._printed.update(_rounded(earlier))
            self._later.clear()
            of_training = not (self._printed or tested.names_split)
            if of_training and tested.names <= {one.name for _, one in self._values}:
                return True
            if self._printed.issuperset(_rounded(metrics)):
                return True
        if len(self._printed) + len(self._later) < _MOST_PRINTED:
            self._later.add(metrics)
        return False


def _rounded(metrics: Iterable[Metric]) -> Iterator[tuple[str, float]]:
    """Yields name and value of each figure, those in percent as fractions."""
    for name, value, unit, _ in metrics:
        yield name, round(value / 100 if unit == "%" else value, 9)
