"""A grid of braille dots, two columns and four rows in each cell."""

from itertools import groupby

from sixdim.tui.screen.widgets.cells import Span
from sixdim.tui.screen.widgets.palettes import RUNS, Role

# Unicode 16, chapter 21.1: bits of U+2800 by (column, row) of the dot.
_BITS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
_UPRIGHT = tuple(
    tuple(tuple(sum(dots[first : last + 1]) for last in range(4)) for first in range(4))
    for dots in _BITS
)
"""Bits of a cell's dots, by column, from the first dot to the last."""
_RANK = {
    Role.FRAME: 0,
    Role.OTHER: 0,
    Role.THRESHOLD: 1,
    Role.PROJECTION: 2,
    **dict.fromkeys(RUNS, 2),
    Role.SECOND: 3,
    Role.SERIES: 4,
}


class Canvas:
    """Dots from the top left corner.

    A cell that lines share has the colour of the more important one; of two alike, the later one.
    """

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.bits = [[0] * width for _ in range(height)]
        self._letters: dict[tuple[int, int], str] = {}
        self._roles = [[Role.TEXT] * width for _ in range(height)]

    @property
    def dots_across(self) -> int:
        """The number of dot columns."""
        return self.width * 2

    @property
    def dots_down(self) -> int:
        """The number of dot rows."""
        return self.height * 4

    def dot(self, x: int, y: int, role: Role) -> None:
        """Sets one dot, if it is on the canvas."""
        if not (0 <= x < self.dots_across and 0 <= y < self.dots_down):
            return
        column, row = x // 2, y // 4
        empty = not self.bits[row][column]
        self.bits[row][column] |= _BITS[x % 2][y % 4]
        if empty or _RANK.get(role, 5) >= _RANK.get(self._roles[row][column], 5):
            self._roles[row][column] = role

    def write(self, column: int, row: int, text: str) -> None:
        """Writes a text over the dots, moved so that it stays on the canvas."""
        column = max(0, min(column, self.width - len(text)))
        row = max(0, min(row, self.height - 1))
        for offset, char in enumerate(text):
            self._letters[column + offset, row] = char

    def line(self, x0: int, y0: int, x1: int, y1: int, role: Role, every: int = 1) -> None:
        """Draws a straight line (Bresenham), dotted if `every` is greater than 1."""
        if x0 == x1 and every == 1 and 0 <= x0 < self.dots_across:
            self._vertical(x0, min(y0, y1), max(y0, y1), role)
            return
        if abs(x1 - x0) == 1 and every == 1 and y0 != y1:  # half of it in each column
            half = y0 + (abs(y1 - y0) - 1) // 2 * (1 if y0 < y1 else -1)
            rest = half + (1 if y0 < y1 else -1)
            self._vertical(x0, min(y0, half), max(y0, half), role)
            self._vertical(x1, min(rest, y1), max(rest, y1), role)
            return
        dx, dy = abs(x1 - x0), -abs(y1 - y0)
        step_x, step_y = (1 if x0 < x1 else -1), (1 if y0 < y1 else -1)
        error = dx + dy
        count = 0
        while True:
            if count % every == 0:
                self.dot(x0, y0, role)
            if (x0, y0) == (x1, y1):
                return
            count += 1
            twice = 2 * error
            if twice >= dy:
                error += dy
                x0 += step_x
            if twice <= dx:
                error += dx
                y0 += step_y

    def _vertical(self, x: int, top: int, bottom: int, role: Role) -> None:
        """Draws a vertical line, a cell at a time; dense series are drawn with it."""
        top, bottom = max(0, top), min(self.dots_down - 1, bottom)
        if not 0 <= x < self.dots_across:
            return
        column, masks, rank = x // 2, _UPRIGHT[x % 2], _RANK.get(role, 5)
        for row in range(top // 4, bottom // 4 + 1):
            bits, roles = self.bits[row], self._roles[row]
            if not bits[column] or rank >= _RANK.get(roles[column], 5):
                roles[column] = role
            bits[column] |= masks[max(top - 4 * row, 0)][min(bottom - 4 * row, 3)]

    def row(self, y: int, band: range = range(0)) -> list[Span]:
        """Returns a row of cells; columns in `band` are on the shaded band."""
        cells = [
            (self._letters[x, y], Role.TITLE, x in band)
            if (x, y) in self._letters
            else (chr(0x2800 + bits), role, x in band)
            if bits
            else (" ", Role.TEXT, x in band)
            for x, (bits, role) in enumerate(zip(self.bits[y], self._roles[y], strict=True))
        ]
        return [
            Span("".join(cell[0] for cell in run), role, shaded)
            for (role, shaded), run in groupby(cells, key=lambda cell: cell[1:])
        ]
