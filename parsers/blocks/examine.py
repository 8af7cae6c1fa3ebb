"""What a block of lines holds: spans of progress lines of known forms, as sums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from sixdim.parsers.blocks.form import Form
from sixdim.parsers.blocks.layout import Columns, Layouts
from sixdim.parsers.blocks.sums import exact
from sixdim.parsers.blocks.text import Cursors, Floats, Mask, Text

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


class RowFields(NamedTuple):
    """What one line says: the place of its form, and the fields of its event."""

    form: int
    fields: dict[str, Any]


class Found(NamedTuple):
    """Lines of a block that are read together; see `parsers.events.Span`.

    Attributes:
        before: The line before them.
        last: The last of them.
        begin: Its first byte.
        end: The first byte behind them.
        line: Number of the first of them, from 0 in this block.
        lines: How many.
        last_begin: First byte of the last one.
        clocks: Time of the line before them, of the first and the last; None without a clock.
        pairs: Of line numbers from 0 in this block.
    """

    before: RowFields
    last: RowFields
    begin: int
    end: int
    line: int
    lines: int
    last_begin: int
    clocks: tuple[int, int, int] | None
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


class _Table:
    """A row for each line of a block.

    Attributes:
        form: Place of the line's form; -1 for none.
        place: The line's place in the form's columns.
        part: Place of those among the table's parts.
        columns: Of each part, the place of its form, and the columns.
    """

    def __init__(self, text: Text, forms: Sequence[Layouts]) -> None:
        size = text.ends.size
        self.form = np.full(size, -1, dtype=np.int16)
        self.kind, self.part = np.zeros((2, size), dtype=np.int16)
        self.place, self.epoch, self.step, self.clock, self.same = np.zeros(
            (5, size), dtype=np.int64
        )
        self.rate, self.duration = np.zeros((2, size))
        self.columns: list[tuple[int, Columns]] = []
        kinds: list[object] = []
        left: Cursors = np.arange(size)
        for number, layouts in enumerate(forms):
            if layouts.form.kind not in kinds:
                kinds.append(layouts.form.kind)
            for lines, columns in layouts.fit(text, left):
                self._fill(number, lines, columns)
                self.kind[lines] = kinds.index(layouts.form.kind)
            left = np.flatnonzero(self.form < 0)

    def _fill(self, number: int, lines: Cursors, columns: Columns) -> None:
        form = columns.form
        good: Mask = np.ones(lines.size, dtype=np.bool_)
        for field, column in (("throughput", self.rate), ("duration", self.duration)):
            if field in form.meanings:
                values = columns.doubles(field)
                good &= (values > 0) & (values < np.inf)
                column[lines] = values
        self.step[lines] = columns.integers("step") if "step" in form.meanings else lines
        if "epoch" in form.meanings:
            self.epoch[lines] = columns.integers("epoch")
        if form.clock:
            self.clock[lines] = columns.clock()
            self.same[lines] = columns.same()
        self.place[lines] = np.arange(lines.size)
        self.part[lines] = len(self.columns)
        self.columns.append((number, columns))
        self.form[lines[good]] = number

    def begins(self) -> Mask:
        """The lines that do not go on from the line before, as one span."""
        goes_on = (self.form[1:] >= 0) & (self.form[:-1] >= 0)
        for column in (self.kind, self.epoch, self.same):
            goes_on &= column[1:] == column[:-1]
        goes_on &= self.step[1:] > self.step[:-1]
        goes_on &= self.clock[1:] >= self.clock[:-1]
        begins: Mask = np.ones(self.form.size, dtype=np.bool_)
        begins[1:] = ~goes_on
        return begins

    def row(self, line: int, *, whole: bool) -> RowFields:
        """What a line shows; what is not summed up only where the whole is asked for."""
        number, columns = self.columns[self.part[line]]
        known = {
            "epoch": self.epoch,
            "step": self.step,
            "throughput": self.rate,
            "duration": self.duration,
        }
        names = columns.form.meanings.keys()
        fields: dict[str, Any] = {
            name: column[line].item() for name, column in known.items() if name in names
        }
        if whole:
            fields |= columns.fields(int(self.place[line]), names - known.keys())
        return RowFields(number, fields)


class Examiner:
    """Finds lines of known forms.

    Args:
        forms: The forms, those of most lines first.
    """

    def __init__(self, forms: Sequence[Form]) -> None:
        self.forms = forms
        self._layouts = [Layouts(form) for form in forms]

    def examine(self, text: Text, *, paired: bool) -> list[Found]:
        """The spans of a block that are worth reading as such, in their order.

        Args:
            text: The block.
            paired: Whether pairs of lines are wanted.
        """
        table = _Table(text, self._layouts)
        if not table.columns:
            return []
        firsts = np.flatnonzero(table.begins())
        behind = np.append(firsts[1:], table.form.size)
        worth = behind - firsts >= HEAD + _LEAST + _TAIL
        cuts = np.stack((firsts[worth] + HEAD, behind[worth] - _TAIL), axis=1).reshape(-1)
        return _found(text, self.forms, table, cuts, paired) if cuts.size else []


def _found(
    text: Text, forms: Sequence[Form], table: _Table, cuts: Cursors, paired: bool
) -> list[Found]:
    rate, duration = table.rate, table.duration
    weights = _steps(table.step)
    seconds, slowness = weights * duration, _over(weights, rate)
    sums = [exact(values, cuts) for values in (seconds, seconds * rate, slowness)]
    rises = np.ones(rate.size, dtype=np.bool_)
    np.greater(duration[1:], duration[:-1], out=rises[1:])
    # The first of them is compared with the line before where the sums are.
    rises[cuts[::2]] = True
    grows = np.logical_and.reduceat(rises, cuts)[::2].tolist()
    lowest = np.minimum.reduceat(rate, cuts)[::2].tolist()
    highest = np.maximum.reduceat(rate, cuts)[::2].tolist()
    apart = _apart(table, weights) if paired else None
    out = []
    for place, (begin, end) in enumerate(cuts.reshape(-1, 2).tolist()):
        last = table.row(end - 1, whole=True)
        before = table.row(begin - 1, whole=False)
        form = forms[last.form]
        rated, timed = "throughput" in form.meanings, "duration" in form.meanings
        clocks = None
        if form.clock:
            clocks = tuple(table.clock[[begin - 1, begin, end - 1]].tolist())
        pairs = None
        if apart is not None and clocks is not None and rated:
            pairs = _pairs(table, weights, begin, begin + np.flatnonzero(apart[begin:end]))
        out.append(
            Found(
                before,
                last,
                int(text.begins[begin]),
                int(text.begins[end]),
                begin,
                end - begin,
                int(text.begins[end - 1]),
                clocks,
                int(table.step[end - 1] - table.step[begin - 1]),
                int(table.step[end - 1] - table.step[end - 2]),
                sums[0][place] if timed else (),
                sums[1][place] if timed and rated else (),
                sums[2][place] if rated else (),
                float(duration[begin]) if timed else None,
                grows[place],
                _first(rate, begin, end, lowest[place]) if rated else None,
                _first(rate, begin, end, highest[place]) if rated else None,
                pairs,
            )
        )
    return out


def _steps(step: Cursors) -> Floats:
    """How many iterations each line stands for."""
    weights = np.zeros(step.size)
    weights[1:] = step[1:] - step[:-1]
    return weights


def _over(weights: Floats, rate: Floats) -> Floats:
    result: Floats = np.divide(weights, rate, out=np.zeros(rate.size), where=rate > 0)
    result[result < 0] = 0.0  # between the spans
    return result


def _first(rate: Floats, begin: int, end: int, value: float) -> tuple[float, int]:
    """A figure and the first line that has it."""
    return value, begin + int((rate[begin:end] == value).argmax())


def _apart(table: _Table, weights: Floats) -> Mask:
    """The lines whose clock shows how long an iteration took since the line before."""
    least = np.where(table.clock % _WHOLE_US, _APART_US, _APART_WHOLE_US)
    apart = np.zeros(weights.size, dtype=np.bool_)
    apart[1:] = (table.clock[1:] - table.clock[:-1]) > least[1:]
    return apart & (weights > 0)


def _pairs(
    table: _Table, weights: Floats, begin: int, lines: Cursors
) -> tuple[tuple[float, int], ...]:
    lines = lines[:_MOST_PAIRS]
    passed = table.clock[lines] - table.clock[lines - 1]
    samples = table.rate[lines] * passed / 1e6 / weights[lines]
    return tuple(zip(samples.tolist(), lines.tolist(), strict=True))
