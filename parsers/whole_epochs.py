"""Whole epochs read together: each a stretch of progress lines, and the lines that end it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from parsers.events import Column, EpochEnd, Evaluation, Iteration, Origin

if TYPE_CHECKING:
    from parsers.events import Event


class Ending(NamedTuple):
    """One event that comes at the end of every epoch.

    Attributes:
        example: The first epoch's. Those of the others differ in place and figures alone.
        lines: Line of each.
        offsets: Byte offset of each line.
        times: Clock of each, as `Origin` has it; None where lines have none.
        figures: The numbers in them: an evaluation's metrics, or of an `EpochEnd` those of its
            parts that stand in the example (without `values`), under the names of the parts.
    """

    example: EpochEnd | Evaluation
    lines: list[int]
    offsets: list[int]
    times: list[int] | None
    figures: tuple[Column, ...]


class WholeEpochs(NamedTuple):
    """Consecutive epochs of rising labels, of two rated progress lines or more each.

    They say what their lines would one by one. Of a progress line all that is true of
    `Iterations` is true; the clock neither goes back nor leaps by a day from line to line, and
    no event brings anything but what is told here.

    Attributes:
        labels: Label of each epoch.
        first: First progress line of the first epoch.
        last: Last progress line of the last.
        lines: Line with which each begins.
        offsets: Byte offset of that line.
        records: Progress lines of each.
        units: Exact sum of the throughputs of each, in units of 2**-1074.
        seconds: Exact sum of the positive durations of each, in the same units.
        durations: How many those are.
        losses: The last loss of each; None where lines have none.
        begins: Clock of the first progress line of each; None where lines have none.
        ends: Clock of the last one of each.
        first_steps: First step of each.
        last_steps: Last step of each.
        extremes: Lowest and highest throughput of all, each with its line (the first such).
        pause_us: The longest time between two progress lines of an epoch.
        endings: What comes at the end of each, in order.
        each: Gives what the lines say one by one, to be read at once and to the end, or never.
    """

    labels: list[int]
    first: Iteration
    last: Iteration
    lines: list[int]
    offsets: list[int]
    records: list[int]
    units: list[int]
    seconds: list[int]
    durations: list[int]
    losses: list[float] | None
    begins: list[int] | None
    ends: list[int] | None
    first_steps: list[int]
    last_steps: list[int]
    extremes: tuple[tuple[float, int], tuple[float, int]]
    pause_us: int
    endings: tuple[Ending, ...]
    each: Callable[[], Iterator[Event]]

    @property
    def at(self) -> Origin:
        """Where the first progress line was read."""
        return self.first.at
