"""Reads reports of Hugging Face's Trainer, on a console and in trainer_state.json.

Reports count epochs in fractions (`'epoch': 0.25`). If the steps of an epoch are known (from the
header, or from a report beside a bar), each step is placed in an epoch, counted from 1. A run whose
steps are no whole number of epochs is counted in steps.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Events,
    Fact,
    Metric,
    Origin,
    RunEnd,
    Scope,
    Summary,
)
from sixdim.parsers.formats.huggingface_losses import LossSum
from sixdim.parsers.formats.huggingface_unsized import UnsizedSteps
from sixdim.parsers.grammar.shapes.figures import as_number, figures
from sixdim.parsers.grammar.vocabulary.durations import spoken_seconds

_SAMPLES, _STEPS = "train_samples_per_second", "train_steps_per_second"
_UNITS = {
    "train_runtime": "s",
    _SAMPLES: "samples/s",
    _STEPS: "steps/s",
    "train_tokens_per_second": "tokens/s",
}
_NAMES = {name: (name, unit) for name, unit in _UNITS.items()} | {
    "eval_loss": ("loss", ""),
    "eval_accuracy": ("accuracy", "fraction"),
}
_NOT_SCORES = frozenset(
    {"epoch", "step", "eval_runtime", "eval_samples", "eval_samples_per_second"}
    | {"eval_steps_per_second", "eval_jit_compilation_time", "eval_model_preparation_time"}
)
_ROUNDED = 0.0005
"""How far a printed rate of steps may be from the true one: it has three decimals."""
_NEAR = 0.05
"""Fraction of an epoch by which its last report may miss the whole number, as steps are whole."""
_SURE = 0.01
"""Largest relative deviation from a whole number of epochs that rounding of a report explains."""


def _with_both_rates(
    report: Mapping[str, object], steps: int | None, batch: Fact | None
) -> Mapping[str, object]:
    """Returns a closing report whose rates are what their names say.

    Before version 4.7 the rate of the samples is that of the steps, and no other is printed: the
    planned steps show it.

    Args:
        report: The closing report.
        steps: The planned steps; None if unknown.
        batch: The samples of a step of all devices; None or 0 if unknown.
    """
    rate, seconds = (as_number(report.get(name)) for name in (_SAMPLES, "train_runtime"))
    if not rate or not seconds or not steps or _STEPS in report:
        return report
    paced = steps / seconds
    if abs(rate - paced) > max(_ROUNDED, _SURE * paced):
        return report
    corrected = {name: value for name, value in report.items() if name != _SAMPLES}
    if isinstance(batch, int) and batch:
        corrected[_SAMPLES] = paced * batch
    return {**corrected, _STEPS: paced}


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
        self._by_step = False
        self._passes = 0  # whole epochs when the length of the data was inferred
        self._latest = 0
        self._reported: float | None = None
        self._reports: list[float] = []
        self._losses = LossSum()

    @property
    def labelled(self) -> bool:
        """Whether a step or a report was placed in an epoch."""
        return self._latest > 0

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
                self._by_step = abs(self.steps - samples / batch) > 1
        if self.steps is not None:
            self._by_step |= total % self.steps != 0

    def report(
        self, epoch: float | None, loss: float | None = None, step: float | None = None
    ) -> None:
        """Takes the epoch of a report of training, its loss, and its step where that is known."""
        place = epoch if step is None else step
        if loss is not None and place is not None:
            self._losses.add(loss, place)
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
        self._by_step = True
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
        if epoch is None or not step or from_header or self._by_step:
            return None
        if epoch > 1 and step < total * (1 - _NEAR) and (self._passes or self.inferred == 1):
            return self._fit_unsized(epoch, step, total)
        planned = total * epoch / step
        whole = round(planned)
        if not whole or abs(planned - whole) > _SURE * whole or total % whole:
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
        self.inferred = math.ceil(total / steps - _NEAR)
        return self.inferred

    def first_epoch(self, step: int, total: int) -> bool:
        """Takes the place of the training's bar when the first epoch is over, from its beginning.

        Returns:
            Whether the bar then has a whole number of epochs; else it may be one of other work.
        """
        if self.steps is not None or not 0 < step < total or total % step:
            return False
        self.steps, self.total, self.inferred = step, total, total // step
        self._latest = 1
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
        """Whether the first report comes so late that an earlier run must precede it."""
        return first > 1.5 * (second - first) > 0

    def of(self, step: int | None, total: int | None, epoch: float | None = None) -> EpochPlace:
        """Returns the place of a step of the run, or of a report with an epoch's fraction."""
        self.done = max(self.done, step or 0)
        if self._by_step:
            return EpochPlace(None, step, total)
        if step and self.steps:
            label = max(self._latest, math.ceil(step / self.steps))
            self._latest = label
            return EpochPlace(label, step - (label - 1) * self.steps, self.steps)
        if epoch is not None and 0 <= epoch < 1e9:
            self._latest = max(self._latest, 1, math.ceil(epoch))
        return (
            EpochPlace(self._latest, None, None) if self._latest else EpochPlace(None, step, total)
        )

    def evaluation(
        self,
        at: Origin,
        report: Mapping[str, object],
        step: int | None,
        *,
        after_training: bool = False,
    ) -> Events:
        """Yields the evaluation in a report, with the epoch that it ends, if it has scores.

        As long as no step has been placed in an epoch, the evaluation alone says that one is over.
        One after the training counts if the training shows no other.
        """
        metrics = figures(report, skip=_NOT_SCORES, names=_NAMES, strip="eval_")
        if metrics:
            after_training, self.scored = after_training and self.scored, True
            epoch, midway = self.ended(as_number(report.get("epoch")))
            if epoch is not None and not after_training and not self.labelled:
                yield EpochEnd(at, epoch)
            yield Evaluation(at, metrics, epoch, step, after_training=after_training, midway=midway)

    def closing(
        self, at: Origin, report: Mapping[str, object], batch: Fact | None = None
    ) -> Events:
        """Yields the closing report's figures, and the run's end with the rate of the whole run.

        A resumed run gets no rate: all samples are divided by the time of the last part. If the
        log has the reports of all parts, that is not the time of the run, either.

        Args:
            at: Where the report was read.
            report: The report.
            batch: The samples of a step of all devices; None or 0 if unknown.
        """
        report = _with_both_rates(report, self.total, batch)
        metrics, printed = figures(report, names=_NAMES), report.get("train_runtime")
        seconds = as_number(printed)
        if seconds is None and isinstance(printed, str):
            seconds = spoken_seconds(printed)  # a console may print it as a timedelta
            metrics += () if seconds is None else (Metric("train_runtime", seconds, "s"),)
        yield Summary(at, metrics)
        rate = as_number(report.get(_SAMPLES))
        epoch, step = as_number(report.get("epoch")), as_number(report.get("step"))
        mean, place = as_number(report.get("train_loss")), epoch if step is None else step
        if self.in_parts or (not self.resumed and self._losses.is_of_a_part(mean, place)):
            self.resumed, seconds = True, None
        trained, midway = self.ended(epoch)
        yield RunEnd(
            at,
            seconds,
            # 0: too short to measure
            throughput=rate * self._done(report) if rate and not self.resumed else None,
            unit="samples/s",
            scope=Scope.JOB,
            # Of data whose length is unknown the fraction begins with the epoch: 18.03 may be 18.2.
            midway=midway or (trained is not None and trained < self._latest),
            # Reports at intervals of steps may name only a few of the epochs.
            epochs=None if trained is None or self.resumed else float(trained),
        )

    def _done(self, report: Mapping[str, object]) -> float:
        """Returns the share of the steps after a closing report's rates that were done.

        Until version 4 the rates are those of all planned steps, also of a training that was
        stopped early.
        """
        names = ("epoch", "step", _STEPS, "train_runtime")
        epoch, done, rate, seconds = (as_number(report.get(name)) for name in names)
        divided = rate * seconds if rate and seconds else 0.0
        if self.total and self.done >= self.total:
            return 1.0
        if done is None and epoch and self.steps and self.total and not self._by_step:
            done = epoch * self.steps if abs(divided / self.total - 1) < _NEAR else None
        if not done or not seconds or done >= (divided - _ROUNDED * seconds) * (1 - _NEAR):
            return 1.0
        return done / divided

    def ended(self, epoch: float | None) -> tuple[int | None, bool]:
        """Returns the epoch that ends at a fraction (or None), and whether it is mid-epoch."""
        if epoch is None or self._by_step or not 0 <= epoch < 1e9:
            return None, False
        whole = int(epoch + _NEAR)
        midway = abs(epoch - whole) > _NEAR or not whole
        return (None if midway else whole), midway
