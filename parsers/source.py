"""A finished log on disk, plain or compressed, as blocks of bytes."""

from __future__ import annotations

import stat
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import IO

from parsers.text import label

BLOCK = 2 << 20
_PEEK = 8192
_NULS = 200
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class LogError(Exception):
    """A log that cannot be read; the message is one sentence with the way out."""


def is_stdin(path: str) -> bool:
    """Whether the name means standard input."""
    return path == "-"


def base_name(path: str) -> str:
    """The log's name for showing and for the card: no folder, sanitised."""
    return "stdin" if is_stdin(path) else label(Path(path).name)


class LogFile:
    """The bytes of logs, one behind the other; gzip, bzip2, xz and zstd are unpacked.

    Args:
        paths: Files, or `-` for standard input.

    Raises:
        LogError: When read: one is missing, a folder, unreadable, empty, or not text.
    """

    def __init__(self, *paths: str) -> None:
        self._paths = [*paths]
        self._stream: IO[bytes] | None = None

    def read(self, size: int = BLOCK) -> bytes:
        """The next so many bytes; fewer at the end, and none behind it."""
        block = bytearray(size)
        read = self.readinto(memoryview(block))
        return bytes(memoryview(block)[:read])

    def readinto(self, room: memoryview, /) -> int:
        """Puts the next bytes into a room, as many as it holds; returns how many, 0 at the end."""
        begin = 0
        while begin < len(room) and self._paths:
            name = base_name(self._paths[0])
            try:
                fresh = self._stream is None
                if self._stream is None:
                    self._stream = _open(self._paths[0])
                read = self._stream.readinto(room[begin:])  # type: ignore[attr-defined]
                if fresh and not read:
                    raise LogError(
                        f"{name} is empty: nothing was logged yet (sixdim watch waits for it)"
                    )
                if fresh:
                    _check_text(bytes(room[begin : begin + min(read, _PEEK)]), name)
            except OSError as error:
                raise LogError(_sentence(error, self._paths[0])) from error
            except _damage() as error:
                raise LogError(f"{name} is a damaged archive: {label(error)}") from error
            begin += read
            if not read:
                self.close()
                del self._paths[0]
        return begin

    def close(self) -> None:
        """Gives the file back; it does so itself where it ends."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None


def blocks(path: str, size: int = BLOCK) -> Iterator[bytes]:
    """Yields the log's bytes, `size` at a time; see `LogFile`."""
    with closing(LogFile(path)) as log:
        while block := log.read(size):
            yield block


def _open(path: str) -> IO[bytes]:
    if is_stdin(path):
        return sys.stdin.buffer
    file = Path(path)
    mode = file.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(path)
    if not stat.S_ISREG(mode):
        return file.open("rb")
    with file.open("rb") as probe:
        magic = probe.read(6)
    if magic.startswith(b"\x1f\x8b"):
        import gzip

        return gzip.open(file, "rb")  # type: ignore[return-value]  # GzipFile reads bytes
    if magic.startswith(b"BZh"):
        import bz2

        return bz2.open(file, "rb")
    if magic.startswith(b"\xfd7zXZ"):
        import lzma

        return lzma.open(file, "rb")
    if magic.startswith(b"\x28\xb5\x2f\xfd"):
        return _zstd(file)
    return file.open("rb")


def _zstd(file: Path) -> IO[bytes]:
    try:
        import zstandard
    except ImportError:
        raise LogError(
            f"{label(file.name)} is zstd-compressed: unpack it, or install sixdim[zstd]"
        ) from None
    stream: IO[bytes] = zstandard.open(file, "rb")
    return stream


def _damage() -> tuple[type[Exception], ...]:
    """What the unpackers loaded so far raise for an archive that is cut or broken."""
    known: list[type[Exception]] = [EOFError]
    for unpacker, error in (("zlib", "error"), ("lzma", "LZMAError"), ("zstandard", "ZstdError")):
        if (loaded := sys.modules.get(unpacker)) is not None:
            known.append(getattr(loaded, error))
    return tuple(known)


def _check_text(head: bytes, name: str) -> None:
    if head.startswith(_UTF16):
        raise LogError(f"{name} is UTF-16 text: iconv -f UTF-16 -t UTF-8 it first")
    # A stray NUL is a log's own bug (glog prints a device's index as a byte); many are not.
    if head.count(b"\0") * _NULS > len(head):
        raise LogError(f"{name} is a binary file, not a log")


def _sentence(error: OSError, path: str) -> str:
    name = base_name(path)
    if isinstance(error, FileNotFoundError):
        folder = label(Path(path).parent, 200)
        where = "" if folder == "." else f" in {folder}"
        return f"no log {name}{where}: check the path (sixdim watch waits for a log to appear)"
    if isinstance(error, IsADirectoryError):
        return f"{name} is a folder: name the log inside it"
    if isinstance(error, PermissionError):
        return f"no permission to read {name}"
    return f"cannot read {name}: {label(error.strerror or error)}"
