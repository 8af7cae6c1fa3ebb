"""Epochs in a log that no format knows: their labels, their number, and when each one ends."""

from __future__ import annotations

from math import inf

from sixdim.parsers.events import Event, Origin, RunInfo, RunStart
from sixdim.parsers.formats.generic_namings import Namings
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, Plan
from sixdim.parsers.grammar.vocabulary.forms import Numbers

_BATCHES = 32
"""Counts of samples on two lines differ by a multiple of this, because usual batches are one."""
_MOST_BETWEEN = 1_000
"""The most batches between two progress lines."""
_STEADY = 3
"""Consecutive lines whose time must grow as their steps do to be the time since the epoch began."""
_PACE = 0.5
"""The least share of the epoch's mean seconds an iteration that passes from step to step."""
_SAME = 0.03
"""The largest relative difference between two lines' samples an iteration: they are rounded."""
_MEASURED = 0.5
"""Seconds from which on two decimals are exact enough for that."""
_SINGLES = 2
"""Epochs after the first that had one line each: later epochs are then taken to have one, too."""
_ROUND = 500
"""Lines a multiple of this apart may count iterations, though it is a multiple of a batch, too."""


class Epochs:
    """The epochs of one log, line by line.

    Attributes:
        label: Label of the current epoch; None before the first one.
        named: Whether any line has named its epoch.
        has_training: Whether the current epoch has a figure of the training.
        namings: How the lines number the epochs.
    """

    def __init__(self) -> None:
        self.label: int | None = None
        self.named = False
        self.has_training = False
        self.namings = Namings()
        self._plan: Plan | None = None  # of the last line with an epoch or their number
        self._number: int | None = None
        self._last: tuple[int | None, ...] = ()  # its number of epochs, and the label after it
        self._planned: int | None = None
        self._last_count: int | None = None  # printed by the last line
        self._trained: tuple[int, int] | None = None  # the last finished epoch: label and steps
        self._from_zero = False
        self._has_zero = False
        self._last_time: tuple[int, float] | None = None  # of an epoch's line: label and seconds
        self._time_is_an_epochs: bool | None = None
        self._elapsed = _Elapsed()
        self._over = False  # a line says that the current epoch is over
        self._reported = False  # a line has figures of the whole current epoch
        self._steps_came_first = False  # steps were printed before any line named an epoch
        self._named_late = False  # a line named the epoch before the current one
        self._step: int | None = None  # of the last training line without an epoch
        self._step_rose = False  # compared with the line before that
        self._single: int | None = None  # epoch of the last line with a rate and without a step
        self._singles: float = 0  # epochs after the first that had exactly one such line

    def begin(self, out: list[Event], at: Origin, p: Plan, numbers: Numbers) -> None:
        """Takes a line that names an epoch, or how many epochs there are."""
        number, behind = numbers[p.epoch], numbers[p.epochs]
        again = number == self._number and p is self._plan and not p.whole
        if again and (behind, self.label) == self._last:
            return
        if number is not None:
            self._begin(p, number)
            if self.namings.anew:
                self._planned = None
                out.append(RunStart(at))
        if behind is not None:
            planned = self._newly_planned(behind)
            if planned is not None:
                out.append(RunInfo(at, "epochs_planned", planned))
        self._plan, self._number, self._last = p, number, (behind, self.label)

    def _begin(self, p: Plan, number: int) -> None:
        before = self.label
        label = self.namings.label(p.naming, number, before if self.has_training else None)
        if label != before:
            self._named_late |= before is not None and label == before - 1
            self.has_training = self._over = self._reported = False
            self.label = label
            self._has_zero |= label == 0
        self.named = True
        if p.ends:
            self._over = True
        elif p.whole:
            trained = p.trained
            self._over |= trained is not None and trained.loss != ABSENT
            self._reported |= p.tested is not None or (trained is not None and bool(trained.values))

    def are_over(self, done: int) -> None:
        """Takes the number of epochs that are over; the current one ends if it is among them.

        The label of the last epoch is that number, or one less where labels begin with 0.
        """
        if self.label is not None and self.has_training and done == self.label + self._has_zero:
            self._over = True

    def goes_on(self, step: int | None, *, bar: bool, last: bool = False) -> None:
        """Takes a training line without an epoch: after the end of an epoch it is of the next one.

        Some logs name an epoch only after its bars and steps. If the first epoch is named so, steps
        that follow the figures of an epoch are taken for those of the next one. Once a later name
        shows that they were not, only steps that begin again are.

        Args:
            step: The step of the line.
            bar: Whether the line is a progress bar, which may draw the same step twice.
            last: Whether the bar is full. One that was drawn before then begins no epoch.
        """
        if step is None:
            return
        before, self._step = self._step, step
        if bar and self._step_rose and step == before:
            return
        self._step_rose = before is not None and step > before
        if last and self._step_rose:
            return
        again = not self._step_rose
        if self.label is None:
            self._steps_came_first = True
        elif self._over or (
            self._steps_came_first and self._reported and (again or not self._named_late)
        ):
            self.label, self._over, self._reported = self.label + 1, False, False

    def have_a_line_each(self) -> bool:
        """Takes a line with a rate and without a step; returns whether it is its epoch's only line.

        It is taken for the only one once three consecutive epochs had exactly one such line.
        """
        before, self._single = self._single, self.label
        if before is not None and before == self.label:
            self._singles = -inf
        follows = before is not None and self.label == before + 1
        self._singles = self._singles + 1 if follows else min(self._singles, 0)
        return self._singles >= _SINGLES

    def _newly_planned(self, behind: int) -> int | None:
        """The number of planned epochs, from the number behind a label; None if it is not new.

        Labels that begin with 0 end with that number (`9/9` of 10 epochs) or one less (`9/10`);
        only the last label shows which.
        """
        counted_from_one = bool(self.namings.offset)
        self._from_zero |= self.label == 0 and not counted_from_one
        if self._from_zero and not counted_from_one:
            if behind != self.label:
                return None
            behind += 1
        if behind == self._planned:
            return None
        self._planned = behind
        return behind

    def counts_samples(self, step: int | None, *, shared: bool) -> bool:
        """Whether counts like `[640/60000 (1%)]` count samples and not iterations.

        Between two lines samples grow by a multiple of the batch, iterations by round numbers.

        Args:
            step: The count on this line.
            shared: Whether a percentage follows it. Without one (`[640/60000]`) both counts must be
                multiples of a batch, and their difference no round number.
        """
        before, self._last_count = self._last_count, step
        if step is None or before is None or step <= before:
            return False
        apart = step - before
        if shared:
            return apart % _BATCHES == 0 or apart >= _MOST_BETWEEN
        return apart % _BATCHES == 0 and step % _BATCHES == 0 and apart % _ROUND != 0

    def trained(self, steps: int) -> bool:
        """Takes the last step of the current epoch; returns whether there is a current epoch."""
        if self.label is not None:
            self._trained = self.label, steps
        return self.label is not None

    def trained_in_other_steps(self, steps: int | None) -> bool:
        """Whether the current epoch was finished with another number of steps than this one."""
        if self._trained is None or steps is None:
            return False
        label, of_training = self._trained
        return label == self.label and steps != of_training

    def mean_of(self, seconds: float, step: int) -> float | None:
        """Seconds an iteration, if `time` is that since the epoch began; else None."""
        return self._elapsed.mean(self.label, step, seconds)

    def rate_of(self, rate: float, seconds: float, step: int) -> float | None:
        """The rate, if it is the mean since the epoch began; else None."""
        return self._elapsed.rate(self.label, rate, seconds, step)

    def time_of(self, seconds: float | None) -> float | None:
        """The `time` on an epoch's line, once it is known to be that epoch's duration; else None.

        A time that only grows from epoch to epoch is that since the start of the run.
        """
        label, before = self.label, self._last_time
        if seconds is None or label is None:
            return None
        self._last_time = label, seconds
        if before is not None and label == before[0]:
            self._time_is_an_epochs = False  # two lines of one epoch: these are progress lines
        elif before is not None and label == before[0] + 1 and seconds < before[1]:
            self._time_is_an_epochs = self._time_is_an_epochs is not False
        return seconds if self._time_is_an_epochs else None


class _Elapsed:
    """Times on progress lines: whether they are those since the epoch began."""

    def __init__(self) -> None:
        self._label: int | None = None
        self._step = 0
        self._seconds = 0.0
        self._steady = 0  # consecutive lines whose time grew as their steps did
        self._anew: bool | None = (
            None  # whether times fall when an epoch begins; None before the second epoch
        )
        self._samples: tuple[int | None, float] | None = None  # epoch, samples an iteration
        self._of_moments = False  # rates are those of the last few iterations

    def rate(self, label: int | None, rate: float, seconds: float, step: int) -> float | None:
        """The rate, if it is all samples of the epoch so far / its time so far; else None.

        Then rate x time / step, the samples of an iteration, is the same on every line. It is for a
        constant rate of the last few iterations, too, which then equals the mean.
        """
        samples, before = rate * seconds / step, self._samples
        if self._of_moments or seconds < _MEASURED:
            return None
        self._samples = label, samples
        if before is None or before[0] != label:
            return None
        self._of_moments = abs(samples - before[1]) > _SAME * before[1]
        return None if self._of_moments else rate

    def mean(self, label: int | None, step: int, seconds: float) -> float | None:
        """Mean seconds an iteration since the epoch began; None where the time may be another."""
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
