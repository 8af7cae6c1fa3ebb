"""The bytes of a finished log in a few rooms of memory, each filled with whole lines in turn.

Nothing is copied on the way: the system reads into a room, the hash and the block scan look at
it where it stands, in this process or in another that shares it.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

SIZE = 5 << 19
"""Bytes of a room: what a room costs beside its lines is paid seldom, and memory is little."""
MARGIN = 520
"""Bytes behind them that a look at the last line may reach into."""
FIRST = 1 << 20
"""Bytes of the first: it is read by one process, in small parts, and brings what is to know."""
NEAR = 1 << 18
"""Bytes of a room that may be left for the next, so that it ends where that is better."""
ROOMS = 4
"""One that is folded, those that two processes examine meanwhile, and one that waits for the first
of them to be done. `Digest` counts on three: a room is filled again when no more than two pieces
may wait to be hashed."""


class Source(Protocol):
    """Where the bytes come from."""

    def readinto(self, room: memoryview, /) -> int:
        """Puts the next bytes into the room; returns how many, 0 at the end."""


class Filled(NamedTuple):
    """A room full of lines.

    Attributes:
        room: The memory; it has `MARGIN` more bytes.
        place: Which of the rooms.
        offset: Byte offset of the first byte in the log.
        size: Bytes. They end with a newline, unless the log ends, or a line is longer.
        fresh: What was just read: the last of them, and the beginning of a line behind them.
    """

    room: mmap.mmap
    place: int
    offset: int
    size: int
    fresh: memoryview


def filled(
    source: Source,
    rooms: list[mmap.mmap],
    offset: int = 0,
    mark: Callable[[], bytes] = bytes,
) -> Iterator[Filled]:
    """Yields the log room by room.

    A room is filled again when all but three later ones were asked for.

    Args:
        source: The log's bytes.
        rooms: Made by `rooms`.
        offset: Byte offset of the first that will come.
        mark: Gives what stands in the line after which a room had better end; empty for any line.
    """
    carry, index, most = b"", 0, FIRST
    while True:
        room = rooms[index]
        view = memoryview(room)
        view[: len(carry)] = carry
        size = len(carry)
        read = source.readinto(view[size:most])
        end = size + read
        fresh = view[size:end]
        if not read:
            if size:
                yield Filled(room, index, offset, size, fresh)
            return
        whole = room.rfind(b"\n", 0, end) + 1 or (end if end == SIZE else 0)
        most = SIZE
        whole = _behind(mark(), room, whole) or whole
        carry = bytes(view[whole:end])
        yield Filled(room, index, offset, whole, fresh)
        offset += whole
        index = (index + 1) % len(rooms)


def _behind(mark: bytes, room: mmap.mmap, end: int) -> int:
    """Where the last line with the mark ends; 0 where there is none near the end."""
    at = room.rfind(mark, max(end - NEAR, 0), end) if mark else -1
    return 0 if at < 0 else room.find(b"\n", at + len(mark) - 1, end) + 1


def rooms() -> list[mmap.mmap]:
    """Memory that a process forked later shares; it takes none until it is filled."""
    return [mmap.mmap(-1, SIZE + MARGIN) for _ in range(ROOMS)]
