"""Recorded GPU readings of a log: named by flags, or found beside the log."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError

if TYPE_CHECKING:
    from sixdim.metrics.dimensions.telemetry.telemetry_figures import Telemetry
    from sixdim.metrics.fold.devices.readings_in_epochs import Placed
    from sixdim.metrics.fold.devices.telemetry import TelemetryFold
    from sixdim.metrics.fold.runs.run import Run
    from sixdim.metrics.values.series import SeriesView
    from sixdim.parsers.reading import Reading
    from sixdim.parsers.telemetry.prometheus import Query
    from sixdim.parsers.telemetry.recorded import Recording


class Readings(NamedTuple):
    """The readings of a run, separately for power and memory.

    Attributes:
        power: For power.
        memory: For memory.
        source: The names of the files, for messages.
        queries: (`power`, `memory` or empty for both, what to ask a server) of the rest, which
            is asked once the log has given its time.
        doubt: Why there are none, where there is a journal that may be another run's.
        notes: Remarks on how the files were read, each with the file's name.
    """

    power: tuple[Reading, ...] = ()
    memory: tuple[Reading, ...] = ()
    source: str = ""
    queries: tuple[tuple[str, Query], ...] = ()
    doubt: str = ""
    notes: tuple[str, ...] = ()

    def telemetry(self, run: Run) -> Telemetry:
        """Folds the readings; they get epochs if the log has timestamps.

        Raises:
            UserError: A server has no readings of the run, or the log has no times to query.
        """
        from sixdim.metrics.dimensions.telemetry.telemetry_figures import NEEDS_READINGS, Telemetry

        readings = {"power": self.power, "memory": self.memory}
        shared = self.power is self.memory and not any(role for role, _ in self.queries)
        for role, query in self.queries:
            scraped = _scraped(query, run)
            for name in (role,) if role else tuple(readings):
                readings[name] += scraped
        if not any(readings.values()):
            return Telemetry(reason=self.doubt or NEEDS_READINGS, notes=self.notes)
        from sixdim.metrics.fold.devices.readings_in_epochs import placed

        power = placed(readings["power"], run)
        memory = power if shared else placed(readings["memory"], run)
        reason = power.apart or memory.apart or self.doubt or NEEDS_READINGS
        of_power = _fold(power)
        of_memory = of_power if shared else _fold(memory)
        series = () if run.series is None else _series(power.readings, memory.readings, run, shared)
        return Telemetry(of_power, of_memory, reason, series, self.notes)


NO_READINGS = Readings()
_MOMENT = "%Y-%m-%d %H:%M:%S"


def _fold(found: Placed) -> TelemetryFold | None:
    """Folds readings; returns None if there are none, or they are of another time than the run."""
    if found.apart or not found.readings:
        return None
    from sixdim.metrics.fold.devices.telemetry import TelemetryFold

    fold = TelemetryFold()
    for reading in found.readings:
        fold.apply(reading)
    return fold


def _series(
    power: Sequence[Reading], memory: Sequence[Reading], run: Run, shared: bool
) -> tuple[SeriesView, ...]:
    """Returns the readings as curves; memory may be from a recording of its own."""
    from sixdim.metrics.fold.devices.device_series import device_series

    if shared:
        return device_series(power, run)
    only_memory = [
        reading._replace(power_w=None, utilisation=None, temperature_c=None) for reading in memory
    ]
    without_memory = [reading._replace(memory_mib=None) for reading in power]
    return (*device_series(without_memory, run), *device_series(only_memory, run))


def named_readings(flags: list[str]) -> Readings | None:
    """Returns the readings that `--telemetry [power=|memory=]FILE` names; None without the flag.

    Raises:
        UserError: A file cannot be read as readings.
    """
    if not flags:
        return None
    files: dict[str, list[tuple[str, tuple[Reading, ...]]]] = {"power": [], "memory": [], "": []}
    queries: list[tuple[str, Query]] = []
    names: list[str] = []
    notes: list[str] = []
    for flag in flags:
        role, path = role_and_path(flag)
        if path.startswith("prometheus:"):
            queries.append((role, _query(path)))
            names.append("prometheus")
            continue
        names.append(label(Path(path).name))
        recording = _read(path)
        files[role].append((names[-1], recording.readings))
        notes += [f"{names[-1]}: {note}" for note in recording.notes]
    readings = {role: _by_host(recordings) for role, recordings in files.items()}
    power = memory = both = tuple(readings[""])
    if readings["power"] or readings["memory"]:
        power, memory = (tuple(readings[role]) + both for role in ("power", "memory"))
    return Readings(power, memory, ", ".join(names), tuple(queries), notes=tuple(notes))


def role_and_path(flag: str) -> tuple[str, str]:
    """Splits `[power=|memory=]FILE`; the role is empty for a recording of both."""
    role, separator, path = flag.partition("=")
    return (role, path) if separator and role in ("power", "memory") else ("", flag)


def _by_host(recordings: Sequence[tuple[str, Sequence[Reading]]]) -> list[Reading]:
    """Returns the readings of several files, given as name and readings.

    Files that measure devices of the same indices at the same time are of several hosts: where the
    readings name no host, the file's name stands for it.
    """
    several = len(recordings) > 1 and any(
        one[key][0] < other[key][1] and other[key][0] < one[key][1]
        for one, other in combinations([_spans(readings) for _, readings in recordings], 2)
        for key in one.keys() & other.keys()
    )
    return [
        reading._replace(host=name) if several and not reading.host else reading
        for name, readings in recordings
        for reading in readings
    ]


def _spans(readings: Sequence[Reading]) -> dict[tuple[int, str], tuple[int, int]]:
    """Returns the first and last time of each figure of devices whose host is not known."""
    spans: dict[tuple[int, str], tuple[int, int]] = {}
    for reading in readings:
        time_us = reading.time_us
        if time_us is None or reading.host:
            continue
        for field in ("power_w", "memory_mib"):
            if getattr(reading, field) is not None:
                first, last = spans.get((reading.device, field), (time_us, time_us))
                spans[reading.device, field] = min(first, time_us), max(last, time_us)
    return spans


def readings_beside(log: str) -> Readings:
    """Returns the readings of the journal of a log, if there is exactly one.

    Raises:
        UserError: Several journals fit.
    """
    from sixdim.parsers.telemetry.logkey import journals_near

    if log == "-" or not Path(log).is_file() or not journals_near(Path(log), os.environ):
        return NO_READINGS
    from sixdim.parsers.telemetry.journal_places import doubtful_journals, find_journals
    from sixdim.parsers.telemetry.recorded import EmptyJournalError

    journals = find_journals(Path(log), os.environ)
    if not journals:
        doubtful = [label(path) for path in doubtful_journals(Path(log), os.environ)]
        if not doubtful:
            return NO_READINGS
        reason = f"the journal may be another run's: --telemetry {doubtful[0]} if it is this one's"
        return Readings(doubt=reason)
    if len(journals) > 1:
        names = ", ".join(label(j) for j in journals)
        raise UserError(f"several journals fit {label(log)}: choose with --telemetry ({names})")
    try:
        recording = _read(str(journals[0]))
    except UserError as error:
        if isinstance(error.__cause__, EmptyJournalError):  # the GPUs never answered meanwhile
            return NO_READINGS
        raise
    readings = recording.readings
    return Readings(readings, readings, label(journals[0].name), notes=recording.notes)


def _read(path: str) -> Recording:
    from sixdim.parsers.telemetry.choose import is_live
    from sixdim.parsers.telemetry.recorded import BadRecordingError, read_recording

    if is_live(path):
        raise UserError(f"--telemetry {label(path, 60)} is polled: sixdim watch and record do that")
    try:
        return read_recording(Path(path))
    except BadRecordingError as error:
        raise UserError(f"--telemetry {error}") from error


def _query(spec: str) -> Query:
    from sixdim.parsers.telemetry.prometheus import Query
    from sixdim.parsers.telemetry.web import NoAnswerError

    try:
        return Query.parse(spec.partition(":")[2])
    except NoAnswerError as error:
        raise UserError(f"--telemetry prometheus: {error}") from error


def _scraped(query: Query, run: Run) -> tuple[Reading, ...]:
    """Returns what a server stored between the log's first and last timestamp, or those given."""
    from sixdim.parsers.telemetry.prometheus import query_range
    from sixdim.parsers.telemetry.web import NoAnswerError

    first_us, last_us = run.clocked or (None, None)
    start_us = query.start_us if query.start_us is not None else first_us
    end_us = query.end_us if query.end_us is not None else last_us
    if start_us is None or end_us is None:
        raise UserError(
            "--telemetry prometheus: the log has no time of day: name the window with "
            "&start=TIME&end=TIME"
        )
    try:
        readings = tuple(query_range(query, start_us, end_us))
    except NoAnswerError as error:
        raise UserError(f"--telemetry prometheus: {error}") from error
    if not readings:
        begin, end = (time.strftime(_MOMENT, time.gmtime(t / 1e6)) for t in (start_us, end_us))
        raise UserError(
            f"--telemetry prometheus: the server has no sample of that job from {begin} to {end}; "
            "where the log's clock is not UTC, &zone=+08:00 says how far it is ahead"
        )
    return readings
