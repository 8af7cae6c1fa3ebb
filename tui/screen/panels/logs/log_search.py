"""A search through the whole log: its query, and the page that was found."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from sixdim.parsers.text.lines import clean
from sixdim.tui.search.page import PageRow, SearchPage
from sixdim.tui.search.query import Query
from sixdim.tui.search.text import LatestText, LogText, NoTextError
from sixdim.tui.session.live.feed import Frame

if TYPE_CHECKING:
    from sixdim.tui.search.lookup import Lookup

OpenText = Callable[[], LogText]
LATEST = "latest lines only"


class LogSearch:
    """Searches the log of a frame, and of the frames that follow it.

    Args:
        open_text: Opens the log; called from another thread.
        frame: The log.
        query: The patterns to search.
        height: Rows to display.
        take: Called with this search and each new page, from another thread.
        say: Called with a message for the user, from another thread.

    Attributes:
        page: The state of the search.
        rows: To display; None before the first came.
    """

    def __init__(
        self,
        open_text: OpenText,
        frame: Frame,
        query: Query,
        height: int,
        take: Callable[[LogSearch, SearchPage], object],
        say: Callable[[str], object],
    ) -> None:
        from sixdim.tui.search.lookup import Lookup

        self.query = query
        self.page = SearchPage()
        self.rows: tuple[PageRow, ...] | None = None
        self.lookup: Lookup = Lookup(
            partial(_opened, open_text, frame, say), query, partial(take, self)
        )
        self._log = frame.log
        self.lookup.order("resize", height)
        self.grow(frame)

    def grow(self, frame: Frame) -> bool:
        """Continues with a newer frame; returns false if it is of another log, or one read anew."""
        shot = frame.snapshot
        return frame.log == self._log and self.lookup.grow(
            shot.bytes, frame.log_lines, ended=shot.ended
        )

    def receive(self, page: SearchPage) -> None:
        """Takes a page; the rows stay the same if it has none."""
        self.page = page
        if page.rows is not None:
            self.rows = page.rows

    @property
    def line(self) -> int | None:
        """Number of the first displayed line; None if the end is followed."""
        return None if self.page.at_end or not self.rows else self.rows[0].number

    def count(self) -> str:
        """Returns `37 of 1,204 · 63 %`: the match, the number of matches, and the progress."""
        page, parts = self.page, []
        if self.query.wanted:
            which = f"{page.rank:,} of " if page.rank else ""
            what = "" if page.rank else " match" if page.hits == 1 else " matches"
            parts.append(f"{which}{page.hits:,}{what}")
        elif self.query.only:
            parts.append(f"{page.displayed:,} of {page.lines:,} lines")
        if page.share < 1 and parts:
            parts.append(f"{100 * page.share:.0f} %")
        if page.wrapped and page.rank:
            parts.append("wrapped")
        return " · ".join(parts)


def _opened(open_text: OpenText, frame: Frame, say: Callable[[str], object]) -> LogText:
    """Opens the log; if it cannot be read again, its latest lines."""
    try:
        return open_text()
    except NoTextError as error:
        count = len(frame.log_lines)
        say(clean(f"{error}: only its latest {count} lines and new ones are searched"))
        return LatestText(frame.log_lines, LATEST)
