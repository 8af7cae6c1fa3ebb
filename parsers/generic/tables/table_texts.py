"""Knows which columns of a table may hold texts, and what a text says of its row."""

from collections.abc import Callable, Sequence

from sixdim.parsers.grammar.vocabulary.named import Named
from sixdim.parsers.grammar.vocabulary.names import EVALUATED, TRAINED
from sixdim.parsers.grammar.vocabulary.words import words, words_of
from sixdim.parsers.text.patterns import pattern

SPLITS = EVALUATED | TRAINED
_OF_SPLITS = words("phase split set subset mode stage")
"""Last words of the name of a column whose cells say which data the row is of."""
_OF_NOTES = words("timestamp datetime date status note notes remark comment saved checkpoint best")
"""Last words of the name of a column that may have any text, which says nothing of the figures."""
_FLAGS = words("true false yes no")
_MOMENT = pattern(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9}+)?+)?+(?:Z|[+-]\d\d:?\d\d)?+)?+"
)
_MOST_SPLITS = 8


class TextColumns:
    """The columns of one table that may hold texts.

    Args:
        names: The names of all columns, as the header has them.
        columns: What each is; None for an unknown one.
        column: Returns what a column of a name is.

    Attributes:
        first: Whether a row may begin with a word.
        last: Whether the last column has notes: a row may lack it.
    """

    def __init__(
        self,
        names: Sequence[str] = (),
        columns: Sequence[Named | None] = (),
        column: Callable[[str], Named | None] = lambda _: None,
    ) -> None:
        self._names, self._columns, self._column = names, columns, column
        said = [(words_of(name) or [""])[-1] for name in names]
        known = [one is not None for one in columns]
        self._of_split = next(
            (at for at, word in enumerate(said) if word in _OF_SPLITS and not known[at]), None
        )
        self._notes = {at for at, word in enumerate(said) if word in _OF_NOTES and not known[at]}
        self.first, self.last = self._of_split == 0, len(names) - 1 in self._notes
        self._by_split: dict[str, Sequence[Named | None]] = {}

    def columns_of(self, cells: Sequence[str]) -> Sequence[Named | None]:
        """Returns the columns for a row: in one with the cell `val`, `loss` is the `val loss`."""
        split = "" if self._of_split is None else cells[self._of_split]
        if not _is_split(split):
            return self._columns
        known = self._by_split.get(split)
        if known is None:
            known = [
                one
                if one is None or one.role in ("epoch", "step")
                else self._column(f"{split} {n}")
                for one, n in zip(self._columns, self._names, strict=True)
            ]
            if len(self._by_split) < _MOST_SPLITS:
                self._by_split[split] = known
        return known

    def may_have(self, at: int, cell: str) -> bool:
        """Returns whether a cell of an unknown column may be a text, so that its row counts."""
        if at in self._notes or (at == self._of_split and _is_split(cell)):
            return True
        return cell.lower() in _FLAGS or _MOMENT.fullmatch(cell) is not None


def _is_split(cell: str) -> bool:
    return not SPLITS.isdisjoint(words_of(cell)[:1])
