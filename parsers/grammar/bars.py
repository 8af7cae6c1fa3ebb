"""What a progress bar says about the mean time of an iteration."""

from __future__ import annotations

_FAR = 2.0
"""Factor by which a bar's pace and its count over time disagree where it did not count from 0."""


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
