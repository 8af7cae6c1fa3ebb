"""Finds spans of progress lines of known forms in a block, as sums and columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixdim.parsers.blocks.columns import Columns
from sixdim.parsers.blocks.form import Field, Form
from sixdim.parsers.blocks.layout import Layouts
from sixdim.parsers.blocks.sums import exact
from sixdim.parsers.blocks.text import Floats, Integers, Mask, Text
from sixdim.parsers.spans import PAUSE, LineFigures, Span

HEAD = 1
"""Lines before a span that are read one by one: the lines of the span continue them."""
_LEAST = 24
"""Smallest number of lines of a span."""
# Least time between two lines that are compared: in general, and if a clock shows whole seconds.
_APART_US, _APART_WHOLE_US, _WHOLE_US = 20_000, 20_000_000, 1_000_000
_MOST_PAIRS = 512


class Wanted(NamedTuple):
    """What is needed besides sums.

    Attributes:
        pairs: Pairs of lines; see `parsers.spans.Span`.
        figures: All figures of all lines; else only those in the `values` of an event.
    """

    pairs: bool = True
    figures: bool = False


class Found(NamedTuple):
    """Lines of a block that are read together.

    Attributes:
        forms: Places of the forms of the line before them and of their last line.
        figures: The fields of both lines, in the order of their forms' meanings.
        bytes: First byte of their first line and of their last, and the first byte after them.
        line: Number of their first line, from 0 in this block.
        clocks: Time of the line before them, of the first and the last, without whole days; None
            without a clock.
        span: Their sums; its last line is any line of that form, its lines are numbered from 0 in
            this block, and its clocks are without whole days.
    """

    forms: Sequence[int]
    figures: tuple[Sequence[float], Sequence[float]]
    bytes: Sequence[int]
    line: int
    clocks: Sequence[int] | None
    span: Span


class _Table:
    """A row for each line of a block, and a last one of no form.

    Attributes:
        form: Place of the line's form; -1 for none.
        kind: A number that lines which may be read together have in common.
        columns: The value of each line, by field.
    """

    def __init__(self, text: Text, forms: Sequence[Layouts]) -> None:
        size = text.sizes.size + 1
        self.form = np.full(size, -1, dtype=np.int16)
        self.kind = np.zeros(size, dtype=np.int16)
        self.epoch, self.step, self.clock, self.same = np.zeros((4, size), dtype=np.int64)
        self.rate, self.duration = np.zeros((2, size))
        self.columns: dict[Field, Floats | Integers] = {
            "epoch": self.epoch,
            "step": self.step,
            "throughput": self.rate,
            "duration": self.duration,
        }
        kinds: list[object] = []
        left: Integers = np.arange(size - 1)
        for number, layouts in enumerate(forms):
            form = layouts.form
            if form.kind not in kinds:
                kinds.append(form.kind)
            for lines, columns in layouts.fit(text, left):
                self._fill(number, form, lines, columns)
                self.kind[lines] = kinds.index(form.kind)
            left = left[self.form[left] < 0]

    def _fill(self, number: int, form: Form, lines: Integers, columns: Columns) -> None:
        good: Mask = np.ones(lines.size, dtype=np.bool_)
        if "step" not in form.meanings:
            self.step[lines] = lines
        for field, meaning in form.meanings.items():
            column = self.columns.setdefault(field, np.zeros(self.form.size))
            column[lines] = values = columns.figures(field)
            if not meaning.is_int:
                good &= values < np.inf
            if field in ("throughput", "duration"):
                good &= values > 0
        if form.clock:
            clock, same = (np.zeros(lines.size, dtype=np.int64) for _ in range(2))
            for place, us in form.clock.items():
                clock += columns.run(place) * us
            for place in form.same:
                same *= 10 ** form.runs[place].most
                same += columns.run(place)
            self.clock[lines], self.same[lines] = clock + form.clock_us, same
        self.form[lines if good.all() else lines[good]] = number

    def begins(self) -> Mask:
        """Returns the lines that do not continue the span of the line before."""
        goes_on = (self.form[1:] >= 0) & (self.form[:-1] >= 0)
        for column in (self.kind, self.epoch, self.same):
            goes_on &= column[1:] == column[:-1]
        goes_on &= self.step[1:] > self.step[:-1]
        goes_on &= self.clock[1:] >= self.clock[:-1]
        goes_on &= self.duration[1:] <= PAUSE * self.duration[:-1]
        goes_on &= PAUSE * self.rate[1:] >= self.rate[:-1]
        begins: Mask = np.ones(self.form.size, dtype=np.bool_)
        begins[1:] = ~goes_on
        return begins

    def ends(self, forms: Sequence[Form], lines: Integers) -> list[Sequence[float]]:
        """Returns the fields of some lines, in the order of their forms' meanings."""
        fields = dict.fromkeys(field for form in forms for field in form.meanings)
        columns = {field: self.columns[field][lines].tolist() for field in fields}
        places = [[columns[field] for field in form.meanings] for form in forms]
        return [
            [column[row] for column in places[form]]
            for row, form in enumerate(self.form[lines].tolist())
        ]

    def line_figures(self, form: Form, begin: int, end: int) -> LineFigures:
        """Returns the figures of lines that are read together."""
        return LineFigures(
            self.step[begin:end] if "step" in form.meanings else None,
            self.clock[begin:end] if form.clock else None,
            {
                field: np.asarray(self.columns[field][begin:end], dtype=np.float64)
                for field, meaning in form.meanings.items()
                if not meaning.is_int
            },
        )


class Examiner:
    """Finds lines of known forms.

    Args:
        forms: The forms, those of most lines first.
    """

    def __init__(self, forms: Sequence[Form]) -> None:
        self.forms = forms
        self._layouts = [*map(Layouts, forms)]
        bytes(24 << 20)  # after this is freed, glibc keeps the pages of smaller arrays

    def examine(self, text: Text, wanted: Wanted) -> list[Found]:
        """Returns the spans of a block that are long enough, in their order."""
        table = _Table(text, self._layouts)
        firsts = np.flatnonzero(table.begins())
        firsts, behind = firsts[:-1], firsts[1:]
        worth = behind - firsts >= HEAD + _LEAST
        cuts = np.stack((firsts[worth] + HEAD, behind[worth]), axis=1).reshape(-1)
        return _find_spans(text, self.forms, table, cuts, wanted) if cuts.size else []


def _find_spans(
    text: Text, forms: Sequence[Form], table: _Table, cuts: Integers, wanted: Wanted
) -> list[Found]:
    rate, duration = table.rate, table.duration
    begins, ends = cuts[::2], cuts[1::2]
    # The iterations of each line; below 0 between the spans.
    weights = np.zeros(rate.size)
    np.subtract(table.step[1:], table.step[:-1], out=weights[1:])
    rises = np.ones(rate.size, dtype=np.bool_)
    np.greater(duration[1:], duration[:-1], out=rises[1:])
    # The first line of a span is compared with the line before it when the span is folded.
    rises[begins] = True
    grows = np.logical_and.reduceat(rises, cuts)[::2].tolist()
    seconds = weights * duration
    sums = [exact(values, cuts) for values in (seconds, seconds * rate)]
    if any(grows) or not duration[begins].all():
        sums.append(exact(np.maximum(weights, 0) / np.where(rate > 0, rate, np.inf), cuts))
    clocked = any(form.clock for form in forms)
    apart = _apart(table, weights) if wanted.pairs and clocked else None
    kinds, starts, clocks, steps = (
        np.stack([column[each] for each in places], axis=1).tolist()
        for column, places in (
            (table.form, (begins - 1, ends - 1)),
            (text.begins, (begins, ends - 1, ends)),
            (table.clock, (begins - 1, begins, ends - 1)),
            (table.step, (begins - 1, begins, ends - 2, ends - 1)),
        )
    )
    said = zip(table.ends(forms, begins - 1), table.ends(forms, ends - 1), strict=True)
    out = []
    for place, both in enumerate(said):
        begin, end = cuts[2 * place : 2 * place + 2].tolist()
        form = forms[kinds[place][1]]
        rated, timed = "throughput" in form.meanings, "duration" in form.meanings
        before, first, last_but_one, last = steps[place]
        slow, fast = begin + int(rate[begin:end].argmin()), begin + int(rate[begin:end].argmax())
        pairs = None
        if apart is not None and form.clock and rated:
            pairs = _pairs(table, weights, begin + np.flatnonzero(apart[begin:end]))
        span = Span(
            form.event,
            end - begin,
            last - before,
            first - before,
            last - last_but_one,
            None,
            sums[0][place] if timed else (),
            sums[1][place] if timed and rated else (),
            sums[2][place] if rated and (grows[place] or not timed) else (),
            duration.item(begin) if timed else None,
            grows[place],
            (rate.item(slow), slow) if rated else None,
            (rate.item(fast), fast) if rated else None,
            pairs,
            table.line_figures(form, begin, end) if wanted.figures or form.event.values else None,
        )
        clock = clocks[place] if form.clock else None
        out.append(Found(kinds[place], both, starts[place], begin, clock, span))
    return out


def _apart(table: _Table, weights: Floats) -> Mask:
    """Returns the lines whose clock shows the time of an iteration since the line before."""
    least = np.where(table.clock % _WHOLE_US, _APART_US, _APART_WHOLE_US)
    apart = np.zeros(weights.size, dtype=np.bool_)
    apart[1:] = (table.clock[1:] - table.clock[:-1]) > least[1:]
    return apart & (weights > 0)


def _pairs(table: _Table, weights: Floats, lines: Integers) -> tuple[tuple[float, int, int], ...]:
    lines = lines[:_MOST_PAIRS]
    passed = table.clock[lines] - table.clock[lines - 1]
    samples = table.rate[lines] * passed / 1e6 / weights[lines]
    return tuple(zip(samples.tolist(), (lines - 1).tolist(), lines.tolist(), strict=True))
