"""DAWNBench training submissions: a table of epoch, hours and accuracies.

`hours` count from the start of training, evaluations included.
"""

from math import inf, nan

from sixdim.parsers.events import EpochEnd, Events, RunStart
from sixdim.parsers.grammar.shapes.table import Row
from sixdim.parsers.statements.csv_reader import CsvReader, headers
from sixdim.parsers.statements.epoch_record import EpochRecord, scores
from sixdim.parsers.statements.format import Fields, Line
from sixdim.parsers.statements.statement import Statement

_NAMES = {"top1Accuracy": ("acc1", "%"), "top5Accuracy": ("acc5", "%")}
_RECORD = EpochRecord(scores("top", _NAMES))
_EXACT = 6
"""Decimals of the seconds of an epoch; the hours have more, of which the last ones are rounded."""


class DawnBench(CsvReader):
    name = "dawnbench"
    title = "DAWNBench training submissions (TSV)"
    example = "epoch\thours\ttop1Accuracy\ttop5Accuracy"
    unread = "throughput (only hours and accuracies are in the table)"

    separator = "\t"
    _hours = 0.0
    """Those of the row before."""

    def _row(self, line: Line, f: Fields) -> Events:
        for event in _RECORD.read(self, line, f):
            if isinstance(event, RunStart):
                self._hours = 0.0
            if isinstance(event, EpochEnd):
                since, self._hours = self._hours, f.get("hours", nan)
                seconds = round(3600 * (self._hours - since), _EXACT)
                event = event._replace(epoch_time=seconds if 0 <= seconds < inf else None)
            yield event

    row = Statement(Row((), separator), _row, 0.0, "epoch")
    header = headers(("epoch", "hours", "top1Accuracy"), columns=3, weight=2.0, delimiter=separator)
