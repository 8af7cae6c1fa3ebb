"""The hash of a large piece of a log, which another core works out while the piece is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from hashlib import _Hash


_Event = TypeVar("_Event")


def hashed(digest: _Hash, data: bytes | memoryview, events: Iterator[_Event]) -> Iterator[_Event]:
    """The events of some bytes, which are in the digest once the last event was taken."""
    from threading import Thread  # a small log does without

    hashing = Thread(target=digest.update, args=(data,))
    hashing.start()
    try:
        yield from events
    finally:
        hashing.join()
