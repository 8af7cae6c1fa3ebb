"""Reads tables with a column for each split of the data: `Metric | Train | Val`."""

from sixdim.parsers.grammar.vocabulary.names import EVALUATED, TRAINED
from sixdim.parsers.grammar.vocabulary.words import words_of
from sixdim.parsers.text.patterns import pattern

_LONGEST = 200
_DRAWN = str.maketrans("|│┃║", "    ")
"""The lines between the cells of a row."""
_NAME = pattern(r"[A-Za-z][\w@.-]{0,30}+")
_NUMBER = pattern(r"-?\d{1,9}+(?:\.\d{1,18}+)?+(?:e[-+]?\d{1,3}+)?+%?")


class SplitColumns:
    """The columns of the table whose header was seen last."""

    def __init__(self) -> None:
        self._splits: list[str] = []

    def header(self, text: str) -> bool:
        """Whether a line names splits, of which one is the training's, and one thing before them.

        That is what the rows are: `Metric | Train | Val`.
        """
        cells = text.translate(_DRAWN).split() if len(text) <= _LONGEST else []
        splits = [*cells] if not cells or _split(cells[0]) else cells[1:]
        if {"train", "eval"} != {_split(cell) for cell in splits} or len(splits) > 3:
            return False
        self._splits = splits
        return True

    def by_name(self, text: str) -> str:
        """Returns a row with the split in front of each figure; any other line as it is.

        `Accuracy | 0.91 | 0.86` becomes `Train Accuracy: 0.91, Val Accuracy: 0.86`.
        """
        if not self._splits or len(text) > _LONGEST:
            return text
        cells = text.translate(_DRAWN).split()
        names, values = cells[: -len(self._splits)], cells[-len(self._splits) :]
        named = bool(names) and all(_NAME.fullmatch(name) is not None for name in names)
        if not named or any(_NUMBER.fullmatch(value) is None for value in values):
            return text
        both = zip(self._splits, values, strict=True)
        return ", ".join([f"{split} {' '.join(names)}: {value}" for split, value in both])


def _split(cell: str) -> str:
    """Returns the split that a cell names, and nothing else: `train` or `eval`; else empty."""
    said = words_of(cell)
    if len(said) != 1:
        return ""
    return "train" if said[0] in TRAINED else "eval" if said[0] in EVALUATED else ""
