"""Recognises progress bars without a word that count the steps of a training."""

from sixdim.parsers.events import Origin

_FEWEST_STEPS = 3
"""The fewest steps that lie between the counts of a bar that counts them."""
_BELOW = 3
"""A bar begins fewer lines than this below the line that announces it; one may be empty."""


class StepBars:
    """Recognises the bars without a word that count the steps of a training.

    One does if the lines between its drawings name steps, each of which lies between the counts
    before and after it, or if it begins directly below a line that says that the training starts.
    """

    def __init__(self) -> None:
        self._count = self._total = 0  # of the last drawing
        self._step: int | None = None  # that a line has named since
        self._agreed = self._last = 0  # how many steps lay between two counts, and the last of them
        self._of_steps = 0  # total of the bar that counts them
        self._announced_at = -_BELOW  # line that says that the training starts
        self._announced = 0  # total of the bar below it
        self._other_text = False  # since the last drawing, a line said something else

    def announce(self, at: Origin) -> None:
        """Notes a line that says that the training starts."""
        self._announced_at = at.line

    def note_text(self) -> None:
        """Notes a line without numbers: the next bar may be of other work."""
        self._other_text = True

    def note_step(self, step: int | None, steps: int | None) -> None:
        """Notes a line of the training that names a step, and perhaps the last one."""
        self._step = step if steps in (None, self._total) else None

    def trains(self, at: Origin, count: int, total: int) -> bool:
        """Notes a drawing of a bar without a word; returns whether it is the training's."""
        goes_on = total == self._total and count >= self._count
        if self._step is not None:
            agrees = goes_on and self._count - 1 <= self._step <= count + 1
            agrees = agrees and self._step > self._last
            self._agreed, self._last = (self._agreed + 1, self._step) if agrees else (0, 0)
            self._step = None
            if self._agreed == _FEWEST_STEPS:
                self._of_steps = total
        if not goes_on and self._other_text:
            self._announced = 0
        if at.line - self._announced_at < _BELOW:
            self._announced = total
        self._other_text, self._announced_at = False, -_BELOW
        self._count, self._total = count, total
        return total in (self._of_steps, self._announced)
