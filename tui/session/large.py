"""Reads a large finished log into a few buffers, which two processes examine."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import closing
from mmap import mmap
from typing import TYPE_CHECKING

from sixdim.parsers.blocks.form import RowForm
from sixdim.parsers.blocks.prefetch import Prefetch
from sixdim.parsers.blocks.reading import Blocks
from sixdim.parsers.blocks.text import PAD
from sixdim.parsers.input.source import BLOCK, LogFile
from sixdim.parsers.reader.hashed import LAG

if TYPE_CHECKING:
    from sixdim.tui.session.session import Session

_SIZE = 5 << 18
_AHEAD = 5
"""Blocks that are read before they are folded; with fewer, one process waits for the other."""


def two_processes(session: Session) -> bool:
    """Returns whether a second process may be started; ends the session's own threads if so.

    A process with threads must not fork.
    """
    alone = os.environ.get("SIXDIM_BLOCKS", "") == "alone"
    if alone or (os.cpu_count() or 1) == 1 or not hasattr(os, "fork"):
        return False
    session.end_threads()
    return threading.active_count() == 1


def read_rest(session: Session, blocks: Blocks, log: LogFile, size: int = _SIZE) -> None:
    """Folds the rest of a log, in blocks of at most `size` bytes."""
    rest = _Rest(session, blocks, log, size)
    with closing(rest.prefetch):
        rest.read()


_Filled = tuple[int, int, Sequence[RowForm]]
"""A block: the number of its buffer, its size in bytes, and the forms to find in it."""


class _Rest:
    """Reads the rest of a log."""

    def __init__(self, session: Session, blocks: Blocks, log: LogFile, size: int) -> None:
        self._session = session
        self._blocks = blocks
        self._log = log
        self._buffers = [mmap(-1, size + PAD) for _ in range(_AHEAD + LAG)]
        self._views = [memoryview(buffer) for buffer in self._buffers]
        self.prefetch = Prefetch(self._buffers, figures=blocks.figures)
        self._piece = min(BLOCK, (size + PAD) // 2)
        self._half = b""  # the beginning of a line that the last block cut

    def read(self) -> None:
        """Folds the rest of the log."""
        self._finish_line()
        filled: deque[_Filled] = deque()
        place = 0
        while True:
            # The latest folded blocks are still being hashed, so their buffers are used last.
            while len(filled) < _AHEAD and (size := self._fill(place)):
                filled.append(self._announced(place, size))
                place = (place + 1) % len(self._buffers)
            if not filled:
                break
            self._fold(filled.popleft())
        while self._half:  # the last line without its newline, or one longer than a buffer
            self._session.feed(self._half)
            self._half = self._log.read(self._piece)

    def _finish_line(self) -> None:
        """Folds bytes up to the end of the line that has begun."""
        while not self._half and (block := self._log.read(self._piece)):
            end = block.find(b"\n") + 1 or len(block)
            self._session.feed(block[:end])
            self._half = block[end:]

    def _fill(self, place: int) -> int:
        """Fills a buffer; returns the number of bytes that are whole lines."""
        buffer, begin = self._buffers[place], len(self._half)
        buffer[:begin] = self._half
        end = begin + self._log.readinto(self._views[place][begin:-PAD])
        size = buffer.rfind(b"\n", 0, end) + 1
        self._half = buffer[size:end]
        return size

    def _announced(self, place: int, size: int) -> _Filled:
        forms = self._blocks.next_forms()
        if forms:
            if not self.prefetch.looks_for(forms):
                self._session.end_threads()
            self.prefetch.announce(place, size, forms)
        return place, size, forms

    def _fold(self, filled: _Filled) -> None:
        place, size, forms = filled
        found = self.prefetch.result(place, forms) if forms else []
        lines = self._views[place][:size]
        if found is None:
            self._session.feed(bytes(lines))
        else:
            self._session.feed_found(lines, forms, found)
