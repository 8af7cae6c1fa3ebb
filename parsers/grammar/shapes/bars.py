"""Derives the mean time of an iteration from the drawings of a progress bar."""

_FAR = 2.0
"""If a bar's pace and its time / count differ by more than this, its count began above 0."""
FEW = 16
"""Iterations that a new bar may have counted before its first drawing."""
TIMES = 4
"""Least ratio of a resumed bar's first count to the iterations until its second drawing."""
_MEASURED = 4
"""Seconds after which a time cut to whole seconds is exact enough."""
_MOST_BARS = 16
PAUSE_LEVEL = 0.05
PAUSE_HOLDS = 20
"""A pause has left a moving mean near the pace before it, by this part, or so many paces later."""
_DECAYED = 30
"""Paces after which the first pace no longer affects a bar's moving mean."""
_LATEST = 0.3
"""The share of the latest iterations in tqdm's moving mean, unless a program sets another."""
_INTERVAL_S = 0.1
"""Least seconds between two drawings of tqdm: slower iterations are drawn one by one."""
_ROUNDED = 0.005
"""What rounding to two decimals may change of a pace."""
_NEAR_S, _NEAR = 0.1, 0.01
"""How far the times computed from moving means may be from the bar's whole seconds."""


def mean_of_bar(
    step: int, elapsed: float, printed: float, *, between: bool = False
) -> float | None:
    """Returns mean seconds/iteration since the bar began: its time over its count.

    A bar cuts its time to whole seconds, so that time over count is a range, wide for a short time.
    The printed pace is the mean only when the bar is full; before, it is the pace of the last
    iterations. So the result is the printed pace, limited to that range.

    Args:
        step: Iterations done.
        elapsed: Printed seconds, cut to whole ones.
        printed: The pace in seconds/iteration; nan if the bar prints none.
        between: Whether count and seconds are those between two drawings, of which each cuts its
            time.

    Returns:
        None before the first iteration, and if pace and count disagree: the count of a resumed bar
        includes earlier iterations.
    """
    if step <= 0 or elapsed != elapsed:
        return None
    if printed != printed:
        return elapsed / step if elapsed >= 20 else None
    least, most = max(elapsed - between, 0) / step, (elapsed + 1) / step
    if least <= printed <= most:
        return printed
    if not least / _FAR <= printed <= most * _FAR:
        return None
    return least if printed < least else most


class _Bar:
    """The state of one bar.

    Attributes:
        begun: The count of its first drawing with a pace; 0 before that.
        resumed: Whether an earlier run did the first `begun` iterations; None while unknown.
        seconds: The elapsed time at that drawing.
        pace: The last pace.
        paces: How often a new pace was printed.
        paused: Whether an evaluation came since its last new pace.
        level: The last pace before the evaluation.
        holds: How many more paces may include the evaluation's time.
        counted: The count of the last drawing.
        mean_count: Moving mean of the iterations between two drawings.
        mean_time: Moving mean of their seconds: a pace is the ratio of both.
        rounded: What rounding may have changed of `mean_time`.
        passed: Seconds from the beginning of the bar by its paces alone.
        moving: Whether the paces so far were such ratios.
        latest: Seconds/iteration up to the last drawing; None if it is unknown.
    """

    begun = paces = holds = counted = 0
    seconds = pace = level = mean_count = mean_time = rounded = passed = 0.0
    paused = False
    moving = True
    resumed: bool | None = None
    latest: float | None = None

    def measure(self, step: int, elapsed: float, pace: float) -> None:
        """Computes the time since the last drawing by the change of the moving mean.

        If the bar prints another kind of pace, such times do not add up to the bar's own.
        """
        count = step - self.counted
        self.latest = None
        if count <= 0 or (pace == self.pace and (self.level or pace) < _INTERVAL_S):
            return  # drawn again, such as by a program that writes a line above the bar
        before, rounded, self.counted = self.mean_time, self.rounded, step
        self.mean_count = _LATEST * count + (1 - _LATEST) * self.mean_count
        self.mean_time = pace * self.mean_count
        self.rounded = self.mean_count * _ROUNDED * min(1, pace * pace)  # of s/it, or of it/s
        seconds = (self.mean_time - (1 - _LATEST) * before) / _LATEST
        unsure = (self.rounded + (1 - _LATEST) * rounded) / _LATEST
        self.passed += seconds
        near = _NEAR_S + _NEAR * self.passed + unsure
        fits = elapsed - near <= self.passed <= elapsed + 1 + near
        self.moving = self.moving and fits and seconds > -unsure
        if unsure <= _INTERVAL_S:  # more or less by chance: the error is not in their sum
            self.latest = seconds / count


class Paces:
    """The paces of a log's bars, without those that are wrong.

    The bar of a resumed training counts the earlier iterations at once, which makes its moving mean
    far too fast; after an evaluation, a bar's moving mean includes the time of the evaluation for
    some drawings. From then on, the time between two drawings is computed from the change of the
    mean. Where that cannot be, the paces of a resumed bar are used if they agree with its count and
    time since then, and those after an evaluation once they are as they were before it.

    Attributes:
        skipped: Iterations of an earlier run, if the last drawing revealed them; else 0.
        resumed_at: The step at which the training goes on, if the log says so; else 0. A few
            iterations of an earlier run show only then.
    """

    def __init__(self) -> None:
        self.skipped = self.resumed_at = 0
        self._bars: dict[int, _Bar] = {}  # by their steps

    def pause(self) -> None:
        """Notes an evaluation: every bar that goes on has waited for it."""
        for bar in self._bars.values():
            bar.paused = bar.pace > 0

    def of(self, step: int, steps: int, elapsed: float, pace: float) -> float | None:
        """Returns seconds/iteration from a drawing; None if its pace is wrong or absent."""
        self.skipped = 0
        if len(self._bars) > _MOST_BARS:
            self._bars.clear()
        if not step or steps not in self._bars:
            self._bars[steps] = _Bar()
        bar = self._bars[steps]
        if not step or pace != pace:
            return None
        if not bar.begun:
            bar.begun, bar.seconds = step, elapsed
            bar.measure(step, elapsed, pace)
            bar.pace = pace
            return pace if step <= FEW and not 0 < self.resumed_at < step else None
        since, passed = step - bar.begun, elapsed - bar.seconds
        if since > 0 and bar.resumed is None:
            bar.resumed = bar.begun > max(FEW, TIMES * since) or (0 < self.resumed_at < bar.begun)
            self.skipped = bar.begun if bar.resumed else 0
        bar.measure(step, elapsed, pace)
        if pace != bar.pace:
            if bar.paused:  # the evaluation is among these iterations
                bar.paused, bar.level, bar.holds, bar.latest = False, bar.pace, PAUSE_HOLDS, None
            bar.holds = bar.holds - 1 if pace > bar.level * (1 + PAUSE_LEVEL) else 0
            bar.pace, bar.paces = pace, bar.paces + 1
        if (bar.level or bar.resumed) and bar.moving:
            return bar.latest if step < steps else None  # a full bar prints the mean of all
        if bar.holds > 0:
            return None
        agrees = passed >= _MEASURED and passed - 1 <= pace * since <= passed + 1
        return pace if not bar.resumed or bar.paces > _DECAYED or agrees else None
