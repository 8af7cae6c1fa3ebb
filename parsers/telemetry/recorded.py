"""Reads recorded files with the dialect that their first lines match."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.dialects import (
    amd_smi,
    dcgmi,
    dmon,
    efsmi,
    exporter,
    flagperf,
    gpustat,
    mx_smi,
    named_csv,
    npu_smi,
    rocm_json,
    rocm_text,
    smi_apps,
    smi_csv,
    smi_csv_bare,
    smi_grep,
    smi_table,
    smi_text,
    smi_xml,
    tegrastats,
)
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes
from sixdim.parsers.telemetry.draft import without_absurd
from sixdim.parsers.telemetry.files import open_regular
from sixdim.parsers.telemetry.journal import JournalReader, read_header
from sixdim.parsers.text.lines import Line, LineSplitter, label
from sixdim.parsers.text.patterns import pattern
from sixdim.parsers.text.utf16 import splitter_of

MAX_BYTES = 1 << 30
"""The most bytes of a recording; the readings of a larger file would not fit in memory."""

_COMMAND = pattern(r"#?\s?[$#]\s\S{0,40}smi\b")
_PLACED = re.compile(rb"\x1b\[\d{1,4};\d{1,4}H")
"""Moves the cursor of a terminal to a row and a column."""
_PLACES = 10
_CHUNK = 1 << 18
_HEAD = 256 * 1024

OF_SCREEN = (
    "the screen of a terminal, as `watch` draws it: only what changed is in it, so record with "
    "the tool's own loop (nvidia-smi -l)"
)

DIALECTS: tuple[Dialect, ...] = (
    smi_text.DIALECT,
    smi_xml.DIALECT,
    smi_csv.DIALECT,
    smi_apps.DIALECT,
    smi_csv_bare.DIALECT,
    named_csv.DIALECT,
    dmon.DIALECT,
    smi_table.DIALECT,
    smi_grep.DIALECT,
    rocm_json.DIALECT,
    rocm_text.TABLE,
    rocm_text.LISTS,
    rocm_text.CSV,
    amd_smi.MONITOR,
    amd_smi.METRIC,
    npu_smi.DIALECT,
    npu_smi.LISTS,
    npu_smi.WATCH,
    mx_smi.DIALECT,
    efsmi.DIALECT,
    flagperf.DIALECT,
    dcgmi.DIALECT,
    dcgmi.FIELD_CSV,
    gpustat.DIALECT,
    gpustat.JSON,
    tegrastats.DIALECT,
    exporter.PAGES,
    exporter.SERIES,
)


@dataclass(frozen=True, slots=True)
class Recording:
    """A file of readings.

    Attributes:
        readings: In file order.
        format: Name of the dialect.
        notes: Remarks for the user on how the file was read.
    """

    readings: tuple[Reading, ...]
    format: str
    notes: tuple[str, ...] = ()


class BadRecordingError(ValueError):
    """A file holds no readings; the message is one sentence that says why."""


class EmptyJournalError(BadRecordingError):
    """A journal holds no reading."""


def read_recording(path: Path) -> Recording:
    """Reads a recorded file of any known dialect, or a journal.

    Raises:
        BadRecordingError: It cannot be read, is in no known shape, or holds no reading.
    """
    name = label(path.name)
    try:
        if read_header(path) is not None:
            return _journal(path)
        head, of_screen = _head(path)
        if of_screen:
            raise BadRecordingError(f"{name}: {OF_SCREEN}")
        matching = recognise(head)
        if not matching:
            raise BadRecordingError(f"{name}: no known shape of readings ({_why(head)})")
        if len(matching) > 1:
            shapes = ", ".join(one.name for one in matching)
            raise BadRecordingError(
                f"{name}: several shapes of readings in one file ({shapes}): which of them count "
                "would be a guess, so keep one"
            )
        (dialect,) = matching
        notes = Notes()
        readings = tuple(without_absurd(tuple(dialect.read(_lines(path), notes))))
    except OSError as error:
        raise BadRecordingError(f"{name}: {error.strerror or error}") from error
    if not readings:
        why = f" ({'; '.join(notes.texts)})" if notes.texts else ""
        raise BadRecordingError(f"{name}: looks like {dialect.name}, but holds no reading{why}")
    return Recording(readings, dialect.name, tuple(notes.texts))


def recognise(head: list[Line]) -> list[Dialect]:
    """Returns the dialects that a file's first lines match: one for a recording."""
    return [dialect for dialect in DIALECTS if dialect.matches(head)]


def looks_recorded(path: Path) -> bool:
    """Returns whether a file's first lines are readings of devices; False if it cannot be read."""
    try:
        return bool(recognise(_head(path)[0]))
    except OSError:
        return False


def _journal(path: Path) -> Recording:
    reader = JournalReader(path)
    readings = tuple(reader.poll())
    if not readings:
        raise EmptyJournalError(f"{label(path.name)}: a journal without readings")
    notes = (f"{reader.broken} broken lines left out",) if reader.broken else ()
    return Recording(readings, "sixdim journal", notes)


def _head(path: Path) -> tuple[list[Line], bool]:
    """Returns the first lines, and whether they are those of a screen, drawn place by place."""
    with open_regular(path) as file:
        raw = file.read(_HEAD)
    splitter = splitter_of(raw)
    lines = list(splitter.feed(raw))
    # The last line of a head may be cut, so it counts only if the whole file was read.
    lines = lines if len(raw) == _HEAD and lines else [*lines, *splitter.flush()]
    return lines, len(_PLACED.findall(raw)) >= _PLACES


def _lines(path: Path) -> Iterator[Line]:
    splitter, read = LineSplitter(), 0
    with open_regular(path) as file:
        while chunk := file.read(_CHUNK):
            splitter = splitter if read else splitter_of(chunk)
            read += len(chunk)
            if read > MAX_BYTES:
                raise BadRecordingError(f"{label(path.name)}: larger than 1 GiB")
            yield from splitter.feed(chunk)
    yield from splitter.flush()


def _why(head: list[Line]) -> str:
    if not head:
        return "it is empty"
    if sum("�" in line.text for line in head) > len(head) // 4:
        return "it is not text"
    if sum(_COMMAND.match(line.text) is not None for line in head) > 1:
        return "it holds the output of several commands: keep one"
    if why := next(filter(None, (named_csv.doubtful(line.text) for line in head[:50])), ""):
        return why
    return "tried: " + ", ".join(dialect.name for dialect in DIALECTS)
