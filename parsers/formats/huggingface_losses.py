"""Finds out from the losses whether a closing report has the time of the whole training.

A training that was resumed has reports of all its parts in `trainer_state.json` and in a log that
all parts wrote to; but its closing report divides the samples of all parts by the time of the last.
The report's own loss shows it: the sum of the last part's losses, divided by the steps of all.
"""

import math

_APART = 0.02
"""Fraction of the sum of all losses by which that of the closing report may be less."""
_PLACED = 0.01
"""How far the places of two reports may be from the true ones: epochs may have two decimals."""
_ROUNDED = 0.00005
"""How far a printed loss may be from the true one: it has four decimals."""


class LossSum:
    """Adds up the losses of a training; the place of a report is its step, or its epoch."""

    def __init__(self) -> None:
        self._sum = self._at = self._greatest = 0.0

    def add(self, loss: float, at: float) -> None:
        """Adds a report: the mean loss since the report before."""
        if loss < 0 or at < 0:
            self._sum = math.nan  # a smaller sum would not show that losses are missing
        elif at < self._at:  # the steps since a checkpoint are done again
            self._sum *= at / self._at
        else:
            self._sum += loss * (at - self._at)
        self._at, self._greatest = at, max(self._greatest, loss)

    def is_of_a_part(self, mean: float | None, at: float | None) -> bool:
        """Returns whether the mean loss of a closing report leaves out earlier reports."""
        if mean is None or not at:
            return False
        tolerance = _APART * self._sum + _PLACED * self._greatest + _ROUNDED * at
        return self._sum - mean * at > tolerance
