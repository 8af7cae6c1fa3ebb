"""Distinguishes cards and archives from logs by how the file begins."""

from codecs import BOM_UTF8
from collections.abc import Iterable
from pathlib import Path

from sixdim.metrics.values.card import MARK
from sixdim.parsers.input.source import PEEK, LogError, base_name, check_text, refuse_device
from sixdim.parsers.input.unpack import is_packed

_HEAD = 200
"""The first bytes of a file, which contain the mark of a card."""


def begins_card(first: bytes) -> bool:
    """Returns whether a file that begins so is a card, or an array of cards."""
    return first.removeprefix(BOM_UTF8).lstrip()[:1] in (b"{", b"[") and MARK in first[:_HEAD]


def is_card(path: str) -> bool:
    """Returns whether a file contains cards; False for a pipe, a folder or a missing file."""
    return begins_card(_first(path, _HEAD))


def _first(path: str, size: int) -> bytes:
    """Returns the first bytes of a file; none of a pipe, or if it cannot be read."""
    file = Path(path)
    try:
        if not file.is_file():  # a pipe would wait
            return b""
        with file.open("rb") as stream:
            return stream.read(size)
    except (OSError, ValueError):
        return b""


def check_growing(paths: Iterable[str]) -> None:
    """Checks, as `check_logs` does, logs that will be followed: a compressed one never grows.

    Raises:
        LogError: One of them is compressed, no text, a card or a device.
    """
    paths = list(paths)
    check_logs(paths)
    for path in paths:
        name, begin = base_name(path), _first(path, PEEK)
        if is_packed(begin):
            how = f"sixdim replay {name} shows it"
            raise LogError(f"{name} is compressed, so it does not grow: {how}")
        if begin.strip(b"\0"):  # a log that was emptied under its writer begins with a hole
            check_text(begin, name)


def check_logs(paths: Iterable[str]) -> None:
    """Checks, before any log is read, that no path is a card or a device.

    Raises:
        LogError: One of them is.
    """
    for path in paths:
        refuse_device(path)
        if is_card(path):
            name = base_name(path)
            raise LogError(f"{name} is a card, not a log: sixdim score {name} shows it")
