"""The live feed: makes frames of a growing log and the GPUs, on a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from sixdim.metrics.values.card import Card
from sixdim.metrics.values.settings import Reference
from sixdim.parsers.input.follow import Piece
from sixdim.parsers.input.source import base_name
from sixdim.parsers.text.lines import label
from sixdim.tui.base.clock import Clock
from sixdim.tui.base.errors import UserError
from sixdim.tui.base.pacing import FramePace
from sixdim.tui.search.text import LogText
from sixdim.tui.session.card_writer import CardWriter
from sixdim.tui.session.live.feed import KEEP_LINES, Feed, Frame
from sixdim.tui.session.live.followed_log import FollowedLog
from sixdim.tui.session.live.frames import Frames
from sixdim.tui.session.live.gpus import Gpus
from sixdim.tui.session.live.hooks import Hooks
from sixdim.tui.session.request import Request

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
        self.name = name or base_name(path)
        self._clock = clock
        self._gpus = gpus
        self._log = FollowedLog(
            path, self.name, request, clock, events=events, stdin=stdin, keep=keep
        )
        self._publish: Callable[[Frame], None] = lambda frame: None
        self._thread: threading.Thread | None = None
        self._message = ""
        self._frames = Frames(self.name, self._log.silence, clock.monotonic)
        self.writer = CardWriter(self.name, json_path)
        self.hooks = Hooks(commands or {}, path, self.writer.path, self.export)
        self.latest: Frame | None = None
        self.fault: Exception | None = None

    def start(self, publish: Callable[[Frame], None]) -> None:
        """See `Feed.start`."""
        self._publish = publish
        self._gpus.start(self._log.waker.wake)
        self._thread = threading.Thread(target=self._run, name="sixdim-monitor", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Reads the rest, ends the feed and, if a card file was asked for, writes the final card.

        A feed that never started, or has not read all of the log, writes none, so an earlier card
        stays as it is.
        """
        log, thread = self._log, self._thread
        log.stop()
        if thread is not None:
            thread.join(timeout=5.0)
            if not thread.is_alive() and self.fault is None:
                log.read_anew_if_changed()
        self._gpus.stop()
        log.close()
        if thread is None:
            return
        if log.behind:
            self.writer.refuse()
            return
        with log.lock:
            log.session.end()
            self._gpus.finish(log.session)
            if not log.why_no_card:
                self.writer.write_last(log.session)

    def compare_with(self, runs: tuple[Reference, ...]) -> None:
        """Sets other runs that are repeats of this one, besides those of the request."""
        self._log.compare_with(runs)

    def card(self) -> Card:
        """Returns the card as of now."""
        with self._log.lock:
            return self._log.session.card()

    @property
    def no_card(self) -> str:
        """Why there is no card: no such run, or an empty pipe; empty if the feed never started."""
        if self._thread is None:
            return ""
        with self._log.lock:
            return self._log.why_no_card

    @property
    def feeds(self) -> tuple[LiveFeed, ...]:
        """The feeds of all logs, as of `ManyFeed`: this one."""
        return (self,)

    @property
    def unread(self) -> str:
        """Why a pipe was not read to its end, or gave nothing; empty if it was."""
        return self._log.unread

    def visible_card(self) -> Card:
        """Returns the card as a screen shows it: a provisional one while no format is chosen."""
        with self._log.lock:
            return self._log.over().snapshot().card

    def export(self) -> str:
        """See `Feed.export`."""
        if why := self.no_card:
            raise UserError(why)
        with self._log.lock:
            card = self._log.over().card()
        goes_on = card.run_end is None and not card.frozen
        return self.writer.write(card) + " (provisional: the run goes on)" * goes_on

    def log_text(self) -> LogText:
        """See `Feed.log_text`."""
        return self._log.file.text()

    def pause_reading(self, seconds: float) -> None:
        """See `Feed.pause_reading`."""
        self._log.pause(seconds)

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
        log = self._log
        log.waker.start()
        published: Frame | None = None
        pace = FramePace()
        while not log.stopped.is_set():
            grew, piece = self._read(BUDGET)
            if not piece.behind:  # a reading made now does not belong to an epoch read late
                with log.lock:
                    self._gpus.collect(log.session)
            now = self._clock.monotonic()
            was_behind = published is not None and published.catching_up is not None
            caught_up = was_behind and not piece.behind
            wait = None if caught_up else pace.wait(now, log.session.interpreter.lines)
            if wait is None and (frame := self._frame(piece)) != published:
                self._show(frame)
                published = frame
                pace.note(now, self._clock.monotonic(), frame.snapshot.lines)
            with log.lock:
                due = not log.why_no_card
                card = self.writer.due(log.session, quiet=not grew) if due else None
            if card is not None and log.unchanged():  # else it is read anew next
                self._message = self.writer.write_by_itself(card)
            if not piece.behind:
                log.waker.wait(grew, wait, pace.poll)
        if not log.behind:  # what was written since the last look is on the last card, too
            grew, piece = self._read(LAST_BUDGET)
            if grew:
                self._show(self._frame(piece))

    def _read(self, budget: float) -> tuple[bool, Piece]:
        """As `FollowedLog.read`; if that began anew, so do the card and the messages."""
        restarts = self._log.restarts
        grew, piece = self._log.read(budget)
        if self._log.restarts != restarts:
            self.writer.begin_again()
            self._message = ""
        return grew, piece

    def _frame(self, piece: Piece) -> Frame:
        log = self._log
        self._message = self.hooks.news() or self._message
        restarted = self._clock.monotonic() - log.restarted < RESTART_S
        message = self._message or (RESTART if restarted else "")
        with log.lock:
            return self._frames.frame(log.session, piece, log.restarts, message, log.why_no_card)
