"""Finds the logs in watched folders, including those that appear later."""

from __future__ import annotations

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
        there = [root for root in self._roots if Path(root).is_dir()]
        found = [path for path in find_logs(there) if path not in self._known]
        new = [path for path in found if not self._old(path) and self._may_be_log(path)]
        self._known.update(new)
        return new

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


def _trains(path: str) -> bool:
    """Returns whether a format knows a file: job scripts show the GPUs above the training."""
    interpreter = Interpreter(formats())
    events = [*interpreter.feed(next(blocks(path, _MOST), b"")), *interpreter.end()]
    named = {one.name for one in formats() if not one.fallback}
    found = interpreter.detection
    return bool(events) and found is not None and found.name in named
