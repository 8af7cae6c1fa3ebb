"""The steps of the current epoch that were counted, in a log that no format knows."""

_NEAR = 0.02
"""Part by which the iterations of an epoch may differ from its time / the mean of an iteration."""


class CountedSteps:
    """Follows the count of steps on the lines of the training.

    Attributes:
        last: The epoch of the last step, the first step of that epoch, that last step, and the
            steps since the one before.
    """

    def __init__(self) -> None:
        self.last: tuple[int | None, int, int, int] = None, 0, 0, 0

    def count(self, label: int | None, step: int | None, steps: int | None) -> int | None:
        """Returns the step; an epoch's last one may be a remainder: 10, 20, and then 0 of 30."""
        if step is None:
            return None
        before, first, last, apart = self.last
        if before != label:
            first, last, apart = step, 0, 0
        elif step == 0 and label is not None and first and last + apart == steps:
            step = steps
        self.last = label, first, step, step - last
        return step

    def are_done(self, label: int | None, step: int | None) -> bool:
        """Returns whether the epoch has counted this step before."""
        return step is not None and self.last[0] == label and step <= self.last[2]

    def are_timed(self, label: int | None, seconds: float | None, time: float | None) -> bool:
        """Returns whether the seconds of an iteration are the epoch's time by its iterations."""
        before, _, last, apart = self.last
        if not seconds or not time or not last or before != label:
            return False
        return last * (1 - _NEAR) <= time / seconds <= (last + apart) * (1 + _NEAR)
