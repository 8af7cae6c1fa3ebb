"""Reads a log that grows into a session."""

from __future__ import annotations

import math
import threading
from functools import cached_property
from typing import TYPE_CHECKING

from sixdim.metrics.values.settings import Reference
from sixdim.parsers.input.follow import Piece
from sixdim.parsers.input.stream import follow, is_pipe
from sixdim.parsers.input.waker import Waker
from sixdim.parsers.reader.latest import LatestLines
from sixdim.tui.base.clock import Clock
from sixdim.tui.session.live.log_on_disk import LogOnDisk
from sixdim.tui.session.live.silence import Silence
from sixdim.tui.session.live.stated_end import LATEST_LINES
from sixdim.tui.session.request import Request

if TYPE_CHECKING:
    from sixdim.tui.session.session import Session


class FollowedLog:
    """A log that one thread reads into a session, which others use under `lock`.

    Args:
        path: The log; see `LiveFeed`.
        name: The log's name on the screen.
        request: How the log is read and scored.
        clock: Time.
        events: Whether to use file system events.
        stdin: The descriptor of standard input.
        keep: How many of the latest lines the session holds.

    Attributes:
        lock: Is held while the session is used.
        waker: Wakes the reading thread.
        file: The present file of the log.
        stopped: Whether the rest of the log is read without waiting.
        silence: The time since the log grew.
        restarts: How often reading began anew, as the log was replaced or truncated.
        restarted: When it last did.
        behind: Number of bytes that are written and not read.
        unread: Why a pipe was not read to its end, or gave nothing; empty if it was.
    """

    def __init__(
        self,
        path: str,
        name: str,
        request: Request,
        clock: Clock,
        *,
        events: bool,
        stdin: int,
        keep: int,
    ) -> None:
        self._path = path
        self._name = name
        self._request = request
        self._repeats = request.settings.repeats
        self._clock = clock
        self._keep = keep
        self.lock = threading.Lock()
        self.waker = Waker(path, clock.monotonic, events=events and not is_pipe(path))
        self._tail = follow(path, self.waker.wake, clock.monotonic, stdin)
        self.file = LogOnDisk(path, self._tail)
        self.silence = Silence(clock.monotonic)
        self.stopped = threading.Event()
        self._paused_until = 0.0
        self.restarts, self.restarted = 0, -math.inf
        self.behind = 0
        self.unread = ""

    @cached_property
    def session(self) -> Session:
        """Is used under the lock; made by the reading thread, as formats take time to load."""
        return self._new_session()

    def _new_session(self) -> Session:
        session = self._request.session(self._path, self._keep)
        if self._keep < LATEST_LINES:
            session.interpreter.recent = LatestLines(LATEST_LINES)
        return session

    @property
    def why_no_card(self) -> str:
        """Why there is no card: no such run, or an empty pipe; read under the lock."""
        empty = "" if self.session.interpreter.size else self.unread
        return empty or self.session.lacks_run

    def over(self) -> Session:
        """Returns the session, or a copy of it whose input has ended if the run is over."""
        failed = bool(self.silence.broken(self.session.visible_run))
        return self.session.over(silent=self.silence.long(), failed=failed)

    def compare_with(self, runs: tuple[Reference, ...]) -> None:
        """Sets other runs that are repeats of this one, besides those of the request."""
        repeats = (*self._repeats, *runs)
        with self.lock:
            settings = self._request.settings._replace(repeats=repeats)
            self._request = self._request._replace(settings=settings)  # for a log read anew
            self.session.settings = self.session.settings._replace(repeats=repeats)
        self.waker.wake()

    def pause(self, seconds: float) -> None:
        """Pauses reading between two pieces, as long as the log is not read to its end."""
        self._paused_until = max(self._paused_until, self._clock.monotonic() + seconds)

    def read(self, budget: float) -> tuple[bool, Piece]:
        """Reads what was written, for at most so many seconds; returns whether there was anything.

        What is written meanwhile is read the next time: to follow a fast writer closely would
        read a few lines at a time, all the time.
        """
        begin, grew = self._clock.monotonic(), False
        while True:
            piece = self._look()
            grew = grew or bool(piece.data)
            if piece.behind and (moment := self._paused_until - self._clock.monotonic()) > 0:
                self.stopped.wait(moment)
            if not piece.behind or self._clock.monotonic() - begin > budget:
                return grew, piece

    def _look(self) -> Piece:
        piece = self._tail.look()
        self.behind = piece.behind
        with self.lock:
            if piece.restarted:
                self._begin_again()
            if piece.data:
                self.file.note(self.session.interpreter)
                self.session.follow(piece)
            if piece.ended:
                self.session.end()
                empty = "" if self.session.interpreter.size else f"{self._name} is empty"
                self.unread = piece.trouble or empty
        if piece.data:
            self.silence.note_growth(self.file.age(self._clock.wall_us()))
        return piece

    def _begin_again(self) -> None:
        self.session = self._new_session()
        self.restarts += 1
        self.restarted = self._clock.monotonic()
        self.silence.begin_again()

    def unchanged(self) -> bool:
        """Returns whether the log still has the bytes that were read."""
        return self._tail.unchanged()

    def read_anew_if_changed(self) -> None:
        """Reads a log anew that was overwritten, so that its last card is of its present bytes."""
        if not self.unchanged():
            while self._look().data:
                pass

    def stop(self) -> None:
        """Ends all waiting; the rest of the log can be read."""
        self.stopped.set()
        self.waker.stop()

    def close(self) -> None:
        """Closes the log."""
        self._tail.close()
