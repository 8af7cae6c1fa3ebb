"""Tables under a header of names that the field uses."""

from __future__ import annotations

from collections.abc import Callable

from sixdim.parsers.grammar.forms import Numbers
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
        self._full = NOTHING  # what a row says that has a number in each column
        self._places: list[int] = []  # of the columns that have a meaning
        self._conversions: list[tuple[int, Callable[[float], float | None]]] = []
        self._named: list[Named] = []  # of the last row that has not
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
        if (delimiter, len(cells)) == (self._delimiter, len(self._columns)):
            self._columns = []  # the rows of the table before have ended
        columns = [_column(cell) for cell in cells]
        roles = [one.role for one in columns if one is not None]
        if len(roles) < 2 or len(roles) * 2 < len(cells) or FIGURES.isdisjoint(roles):
            return False
        if len({*cells}) < len(cells):
            return False  # `| class | AP | class | AP |`: each is of one class
        self._columns, self._delimiter = columns, delimiter
        named = [(place, one) for place, one in enumerate(columns) if one is not None]
        self._full = plan([one for _place, one in named], of_epoch=True)
        self._places = [place for place, _one in named]
        found = ((at, _conversion(one)) for at, (_place, one) in enumerate(named))
        self._conversions = [(at, convert) for at, convert in found if convert is not None]
        return True

    def row(self, text: str) -> tuple[Plan, Numbers] | None:
        """What a row of the table says and its figures' values; None for another line."""
        if not self._columns or text[:1].isalpha():
            return None
        numbers = self._full_row(text)
        return self._row(text) if numbers is None else (self._full, numbers)

    def _full_row(self, text: str) -> Numbers | None:
        """The figures' values of a row with a plain number in each column; None for others."""
        cells = text.split(self._delimiter or "  ")
        if not self._delimiter:
            cells = [cell for cell in cells if cell]
        if len(cells) != len(self._columns) or "_" in text or len(text) > _LONGEST_ROW:
            return None  # Python reads 1_000, no log means it
        try:
            values = list(map(float, cells))
        except ValueError:
            return None
        total = sum(values)
        if total - total != 0:
            return None  # one is not finite
        numbers: list[float | None] = [values[place] for place in self._places]
        for at, convert in self._conversions:
            numbers[at] = convert(values[self._places[at]])
            if numbers[at] is None:
                return None
        numbers.append(None)
        return numbers

    def _row(self, text: str) -> tuple[Plan, Numbers] | None:
        """As `row`, of a row whose cells may be empty, a time or a percentage."""
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
            values.append(int(value) if column.role in _COUNTS else value * column.scale)
        if not named:
            return None
        if named != self._named:
            self._named, self._plan = named, plan(named, of_epoch=True)
        return self._plan, [*values, None]


def _conversion(column: Named) -> Callable[[float], float | None] | None:
    """What gives a column's figure by its number, None where it is no count; None for itself."""
    if column.role in _COUNTS:
        return lambda value: None if value % 1 else int(value)
    return None if column.scale == 1 else lambda value: value * column.scale


def _cells(text: str, delimiter: str) -> list[str]:
    line = text[:_LONGEST_ROW].strip("| ")
    return [cell.strip() for cell in (line.split(delimiter) if delimiter else _BLANKS.split(line))]


def _column(name: str) -> Named | None:
    name, _, unit = name.partition("(")
    if name == "dur":
        return Named("time", name)
    found = meaning(name.strip(), unit.removesuffix(")").strip(), counts=True)
    return None if found is not None and found.inverse else found
