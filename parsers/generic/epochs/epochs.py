"""Follows the epochs of a log that no format knows: their labels, their number, their ends."""

from typing import TypeAlias

from sixdim.parsers.events import EpochEnd, Event, Origin, RunInfo, RunStart
from sixdim.parsers.generic.epochs.namings import Namings
from sixdim.parsers.generic.epochs.outer import StepsOfEpoch
from sixdim.parsers.generic.epochs.planned import EpochZero, Planned, comes_first
from sixdim.parsers.generic.epochs.unnamed import UnnamedLines
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, Plan
from sixdim.parsers.grammar.vocabulary.forms import Numbers

_Labels: TypeAlias = tuple[Plan | None, int | None, int | None, int | None]
"""A line with an epoch or the number of epochs: its plan, these numbers, the label it gives."""


class Epochs:
    """The epochs of one log, line by line.

    Attributes:
        label: Label of the current epoch; None before the first one.
        named: Whether any line has named its epoch.
        has_training: Whether the current epoch has a figure of the training.
        is_over: Whether a line says that the current epoch is over.
        inside_round: Whether the last label is that of an epoch inside a round, whose time and
            steps are a part of the round's.
        planned: The number of planned epochs.
        namings, steps: How the lines number the epochs, and the steps of the current one.
        unnamed: The lines of training that name no epoch.
        training_closed: Whether a sentence ended the training, and no line named an epoch since.
        announced: Where a sentence says that a training starts, if no line named an epoch since.
    """

    def __init__(self) -> None:
        self.label: int | None = None
        self.named = self.has_training = self.is_over = self.inside_round = False
        self.planned, self.namings, self.steps = Planned(), Namings(), StepsOfEpoch()
        self.unnamed = UnnamedLines()
        self.training_closed = False
        self.announced: Origin | None = None
        self._last: _Labels = None, None, None, None
        # Of the first line with figures of the only epoch of a run (`1/1`), until a line has other
        # figures of the training.
        self._only: Plan | None = None
        self._unsure = -1  # line of the first label, if it may be a setting: `epoch: 50`
        self._of_rounds: bool | None = None  # labels number rounds; the first label decides
        self._assumed: int | None = None  # the label, while no line named the epoch; else -1
        self._zero = EpochZero()

    def begin(self, events: list[Event], at: Origin, plan: Plan, numbers: Numbers) -> None:
        """Processes a line that names an epoch, or the number of epochs."""
        number, after = numbers[plan.epoch], numbers[plan.epochs]
        trained = self.has_training
        if plan.epoch != ABSENT:
            rounds = "round" in plan.naming[0].lower()
            untrained = plan.heading_split and not self.has_training
            counted = plan.epochs != ABSENT or (number in (0, 1) and not untrained)
            alone = self.label is None and (plan.only_labels or plan.heading_split != "")
            if alone and not counted and (plan != self._last[0] or number == self._last[1]):
                self._last, self._unsure = (plan, number, None, -1), at.line
                return  # `epoch: 50`, `val_epoch: 1`
            if self._of_rounds is None and (counted or not rounds):
                self._of_rounds = rounds
            self.inside_round = self._of_rounds is True and not rounds
            if rounds != self._of_rounds:
                return  # an epoch inside a round, or rounds of an epoch
        if (
            not plan.whole
            and plan is self._last[0]
            and self._last[1:] == (number, after, self.label)
        ):
            return
        only = number == after == 1 and plan.whole
        if only and plan is self._only:
            events.append(RunStart(at, same_program=True))  # a search trains many models so
        if only or (plan.trained is not None and plan.trained.has_figures):
            self._only = (self._only or plan) if only else None
        if number is not None:
            before = self.label
            self._begin(plan, number)
            if self.namings.anew:
                self.planned.epochs = None
                events.append(RunStart(at))
            elif before is not None and (self.label or 0) < before:
                trains = plan.trained is not None or plan.begins
                all_done = trains and before == self.planned.last_of(self.planned.epochs or 0)
                self._begin_anew(events, at, all_done=all_done)
            self.training_closed, self.announced = False, None
        if after is not None and not (number is not None and number > after):
            known = self._zero.knows(plan, self.label, trained=trained or self.has_training)
            if self.has_training or not plan.heading_split:  # else the training may not have begun
                self.planned.from_zero |= self._zero.trained and not self.namings.offset
            if known:
                self.planned.add(events, at, self.label, after, self.namings.offset)
        self._last = plan, number, after, self.label

    def are_all_done(self, plan: Plan, numbers: Numbers) -> bool:
        """Returns whether a full bar counts finished epochs, with that count in its text.

        An example is `6/6: 6/6`.
        """
        counts = {numbers[at] for at in (plan.epoch, plan.epochs, plan.step, plan.steps)}
        return self.planned.has_zero and len(counts) == 1 and counts == {(self.label or 0) + 1}

    def have_yet_to_begin(self, plan: Plan, numbers: Numbers) -> bool:
        """Returns whether a line has the figures of epoch 0, which is none.

        They precede the training.
        """
        return self.label is None and comes_first(plan, numbers, *self.steps.last)

    def _begin_anew(self, events: list[Event], at: Origin, *, all_done: bool) -> None:
        """Begins another training with a lower epoch, if the log says that there is one.

        So does the first epoch if all planned ones were done.
        """
        if self.announced is not None:
            events.append(RunStart(self.announced, same_program=True))
            events.append(RunInfo(self.announced, "training_starts", 1))
        elif self.training_closed or (all_done and self.label == self.planned.last_of(1)):
            events.append(RunStart(at, same_program=True))

    def named_by(self, plan: Plan) -> bool:
        """Whether a line with this plan was the last to name an epoch, and no round of one."""
        return plan is self._last[0] and bool(self.label) and not self.inside_round

    def begin_next(self, label: int, number: int, after: int | None) -> None:
        """Processes a line that is like the line of the epoch before, of which it is the next."""
        self.label = self.namings.last_label = label
        self._last = self._last[0], number, after, label

    def has_figures(self, at: Origin) -> None:
        """Notes a line with figures: if the line before may name an epoch, the figures show it."""
        plan, number, *_ = self._last
        if self._unsure == at.line - 1 and plan is not None and number is not None:
            self._begin(plan, number)

    def _begin(self, plan: Plan, number: int) -> None:
        before = self.label
        label = self.namings.label(plan.naming, number, before if self.has_training else None)
        if label != before:
            self.unnamed.name(late=before is not None and label == before - 1)
            self.has_training = self.is_over = False
            self.label = label
            self.planned.has_zero |= label == 0
            if not plan.begins:
                self.steps.rename(self._assumed, label)
        self._assumed = -1
        self.named = True
        if plan.ends:
            self.is_over = True
        elif plan.whole:
            trained = plan.trained
            self.is_over |= trained is not None and trained.loss != ABSENT
            timed = trained is not None and trained.epoch_time != ABSENT
            figures = plan.tested is not None or timed or bool(trained and trained.values)
            self.unnamed.reported |= figures

    def are_over(self, done: int) -> None:
        """Notes the number of finished epochs; the current epoch ends if it is the last of them."""
        if self.has_training and self.planned.last_of(done) == self.label:
            self.is_over = True

    def goes_on(self, step: int | None, *, bar: bool, last: bool = False) -> None:
        """Notes a training line without an epoch, which may be one of the next epoch.

        Args:
            step: The step of the line.
            bar: Whether the line is a progress bar.
            last: Whether the bar is full.
        """
        if self.label is not None and not self.named and step is not None:
            self.namings.number_first()
        over = self.is_over
        begins = self.unnamed.begin_next(step, self.label, is_over=over, bar=bar, last=last)
        if begins and self.label is not None:
            self.label = self._assumed = self.label + 1
            self.is_over = False

    def end(self, events: list[Event], at: Origin, label: int, total: int | None) -> None:
        """Adds the end of an epoch whose label has no name, and the number after that label."""
        self.label, self.named, self.is_over = label, True, True
        self.planned.from_zero |= label == 0
        if total is not None:
            self.planned.add(events, at, label, total, self.namings.offset)
        events.append(EpochEnd(at, label))
