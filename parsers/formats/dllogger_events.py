"""Makes the events of DLLogger's records, whether they were text or JSON."""

from collections.abc import Mapping, Sequence

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Events,
    Iteration,
    Metric,
    Origin,
    RunEnd,
    RunInfo,
    RunStart,
    Scope,
    Summary,
)
from sixdim.parsers.formats import dllogger_names as meaning
from sixdim.parsers.formats.dllogger_names import RecordPlan, Values

_TIMES = ("e2e_train_time", "train_time_total", "total_train_time")
_ACCURACIES = {"top1_accuracy": "acc1", "top5_accuracy": "acc5"}
_new = tuple.__new__  # a log may be nothing but records: this takes half the time of `Iteration(…)`


class RecordEvents:
    """The records of one log.

    Attributes:
        by_step: Whether steps are printed like epochs: `(10,)`.
        closing: Whether a record has figures of the whole run.
        ended: Whether the run's end has an event.
    """

    def __init__(self) -> None:
        self.by_step = self.closing = self.ended = False
        self._in_header = False
        # Epoch and step of the last record with a rate, and the name of that.
        self._rated: tuple[int | None, int | None, str] | None = None

    def labels(self, epoch: int | None, step: int | None) -> tuple[int | None, int | None]:
        """Returns epoch and step of a record; some scripts print their step like an epoch."""
        return (None, epoch) if self.by_step and epoch is not None else (epoch, step)

    def of_three(
        self, at: Origin, place: Sequence[int | None], plan: RecordPlan, values: Values
    ) -> Events:
        """Returns the events of a record with three numbers: a part of an evaluation has none.

        The training has its epoch, its step and the steps of an epoch, these two in any order.
        """
        epoch, *counts = place
        known = [count for count in counts if count is not None]
        if not plan.of_training or plan.evaluates or len(known) < len(counts):
            return ()
        return self.step(at, epoch, min(known), plan, values, max(known))

    def events(
        self,
        at: Origin,
        epoch: int | None,
        step: int | None,
        plan: RecordPlan,
        values: Values,
    ) -> Events:
        """Yields the events of one record, whether it was text or JSON."""
        if not values:
            return ()
        self._in_header = False
        if self.by_step:
            epoch, step = self.labels(epoch, step)
        if meaning.of_whole_run(epoch, step, plan):
            return self._whole_run(at, plan, values)
        if step is not None:
            return self.step(at, epoch, step, plan, values)
        return self._epoch_end(at, epoch, plan, values)

    def step(
        self,
        at: Origin,
        epoch: int | None,
        step: int,
        plan: RecordPlan,
        values: Values,
        steps: int | None = None,
    ) -> Events:
        """Returns the events of a record of a step, which may be an evaluation after it."""
        if plan.evaluates:
            return tuple(_evaluations(at, plan, values, epoch, step)[0])
        throughput, unit, scope = self._throughput(epoch, step, plan, values)
        loss = None if plan.loss is None else values[plan.loss]
        wanted = plan.wanted
        figures = tuple([meaning.metric(figure, values) for figure in wanted]) if wanted else ()
        said = at, epoch, step, steps, throughput, unit, scope, loss, None, figures, None, None
        return (_new(Iteration, said),)

    def _epoch_end(self, at: Origin, epoch: int | None, plan: RecordPlan, values: Values) -> Events:
        evaluated, own = _evaluations(at, plan, values, epoch, None)
        rate = self._throughput(epoch, None, plan, values)
        yield EpochEnd(at, epoch, *rate, values=own)
        yield from evaluated

    def _throughput(
        self, epoch: int | None, step: int | None, plan: RecordPlan, values: Values
    ) -> tuple[float | None, str, Scope]:
        """Returns the rate of a record; none if a line of the same step had a rate of another name.

        A rate of the same name for the same step is another record.
        """
        rate, rated = plan.rate, self._rated
        if rate is None:
            return None, "", Scope.UNKNOWN
        place, name, unit, _ = rate
        if rated and rated[2] != name and rated[:2] == (epoch, step):
            return None, "", Scope.UNKNOWN
        self._rated = epoch, step, name
        return values[place], unit, plan.scope

    def _whole_run(self, at: Origin, plan: RecordPlan, values: Values) -> Events:
        yield Summary(at, tuple(meaning.metric(figure, values) for figure in plan.figures))
        self.closing = True
        named = {figure.name: figure for figure in plan.figures}
        accuracies = tuple(
            Metric(canonical, values[named[name].place], named[name].unit)
            for name, canonical in _ACCURACIES.items()
            if name in named
        )
        if accuracies:
            yield Evaluation(at, accuracies)
        duration = next((named[name] for name in _TIMES if name in named), None)
        if duration is not None and not self.ended:
            self.ended = True
            yield RunEnd(at, values[duration.place])

    def header(self, at: Origin, parameters: Mapping[str, str]) -> Events:
        """Yields the facts in a record of parameters, which may begin a run."""
        if meaning.begins_run(parameters) and not self._in_header:
            self._in_header, self.closing, self.ended = True, False, False
            self._rated = None
            yield RunStart(at)
        for name, value in meaning.facts_of(parameters):
            yield RunInfo(at, name, value)


def _evaluations(
    at: Origin,
    plan: RecordPlan,
    values: Values,
    epoch: int | None,
    step: int | None,
) -> tuple[list[Evaluation], tuple[Metric, ...]]:
    """Returns the evaluations in a record, one for each weights, and its other figures."""
    evaluated: dict[str, list[Metric]] = {}
    own = []
    for figure in plan.figures:
        found = meaning.quality(figure.name, figure.unit)
        if found is None:
            own.append(meaning.metric(figure, values))
            continue
        one = Metric(found.name, values[figure.place], found.unit, found.higher_is_better)
        evaluated.setdefault("averaged" if found.averaged else "raw", []).append(one)
    made = [
        Evaluation(at, tuple(metrics), epoch, step, model) for model, metrics in evaluated.items()
    ]
    return made, tuple(own)
