"""Readings folded as a session folds them, recordings of a text, and sources that a test plays."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from sixdim.metrics.fold.devices.telemetry import TelemetryFold
from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.recorded import Recording, read_recording


def folded(readings: Iterable[Reading]) -> TelemetryFold:
    fold = TelemetryFold()
    for reading in readings:
        fold.apply(reading)
    return fold


def recorded(folder: Path, text: str | bytes) -> Recording:
    """The recording that a file with this text is."""
    path = folder / "recording.txt"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_recording(path)


class Board:
    """A source of readings that answers as a test says."""

    notes: tuple[str, ...] = ()

    def __init__(
        self, read: Callable[[int], list[Reading]], name: str = "board", patience_s: float = 5.0
    ) -> None:
        self.read = read
        self.name = name
        self.patience_s = patience_s
        self.closed = threading.Event()

    def close(self) -> None:
        self.closed.set()
