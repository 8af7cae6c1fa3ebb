"""A second process that examines the next rooms while this one folds.

What a room holds follows from its bytes and the templates alone, so it can be worked out anywhere;
the fold goes on in one place, in order. The bytes and what was found in them lie in memory that
both processes share; short messages about them go through pipes. Either process may take the next
order out of the pipe: one that would wait works instead.
"""

from __future__ import annotations

import io
import marshal
import mmap
import os
import select
import signal
import struct
from typing import IO, TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from parsers.ring import SIZE, Filled
from parsers.scan.block import Examined, Scanner
from parsers.scan.lessons import plain
from parsers.scan.lockstep import Columns

if TYPE_CHECKING:
    from collections.abc import Iterator

_ORDER = struct.Struct("qq")
"""Which room, and how many bytes of it. So short that a pipe gives it whole to one reader."""
_SIZE = struct.Struct("q")
"""What goes before an answer."""
_Message: TypeAlias = Any  # what `marshal` can carry: numbers, texts, tuples


_NEWLINE = 0x0A


class Ahead:
    """Examines announced rooms, elsewhere where that is sooner.

    Args:
        scanner: Whose templates are used: those that it has when a room is announced.
        rooms: The log's memory.
    """

    def __init__(self, scanner: Scanner, rooms: list[mmap.mmap]) -> None:
        self._scanner = scanner
        self._rooms = rooms
        self._findings = [mmap.mmap(-1, SIZE) for _ in rooms]
        self._waiting: list[Filled] = []
        self._own: dict[int, Examined] = {}
        self._known = 0
        self._child = 0
        self._orders: tuple[int, int] | None = None
        self._answers: io.FileIO | None = None

    def announce(self, piece: Filled) -> None:
        """Says that a room will be wanted; one that holds no whole line is not."""
        if not piece.size or piece.room[piece.size - 1] != _NEWLINE:
            return
        if self._known != self._scanner.lessons.known:
            self.close()
            self._begin()
        if self._orders is None:
            return
        try:
            os.write(self._orders[1], _ORDER.pack(piece.place, piece.size))
        except BrokenPipeError:
            self.close()
            return
        self._waiting.append(piece)

    def take(self, offset: int, size: int) -> Examined | None:
        """What was found in a room; None where it was not announced, or could not be told.

        It lies in the shared memory, for as long as the room is not filled anew.
        """
        while self._waiting and self._waiting[0].offset <= offset:
            piece = self._waiting.pop(0)
            found = self._result(piece)
            if (piece.offset, piece.size) == (offset, size):
                return found
        return None

    def close(self) -> None:
        """Ends the process; what was announced is forgotten."""
        if self._answers is not None:
            self._answers.close()
        for end in self._orders or ():
            os.close(end)
        self._orders = self._answers = None
        self._waiting.clear()
        self._own.clear()
        if self._child:
            os.kill(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)
            self._child = 0

    def _result(self, piece: Filled) -> Examined | None:
        """What was found in a room that was announced, whoever found it."""
        while piece.place not in self._own and self._answers is not None:
            if select.select([self._answers], [], [], 0)[0] or not self._examine_one():
                answer = self._answer(self._answers)
                return None if answer is None else self._found(piece.place, answer)
        return self._own.pop(piece.place, None)

    def _answer(self, answers: io.FileIO) -> _Message:
        """The next answer; None where there is none, and everything must be done here again."""
        # Not through a buffer: it would hide the beginning of the next answer from `select`.
        head = answers.read(_SIZE.size)
        text = bytearray(_SIZE.unpack(head)[0] if len(head) == _SIZE.size else 0)
        view = memoryview(text)
        while view and (count := answers.readinto(view)):
            view = view[count:]
        if view or not text:  # it is gone, perhaps killed
            self.close()
            return None
        return marshal.loads(text)

    def _examine_one(self) -> bool:
        """Does the next order here; False where none is left."""
        order = self._next_order()
        if order is not None:
            self._own[order[0]] = self._examined(*order)
        return order is not None

    def _next_order(self) -> tuple[int, int] | None:
        assert self._orders is not None
        try:
            index, size = _ORDER.unpack(os.read(self._orders[0], _ORDER.size))
        except BlockingIOError:
            return None
        return index, size

    def _examined(self, index: int, size: int) -> Examined:
        room = self._rooms[index]
        return self._scanner.examine(memoryview(room)[:size], room)

    def _begin(self) -> None:
        self._known = self._scanner.lessons.known
        self._orders = os.pipe()
        os.set_blocking(self._orders[0], False)
        answers = os.pipe()
        self._child = os.fork()
        if self._child == 0:
            try:
                # An interrupt is for the process that folds; when it ends, so do its pipes.
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                os.close(self._orders[1])
                os.close(answers[0])
                self._work(self._orders[0], os.fdopen(answers[1], "wb"))
            finally:
                os._exit(0)
        os.close(answers[1])
        self._answers = io.FileIO(answers[0], "rb")

    def _work(self, orders: int, answers: IO[bytes]) -> None:
        """The other process: examines until the pipe of orders is closed."""
        while True:
            select.select([orders], [], [])
            try:
                order = self._next_order()
            except struct.error:  # no bytes: closed
                return
            if order is not None:
                index, size = order
                text = marshal.dumps(self._written(index, self._examined(index, size)))
                answers.write(_SIZE.pack(len(text)) + text)
                answers.flush()

    def _written(self, index: int, found: Examined) -> _Message:
        """Puts what was found into the memory; says where. None where it is too much for that."""
        memory = self._findings[index]
        at = 0
        places: list[tuple[str, int, int]] = []
        for array in _arrays(found):
            if at + array.nbytes > len(memory):
                return None
            np.frombuffer(memory, array.dtype, array.size, at)[:] = array
            places.append((array.dtype.str, at, array.size))
            at += -(-array.nbytes // 8) * 8
        names = [(number, list(columns.values)) for number, columns in found.read]
        return (places, names, found.redrawn, found.quiet, plain(found.sums))

    def _found(self, index: int, answer: _Message) -> Examined:
        places, names, redrawn, quiet, sums = answer
        memory = self._findings[index]
        arrays = iter(np.frombuffer(memory, dtype, count, begin) for dtype, begin, count in places)
        ends, dirty, silent, heard, others = (next(arrays) for _ in range(5))
        read = [
            (number, Columns(next(arrays), {name: next(arrays) for name in columns}))
            for number, columns in names
        ]
        stretches = self._scanner.lessons.summed(sums)
        return Examined(ends, redrawn, dirty, silent, quiet, heard, others, read, stretches)


def _arrays(found: Examined) -> Iterator[NDArray[Any]]:
    yield found.ends
    yield found.dirty
    yield found.silent
    yield found.heard
    yield found.others
    for _number, columns in found.read:
        yield columns.rows
        yield from columns.values.values()
