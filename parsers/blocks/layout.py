"""Finds the layouts of the lines of a form, so that lines of one layout are read at once.

In a layout, each run of digits has a fixed width. Nearly all lines of a form have one of a few
layouts; the others are read one by one.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from sixdim.parsers.blocks.columns import Columns, Few, Layout, Many
from sixdim.parsers.blocks.form import RowForm
from sixdim.parsers.blocks.text import WORD, Integers, Mask, Text

_ENOUGH = 8
"""Smallest number of lines of a layout in a block."""
_MOST_LAYOUTS = 48
_MOST_MISSED = 400
"""Lines of another form in a block after which no more lines are read one by one."""


class Layouts:
    """The known layouts of a form."""

    def __init__(self, form: RowForm) -> None:
        self.form = form
        self._layouts: list[Layout] = []

    def fit(self, text: Text, lines: Integers) -> Iterator[tuple[Integers, Columns]]:
        """Yields the lines that have this form, with their numbers, in a few parts."""
        left = np.zeros(text.sizes.size, dtype=np.bool_)
        left[lines] = True
        if self._layouts:
            columns = Many(self.form, self._layouts, lines.size)
            others: dict[int, Integers] = {}
            for layout in self._layouts:
                size, layout.lines = layout.size, 0
                if size not in others:
                    others[size] = np.flatnonzero((text.sizes == size) & left)
                others[size] = columns.add(text, layout, others[size])
            found = columns.read()
            self._layouts.sort(key=lambda layout: -layout.lines)
            if found.size:
                yield found, columns
                left[found] = False
        rest = np.flatnonzero(left & (text.sizes >= self.form.least))
        literal = np.frombuffer(self.form.literals[0][:WORD], dtype=np.uint8)
        same: Mask = (text.rows(rest, WORD)[:, : literal.size] == literal).all(axis=1)
        yield from self._rest(text, rest[same])

    def _rest(self, text: Text, left: Integers) -> Iterator[tuple[Integers, Columns]]:
        """Finds new layouts among lines that have no known one; reads other lines one by one."""
        seen: dict[tuple[int, ...], list[int]] = {}
        alone: list[tuple[int, Sequence[bytes]]] = []
        missed = 0
        while left.size and missed < _MOST_MISSED:
            line, left = int(left[0]), left[1:]
            raw = text.line(line)
            texts = self.form.read(raw)
            if texts is None:
                missed += 1
                continue
            alone.append((line, texts))
            alike = seen.setdefault((len(raw), *map(len, texts)), [])
            alike.append(line)
            if len(alike) == _ENOUGH:
                layout = Layout(self.form, raw)
                if not layout.readable:
                    continue
                columns = Many(self.form, [layout], left.size)
                columns.add(text, layout, left[text.sizes[left] == layout.size])
                found = columns.read()
                if found.size:
                    self._layouts = [layout, *self._layouts[: _MOST_LAYOUTS - 1]]
                    yield found, columns
                    left = np.setdiff1d(left, found, assume_unique=True)
        if alone:
            lines = np.array([line for line, _ in alone])
            yield lines, Few(self.form, [texts for _, texts in alone])
