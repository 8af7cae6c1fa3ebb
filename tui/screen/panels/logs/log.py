"""The panel of the log: its latest lines, or any page of it, searched and filtered."""

from collections.abc import Callable, Sequence
from functools import partial

from sixdim.tui.screen.panels.base import Panel
from sixdim.tui.screen.panels.logs.log_rows import latest_rows, page_rows
from sixdim.tui.screen.panels.logs.log_search import LogSearch, OpenText
from sixdim.tui.screen.panels.logs.log_tail import LogTail
from sixdim.tui.screen.widgets.cells import Row, Span
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.text import cells_of, choose, shorten
from sixdim.tui.search.page import SearchPage
from sixdim.tui.search.query import Query
from sixdim.tui.session.live.feed import Frame

NAME_CELLS = 24
"""Most cells of a pattern in the title."""


class LogPanel(Panel):
    """The latest lines, which follow the end; or a page of the whole log, by a `LogSearch`.

    Attributes:
        open_text: Opens the log; raises `NoTextError` where it cannot be read again.
        patterns: What is searched, and what is displayed alone.
    """

    NAME = "Log"
    open_text: OpenText

    def __init__(self) -> None:
        super().__init__()
        self.patterns = Query()
        self._tail = LogTail()
        self._log_search: LogSearch | None = None
        self._latest_pattern = "wanted"  # the pattern that was set last: dropped if it is invalid
        self._visiting = False  # whether the lines of a figure are displayed
        self._missed = Query()  # the query that was reported as not found

    def facts(self, frame: Frame) -> object:
        """Returns the lines that are displayed."""
        return frame.log_lines

    def show(self, frame: Frame) -> None:
        """Shows a frame; a search continues in its new lines."""
        super().show(frame)
        if self._log_search is not None and not self._log_search.grow(frame):
            self._begin(self.patterns, None)

    def title(self, frame: Frame) -> str:
        """Returns the title with the filter."""
        only = self.patterns.only
        return f"Log, only lines with {shorten(only, NAME_CELLS)}" if only else self.NAME

    def note(self, frame: Frame) -> str:
        """Returns the matches of the search, and whether the end is followed."""
        search = self._log_search
        if search is None:
            return "" if self._tail.follows else "End follows"
        wanted = shorten(self.patterns.wanted, NAME_CELLS)
        if wanted and not wanted.startswith("/"):
            wanted = f"/{wanted}"
        parts = [part for part in (wanted, search.count(), search.lookup.part) if part]
        end = ["L goes back"] if self._visiting else [] if search.page.at_end else ["End follows"]
        width = self.size.width - cells_of(self.title(frame)) - 8
        variants = [[*parts, *end], parts, parts[:2], [search.count()]]
        return choose(max(1, width), *("  ".join(variant) for variant in variants))

    def body(self, frame: Frame, width: int, height: int) -> list[Row]:
        """Returns the visible lines."""
        search = self._log_search
        if search is not None and search.rows is not None:
            nothing = "no such line yet" if self.patterns.only else "no line yet"
            return page_rows(search.rows[:height], width, follow=bool(search.query.wanted)) or [
                [Span(nothing, Role.DIM)]
            ]
        visible = self._tail.visible(frame.log_lines, height)
        return latest_rows(visible, width) or [[Span("no line yet", Role.DIM)]]

    # Search and filter

    def search(self, wanted: str) -> None:
        """Searches for a pattern and shows its last match; an empty one ends the search."""
        self._latest_pattern = "wanted"
        self._ask(self.patterns._replace(wanted=wanted))
        if self._log_search is not None and wanted:
            self._log_search.lookup.order("find", -1)

    def filter(self, only: str) -> None:
        """Displays only the lines with a pattern; an empty one displays all again."""
        self._latest_pattern = "only"
        self._ask(self.patterns._replace(only=only))

    def next_match(self, direction: int) -> None:
        """Shows the next match (+1) or the previous one (-1), and wraps around."""
        if self._log_search is not None and self.patterns.wanted:
            self._log_search.lookup.order("find", direction)

    def go_to(self, lines: Sequence[int]) -> None:
        """Shows the first of some lines among all others, and marks them."""
        self._begin(Query(), None)
        self._visiting = True
        if self._log_search is not None:
            self._log_search.lookup.order("go_to", *lines)

    def keep_place(self) -> Callable[[], None]:
        """Returns a function that displays again what is displayed now."""
        return partial(self._show_place, self.patterns, self._first_line())

    def _show_place(self, query: Query, line: int | None) -> None:
        self._visiting = False
        if query == Query() and line is None:
            self.leave()
        else:
            self._begin(query, line)

    def leave(self) -> None:
        """Goes back to the newest line, without search and filter."""
        self._end_search()
        self._visiting = False
        self.patterns = Query()
        self._tail.follow()
        self.repaint()

    def follow(self) -> None:
        """Goes back to the newest line."""
        if self.patterns == Query():
            self.leave()
        elif self._log_search is not None:
            self._log_search.lookup.order("follow")

    def scroll_by(self, lines: int) -> None:
        """Moves the view; past the last line it follows the end again."""
        if self._log_search is not None:
            self._log_search.lookup.order("move", lines)
        elif self.frame is not None and self.frame.log_lines:
            known = self.frame.log_lines
            beyond = self._tail.scroll(known, lines, self._height())
            if beyond and known[0][0] > 1:  # before the latest lines
                self._begin(self.patterns, known[0][0])
                self.scroll_by(-beyond)
            self.repaint()

    def turn_wheel(self, step: int, shift: bool) -> None:
        """Scrolls by three lines."""
        self.scroll_by(3 * step)

    def on_resize(self) -> None:
        """Asks for a page of the new height."""
        if self._log_search is not None:
            self._log_search.lookup.order("resize", self._height())

    def on_unmount(self) -> None:
        """Ends the search."""
        self._end_search()

    # The search through the whole log

    def _ask(self, query: Query) -> None:
        """Searches for another query, from the displayed lines on."""
        line = self._first_line()
        if query == Query() and line is None:
            self.leave()
        else:
            self._begin(query, line)

    def _begin(self, query: Query, line: int | None) -> None:
        self._end_search()
        self.patterns = query
        if self.frame is None:
            return
        receive, say = (partial(self.call_later, do) for do in (self._receive, self.notify))
        self._log_search = LogSearch(
            self.open_text, self.frame, query, self._height(), receive, say
        )
        if line is not None:
            self._log_search.lookup.order("show_from", line)
        self.repaint()

    def _end_search(self) -> None:
        if self._log_search is not None:
            self._log_search.lookup.close()
            self._log_search = None

    def _receive(self, search: LogSearch, page: SearchPage) -> None:
        """Takes the page that was found, unless another search has begun."""
        if search is not self._log_search:
            return
        if page.error:
            self._end_with(page.error)
            return
        search.receive(page)
        wanted = self.patterns.wanted
        if wanted and page.share == 1 and not page.hits and self._missed != self.patterns:
            self._missed = self.patterns
            where = "these lines" if self.patterns.only else "the log"
            self.notify(f"not in {where}: {wanted}", severity="warning")
        if page.rows is not None and page.at_end and self.patterns == Query():
            self.leave()  # the latest lines are displayed without a search
        else:
            self.repaint()

    def _end_with(self, error: str) -> None:
        """Drops the pattern that is invalid; the other one stays."""
        self.notify(error, severity="warning")
        line, query = self._first_line(), self.patterns._replace(**{self._latest_pattern: ""})
        if query == self.patterns:  # neither pattern can be dropped
            self.leave()
        else:
            self._show_place(query, line)

    def _height(self) -> int:
        return max(1, self.size.height - 2)

    def _first_line(self) -> int | None:
        """Returns the number of the first visible line; None if the end is followed."""
        if self._log_search is not None:
            return self._log_search.line
        if self._tail.follows or self.frame is None:
            return None
        visible = self._tail.visible(self.frame.log_lines, self._height())
        return visible[0][0] if visible else None  # a log that was truncated has no line yet
