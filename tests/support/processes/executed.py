"""Which of sixdim's code is executed, and what a program loads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import FrameType

from sixdim.metrics.values.settings import Settings
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.session import Session

PACKAGE = str(Path(__file__).parents[3] / "sixdim") + "/"


def functions(before: bytes, chunk: bytes) -> list[str]:
    """The functions that a chunk of a log executes, in the order of their first calls.

    Args:
        before: The log up to that chunk: a format is chosen and its statements are compiled.
        chunk: The bytes that are measured.

    Returns:
        Each as `parsers/text/lines.py LineSplitter.feed`. Those of generated code, which has no
        file, are left out.
    """
    session = Session("train.log", Settings(), formats())
    session.feed(before)
    assert session.interpreter.detection is not None
    found: dict[str, None] = {}

    def called(frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PACKAGE):
            found[f"{code.co_filename.removeprefix(PACKAGE)} {code.co_qualname}"] = None

    sys.setprofile(called)
    try:
        session.feed(chunk)
    finally:
        sys.setprofile(None)
    return [*found]


def loaded_by(code: str) -> set[str]:
    """Modules loaded after running `code` in a new interpreter."""
    script = f"{code}\nimport sys; print(chr(10).join(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    return set(done.stderr.split())
