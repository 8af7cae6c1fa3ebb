"""Places the reports of Hugging Face's Trainer in epochs.

Reports count epochs in fractions (`'epoch': 0.25`). If the steps of an epoch are known (from the
header, or from a report beside a bar), each step is placed in an epoch, counted from 1. A run whose
steps are no whole number of epochs is counted in steps.
"""

import math
from typing import NamedTuple

from sixdim.parsers.events import (
    Fact,
)
from sixdim.parsers.formats.huggingface_losses import LossSum
from sixdim.parsers.formats.huggingface_unsized import UnsizedSteps

NEAR = 0.05
"""Fraction of an epoch by which its last report may miss the whole number, as steps are whole."""
SURE = 0.01
"""Largest relative deviation from a whole number of epochs that rounding of a report explains."""


class EpochPlace(NamedTuple):
    """The place of an iteration: the first fields of an `Iteration` after its origin."""

    epoch: int | None
    step: int | None
    steps: int | None


class Fractions:
    """Follows the epochs of one run by its steps and fractions.

    Attributes:
        steps: Steps of an epoch; None while unknown.
        resumed: Whether the run went on from a checkpoint.
        in_parts: Whether the log also has what was trained before that; the closing report's time
            is that of the last part.
        last: Epoch of the last report of training.
        total: Planned steps; None while unknown.
        inferred: Planned epochs by reports and bars; None while unknown, or if a header says them.
        done: The last step of the run that a bar showed.
        scored: Whether an evaluation was read.
        unsized: Whether the header says that the length of the data is unknown.
        by_step: Whether the run is counted in steps, as they are no whole number of epochs.
        latest: The last epoch in which a step or a report was placed; 0 before that.
        losses: The losses of its reports.
    """

    def __init__(self) -> None:
        self.unsized = False
        self._unsized_steps = UnsizedSteps()
        self.steps: int | None = None
        self.resumed = self.in_parts = self.scored = False
        self.last = 0.0
        self.total: int | None = None
        self.inferred: int | None = None
        self.done = 0
        self.by_step = False
        self._passes = 0  # whole epochs when the length of the data was inferred
        self.latest = 0
        self._reported: float | None = None
        self._reports: list[float] = []
        self.losses = LossSum()

    @property
    def labelled(self) -> bool:
        """Whether a step or a report was placed in an epoch."""
        return self.latest > 0

    def plan(
        self, total: int, epochs: Fact | None, samples: Fact | None, batch: Fact | None
    ) -> None:
        """Takes the header's numbers of steps, epochs, samples an epoch and samples a step.

        The header of a run limited by steps rounds the number of epochs up; such a run has no whole
        number of epochs.
        """
        self.total = total
        if self.steps is None and isinstance(epochs, int) and 0 < epochs <= total:
            self.steps = total // epochs
            if isinstance(samples, int) and isinstance(batch, int) and batch > 0:
                self.by_step = abs(self.steps - samples / batch) > 1
        if self.steps is not None:
            self.by_step |= total % self.steps != 0

    def report(
        self, epoch: float | None, loss: float | None = None, step: float | None = None
    ) -> None:
        """Takes the epoch of a report of training, its loss, and its step where that is known."""
        place = epoch if step is None else step
        if loss is not None and place is not None:
            self.losses.add(loss, place)
        self._await(epoch)
        self.in_parts |= self._reported is not None and self._reported < self.last
        self.last = self._reported or self.last
        if self._reported is not None and len(self._reports) < 2:
            self._reports.append(self._reported)
            self.resumed |= len(self._reports) == 2 and self._late(*self._reports)

    def resume(self, step: int) -> None:
        """Takes the step from which the run went on."""
        self.resumed = True
        if self.steps is not None and self._reports:
            self.in_parts |= self._reports[0] * self.steps < step

    def step_of(self, epoch: float | None, *, formatted: bool) -> int | None:
        """Returns the step of a report on data of unknown length; see `UnsizedSteps.of`."""
        self.by_step = True
        return self._unsized_steps.of(epoch, self.total, formatted=formatted)

    def evaluated(self, epoch: float | None) -> None:
        """Takes the epoch of an evaluation, which tells as much as a report until one comes."""
        if not self._reports:
            self._await(epoch)

    def _await(self, epoch: float | None) -> None:
        """Takes an epoch to which the next bar is fitted."""
        self._reported = epoch if epoch is not None and 0 < epoch < 1e9 else None

    def fit(self, step: int, total: int) -> int | None:
        """Uses the step of the bar after a dict; returns the planned epochs if they are new.

        The dict is a report, or an evaluation before the first report. It is rounded, and the bar
        may be a step late, so the steps of an epoch are inferred only if the run then has a whole
        number of epochs. A program that buffers its output prints its dicts late, after any bar.
        The later a dict, the less its delay matters: each corrects those before it.
        """
        epoch, self._reported = self._reported, None
        from_header = self.steps is not None and self.inferred is None
        if epoch is None or not step or from_header or self.by_step:
            return None
        if epoch > 1 and step < total * (1 - NEAR) and (self._passes or self.inferred == 1):
            return self._fit_unsized(epoch, step, total)
        planned = total * epoch / step
        whole = round(planned)
        if not whole or abs(planned - whole) > SURE * whole or total % whole:
            return None
        if whole == self.inferred:
            return None
        self.steps, self.total, self.inferred = total // whole, total, whole
        return whole

    def _fit_unsized(self, epoch: float, step: int, total: int) -> int | None:
        """Uses a report of data whose length is unknown; returns the planned epochs.

        The Trainer then counts in each epoch as if it had all planned steps: in the first one, this
        looks like the only epoch. Whole epochs later it shows how many steps they had.
        """
        passes = int(epoch)
        steps = round((step - (epoch - passes) * total) / passes)
        if passes == self._passes or not 0 < steps < total:
            return None
        self._passes, self.steps = passes, steps
        self.inferred = math.ceil(total / steps - NEAR)
        return self.inferred

    def first_epoch(self, step: int, total: int) -> bool:
        """Takes the place of the training's bar when the first epoch is over, from its beginning.

        Returns:
            Whether the bar then has a whole number of epochs; else it may be one of other work.
        """
        if self.steps is not None or not 0 < step < total or total % step:
            return False
        self.steps, self.total, self.inferred = step, total, total // step
        self.latest = 1
        return True

    def begins_again(self, epoch: float | None, *, over: bool, longer: bool) -> bool:
        """Returns whether another training begins with a report.

        While the training before is not over, a rank may just be late.

        Args:
            epoch: Epoch of the report.
            over: Whether the training before is over.
            longer: Whether a longer bar was drawn since the last report, as when
                `auto_find_batch_size` begins again with smaller batches.
        """
        if epoch is None:
            return False
        anew = epoch < self.last / 2 and (over or self.last > 1)
        return anew or (longer and epoch < self.last)

    @staticmethod
    def _late(first: float, second: float) -> bool:
        """Returns whether the first report comes so late that an earlier run must precede it."""
        return first > 1.5 * (second - first) > 0

    def of(self, step: int | None, total: int | None, epoch: float | None = None) -> EpochPlace:
        """Returns the place of a step of the run, or of a report with an epoch's fraction."""
        self.done = max(self.done, step or 0)
        if self.by_step:
            return EpochPlace(None, step, total)
        if step and self.steps:
            label = max(self.latest, math.ceil(step / self.steps))
            self.latest = label
            return EpochPlace(label, step - (label - 1) * self.steps, self.steps)
        if epoch is not None and 0 <= epoch < 1e9:
            self.latest = max(self.latest, 1, math.ceil(epoch))
        return EpochPlace(self.latest, None, None) if self.latest else EpochPlace(None, step, total)

    def ended(self, epoch: float | None) -> tuple[int | None, bool]:
        """Returns the epoch that ends at a fraction (or None), and whether it is mid-epoch."""
        if epoch is None or self.by_step or not 0 <= epoch < 1e9:
            return None, False
        whole = int(epoch + NEAR)
        midway = abs(epoch - whole) > NEAR or not whole
        return (None if midway else whole), midway
