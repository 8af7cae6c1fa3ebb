"""Examines the next blocks of a log in a second process, while the first one folds.

The spans of a block depend on its bytes and the forms alone, so any process can find them; one
process folds them, in order. Both share the memory of the blocks; short orders and answers go
through pipes. Both take orders: the folding process examines a block itself instead of waiting.
"""

import os
import pickle
import select
import signal
import struct
from collections.abc import Sequence
from mmap import mmap

from sixdim.parsers.blocks.examine import Examiner, Found
from sixdim.parsers.blocks.form import RowForm
from sixdim.parsers.blocks.text import Text

_ORDER = struct.Struct("qq")
"""The buffer and the bytes of its block; so short that a pipe never splits it."""
_SIZE = struct.Struct("q")
"""The bytes of the answer that follows."""


class Prefetch:
    """Examines announced blocks, in a second process or in this one.

    Args:
        buffers: Shared memory; a block begins at the beginning of its buffer.
        figures: Whether the figures of all lines are needed; see `Examiner`.
    """

    def __init__(self, buffers: Sequence[mmap], *, figures: bool) -> None:
        self._buffers = buffers
        self._figures = figures
        self._examiner = Examiner(())
        self._found: dict[int, list[Found] | None] = {}
        self._pipes: tuple[int, int, int] | None = None
        self._child = 0

    def looks_for(self, forms: Sequence[RowForm]) -> bool:
        """Returns whether the second process runs and has these forms."""
        return self._pipes is not None and forms is self._examiner.forms

    def announce(self, place: int, size: int, forms: Sequence[RowForm]) -> None:
        """Orders the examination of a block; results are taken in the order of announcements."""
        if not self.looks_for(forms):
            self.close()
            self._begin(forms)
        assert self._pipes is not None
        os.write(self._pipes[1], _ORDER.pack(place, size))

    def result(self, place: int, forms: Sequence[RowForm]) -> list[Found] | None:
        """Returns the spans of a block; None if the second process has ended.

        Args:
            place: Its buffer.
            forms: The forms with which it was announced.
        """
        while self._pipes is not None and forms is self._examiner.forms:
            if place in self._found:
                return self._found.pop(place)
            orders, _, answers = self._pipes
            if select.select([answers], [], [], 0)[0] or not self._examine_one(orders):
                self._receive(answers)
        return None

    def close(self) -> None:
        """Ends the second process and drops all orders."""
        for end in self._pipes or ():
            os.close(end)
        self._pipes = None
        self._found.clear()
        if self._child:
            os.kill(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)
            self._child = 0

    def _begin(self, forms: Sequence[RowForm]) -> None:
        orders, announced = os.pipe()
        answers, answered = os.pipe()
        os.set_blocking(orders, False)
        self._examiner = Examiner(forms, figures=self._figures)
        self._child = os.fork()
        if self._child == 0:
            try:
                # The folding process handles an interrupt; when it ends, its pipes are closed.
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                os.close(announced)
                os.close(answers)
                self._work(orders, answered)
            finally:
                os._exit(0)
        os.close(answered)
        self._pipes = orders, announced, answers

    def _examine_one(self, orders: int) -> bool:
        """Carries out the next order in this process; returns whether there was one."""
        try:
            place, size = _ORDER.unpack(os.read(orders, _ORDER.size))
        except BlockingIOError:
            return False
        self._found[place] = self._examined(place, size)
        return True

    def _examined(self, place: int, size: int) -> list[Found] | None:
        try:
            return self._examiner.examine(Text(self._buffers[place], size))
        except Exception:  # noqa: BLE001 - the block is examined again, and the error reported then
            return None

    def _receive(self, answers: int) -> None:
        """Waits for an answer; if the second process has ended, drops all orders."""
        head = _exactly(answers, _SIZE.size)
        text = _exactly(answers, _SIZE.unpack(head)[0]) if head else b""
        if not text:  # the process has ended, perhaps killed
            self.close()
            return
        place, found = pickle.loads(text)
        self._found[place] = found

    def _work(self, orders: int, answered: int) -> None:
        """Runs in the second process: carries out orders until their pipe is closed."""
        while True:
            select.select([orders], [], [])
            try:
                if not self._examine_one(orders):
                    continue
            except struct.error:  # no bytes: the pipe was closed
                return
            text = memoryview(pickle.dumps(self._found.popitem()))
            for part in (memoryview(_SIZE.pack(len(text))), text):
                while part:
                    part = part[os.write(answered, part) :]


def _exactly(end: int, size: int) -> bytes:
    """Reads a number of bytes from a pipe; returns none if it ends before."""
    parts = bytearray()
    while len(parts) < size:
        part = os.read(end, size - len(parts))
        if not part:
            return b""
        parts += part
    return bytes(parts)
