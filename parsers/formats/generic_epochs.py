"""What the epochs' labels and times in a log of unknown words say."""

from __future__ import annotations

from math import inf

from sixdim.parsers.events import Event, Origin, RunInfo, RunStart
from sixdim.parsers.formats.generic_namings import Namings
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, Plan
from sixdim.parsers.grammar.vocabulary.forms import Numbers

_BATCHES = 32
"""Samples between two lines are a multiple of this, as the usual batches are."""
_MOST_BETWEEN = 1_000
"""Batches between two lines of progress, at most."""
_STEADY = 3
"""Lines in which the time since an epoch's beginning grows as its steps do."""
_PACE = 0.5
"""Of the epoch's mean seconds an iteration, at least so many pass between two of them."""
_SAME = 0.03
"""Relative difference of the work of an iteration, by two lines that are rounded."""
_MEASURED = 0.5
"""Seconds that two decimals say well enough for that."""
_SINGLES = 2
"""Epochs behind the first with one line each, from which on others are taken to have one, too."""
_ROUND = 500
"""Two lines may be so many iterations apart, or a multiple, though that is one of a batch, too."""


class Epochs:
    """The epochs of one log, line by line.

    Attributes:
        label: Of the last one; None before the first.
        named: Whether any line named its epoch.
        worked: Whether a figure of the training stood in the last one.
        namings: How lines name them.
    """

    def __init__(self) -> None:
        self.label: int | None = None
        self.named = False
        self.worked = False
        self.namings = Namings()
        self._planned: int | None = None
        self._counted: int | None = None  # on the last line
        self._trained: tuple[int, int] | None = None  # label and steps of the last whole one
        self._from_zero = False
        self._has_zero = False
        self._timed: tuple[int, float] | None = None  # label and time of the last epoch's line
        self._time_is_an_epochs: bool | None = None
        self._elapsed = _Elapsed()
        self._over = False  # the last one, by the line that named it
        self._reported = False  # its figures, by such a line
        self._unnamed = False  # steps stood in front of the first name
        self._within = False  # a name with figures stood inside its epoch
        self._step: int | None = None  # the last one of a line without an epoch
        self._rose = False  # to it, from the one before
        self._single: int | None = None  # the last one of a line with a rate and no step
        self._singles: float = 0  # epochs behind the first that had one such line each

    def begin(self, out: list[Event], at: Origin, p: Plan, numbers: Numbers) -> None:
        """Adds what a line says by which epoch it names, and of how many."""
        if p.epoch != ABSENT:
            self._begin(p, numbers)
            if self.namings.anew:
                self._planned = None
                out.append(RunStart(at))
        if p.epochs != ABSENT:
            planned = self._newly_planned(numbers[p.epochs])
            if planned is not None:
                out.append(RunInfo(at, "epochs_planned", planned))

    def _begin(self, p: Plan, numbers: Numbers) -> None:
        last = self.label if self.worked else None
        label = self.namings.label(p.naming, numbers[p.epoch], last)
        same = label == self.label
        self._within |= self.label is not None and label == self.label - 1
        over, reported = p.whole and p.loss != ABSENT, p.whole and bool(p.values or p.tested)
        self.worked = self.worked and same
        self._over = over or (self._over and same)
        self._reported = reported or (self._reported and same)
        self.label = label
        self._has_zero |= label == 0
        self.named = True

    def are_over(self, done: int) -> None:
        """Says that so many are over, which ends the last one if it was trained.

        Labels from 0 are one behind such a count.
        """
        if self.label is not None and self.worked and done == self.label + self._has_zero:
            self._over = True

    def goes_on(self, step: int | None, *, bar: bool) -> None:
        """Says that a line without an epoch trains: behind the end of one it is of the next.

        Bars and steps stand in front of the line that names their epoch in some logs. Where the
        first one does so, steps behind its figures are those of the next. Where the next name
        shows that they were not, only those that begin again are.

        Args:
            step: Its step.
            bar: Whether it is a bar, which may be drawn once more where it stood.
        """
        if step is None:
            return
        before, self._step = self._step, step
        if bar and self._rose and step == before:
            return
        self._rose = before is not None and step > before
        again = not self._rose
        if self.label is None:
            self._unnamed = True
        elif self._over or (self._unnamed and self._reported and (again or not self._within)):
            self.label, self._over, self._reported = self.label + 1, False, False

    def have_a_line_each(self) -> bool:
        """Takes note of a line with a rate and no step; whether it is all that its epoch has.

        It is taken to be where three epochs, one behind the other, had one such line each.
        """
        before, self._single = self._single, self.label
        if before is not None and before == self.label:
            self._singles = -inf
        follows = before is not None and self.label == before + 1
        self._singles = self._singles + 1 if follows else min(self._singles, 0)
        return self._singles >= _SINGLES

    def _newly_planned(self, behind: int | None) -> int | None:
        """The epochs that are planned, by the number behind a label; None if nothing new is said.

        Labels from 0 may end with that number or with the one before: which, the last one shows.
        """
        if behind is not None and self.label == 0 and not self.namings.offset:
            self._from_zero = True
        planned = behind
        if self._from_zero and behind is not None and not self.namings.offset:
            planned = behind + 1 if behind == self.label else None
        if planned is None or planned == self._planned:
            return None
        self._planned = planned
        return planned

    def counts_samples(self, step: int | None, *, shared: bool) -> bool:
        """Whether counts like `[640/60000 (1%)]` are of samples, by how far two lines are apart.

        Samples grow by whole batches, batches by the tens and hundreds that a log is printed for.

        Args:
            step: The count of this line.
            shared: Whether the percentage stands behind it: without one (`[640/60000]`) both counts
                must be whole batches, and not so far apart as lines of iterations may be.
        """
        before, self._counted = self._counted, step
        if step is None or before is None or step <= before:
            return False
        apart = step - before
        if shared:
            return apart % _BATCHES == 0 or apart >= _MOST_BETWEEN
        return apart % _BATCHES == 0 and step % _BATCHES == 0 and apart % _ROUND != 0

    def trained(self, steps: int) -> bool:
        """Takes note that the last of an epoch's steps was made; whether there is such an epoch."""
        if self.label is not None:
            self._trained = self.label, steps
        return self.label is not None

    def trained_in_other_steps(self, steps: int | None) -> bool:
        """Whether the epoch was trained to its end, in another number of steps than this."""
        if self._trained is None or steps is None:
            return False
        label, of_training = self._trained
        return label == self.label and steps != of_training

    def mean_of(self, seconds: float, step: int) -> float | None:
        """Seconds an iteration, where the bare `time` of a progress line is that of its epoch."""
        return self._elapsed.mean(self.label, step, seconds)

    def rate_of(self, rate: float, seconds: float, step: int) -> float | None:
        """A rate that is the mean since the epoch began, as `mean_of` its time; else None."""
        return self._elapsed.rate(self.label, rate, seconds, step)

    def time_of(self, seconds: float | None) -> float | None:
        """A bare `time` of an epoch's line, once it is known to be the epoch's.

        One that only grows from epoch to epoch is the time since the start.
        """
        label, before = self.label, self._timed
        if seconds is None or label is None:
            return None
        self._timed = label, seconds
        if before is not None and label == before[0]:
            self._time_is_an_epochs = False  # a line of progress: what its time is of is not said
        elif before is not None and label == before[0] + 1 and seconds < before[1]:
            self._time_is_an_epochs = self._time_is_an_epochs is not False
        return seconds if self._time_is_an_epochs else None


class _Elapsed:
    """The times of progress lines that grow with the steps and begin anew with each epoch."""

    def __init__(self) -> None:
        self._label: int | None = None
        self._step = 0
        self._seconds = 0.0
        self._steady = 0  # lines, one behind the other, whose time grew as the steps did
        self._anew: bool | None = None  # whether times begin anew with an epoch; None: not seen
        self._work: tuple[int | None, float] | None = None  # epoch, and work of an iteration in it
        self._of_moments = False  # rates are of a few iterations, not of all since the beginning

    def rate(self, label: int | None, rate: float, seconds: float, step: int) -> float | None:
        """The rate, where it is all work of the epoch so far over its time.

        It is if times the time it grows as the steps do. A steady rate of a few iterations does so,
        too, and is the mean then.
        """
        work, before = rate * seconds / step, self._work
        if self._of_moments or seconds < _MEASURED:
            return None
        self._work = label, work
        if before is None or before[0] != label:
            return None
        self._of_moments = abs(work - before[1]) > _SAME * before[1]
        return None if self._of_moments else rate

    def mean(self, label: int | None, step: int, seconds: float) -> float | None:
        """Seconds an iteration so far in the epoch; None where the time may be another."""
        before, self._label = self._label, label
        last_step, self._step = self._step, step
        last, self._seconds = self._seconds, seconds
        if label != before:
            self._steady = 0
            if last_step:
                self._anew = self._anew is not False and step < last_step and seconds < last
            return None
        if step <= last_step or seconds <= last:
            self._anew = False
        pace, mean = (seconds - last) / max(step - last_step, 1), seconds / step
        self._steady = self._steady + 1 if pace >= _PACE * mean else 0
        return mean if self._anew and self._steady >= _STEADY else None
