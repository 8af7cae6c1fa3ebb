"""Searches a log for the screen: sends orders to a process, and receives pages from it."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from sixdim.parsers.text.lines import label
from sixdim.tui.search.page import SearchPage
from sixdim.tui.search.query import Query
from sixdim.tui.search.text import LogText, NumberedLines

if TYPE_CHECKING:
    from sixdim.tui.search.pager import Order

_START = (
    "import sys, json; path, log, line, only, wanted = json.loads(sys.argv[1]); "
    "sys.path[:] = path; from sixdim.tui.search.process import main; main(log, line, only, wanted)"
)


class Lookup:
    """Searches a log from its first line on, and takes pages of it.

    Every method returns at once. A separate thread waits for the process, and passes each page to
    `take`.
    """

    def __init__(
        self, open_text: Callable[[], LogText], query: Query, take: Callable[[SearchPage], object]
    ) -> None:
        self.query = query
        self._open_text = open_text
        self._take = take
        self._text: LogText | None = None
        self._grown: tuple[int, NumberedLines, bool] | None = None
        self._size = (-1, False)
        self._orders: list[bytes] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False
        self._lock = threading.RLock()
        # A daemon thread does not keep the program alive if it hangs.
        threading.Thread(target=self._run, name="sixdim-search", daemon=True).start()

    @property
    def part(self) -> str:
        """The part of the log that is searched, in words; empty for all of it."""
        return self._text.part if self._text is not None else ""

    def grow(self, read: int, lines: NumberedLines, *, ended: bool) -> bool:
        """Continues the search in new bytes.

        Args:
            read: The bytes of the log that were read.
            lines: The latest lines.
            ended: Whether the log has ended.

        Returns:
            Whether the text is still the same; if not, the search must begin anew.
        """
        with self._lock:
            self._grown = read, lines, ended
            if self._text is None:  # the order is sent once the text is open
                return True
            try:
                size = self._text.size(read, lines)
            except OSError as error:
                self._fail(error)
                return True
            if size is None or size < self._size[0]:
                return False
            if (size, ended) != self._size:
                self._size = size, ended
                self.order("grow", size, int(ended))
            return True

    def close(self) -> None:
        """Ends the process; no more pages are passed on."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()

    def order(self, name: Order, *values: int) -> None:
        """Sends an order, see `tui.search.pager.Order`."""
        order = json.dumps([name, *values]).encode() + b"\n"
        with self._lock:
            if self._process is None:
                self._orders.append(order)
            else:
                self._send(order)

    def _send(self, order: bytes) -> None:
        """Writes an order to the process; its pipe holds more orders than a person can type."""
        assert self._process is not None and self._process.stdin is not None
        # The process may have ended, and its pipe may be closed; its last page has the reason.
        with suppress(OSError, ValueError):
            self._process.stdin.write(order)
            self._process.stdin.flush()

    def _run(self) -> None:
        text: LogText | None = None
        try:
            text = self._open_text()
            self._work(text)
        except OSError as error:
            self._fail(error)
        finally:
            with self._lock:
                self._text = None
            if text is not None:
                text.close()

    def _fail(self, error: OSError) -> None:
        self._give(SearchPage(error=f"cannot search: {label(error.strerror or error)}"))

    def _work(self, text: LogText) -> None:
        job = [sys.path, text.descriptor, text.line, *self.query]
        with subprocess.Popen(
            [sys.executable, "-c", _START, json.dumps(job)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=[text.descriptor],
            start_new_session=True,  # so that it gets no signals of the terminal's keys
        ) as process:
            with self._lock:
                self._process = process
                for order in self._orders:
                    self._send(order)
                if self._closed:
                    process.kill()
                self._text = text
                if self._grown is not None:
                    read, lines, ended = self._grown
                    if not self.grow(read, lines, ended=ended):
                        self._give(SearchPage(error="the log has just been replaced: search again"))
            assert process.stdout is not None
            page = SearchPage()
            # The end, or a process that was killed while it wrote a page.
            with suppress(EOFError, pickle.UnpicklingError):
                while True:
                    page = pickle.load(process.stdout)
                    self._give(page)
        if not page.error:
            self._give(SearchPage(error="the search ended before its time"))

    def _give(self, page: SearchPage) -> None:
        if not self._closed:
            self._take(page)
