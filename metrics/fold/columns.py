"""Progress lines that follow each other, one column a field: folded at a fraction of the time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar, cast

from sixdim.parsers.events import Iteration, Metric, Scope

FEW = 8
"""Fewer are folded one by one."""
_Figure = TypeVar("_Figure", int, float)


class Columns(NamedTuple):
    """Progress lines of one epoch and one writer, in one unit; see `parsers.events.Iteration`.

    Attributes:
        epoch: Label of the epoch, or None.
        unit: Unit of the rates.
        scope: Scope of the rates.
        rank: Rank that wrote them.
        host: Host that wrote them.
        lines: Their line numbers.
        times_us: The log's clock.
        steps: Their steps.
        planned: Steps of the epoch.
        rates: Throughputs.
        losses: Training losses.
        durations: Seconds of an iteration.
        values: Further figures.
        mean_rates: The log's own means of the throughput.
        mean_durations: The log's own means of the duration.
    """

    epoch: int | None
    unit: str
    scope: Scope
    rank: int | None
    host: str | None
    lines: Sequence[int]
    times_us: Sequence[int | None]
    steps: Sequence[int | None]
    planned: Sequence[int | None]
    rates: Sequence[float | None]
    losses: Sequence[float | None]
    durations: Sequence[float | None]
    values: Sequence[tuple[Metric, ...]]
    mean_rates: Sequence[float | None]
    mean_durations: Sequence[float | None]

    def part(self, begin: int, end: int) -> Columns:
        """The lines from one place up to another."""
        return Columns(
            *self[:5],
            self.lines[begin:end],
            self.times_us[begin:end],
            self.steps[begin:end],
            self.planned[begin:end],
            self.rates[begin:end],
            self.losses[begin:end],
            self.durations[begin:end],
            self.values[begin:end],
            self.mean_rates[begin:end],
            self.mean_durations[begin:end],
        )


def columns_of(records: Sequence[Iteration]) -> Columns | None:
    """The progress lines as columns; None where they are not of one epoch, writer and unit."""
    ats, labels, steps, planned, rates, units, scopes, losses, durations, values, *means = zip(
        *records, strict=True
    )
    lines, _, times, ranks, hosts, _ = zip(*ats, strict=True)
    if not all(map(_uniform, (labels, units, scopes, ranks, hosts))):
        return None
    return Columns(
        labels[0],
        units[0],
        scopes[0],
        ranks[0],
        hosts[0],
        lines,
        times,
        steps,
        planned,
        rates,
        losses,
        durations,
        values,
        *means,
    )


def last_known(column: Sequence[_Figure | None], before: _Figure | None = None) -> _Figure | None:
    """The last figure of a column; the one before it where no line has any."""
    return next((figure for figure in reversed(column) if figure is not None), before)


def complete(column: Sequence[_Figure | None]) -> Sequence[_Figure] | None:
    """The figures of a column of which every line has one; none where no line has one.

    Returns:
        None where some lines lack one.
    """
    missing = column.count(None)
    if missing:
        return () if missing == len(column) else None
    return cast(Sequence[_Figure], column)


def is_empty(column: Sequence[object]) -> bool:
    """Whether no line has a figure in this column."""
    return column.count(None) == len(column)


def _uniform(column: Sequence[object]) -> bool:
    return column.count(column[0]) == len(column)
