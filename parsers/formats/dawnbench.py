"""DAWNBench training submissions: a table of epoch, hours and accuracies."""

from __future__ import annotations

from functools import cache
from math import inf
from typing import TYPE_CHECKING

from sixdim.parsers.events import EpochEnd, Evaluation, Event, Metric, RunStart
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole
from sixdim.parsers.grammar.shapes.table import Table
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line

if TYPE_CHECKING:
    from decimal import Context, Decimal

_ACCURACIES = (("top1Accuracy", "acc1"), ("top5Accuracy", "acc5"))
_SECONDS = 3600
"""Seconds in an hour."""


class DawnBench(Reader):
    """Reads one table. `hours` count from the start of training, evaluations included."""

    name = "dawnbench"
    title = "DAWNBench training submissions (TSV)"
    example = "epoch\thours\ttop1Accuracy\ttop5Accuracy"
    unread = "throughput (only hours and accuracies are in the table)"

    _hours: Decimal | int | None = 0
    _columns: tuple[str, ...] = ()

    @line(
        Table(delimiter=None, columns=3, required=("epoch", "hours", "top1Accuracy")),
        2.0,
        "header",
    )
    def _header(self, line: Line, f: Fields) -> tuple[Event, ...]:
        self._hours, self._columns = 0, tuple(f["cells"])
        return (RunStart(line.origin()),)

    @line("{:float} {:text}", 0.0, "epoch")
    def _epoch(self, line: Line, f: Fields) -> tuple[Event, ...] | None:
        cells = line.text.split()
        if len(cells) != len(self._columns):
            return None
        row = dict(zip(self._columns, cells, strict=True))
        at, hours, epoch = line.origin(), as_number(row["hours"]), as_whole(row["epoch"])
        values = () if hours is None else (Metric("hours", hours, "h"),)
        metrics = [
            Metric(name, value, "%")
            for column, name in _ACCURACIES
            if (value := as_number(row.get(column))) is not None
        ]
        end = EpochEnd(at, epoch, epoch_time=self._lasted(hours), values=values)
        return end, Evaluation(at, tuple(metrics), epoch)

    def _lasted(self, hours: float | None) -> float | None:
        """Returns seconds since the row before; None if the hours are no numbers or decrease.

        The hours are taken as the decimals that are printed.
        """
        valid, exact = hours is not None and 0 <= hours < inf, _exact()
        now = exact.create_decimal(repr(hours)) if valid else None
        since, self._hours = self._hours, now
        if now is None or since is None or now < since:
            return None
        return float(exact.multiply(exact.subtract(now, since), _SECONDS))


@cache
def _exact() -> Context:
    """Returns arithmetic with enough digits for the difference of any two doubles."""
    from decimal import Context  # only a log of such rows pays for it

    return Context(prec=1500)
