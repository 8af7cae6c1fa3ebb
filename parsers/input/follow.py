"""A log that still grows: new bytes, truncation, rotation, and bytes that were rewritten."""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol
from zlib import crc32

from sixdim.parsers.text.lines import label

CHUNK = 1 << 20
_HEAD = 64
_LAST = 256
_CHECK_PERIOD = 5.0
"""Least seconds between the beginnings of two checks of all that was read."""
_CHECK_PIECE = 16 << 20
"""Largest number of bytes that one look checks."""


class Piece(NamedTuple):
    """The result of one look at the log.

    Attributes:
        data: New bytes, in order; empty when there are none.
        restarted: The file was truncated or replaced: these bytes begin a new stream.
        behind: Bytes that are known to be there and not yet read.
        trouble: Why the log cannot be read now; empty when it can.
        ended: No byte will follow: a stream's writer closed it. A file never ends.
    """

    data: bytes = b""
    restarted: bool = False
    behind: int = 0
    trouble: str = ""
    ended: bool = False


class Follower(Protocol):
    """A log that is read as it comes.

    Attributes:
        identity: Device and inode of the file that is read now; None for a pipe, or no file yet.
    """

    identity: tuple[int, int] | None

    def look(self) -> Piece:
        """Returns what there is now; never waits, and raises no error of the file system."""

    def unchanged(self) -> bool:
        """Returns whether the file still holds all that was read; else the next look begins anew.

        It reads all of it again: call it before a final statement about the log.
        """

    def close(self) -> None:
        """Gives the file or stream back; harmless when repeated."""


class _Check(NamedTuple):
    """The bytes and CRC-32 of the part that is checked, and of all that was read."""

    done: tuple[int, int]
    whole: tuple[int, int]


class Tail:
    """Reads a growing file from its first byte, through rotation and truncation.

    A rotation by rename goes on in the new file once the old one is drained (the old inode
    still has a name); a replaced or truncated file starts a new stream. So does an
    overwritten file: while it grows, its first and last bytes are compared; when it changes
    without growing, all of it is compared, one piece at each look.

    Args:
        path: The log; it need not exist yet.
        clock: Monotonic seconds.
    """

    def __init__(self, path: str, clock: Callable[[], float]) -> None:
        self.path = Path(path)
        self._clock = clock
        self._descriptor: int | None = None
        self.identity: tuple[int, int] | None = None
        self._head = b""
        self._last = b""
        self._changed_ns = 0
        self._position = 0
        self._crc = 0
        self._restarted = False
        self._doubted = False
        self._check: _Check | None = None
        self._checked_at = -_CHECK_PERIOD

    def look(self) -> Piece:
        """Reads at most one chunk; raises no error of the file system."""
        try:
            return self._look()
        except OSError as error:
            self.close()
            reason = label(error.strerror or error)
            return Piece(trouble=f"cannot read {label(self.path.name)}: {reason}")

    def unchanged(self) -> bool:
        """See `Follower.unchanged`."""
        self._check = self._whole_check()
        try:
            while self._check is not None:
                self._check_piece()
        except OSError:  # what cannot be read now may be read by the next look
            self._check = None
        return not self._restarted

    def close(self) -> None:
        """Lets the file go; the next look opens it again where it was."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _look(self) -> Piece:
        if self._descriptor is None and not self._open():
            return Piece(trouble=f"waiting for {label(self.path.name)}{self._no_folder()}")
        assert self._descriptor is not None
        status = os.fstat(self._descriptor)
        size, touched = status.st_size, status.st_mtime_ns != self._changed_ns
        self._changed_ns = status.st_mtime_ns
        if size < self._position or ((size > self._position or touched) and self._rewritten()):
            self._begin_again()
        elif touched and size == self._position:
            self._doubted = True
        self._check_when_doubted()
        data = os.pread(self._descriptor, CHUNK, self._position)
        if not data and self._has_successor():
            # The program may have written after the first read and before the rename.
            data = os.pread(self._descriptor, CHUNK, self._position)
            if not data and self._move_on():
                return self._look()
        self._advance(data)
        if data and self._position > size:  # written since the look: nothing else changed
            self._changed_ns = os.fstat(self._descriptor).st_mtime_ns
        restarted, self._restarted = self._restarted, False
        return Piece(data, restarted, max(0, size - self._position))

    def _no_folder(self) -> str:
        """Says that not even the log's folder exists: the path may be mistyped."""
        return "" if self.path.parent.is_dir() else " (no such folder)"

    def _advance(self, data: bytes) -> None:
        """Remembers the first and the last bytes that were read."""
        if self._position < _HEAD:
            self._head += data[: _HEAD - self._position]
        self._last = (self._last + data[-_LAST:])[-_LAST:]
        self._position += len(data)
        self._crc = crc32(data, self._crc)

    def _open(self) -> bool:
        try:
            # O_NONBLOCK: a FIFO without a writer must not hold the monitor.
            descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except FileNotFoundError:
            return False
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            os.close(descriptor)
            raise IsADirectoryError(21, "it is a folder: name the log inside it")
        if not stat.S_ISREG(status.st_mode):
            os.close(descriptor)
            raise OSError(22, "it is a pipe or device now: start the watch again to read it")
        identity = (status.st_dev, status.st_ino)
        if self.identity is not None and identity != self.identity:
            self._begin_again()
        self._descriptor, self.identity = descriptor, identity
        return True

    def _begin_again(self) -> None:
        self._at_first_byte()
        self._restarted = True

    def _at_first_byte(self) -> None:
        self._position, self._crc, self._head, self._last = 0, 0, b"", b""
        self._doubted, self._check = False, None

    def _check_when_doubted(self) -> None:
        """Goes on with a check of what was read, or begins one where it is time."""
        now = self._clock()
        if self._check is None and self._doubted and now - self._checked_at >= _CHECK_PERIOD:
            self._doubted, self._checked_at = False, now
            self._check = self._whole_check()
        self._check_piece()

    def _whole_check(self) -> _Check:
        return _Check((0, 0), (self._position, self._crc))

    def _check_piece(self) -> None:
        """Compares some more of the file with what was read; begins again where they differ."""
        if self._check is None or self._descriptor is None:
            self._check = None
            return
        (begin, crc), (size, _) = self._check
        stop = min(size, begin + _CHECK_PIECE)
        while begin < stop:
            data = os.pread(self._descriptor, min(CHUNK, stop - begin), begin)
            if not data:
                break
            begin, crc = begin + len(data), crc32(data, crc)
        short = begin < stop
        self._check = self._check._replace(done=(begin, crc))
        if short or (begin == size and self._check.done != self._check.whole):
            self._begin_again()
        elif begin == size:
            self._check = None

    def _rewritten(self) -> bool:
        """Returns whether bytes that were read have changed.

        The file shrank and grew between two looks.
        Two runs of one script begin alike, so the last bytes that were read are compared, too.
        """
        assert self._descriptor is not None
        begin = self._position - len(self._last)
        return (
            os.pread(self._descriptor, len(self._head), 0) != self._head
            or os.pread(self._descriptor, len(self._last), begin) != self._last
        )

    def _has_successor(self) -> bool:
        """Returns whether the path names another file by now.

        An empty one does not count after a rename: until the program that writes the log has opened
        it, its lines go on in the old file.
        """
        assert self._descriptor is not None
        mine = os.fstat(self._descriptor)
        try:
            named = self.path.stat()
        except FileNotFoundError:
            return False
        other = (named.st_dev, named.st_ino) != (mine.st_dev, mine.st_ino)
        return other and (named.st_size > 0 or mine.st_nlink == 0)

    def _move_on(self) -> bool:
        """Opens the file that the path names now; returns False if it is missing."""
        assert self._descriptor is not None
        renamed = os.fstat(self._descriptor).st_nlink > 0
        self.close()
        if renamed:  # by a rotation, not replaced: the same stream goes on
            self.identity = None
            self._at_first_byte()
        return self._open()
