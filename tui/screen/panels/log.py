"""The tail of the log, with line numbers and a search."""

from __future__ import annotations

from bisect import bisect_left

from textual import events

from sixdim.tui.screen.panels.base import Panel
from sixdim.tui.screen.widgets.cells import Row, Span
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.text import shorten
from sixdim.tui.session.feed import Frame


def highlighted(text: str, query: str) -> list[Span]:
    """The text with every occurrence of the query marked, upper and lower case alike."""
    if not query:
        return [Span(text)]
    spans: list[Span] = []
    lower, wanted = text.lower(), query.lower()
    if len(lower) != len(text):  # a few characters change their length with their case
        lower, wanted = text, query
    begin = 0
    while (found := lower.find(wanted, begin)) >= 0:
        end = found + len(wanted)
        spans += [Span(text[begin:found]), Span(text[found:end], Role.MATCH)]
        begin = end
    return [*spans, Span(text[begin:])]


class LogPanel(Panel):
    """The last lines; follows the end until it is scrolled away from it."""

    NAME = "Log"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.query_text = ""
        self._anchor: int | None = None  # number of the bottom line; None follows the end
        self._held: tuple[int, int, int] | None = None  # height, first and last line when painted

    def facts(self, frame: Frame) -> object:
        """The lines."""
        return frame.log_lines

    def note(self, frame: Frame) -> str:
        """Matches of the search, and whether the end is followed."""
        parts = []
        if self.query_text:
            parts.append(f"/{shorten(self.query_text, 20)}: {len(self.matches())} matches")
        if self._anchor is not None:
            parts.append("End follows")
        return "  ".join(parts)

    def body(self, frame: Frame, width: int, height: int) -> list[Row]:
        """The visible lines."""
        lines = frame.log_lines
        visible = lines[self._top(height) :][:height]
        if not visible:
            return [[Span("no line yet", Role.DIM)]]
        gutter = max(6, len(str(visible[-1][0])))
        return [
            [
                Span(f"{number:>{gutter}}  ", Role.DIM),
                *highlighted(shorten(text, width - gutter - 2), self.query_text),
            ]
            for number, text in visible
        ]

    def matches(self) -> list[int]:
        """Numbers of the lines that hold the query."""
        if self.frame is None or not self.query_text:
            return []
        wanted = self.query_text.lower()
        return [number for number, text in self.frame.log_lines if wanted in text.lower()]

    def search(self, query: str) -> int:
        """Looks for a text and shows its last occurrence; returns how many lines hold it."""
        self.query_text = query
        found = self.matches()
        self._let_go()
        if found:
            self._show_line(found[-1])
        self.repaint()
        return len(found)

    def next_match(self, direction: int) -> None:
        """Shows the next match after (+1) or before (-1) the bottom line, round the ends."""
        found = self.matches()
        if not found:
            return
        here = self._bottom_line()
        if direction > 0:
            target = next((number for number in found if number > here), found[0])
        else:
            target = next((number for number in reversed(found) if number < here), found[-1])
        self._show_line(target)
        self.repaint()

    def scroll_by(self, lines: int) -> None:
        """Moves the view; past the last line it follows the end again."""
        if self.frame is None or not self.frame.log_lines:
            return
        height = max(1, self.size.height - 2)
        end = max(min(height, len(self.frame.log_lines)), self._end() + lines)
        self._held = None
        self._anchor = (
            None if end >= len(self.frame.log_lines) else self.frame.log_lines[end - 1][0]
        )
        self.repaint()

    def follow(self) -> None:
        """Back to the newest line."""
        self._let_go()
        self.repaint()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Three lines back."""
        event.stop()
        self.scroll_by(-3)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Three lines on."""
        event.stop()
        self.scroll_by(3)

    def _top(self, height: int) -> int:
        """Index of the first visible line.

        Following the end, lines stay where they are until the panel is full, then half of it
        makes room: calm to read, and half the bytes of a line-by-line scroll.
        """
        lines = self.frame.log_lines if self.frame else ()
        last = max(0, len(lines) - height)
        if self._anchor is not None:
            return max(0, min(self._end() - height, last))
        if self._held is None or self._held[0] != height:
            top = last
        else:
            top = bisect_left(lines, self._held[1], key=lambda line: line[0])
            if len(lines) - top > height:
                top = min(last + height // 2, len(lines) - 1)
            elif top > last and lines and lines[-1][0] < self._held[2]:
                top = last  # the log was seen further on: a replay went back
        if lines:
            self._held = (height, lines[top][0], lines[-1][0])
        return top

    def _let_go(self) -> None:
        self._anchor = self._held = None

    def _show_line(self, number: int) -> None:
        self._anchor = number
        self._held = None

    def _bottom_line(self) -> int:
        lines = self.frame.log_lines if self.frame else ()
        end = self._end()
        return lines[end - 1][0] if lines and end else 0

    def _end(self) -> int:
        """How many of the lines stand above the bottom edge."""
        lines = self.frame.log_lines if self.frame else ()
        if self._anchor is None:
            return len(lines)
        end = sum(1 for number, _ in lines if number <= self._anchor)
        return end or min(len(lines), 1)
