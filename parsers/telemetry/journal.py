"""The journal: every reading on disk from the first one on, one JSON line each.

A header line names the log and a hash of its first bytes, so that a journal finds its log again
on another machine. Header lines may come again: a later one knows more of the log.
"""

from __future__ import annotations

import errno
import fcntl
import json
import math
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from parsers.events import Reading
from parsers.telemetry.draft import implausible
from parsers.telemetry.files import open_regular
from parsers.telemetry.logkey import KEY_BYTES, SUFFIX, LogKey, journal_beside, journal_in_state
from parsers.text import LineSplitter, label

VERSION = 1
MAX_RECORD = 16 * 1024
"""Bytes of one line; a longer one is not ours."""
MAX_LIST = 32
MAX_CANDIDATES = 1000
"""Journals looked at in one folder when a log's own is sought."""
_BIG = 2**53
_CHUNK = 1 << 16

_TEXTS = ("host", "source", "name", "uuid", "process_scope")
_FIGURES = (
    "power_w",
    "power_limit_w",
    "memory_mib",
    "memory_total_mib",
    "process_mib",
    "utilisation",
    "temperature_c",
    "energy_j",
)
_DEFAULTS = Reading._field_defaults


@dataclass(frozen=True, slots=True)
class Header:
    """The journal's own line.

    Attributes:
        log: Base name of the log, sanitised.
        key: Which log it is; None where no byte of it was there yet.
    """

    log: str
    key: LogKey | None


@dataclass(frozen=True, slots=True)
class Broken:
    """A line that is no record of a journal, and why."""

    reason: str


Record: TypeAlias = Header | Reading | Broken


def encode_header(log: str, key: LogKey | None) -> bytes:
    """The header as its line, newline included."""
    data: dict[str, Any] = {"sixdim": "telemetry", "version": VERSION, "log": label(log)}
    if key is not None:
        data |= {"log_bytes": key.length, "log_sha256": key.sha256}
    return _line(data)


def encode(reading: Reading) -> bytes:
    """One reading as its line, newline included; what is unknown is left out."""
    data: dict[str, Any] = {"device": reading.device}
    for name, default in _DEFAULTS.items():
        value = getattr(reading, name)
        if value != default:
            data[name] = [list(pair) for pair in value] if name == "missing" else value
    return _line(data)


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode() + (
        b"\n"
    )


def decode(line: str) -> Record:
    """Reads one line; whatever it holds, the answer is a value and nothing raises."""
    if len(line) > MAX_RECORD:
        return Broken("longer than a record can be")
    try:
        data = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return Broken("not JSON")
    if not isinstance(data, dict):
        return Broken("not an object")
    try:
        return _header(data) if "sixdim" in data else _reading(data)
    except _OddError as odd:
        return Broken(str(odd))


class _OddError(Exception):
    """A field that is not what the schema says."""


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def _header(data: dict[str, Any]) -> Header:
    if data["sixdim"] != "telemetry" or data.get("version") != VERSION:
        raise _OddError("a journal of another version")
    name = _text(data, "log")
    length, sha256 = data.get("log_bytes"), data.get("log_sha256")
    if length is None or sha256 is None:
        return Header(name, None)
    key = LogKey.checked(length, sha256)
    if key is None:
        raise _OddError("a log key that is none")
    return Header(name, key)


def _reading(data: dict[str, Any]) -> Reading:
    out: dict[str, Any] = {name: _text(data, name) for name in _TEXTS}
    device = _integer(data, "device")
    if device is None or not 0 <= device < 2**20:
        raise _OddError("no device index")
    for name in ("time_us", "epoch"):
        out[name] = _integer(data, name)
    for name in _FIGURES:
        out[name] = _figure(data, name)
    out["throttle"] = tuple(_words(data.get("throttle", [])))
    out["missing"] = tuple(_pairs(data.get("missing", [])))
    return Reading(device=device, **out)


def _text(data: dict[str, Any], name: str) -> str:
    value = data.get(name, "")
    if not isinstance(value, str):
        raise _OddError(f"{name} is no text")
    return label(value)


def _integer(data: dict[str, Any], name: str) -> int | None:
    value = data.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _BIG:
        raise _OddError(f"{name} is no integer")
    return value


def _figure(data: dict[str, Any], name: str) -> float | None:
    value = data.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _OddError(f"{name} is no number")
    if abs(value) > _BIG or not math.isfinite(value) or implausible(name, value):
        raise _OddError(f"{name} cannot be true")
    return float(value)


def _words(value: object) -> Iterator[str]:
    if not isinstance(value, list) or len(value) > MAX_LIST:
        raise _OddError("a list that is none")
    for word in value:
        if not isinstance(word, str):
            raise _OddError("a list that holds no text")
        yield label(word)


def _pairs(value: object) -> Iterator[tuple[str, str]]:
    if not isinstance(value, list) or len(value) > MAX_LIST:
        raise _OddError("a list that is none")
    for pair in value:
        if not isinstance(pair, list) or len(pair) != 2:
            raise _OddError("a reason that is none")
        name, reason = _words(pair)
        yield name, reason


class JournalReader:
    """Reads a journal as far as it is written, as often as asked: finished or growing.

    A half-written last line waits for its end, so a killed writer costs its last reading at
    most.

    Attributes:
        header: The last header read.
        broken: Lines that were no record.
        first_broken: Line number and reason of the first of those.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.header: Header | None = None
        self.broken = 0
        self.first_broken: tuple[int, str] | None = None
        self._offset = 0
        self._splitter = LineSplitter()

    def poll(self) -> Iterator[Reading]:
        """Yields every reading written since the last call.

        Raises:
            OSError: The journal cannot be read.
        """
        with open_regular(self.path) as file:
            file.seek(self._offset)
            while chunk := file.read(_CHUNK):
                self._offset += len(chunk)
                for line in self._splitter.feed(chunk):
                    record = decode(line.text)
                    if isinstance(record, Reading):
                        yield record
                    elif isinstance(record, Header):
                        self.header = record
                    else:
                        self.broken += 1
                        self.first_broken = self.first_broken or (line.number, record.reason)


def read_header(path: Path) -> Header | None:
    """The last header among a journal's first lines (64 KiB); None where it is no journal."""
    found: Header | None = None
    try:
        with open_regular(path) as file:
            for line in LineSplitter().feed(file.read(_CHUNK)):
                record = decode(line.text)
                found = record if isinstance(record, Header) else found
                if found is None:
                    return None
    except OSError:
        return None
    return found


class JournalBusyError(Exception):
    """Another monitor is writing this journal: read it instead.

    Attributes:
        path: The journal.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(f"{label(path)} is being written by another monitor")
        self.path = path


class Journal:
    """Appends readings to a journal; a failure is kept to be shown, and never raised.

    Attributes:
        path: Where it is.
        problem: Why the last append failed, in one sentence; empty while all is well.
        lost: Readings that could not be written.
    """

    def __init__(self, path: Path, log: Path, handle: int, torn: bool) -> None:
        self.path = path
        self.problem = ""
        self.lost = 0
        self._log = log
        self._key: LogKey | None = None
        self._handle = handle
        self._torn = torn

    @classmethod
    def open(cls, path: Path, log: Path) -> Journal:
        """Opens or creates the journal of `log` (mode 0600, no symbolic link).

        A last line that a killed writer left half-written is closed first, so that it spoils
        nothing behind it. The log need not exist yet.

        Raises:
            JournalBusyError: Another process is writing it.
            OSError: It cannot be created, or what is there is not ours to write.
        """
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        handle = os.open(path, flags, 0o600)
        try:
            facts = os.fstat(handle)
            if not stat.S_ISREG(facts.st_mode) or facts.st_uid != os.geteuid():
                raise OSError(errno.EPERM, "not a file of ours", str(path))
            _lock(handle, path)
            os.fchmod(handle, 0o600)
            size = os.fstat(handle).st_size
            torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
        except BaseException:
            os.close(handle)
            raise
        journal = cls(path, log, handle, torn)
        header = read_header(path)
        journal._key = header.key if header else None
        if header is None:
            journal._key = LogKey.of(log)
            journal._write(encode_header(log.name, journal._key))
        return journal

    def append(self, readings: Iterable[Reading]) -> None:
        """Writes readings, each as one whole line, and hands them to the system at once."""
        self._learn_key()
        for reading in readings:
            if not self._write(encode(reading)):
                self.lost += 1

    def close(self) -> None:
        """Closes the file; harmless when repeated."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def _learn_key(self) -> None:
        """While the log's first 4 KiB are not all there, a longer key replaces the shorter."""
        if self._key is not None and self._key.length == KEY_BYTES:
            return
        key = LogKey.of(self._log)
        if key is None or key == self._key or (self._key and not self._key.fits(self._log)):
            return
        if self._write(encode_header(self._log.name, key)):
            self._key = key

    def _write(self, line: bytes) -> bool:
        data = b"\n" + line if self._torn else line
        try:
            written = os.write(self._handle, data)
        except OSError as error:
            self.problem = f"{label(self.path.name)}: {error.strerror}"
            return False
        whole = written == len(data)
        # What a full disk cut off must not run into the next line.
        self._torn = not whole and (written > 0 or self._torn)
        self.problem = "" if whole else f"{label(self.path.name)}: written in part, disk full?"
        return whole


def _lock(handle: int, path: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise JournalBusyError(path) from None


def open_journal(log: Path, environment: Mapping[str, str]) -> Journal:
    """Opens the journal of `log` for appending, at the best place that can be written.

    Beside the log, else in the state folder (created here, mode 0700). Where another log's
    journal already has that name (the log was overwritten by a new run), the new one takes a
    name with the log's key in it.

    Raises:
        JournalBusyError: Another monitor writes it; `JournalReader` can follow that one.
        OSError: Neither place can be written.
    """
    try:
        return Journal.open(_own_name(journal_beside(log), log), log)
    except OSError:
        path = journal_in_state(log, environment)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return Journal.open(_own_name(path, log), log)


def find_journals(log: Path, environment: Mapping[str, str]) -> list[Path]:
    """Every journal that belongs to `log` and holds its key.

    Those under the log's own name, beside it or in the state folder; only where there is none,
    any other in these two folders whose key fits the log's first bytes. More than one is a
    question to the user.
    """
    own = [journal_beside(log), journal_in_state(log, environment)]
    own += [keyed for path in own if (keyed := _keyed(path, log)) != path]
    found = [path for path in own if path.exists() and _may_be_of(path, log)]
    if found:
        return found
    return [
        path
        for folder in (own[0].parent, own[1].parent)
        for path in sorted(folder.glob("*" + SUFFIX))[:MAX_CANDIDATES]
        if (header := read_header(path)) and header.key and header.key.fits(log)
    ]


def _may_be_of(path: Path, log: Path) -> bool:
    """Whether a journal under the log's own name is this log's, or free to become it."""
    if not path.exists():
        return True
    header = read_header(path)
    if header is None:
        return path.stat().st_size == 0
    return header.key is None or not log.exists() or header.key.fits(log)


def _own_name(path: Path, log: Path) -> Path:
    return path if _may_be_of(path, log) else _keyed(path, log)


def _keyed(path: Path, log: Path) -> Path:
    key = LogKey.of(log)
    stem = path.name.removesuffix(SUFFIX)
    return path.with_name(f"{stem}.{key.sha256[:12]}{SUFFIX}") if key else path
