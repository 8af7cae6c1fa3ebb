"""A finished log on disk, plain or compressed, as blocks of bytes."""

import codecs
import io
import re
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, Protocol, TypeAlias

from sixdim.parsers.input.remote import how_to_read_remote
from sixdim.parsers.input.unpack import is_damage, of_several_files, reading_errors, unpacked
from sixdim.parsers.text.lines import label

BLOCK = 1 << 18
"""Bytes that are read at once."""
PEEK = 8192
"""The first bytes of a log, which show whether it is a text."""
_HOLE = re.compile(rb"\A\0+|(?<=\n)\0{64,}|\0{64,}(?=[ -~])")
_WORD = re.compile(rb"[A-Za-z]{3}")
_NULS = 200
_CONTROLS = 50
_STRAY = 8
"""Control characters that a log may have by a bug, such as an index printed as a byte."""
_NO_TEXT = bytes({*range(32)} - {*b"\t\n\v\f\r\b\a\x0e\x0f\x1b"})
"""Control characters that neither belong to a text nor steer a terminal."""
_HTML = (b"<!doctype html", b"<html")
_UTF32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""Byte order marks; one of UTF-32 begins with one of UTF-16."""
Opened: TypeAlias = Callable[[], io.BufferedReader]
"""Opens a log that is no file of this machine."""


class Source(Protocol):
    """The bytes of a log."""

    def read(self, size: int, /) -> bytes:
        """Returns the next `size` bytes: fewer at the end, and none after it."""


class LogError(Exception):
    """A log that cannot be read; the message is one sentence with the way out."""


def is_stdin(path: str) -> bool:
    """Returns whether the name means standard input."""
    return path == "-"


def base_name(path: str) -> str:
    """Returns the log's name for showing and for the card: no folder, sanitised."""
    return "stdin" if is_stdin(path) else label(Path(path).name)


class LogFile:
    """The bytes of logs, one after the other; gzip, bzip2, xz and zstd are unpacked.

    A log whose last line has no end may be cut in that line, which goes on in the next log. If that
    one begins with the line that the first log begins with, a run was killed and started again: a
    newline comes between them.

    Args:
        paths: Files, or `-` for standard input.
        opened: Opens the log, where its path is only its name.

    Raises:
        LogError: When read: one is missing, a folder, unreadable, empty, or not text.
    """

    def __init__(self, *paths: str, opened: Opened | None = None) -> None:
        self._paths = [*paths]
        self._opened = opened
        self._open_files: list[IO[bytes]] = []
        self._begins = b""  # the first line of the first log, without its digits
        self._last = b"\n"  # the last byte read
        self._held = b""  # bytes to return before further ones are read
        self._checked = True  # whether the first bytes of the open file are those of a text

    @property
    def least(self) -> int:
        """How many bytes there are at least; an archive may hold more."""
        try:
            return sum(Path(path).stat().st_size for path in self._paths if not is_stdin(path))
        except OSError:  # reading it reports the error better
            return 0

    def read(self, size: int = BLOCK) -> bytes:
        """Returns the next `size` bytes: fewer at the end, and none after it."""
        block = bytearray(size)
        read = self.readinto(memoryview(block))
        return bytes(memoryview(block)[:read])

    def readinto(self, buffer: memoryview) -> int:
        """Fills a buffer with the next bytes; returns how many there were."""
        begin = 0
        while begin < len(buffer) and self._paths:
            try:
                read = self._read_file(buffer[begin:])
            except LogError:
                self.close()
                raise
            begin += read
            if not read:
                self.close()
                del self._paths[0]
        return begin

    def _read_file(self, buffer: memoryview) -> int:
        """Reads the next bytes of the first file; returns how many there were, 0 at its end."""
        name = base_name(self._paths[0])
        fresh = not self._open_files
        try:
            if fresh:
                self._begin(name)
            read = self._read_open(buffer, fresh=fresh)
        except reading_errors() as error:
            if is_damage(error):
                raise LogError(f"{name} is a damaged archive: {label(error)}") from error
            raise LogError(_sentence(error, self._paths[0])) from error
        if fresh and not read:
            raise LogError(f"{name} is empty: nothing was logged yet (sixdim watch waits for it)")
        if fresh or not self._checked:
            # A log that was emptied under a writer which goes on where it was begins with a hole.
            block = bytes(buffer[:read])
            self._checked = read < PEEK or block.strip(b"\0") != b""
            if self._checked:
                check_text(block or b"\0" * PEEK, name)
        return read

    def _read_open(self, buffer: memoryview, *, fresh: bool) -> int:
        """Reads the next bytes of the open file; returns how many there were."""
        file = self._open_files[-1]
        if fresh and self._last not in b"\r\n":
            self._held = file.read(BLOCK)
            if self._begins and _first_line(self._held) == self._begins:
                self._held = b"\n" + self._held
        read: int = min(len(self._held), len(buffer))
        if read:
            buffer[:read], self._held = self._held[:read], self._held[read:]
        else:
            read = file.readinto(buffer)  # type: ignore[attr-defined]  # IO lacks it
        if read:
            self._begins = self._begins or _first_line(bytes(buffer[:PEEK]))
            self._last = bytes(buffer[read - 1 : read])
        return read

    def close(self) -> None:
        """Closes the open file; at the end of a file, `readinto` does so itself."""
        while self._open_files:
            self._open_files.pop().close()

    def _begin(self, name: str) -> None:
        self._open_files.append(self._opened() if self._opened else _open(self._paths[0]))
        try:
            packed = unpacked(self._open_files[0])
        except ImportError:
            raise LogError(
                f"{name} is zstd-compressed: unpack it, or install sixdim[zstd]"
            ) from None
        if packed is not None:
            self._open_files.append(packed)


def _first_line(block: bytes) -> bytes:
    """Returns the first line without its digits; nothing where it has no words."""
    line = block.lstrip().partition(b"\n")[0].translate(None, b"0123456789\r")
    return line if _WORD.search(line) else b""


def blocks(path: str, size: int = BLOCK) -> Iterator[bytes]:
    """Yields the log's bytes, `size` at a time; see `LogFile`."""
    with closing(LogFile(path)) as log:
        while block := log.read(size):
            yield block


def refuse_device(path: str) -> None:
    """Refuses a device: it may never end, and opening it may have an effect.

    Raises:
        LogError: It is one.
    """
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):  # opening it reports the error better
        return
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode) or stat.S_ISSOCK(mode):
        raise LogError(f"{label(path, 200)} is a device, not a log (- reads standard input)")


def _open(path: str) -> IO[bytes]:
    if not is_stdin(path):
        refuse_device(path)
        return Path(path).open("rb")
    if sys.stdin is None or sys.stdin.buffer.closed:
        raise LogError("standard input is closed, or was read before: name a file")
    return sys.stdin.buffer


def check_text(block: bytes, name: str) -> None:
    """Checks that a file that begins so is a text.

    Raises:
        LogError: It is an archive of files, a web page, or binary.
    """
    # A log that was copied while it grew, or at whose end a machine failed, may have holes, too.
    whole = _HOLE.sub(b"", block) if b"\0" in block else block
    head = (whole or block)[:PEEK]
    if block.startswith(_UTF32):
        raise LogError(f"{name} is UTF-32 text: iconv -f UTF-32 -t UTF-8 it first")
    if block.startswith(_UTF16):
        return
    if kind := of_several_files(block[:PEEK]):
        raise LogError(f"{name} is a {kind} archive, not a log: unpack it first")
    if head.lstrip()[:20].lower().startswith(_HTML):
        raise LogError(f"{name} is an HTML page, not a log")
    nuls, controls = head.count(b"\0"), len(head) - len(head.translate(None, _NO_TEXT))
    of_lines = controls == nuls <= head.count(b"\n")  # a C program may end each of its lines so
    many = not of_lines and (nuls * _NULS > len(head) or controls * _CONTROLS > len(head))
    if controls > _STRAY and many:
        raise LogError(f"{name} is a binary file, not a log")


def _sentence(error: Exception, path: str) -> str:
    name = "standard input" if is_stdin(path) else label(path, 200)
    if isinstance(error, FileNotFoundError):
        if remote := how_to_read_remote(path):
            return remote
        folder = label(Path(path).parent, 200)
        where = "" if folder == "." else f" in {folder}"
        return (
            f"no log {base_name(path)}{where}: check the path "
            "(sixdim watch waits for a log to appear)"
        )
    if isinstance(error, IsADirectoryError):
        return f"{name} is a folder: name the log inside it"
    if isinstance(error, PermissionError):
        return f"no permission to read {name}"
    return f"cannot read {name}: {label(getattr(error, 'strerror', '') or error)}"
