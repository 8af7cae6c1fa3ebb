"""The fields of the lines of a block that have a known form, as columns of one table."""

from collections.abc import Sequence

import numpy as np

from sixdim.parsers.blocks.columns import Columns
from sixdim.parsers.blocks.form import Field, RowForm
from sixdim.parsers.blocks.layout import Layouts
from sixdim.parsers.blocks.text import Floats, Integers, Mask, Text
from sixdim.parsers.spans import PAUSE, SpanFigures


class LineTable:
    """The fields of each line, a row each; the last row is of no form.

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

    def _fill(self, number: int, form: RowForm, lines: Integers, columns: Columns) -> None:
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
        if not good.all():
            # Without a form no span has them: a time of 0 or of no end must not reach a sum.
            unread, lines = lines[~good], lines[good]
            self.rate[unread] = self.duration[unread] = 0.0
        self.form[lines] = number

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

    def ends(self, forms: Sequence[RowForm], lines: Integers) -> list[Sequence[float]]:
        """Returns the fields of some lines, in the order of their forms' meanings."""
        fields = dict.fromkeys(field for form in forms for field in form.meanings)
        # A form that no line fits may have fields of its own.
        columns = {
            field: self.columns[field][lines].tolist() if field in self.columns else ()
            for field in fields
        }
        places = [[columns[field] for field in form.meanings] for form in forms]
        return [
            [column[row] for column in places[form]]
            for row, form in enumerate(self.form[lines].tolist())
        ]

    def line_figures(self, form: RowForm, begin: int, end: int) -> SpanFigures:
        """Returns the figures of lines that are read together."""
        return SpanFigures(
            self.step[begin:end] if "step" in form.meanings else None,
            self.clock[begin:end] if form.clock else None,
            {
                field: np.asarray(self.columns[field][begin:end], dtype=np.float64)
                for field, meaning in form.meanings.items()
                if not meaning.is_int
            },
        )
