"""Distinguishes counts of samples from counts of iterations, in a log that no format knows."""

_BATCHES = 32
"""Usual batches are multiples of this, so counts of samples differ by multiples of it."""
_SMALL_BATCH = 8
"""As `_BATCHES`, of the smaller ones."""
_TEN, _HUNDRED = 10, 100
"""Iterations between two lines are often a multiple of these."""
_MOST_BETWEEN = 1_000
"""The most batches between two progress lines."""
_ROUND = 500
"""Counts that differ by a multiple of this may be iterations, although `_BATCHES` may divide it."""


class Samples:
    """Compares each count with the one on the line before.

    Samples grow by a multiple of a batch from line to line, iterations mostly by round numbers.
    """

    def __init__(self) -> None:
        self._last: int | None = None

    def are_counted(self, count: int | None, *, shared: bool) -> bool | None:
        """Returns whether counts like `[640/60000 (1%)]` count samples and not iterations.

        None if a count with a percentage grows by a number that may be either, as 80.

        Args:
            count: The count on this line.
            shared: Whether a percentage follows it; then a large growth is enough. Otherwise count
                and growth must be multiples of a batch, and the growth not a round number.
        """
        before, self._last = self._last, count
        if count is None or before is None or count <= before:
            return False
        apart = count - before
        if shared:
            if apart % _BATCHES == 0 or apart >= _MOST_BETWEEN:
                return True
            if apart % _SMALL_BATCH or apart % _HUNDRED == 0:
                return False
            return None if apart % _TEN == 0 else True
        return apart % _BATCHES == 0 and count % _BATCHES == 0 and apart % _ROUND != 0
