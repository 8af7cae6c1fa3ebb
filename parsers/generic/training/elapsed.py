"""Finds out what the times on progress lines count from, in a log that no format knows."""

_STEADY = 3
"""Consecutive lines on which a time must grow with the steps to count from the epoch's start."""
_PACE = 0.5
"""Least ratio of the time per step between two lines to the epoch's mean time per step."""
_SAME = 0.03
"""Largest relative difference between two lines' samples/iteration that rounding explains."""
_MEASURED = 0.5
"""Seconds after which a time with two decimals is exact enough for that."""
_EXACT = 5.0
"""Seconds between two lines after which a time with decimals is exact enough for a mean."""
_EXACT_WHOLE = 20.0
"""The same for whole seconds: each of them may be almost one too low."""
_LINES = 8
_GROWN = 3.0
"""A time that grows on this many lines of an epoch, to this multiple of the first, is elapsed."""
_CONFIRMED = 4
"""Lines on which a time called elapsed must have grown; that of each update is called so, too."""


class Elapsed:
    """Finds out whether the times on progress lines count from the start of the epoch."""

    def __init__(self) -> None:
        self._label: int | None = None
        self._step = 0
        self._seconds = 0.0
        self._steady = 0  # consecutive lines whose time grew as their steps did
        self._anew: bool | None = None  # whether times fall when an epoch begins
        self._first = 0.0  # time of the epoch's first line
        self._grows = 0  # lines of the epoch after it; -1 if a time fell
        self._of_run = False  # times count from the start of the run
        self._samples: tuple[int | None, float] | None = None  # epoch, samples an iteration
        self._of_moments = False  # rates are those of the last few iterations
        # Label, step and time of the earlier line from which the mean is computed.
        self._from: tuple[int | None, int, float] | None = None
        self._passed = 0.0  # time of the last line
        self._confirmed = 0  # lines on which it grew with the steps
        self._falls = False  # it fell while the steps went on

    def rate(self, label: int | None, rate: float, seconds: float, step: int) -> float | None:
        """Returns the rate if it is (samples of the epoch so far) / (its time so far); else None.

        If so, rate x time / step, the samples of an iteration, is the same on every line. A
        constant rate of the last few iterations also passes, but then it equals the mean.
        """
        samples, before = rate * seconds / step, self._samples
        if self._of_moments or seconds < _MEASURED:
            return None
        self._samples = label, samples
        if before is None or before[0] != label:
            return None
        self._of_moments = abs(samples - before[1]) > _SAME * before[1]
        return None if self._of_moments else rate

    def since(self, label: int | None, step: int, passed: float) -> float | None:
        """Returns seconds/iteration since an earlier line of the epoch, by the elapsed times.

        Returns:
            None if too little time has passed to be exact; then a later line gives the mean since
            that same earlier line. None, too, after it has fallen while the steps
            went on, and in a log without epochs until it has grown on some lines.
        """
        before = self._from
        if before is not None and label == before[0] and step > before[1]:
            self._falls |= passed < self._passed
            self._confirmed += 1
        self._passed = passed
        if before is None or label != before[0] or step <= before[1] or passed < before[2]:
            self._from = label, step, passed
            return None
        if self._falls or (label is None and self._confirmed < _CONFIRMED):
            return None
        whole = passed.is_integer() and before[2].is_integer()
        if passed - before[2] < (_EXACT_WHOLE if whole else _EXACT):
            return None
        self._from = label, step, passed
        return (passed - before[2]) / (step - before[1])

    def pause(self) -> None:
        """Notes an evaluation, whose time is in that of the next line: the mean begins with it."""
        self._from = None

    def of_run(self, label: int | None, step: int, seconds: float) -> float | None:
        """Returns seconds/iteration since an earlier line if the time counts from the run's start.

        Such a time only grows in an epoch, and grows on when the next one begins.
        """
        return self.since(label, step, seconds) if self._of_run and self._grows >= 0 else None

    def mean(self, label: int | None, step: int, seconds: float) -> float | None:
        """Returns mean seconds/iteration since the epoch began; None if the time may be another."""
        before, self._label = self._label, label
        last_step, self._step = self._step, step
        last, self._seconds = self._seconds, seconds
        if label != before:
            elapsed = self._grows >= _LINES and last > _GROWN * self._first
            self._of_run = seconds > last and step < last_step and (elapsed or self._of_run)
            self._first, self._grows = seconds, 0
            self._steady = 0
            if last_step:
                self._anew = self._anew is not False and step < last_step and seconds < last
            return None
        if step <= last_step or seconds <= last:
            self._anew, self._grows = False, -1
        self._grows += self._grows >= 0
        pace, mean = (seconds - last) / max(step - last_step, 1), seconds / step
        self._steady = self._steady + 1 if pace >= _PACE * mean else 0
        return mean if self._anew and self._steady >= _STEADY else None
