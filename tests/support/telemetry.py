"""Readings folded as a session folds them, and recordings of a text."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sixdim.metrics.fold.telemetry import TelemetryFold
from sixdim.parsers.events import Reading
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
