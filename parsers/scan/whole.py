"""Whole epochs of a block: which stretches of progress lines are, and what they say together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from operator import add, sub
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from parsers.events import Column, Event, Iteration
from parsers.format import Reader
from parsers.ring import NEAR
from parsers.scan.closing import Closing, Part
from parsers.scan.ordered import Indices
from parsers.scan.sums import exact_each
from parsers.scan.table import Stretch, Sums, Table
from parsers.scan.template import IterationTemplate
from parsers.scan.trial import MOST_LINES, learn
from parsers.text import Line
from parsers.whole_epochs import Ending, WholeEpochs

_MOST_CLOSINGS = 6
_MOST_TRIES = 8
_FEWEST = 2
"""Epochs that are worth being read together."""
_DAY_US = 86_400_000_000
_ROW, _WHICH, _EPOCH, _STEP, _TIME, _RATE, _LOSS, _SECONDS = range(8)


_Known: TypeAlias = tuple[Closing, tuple[str, ...]]
"""What ends an epoch, and what stands in the groups of its pattern."""


class Whole(NamedTuple):
    """Epochs to be folded together.

    Attributes:
        begin: Index of the first's stretch.
        end: Index after the last's.
        closing: What ends them.
        groups: What stands in the groups of the closing's pattern, an epoch each.
        lines: Where the lines that end each begin, as positions among the block's others.
    """

    begin: int
    end: int
    closing: Closing
    groups: list[tuple[str, ...]]
    lines: list[int]


class Endings:
    """What the lines of one log that end an epoch look like, as far as was learned.

    Attributes:
        mark: What stands in the line after which a block had better end; empty where that does
            not matter.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._closings: list[Closing] = []
        self._tries = _MOST_TRIES
        self._before: tuple[int, int] | None = None
        self.mark = b""

    def among(
        self,
        block: range,
        table: Table,
        sums: Sums,
        others: Indices,
        heard: Indices,
        dirty: Indices,
    ) -> list[Whole]:
        """Finds whole epochs in a block.

        Args:
            block: Byte offsets of the block.
            table: Its progress lines.
            sums: Their stretches.
            others: Its lines that are no progress lines, and that no reader may miss.
            heard: Those that say nothing, behind which somebody may wait for one.
            dirty: Those of them that hold more than plain text.
        """
        firsts = sums.firsts
        rows, labels, which = np.array(firsts[_ROW]), np.array(firsts[_EPOCH]), firsts[_WHICH]
        before, self._before = self._before, (block.stop, firsts[_EPOCH][-1])
        begun = before is None or before[0] != block.start or before[1] >= labels[0]
        self.mark = b""
        begins = np.searchsorted(others, rows)
        counts = np.append(begins[1:], others.size) - begins
        fits = (counts > 0) & (counts <= MOST_LINES)
        # Behind an epoch with a lower label, and before one with a higher one.
        rises = np.diff(labels) > 0
        fits[1:] &= rises
        fits[:-1] &= rises
        fits[0] &= not begun  # else the block before may hold its first lines
        unfit = np.append(dirty, heard) if self._reader.holding else dirty
        gaps = np.searchsorted(rows, unfit) - 1
        fits[gaps[gaps >= 0]] = False
        fits &= np.subtract(sums.part("end"), sums.part("begin")) > 1
        bare = {number for number in {*which} if _bare(table.template(number))}
        chosen = [index for index in np.flatnonzero(fits).tolist() if which[index] in bare]
        if not chosen:
            return []
        starts = begins[chosen]
        known = self._known(table, sums, chosen, others, starts, counts[chosen])
        found = [*_runs(chosen, which, known, starts.tolist())]
        if found and len(chosen) * NEAR > len(block):
            self.mark = self._closings[0].mark
        return found

    def _known(
        self,
        table: Table,
        sums: Sums,
        chosen: list[int],
        others: Indices,
        starts: Indices,
        counts: Indices,
    ) -> list[_Known | None]:
        """What ends each of some epochs, as far as that is known.

        Args:
            table: The block's progress lines.
            sums: Their stretches.
            chosen: Indices of those that are asked for.
            others: The block's other lines.
            starts: Where among them those begin that end each epoch.
            counts: How many they are.
        """
        bearing = self._reader.bearing
        usual = self._closings[0] if self._closings else None
        if usual is not None and usual.bearing == bearing and (counts == usual.lines).all():
            lines = others[np.add.outer(starts, np.arange(usual.lines)).ravel()]
            ends = [*usual.every.finditer(table.text(lines))]
            if len(ends) == len(chosen):  # of as many lines each as all have: none is left over
                return [(usual, found.groups()) for found in ends]
        texts = zip(chosen, table.texts(others, starts, counts), strict=True)
        return [self._read(table, sums, index, text, bearing) for index, text in texts]

    def _read(
        self, table: Table, sums: Sums, index: int, text: str, bearing: object
    ) -> _Known | None:
        for place, closing in enumerate(self._closings):
            found = closing.pattern.fullmatch(text)
            if found is not None and closing.bearing == bearing:
                if place:  # the next epoch will most likely end alike
                    self._closings.insert(0, self._closings.pop(place))
                return closing, found.groups()
        if self._tries and len(self._closings) < _MOST_CLOSINGS:
            self._tries -= 1
            one = sums[index]
            last, rate = table.single(one.last), table.template(one.first[_WHICH]).rate
            before = table.text(np.array(one.last[_ROW : _ROW + 1]))
            learned = learn(self._reader, last, rate, text.split("\n")[:-1], before)
            if learned is not None:
                self._closings.append(learned)
        return None


def _runs(
    chosen: list[int], which: list[int], known: list[_Known | None], starts: list[int]
) -> Iterator[Whole]:
    """Those of the epochs that follow one another and are alike, where they are enough."""
    closings = [None if one is None else one[0] for one in known]
    places = range(len(chosen))
    templates, gaps = map(which.__getitem__, chosen), map(sub, chosen, places)
    kinds = [*zip(map(id, closings), templates, gaps, strict=True)]
    for _kind, run in groupby(places, kinds.__getitem__):
        some = [*run]
        closing, groups = closings[some[0]], [one[1] for place in some if (one := known[place])]
        if closing is not None and len(groups) >= _FEWEST:
            begin = chosen[some[0]]
            yield Whole(begin, begin + len(groups), closing, groups, starts[some[0] : some[-1] + 1])


def _bare(template: IterationTemplate) -> bool:
    """Whether progress lines say a label, a step and a throughput, and nothing that is watched."""
    record, example = template.record, template.example
    unusual = record.labelled or record.compares or record.once or template.watched
    known = None not in (example.epoch, example.step, example.throughput)
    return known and template.lines == 1 and not unusual and not template.gauges


class WholePart(NamedTuple):
    """Whole epochs of a block.

    Attributes:
        whole: Which, and what ends them.
        table: The block's progress lines.
        sums: Their stretches.
        others: The block's other lines.
        quiet: Lines among these epochs that the reader knows and that say nothing.
        ended: Gives the lines that end the last of them where the block ends, too.
        looked: Gives the silent lines among them that somebody wants to look at.
        singly: Gives the lines and the stretches of these epochs in order.
    """

    whole: Whole
    table: Table
    sums: Sums
    others: Indices
    quiet: int
    ended: Callable[[], Iterator[Line]]
    looked: Callable[[], Iterator[Line]]
    singly: Callable[[], Iterator[Line | Stretch]]

    @property
    def template(self) -> IterationTemplate:
        """What their progress lines look like."""
        return self.table.template(self.sums.firsts[_WHICH][self.whole.begin])

    @property
    def first(self) -> Iteration:
        """The first epoch's first progress line."""
        begin = self.whole.begin
        return self.table.single(tuple(part[begin] for part in self.sums.firsts))

    @property
    def lines(self) -> int:
        """How many lines end these epochs."""
        return len(self.whole.lines) * self.whole.closing.lines

    def event(self, first: Iteration, each: Callable[[], Iterator[Event]]) -> WholeEpochs | None:
        """What they say together; None where each must be read by itself.

        Args:
            first: As `first`, by now known.
            each: As in the event.
        """
        whole, table, template = self.whole, self.table, self.template
        some = slice(whole.begin, whole.end)
        firsts, lasts = ([part[some] for part in p] for p in (self.sums.firsts, self.sums.lasts))
        begin, end, units, seconds, lasted, pause = (
            self.sums.part(name)[some]
            for name in ("begin", "end", "units", "seconds", "lasted", "pause")
        )
        labels = firsts[_EPOCH]
        every = np.add.outer(np.arange(whole.closing.lines), whole.lines)
        try:
            endings = tuple(_endings(whole, labels, *table.where(self.others[every])))
        except ValueError:  # no such day or time, or another epoch's label
            return None
        timed = template.example.at.time_us is not None
        begins, ends = (firsts[_TIME], lasts[_TIME]) if timed else (None, None)
        if not _steady(begins, ends, endings):
            return None
        numbers, offsets = table.where(np.array(firsts[_ROW]))
        rates = firsts[_RATE]
        if template.duration:
            lengths = firsts[_SECONDS]
            seconds = [*map(add, seconds, exact_each(lengths))]
            lasted = [n + (s > 0) for n, s in zip(lasted, lengths, strict=True)]
        return WholeEpochs(
            labels=labels,
            first=first,
            last=table.single(tuple(part[-1] for part in lasts)),
            lines=numbers,
            offsets=offsets,
            records=[*map(sub, end, begin)],
            units=[*map(add, units, exact_each(rates))],
            seconds=seconds,
            durations=lasted,
            losses=lasts[_LOSS] if template.loss else None,
            begins=begins,
            ends=ends,
            first_steps=firsts[_STEP],
            last_steps=lasts[_STEP],
            extremes=table.extremes(begin[0], end[-1]),
            pause_us=max(pause),
            endings=endings,
            each=each,
        )


def _endings(
    whole: Whole, labels: list[int], numbers: list[list[int]], offsets: list[list[int]]
) -> Iterator[Ending]:
    """What comes at the end of each epoch; their lines and offsets are given line by line.

    Raises:
        ValueError: A text is no number after all, or a line names another epoch.
    """
    texts = [*zip(*whole.groups, strict=True)], len(whole.groups)
    known: dict[Part, list[Any]] = {}
    for said in whole.closing.said:
        if said.label is not None and said.label.column(*texts, known) != labels:
            raise ValueError("another epoch")
        times = None if said.time is None else said.time.column(*texts, known)
        figures = tuple(
            Column(*name, part.column(*texts, known))
            for name, part in zip(said.names(), said.figures, strict=True)
        )
        line = said.example.at.line
        yield Ending(said.example, numbers[line], offsets[line], times, figures)


def _steady(begins: list[int] | None, ends: list[int] | None, endings: tuple[Ending, ...]) -> bool:
    """Whether the clock neither goes back nor leaps by a day from line to line."""
    clocks = [begins, ends, *(ending.times for ending in endings)]
    told: list[list[int]] = [clock for clock in clocks if clock is not None]
    if not told:
        return True
    passed: NDArray[np.int64] = np.diff(np.array(told).T.ravel())
    return bool(((passed >= 0) & (passed < _DAY_US)).all())
