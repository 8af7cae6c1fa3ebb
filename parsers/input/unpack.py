"""Unpacks a log that is compressed by gzip, bzip2, xz or zstd."""

from __future__ import annotations

import io
import sys
from importlib import import_module
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer
    from zstandard import ZstdDecompressor

_PACKED = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ": "lzma"}
"""How a compressed log begins, and the module that unpacks it."""
_ZSTD = b"\x28\xb5\x2f\xfd"
_ZSTD_PIECE = 1 << 10
"""Bytes that are unpacked at once: zstd makes at most 32 MiB of so few."""
_SEVERAL = {b"PK\x03\x04": "zip", b"7z\xbc\xaf\x27\x1c": "7z", b"Rar!": "rar"}
"""How an archive of several files begins."""
_TAR, _TAR_AT = b"ustar", 257


def unpacked(raw: IO[bytes]) -> IO[bytes] | None:
    """Returns a file of the unpacked bytes; None if they are not packed.

    Raises:
        ImportError: They are packed by zstd, and `zstandard` is not installed.
    """
    if not isinstance(raw, io.BufferedReader):
        return None
    begin = raw.peek(6)
    if begin.startswith(_ZSTD):
        import zstandard

        return io.BufferedReader(_Frames(raw, zstandard.ZstdDecompressor()))
    for magic, unpacker in _PACKED.items():
        if begin.startswith(magic):
            stream: IO[bytes] = import_module(unpacker).open(raw, "rb")
            return stream
    return None


def is_packed(begin: bytes) -> bool:
    """Returns whether a file that begins so is compressed."""
    return begin.startswith((_ZSTD, *_PACKED))


def reading_errors() -> tuple[type[Exception], ...]:
    """Returns the errors that reading a log raises: the system's and the loaded unpackers'."""
    return OSError, *_archive_errors()


def is_damage(error: Exception) -> bool:
    """Returns whether an unpacker raised this error for a cut or broken archive."""
    of_bz2 = type(error) is OSError and error.errno is None  # bz2 has no error of its own
    return of_bz2 or isinstance(error, _archive_errors())


def _archive_errors() -> tuple[type[Exception], ...]:
    """Returns the errors that the loaded unpackers raise for a cut or broken archive."""
    known: list[type[Exception]] = [EOFError]
    for unpacker, error in (
        *(("gzip", "BadGzipFile"), ("zlib", "error")),
        *(("lzma", "LZMAError"), ("zstandard", "ZstdError")),
    ):
        if (loaded := sys.modules.get(unpacker)) is not None:
            known.append(getattr(loaded, error))
    return tuple(known)


def of_several_files(head: bytes) -> str:
    """Returns the kind of an archive of several files, such as `zip`; empty for other files."""
    if head[_TAR_AT:].startswith(_TAR):
        return "tar"
    return next((kind for magic, kind in _SEVERAL.items() if head.startswith(magic)), "")


class _Frames(io.RawIOBase):
    """The unpacked bytes of zstd frames; `zstandard.open` takes a cut archive for a whole one."""

    def __init__(self, raw: io.BufferedReader, unpacker: ZstdDecompressor) -> None:
        self._raw = raw
        self._unpacker = unpacker
        self._frame = unpacker.decompressobj()
        self._inside = False
        self._bytes = memoryview(b"")

    def readable(self) -> bool:
        """Returns True: it is there to be read."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Fills a buffer with the next bytes; returns how many there were, 0 at the end.

        Raises:
            EOFError: The archive ends inside a frame.
        """
        while not self._bytes:
            packed = self._frame.unused_data
            if self._frame.eof:
                self._frame, self._inside = self._unpacker.decompressobj(), False
            if not (packed := packed or self._raw.read(_ZSTD_PIECE)):
                if self._inside:
                    raise EOFError("Compressed file ended before the end-of-stream marker")
                return 0
            self._inside = True
            self._bytes = memoryview(self._frame.decompress(packed))
        target = memoryview(buffer)
        size = min(len(target), len(self._bytes))
        target[:size], self._bytes = self._bytes[:size], self._bytes[size:]
        return size
