"""The problems that were read in a run, and the fatal one that it has not survived."""

from sixdim.parsers.events import Origin, Problem

BUFFER = 8192
"""Bytes of Python's buffer of standard output: a program may write them after its traceback."""
MOST_PROBLEMS = 200
"""Number of problems that are stored; further ones are counted by kind."""
RECURS = 3
"""Times that a problem comes again in later epochs until it is known to end no program."""
_CONSEQUENCES = ("killed", "launcher", "traceback", "exception", "interrupted")
"""Kinds of problems that follow from a scheduler's cancelling the job."""


class Problems:
    """The problems of a run.

    Attributes:
        stored: Them, oldest first; above `MOST_PROBLEMS` only the first of each kind.
        latest: The last one of each kind, which may not be stored.
        counts: How many there were, by kind.
        failed: The fatal one, unless training went on after it.
        epochs_named: Whether any record named its epoch before that one.
    """

    def __init__(self) -> None:
        self.stored: list[Problem] = []
        self.latest: dict[str, Problem] = {}
        self.counts: dict[str, int] = {}
        self.failed: Problem | None = None
        self.epochs_named = False
        self._survived = ""  # the text of the last fatal problem after which training went on
        self._cause, self._epoch = "", -1  # text and epoch of the last fatal one but tracebacks
        self._recurred = 0  # times that it had come again in a later epoch

    def add(self, problem: Problem, *, epochs_named: bool, epoch: int | None) -> None:
        """Adds a problem, with the label of the epoch in which it came."""
        same = self.counts.get(problem.kind, 0)
        self.counts[problem.kind], self.latest[problem.kind] = same + 1, problem
        if len(self.stored) < MOST_PROBLEMS or not same:
            self.stored.append(problem)
        cancelled = self.failed is not None and self.failed.kind == "cancelled"
        if problem.fatal and not (cancelled and problem.kind in _CONSEQUENCES):
            self._recur(problem, epoch)
            self.failed, self.epochs_named = problem, epochs_named

    def _recur(self, problem: Problem, epoch: int | None) -> None:
        """Counts how often a problem came again: one that a program catches may do in each epoch.

        Ranks that die one after the other report it again, too, but train no further.
        """
        if problem.kind == "traceback":
            return  # its last line is the cause
        later, again = (epoch or 0) > self._epoch, problem.text == self._cause
        self._recurred = self._recurred + later if again else 0
        self._cause, self._epoch = problem.text, epoch or 0
        if self._recurred >= RECURS:
            self._survived = problem.text

    def of_kind(self, kind: str) -> list[Problem]:
        """Returns the first problems of a kind, and the last one."""
        last = [self.latest[kind]] if kind in self.latest else []
        return [problem for problem in self.stored if problem.kind == kind] + last

    def survives(self, at: Origin, *, resumed: bool = False, ended: bool = False) -> bool:
        """Returns whether a line shows that training survived the fatal problem, which is removed.

        Lines from a buffer may follow the problem. So the line must be far after it, in another
        file, or of a resumed run; or it ends a log in which training went on after the same problem
        before.
        """
        failed = self.failed
        if failed is None or failed.kind == "nan_loss":
            return False
        far = at.file != failed.at.file or at.offset - failed.at.offset > BUFFER
        if not (far or resumed or (ended and failed.text == self._survived)):
            return False
        self.failed, self._survived = None, failed.text
        return True
