"""The replay feed: a finished log played on its own clock.

Seeking backwards gives the state as it was, because a state is nothing but the fold of the
bytes up to a point: checkpoints shorten the way there.
"""

from __future__ import annotations

import os
import tempfile
import threading
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable
from itertools import chain

from sixdim.metrics.dimensions.telemetry_figures import Telemetry
from sixdim.metrics.values.card import dumps
from sixdim.parsers.input.source import BLOCK, LogError, base_name, blocks
from sixdim.parsers.input.stream import is_pipe
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError
from sixdim.tui.base.json_file import write_atomically
from sixdim.tui.base.log_lines import numbered
from sixdim.tui.search.text import FileText, LogText
from sixdim.tui.session.feed import REPLAY_CONTROLS, Frame
from sixdim.tui.session.monitor import KEEP_LINES
from sixdim.tui.session.options import Request
from sixdim.tui.session.session import Session
from sixdim.tui.session.timeline import Timeline, timeline

PERIOD = 0.1
CHECKPOINTS = 32
CHUNK = 1 << 16
FASTEST, SLOWEST = 100_000.0, 0.125
USUAL = 60.0
"""Pace after leaving the end that `--speed max` jumped to."""


class Recorded:
    """A finished log whose bytes can be read at any offset.

    Args:
        path: The log, compressed or not, or a pipe.
        unpacking: Called with how many bytes of it are unpacked so far.
    """

    def __init__(self, path: str, unpacking: Callable[[int], None] = lambda size: None) -> None:
        stream = blocks(path)
        first = next(stream)
        self._descriptor = _regular(path)
        plain = self._descriptor >= 0 and os.pread(self._descriptor, len(first), 0) == first
        if not plain:  # compressed, or a stream that can be read only once
            self.close()
            self._descriptor = _unpacked(chain([first], stream), unpacking)
        self.size = os.fstat(self._descriptor).st_size

    def read(self, offset: int, length: int) -> bytes:
        """Bytes from `offset`, fewer at the end."""
        return os.pread(self._descriptor, min(length, self.size - offset), offset)

    def duplicate(self) -> int:
        """Returns another descriptor of the bytes, which the caller closes."""
        return os.dup(self._descriptor)

    def close(self) -> None:
        """Closes the file."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def _regular(path: str) -> int:
    """A descriptor of the file, or -1 for what cannot be read at any offset."""
    if is_pipe(path):
        return -1
    return os.open(path, os.O_RDONLY | os.O_CLOEXEC)


def _unpacked(pieces: Iterable[bytes], unpacking: Callable[[int], None]) -> int:
    """A nameless file with the bytes: an archive may unpack to more than memory holds."""
    try:
        with tempfile.TemporaryFile(prefix="sixdim-") as file:
            for piece in pieces:
                file.write(piece)
                unpacking(file.tell())
            file.flush()
            return os.dup(file.fileno())
    except OSError as error:
        raise LogError(f"cannot unpack the log: {label(error.strerror or error)}") from error


class Player:
    """The state of a log at any of its byte offsets.

    Args:
        log: The bytes.
        fresh: Makes an empty session.
        progress: Called with the share (0..1) read while the log is indexed; its answer False ends
            the reading early.
    """

    def __init__(
        self,
        log: Recorded,
        fresh: Callable[[], Session],
        progress: Callable[[float], bool],
    ) -> None:
        self._log = log
        self._fresh = fresh
        self._points: list[tuple[int, Session]] = []
        self.session = fresh()
        self.offset = 0
        self._spacing = max(log.size // CHECKPOINTS, 1)
        while self.offset < log.size:
            self._forward(min(self.offset + CHUNK * 4, log.size))
            if not progress(self.offset / log.size):
                break
        self.session.end()
        run = self.session.run
        total = run.end.duration if run.end else None
        self.time: Timeline = timeline(run.epochs.values(), log.size, total)

    def go(self, offset: int) -> None:
        """Moves to the state after exactly that many bytes; the end also ends the input."""
        offset = max(0, min(offset, self._log.size))
        if offset < self.offset or self.session.ended:
            if offset == self._log.size and self.session.ended:
                return
            self._back(offset)
        self._forward(offset)
        if offset == self._log.size:
            self.session.end()

    def give(self, telemetry: Telemetry) -> None:
        """Hands the readings to every state: their epochs are known only from the whole log."""
        for session in (self.session, *(saved for _offset, saved in self._points)):
            session.telemetry = telemetry
            session.readings = telemetry.latest()
            if not session.readings:
                session.telemetry_note = ""  # shown only if there are no readings

    def line_end(self, offset: int) -> int:
        """The end of the last whole line within the first `offset` bytes."""
        begin = max(0, offset - CHUNK)
        cut = self._log.read(begin, offset - begin).rfind(b"\n")
        return begin + cut + 1 if cut >= 0 else offset

    def _back(self, offset: int) -> None:
        nearest = bisect_right(self._points, offset, key=lambda p: p[0])
        if nearest:
            self.offset, saved = self._points[nearest - 1]
            self.session = saved.copy()
        else:
            self.offset, self.session = 0, self._fresh()

    def _forward(self, offset: int) -> None:
        while self.offset < offset:
            data = self._log.read(self.offset, min(CHUNK, offset - self.offset))
            if not data:
                break
            self.session.feed(data)
            self.offset += len(data)
            last = self._points[-1][0] if self._points else 0
            if self.offset - last >= self._spacing and self.offset < self._log.size:
                self._points.append((self.offset, self.session.copy()))


class ReplayFeed:
    """Plays a finished log; see `tui.session.feed.Feed`.

    Args:
        path: The log.
        request: What to score and how.
        clock: Monotonic seconds.
        speed: Times the log's own pace; None jumps to the result.
        json_path: Where `export` writes the card.
        unpacking: Called with how many bytes of a compressed log are unpacked so far.
    """

    controls = REPLAY_CONTROLS

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
        self._name = base_name(path)
        self._request = request
        self._clock = clock
        self._speed = speed
        self._json_path = json_path
        self._readings = request.readings(path)
        self._telemetry = Telemetry()
        self._log = Recorded(path, unpacking)
        self._player: Player | None = None
        self._seconds = 0.0
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
            card = self._player.session.card()
        path = self._json_path or f"{self._name}.card.json"
        write_atomically(path, dumps(card))
        return f"wrote {label(path)}" + ("" if card.run_end else " (provisional: not at the end)")

    def lines(self, numbers: Collection[int]) -> tuple[tuple[int, str], ...]:
        """See `Feed.lines`."""
        offsets = range(0, self._log.size, BLOCK)
        return tuple(numbered((self._log.read(offset, BLOCK) for offset in offsets), numbers))

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
        with self._lock:
            if self._player is None:
                return
            marks = [m.seconds for m in self._player.time.marks]
            here = bisect_right(marks, self._seconds + 1e-9) - 1
            self._seconds = marks[max(0, min(here + epochs, len(marks) - 1))]
            self._speed = self._speed or USUAL
        self._changed.set()

    def change_speed(self, factor: float) -> None:
        """See `Feed.change_speed`."""
        with self._lock:
            now = self._speed if self._speed is not None else FASTEST
            self._speed = max(SLOWEST, min(now * factor, FASTEST))
        self._changed.set()

    def go_to_epoch(self, label: int) -> None:
        """See `Feed.go_to_epoch`."""
        with self._lock:
            if self._player is None:
                return
            marks = self._player.time.marks
            ends = {m.epoch: marks[i + 1].seconds for i, m in enumerate(marks[:-1])}
            labels = [epoch for epoch in ends if epoch is not None]
            if labels:
                self._seconds = ends[min(labels, key=lambda known: abs(known - label))]
                self._speed = self._speed or USUAL
        self._changed.set()

    def go_to_end(self) -> None:
        """See `Feed.go_to_end`."""
        with self._lock:
            if self._player is not None:
                self._seconds = self._player.time.duration
        self._changed.set()

    def select(self, step: int) -> None:
        """There is one log."""

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
        except UserError as error:  # a server that does not answer: the log is shown without it
            self._telemetry = Telemetry(reason=str(error))
        player.give(self._telemetry)
        if self._json_path is not None:
            write_atomically(self._json_path, dumps(player.session.card()))
        self._player = player
        if self._speed is None:
            self._seconds = self._player.time.duration
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
            # Nothing moves while paused or at the end: sleep until a key says otherwise.
            self._changed.wait(None if idle else PERIOD)
            if idle:
                last = self._clock()
            self._changed.clear()

    def _index_progress(self, share: float) -> bool:
        """Shows how far the first reading is (nothing of the result); whether to go on."""
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
        clock = self._player.time.clock
        return self._frame_of(self._player.session, "" if clock == "log clock" else clock)

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
