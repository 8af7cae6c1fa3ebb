"""Counts the steps of progress lines over the run, where a log counts them in each epoch anew."""

from sixdim.parsers.events import Iteration


class RunSteps:
    """The step of each progress line, counted over the run.

    Steps that are higher in the next epoch, or higher than an epoch has, count the run already.
    Without epochs, a step that is not after the first one begins another pass.

    Attributes:
        before: Steps of earlier epochs, or of earlier passes.
        last: Step of the last line as the log prints it; None before the first.
    """

    def __init__(self) -> None:
        self.before = 0
        self.last: int | None = None
        self._first = 0
        self._base = 0
        self._epoch: int | None = None
        self._in_epoch = 0
        self._of_run = False

    def count(self, line: Iteration) -> int | None:
        """Returns the step of the next line; None if it has none."""
        step, epoch, steps, last = line.step, line.epoch, line.steps, self.last
        if step is None:
            return None
        if epoch is not None:
            if steps is not None and step > steps:
                self._of_run = True
            if epoch != self._epoch:
                self._begin(epoch, step, steps)
            if step > self._in_epoch:
                self._in_epoch = step
        elif last is None:
            self._first = step
        elif step < last and step <= self._first:
            self.before += last
        self.last = step
        return self.before + step

    def _begin(self, epoch: int, step: int, steps: int | None) -> None:
        """Counts the steps before an epoch."""
        if self._epoch is None or self.last is None:
            # What was trained before the log begins is known only if epochs have a known size.
            self._base = min(epoch, 1) if steps else epoch
        elif epoch > self._epoch and step > self.last:
            self._of_run = True
        self._base = min(self._base, epoch)
        self._in_epoch = max(self._in_epoch, steps or 0)
        self.before = 0 if self._of_run else (epoch - self._base) * self._in_epoch
        self._epoch = epoch
