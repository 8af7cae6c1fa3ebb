"""Trouble that any program may print, whatever its format: crashes, signals, full memory."""

from __future__ import annotations

from pathlib import PurePath

from sixdim.parsers.events import Origin, Problem
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

INTERRUPTED = "interrupted"
_TRACEBACK = pattern(r"Traceback \(most recent call last\)")
_TROUBLES = (  # kind, its sign; each ends a run
    ("traceback", _TRACEBACK),
    (
        "out_of_memory",
        pattern(
            r"(?:CUDA|HIP) out of memory|OutOfMemoryError"
            r"|RESOURCE_EXHAUSTED|cudaErrorMemoryAllocation"
        ),
    ),
    (INTERRUPTED, pattern(r"^KeyboardInterrupt\b|^Detected KeyboardInterrupt")),
    ("cancelled", pattern(r"\bCANCELLED (?:AT|by) |DUE TO TIME LIMIT|DUE TO PREEMPTION")),
    (
        "killed",
        pattern(
            r"^Killed$|^Terminated$|\b\d+ Killed\b|\b\d+ Terminated\b|closing signal SIG"
            r"|got signal: \d+|died with <Signals\.|[Rr]eceived (?:signal )?SIG(?:TERM|KILL|INT)\b"
        ),
    ),
    (
        "launcher",
        pattern(
            r"ChildFailedError|srun: error: |mpirun noticed that process|MPI_ABORT was invoked"
            r"|oom-kill|Segmentation fault|Bus error|\(core dumped\)"
        ),
    ),
)
_HINTS = (
    *("Trace", "emory", "EXHAUSTED", "error", "noticed", "Failed", "oom-kill", "fault", "Keyb"),
    *("CANCELLED", "DUE TO", "Killed", "Terminated", "ignal", "SIG", "ABORT", "dumped"),
)
"""Texts of which one stands in every line that reports trouble."""
_EXCEPTION = pattern(r"^(?:\w+\.)*[A-Z]\w*(?:: .*)?$")
_MOST_FRAMES = 500
"""Lines of a traceback after which its last line is not waited for any more."""


class Troubles:
    """Finds the trouble in a log's lines, line by line.

    The exception at the end of a traceback is a problem of its own: it is the cause.
    """

    def __init__(self) -> None:
        self._frames = 0  # lines of the traceback at hand, which is not over; 0 outside of one

    def look(self, line: Line) -> Problem | None:
        """The problem this line reports, if it does."""
        text = line.text
        if self._frames:
            cause = self._cause(line)
            if cause is not None:
                return cause
        for hint in _HINTS:  # most lines end here; a generator would take twice the time
            if hint in text:
                break
        else:
            return None
        for kind, sign in _TROUBLES:
            if sign.search(text):
                self._frames = kind == "traceback"
                return _problem(line, kind)
        return None

    def _cause(self, line: Line) -> Problem | None:
        """The problem of a traceback's last line; None for its frames and anything else."""
        self._frames += 1
        if self._frames > _MOST_FRAMES:
            self._frames = 0
        text = line.text
        if text[:1].isspace() or not _EXCEPTION.search(text):
            return None
        self._frames = 0
        for kind, sign in _TROUBLES[1:]:
            if sign.search(text):
                return _problem(line, kind)
        return _problem(line, "exception")


def _problem(line: Line, kind: str) -> Problem:
    return Problem(line.origin(), kind, line.text.strip()[:160], fatal=True)


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
