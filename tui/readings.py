"""Recorded readings that belong to a log: named by flags, or found beside it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from metrics.run import Run
from metrics.telemetry_figures import NEEDS_READINGS, Telemetry, stamped
from parsers.events import Reading
from parsers.telemetry.logkey import journals_near
from parsers.text import label
from tui.errors import UserError

if TYPE_CHECKING:
    from metrics.telemetry import TelemetryFold


class Readings(NamedTuple):
    """Readings by what they are for.

    Attributes:
        power: For power.
        memory: For memory.
        source: The file or files, for showing.
        notes: What a person should know about them.
    """

    power: tuple[Reading, ...] = ()
    memory: tuple[Reading, ...] = ()
    source: str = ""
    notes: tuple[str, ...] = ()

    def telemetry(self, run: Run) -> Telemetry:
        """Folds them, with epochs where the log's clock tells them."""
        shared = self.power is self.memory
        power = _fold(self.power, run)
        memory = power if shared else _fold(self.memory, run)
        return Telemetry(power, memory, NEEDS_READINGS)


NONE = Readings()


def _fold(readings: tuple[Reading, ...], run: Run) -> TelemetryFold | None:
    if not readings:
        return None
    from metrics.telemetry import TelemetryFold

    fold = TelemetryFold()
    for reading in stamped(readings, run):
        fold.apply(reading)
    return fold


def named(flags: list[str]) -> Readings | None:
    """What `--telemetry [power=|memory=]FILE` names; None where it names nothing.

    Raises:
        UserError: A file cannot be read as readings.
    """
    if not flags:
        return None
    power: list[Reading] = []
    memory: list[Reading] = []
    both: list[Reading] = []
    notes: list[str] = []
    for flag in flags:
        role, separator, path = flag.partition("=")
        if not separator or role not in ("power", "memory"):
            role, path = "", flag
        read, said = _read(path)
        notes += said
        {"power": power, "memory": memory, "": both}[role].extend(read)
    names = ", ".join(label(Path(f.rpartition("=")[2]).name) for f in flags)
    if power or memory:
        return Readings(tuple(power + both), tuple(memory + both), names, tuple(notes))
    readings = tuple(both)
    return Readings(readings, readings, names, tuple(notes))


def found(log: str) -> Readings:
    """The journal of a log, where there is exactly one.

    Raises:
        UserError: Several fit: that is a question, not a guess.
    """
    if log == "-" or not Path(log).is_file() or not journals_near(Path(log), os.environ):
        return NONE
    from parsers.telemetry.journal import find_journals

    journals = find_journals(Path(log), os.environ)
    if not journals:
        return NONE
    if len(journals) > 1:
        names = ", ".join(label(j) for j in journals)
        raise UserError(f"several journals fit {label(log)}: choose with --telemetry ({names})")
    readings, notes = _read(str(journals[0]))
    return Readings(readings, readings, label(journals[0].name), notes)


def _read(path: str) -> tuple[tuple[Reading, ...], tuple[str, ...]]:
    from parsers.telemetry.choose import is_live
    from parsers.telemetry.recorded import BadRecordingError, read_recording

    if path.startswith("prometheus:"):
        return _scraped(path), ()
    if is_live(path):
        raise UserError(f"--telemetry {label(path, 60)} is polled: sixdim watch and record do that")
    try:
        recording = read_recording(Path(path))
    except BadRecordingError as error:
        raise UserError(f"--telemetry {error}") from error
    return recording.readings, recording.notes


def _scraped(spec: str) -> tuple[Reading, ...]:
    """What a Prometheus server scraped between the moments the user names."""
    from parsers.telemetry.prometheus import Query, query_range
    from parsers.telemetry.web import NoAnswerError

    try:
        query = Query.parse(spec.partition(":")[2])
        if query.start_us is None or query.end_us is None:
            raise UserError("--telemetry prometheus: needs &start=TIME&end=TIME for a finished log")
        readings = tuple(query_range(query, query.start_us, query.end_us))
    except NoAnswerError as error:
        raise UserError(f"--telemetry prometheus: {error}") from error
    if not readings:
        raise UserError("--telemetry prometheus: the server has no sample of that job and time")
    return readings
