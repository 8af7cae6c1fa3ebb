"""Headings: a line without numbers that names the data of the figures after it.

`Validation results:`, `***** Eval results *****`, `Train metrics`. The generic reader uses it.
"""

from sixdim.parsers.generic.evaluations.evaluations import Evaluations
from sixdim.parsers.generic.tables.table import names_of_columns
from sixdim.parsers.grammar.vocabulary.names import EVALUATED, TRAINED
from sixdim.parsers.grammar.vocabulary.splits import split_of
from sixdim.parsers.grammar.vocabulary.words import words, words_of
from sixdim.parsers.text.patterns import pattern

_HEADING = EVALUATED | words(
    "error errors result results metrics set the performance on dataset data "
    "running start starting begin beginning checking accuracy"
)
"""Words of a heading, which names the data of the figures after it."""
_COLLECTED = words("collect collecting collection rollout rollouts")
"""What an agent does while it trains: the rewards below it are not those of an evaluation."""
_OF_RESULTS = frozenset({"result", "results", "metrics"})
_MEASURED = _OF_RESULTS | {"accuracy", "error", "performance"}
_LONGEST_HEADING = 60
_FRAME = pattern(r"([*=#-])\1{2,60}+(?=[^*=#-].*\1{3}$)")
"""The beginning of a framed heading: `***** Eval results *****`."""
FRAMES = ("---", "***", "===", "###")
_BATCH = pattern(
    r"(?i)([*=#-])\1{2,60}+\s?batch[\s:#]{1,3}\d{1,9}+(?:\s?/\s?\d{1,9}+)?\s?\1{3,60}+$"
)
_WORD_BEGINS = pattern(r"[A-Za-z][A-Za-z0-9@]")
_BEGINNINGS = {word[:2] for word in _HEADING | TRAINED | _COLLECTED}
_LONGEST_WITHOUT_EFFECT = 200
_MOST_WITHOUT_EFFECT = 1_000
"""The most lines that are stored."""


class Headings:
    """Reads the headings of one log.

    Args:
        evaluations: The evaluations of the log; each heading begins some of them.

    Attributes:
        without_effect: Lines without numbers that need not be read again.
    """

    def __init__(self, evaluations: Evaluations) -> None:
        self._evaluations = evaluations
        self.without_effect: set[str] = set()

    def read(self, text: str) -> tuple[str, ...]:
        """Reads a line without numbers.

        Returns:
            The words of a heading that the next line continues; empty for any other line.
        """
        framed = len(text) <= _LONGEST_HEADING and _FRAME.match(text) is not None
        said = tuple(words_of(text)) if framed or _may_be_heading(text) else ()
        if said and _HEADING.issuperset(said) and not EVALUATED.isdisjoint(said):
            self._evaluations.begin(split_of(said))
            return said if framed or text.endswith(":") else ()
        collected = text.endswith(":") and _COLLECTED.issuperset(said[:1] or "-")
        if collected or _of_training_data(said):
            self._evaluations.of_a_part = True  # they are of no evaluation
        elif framed and said and said[-1] in _OF_RESULTS:
            self._evaluations.begin_part()
        elif len(self.without_effect) < _MOST_WITHOUT_EFFECT and _has_no_effect(text):
            self.without_effect.add(text)
        return ()


def _of_training_data(said: tuple[str, ...]) -> bool:
    """Whether a heading is that of `Train metrics`, or `Checking accuracy on training data`."""
    begins = TRAINED.issuperset(said[:1]) and _OF_RESULTS.issuperset(said[1:2] or "-")
    measured = not (_MEASURED.isdisjoint(said) or TRAINED.isdisjoint(said))
    return bool(said) and (begins or (measured and (_HEADING | TRAINED).issuperset(said)))


def names_a_batch(text: str) -> bool:
    """Returns whether a framed heading names a batch: `---- batch: 010 ----`."""
    return _BATCH.match(text) is not None


def _may_be_heading(text: str) -> bool:
    """Returns whether a text is short enough for a heading, and begins like one."""
    begins = _WORD_BEGINS.search(text) if len(text) <= _LONGEST_HEADING else None
    return begins is not None and begins[0].lower() in _BEGINNINGS


def _has_no_effect(text: str) -> bool:
    """Returns whether a line without numbers cannot be a heading or the header of a table."""
    if len(text) > _LONGEST_WITHOUT_EFFECT or text.endswith(":"):
        return False
    return not names_of_columns(text)[1]
