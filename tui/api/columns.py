"""A table of a run as columns of numpy arrays."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import pandas
    import polars

    Array = np.ndarray[Any, np.dtype[Any]]

_MOST_ROWS = 10
_EXACT = 2.0**53


class Column(NamedTuple):
    """One column: its values, and which of them are known (bool)."""

    values: Array
    known: Array

    def where(self, rows: Array) -> Column:
        """Returns the column with these rows alone."""
        return Column(self.values[rows], self.known[rows])


class Packed:
    """A column of numbers that grows; a row takes 9 bytes."""

    __slots__ = ("_known", "_values")

    def __init__(self, unknown: int = 0) -> None:
        self._values = array("d", [np.nan]) * unknown
        self._known = bytearray(unknown)

    def __len__(self) -> int:
        return len(self._known)

    def append(self, value: float | None) -> None:
        """Adds a row; None is unknown."""
        self._known.append(value is not None)
        self._values.append(np.nan if value is None else value)

    def column(self, *, whole: bool = False) -> Column:
        """Returns the column, as int64 if every row has a whole number."""
        values = np.array(self._values, np.float64)
        known = np.frombuffer(bytes(self._known), np.uint8).astype(bool)
        if whole and bool(known.all()) and bool((np.abs(values) < _EXACT).all()):
            return Column(values.astype(np.int64), known)
        return Column(values, known)


def numbers(values: Sequence[float | None], *, whole: bool = False) -> Column:
    """Returns a column of numbers, of whole numbers if every row has one; None is unknown."""
    packed = Packed()
    for value in values:
        packed.append(value)
    return packed.column(whole=whole)


def certain(values: Sequence[bool] | Sequence[str], kind: type) -> Column:
    """Returns a column of values that are all known: `bool`, or texts as `object`."""
    return Column(np.array(values, kind), np.ones(len(values), bool))


def times(column: Column) -> Column:
    """Converts microseconds since 1970 to datetime64[us]; an unknown time is NaT."""
    stamps = np.full(len(column.values), np.datetime64("NaT", "us"))
    stamps[column.known] = column.values[column.known].astype(np.int64).astype("datetime64[us]")
    return Column(stamps, column.known)


class Columns(Mapping[str, "Array"]):
    """Columns by name, all of one length.

    Numbers are float64, counts and labels int64 where every row has one. Times are
    datetime64[us], by the log's own clock. A number that is unknown is nan, a time NaT;
    `known(name)` distinguishes an unknown number from a nan that the log prints.

    Attributes:
        units: Name to unit, for the columns that have one.
    """

    def __init__(
        self, columns: Mapping[str, Column], units: Mapping[str, str] | None = None
    ) -> None:
        self._columns = dict(columns)
        self.units: Mapping[str, str] = dict(units or {})
        lengths = {len(column.values) for column in self._columns.values()}
        if len(lengths) > 1:
            raise ValueError(f"columns of different lengths: {sorted(lengths)}")
        self._rows = lengths.pop() if lengths else 0

    @property
    def rows(self) -> int:
        """Number of rows; `len` is the number of columns, as of any mapping."""
        return self._rows

    def known(self, name: str) -> Array:
        """Returns which rows of a column have a value (bool)."""
        return self._columns[name].known

    def __getitem__(self, name: str) -> Array:
        return self._columns[name].values

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def to_pandas(self) -> pandas.DataFrame:
        """Returns a pandas DataFrame; its `attrs["units"]` has the units.

        Raises:
            ImportError: pandas is not installed.
        """
        import pandas

        frame = pandas.DataFrame(dict(self))
        frame.attrs["units"] = dict(self.units)
        return frame

    def to_polars(self) -> polars.DataFrame:
        """Returns a polars DataFrame, in which unknown values are null.

        Raises:
            ImportError: polars is not installed.
        """
        import polars

        made = []
        for name, (values, known) in self._columns.items():
            series = polars.Series(name, values.tolist() if values.dtype == object else values)
            made.append(series if known.all() else series.set(polars.Series(~known), None))
        return polars.DataFrame(made)

    def __repr__(self) -> str:
        """Returns one line: `<sixdim.Columns 65 rows: epoch, throughput [img/s], …>`."""
        return f"<sixdim.Columns {self._rows} rows: {', '.join(map(self._title, self))}>"

    def _repr_html_(self) -> str:
        """Returns a table of the first rows for notebooks."""
        from sixdim.tui.export.markup import table

        rows = [
            [self._cell(name, row) for name in self] for row in range(min(self._rows, _MOST_ROWS))
        ]
        return table([*map(self._title, self)], rows, f"{self._rows} rows")

    def _title(self, name: str) -> str:
        return f"{name} [{unit}]" if (unit := self.units.get(name)) else name

    def _cell(self, name: str, row: int) -> str:
        values, known = self._columns[name]
        return str(values[row]) if known[row] else ""
