"""The journal: every reading of a run on disk, one JSON line each.

A header line has the log's name and a hash of its first bytes, so that a journal can be matched
to its log on another machine. Header lines may repeat: a later one hashes more of the log.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.files import open_regular
from sixdim.parsers.telemetry.journal_line import Header, decode, encode, encode_header
from sixdim.parsers.telemetry.logkey import KEY_BYTES, MOST_KEY_BYTES, LogKey
from sixdim.parsers.text.lines import LineSplitter, label

_CHUNK = 1 << 16
_TAIL = 1 << 20
_HEADER = '"sixdim"'


class JournalReader:
    """Reads what a journal has so far; it may be read again and again while it grows.

    A half-written last line waits for its end, so a killed writer costs its last reading at
    most.

    Attributes:
        broken: Number of lines that were no record.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.broken = 0
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
                    elif record is None:
                        self.broken += 1


def read_header(path: Path) -> Header | None:
    """Returns the last header among a journal's first and last lines; None if it is no journal."""
    try:
        with open_regular(path) as file:
            lines = [*LineSplitter().feed(file.read(_CHUNK))]
            size = os.fstat(file.fileno()).st_size
            if size > _CHUNK:
                file.seek(max(_CHUNK, size - _TAIL))
                lines += LineSplitter().feed(file.read(_TAIL))
    except OSError:
        return None
    if not lines or not isinstance(decode(lines[0].text), Header):
        return None
    records = (decode(line.text) for line in reversed(lines) if _HEADER in line.text)
    return next((record for record in records if isinstance(record, Header)), None)


class JournalBusyError(Exception):
    """Another monitor is writing the journal at this path: read it instead."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{label(path)} is being written by another monitor")
        self.path = path


class Journal:
    """Appends readings to a journal; a failure is stored for the screen, and never raised.

    Attributes:
        path: Path of the journal.
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

        A last line that a killed writer left half-written is closed first, so that it damages
        nothing after it. The log need not exist yet.

        Raises:
            JournalBusyError: Another process is writing it.
            OSError: It cannot be created, or what is there is not ours to write.
        """
        journal = cls(path, log, *_open(path))
        header = read_header(path)
        journal._key = header.key if header else None
        if header is None:
            journal._key = LogKey.of(log)
            journal._write(encode_header(log.name, journal._key))
        return journal

    def append(self, readings: Iterable[Reading]) -> None:
        """Writes each reading as one whole line, without buffering."""
        self._lengthen_key()
        if os.fstat(self._handle).st_nlink == 0 and self._log.exists():
            self._begin_again()
        for reading in readings:
            if not self._write(encode(reading)):
                self.lost += 1

    def change_last(self, count: int, change: Callable[[list[Reading]], list[Reading]]) -> bool:
        """Replaces the last readings by what `change` makes of them, all at once or none.

        Returns:
            Whether it did: the disk may be full.
        """
        fresh = self.path.with_name(f".{self.path.name}.new")
        try:
            begin, latest = _last_readings(self.path, count)
            fresh.unlink(missing_ok=True)  # that of a monitor that was killed
            handle, _ = _open(fresh)
            try:
                with open_regular(self.path) as old, os.fdopen(os.dup(handle), "wb") as new:
                    for at in range(0, begin, _CHUNK):
                        new.write(old.read(min(_CHUNK, begin - at)))
                    new.writelines(encode(reading) for reading in change(latest))
                    new.write(encode_header(self._log.name, self._key))
                fresh.replace(self.path)
            except BaseException:
                os.close(handle)
                fresh.unlink(missing_ok=True)
                raise
        except OSError as error:
            self.problem = f"{label(self.path.name)}: {error.strerror}"
            return False
        os.close(self._handle)
        self._handle, self._torn = handle, False
        return True

    def close(self) -> None:
        """Closes the file after a key of up to `MOST_KEY_BYTES`; harmless when repeated."""
        if self._handle >= 0:
            if self._key is not None and self._key.fits(self._log):
                whole = LogKey.of(self._log, MOST_KEY_BYTES)
                if whole is not None:
                    self.extend_key(whole)
            os.close(self._handle)
            self._handle = -1

    def _begin_again(self) -> None:
        """Opens a new file in place of one that was removed."""
        try:
            handle, torn = _open(self.path)
        except (OSError, JournalBusyError) as error:
            self.problem = f"the journal was removed: {label(error)}"
            return
        os.close(self._handle)
        self._handle, self._torn = handle, torn
        self._write(encode_header(self._log.name, self._key))

    def _lengthen_key(self) -> None:
        """Replaces the key by a longer one until the log's first 4 KiB are complete."""
        if self._key is not None and self._key.length >= KEY_BYTES:
            return
        key = LogKey.of(self._log)
        if key is None or key == self._key or (self._key and not self._key.fits(self._log)):
            return
        self.extend_key(key)

    def extend_key(self, key: LogKey) -> None:
        """Writes a header with a key over more bytes of the log."""
        if self._key is not None and key.length <= self._key.length:
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
        # A line that a full disk cut off must not run into the next line.
        self._torn = not whole and (written > 0 or self._torn)
        self.problem = "" if whole else f"{label(self.path.name)}: written in part, disk full?"
        return whole


def _last_readings(path: Path, count: int) -> tuple[int, list[Reading]]:
    """Returns at which byte a journal's last readings begin, and them; all if it has fewer."""
    with open_regular(path) as file:
        size, length = os.fstat(file.fileno()).st_size, _CHUNK
        while True:
            begin = at = file.seek(max(0, size - length))
            lines = file.read(size - begin).splitlines(keepends=True)
            if begin:
                at += len(lines.pop(0))  # its beginning may be missing
            found = []
            for line in lines:
                record = decode(line.decode("utf-8", "replace"))
                if isinstance(record, Reading):
                    found.append((at, record))
                at += len(line)
            if len(found) >= count or not begin:
                found = found[-count:]
                return (found[0][0] if found else at), [record for _, record in found]
            length *= 4


def _open(path: Path) -> tuple[int, bool]:
    """Opens or creates a journal and locks it; returns whether its last line is cut off, too."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
    handle = os.open(path, flags, 0o600)
    try:
        facts = os.fstat(handle)
        if not stat.S_ISREG(facts.st_mode) or facts.st_uid != os.geteuid():
            raise OSError(errno.EPERM, "not a file of ours", str(path))
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise JournalBusyError(path) from None
        if not os.fstat(handle).st_nlink:  # the other monitor has just replaced it
            raise JournalBusyError(path)
        os.fchmod(handle, 0o600)
        size = os.fstat(handle).st_size
        torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
    except BaseException:
        os.close(handle)
        raise
    return handle, torn
