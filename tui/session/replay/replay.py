"""The replay feed: a finished log played on its own clock."""

import threading
from bisect import bisect_right
from collections.abc import Callable

from sixdim.metrics.dimensions.telemetry.telemetry_figures import Telemetry
from sixdim.parsers.input.source import base_name
from sixdim.tui.base.errors import UserError
from sixdim.tui.base.pacing import PERIOD
from sixdim.tui.search.text import FileText, LogText
from sixdim.tui.session.card_writer import CardWriter
from sixdim.tui.session.live.feed import KEEP_LINES, MOVE, Feed, Frame
from sixdim.tui.session.replay.player import Player
from sixdim.tui.session.replay.recorded_log import Recorded
from sixdim.tui.session.replay.timeline import Timeline
from sixdim.tui.session.request import Request
from sixdim.tui.session.session import Session

_AFTER_THE_LOG = "the readings are assigned to epochs once the whole log is read"
FASTEST, SLOWEST = 100_000.0, 0.125
USUAL = 60.0
"""The pace after a step back from the end that `--speed max` jumped to."""


class ReplayFeed(Feed):
    """Plays a finished log; see `tui.session.live.feed.Feed`.

    Args:
        path: The log.
        request: What to score and how.
        clock: Monotonic seconds.
        speed: Times the log's own pace; None jumps to the result.
        json_path: Where the card of the whole log is written; None to write it only when it is
            asked for.
        unpacking: Called with how many bytes of a compressed log are unpacked so far.

    Attributes:
        writer: Writes the card.
        lacks_run: Why the whole log lacks the chosen run; empty before all of it was read.
    """

    controls = frozenset({MOVE})

    def __init__(
        self,
        path: str,
        request: Request,
        clock: Callable[[], float],
        speed: float | None = 60.0,
        json_path: str | None = None,
        unpacking: Callable[[int], None] = lambda size: None,
    ) -> None:
        self._path = path
        self.writer = CardWriter(base_name(path), json_path)
        self.lacks_run = ""
        self._message = ""
        self._request = request
        self._clock = clock
        self._speed = speed
        self._readings = request.readings(path)
        self._telemetry = Telemetry(reason=_AFTER_THE_LOG) if self._readings.source else Telemetry()
        self._log = Recorded(path, unpacking)
        self._player: Player | None = None
        self._seconds = 0.0
        self._first_move: Callable[[Timeline], None] | None = None
        self._paused = False
        self._stop = threading.Event()
        self._changed = threading.Event()
        self._lock = threading.RLock()
        self._publish: Callable[[Frame], None] = lambda frame: None
        self._progress_at = 0.0
        self._thread: threading.Thread | None = None

    def start(self, publish: Callable[[Frame], None]) -> None:
        """See `Feed.start`."""
        self._publish = publish
        self._thread = threading.Thread(target=self._run, name="sixdim-replay", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """See `Feed.stop`."""
        self._stop.set()
        self._changed.set()
        if self._thread is not None:
            self._thread.join(timeout=5.0)
        self._log.close()

    def export(self) -> str:
        """See `Feed.export`."""
        with self._lock:
            if self._player is None:
                raise UserError("the log is still being read")
            if lacks_run := self._player.session.lacks_run:
                raise UserError(lacks_run)
            card = self._player.session.card()
        said = self.writer.write(card)
        return said + ("" if card.run_end else " (provisional: not at the end)")

    def log_text(self) -> LogText:
        """See `Feed.log_text`."""
        return FileText(self._log.duplicate())

    def toggle_pause(self) -> None:
        """See `Feed.toggle_pause`."""
        with self._lock:
            self._paused = not self._paused
        self._changed.set()

    def step(self, epochs: int) -> None:
        """See `Feed.step`."""

        def move(time: Timeline) -> None:
            marks = [m.seconds for m in time.marks]
            here = bisect_right(marks, self._seconds + 1e-9) - 1
            self._seconds = marks[max(0, min(here + epochs, len(marks) - 1))]
            self._speed = self._speed or USUAL

        self._move(move)

    def change_speed(self, factor: float) -> None:
        """See `Feed.change_speed`."""
        with self._lock:
            now = self._speed if self._speed is not None else FASTEST
            self._speed = max(SLOWEST, min(now * factor, FASTEST))
        self._changed.set()

    def go_to_epoch(self, label: int) -> None:
        """See `Feed.go_to_epoch`."""

        def move(time: Timeline) -> None:
            marks = time.marks
            ends = {m.epoch: marks[i + 1].seconds for i, m in enumerate(marks[:-1])}
            labels = [epoch for epoch in ends if epoch is not None]
            if labels:
                self._seconds = ends[min(labels, key=lambda known: abs(known - label))]
                self._speed = self._speed or USUAL

        self._move(move)

    def go_to_end(self) -> None:
        """See `Feed.go_to_end`."""

        def move(time: Timeline) -> None:
            self._seconds = time.duration

        self._move(move)

    def _move(self, move: Callable[[Timeline], None]) -> None:
        """Moves to a place, or does so once all of the log is read: the last place counts."""
        with self._lock:
            if self._player is None:
                self._first_move = move
            else:
                move(self._player.time)
        self._changed.set()

    def _fresh(self) -> Session:
        session = self._request.session(self._path, KEEP_LINES)
        session.telemetry = self._telemetry
        session.readings = self._telemetry.latest()
        session.telemetry_note = self._readings.source
        return session

    def _run(self) -> None:
        self._progress_at = self._clock()
        player = Player(self._log, self._fresh, self._index_progress)
        if self._stop.is_set():
            return
        try:
            self._telemetry = self._readings.telemetry(player.session.run)
        except UserError as error:  # no answer of a server: the log is displayed without readings
            self._telemetry = Telemetry(reason=str(error))
        player.set_telemetry(self._telemetry)
        clock = player.time.clock
        self._message = "" if clock == "log clock" else clock
        self.lacks_run = player.session.lacks_run
        if not self.lacks_run:
            self.writer.write_last(player.session)
        self._message = self.lacks_run or self.writer.trouble or self._message
        with self._lock:
            self._player = player
            if self._speed is None:
                self._seconds = player.time.duration
            if self._first_move is not None:
                self._first_move(player.time)
        published: Frame | None = None
        last = self._clock()
        while not self._stop.is_set():
            now = self._clock()
            with self._lock:
                self._advance(now - last)
                frame = self._frame()
                idle = self._paused or self._seconds >= self._player.time.duration
            last = now
            if frame != published:
                self._publish(frame)
                published = frame
            # Nothing changes while paused or at the end: sleep until a key is pressed.
            self._changed.wait(None if idle else PERIOD)
            if idle:
                last = self._clock()
            self._changed.clear()

    def _index_progress(self, share: float) -> bool:
        """Publishes the progress of the first reading; returns whether to go on."""
        now = self._clock()
        if now - self._progress_at >= PERIOD:
            self._progress_at = now
            self._publish(self._frame_of(self._fresh(), catching_up=share))
        return not self._stop.is_set()

    def _advance(self, passed: float) -> None:
        assert self._player is not None
        time = self._player.time
        if not self._paused and self._speed is not None:
            self._seconds = min(self._seconds + passed * self._speed, time.duration)
        if self._seconds >= time.duration:
            self._player.go(self._log.size)
        else:
            self._player.go(self._player.line_end(time.offset_at(self._seconds)))

    def _frame(self) -> Frame:
        assert self._player is not None
        return self._frame_of(self._player.session, self._message)

    def _frame_of(
        self, session: Session, message: str = "", catching_up: float | None = None
    ) -> Frame:
        return Frame(
            session.snapshot(),
            tuple(session.interpreter.recent),
            mode="replay",
            paused=self._paused,
            speed=self._speed,
            message=message,
            catching_up=catching_up,
            references=session.references,
        )
