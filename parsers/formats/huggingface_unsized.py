"""Finds the steps of Hugging Face's reports on data of unknown length, where no bar shows them."""

_DISTINCT = 0.2
"""By how many steps a rounded fraction may miss a step that it still names."""


class UnsizedSteps:
    """The steps of the reports of one run.

    All planned steps are one epoch, of which a report prints a rounded fraction. Where that may be
    several steps, and where the data begin again, a step is as far from the last one as that is
    from the one before.
    """

    def __init__(self) -> None:
        self._latest = (0, 0, 0)
        self._decimals = 0  # the most that a report printed

    def of(self, epoch: float | None, total: int | None, *, formatted: bool) -> int | None:
        """Returns the step of a report; None if it is not certain.

        Args:
            epoch: The epoch of the report.
            total: The planned steps.
            formatted: Whether the epoch has four significant digits, of which zeros at the end are
                left out. Else it has two decimals or all, as those before show.
        """
        if epoch is None or not 0 < epoch < 1e9 or not total:
            return None
        exponent = _last_place(f"{epoch:.3e}" if formatted else repr(epoch))
        if not formatted:
            self._decimals = max(self._decimals, -exponent)
        rounded = total * 0.5 * 10.0 ** min(exponent, -self._decimals)
        first, second, last = self._latest
        goes_on = first > 0 and last - second == second - first
        place, step = epoch * total, 2 * last - second
        if epoch <= 1 and rounded < _DISTINCT:
            step = round(place)
        elif not goes_on or (epoch <= 1 and abs(step - place) > 1.01 * rounded):
            return None
        if not last < step <= total:
            return None
        self._latest = second, last, step
        return step


def _last_place(number: str) -> int:
    """Returns the power of ten of the last digit of a printed number: -3 of `0.025`."""
    digits, _, exponent = number.partition("e")
    return int(exponent or 0) - len(digits.partition(".")[2])
