"""Readings folded as a session folds them."""

from __future__ import annotations

from collections.abc import Iterable

from sixdim.metrics.fold.telemetry import TelemetryFold
from sixdim.parsers.events import Reading


def folded(readings: Iterable[Reading]) -> TelemetryFold:
    fold = TelemetryFold()
    for reading in readings:
        fold.apply(reading)
    return fold
