"""Records of several lines: a heading and its figures, a rate and the step it belongs to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from parsers.scan.layouts import Layouts
from parsers.scan.lockstep import Columns
from parsers.scan.pieces import Literal
from parsers.scan.template import Template
from parsers.scan.words import Mask, Text


def together(
    template: Template,
    layouts: Layouts,
    text: Text,
    data: memoryview,
    begins: NDArray[np.int64],
    ends: NDArray[np.int64],
    left: Mask,
) -> Columns:
    """The records of a template of several lines, by the first line of each.

    Args:
        template: The template.
        layouts: Its layouts.
        text: The block.
        data: The same bytes.
        begins: Where each line begins.
        ends: Where each line ends.
        left: Which lines may be taken.
    """
    reach = ends[template.lines - 1 :]
    may = left[: reach.size].copy()
    for ahead in range(1, template.lines):
        may &= left[ahead : ahead + reach.size]
    head = template.pieces[0]
    if isinstance(head, Literal):
        may &= text.buffer[begins[: reach.size]] == head.text[0]
    rows = np.flatnonzero(may)
    if not rows.size:
        return Columns(rows)
    columns = layouts.walk(text, data, begins, reach, rows)
    if not columns.rows.size:
        return columns
    apart = np.diff(columns.rows) >= template.lines  # two that overlap are none
    columns.keep(np.flatnonzero(np.append(apart, True) & np.append(True, apart)))
    return columns


def closed(template: Template, columns: Columns, quiet: Mask) -> None:
    """Drops records that may go on: behind a whole one another begins, or a line says nothing."""
    closing = np.append(quiet, False)  # behind the block: nobody knows
    closing[columns.rows] = True
    columns.keep(np.flatnonzero(closing[columns.rows + template.lines]))


def members(template: Template, columns: Columns) -> NDArray[np.intp]:
    """All lines of the records."""
    return np.add.outer(columns.rows, np.arange(template.lines)).ravel()
