"""Tables under a header of names that the field uses."""

from __future__ import annotations

from sixdim.parsers.grammar.holes import number
from sixdim.parsers.grammar.line_plan import FIGURES, NOTHING, Plan, plan
from sixdim.parsers.grammar.names import Named, meaning
from sixdim.parsers.text.patterns import pattern

_BLANKS = pattern(r"\s{2,}")
_TIME = pattern(r"\d{1,4}+:\d\d(?::\d\d)?+|\d{1,9}+(?:\.\d{1,9}+)?+ ?(?:ms|s|m|h|sec|min)")
_NAME = pattern(r"[A-Za-z][\w@./%() -]*+")
_STRAY_NUMBER = pattern(r"(?<![\w@.-])\d")
_LONGEST_ROW = 4_000
_LONGEST_NAME = 40
_FEWEST = 2
_COUNTS = ("epoch", "step")


class Table:
    """The table of a log whose header was seen last."""

    def __init__(self) -> None:
        self._columns: list[Named | None] = []
        self._delimiter = ""  # two blanks or more
        self._named: list[Named] = []  # of the last row
        self._plan = NOTHING

    def header(self, text: str) -> bool:
        """Whether a line holds column names, two of them figures' or an epoch's."""
        delimiter = next((one for one in "|\t," if one in text.strip("|")), "")
        cells = _cells(text, delimiter)
        if len(cells) < _FEWEST or any(
            len(cell) > _LONGEST_NAME or not _NAME.fullmatch(cell) or _STRAY_NUMBER.search(cell)
            for cell in cells
        ):
            return False
        columns = [_column(cell) for cell in cells]
        roles = [one.role for one in columns if one is not None]
        if len(roles) < 2 or len(roles) * 2 < len(cells) or FIGURES.isdisjoint(roles):
            return False
        self._columns, self._delimiter = columns, delimiter
        return True

    def row(self, text: str) -> tuple[Plan, list[float | None]] | None:
        """What a row of the table says and its figures' values; None for another line."""
        if not self._columns or text[:1].isalpha():
            return None
        cells = _cells(text, self._delimiter)
        if len(cells) != len(self._columns):
            return None
        named: list[Named] = []
        values: list[float | None] = []
        for column, cell in zip(self._columns, cells, strict=True):
            if not cell or _TIME.fullmatch(cell):
                continue
            digits = cell.removesuffix("%")
            try:
                value = number(digits)
            except ValueError:
                return None
            if column is None or (value % 1 and column.role in _COUNTS):
                continue
            named.append(column if digits == cell else column._replace(unit="%"))
            values.append(value * column.scale)
        if not named:
            return None
        if named != self._named:
            self._named, self._plan = named, plan(named, of_epoch=True)
        return self._plan, values


def _cells(text: str, delimiter: str) -> list[str]:
    line = text[:_LONGEST_ROW].strip("| ")
    return [cell.strip() for cell in (line.split(delimiter) if delimiter else _BLANKS.split(line))]


def _column(name: str) -> Named | None:
    name, _, unit = name.partition("(")
    if name == "dur":
        return Named("time", name)
    found = meaning(name.strip(), unit.removesuffix(")").strip(), counts=True)
    return None if found is not None and found.inverse else found
