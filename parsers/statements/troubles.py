"""Trouble that any program may print, whatever its format: crashes, signals, full memory."""

import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import TypeAlias

from sixdim.parsers.events import Origin, Problem
from sixdim.parsers.grammar.vocabulary.closing import DIVERGED
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import one_of, pattern

INTERRUPTED = "interrupted"
_BEGINS = r"(?:^|[\])|>:] )"  # the beginning of a message, after a prefix
_MODULE = r"(?:\w{1,40}+\.){0,5}+"
_OF_A_SHELL = r": line \d{1,6}: +\d{1,9} "
EXITS = ("_EXIT_CODE", "with exit code", "exited with code", "with status ")
EXITED = (
    r"^(?:Process finished with exit code |\[Done\] exited with code="
    r"|Script done on .{1,80}\[COMMAND_EXIT_CODE=\""
    r"|# Finished at .{1,40} with status )"
)
"""What an editor, `script` or Kaldi's `run.pl` prints after the program, up to its exit code.

Each has an `EXITS`.
"""
_Trouble: TypeAlias = "tuple[str, tuple[str, ...], re.Pattern[str]]"
"""The kind, texts (each such line has at least one of them), and the pattern that decides."""
_TROUBLES: tuple[_Trouble, ...] = (  # each ends a run
    ("traceback", ("Traceback",), pattern(r"Traceback \(most recent call last\)")),
    (
        "out_of_memory",
        ("out of memory", "OutOfMemoryError", "xhausted", "EXHAUSTED", "cudaErrorM"),
        pattern(
            r"(?:CUDA|HIP|NPU|XPU) out of memory\. Tried to allocate"
            r"|RuntimeError: (?:CUDA|HIP) (?:error: )?out of memory"
            rf"|{_BEGINS}{_MODULE}(?:OutOfMemoryError|ResourceExhaustedError)(?::|$)"
            r"|RESOURCE_EXHAUSTED: |cudaErrorMemoryAllocation"
        ),
    ),
    (
        INTERRUPTED,
        ("KeyboardInterrupt", "^C", "nterrupted"),
        pattern(
            r"^(?:\^C){0,9}+(?:KeyboardInterrupt\b(?!\w)|(?<=\^C)$)"  # the echo of a terminal
            r"|(?:^|: UserWarning: )Detected KeyboardInterrupt"
            r"|^\W{0,8}+[Tt]raining (?:was )?interrupted(?: by (?:the )?user)?(?:[.!,]|$)"
        ),
    ),
    (
        "cancelled",
        ("CANCELLED", "DUE TO", "job killed"),
        pattern(
            r"\bCANCELLED (?:AT|by) |DUE TO TIME LIMIT|DUE TO PREEMPTION"
            r"|^TERM_[A-Z_]{1,30}: job killed |^=>> PBS: job killed: "
        ),
    ),
    (
        "killed",
        ("illed", "erminated", " SIG", "signal", "Signals", "exited unexp", "Exited with"),
        pattern(
            rf"^(?:Killed|Terminated)$|{_OF_A_SHELL}(?:Killed|Terminated)\b"
            r"|^\[\d{1,4}\][+-]? +(?:Killed|Terminated)\b|^zsh: (?:killed|terminated)\b"
            r"|\d closing signal SIG|\bProcess \d{1,9} got signal: \d|died with <Signals\."
            r"|[Rr]eceived (?:signal )?SIG(?:TERM|KILL|INT)\b"
            r"|[Rr]eceived [\w.]{1,20} death signal"
            r"|DataLoader worker \(pid[^)]{1,40}\) (?:is killed|exited unexpectedly)"
            r"|^command terminated with exit code [1-9]|^Exited with exit code [1-9]"
        ),
    ),
    (
        "launcher",
        (
            *("ChildFailed", "srun: ", "noticed that", "MPI_ABORT", "oom", "Out of", "Bus error"),
            *("Segmentation", "Aborted", "Fatal", "dumped", "Watchdog", "terminate called"),
            *("Check failure", "exitcode", "exits with", *EXITS),
        ),
        pattern(
            r"ChildFailedError(?::|$)|^srun: error: "
            r"|(?:mpirun|mpiexec|orterun|prterun) noticed that process"
            r"|MPI_ABORT was invoked|oom[-_]kill event|Out of memory: Killed process"
            rf"|{_BEGINS}(?:Segmentation fault|Bus error)(?: \(|$)"
            rf"|{_OF_A_SHELL}(?:Segmentation fault|Bus error|Aborted)\b"
            r"|^Fatal Python error: |\(core dumped\)"
            r"|Watchdog caught collective operation timeout|^terminate called after throwing"
            r"|^\*\*\* Check failure stack trace: \*\*\*"  # glog's, as Caffe uses it
            r"|\bfailed \(exitcode: -?[1-9]"  # torchrun's
            r"|\] exits with return code = -?[1-9]"  # DeepSpeed's
            rf"|{EXITED}-?[1-9]"
        ),
    ),
    (
        "exception",
        ("RuntimeError: ", "AcceleratorError: ", "DistBackendError: "),
        pattern(
            rf"{_BEGINS}{_MODULE}(?:RuntimeError|AcceleratorError|DistBackendError)"
            r": (?:CUDA|HIP|cuDNN|CUBLAS|NCCL) error"
        ),
    ),
    (
        "nan_loss",
        ("nan", "NaN", "NAN", "Invalid loss", "is inf"),
        DIVERGED,
    ),
)
_HINT = one_of(
    *[hint for _, hints, _ in _TROUBLES for hint in hints],
    *("Error: ", "Exception", "atexit", "Logging error"),  # of `_BARE` and `_SURVIVED`
)
"""Finds texts of trouble: every line that reports trouble has at least one of them."""
_SURVIVED = pattern(
    r"^(?:Exception (?:ignored in\b|in thread )|Error in atexit)|--- Logging error ---"
)
"""A line in front of a traceback that does not end the program; a bar may stand before it."""
_QUOTED = pattern(r"(?<!\]): ?Traceback")
"""A traceback inside a logged message (`_is_quoted`); `[rank0]:` is no message."""
_LONGEST_MESSAGE = 301
_EXCEPTION = pattern(r"^(?:\w+\.)*[A-Z]\w*(?:: .*)?$")
_BARE = pattern(r"^(?:\w+\.)*[A-Z]\w*(?:Error|Exception): \S")
"""An exception without a traceback: the program caught it, printed it, and ended."""
_CORNERS, _WALLS = ("╭", "┌", "+"), ("│", "|")
"""What the first line and the other lines of Rich's tracebacks begin with."""
_MOST_FRAMES = 500
"""Lines of a traceback after which its last line is not waited for any more."""


def may_be_trouble(letters: str) -> bool:
    """Returns whether a line with this text without digits may report trouble by itself."""
    return _HINT.search(letters) is not None


class Troubles:
    """Finds the trouble in a log's lines, line by line.

    The exception at the end of a traceback is a problem of its own: it is the cause.

    Attributes:
        waits: Whether the report of the next line depends on earlier lines; if not, a line that
            `may_be_trouble` rules out need not be looked at.
        quotes: Whether the next line may quote a program: below `File "a.py", line 3`, or in the
            box in which Rich draws a traceback.
    """

    def __init__(self) -> None:
        self._frames = 0  # lines so far of an unfinished traceback; 0 outside of one
        self._survived = False  # whether the current trouble does not end the program
        self._quiet = 0  # number of the latest line if it reported nothing
        self._boxed = False  # whether the last line is one of such a box
        self.waits = self.quotes = False

    def last(self, line: Line) -> Problem | None:
        """Returns the problem of a log's last line if it is an unreported exception; else None."""
        if line.number != self._quiet or not _BARE.match(line.text):
            return None
        return problem(line, "exception", fatal=True)

    def look(self, line: Line) -> Problem | None:
        """Returns the problem that this line reports; None if it reports none."""
        problem = self._look(line)
        self._quiet = line.number if problem is None else 0
        self.waits = self._frames > 0 or self._survived
        self.quotes = self._frames > 0 and self._begins_quote(line.text.lstrip())
        return problem

    def is_quoted(self, line: Line) -> bool:
        """Returns whether a line quotes a program's source or variables, where one may do so."""
        text = line.text
        return text.lstrip().startswith(_WALLS) if self._boxed else text[:1].isspace()

    def _begins_quote(self, text: str) -> bool:
        """Returns whether lines that quote a program may follow this line of a traceback."""
        inside = self._boxed and self._frames > 1
        self._boxed = text.startswith(_WALLS if inside else _CORNERS)
        return self._boxed or text.startswith('File "')

    def _look(self, line: Line) -> Problem | None:
        text = line.text
        if self._frames:
            cause = self._cause(line)
            if cause is not None or (self._frames and text[:1].isspace()):
                return cause  # an indented line quotes the program's source
        if _HINT.search(text) is None:  # most lines end here
            self._survived = self._survived and bool(self._frames)
            return None
        kind = _kind(text)
        if kind:
            self._frames = kind == "traceback"
            self._survived |= _is_quoted(text)
            return problem(line, kind, fatal=not self._survived)
        inside = self._survived and bool(self._frames)  # another process printed this line
        self._survived = inside or _SURVIVED.search(text) is not None
        return None

    def _cause(self, line: Line) -> Problem | None:
        """Returns the problem of a traceback's last line; None for its frames and anything else."""
        self._frames += 1
        if self._frames > _MOST_FRAMES:
            self._frames = 0
        text = line.text
        if text[:1].isspace() or not _EXCEPTION.search(text):
            return None
        self._frames = 0
        fatal, self._survived = not self._survived, False
        return problem(line, _kind(text, _TROUBLES[1:]) or "exception", fatal=fatal)


def _is_quoted(text: str) -> bool:
    """Returns whether a line quotes a traceback after words of its own: the program caught it."""
    for found in _QUOTED.finditer(text):
        message = text[max(0, found.start() - _LONGEST_MESSAGE) : found.start()]
        if " " in message or "," in message:
            return True
    return False


def _kind(text: str, troubles: Sequence[_Trouble] = _TROUBLES) -> str:
    """Returns the kind of the trouble that a line reports; empty where it reports none."""
    for kind, hints, sign in troubles:
        for hint in hints:
            if hint in text:
                if sign.search(text.rstrip()):
                    return kind
                break
    return ""


def problem(line: Line, kind: str, *, fatal: bool) -> Problem:
    """Returns the problem that a line reports in its own words."""
    return Problem(line.origin(), kind, line.text.strip()[:160], fatal=fatal)


def fault(at: Origin, error: Exception) -> Problem:
    """Returns the problem of a line that is left out because sixdim itself failed at it."""
    place, trace = "", error.__traceback__
    while trace is not None:
        place = f" at {PurePath(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
        trace = trace.tb_next
    text = f"lines left out by a fault of sixdim's own: {type(error).__name__}{place}"
    return Problem(at, "fault", text)
