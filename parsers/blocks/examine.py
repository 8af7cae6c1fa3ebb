"""Finds spans of progress lines of known forms in a block, as sums and columns."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixdim.parsers.blocks.arithmetic import exact
from sixdim.parsers.blocks.form import RowForm
from sixdim.parsers.blocks.layout import Layouts
from sixdim.parsers.blocks.line_table import LineTable
from sixdim.parsers.blocks.text import Floats, Integers, Text
from sixdim.parsers.spans import LineSpan

HEAD = 1
"""Lines before a span that are read one by one: the lines of the span continue them."""
_LEAST = 24
"""Smallest number of lines of a span."""


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
    span: LineSpan


class _Sums(NamedTuple):
    """The sums of each span, see `parsers.spans.LineSpan`; no slowness where none needs it."""

    seconds: Sequence[tuple[float, ...]]
    work: Sequence[tuple[float, ...]]
    slowness: Sequence[tuple[float, ...]]


class Examiner:
    """Finds lines of known forms.

    Args:
        forms: The forms, those of most lines first.
        figures: Whether all figures of all lines are needed; else only those in the `values` of an
            event, and the sums.
    """

    def __init__(self, forms: Sequence[RowForm], *, figures: bool = False) -> None:
        self.forms = forms
        self._figures = figures
        self._layouts = [*map(Layouts, forms)]
        bytes(24 << 20)  # after this is freed, glibc keeps the pages of smaller arrays

    def examine(self, text: Text) -> list[Found]:
        """Returns the spans of a block that are long enough, in their order."""
        table = LineTable(text, self._layouts)
        firsts = np.flatnonzero(table.begins())
        firsts, behind = firsts[:-1], firsts[1:]
        worth = behind - firsts >= HEAD + _LEAST
        cuts = np.stack((firsts[worth] + HEAD, behind[worth]), axis=1).reshape(-1)
        return _find_spans(text, self.forms, table, cuts, self._figures) if cuts.size else []


def _find_spans(
    text: Text, forms: Sequence[RowForm], table: LineTable, cuts: Integers, figures: bool
) -> list[Found]:
    rate = table.rate
    begins, ends = cuts[::2], cuts[1::2]
    weights = np.zeros(rate.size)  # the iterations of each line; below 0 between the spans
    np.subtract(table.step[1:], table.step[:-1], out=weights[1:])
    sums = _sums(table, weights, cuts)
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
        span = LineSpan(
            form.event,
            end - begin,
            last - before,
            first - before,
            last - last_but_one,
            None,
            sums.seconds[place] if timed else (),
            sums.work[place] if timed and rated else (),
            sums.slowness[place] if rated and not timed else (),
            (rate.item(slow), slow) if rated else None,
            (rate.item(fast), fast) if rated else None,
            table.line_figures(form, begin, end) if figures or form.event.values else None,
        )
        clock = clocks[place] if form.clock else None
        out.append(Found(kinds[place], both, starts[place], begin, clock, span))
    return out


def _sums(table: LineTable, weights: Floats, cuts: Integers) -> _Sums:
    rate, duration = table.rate, table.duration
    seconds = weights * duration
    slowness = []
    if not duration[cuts[::2]].all():
        slowness = exact(np.maximum(weights, 0) / np.where(rate > 0, rate, np.inf), cuts)
    return _Sums(exact(seconds, cuts), exact(seconds * rate, cuts), slowness)
