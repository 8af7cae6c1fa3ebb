"""Waits for changes of a growing log: by events while it is quiet, by polling while it is busy.

inotify is fast but sends no events on network file systems, also sends those of sixdim's own reads,
and its instances may be used up; the `stat` of one file costs next to nothing.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from sixdim.parsers.text.lines import label

if TYPE_CHECKING:
    from watchdog.events import FileSystemEventHandler
    from watchdog.observers.api import BaseObserver


class Waker:
    """Waits for the log to change: file system events while it is quiet, polling while busy.

    Args:
        path: The log.
        heartbeat: Longest wait in seconds; the log is looked at even if no event came.
        events: Whether to use file system events at all.
        clock: Monotonic seconds.

    Attributes:
        trouble: Why there are no events; empty if there are.
    """

    SPELL = 1.0
    BUSY_FROM = 20
    """The log is busy once this many looks of one spell have found new bytes, until fewer than
    half of the looks of a spell find any."""

    def __init__(
        self, path: str, clock: Callable[[], float], heartbeat: float = 0.5, events: bool = True
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
        """Begins to watch for events; without them the log is polled."""
        if self._events:
            self._arm()

    def stop(self) -> None:
        """Ends the watch, and makes `wait` return."""
        self._disarm()
        self._changed.set()

    def wake(self) -> None:
        """Makes `wait` return; called from another thread."""
        self._changed.set()

    def wait(self, grew: bool, at_most: float | None = None, poll: float = 0.1) -> None:
        """Waits until the log may have changed.

        Args:
            grew: Whether the last look found new bytes.
            at_most: Seconds after which to return anyway; the heartbeat by default.
            poll: The same while the log is busy: no more often than a screen is updated.
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
    """Returns a handler of changes of this one log, which ignores the events of its reading."""
    from watchdog.events import FileSystemEvent, FileSystemEventHandler

    wanted = {str(path), os.fsencode(path)}

    class Handler(FileSystemEventHandler):
        def on_any_event(self, event: FileSystemEvent) -> None:
            if event.event_type in ("modified", "created", "moved", "deleted") and (
                event.src_path in wanted or event.dest_path in wanted
            ):
                changed.set()

    return Handler()
