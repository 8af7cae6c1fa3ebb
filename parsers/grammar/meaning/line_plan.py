"""What is read from a line: which of its numbers are labels, and what its figures mean."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import NamedTuple, TypeAlias

from sixdim.parsers.events import Metric, Scope
from sixdim.parsers.grammar.shapes.bars import mean_of_bar
from sixdim.parsers.grammar.shapes.figures import lower_is_better
from sixdim.parsers.grammar.vocabulary.forms import Numbers
from sixdim.parsers.grammar.vocabulary.named import Named

FIGURES = frozenset({"loss", "quality", "rate", "duration", "epoch time", "train epoch"})
"""Roles of figures: a line is read for its figures only if it has one of these."""
LABELS = frozenset({"epoch", "epochs", "step", "steps"})
ITERATIONS = "it/s"
"""Unit of a rate that is 1 / (time of an iteration)."""
ABSENT = -1
"""Place of a number that a line does not have: the last value, which is None."""
Figures: TypeAlias = tuple[tuple[int, Metric], ...]
"""Place and metric of each figure."""


class Bar(NamedTuple):
    """Places of the numbers of a progress bar after its count.

    Attributes:
        elapsed: Places of the parts of its time, which are added up.
        pace: Place of the seconds per iteration.
        rate: Place of the iterations per second.
    """

    elapsed: tuple[int, ...] = ()
    pace: int = ABSENT
    rate: int = ABSENT

    def seconds(self, numbers: Numbers) -> float | None:
        """Returns seconds/iteration from the pace or rate; None if the bar prints neither."""
        pace: float | None = numbers[self.pace]
        rate = numbers[self.rate]
        return 1 / rate if pace is None and rate else pace

    def time(self, numbers: Numbers) -> float:
        """Returns the seconds since the bar began; 0 if it prints no time."""
        elapsed = 0.0
        for place in self.elapsed:
            elapsed += numbers[place]
        return elapsed

    def mean(
        self, step: int | None, numbers: Numbers, since: tuple[int, float] = (0, 0.0)
    ) -> float | None:
        """Returns mean seconds/iteration since the bar began; None if the bar prints no time.

        Args:
            step: The count.
            numbers: The numbers of the line.
            since: Count and seconds of an earlier drawing, to return the mean since that one.
        """
        if not self.elapsed or step is None:
            return None
        done, begun = since
        passed = 0.0  # as `time` and `seconds`, without their calls: each drawing passes here
        for place in self.elapsed:
            passed += numbers[place]
        rate, pace = numbers[self.rate], numbers[self.pace]
        if pace is None:
            pace = 1 / rate if rate else nan
        return mean_of_bar(step - done, passed - begun, pace, between=done > 0)


class Trained(NamedTuple):
    """Places of the figures of the training in a line.

    Attributes:
        loss: Place of the loss.
        values: Further figures.
        rates: Place, unit and scope of each rate, the job's before a device's.
        duration: Place of the time of an iteration.
        mean_time: Place of the running mean of `duration`.
        timer: Name that the log gives to `duration`, or to the iterations per second.
        epoch_time, train_time: Places of the time of an epoch and of its training pass.
        time: Place of a time whose meaning the line does not say.
        elapsed: Places of the parts of the time since the epoch or the run began.
        of_epoch: Whether the rate is the mean of the epoch.
        rounded: Whether the steps are printed in thousands.
        bare: Whether the step stands after the epoch without a name of its own.
        of_episodes: Whether the step is the number of an episode, which has many iterations.
        unnamed: Whether the line counts something without saying what, and names no training.
    """

    loss: int = ABSENT
    values: Figures = ()
    rates: tuple[tuple[int, str, Scope], ...] = ()
    duration: int = ABSENT
    mean_time: int = ABSENT
    timer: str = ""
    epoch_time: int = ABSENT
    train_time: int = ABSENT
    time: int = ABSENT
    elapsed: tuple[int, ...] = ()
    of_epoch: bool = False
    rounded: bool = False
    bare: bool = False
    of_episodes: bool = False
    unnamed: bool = False

    @property
    def has_figures(self) -> bool:
        """Whether the line has a figure of the training other than rates and times."""
        return self.loss != ABSENT or bool(self.values)

    def has_values(self, numbers: Numbers) -> bool:
        """Returns whether a line with these numbers has such a figure, and it could be read."""
        return numbers[self.loss] is not None or bool(self.values)

    @property
    def measures(self) -> bool:
        """Whether the line has a figure of the training, a rate or a time."""
        times = self.duration, self.mean_time, self.epoch_time, self.train_time, self.time
        return self.has_figures or bool(self.rates) or max(times) != ABSENT


class Tested(NamedTuple):
    """The figures of an evaluation in a line.

    Attributes:
        metrics: Place and metric of each figure.
        names: The names of the metrics.
        data, data_set: The split (`val`, `test`) and data set that the line names; else empty.
        names_split: Whether the line itself says that the figures are an evaluation's.
        partial: Whether the figures are final only on the line of the last step.
        repeated: Whether a tracker prints the line, which may repeat a run's last figures.
    """

    metrics: Figures
    names: frozenset[str]
    data: str = ""
    data_set: str = ""
    names_split: bool = False
    partial: bool = False
    repeated: bool = False


class Plan(NamedTuple):
    """What is read from a line; the place of a number that it does not have is `ABSENT`.

    Attributes:
        epoch, epochs, step, steps: Places of labels and of their totals.
        naming: The text in front of the epoch's number, and whether the number of epochs follows.
        outer, inner: Places of a count and of the step after it, where it is unknown what they
            count: `iteration: 7 step: 30/652`. The total follows the step.
        done: Place of the number of finished epochs on a progress bar that counts epochs.
        part, parts: Places of an unnamed count and its total: `[10/98]`.
        trained: Its figures of the training, if it has any.
        tested: Its figures of an evaluation, if it has any.
        bar: The progress bar that counts its steps.
        other_bar: The words in front of a progress bar that nothing identifies as training; only
            its count and pace are read.
        begins: Whether the line only names an epoch or a step.
        ends: Whether the line only says that an epoch is over.
        heading_split: The split of the data if the line is the heading of an evaluation; else "".
        closes: Whether its words may be those of a closing line.
        whole: Whether its figures of the training cover a whole epoch.
        steady: Whether it is a plain progress line, or a plain line of an epoch; see `as_steady`.
    """

    epoch: int = ABSENT
    epochs: int = ABSENT
    step: int = ABSENT
    steps: int = ABSENT
    naming: tuple[str, bool] = ("", False)
    outer: int = ABSENT
    inner: int = ABSENT
    done: int = ABSENT
    part: int = ABSENT
    parts: int = ABSENT
    trained: Trained | None = None
    tested: Tested | None = None
    bar: Bar | None = None
    other_bar: tuple[str, ...] | None = None
    begins: bool = False
    ends: bool = False
    heading_split: str = ""
    closes: bool = False
    whole: bool = False
    steady: bool = False

    def as_steady(self) -> Plan:
        """Returns the plan, marked if nothing is found out from a line like the line before.

        Like it is a line with the same plan and totals, and with a later step of the same epoch or
        with the next epoch: `parsers.generic.steady`.
        """
        trained, tested = self.trained, self.tested
        if trained is None or max(self.part, self.outer, self.done, trained.mean_time) != ABSENT:
            return self
        if self.whole:
            ends = self.epoch != ABSENT == max(self.step, self.steps, trained.duration)
            more = trained.rates or trained.elapsed or self.bar is not None
            partial = tested is not None and (tested.partial or tested.repeated)
            return self._replace(steady=ends and not (more or partial))
        special = trained.elapsed or trained.rounded or trained.bare or trained.of_episodes
        counts = self.step != ABSENT == trained.time
        return self._replace(steady=counts and tested is None and not special)

    @property
    def only_labels(self) -> bool:
        """Whether the line has labels alone, and says of no epoch that it is over or evaluated."""
        figures = self.tested is not None or (self.trained is not None and self.trained.measures)
        return not (figures or self.ends or self.heading_split)


NOTHING = Plan()
"""The plan of a line from which nothing is read."""


def metric_of(one: Named) -> Metric:
    """Returns the metric that a named number is a value of."""
    return Metric(one.canonical, 0.0, one.unit, not lower_is_better(one.canonical))


def first_of_each(figures: Sequence[tuple[int, Named]]) -> tuple[Figures, frozenset[str]]:
    """Returns the first figure of each name, and the set of the names."""
    first: dict[str, tuple[int, Metric]] = {}
    for place, one in figures:
        first.setdefault(one.canonical, (place, metric_of(one)))
    return tuple(first.values()), frozenset(first)
