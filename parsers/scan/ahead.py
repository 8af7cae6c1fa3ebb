"""A second process that examines the next block while this one is folded.

What a block holds follows from its bytes and the templates alone, so it can be worked out anywhere;
the fold goes on in one place, in order. The blocks and what was found in them pass through memory
that both processes share; short messages about them through pipes.
"""

from __future__ import annotations

import marshal
import mmap
import os
import signal
from typing import IO, TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from parsers.scan.block import BLOCK, Examined, Scanner
from parsers.scan.lockstep import Columns
from parsers.scan.words import PAD

if TYPE_CHECKING:
    from collections.abc import Iterator

_SLOTS = 2
"""Blocks under way: one that is folded, and one that is examined."""
_BYTES = BLOCK + PAD + 8
"""Room for a block, as `Scanner.examine_padded` wants it."""
_FOUND = BLOCK
"""Room for what was found in one."""

_Message: TypeAlias = Any  # what `marshal` can carry: numbers, texts, tuples
_Place: TypeAlias = tuple[int, int]
"""Byte offset of a block in the log, and its size."""


class Ahead:
    """Examines announced blocks elsewhere.

    Args:
        scanner: Whose templates are used: those that it has when a block is announced.
    """

    def __init__(self, scanner: Scanner) -> None:
        self._scanner = scanner
        self._memory = mmap.mmap(-1, _SLOTS * (_BYTES + _FOUND))
        self._places: list[_Place] = []
        self._count = 0
        self._templates = 0
        self._child = 0
        self._orders: IO[bytes] | None = None
        self._answers: IO[bytes] | None = None

    def announce(self, data: memoryview, offset: int) -> None:
        """Hands over a block that will be wanted; it is overwritten by the next but one."""
        if self._templates != len(self._scanner.templates):
            self.close()
            self._begin()
        if self._orders is None or not len(data):
            return
        begin = self._count % _SLOTS * _BYTES
        self._memory[begin : begin + len(data)] = data
        try:
            marshal.dump((self._count, len(data)), self._orders)
            self._orders.flush()
        except BrokenPipeError:
            self.close()
            return
        self._places.append((offset, len(data)))
        self._count += 1

    def take(self, offset: int, size: int) -> Examined | None:
        """What was found in a block; None where it was not announced, or could not be told.

        It lies in the shared memory, for as long as the block does (see `announce`).
        """
        while self._places and self._places[0][0] <= offset and self._answers is not None:
            place = self._places.pop(0)
            try:
                answer: _Message = marshal.load(self._answers)
            except (EOFError, ValueError):  # it is gone, perhaps killed: all is done here again
                self.close()
                return None
            if place == (offset, size):
                return None if answer is None else self._found(answer)
        return None

    def close(self) -> None:
        """Ends the process; what was announced is forgotten."""
        for pipe in (self._orders, self._answers):
            if pipe is not None:
                pipe.close()
        self._orders = self._answers = None
        self._places.clear()
        if self._child:
            os.kill(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)
            self._child = 0

    def _begin(self) -> None:
        self._templates = len(self._scanner.templates)
        orders, answers = os.pipe(), os.pipe()
        self._child = os.fork()
        if self._child == 0:
            try:
                # An interrupt is for the process that folds; when it ends, so do its pipes.
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                os.close(orders[1])
                os.close(answers[0])
                self._work(os.fdopen(orders[0], "rb"), os.fdopen(answers[1], "wb"))
            finally:
                os._exit(0)
        os.close(orders[0])
        os.close(answers[1])
        self._orders, self._answers = os.fdopen(orders[1], "wb"), os.fdopen(answers[0], "rb")

    def _work(self, orders: IO[bytes], answers: IO[bytes]) -> None:
        """The other process: examines until no more orders come."""
        memory = memoryview(self._memory)
        whole = np.frombuffer(self._memory, dtype=np.uint8)
        while True:
            try:
                count, size = marshal.load(orders)
            except EOFError:
                return
            begin = count % _SLOTS * _BYTES
            examined = self._scanner.examine_padded(
                whole[begin : begin + _BYTES], memory[begin : begin + size]
            )
            marshal.dump(self._written(count, examined), answers)
            answers.flush()

    def _written(self, count: int, found: Examined) -> _Message:
        """Puts what was found into the memory; says where. None where it has no room there."""
        at = _SLOTS * _BYTES + count % _SLOTS * _FOUND
        end = at + _FOUND
        places: list[tuple[str, int, int]] = []
        for array in _arrays(found):
            size = array.nbytes
            if at + size > end:
                return None
            np.frombuffer(self._memory, array.dtype, array.size, at)[:] = array
            places.append((array.dtype.str, at, array.size))
            at += -(-size // 8) * 8
        names = [(number, list(columns.values)) for number, columns in found.read]
        return (places, names, [tuple(one) for one in found.sums])

    def _found(self, answer: _Message) -> Examined:
        places, names, sums = answer
        arrays = iter(
            np.frombuffer(self._memory, dtype, count, begin) for dtype, begin, count in places
        )
        ends, dirty, silent, others = (next(arrays) for _ in range(4))
        read = [
            (number, Columns(next(arrays), {name: next(arrays) for name in columns}))
            for number, columns in names
        ]
        return Examined(ends, dirty, silent, others, read, [*map(self._scanner.summed._make, sums)])


def _arrays(found: Examined) -> Iterator[NDArray[Any]]:
    yield found.ends
    yield found.dirty
    yield found.silent
    yield found.others
    for _number, columns in found.read:
        yield columns.rows
        yield from columns.values.values()
