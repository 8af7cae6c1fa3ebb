"""Follows the epochs of a log that no format knows: their labels, their number, their ends."""

from __future__ import annotations

from math import inf

from sixdim.parsers.events import EpochEnd, Event, Origin, RunInfo, RunStart
from sixdim.parsers.formats.generic_elapsed import Elapsed
from sixdim.parsers.formats.generic_initial import EpochZero, comes_first
from sixdim.parsers.formats.generic_namings import Namings
from sixdim.parsers.formats.generic_outer import StepsOfEpoch
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, Plan
from sixdim.parsers.grammar.vocabulary.forms import Numbers

_BATCHES = 32
"""Usual batches are multiples of this, so counts of samples differ by multiples of it."""
_SMALL_BATCH = 8
"""As `_BATCHES`, of the smaller ones."""
_TEN, _HUNDRED = 10, 100
"""Iterations between two lines are often a multiple of these."""
_MOST_BETWEEN = 1_000
"""The most batches between two progress lines."""
_GROWN = 0.75
"""A time that counts from the start grows by more than this part of the first epoch's time."""
_SEVERAL = 8
"""A time that grows by about as much in so many epochs counts from the start."""
_SEEN = 1.0
"""Seconds from which on a time that stays the same from epoch to epoch does not count on."""
_FEWEST = 3
"""The fewest lines of training before any name of an epoch that show that it is named late."""
_SINGLES = 2
"""After this many further epochs with one line each, all epochs are taken to have one line."""
_ROUND_EPOCHS = 5
"""Trainings are mostly planned for a multiple of this number of epochs."""
_ROUND = 500
"""Counts that differ by a multiple of this may be iterations, although `_BATCHES` may divide it."""


class Epochs:
    """The epochs of one log, line by line.

    Attributes:
        label: Label of the current epoch; None before the first one.
        named: Whether any line has named its epoch.
        has_training: Whether the current epoch has a figure of the training.
        is_over: Whether a line says that the current epoch is over.
        planned: The number of planned epochs, as far as it is known.
        namings, steps: How the lines number the epochs, and the steps of the current one.
        elapsed: Times that count from the start of the epoch or the run.
        inside_round: Whether the last label is that of an epoch inside a round, whose time and
            steps are a part of the round's.
    """

    def __init__(self) -> None:
        self.label: int | None = None
        self.named = False
        self.has_training = False
        self.namings, self.steps = Namings(), StepsOfEpoch()
        self._plan: Plan | None = None  # of the last line with an epoch or the number of epochs
        self._number: int | None = None
        # Of the first line with figures of the only epoch of a run (`1/1`), until a line has other
        # figures of the training.
        self._only: Plan | None = None
        self._unsure = -1  # line of the first label, if it may be a setting: `epoch: 50`
        self._last: tuple[int | None, ...] = ()  # its number of epochs, and the label after it
        self.planned: int | None = None
        self.is_over = self.inside_round = False
        self._of_rounds: bool | None = None  # labels number rounds; the first label decides
        self._last_count: int | None = None  # printed by the last line
        self._trained: tuple[int | None, int] | None = None  # last finished epoch: label, steps
        self._assumed: int | None = None  # the label, while no line named the epoch; else -1
        self._from_zero = self._has_zero = False
        self._zero = EpochZero()
        self._ends_with_total = False  # labels begin with 0, and the last is the number after it
        self._last_time: tuple[int, float] | None = None  # of an epoch's line: label and seconds
        self._time_is_an_epochs: bool | None = None
        self._time_grew = False  # such a time, from one epoch to the next
        self.elapsed = Elapsed()
        self._printed: tuple[int, float, float] | None = None  # label, time of one epoch, of this
        self._grows: bool | None = None  # whether these times grow with each epoch
        self._grown_by, self._alike = 0.0, 0  # seconds, and how often about as many before
        # A sentence ended the training, or said that one starts, and no line named an epoch since.
        self.training_closed = False
        self.announced: Origin | None = None
        self._reported = False  # a line has figures of the whole current epoch
        self._uncounted = 0  # lines of training without a step before any line named an epoch
        self._steps_came_first = False  # steps were printed before any line named an epoch
        self._named_late = False  # a line named the epoch before the current one
        self._step: int | None = None  # of the last training line without an epoch
        self._step_rose = False  # compared with the line before that
        self._single: int | None = None  # epoch of the last line with a rate and without a step
        self._singles: float = 0  # epochs after the first that had exactly one such line

    def begin(self, events: list[Event], at: Origin, plan: Plan, numbers: Numbers) -> None:
        """Processes a line that names an epoch, or the number of epochs."""
        number, after = numbers[plan.epoch], numbers[plan.epochs]
        trained = self.has_training
        if plan.epoch != ABSENT:
            rounds = "round" in plan.naming[0].lower()
            untrained = plan.heading_split and not self.has_training
            counted = plan.epochs != ABSENT or (number in (0, 1) and not untrained)
            alone = self.label is None and (plan.only_labels or plan.heading_split != "")
            if alone and not counted and (plan != self._plan or number == self._number):
                # `epoch: 50`, `val_epoch: 1`
                self._plan, self._number, self._unsure = plan, number, at.line
                return
            if self._of_rounds is None and (counted or not rounds):
                self._of_rounds = rounds
            self.inside_round = self._of_rounds is True and not rounds
            if rounds != self._of_rounds:
                return  # an epoch inside a round, or rounds of an epoch
        again = number == self._number and plan is self._plan and not plan.whole
        if again and (after, self.label) == self._last:
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
                self.planned = None
                events.append(RunStart(at))
            elif before is not None and (self.label or 0) < before:
                trains = plan.trained is not None or plan.begins
                all_done = trains and before == self.last_of(self.planned or 0)
                self._begin_anew(events, at, all_done=all_done)
            self.training_closed, self.announced = False, None
        if after is not None and not (number is not None and number > after):
            known = self._zero.knows(plan, self.label, trained=trained or self.has_training)
            if self.has_training or not plan.heading_split:  # else the training may not have begun
                self._from_zero |= self._zero.trained and not self.namings.offset
            if known:
                self.add_total(events, at, after)
        self._plan, self._number, self._last = plan, number, (after, self.label)

    def are_all_done(self, plan: Plan, numbers: Numbers) -> bool:
        """Whether a full bar counts finished epochs, with that count in its text: `6/6: 6/6`."""
        counts = {numbers[at] for at in (plan.epoch, plan.epochs, plan.step, plan.steps)}
        return self._has_zero and len(counts) == 1 and counts == {(self.label or 0) + 1}

    def have_yet_to_begin(self, plan: Plan, numbers: Numbers) -> bool:
        """Whether a line has the figures of epoch 0, which is none: they precede the training."""
        return self.label is None and comes_first(plan, numbers, *self.steps.last)

    def _begin_anew(self, events: list[Event], at: Origin, *, all_done: bool) -> None:
        """Begins another training with a lower epoch, if the log says that there is one.

        So does the first epoch if all planned ones were done.
        """
        if self.announced is not None:
            events.append(RunStart(self.announced, same_program=True))
            events.append(RunInfo(self.announced, "training_starts", 1))
        elif self.training_closed or (all_done and self.label == self.last_of(1)):
            events.append(RunStart(at, same_program=True))

    def named_by(self, plan: Plan) -> bool:
        """Whether a line with this plan was the last to name an epoch, and no round of one."""
        return plan is self._plan and bool(self.label) and not self.inside_round

    def begin_next(self, label: int, number: int, after: int | None) -> None:
        """Processes a line that is like the line of the epoch before, of which it is the next."""
        self.label = self.namings.last_label = label
        self._number, self._last = number, (after, label)

    def has_figures(self, at: Origin) -> None:
        """Notes a line with figures: if the line before may name an epoch, the figures show it."""
        if self._unsure == at.line - 1 and self._plan is not None and self._number is not None:
            self._begin(self._plan, self._number)

    def _begin(self, plan: Plan, number: int) -> None:
        before = self.label
        label = self.namings.label(plan.naming, number, before if self.has_training else None)
        if label != before:
            self._named_late |= before is not None and label == before - 1
            self.has_training = self.is_over = self._reported = False
            self.label = label
            self._has_zero |= label == 0
            if self._trained is not None and self._trained[0] == self._assumed and not plan.begins:
                self._trained = label, self._trained[1]  # named after its last step
        self._assumed = -1
        self.named = True
        if plan.ends:
            self.is_over = True
        elif plan.whole:
            trained = plan.trained
            self.is_over |= trained is not None and trained.loss != ABSENT
            timed = trained is not None and trained.epoch_time != ABSENT
            self._reported |= plan.tested is not None or timed or bool(trained and trained.values)

    def last_of(self, done: int) -> int:
        """Returns the label of the last of a number of finished epochs."""
        return done - self._has_zero

    def are_over(self, done: int) -> None:
        """Notes the number of finished epochs; the current epoch ends if it is the last of them."""
        if self.has_training and self.last_of(done) == self.label:
            self.is_over = True

    @property
    def counts_without_label(self) -> bool:
        """Whether lines that name no epoch have the steps of the training."""
        return self._step is not None

    def goes_on(self, step: int | None, *, bar: bool, last: bool = False) -> None:
        """Notes a training line without an epoch; after an epoch's end it belongs to the next one.

        Some logs name an epoch only after its bars and steps. If the first epoch is named so, steps
        after the figures of an epoch count for the next one. Once a later name shows that this was
        wrong, only steps that begin again do.

        Args:
            step: The step of the line.
            bar: Whether the line is a progress bar, which may draw the same step twice.
            last: Whether the bar is full. A full bar that was drawn before begins no epoch.
        """
        if step is None:
            self._goes_on_uncounted(bar=bar)
            return
        if self.label is not None and not self.named:
            self.namings.number_first()
        before, self._step = self._step, step
        if bar and self._step_rose and step == before:
            return
        self._step_rose = before is not None and step > before
        if last and self._step_rose:
            return
        again = not self._step_rose
        if self.label is None:
            self._steps_came_first = True
        elif self.is_over or (
            self._steps_came_first and self._reported and (again or not self._named_late)
        ):
            self.label = self._assumed = self.label + 1
            self.is_over = self._reported = False

    def note_new_bar(self) -> None:
        """Notes that a bar has counted nothing yet: what it counts next begins again."""
        self._step = None

    def _goes_on_uncounted(self, *, bar: bool) -> None:
        """As `goes_on`, for a line without a step: `[120/300] - loss: 0.5` may count anything.

        The figures of an epoch end it if several such lines came before the first ones.
        """
        if self.label is None:
            self._uncounted += not bar
        elif self._uncounted >= _FEWEST and self._reported and not (bar or self._named_late):
            self.label = self._assumed = self.label + 1
            self.is_over = self._reported = False

    def count(self, step: int) -> bool:
        """Notes a step that follows the one before in its epoch, or is drawn again by a bar.

        Returns:
            False if it may be one of the next epoch: `goes_on` must decide.
        """
        if self.is_over or (self._steps_came_first and self._reported):
            return False
        self._step_rose = self._step_rose or step != self._step
        self._step = step
        return True

    def have_a_line_each(self) -> bool:
        """Notes a line with a rate and without a step; returns whether it is its epoch's only line.

        It is taken for the only line once three consecutive epochs had exactly one such line.
        """
        before, self._single = self._single, self.label
        if before is not None and before == self.label:
            self._singles = -inf
        follows = before is not None and self.label == before + 1
        self._singles = self._singles + 1 if follows else min(self._singles, 0)
        return self._singles >= _SINGLES

    def end(self, events: list[Event], at: Origin, label: int, total: int | None) -> None:
        """Adds the end of an epoch whose label has no name, and the number after that label."""
        self.label, self.named, self.is_over = label, True, True
        self._from_zero |= label == 0
        if total is not None:
            self.add_total(events, at, total)
        events.append(EpochEnd(at, label))

    def add_total(self, events: list[Event], at: Origin, total: int) -> None:
        """Adds the number of planned epochs, by the number after a label, if that is new.

        If labels begin with 0, the last one equals that number (`9/9` of 10 epochs) or is one less
        (`9/10`). As most trainings are planned for a round number of epochs, such a number is
        assumed to be that of the epochs until a label reaches it; any other is unknown until then.
        """
        if self._from_zero and not self.namings.offset:
            self._ends_with_total |= total == self.label
            if not self._ends_with_total and total % _ROUND_EPOCHS:
                return
            total += self._ends_with_total
            if total != self.planned and not self._ends_with_total:
                events.append(RunInfo(at, "epochs_assumed", total))
        if total != self.planned:
            events.append(RunInfo(at, "epochs_planned", total))
        self.planned = total

    def counts_samples(self, step: int | None, *, shared: bool) -> bool | None:
        """Whether counts like `[640/60000 (1%)]` count samples and not iterations.

        Samples grow by a multiple of a batch from line to line, iterations mostly by round numbers.
        None if a count with a percentage grows by a number that may be either, as 80.

        Args:
            step: The count on this line.
            shared: Whether a percentage follows it; then a large growth is enough. Otherwise count
                and growth must be multiples of a batch, and the growth not a round number.
        """
        before, self._last_count = self._last_count, step
        if step is None or before is None or step <= before:
            return False
        apart = step - before
        if shared:
            if apart % _BATCHES == 0 or apart >= _MOST_BETWEEN:
                return True
            if apart % _SMALL_BATCH or apart % _HUNDRED == 0:
                return False
            return None if apart % _TEN == 0 else True
        return apart % _BATCHES == 0 and step % _BATCHES == 0 and apart % _ROUND != 0

    def trained(self, steps: int) -> bool:
        """Notes the last step of the current epoch; returns whether that has a label."""
        self._trained = self.label, steps
        return self.label is not None

    def trained_in_other_steps(self, steps: int | None) -> bool:
        """Whether the current epoch was finished with a number of steps other than `steps`."""
        if self._trained is None or steps is None:
            return False
        label, of_training = self._trained
        return label is not None and label == self.label and steps != of_training

    def are_all_trained_in(self, steps: int | None) -> bool:
        """Whether all planned epochs have so many steps: `20/120`, of 6 epochs of 20 steps."""
        return self._trained is not None and steps == self._trained[1] * (self.planned or 0)

    def printed_time(self, seconds: float | None) -> float | None:
        """Returns the printed time of the current epoch; None if it counts from the run's start.

        Such a time grows with each epoch by a good part of the first one's time, also where only
        every tenth epoch is printed. In a log whose beginning is missing it grows by less, but by
        about as much with each of several epochs.
        """
        label, before = self.label, self._printed
        if seconds is None or label is None:
            return seconds
        if before is None or label <= before[0]:
            self._printed, self._grows = (label, seconds, seconds), None
            self._grown_by, self._alike = 0.0, 0
            return seconds
        earlier, first, last = before
        apart = label - earlier
        if self._grows is None and apart > 1:
            first /= max(min(earlier, apart), 1)  # of one epoch, if it counts several
        self._printed = label, first, seconds
        by = (seconds - last) / apart
        grown = by > _GROWN * first
        alike = 0 < self._grown_by / 2 <= by <= self._grown_by * 2
        self._alike = self._alike + 1 if alike else 0
        if self._alike == 0:
            self._grown_by = max(by, 0.0)
        self._grows = (grown and self._grows is not False) or self._alike >= _SEVERAL
        return None if self._grows else seconds

    def time_of(self, seconds: float | None) -> float | None:
        """Returns the `time` of an epoch's line if such times are known to be durations; else None.

        A time that only grows from epoch to epoch counts from the start of the run; one that falls
        cannot. One that stays the same may where epochs are too short to be seen: where it has
        grown before, or is short.
        """
        label, before = self.label, self._last_time
        if seconds is None or label is None:
            return None
        self._last_time = label, seconds
        if before is not None and label == before[0]:
            self._time_is_an_epochs = False  # two lines of one epoch: these are progress lines
        elif before is not None and label == before[0] + 1:
            same = seconds == before[1] >= _SEEN and not self._time_grew
            if same or seconds < before[1]:
                self._time_is_an_epochs = self._time_is_an_epochs is not False
            self._time_grew |= seconds > before[1]
        return seconds if self._time_is_an_epochs else None
