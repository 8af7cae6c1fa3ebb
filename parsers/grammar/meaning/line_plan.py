"""What is read of a line: which of its numbers are labels, and figures of what."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import TypeAlias

from sixdim.parsers.events import Metric, Scope
from sixdim.parsers.grammar.shapes.bars import mean_of_bar
from sixdim.parsers.grammar.vocabulary.forms import Numbers

FIGURES = frozenset({"loss", "quality", "rate", "duration", "epoch time"})
"""Roles of which a line has one, if it is read at all."""
LABELS = frozenset({"epoch", "epochs", "step", "steps"})
ITERATIONS = "it/s"
"""Unit of a rate that is one over the time of an iteration."""
ABSENT = -1
"""Place of what a line does not have: the last value, which is None."""
Figures: TypeAlias = tuple[tuple[int, Metric], ...]
"""Place and metric of each of some figures."""


@dataclass(frozen=True, slots=True)
class Bar:
    """Places of the numbers of a progress bar behind its count.

    Attributes:
        elapsed: Those of its time; they are added up.
        pace: That of the seconds of an iteration.
        rate: That of the iterations in a second.
    """

    elapsed: tuple[int, ...] = ()
    pace: int = ABSENT
    rate: int = ABSENT

    def seconds(self, numbers: Numbers) -> float | None:
        """Seconds of an iteration by its pace or rate; None where it prints neither."""
        pace: float | None = numbers[self.pace]
        rate = numbers[self.rate]
        return 1 / rate if pace is None and rate else pace

    def mean(self, step: int | None, numbers: Numbers) -> float | None:
        """Mean seconds of an iteration since the bar began; None where it prints no time."""
        if not self.elapsed or step is None:
            return None
        elapsed, seconds = 0.0, self.seconds(numbers)
        for place in self.elapsed:
            elapsed += numbers[place]
        return mean_of_bar(step, elapsed, nan if seconds is None else seconds)


@dataclass(frozen=True, slots=True)
class Trained:
    """Places of the figures of the training in a line.

    Attributes:
        loss: That of the loss.
        values: Further figures.
        rates: Place, unit and scope of each rate, the job's before a device's.
        duration: That of the time of an iteration.
        mean_time: That of the running mean of `duration`.
        timer: Name of the time of an iteration, or of the iterations in a second.
        epoch_time, train_time: Those of the time of an epoch and of its training pass.
        time: That of a time that the line does not name.
        of_epoch: Whether the rate is the epoch's.
        rounded: Whether the steps are printed in thousands.
        bare: Whether the step is a count behind the epoch that does not say what it counts.
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
    of_epoch: bool = False
    rounded: bool = False
    bare: bool = False

    @property
    def has_figures(self) -> bool:
        """Whether it has any figure but rates and times."""
        return self.loss != ABSENT or bool(self.values)


@dataclass(frozen=True, slots=True)
class Tested:
    """The figures of an evaluation in a line.

    Attributes:
        metrics: These.
        names: Their names.
        data, data_set: The split (`val`, `test`) and the data set that they are said to be of.
        says_split: Whether the line itself says that they are of an evaluation.
        partial: Whether the evaluation is over only when its step is the last.
        repeated: Whether a tracker prints them, which repeats the last figures of a run.
    """

    metrics: Figures
    names: frozenset[str]
    data: str = ""
    data_set: str = ""
    says_split: bool = False
    partial: bool = False
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """What is read of a line; `ABSENT` is the place of a number that it does not have.

    Attributes:
        epoch, epochs, step, steps: Places of labels and of their totals.
        naming: The text in front of the epoch's number, and whether the number of epochs follows.
        done: Place of the number of epochs that are over, by a progress bar of `epochs`.
        part, parts: Places of a count and its total that do not say what they count: `[10/98]`.
        trained: Its figures of the training, if it has any.
        tested: Its figures of an evaluation, if it has any.
        bar: The progress bar that counts its steps.
        other_bar: The words in front of a progress bar of which only the count and the pace are
            read, as nothing says that it trains.
        begins: Whether it only names an epoch or a step.
        ends: Whether it only says that an epoch is over.
        closes: Whether its words may be those of a closing line.
        whole: Whether its figures of the training are of a whole epoch.
    """

    epoch: int = ABSENT
    epochs: int = ABSENT
    step: int = ABSENT
    steps: int = ABSENT
    naming: tuple[str, bool] = ("", False)
    done: int = ABSENT
    part: int = ABSENT
    parts: int = ABSENT
    trained: Trained | None = None
    tested: Tested | None = None
    bar: Bar | None = None
    other_bar: tuple[str, ...] | None = None
    begins: bool = False
    ends: bool = False
    closes: bool = False
    whole: bool = False


NOTHING = Plan()
"""The plan of a line of which nothing is read."""
