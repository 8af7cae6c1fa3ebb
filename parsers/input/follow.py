"""A log that still grows: new bytes, truncation, rotation, and what wakes the reader.

Events wake, a heartbeat guarantees: inotify is fast and is silent on network file systems,
raises events for our own reads, and can be exhausted; a `stat` of one file costs nothing.
"""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from sixdim.parsers.text.lines import label

if TYPE_CHECKING:
    from watchdog.events import FileSystemEventHandler
    from watchdog.observers.api import BaseObserver

CHUNK = 1 << 20
_HEAD = 64
_LAST = 256


class Piece(NamedTuple):
    """What one look at the log gave.

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
    """A log that is read as it comes."""

    def look(self) -> Piece:
        """What there is now; never waits and never raises for what a file system does."""

    def close(self) -> None:
        """Gives the file or stream back; harmless when repeated."""


class Tail:
    """Reads a growing file from its first byte, through rotation and truncation.

    A rotation by rename goes on in the new file once the old one is drained (the old inode
    still has a name); a replaced or truncated file starts a new stream.
    """

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self._descriptor: int | None = None
        self._identity: tuple[int, int] | None = None
        self._head = b""
        self._last = b""
        self._changed_ns = 0
        self._position = 0
        self._restarted = False

    def look(self) -> Piece:
        """Reads at most one chunk; never raises for what a file system does."""
        try:
            return self._look()
        except OSError as error:
            self.close()
            reason = label(error.strerror or error)
            return Piece(trouble=f"cannot read {label(self.path.name)}: {reason}")

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
        data = os.pread(self._descriptor, CHUNK, self._position)
        if not data and self._moved_on():
            return self._look()
        self._advance(data)
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
        if self._identity is not None and identity != self._identity:
            self._begin_again()
        self._descriptor, self._identity = descriptor, identity
        return True

    def _begin_again(self) -> None:
        self._position, self._head, self._last, self._restarted = 0, b"", b"", True

    def _rewritten(self) -> bool:
        """Whether what was read changed: truncated and grown to or past us between two looks.

        Two runs of one script begin alike, so the last bytes before us are compared too.
        """
        assert self._descriptor is not None
        begin = self._position - len(self._last)
        return (
            os.pread(self._descriptor, len(self._head), 0) != self._head
            or os.pread(self._descriptor, len(self._last), begin) != self._last
        )

    def _moved_on(self) -> bool:
        """Opens the next file when the name now stands for another and this one is drained."""
        assert self._descriptor is not None
        mine = os.fstat(self._descriptor)
        try:
            named = self.path.stat()
        except FileNotFoundError:
            return False
        if (named.st_dev, named.st_ino) == (mine.st_dev, mine.st_ino):
            return False
        self.close()
        if mine.st_nlink > 0:  # renamed by a rotation, not replaced: the same stream goes on
            self._identity, self._position, self._head, self._last = None, 0, b"", b""
        return self._open()


class Waker:
    """Waits for the log to change: file system events while it is quiet, polling while busy.

    Args:
        path: The log.
        heartbeat: Longest wait in seconds; the log is looked at even if no event came.
        events: Whether to use file system events at all.
        clock: Monotonic seconds.

    Attributes:
        trouble: Why there are no events, where there are none.
    """

    SPELL = 1.0
    BUSY_FROM = 20
    """Looks in one spell that found new bytes: from so many on the log is busy, until fewer than
    half of the looks of a spell find any."""

    def __init__(
        self,
        path: str,
        clock: Callable[[], float],
        heartbeat: float = 0.5,
        events: bool = True,
    ) -> None:
        self._path = Path(path).absolute()
        self._heartbeat = heartbeat
        self._events = events
        self._clock = clock
        self._changed = threading.Event()
        self._observer: BaseObserver | None = None
        self._spell = clock()
        self._looks = 0
        self._changes = 0
        self._busy = False
        self.trouble = ""

    def start(self) -> None:
        """Begins to watch for events; without them the heartbeat alone serves."""
        if self._events:
            self._arm()

    def stop(self) -> None:
        """Ends the watch and whoever waits."""
        self._disarm()
        self._changed.set()

    def wake(self) -> None:
        """Wakes the waiting reader from another thread."""
        self._changed.set()

    def wait(self, grew: bool, at_most: float | None = None, poll: float = 0.1) -> None:
        """Waits until the log may have changed.

        Args:
            grew: Whether the last look found new bytes.
            at_most: Seconds after which to return anyway; the heartbeat by default.
            poll: The same while the log is busy: looking more often than something is made of
                what is found costs and tells nobody anything.
        """
        self._pace(grew)
        longest = self._heartbeat if at_most is None else at_most
        self._changed.wait(min(longest, poll) if self._busy else longest)
        self._changed.clear()

    def _pace(self, grew: bool) -> None:
        """Decides between events and polling.

        watchdog reads and wraps every event: at 10,000 writes a second it costs more than the
        whole monitor, so a busy log is polled instead.
        """
        self._looks += 1
        self._changes += grew
        if self._changes >= self.BUSY_FROM and not self._busy:
            self._busy = True
            self._disarm()
        now = self._clock()
        if now - self._spell < self.SPELL:
            return
        if 2 * self._changes < self._looks:
            self._busy = False
            if self._events and self._observer is None:
                self._arm()
        self._spell, self._looks, self._changes = now, 0, 0

    def _arm(self) -> None:
        try:
            from watchdog.observers import Observer

            _quieten_watchdog()
            observer = Observer()
            observer.schedule(_handler(self._path, self._changed), str(self._path.parent))
            observer.daemon = True
            observer.start()
        except (OSError, RuntimeError) as error:
            # No inotify instances or watches left, or no such folder yet.
            self.trouble = f"no file system events ({label(error)}): looking twice a second"
            self._events = isinstance(error, FileNotFoundError)
            return
        self._observer = observer
        self.trouble = ""

    def _disarm(self) -> None:
        observer, self._observer = self._observer, None
        if observer is not None:
            observer.stop()
            if observer.is_alive() and observer is not threading.current_thread():
                observer.join(timeout=1.0)


def _quieten_watchdog() -> None:
    """Keeps watchdog's warnings off stderr, where a screen may be, unless logging is set up.

    It warns of an event that is read while it is being stopped.
    """
    import logging

    logger = logging.getLogger("watchdog")
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())


def _handler(path: Path, changed: threading.Event) -> FileSystemEventHandler:
    """A handler that reacts to this one log; our own reads must not wake us."""
    from watchdog.events import FileSystemEvent, FileSystemEventHandler

    wanted = {str(path), os.fsencode(path)}

    class Handler(FileSystemEventHandler):
        def on_any_event(self, event: FileSystemEvent) -> None:
            if event.event_type in ("modified", "created", "moved", "deleted") and (
                event.src_path in wanted or event.dest_path in wanted
            ):
                changed.set()

    return Handler()
