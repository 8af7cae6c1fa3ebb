"""A real live feed over a real file, and a wait for what it publishes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any, Self

from sixdim import sample_logs
from sixdim.metrics.values.card import dumps
from sixdim.metrics.values.settings import Settings
from sixdim.tui.base.clock import Clock
from sixdim.tui.session.live.feed import Frame
from sixdim.tui.session.live.gpus import Gpus
from sixdim.tui.session.live.monitor import LiveFeed
from sixdim.tui.session.reading import read_whole
from sixdim.tui.session.request import Request

REQUEST = Request(Settings())
SAMPLE = sample_logs.path(sample_logs.RUN).read_bytes()
LINES = SAMPLE.splitlines(keepends=True)
OTHER = sample_logs.path(sample_logs.REPEATS[0]).read_bytes()


def card_of(data: bytes, name: str = "train.log", request: Request = REQUEST) -> str:
    """The headless card of these bytes."""
    return dumps(read_whole(request.session(name), BytesIO(data)).card())


class Live:
    """Follows `path` on its own thread, as `sixdim watch` does."""

    def __init__(
        self,
        path: Path,
        gpus: Gpus | None = None,
        json: Path | None = None,
        clock: Clock | None = None,
        request: Request = REQUEST,
        **options: Any,
    ) -> None:
        self.frames: list[Frame] = []
        self.json = json or path.parent / "live.json"
        self._changed = threading.Condition()
        clock = clock or Clock()
        self.feed = LiveFeed(
            str(path), request, clock, gpus or Gpus("none"), str(self.json), **options
        )
        self.feed.start(self._take)

    def _take(self, frame: Frame) -> None:
        with self._changed:
            self.frames.append(frame)
            self._changed.notify_all()

    def wait(self, seen: Callable[[Frame], bool], seconds: float = 120.0) -> Frame:
        """The newest frame once it fulfils a condition."""
        with self._changed:
            done = self._changed.wait_for(
                lambda: bool(self.frames) and seen(self.frames[-1]), seconds
            )
            assert done, self.frames[-1] if self.frames else "no frame"
            return self.frames[-1]

    def wait_for_bytes(self, count: int, seconds: float = 120.0) -> Frame:
        """Waits until that many bytes of the current log were read."""
        return self.wait(lambda frame: frame.snapshot.bytes == count, seconds)

    def card(self) -> str:
        """Quits, and gives the card it left behind."""
        self.feed.stop()
        assert self.feed.fault is None
        assert not self.feed.writer.trouble
        return self.json.read_text()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.feed.stop()
