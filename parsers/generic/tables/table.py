"""Reads tables under a header of names that the field uses."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias

from sixdim.parsers.generic.tables.split_columns import SplitColumns
from sixdim.parsers.generic.tables.table_texts import SPLITS, TextColumns
from sixdim.parsers.grammar.meaning.line_parts import ARRAY
from sixdim.parsers.grammar.meaning.line_plan import FIGURES, NOTHING, Plan
from sixdim.parsers.grammar.meaning.line_planner import plan
from sixdim.parsers.grammar.shapes.convert import function
from sixdim.parsers.grammar.shapes.holes import clock, number
from sixdim.parsers.grammar.vocabulary.forms import Numbers
from sixdim.parsers.grammar.vocabulary.named import Named
from sixdim.parsers.grammar.vocabulary.names import meaning
from sixdim.parsers.grammar.vocabulary.words import words_of
from sixdim.parsers.text.patterns import pattern

_BLANKS = pattern(r"(?<!\s)\s{2,}+(?!(?:ms|s|m|h|sec|min|%)(?:\s|$))")
"""The blanks between two cells, and not those between a number and its unit: `0.55    s`."""
_TIME = pattern(r"\d{1,4}+:\d\d(?::\d\d)?+|\d{1,9}+(?:\.\d{1,9}+)?+\s*+(?:ms|s|m|h|sec|min)")
_CLOCK = pattern(r"\d{1,4}+:\d\d(?::\d\d)?+")
_WITH_UNIT = pattern(r"(\d{1,9}+(?:\.\d{1,9}+)?+)\s*+([a-z]{1,3}+)")
_OF_TOTAL = pattern(r"(\d{1,9}+)\s?+/\s?+(\d{1,9}+)")
_NAME = pattern(r"[A-Za-z][\w@./%() -]*+")
_MARK = pattern(r"(?<=\S)\s++(?:[^\w\s.,;:|%+-][^\d|\t,]{0,30}|(?:new )?(?:best|saved))$")
"""A mark after some rows that belongs to no column: `← best`, `*`, `(saved)`."""
_RULER = pattern(r"-{2,99}+(?: {1,4}+-{2,99}+)++")
"""The line of dashes between a header and its rows: one group for each column."""
_DASHES = pattern(r"-++")
_ARRAY = pattern(rf"{ARRAY}(-?[\d.]{{1,30}}+(?:e-?\d++)?+)[^()]{{0,60}}+\)")
"""A cell that was printed as an array: `tensor(3.3929, device='cuda:0')`."""
_EMPTY = ("", "_", "+")  # the last one marks the rows after which a model was saved
_STRAY_NUMBER = pattern(r"(?<![\w@.-])\d")
_DELIMITERS = ("|", "\t", ",", ";", " - ")
_LONGEST_ROW = 4_000
_LONGEST_NAME = 40
_MOST_DRAWN = 10_000
_MOST_PLANS = 64
_FEWEST = 2
_COUNTS = ("epoch", "step")
_TIMES = ("time", "epoch time", "train time", "duration")
_FASTAI = ["epoch", "train_loss", "valid_loss"]
"""The first columns of fastai's table; if its last one is `time`, that is the time of the epoch."""
_EPOCH_TIME = Named("epoch time", "time")
_DRAWN = str.maketrans("│┃║", "|||")
"""The lines between columns that a program draws, as Rich does."""
_Reads: TypeAlias = Callable[[str], "list[float | None] | None"]


class HeadedTable:
    """Reads the rows of the table whose header was seen last.

    Attributes:
        full_row: Reads a row with a number in each column; None while no rows are expected.
        full: The plan of such a row.
        splits: The columns of a table with one for each split of the data.
    """

    def __init__(self) -> None:
        self._columns: list[Named | None] = []
        self._names: list[str] = []
        self._texts, self.splits = TextColumns(), SplitColumns()
        self._delimiter = ""  # empty: two or more blanks; " ": any number of blanks
        self.full = NOTHING
        self.full_row: _Reads | None = None
        # Plans of rows that lack a number, by their columns.
        self._plans: dict[tuple[Named, ...], Plan] = {}
        self._is_timed = False  # the last column is a clock: how long the epoch took
        self._places: list[tuple[int, int]] = []  # of the columns, from their right end
        self._above: list[str] = []  # cells of the line before, in which the names may begin
        self._rows: set[str] = set()  # rows between drawn lines; a terminal draws them again

    def header(self, text: str) -> bool:
        """Whether a line is a header of which at least half the names are known, one a figure's."""
        if self.splits.header(text):
            return True
        above, self._above = self._above, _framed(text)
        if (below := self._above) and len(above) == len(below) and "" in below:
            text = "|".join(" ".join(both) for both in zip(above, below, strict=True))
        delimiter, cells = names_of_columns(text.translate(_DRAWN))
        if not cells:
            return False
        if (delimiter, len(cells)) == (self._delimiter, len(self._columns)):
            self._columns, self.full_row = [], None  # the rows of the table before have ended
        columns = [_column(cell) for cell in cells]
        roles = [one.role for one in columns if one is not None]
        known = sum(map(_is_known, cells, columns))
        if len(roles) < 2 or known * 2 < len(cells) or FIGURES.isdisjoint(roles):
            return False
        if len({*cells}) < len(cells):
            return False  # `| class | AP | class | AP |`: each figure belongs to one class
        columns = _without_second_counts(columns)
        self._places = []
        self._is_timed = cells[:3] == _FASTAI and cells[-1] == "time"
        self._columns, self._delimiter, self._names = columns, delimiter, cells
        self._texts = TextColumns(cells, columns, _column)
        self.full = plan([one for one in columns if one is not None], of_epoch=True)
        self.full_row = _reader(tuple(columns), delimiter)
        return True

    def row(self, text: str) -> tuple[Plan, Numbers] | None:
        """Returns the plan and the values of a row of the table; None for another line."""
        if self.full_row is None or (text[:1].isalpha() and not self._texts.first):
            return None
        self._above = []
        if text[:1] in "│┃║":
            if text in self._rows:
                return NOTHING, ()
            if len(self._rows) < _MOST_DRAWN:
                self._rows.add(text)
            text = text.translate(_DRAWN)
        numbers = self.full_row(text)
        return self._row(text) if numbers is None else (self.full, numbers)

    def _row(self, text: str) -> tuple[Plan, Numbers] | None:
        """As `row`, for a row whose cells may be empty, a time, a percentage or a text."""
        cells, texts = _cells(text, self._delimiter), self._texts
        if texts.last:
            cells += [""] * (len(cells) == len(self._columns) - 1)
        elif mark := _MARK.search(text):
            cells = _cells(text[: mark.start()], self._delimiter)
        if len(cells) < len(self._columns) and self._places:
            cells = self._cells_by_place(text)
        if len(cells) != len(self._columns):
            return None
        if not self._delimiter and _RULER.fullmatch(text):
            size = len(text)
            self._places = [(d.start() - size, d.end() - size) for d in _DASHES.finditer(text)]
            return None
        named: list[Named] = []
        values: list[float | None] = []
        for at, (column, cell) in enumerate(zip(texts.columns_of(cells), cells, strict=True)):
            if cell in _EMPTY or _TIME.fullmatch(cell):
                if self._is_timed and _CLOCK.fullmatch(cell):
                    named.append(_EPOCH_TIME)
                    values.append(clock(cell))
                elif (time := _time(self._names[at], cell)) is not None:
                    named.append(time._replace(value=0.0))
                    values.append(time.value)
                continue
            if column is not None and (both := _OF_TOTAL.fullmatch(cell)):
                if column.role in _COUNTS:
                    named += [column, column._replace(role=f"{column.role}s")]
                    values += map(int, both.groups())
                continue
            array = _ARRAY.fullmatch(cell)
            digits = array[1] if array else cell.removesuffix("%")
            try:
                value = number(digits)
            except ValueError:
                if column is None and texts.may_have(at, cell):
                    continue
                return None
            if column is None or (value % 1 and column.role in _COUNTS):
                continue
            named.append(column._replace(unit="%") if cell.endswith("%") else column)
            values.append(int(value) if column.role in _COUNTS else value * column.scale)
        return self._plan_of(tuple(named)), [*values, None]

    def _cells_by_place(self, text: str) -> list[str]:
        """Returns the cells of a row with empty ones, as the line of dashes shows their places.

        Returns:
            No cells if the row has text beside the columns.
        """
        size = len(text)
        cells = [
            text[max(size + begin, 0) : max(size + end, 0)].strip() for begin, end in self._places
        ]
        return cells if sum(map(len, cells)) == size - text.count(" ") else []

    def _plan_of(self, named: tuple[Named, ...]) -> Plan:
        known = self._plans.get(named)
        if known is None:
            if len(self._plans) >= _MOST_PLANS:
                self._plans.clear()
            known = self._plans[named] = plan(named, of_epoch=True)
        return known


def _is_known(cell: str, column: Named | None) -> bool:
    """Returns whether a column's name is known, or at least the split that it begins with.

    An example is `DEV_RECALL`.
    """
    return column is not None or not SPLITS.isdisjoint(words_of(cell)[:1])


def _time(name: str, cell: str) -> Named | None:
    """Returns what a time with its unit is under a column's name: `2.1s` under `Time`."""
    parts = _WITH_UNIT.fullmatch(cell)
    time = None if parts is None or "(" in name else _column(f"{name} ({parts[2]})")
    if parts is None or time is None or time.role not in _TIMES:
        return None
    return time._replace(value=float(parts[1]) * time.scale)


def _without_second_counts(columns: Sequence[Named | None]) -> list[Named | None]:
    """Returns the columns; only the first epoch and step columns are labels (not `s/epoch`)."""
    roles = ["" if one is None else one.role for one in columns]
    return [
        None if role in _COUNTS and role in roles[:at] else one
        for at, (role, one) in enumerate(zip(roles, columns, strict=True))
    ]


def names_of_columns(text: str) -> tuple[str, list[str]]:
    """Returns the delimiter and the names of a line of column names; no names for other lines."""
    text = f"index{text}" if text.startswith(",") else text  # as pandas writes a table's index
    delimiter = next((one for one in _DELIMITERS if one in text.strip("|")), "")
    if not delimiter and "  " not in text and text.isascii():
        return delimiter, []
    cells = _cells(text, delimiter)
    # A name that fills its column has one blank in front of it: `epoch train_loss   val_loss`.
    joined = [] if delimiter else [cell.split() for cell in cells if " " in cell]
    if joined and all(_column(word) is not None for cell in joined for word in cell):
        delimiter, cells = " ", text.split()
    if len(cells) < _FEWEST or any(
        len(cell) > _LONGEST_NAME or not _is_name(cell) or _STRAY_NUMBER.search(cell)
        for cell in cells
    ):
        return delimiter, []
    return delimiter, cells


def _is_name(cell: str) -> bool:
    """Returns whether a text may name a column; `val_loss))`, the end of a `print`, may not."""
    cell = cell.removesuffix("(hh:mm:ss)")
    return _NAME.fullmatch(cell) is not None and cell.count("(") == cell.count(")")


@lru_cache(64)
def _reader(columns: tuple[Named | None, ...], delimiter: str) -> _Reads:
    """Makes the function that returns a row's values; None unless each cell is a plain number."""
    names = [f"v{at}" for at in range(len(columns))]
    cells = {"": "[c for c in text.split('  ') if c]", " ": "text.split()"}.get(
        delimiter, f"text.split({delimiter!r})"
    )
    statements = [
        f"cells = {cells}",
        f"if len(cells) != {len(columns)} or len(text) > {_LONGEST_ROW}: return None",
        "if '_' in text: return None",  # Python reads 1_000, no log means it
        f"try: [{', '.join(names)}] = map(float, cells)",
        "except ValueError: return None",
        f"total = {' + '.join(names)}",
        "if total - total: return None",  # one is not finite
    ]
    values = []
    for name, column in zip(names, columns, strict=True):
        if column is not None and column.role in _COUNTS:
            statements.append(f"if {name} % 1: return None")
            values.append(f"int({name})")
        elif column is not None:
            values.append(name if column.scale == 1 else f"{name} * {column.scale!r}")
    read: _Reads = function("(text)", [*statements, f"return [{', '.join([*values, 'None'])}]"], {})
    return read


def _cells(text: str, delimiter: str) -> list[str]:
    line = text[:_LONGEST_ROW].strip("| ")
    if delimiter == " ":
        return line.split()
    return [cell.strip() for cell in (line.split(delimiter) if delimiter else _BLANKS.split(line))]


def _framed(text: str) -> list[str]:
    """Returns the cells of a row between two bars, the empty ones, too; no cells of other lines."""
    framed = text.startswith("|") and text.endswith("|")
    return [cell.strip() for cell in text[1:-1].split("|")] if framed else []


def _column(name: str) -> Named | None:
    name, _, unit = name.partition("(")
    if name == "dur":
        return Named("time", name)
    found = meaning(name.strip(), unit.removesuffix(")").strip(), counts=True)
    return None if found is not None and found.inverse else found
