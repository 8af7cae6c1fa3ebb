"""The mean time of an iteration, by the drawings of a progress bar."""

from __future__ import annotations

_FAR = 2.0
"""Factor between a bar's pace and its time over its count that shows that it began above 0."""
_FEW = 16
"""Iterations that a bar may have counted before its first drawing."""
_TIMES = 4
"""A resumed bar begins with at least so many times the iterations up to its second drawing."""
_MEASURED = 4
"""Seconds from which on a time cut to whole seconds is exact enough."""
_MOST_BARS = 16
_LEVEL = 0.05
_HOLDS = 20
"""A moving mean is over a pause once it is so near to the pace before, or so many paces later."""
_DECAYED = 30
"""Paces after which the first one no longer counts in a bar's moving mean."""


def mean_of_bar(step: int, elapsed: float, printed: float) -> float | None:
    """Mean seconds of an iteration since the bar began: its time over its count.

    A bar cuts its time to whole seconds, so that time over count is a range, wide for a short time.
    The printed pace is the mean only of a bar that is full; before, it is that of the last
    iterations. So the result is the printed pace, or the end of that range nearest to it.

    Args:
        step: Iterations done.
        elapsed: Printed seconds, cut to whole ones.
        printed: The pace, in seconds of an iteration; nan where the bar prints none.

    Returns:
        None before the first iteration, and where pace and count disagree: the count of a resumed
        bar begins with earlier iterations.
    """
    if step <= 0 or elapsed != elapsed:
        return None
    least, most = elapsed / step, (elapsed + 1) / step
    if printed != printed:
        return least if elapsed >= 20 else None
    if not least / _FAR <= printed <= most * _FAR:
        return None
    return min(max(printed, least), most)


class _Bar:
    """One bar.

    Attributes:
        begun: The count of its first drawing; 0 before it.
        resumed: Whether those iterations were done by an earlier run; None while unknown.
        seconds: The time of the first drawing.
        pace: The last pace.
        paces: How many paces were printed.
        paused: Whether it waits for an evaluation.
        level: The last pace before that.
        holds: How many more paces may have that in their moving mean.
    """

    begun = paces = holds = 0
    seconds = pace = level = 0.0
    paused = False
    resumed: bool | None = None


class Paces:
    """The paces of a log's bars, without those that are wrong.

    The bar of a resumed training counts the earlier iterations at once, which makes its moving mean
    far too fast. Its paces are used where they agree with its count and time since then. A bar that
    goes on after an evaluation has that in its moving mean, which falls back within some drawings.

    Attributes:
        skipped: The earlier iterations, where the last drawing shows that there are any; else 0.
    """

    def __init__(self) -> None:
        self.skipped = 0
        self._bars: dict[int, _Bar] = {}  # by their steps

    def pause(self) -> None:
        """Takes note of an evaluation: whichever bar goes on has waited for it."""
        for bar in self._bars.values():
            bar.paused = bar.pace > 0

    def of(self, step: int, steps: int, elapsed: float, pace: float) -> float | None:
        """Seconds of an iteration by one drawing of a bar; None where its pace is wrong."""
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
            return pace if step <= _FEW else None
        since, passed = step - bar.begun, elapsed - bar.seconds
        if since > 0 and bar.resumed is None:
            bar.resumed = bar.begun > max(_FEW, _TIMES * since)
            self.skipped = bar.begun if bar.resumed else 0
        if pace != bar.pace:
            if bar.paused:
                bar.paused, bar.level, bar.holds = False, bar.pace, _HOLDS
            bar.holds = bar.holds - 1 if pace > bar.level * (1 + _LEVEL) else 0
            bar.pace, bar.paces = pace, bar.paces + 1
        if bar.holds > 0:
            return None
        agrees = passed >= _MEASURED and passed - 1 <= pace * since <= passed + 1
        return pace if not bar.resumed or bar.paces > _DECAYED or agrees else None
