"""Reads reports of Hugging Face's Trainer, on a console and in trainer_state.json."""

from collections.abc import Mapping

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
from sixdim.parsers.formats.huggingface_fractions import NEAR, SURE, Fractions
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


class Reports(Fractions):
    """The evaluations and the closing report of one run, placed in its epochs."""

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
        if self.in_parts or (not self.resumed and self.losses.is_of_a_part(mean, place)):
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
            midway=midway or (trained is not None and trained < self.latest),
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
        if done is None and epoch and self.steps and self.total and not self.by_step:
            done = epoch * self.steps if abs(divided / self.total - 1) < NEAR else None
        if not done or not seconds or done >= (divided - _ROUNDED * seconds) * (1 - NEAR):
            return 1.0
        return done / divided


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
    if abs(rate - paced) > max(_ROUNDED, SURE * paced):
        return report
    corrected = {name: value for name, value in report.items() if name != _SAMPLES}
    if isinstance(batch, int) and batch:
        corrected[_SAMPLES] = paced * batch
    return {**corrected, _STEPS: paced}
