"""Reads lines of a growing log by number, and checks that they are those that were folded."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import IO

from sixdim.parsers.input.source import BLOCK
from sixdim.parsers.input.stream import is_pipe
from sixdim.tui.base.log_lines import numbered


def read_back(
    path: str,
    size: int,
    sha256: str,
    recent: Iterable[tuple[int, str]],
    numbers: Collection[int],
) -> tuple[tuple[int, str], ...]:
    """Reads lines of a growing log by number.

    Args:
        path: The log.
        size: Bytes that were folded.
        sha256: Their hash; after a rotation the file holds other bytes.
        recent: The latest lines, which are all that is left if the file holds other bytes.
        numbers: Line numbers from 1.

    Returns:
        (number, sanitised text) of each line that is found.
    """
    digest = hashlib.sha256()

    def folded(file: IO[bytes]) -> Iterator[bytes]:
        left = size
        while left > 0 and (block := file.read(min(BLOCK, left))):
            digest.update(block)
            left -= len(block)
            yield block

    recent_found = tuple(line for line in recent if line[0] in numbers)
    if is_pipe(path):
        return recent_found
    try:
        with Path(path).open("rb") as file:
            stream = folded(file)
            found = tuple(numbered(stream, numbers))
            for _ in stream:
                pass
    except OSError:
        return recent_found
    return found if digest.hexdigest() == sha256 else recent_found
