"""What a progress bar says about the mean time of an iteration."""

from __future__ import annotations

_FAR = 2.0
"""Factor by which a bar's pace and its count over time disagree where it did not count from 0."""
_FEW = 16
"""Iterations that a bar may have done before its first drawing."""
_TIMES = 4
"""How many times what it does to the second drawing those are, at least, that it only counts."""
_MEASURED = 4
"""Seconds that a bar, which cuts them, measures well enough."""
_MOST_BARS = 16
_DECAYED = 30
"""Paces after which the first one is no part of a bar's smoothed pace any more."""


def mean_of_bar(step: int, elapsed: float, printed: float) -> float | None:
    """Mean seconds of an iteration since the bar began: its time over its count.

    A bar cuts its time to whole seconds: of a short one that says little, and its pace says the
    rest. The pace of a bar that is over is the mean; before, it is that of the last iterations.
    So the result is the printed pace, within what count and time leave open.

    Args:
        step: Iterations done.
        elapsed: Printed seconds, cut to whole ones.
        printed: The pace, in seconds of an iteration; nan where the bar knows none.

    Returns:
        None where nothing is done yet, or where pace and count disagree: a bar that was resumed
        counts what it did not do.
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
    """What is known of one bar.

    Attributes:
        begun: What its first drawing counted; 0 before it.
        resumed: Whether that was done before.
        seconds: Its time in the first drawing.
        pace: The last pace.
        paces: How many there were.
    """

    begun = paces = 0
    seconds = pace = 0.0
    resumed: bool | None = None


class Paces:
    """The paces of a log's bars, as far as they are of what the bars did themselves.

    The bar of a resumed training counts at once what was done before, and the pace that it prints
    is a moving mean in which that is far too fast. Such paces count where they agree with the bar's
    count and time since then.

    Attributes:
        skipped: What the bar counted at once, where the last drawing shows that; else 0.
    """

    def __init__(self) -> None:
        self.skipped = 0
        self._bars: dict[int, _Bar] = {}  # by their steps

    def of(self, step: int, steps: int, elapsed: float, pace: float) -> float | None:
        """Seconds of an iteration by one drawing of a bar; None where its pace is not that."""
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
            bar.pace, bar.paces = pace, bar.paces + 1
        agrees = passed >= _MEASURED and passed - 1 <= pace * since <= passed + 1
        return pace if not bar.resumed or bar.paces > _DECAYED or agrees else None
