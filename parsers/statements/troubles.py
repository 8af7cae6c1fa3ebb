"""Trouble that any program may print, whatever its format: crashes and full memory."""

from __future__ import annotations

from sixdim.parsers.events import Problem
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_TROUBLES = (  # kind, fatal, its sign
    ("traceback", True, pattern(r"Traceback \(most recent call last\)")),
    (
        "out_of_memory",
        True,
        pattern(
            r"(?:CUDA|HIP) out of memory|OutOfMemoryError"
            r"|RESOURCE_EXHAUSTED|cudaErrorMemoryAllocation"
        ),
    ),
    (
        "launcher",
        True,
        pattern(
            r"ChildFailedError|srun: error: |mpirun noticed that process"
            r"|oom-kill|Segmentation fault"
        ),
    ),
)
_HINTS = ("Trace", "emory", "EXHAUSTED", "error:", "noticed", "Failed", "oom-kill", "fault")


def trouble(line: Line) -> Problem | None:
    """The problem this line reports, if it does."""
    text = line.text
    if not any(hint in text for hint in _HINTS):
        return None
    for kind, fatal, sign in _TROUBLES:
        if sign.search(text):
            return Problem(line.origin(), kind, text.strip()[:160], fatal)
    return None
