"""The state of a finished log at any of its byte offsets.

A state is the fold of the bytes up to an offset. To seek backwards, it is folded again from the
nearest checkpoint.
"""

from bisect import bisect_right
from collections.abc import Callable

from sixdim.metrics.dimensions.telemetry.telemetry_figures import Telemetry
from sixdim.tui.session.replay.recorded_log import Recorded
from sixdim.tui.session.replay.timeline import Timeline, timeline
from sixdim.tui.session.session import Session

CHECKPOINTS = 32
CHUNK = 1 << 16


class Player:
    """The state of a log at any of its byte offsets.

    Args:
        log: The bytes.
        fresh: Makes an empty session.
        progress: Called with the share (0..1) read while the log is indexed; it returns false to
            end the reading early.
    """

    def __init__(
        self, log: Recorded, fresh: Callable[[], Session], progress: Callable[[float], bool]
    ) -> None:
        self._log = log
        self._fresh = fresh
        self._points: list[tuple[int, Session]] = []
        self.session = fresh()
        self.offset = 0
        self._spacing = max(log.size // CHECKPOINTS, 1)
        before = -1
        while before < self.offset < log.size:  # it stands still where the file was cut short
            before = self.offset
            self._forward(min(self.offset + CHUNK * 4, log.size))
            if not progress(self.offset / log.size):
                break
        self.session.end()
        run = self.session.run
        total = run.end.duration if run.end else None
        self.time: Timeline = timeline(run.epochs.values(), log.size, total)

    def go(self, offset: int) -> None:
        """Moves to the state after that many bytes; at the end of the log, the input ends."""
        offset = max(0, min(offset, self._log.size))
        if offset < self.offset or self.session.ended:
            if offset == self._log.size and self.session.ended:
                return
            self._back(offset)
        self._forward(offset)
        if offset == self._log.size:
            self.session.end()

    def set_telemetry(self, telemetry: Telemetry) -> None:
        """Sets the readings of every state: their epochs are known only from the whole log."""
        for session in (self.session, *(saved for _offset, saved in self._points)):
            session.telemetry = telemetry
            session.readings = telemetry.latest()
            if not session.readings:
                session.telemetry_note = ""  # the reason is displayed instead of the source

    def line_end(self, offset: int) -> int:
        """Returns the end of the last whole line within the first `offset` bytes."""
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
