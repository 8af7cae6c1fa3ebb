"""Decides which of the latest lines are visible: the newest, unless the view is scrolled."""

from bisect import bisect_left
from collections.abc import Sequence

Lines = Sequence[tuple[int, str]]
"""(line number, text), oldest first."""


class LogTail:
    """A view of the latest lines: new ones are appended, the oldest are dropped."""

    def __init__(self) -> None:
        self._anchor: int | None = None  # number of the bottom line; None follows the end
        self._before: tuple[int, int, int] | None = None  # height, first and last line of a view

    @property
    def follows(self) -> bool:
        """Whether the newest line stays visible."""
        return self._anchor is None

    def follow(self) -> None:
        """Goes back to the newest line."""
        self._anchor = self._before = None

    def visible(self, lines: Lines, height: int) -> Lines:
        """Returns the lines to display.

        Following the end, they stay where they are until the view is full, then half of it is
        emptied: that is easier to read, and sends half the bytes of a line-by-line scroll. Where
        lines come faster than that, the view is full.
        """
        top, before = max(0, len(lines) - height), self._before
        if self._anchor is not None:
            top = max(0, min(self._end(lines) - height, top))
        elif before is not None and before[0] == height:
            top = self._top_after(lines, height, before)
        if lines and self._anchor is None:
            self._before = (height, lines[top][0], lines[-1][0])
        return lines[top : top + height]

    def scroll(self, lines: Lines, rows: int, height: int) -> int:
        """Moves the view; past the last line it follows the end again.

        Returns:
            Rows by which it would begin before the first line.
        """
        first, end = min(height, len(lines)), self._end(lines) + rows
        self._before = None
        bottom = max(first, end)
        self._anchor = None if bottom >= len(lines) else lines[bottom - 1][0]
        return max(0, first - end)

    def _top_after(self, lines: Lines, height: int, before: tuple[int, int, int]) -> int:
        """Returns the index of the first line of a view that follows the end."""
        last = max(0, len(lines) - height)
        top = bisect_left(lines, before[1], key=lambda line: line[0])
        if len(lines) - top > height:
            emptied = min(last + height // 2, len(lines) - 1)
            # If the half that stays would be new, too, there is nothing to save: all lines are.
            return emptied if lines[emptied][0] <= before[2] else last
        if top > last and lines and lines[-1][0] < before[2]:
            return last  # a replay went back
        return top

    def _end(self, lines: Lines) -> int:
        """Returns how many of the lines are above the bottom edge."""
        if self._anchor is None:
            return len(lines)
        end = sum(1 for number, _ in lines if number <= self._anchor)
        return end or min(len(lines), 1)
