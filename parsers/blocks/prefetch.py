"""A second process that examines the next blocks of a log while this one folds.

What a block holds follows from its bytes and the forms alone, so it can be worked out anywhere; the
fold goes on in one place, in order. Both processes share the memory in which the blocks lie; short
orders and answers go through pipes. Either takes the next order: one that would wait works instead.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import struct
from collections.abc import Sequence
from mmap import mmap

from sixdim.parsers.blocks.examine import Examiner, Found, Wanted
from sixdim.parsers.blocks.form import Form
from sixdim.parsers.blocks.text import Text

_ORDER = struct.Struct("qq??")
"""Which buffer, the bytes of its block, and what is wanted; a pipe gives it whole."""
_SIZE = struct.Struct("q")
"""What goes before an answer."""


class Prefetch:
    """Examines announced blocks, elsewhere where that is sooner.

    Args:
        buffers: Memory that is shared; a block begins where its buffer does.
    """

    def __init__(self, buffers: Sequence[mmap]) -> None:
        self._buffers = buffers
        self._examiner = Examiner(())
        self._found: dict[int, list[Found] | None] = {}
        self._pipes: tuple[int, int, int] | None = None
        self._child = 0

    def looks_for(self, forms: Sequence[Form]) -> bool:
        """Whether the process is there, and knows these forms; else it is begun anew."""
        return self._pipes is not None and forms is self._examiner.forms

    def announce(self, place: int, size: int, forms: Sequence[Form], wanted: Wanted) -> None:
        """Says that a block will be asked for; those before it are asked for before it."""
        if not self.looks_for(forms):
            self.close()
            self._begin(forms)
        assert self._pipes is not None
        os.write(self._pipes[1], _ORDER.pack(place, size, *wanted))

    def result(self, place: int, forms: Sequence[Form]) -> list[Found] | None:
        """What was found in a block; None where that has to be worked out again.

        Args:
            place: Its buffer.
            forms: With which it was announced.
        """
        while self._pipes is not None and forms is self._examiner.forms:
            if place in self._found:
                return self._found.pop(place)
            orders, _, answers = self._pipes
            if select.select([answers], [], [], 0)[0] or not self._examine_one(orders):
                self._receive(answers)
        return None

    def close(self) -> None:
        """Ends the process; what was announced is forgotten."""
        for end in self._pipes or ():
            os.close(end)
        self._pipes = None
        self._found.clear()
        if self._child:
            os.kill(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)
            self._child = 0

    def _begin(self, forms: Sequence[Form]) -> None:
        orders, announced = os.pipe()
        answers, answered = os.pipe()
        os.set_blocking(orders, False)
        self._examiner = Examiner(forms)
        self._child = os.fork()
        if self._child == 0:
            try:
                # An interrupt is for the process that folds; when it ends, so do its pipes.
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                os.close(announced)
                os.close(answers)
                self._work(orders, answered)
            finally:
                os._exit(0)
        os.close(answered)
        self._pipes = orders, announced, answers

    def _examine_one(self, orders: int) -> bool:
        """Does the next order here; False where none is left."""
        try:
            place, size, *wanted = _ORDER.unpack(os.read(orders, _ORDER.size))
        except BlockingIOError:
            return False
        self._found[place] = self._examined(place, size, Wanted(*wanted))
        return True

    def _examined(self, place: int, size: int, wanted: Wanted) -> list[Found] | None:
        try:
            return self._examiner.examine(Text(self._buffers[place], size), wanted)
        except Exception:  # noqa: BLE001 - it is worked out again, and reported there
            return None

    def _receive(self, answers: int) -> None:
        """Waits for an answer; without one, everything has to be worked out again."""
        head = _exactly(answers, _SIZE.size)
        text = _exactly(answers, _SIZE.unpack(head)[0]) if head else b""
        if not text:  # the process is gone, perhaps killed
            self.close()
            return
        place, found = pickle.loads(text)
        self._found[place] = found

    def _work(self, orders: int, answered: int) -> None:
        """The other process: examines until the pipe of orders is closed."""
        while True:
            select.select([orders], [], [])
            try:
                if not self._examine_one(orders):
                    continue
            except struct.error:  # no bytes: closed
                return
            text = memoryview(pickle.dumps(self._found.popitem()))
            for part in (memoryview(_SIZE.pack(len(text))), text):
                while part:
                    part = part[os.write(answered, part) :]


def _exactly(end: int, size: int) -> bytes:
    """So many bytes of a pipe; none where it ends before."""
    parts = bytearray()
    while len(parts) < size:
        part = os.read(end, size - len(parts))
        if not part:
            return b""
        parts += part
    return bytes(parts)
