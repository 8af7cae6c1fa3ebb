"""Real logs, where a copy of the corpus is at hand: SIXDIM_CORPUS names its directory."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sixdim.parsers.events import Event
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats


def log(path: str) -> Path:
    """A file of the corpus; skips the test that wants it where there is none."""
    root = os.environ.get("SIXDIM_CORPUS", "")
    if not root:
        pytest.skip("SIXDIM_CORPUS is not set: no real logs to read")
    file = Path(root) / path
    if not file.is_file():
        pytest.skip(f"{path} is not in the corpus")
    return file


def read(data: bytes) -> tuple[str, list[Event]]:
    """The format detected, and every event."""
    interpreter = Interpreter(formats())
    events = [*interpreter.read(data), *interpreter.end()]
    return interpreter.detection.name if interpreter.detection else "", events


def text(*lines: str) -> tuple[str, list[Event]]:
    """As `read`, for lines."""
    return read("".join(f"{line}\n" for line in lines).encode())
