"""The table that Lightning's `test` and `validate` print, with a row for each metric."""

from typing import NamedTuple

from sixdim.parsers.events import Evaluation, Metric
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.holes import NUMBER
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_STAGE = r"(Test|Validate|Runningstage\.(?:testing|validating))"
_HEAD = pattern(rf"[┃|\s]*+{_STAGE} metric[┃|\s]++DataLoader 0[┃|\s]*+")
_ROW = pattern(
    rf"[│|\s]*+([^\s│|](?:[^│|]{{0,98}}[^\s│|])?)(?:\s*+[│|]|\s\s)\s*+({NUMBER})[│|\s]*+"
)
_RULE = pattern(r"\s*+[┏┡└├+─━=-][┏┳┓┡╇┩├┼┤└┴┘+─━=\s-]*+")


class Results(NamedTuple):
    """What a line of the table completes.

    Attributes:
        data: `test` or `val`; empty where the line completes no table.
        metrics: The figures of its rows.
    """

    data: str = ""
    metrics: tuple[Metric, ...] = ()


class ResultsTable:
    """Reads the table of one data loader; those of several have a column for each.

    Attributes:
        waiting: Results without a training before them, which count at the end of the log if none
            follows: else they are not those of what it trains.
    """

    def __init__(self) -> None:
        self.waiting: tuple[Evaluation, ...] = ()
        self._data = ""  # of the table that is being read
        self._rows: dict[str, str] = {}

    def read(self, line: Line) -> Results | None:
        """Returns what a line of the table completes; None for any other line."""
        if not self._data:
            head = _HEAD.fullmatch(line.text) if " metric" in line.text else None
            if head is None:
                return None
            self._data, self._rows = "test" if "est" in head[1] else "val", {}
            return Results()
        row = _ROW.fullmatch(line.text)
        if row is not None:
            self._rows[row[1]] = row[2]
            return Results()
        data = self._data
        is_rule = _RULE.fullmatch(line.text) is not None
        if is_rule and not self._rows:
            return Results()
        self._data = ""
        return Results(data, figures(self._rows)) if is_rule else None
