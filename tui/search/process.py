"""The process that searches a log, so that the screen does not wait for a slow expression.

It reads orders from standard input, one on each line, and writes pickled pages to standard output.
It ends with its input, and sleeps while there is nothing to search and no order.
"""

from __future__ import annotations

import json
import os
import pickle
import select
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from sixdim.tui.search.index import Index
from sixdim.tui.search.page import SearchPage
from sixdim.tui.search.pager import Pager
from sixdim.tui.search.query import BadPatternError, parse

PERIOD = 0.25
"""Seconds between two reports of progress."""
PATIENCE = 1.0
"""The most seconds of computing for a block or a page; an expression may never end."""
NICE = 5
"""The niceness of the process: its priority is below the training's and the screen's."""
_MOST = 1 << 16
_UNKNOWN = -1


class TooSlowError(Exception):
    """An expression takes too long."""


class Worker:
    """Searches a log and answers orders.

    Args:
        log: The open descriptor of the log.
        line: The number of its first line.
        only: The pattern of displayed rows; empty for none.
        wanted: The pattern that is searched; empty for none.

    Raises:
        BadPatternError: A pattern is invalid.
    """

    def __init__(self, log: int, line: int, only: str, wanted: str) -> None:
        def read(offset: int, size: int) -> bytes:
            return os.pread(log, size, offset)

        self._index = Index(read, line, parse(only), parse(wanted))
        self._pager = Pager(self._index)
        self._limit, self._ended = _UNKNOWN, False
        self._last = (SearchPage(), -1)  # the last page, and the bytes searched by then

    def work(self, orders: Orders) -> None:
        """Answers orders until their pipe is closed.

        Raises:
            TooSlowError: An expression takes too long.
        """
        more, due = False, 0.0
        while (given := orders.read(wait=not more)) is not None:
            for name, *values in given:
                if name == "grow":
                    self._limit, self._ended = values[0], bool(values[1])
                else:
                    self._pager.order(name, *values)
            if self._limit == _UNKNOWN:
                continue  # before the log has bytes, nothing can be found
            with self._within_patience():
                more = self._index.advance(self._limit, self._ended)
            if given or not more or time.monotonic() >= due:
                due = time.monotonic() + PERIOD
                self._report(more)

    def _report(self, more: bool) -> None:
        """Writes the page if it has changed."""
        before, scanned = self._last
        share = min(self._index.scanned / self._limit, 0.999) if more else 1.0
        with self._within_patience():
            page = self._pager.page(share, self._index.scanned != scanned)
        self._last = page._replace(rows=None), self._index.scanned
        if page != before:
            _write(page)

    @contextmanager
    def _within_patience(self) -> Iterator[None]:
        """Interrupts a computation that takes too long; the module `re` checks for signals."""
        signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
        try:
            yield
        except TooSlowError:
            line = f"{self._index.line:,}"
            raise TooSlowError(f"the expression takes too long near line {line}") from None
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)


class Orders:
    """The orders from standard input, a pipe, as lines of JSON."""

    def __init__(self) -> None:
        self._rest = b""

    def read(self, *, wait: bool) -> list[Any] | None:
        """Returns the pending orders, and may wait for one; None once the pipe is closed."""
        if not wait and not select.select([0], [], [], 0)[0]:
            return []
        data = os.read(0, _MOST)
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [json.loads(line) for line in lines] if data else None


def _write(page: SearchPage) -> None:
    pickle.dump(page, sys.stdout.buffer)
    sys.stdout.buffer.flush()


def _too_slow(number: int, frame: FrameType | None) -> None:
    raise TooSlowError


def main(log: int, line: int, only: str, wanted: str) -> None:
    """Runs until standard input is closed, or a pattern is invalid or too slow."""
    os.nice(NICE)
    signal.signal(signal.SIGVTALRM, _too_slow)
    try:
        Worker(log, line, only, wanted).work(Orders())
    except (BadPatternError, TooSlowError) as error:
        _write(SearchPage(error=str(error)))
    except BrokenPipeError:  # the screen has ended
        os._exit(0)
