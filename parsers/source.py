"""A finished log on disk, plain or compressed, as blocks of bytes."""

from __future__ import annotations

import stat
import sys
from collections.abc import Iterator
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


def blocks(path: str, size: int = BLOCK) -> Iterator[bytes]:
    """Yields the log's bytes; gzip, bzip2, xz and zstd are unpacked.

    Args:
        path: A file, or `-` for standard input.
        size: Bytes at a time.

    Raises:
        LogError: It is missing, a folder, unreadable, empty, or not text.
    """
    name = base_name(path)
    try:
        with _open(path) as stream:
            first = stream.read(size)
            if not first:
                raise LogError(
                    f"{name} is empty: nothing was logged yet (sixdim watch waits for it)"
                )
            _check_text(first[:_PEEK], name)
            while first:
                yield first
                first = stream.read(size)
    except OSError as error:
        raise LogError(_sentence(error, path)) from error
    except _damage() as error:
        raise LogError(f"{name} is a damaged archive: {label(error)}") from error


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
