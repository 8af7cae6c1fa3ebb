"""The live feed: makes frames of a growing log and the GPUs, on a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from sixdim.metrics.values.card import Card
from sixdim.metrics.values.settings import Reference
from sixdim.parsers.input.follow import Piece
from sixdim.parsers.input.source import base_name
from sixdim.parsers.input.stream import follow, is_pipe
from sixdim.parsers.input.waker import Waker
from sixdim.parsers.text.lines import label
from sixdim.tui.base.clock import Clock
from sixdim.tui.base.errors import UserError
from sixdim.tui.base.pacing import FramePace
from sixdim.tui.search.text import LogText
from sixdim.tui.session.card_writer import CardWriter
from sixdim.tui.session.live.feed import KEEP_LINES, Feed, Frame
from sixdim.tui.session.live.frames import Frames
from sixdim.tui.session.live.gpus import Gpus
from sixdim.tui.session.live.hooks import Hooks
from sixdim.tui.session.live.log_on_disk import LogOnDisk
from sixdim.tui.session.live.silence import Silence
from sixdim.tui.session.request import Request

if TYPE_CHECKING:
    from sixdim.tui.session.session import Session

BUDGET = 0.05
"""Seconds of reading between two frames while catching up."""
LAST_BUDGET = 1.0
"""Seconds in which the rest of the log is read when a watch is ended."""
RESTART = "the log was replaced or truncated: reading it anew"
RESTART_S = 10.0
"""Seconds for which that message stands."""


class LiveFeed(Feed):
    """Follows a log; see `tui.session.live.feed.Feed`.

    Args:
        path: The log; it need not exist yet. A FIFO, or `-` for standard input, is read to its
            end, which ends the input.
        request: How the log is read and scored.
        clock: Time.
        gpus: Polls the devices and journals the readings.
        json_path: Where the card is written at the freeze, at the end and at quit.
        events: Whether to use file system events.
        stdin: The descriptor of standard input.
        keep: How many of the latest lines the frames hold.
        commands: The commands of `--on`, by their events.
        name: The log's name on the screen; its base name if empty. Of several logs with one base
            name, it has their folders.

    Attributes:
        name: The log's name on the screen.
        writer: Writes the card.
        hooks: Runs the commands of `--on`.
        latest: The newest frame; None before the first.
        fault: The exception that ended the feed early; None if there was none.
        unread: Why a pipe was not read to its end, or gave nothing; empty if it was.
    """

    def __init__(
        self,
        path: str,
        request: Request,
        clock: Clock,
        gpus: Gpus,
        json_path: str | None = None,
        events: bool = True,
        stdin: int = 0,
        keep: int = KEEP_LINES,
        commands: Mapping[str, str] | None = None,
        name: str = "",
    ) -> None:
        self._path = path
        self._request = request
        self._clock = clock
        self._gpus = gpus
        self._keep = keep
        self._waker = Waker(path, clock.monotonic, events=events and not is_pipe(path))
        self._tail = follow(path, self._waker.wake, clock.monotonic, stdin)
        self._file = LogOnDisk(path, self._tail)
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._repeats = request.settings.repeats
        self._publish: Callable[[Frame], None] = lambda frame: None
        self._paused_until = 0.0
        self._thread: threading.Thread | None = None
        self._message = ""
        self._restarts = 0
        self._restarted = -RESTART_S
        self._behind = 0
        self.name = name or base_name(path)
        self.writer = CardWriter(self.name, json_path)
        self._silence = Silence(clock.monotonic)
        self._frames = Frames(self.name, self._silence, clock.monotonic)
        self.hooks = Hooks(commands or {}, path, self.writer.path, self.export)
        self.latest: Frame | None = None
        self.fault: Exception | None = None
        self.unread = ""

    @cached_property
    def _session(self) -> Session:
        """Accessed under the lock only; made by the feed's thread, as formats take time to load."""
        return self._request.session(self._path, self._keep)

    def start(self, publish: Callable[[Frame], None]) -> None:
        """See `Feed.start`."""
        self._publish = publish
        self._gpus.start()
        self._thread = threading.Thread(target=self._run, name="sixdim-monitor", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Reads the rest, ends the feed and, if a card file was asked for, writes the final card.

        A feed that never started, or has not read all of the log, writes none, so an earlier card
        stays as it is.
        """
        self._stop.set()
        self._waker.stop()
        if self._thread is not None:
            self._thread.join(timeout=5.0)
            self._read_anew_if_changed()
        self._gpus.stop()
        self._tail.close()
        if self._thread is None:
            return
        if self._behind:
            self.writer.refuse()
            return
        with self._lock:
            self._session.end()
            self._gpus.finish(self._session)
            if not self._why_no_card():
                self.writer.write_last(self._session)

    def compare_with(self, runs: tuple[Reference, ...]) -> None:
        """Sets other runs that are repeats of this one, besides those of the request."""
        repeats = (*self._repeats, *runs)
        with self._lock:
            settings = self._request.settings._replace(repeats=repeats)
            self._request = self._request._replace(settings=settings)  # for a log read anew
            self._session.settings = self._session.settings._replace(repeats=repeats)
        self._waker.wake()

    def card(self) -> Card:
        """Returns the card as of now."""
        with self._lock:
            return self._session.card()

    @property
    def no_card(self) -> str:
        """Why there is no card: no such run, or an empty pipe; empty if the feed never started."""
        if self._thread is None:
            return ""
        with self._lock:
            return self._why_no_card()

    def _why_no_card(self) -> str:
        empty = "" if self._session.interpreter.size else self.unread
        return empty or self._session.lacks_run

    def visible_card(self) -> Card:
        """Returns the card as a screen shows it: a provisional one while no format is chosen."""
        with self._lock:
            return self._over().snapshot().card

    def export(self) -> str:
        """See `Feed.export`."""
        if why := self.no_card:
            raise UserError(why)
        with self._lock:
            card = self._over().card()
        goes_on = card.run_end is None and not card.frozen
        return self.writer.write(card) + " (provisional: the run goes on)" * goes_on

    def _over(self) -> Session:
        """Returns the session, or a copy of it whose input has ended if the run is over."""
        failed = bool(self._silence.broken(self._session.visible_run))
        return self._session.over(silent=self._silence.long(), failed=failed)

    def log_text(self) -> LogText:
        """See `Feed.log_text`."""
        return self._file.text()

    def pause_reading(self, seconds: float) -> None:
        """See `Feed.pause_reading`."""
        self._paused_until = max(self._paused_until, self._clock.monotonic() + seconds)

    def _run(self) -> None:
        try:
            self._follow()
        except Exception as error:  # noqa: BLE001 - a dead thread would look like a quiet log
            self.fault = error
            said = f"stopped reading: {type(error).__name__}: {label(error, 200)}"
            self._show(self._frame(Piece(trouble=said)))

    def _show(self, frame: Frame) -> None:
        """Publishes a frame once the hooks have seen it, if it is of the run that was chosen."""
        self.latest = frame
        if not frame.no_card:
            self.hooks.look(frame)
        self._publish(frame)

    def _follow(self) -> None:
        self._waker.start()
        published: Frame | None = None
        pace = FramePace()
        while not self._stop.is_set():
            grew, piece = self._read()
            if not piece.behind:  # a reading made now does not belong to an epoch read late
                with self._lock:
                    self._gpus.collect(self._session)
            now = self._clock.monotonic()
            was_behind = published is not None and published.catching_up is not None
            caught_up = was_behind and not piece.behind
            wait = None if caught_up else pace.wait(now, self._session.interpreter.lines)
            if wait is None and (frame := self._frame(piece)) != published:
                self._show(frame)
                published = frame
                pace.note(now, self._clock.monotonic(), frame.snapshot.lines)
            with self._lock:
                due = not self._why_no_card()
                card = self.writer.due(self._session, quiet=not grew) if due else None
            if card is not None and self._tail.unchanged():  # else it is read anew next
                self._message = self.writer.write_by_itself(card)
            if not piece.behind:
                self._waker.wait(grew, wait, pace.poll)
        if not self._behind:  # what was written since the last look is on the last card, too
            grew, piece = self._read(LAST_BUDGET)
            if grew:
                self._show(self._frame(piece))

    def _read(self, budget: float = BUDGET) -> tuple[bool, Piece]:
        """Reads what was written, for at most so many seconds.

        What is written meanwhile is read the next time: to follow a fast writer closely would
        read a few lines at a time, all the time.
        """
        begin, grew = self._clock.monotonic(), False
        while True:
            piece = self._look()
            grew = grew or bool(piece.data)
            if piece.behind and (moment := self._paused_until - self._clock.monotonic()) > 0:
                self._stop.wait(moment)
            if not piece.behind or self._clock.monotonic() - begin > budget:
                return grew, piece

    def _look(self) -> Piece:
        piece = self._tail.look()
        self._behind = piece.behind
        with self._lock:
            if piece.restarted:
                self._begin_again()
            if piece.data:
                self._file.note(self._session.interpreter)
                self._session.follow(piece)
            if piece.ended:
                self._session.end()
                empty = "" if self._session.interpreter.size else f"{self.name} is empty"
                self.unread = piece.trouble or empty
        if piece.data:
            self._silence.note_growth(self._file.age(self._clock.wall_us()))
        return piece

    def _read_anew_if_changed(self) -> None:
        """Reads a log anew that was overwritten, so that its last card is of its present bytes."""
        alive = self._thread is not None and self._thread.is_alive()
        if alive or self.fault is not None or self._tail.unchanged():
            return
        while self._look().data:
            pass

    def _begin_again(self) -> None:
        self._session = self._request.session(self._path, self._keep)
        self._restarts += 1
        self._restarted = self._clock.monotonic()
        self.writer.begin_again()
        self._silence.begin_again()
        self._message = ""

    def _frame(self, piece: Piece) -> Frame:
        self._message = self.hooks.news() or self._message
        restarted = self._clock.monotonic() - self._restarted < RESTART_S
        message = self._message or (RESTART if restarted else "")
        with self._lock:
            why = self._why_no_card()
            return self._frames.frame(self._session, piece, self._restarts, message, why)
