"""Trouble that any program may print, whatever its format: crashes and full memory."""

from __future__ import annotations

from pathlib import PurePath

from sixdim.parsers.events import Origin, Problem
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
CLUES = (
    "Traceback (m",
    "out of memory",
    "OutOfMemoryError",
    "RESOURCE_EXHAUSTED",
    "cudaErrorMemoryAllocation",
    "ChildFailedError",
    "srun: error: ",
    "mpirun noticed that",
    "oom-kill",
    "Segmentation fault",
)
"""Texts of which one stands in every line that reports trouble."""
_HINTS = ("Trace", "emory", "EXHAUSTED", "error:", "noticed", "Failed", "oom-kill", "fault")


def fault(at: Origin, error: Exception) -> Problem:
    """The problem of a line at which sixdim itself failed, and which is left out.

    Args:
        at: The line.
        error: What was raised.
    """
    place, trace = "", error.__traceback__
    while trace is not None:
        place = f" at {PurePath(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
        trace = trace.tb_next
    text = f"lines left out by a fault of sixdim's own: {type(error).__name__}{place}"
    return Problem(at, "fault", text)


def trouble(line: Line) -> Problem | None:
    """The problem this line reports, if it does."""
    text = line.text
    if not any(hint in text for hint in _HINTS):
        return None
    for kind, fatal, sign in _TROUBLES:
        if sign.search(text):
            return Problem(line.origin(), kind, text.strip()[:160], fatal)
    return None
