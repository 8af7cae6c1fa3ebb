"""What a block of lines holds: spans of progress lines of known forms, as sums and columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixdim.parsers.blocks.form import Field, Form
from sixdim.parsers.blocks.layout import Columns, Layouts
from sixdim.parsers.blocks.sums import exact
from sixdim.parsers.blocks.text import Floats, Integers, Mask, Text
from sixdim.parsers.events import PAUSE, LineFigures

HEAD = 2
"""Lines at the beginning of a span that are read one by one: the sums weight the first one by
the second."""
_TAIL = 1
"""Lines at its end, where an epoch's last step may mean more than others."""
_LEAST = 24
"""Lines between them that are worth a span."""
# As the checks of a run have it: what must pass between two lines to say anything.
_APART_US, _APART_WHOLE_US, _WHOLE_US = 20_000, 20_000_000, 1_000_000
_MOST_PAIRS = 512


class Wanted(NamedTuple):
    """What is asked for besides sums.

    Attributes:
        pairs: Pairs of lines; see `parsers.events.Span`.
        figures: All figures of all lines; else only those among an event's `values`.
    """

    pairs: bool = True
    figures: bool = False


class Found(NamedTuple):
    """Lines of a block that are read together; see `parsers.events.Span`.

    Attributes:
        forms: Places of the forms of the line before them and of the last of them.
        bytes: First byte of the line before them, of the first and the last, and the first byte
            behind them.
        line: Number of the first of them, from 0 in this block.
        lines: How many.
        clocks: Time of the line before them, of the first and the last, but for whole days; None
            without a clock.
        figures: What each of them says, its clock but for whole days; None where not wanted.
        pairs: Of line numbers from 0 in this block.
    """

    forms: Sequence[int]
    bytes: Sequence[int]
    line: int
    lines: int
    clocks: Sequence[int] | None
    iterations: int
    weight: int
    seconds: tuple[float, ...]
    work: tuple[float, ...]
    slowness: tuple[float, ...]
    first_duration: float | None
    grows: bool
    slowest: tuple[float, int] | None
    fastest: tuple[float, int] | None
    pairs: tuple[tuple[float, int], ...] | None
    figures: LineFigures | None


class _Table:
    """A row for each line of a block.

    Attributes:
        form: Place of the line's form; -1 for none.
        figures: By field, a column of figures that are wanted besides rate and duration.
    """

    def __init__(self, text: Text, forms: Sequence[Layouts], *, figures: bool) -> None:
        size = text.sizes.size
        self.form = np.full(size, -1, dtype=np.int16)
        self.kind = np.zeros(size, dtype=np.int16)
        self.epoch, self.step, self.clock, self.same = np.zeros((4, size), dtype=np.int64)
        self.rate, self.duration = np.zeros((2, size))
        self.figures: dict[Field, Floats] = {}
        self._all = figures
        kinds: list[object] = []
        left: Integers = np.arange(size)
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
        for name, column in (("throughput", self.rate), ("duration", self.duration)):
            if name in form.meanings:
                values = columns.doubles(name)
                good &= (values > 0) & (values < np.inf)
                column[lines] = values
        self.step[lines] = columns.integers("step") if "step" in form.meanings else lines
        if "epoch" in form.meanings:
            self.epoch[lines] = columns.integers("epoch")
        if form.clock:
            clock, same = (np.zeros(lines.size, dtype=np.int64) for _ in range(2))
            for place, us in form.clock.items():
                clock += columns.run(place) * us
            for place in form.same:
                same *= 10 ** form.runs[place].most
                same += columns.run(place)
            self.clock[lines], self.same[lines] = clock + form.clock_us, same
        for field in form.meanings:
            if field in ("epoch", "step", "throughput", "duration"):
                continue
            if self._all or isinstance(field, int):
                column = self.figures.setdefault(field, np.zeros(self.form.size))
                column[lines] = values = columns.doubles(field)
                good &= values < np.inf
        self.form[lines[good]] = number

    def begins(self) -> Mask:
        """The lines that do not go on from the line before, as one span."""
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

    def line_figures(self, form: Form, begin: int, end: int) -> LineFigures:
        """What lines that are read together say."""
        columns = {**self.figures, "throughput": self.rate, "duration": self.duration}
        return LineFigures(
            self.step[begin:end] if "step" in form.meanings else None,
            self.clock[begin:end] if form.clock else None,
            {
                field: column[begin:end]
                for field, column in columns.items()
                if field in form.meanings
            },
        )


class Examiner:
    """Finds lines of known forms.

    Args:
        forms: The forms, those of most lines first.
    """

    def __init__(self, forms: Sequence[Form]) -> None:
        self.forms = forms
        self._layouts = [Layouts(form) for form in forms]

    def examine(self, text: Text, wanted: Wanted) -> list[Found]:
        """The spans of a block that are worth reading as such, in their order."""
        table = _Table(text, self._layouts, figures=wanted.figures)
        if not (table.form >= 0).any():
            return []
        firsts = np.flatnonzero(table.begins())
        behind = np.append(firsts[1:], table.form.size)
        worth = behind - firsts >= HEAD + _LEAST + _TAIL
        cuts = np.stack((firsts[worth] + HEAD, behind[worth] - _TAIL), axis=1).reshape(-1)
        return _found(text, self.forms, table, cuts, wanted) if cuts.size else []


def _found(
    text: Text, forms: Sequence[Form], table: _Table, cuts: Integers, wanted: Wanted
) -> list[Found]:
    rate, duration = table.rate, table.duration
    begins, ends = cuts[::2], cuts[1::2]
    weights = _steps(table.step)
    rises = np.ones(rate.size, dtype=np.bool_)
    np.greater(duration[1:], duration[:-1], out=rises[1:])
    # The first of them is compared with the line before where the sums are.
    rises[begins] = True
    grows = np.logical_and.reduceat(rises, cuts)[::2].tolist()
    seconds = weights * duration
    sums = [exact(values, cuts) for values in (seconds, seconds * rate)]
    if any(grows) or not duration[begins].all():
        sums.append(exact(_over(weights, rate), cuts))
    slowest, fastest = _extremes(np.minimum, rate, cuts), _extremes(np.maximum, rate, cuts)
    apart = _apart(table, weights) if wanted.pairs else None
    kinds, starts, clocks, steps = (
        np.stack([column[each] for each in places], axis=1).tolist()
        for column, places in (
            (table.form, (begins - 1, ends - 1)),
            (text.begins, (begins - 1, begins, ends - 1, ends)),
            (table.clock, (begins - 1, begins, ends - 1)),
            (table.step, (begins - 1, ends - 2, ends - 1)),
        )
    )
    first_durations = duration[begins].tolist()
    out = []
    for place, (begin, end) in enumerate(zip(begins.tolist(), ends.tolist(), strict=True)):
        form = forms[kinds[place][1]]
        rated, timed = "throughput" in form.meanings, "duration" in form.meanings
        before, last_but_one, last = steps[place]
        pairs = None
        if apart is not None and form.clock and rated:
            pairs = _pairs(table, weights, begin + np.flatnonzero(apart[begin:end]))
        out.append(
            Found(
                kinds[place],
                starts[place],
                begin,
                end - begin,
                clocks[place] if form.clock else None,
                last - before,
                last - last_but_one,
                sums[0][place] if timed else (),
                sums[1][place] if timed and rated else (),
                sums[2][place] if rated and (grows[place] or not timed) else (),
                first_durations[place] if timed else None,
                grows[place],
                slowest[place] if rated else None,
                fastest[place] if rated else None,
                pairs,
                table.line_figures(form, begin, end)
                if wanted.figures or form.event.values
                else None,
            )
        )
    return out


def _steps(step: Integers) -> Floats:
    """How many iterations each line stands for."""
    weights = np.zeros(step.size)
    weights[1:] = step[1:] - step[:-1]
    return weights


def _over(weights: Floats, rate: Floats) -> Floats:
    result: Floats = np.divide(weights, rate, out=np.zeros(rate.size), where=rate > 0)
    result[result < 0] = 0.0  # between the spans
    return result


def _extremes(extreme: np.ufunc, rate: Floats, cuts: Integers) -> list[tuple[float, int]]:
    """For each span, its extreme rate and the first line that has it."""
    values = extreme.reduceat(rate, cuts)
    sizes = np.diff(cuts, append=rate.size)
    lines = np.flatnonzero(rate[cuts[0] :] == np.repeat(values, sizes)) + cuts[0]
    firsts = lines[np.searchsorted(lines, cuts[::2])]
    return [*zip(values[::2].tolist(), firsts.tolist(), strict=True)]


def _apart(table: _Table, weights: Floats) -> Mask:
    """The lines whose clock shows how long an iteration took since the line before."""
    least = np.where(table.clock % _WHOLE_US, _APART_US, _APART_WHOLE_US)
    apart = np.zeros(weights.size, dtype=np.bool_)
    apart[1:] = (table.clock[1:] - table.clock[:-1]) > least[1:]
    return apart & (weights > 0)


def _pairs(table: _Table, weights: Floats, lines: Integers) -> tuple[tuple[float, int], ...]:
    lines = lines[:_MOST_PAIRS]
    passed = table.clock[lines] - table.clock[lines - 1]
    samples = table.rate[lines] * passed / 1e6 / weights[lines]
    return tuple(zip(samples.tolist(), lines.tolist(), strict=True))
