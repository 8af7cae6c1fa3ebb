"""Finds the logs in watched folders, including those that appear later."""

import math
import re
from collections.abc import Sequence
from pathlib import Path

from sixdim.parsers.input.source import LogError, blocks
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.telemetry.logkey import SUFFIX
from sixdim.parsers.telemetry.recorded import looks_recorded
from sixdim.tui.batch.log_paths import find_logs

_HEAD = 4096
_MOST = 1 << 18
_ROTATED = re.compile(r"[.-]\d+(\.\w+)?")


class Folders:
    """Finds the logs below some folders, and single logs, and returns each of them once."""

    def __init__(self, roots: Sequence[str]) -> None:
        self._roots = [root for root in roots if Path(root).is_dir()]
        self._known = {root for root in roots if root not in self._roots}
        self._refused: dict[str, int] = {}

    def fresh(self) -> list[str]:
        """Returns the logs that are new since the last call, ordered by name.

        Raises:
            UserError: There are too many files.
        """
        new = [path for path in self._new() if self._may_be_log(path)]
        self._known.update(new)
        return new

    def newest(self, logs: Sequence[str], most: int) -> tuple[list[str], list[str]]:
        """Returns the logs that were written last, at most that many, and the other files.

        The others are not looked into: of hundreds of files that would take seconds. A log that
        does not exist yet is newer than any other.

        Args:
            logs: Single logs beside those of the folders.
            most: The greatest number of logs.

        Raises:
            UserError: There are too many files.
        """
        files = [*logs, *self._new()]
        chosen: set[str] = set()
        for path in sorted(files, key=_written, reverse=True):
            if len(chosen) < most and (path in logs or self._may_be_log(path)):
                chosen.add(path)
        files = [path for path in files if path not in self._refused]
        self._known.update(files)
        return [one for one in files if one in chosen], [one for one in files if one not in chosen]

    def _new(self) -> list[str]:
        """Returns the files that are new, ordered by name, without what is no log by its name."""
        there = [root for root in self._roots if Path(root).is_dir()]
        return [
            path for path in find_logs(there) if path not in self._known and not self._old(path)
        ]

    def _old(self, path: str) -> bool:
        """Returns whether a file is a journal, or a rotated part of a log that is followed."""
        if path.endswith(SUFFIX):
            return True
        before = (path[: found.start()] for found in _ROTATED.finditer(path))
        return any(known in self._known and Path(known).suffix for known in before)

    def _may_be_log(self, path: str) -> bool:
        """Returns whether a file is text and no recording; one that has grown is tested again."""
        try:
            size = Path(path).stat().st_size
            if self._refused.get(path) == size:
                return False
            if size:
                next(blocks(path, _HEAD))
            other = looks_recorded(Path(path)) and not _trains(path)
        except LogError:
            other = True
        except OSError:  # gone already
            return False
        if other:
            self._refused[path] = size
        return not other


def _written(log: str) -> float:
    try:
        return Path(log).stat().st_mtime
    except OSError:
        return math.inf


def _trains(path: str) -> bool:
    """Returns whether a format knows a file: job scripts show the GPUs above the training."""
    interpreter = Interpreter(formats())
    events = [*interpreter.feed(next(blocks(path, _MOST), b"")), *interpreter.end()]
    named = {one.name for one in formats() if not one.fallback}
    found = interpreter.detection
    return bool(events) and found is not None and found.name in named
