"""Progress bars that count epochs, in a log that no format knows."""

from sixdim.parsers.events import EpochEnd, Event, Iteration, Metric, Origin, RunInfo
from sixdim.parsers.generic.epochs.epochs import Epochs
from sixdim.parsers.generic.evaluations.evaluations import Evaluations
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, Plan
from sixdim.parsers.grammar.vocabulary.forms import Numbers, metrics_at

_FEWEST = 3
"""The fewest epochs that a bar must count, and the fewest counts that show it."""
_MOST_LENGTHS = 8
_MOST_HELD = 16
"""The most drawings that are held until it is known what they count."""


class EpochBars:
    """Reads the drawings of bars that count epochs instead of iterations, in one log."""

    def __init__(self, epochs: Epochs, evaluations: Evaluations) -> None:
        self._epochs, self._evaluations = epochs, evaluations
        self._planned: int | None = None
        self._done: int | None = None  # the count of the last drawing
        self._ahead = False  # figures are drawn before their epoch is counted
        self._evaluated = 0  # the last count whose evaluation was read
        self._label: int | None = None
        self._raised: int | None = None  # the label that the last count gave the epoch
        self._step = 0
        self._evaluates_each: bool | None = None  # each count has another evaluation beside it
        # Drawings of a bar until that is known, and their evaluations.
        self._held: list[tuple[str, Origin, Plan, Numbers]] = []
        self._results: set[tuple[Metric, ...]] = set()
        self._total = 0  # length of the first bar after an epoch's label
        self._of_batches = False  # bars after a label count batches
        self._full: int | None = None  # length of a bar that was full before any label

    def add(self, events: list[Event], text: str, at: Origin, plan: Plan, numbers: Numbers) -> None:
        """Adds a drawing of a bar of epochs: `2/30 [00:01<00:15, 1.8epoch/s, loss=1.1]`.

        Its count is the label of the last finished epoch; labels begin with 1. If lines of the log
        name their epochs, the bar shows that an epoch is over, and its evaluation where no other
        line prints one.
        """
        done, planned = numbers[plan.done], numbers[plan.epochs]
        trained = _figures(plan, numbers)
        over, of_count = self._is_over(done, figures=bool(trained) or plan.tested is not None)
        if self._epochs.named:
            self._epochs.are_over(done)
            if (
                of_count
                and plan.tested is not None
                and done != self._evaluated
                and self._evaluates()
            ):
                self._evaluated = done
                self._evaluations.add(events, text, at, plan, plan.tested, numbers)
            return
        if planned != self._planned:
            self._planned = planned
            events.append(RunInfo(at, "epochs_planned", planned))
        self._epochs.label = done
        if over or (of_count and trained):
            events.append(EpochEnd(at, done, values=trained if of_count else ()))
        if of_count and plan.tested is not None:
            self._evaluated = done
            self._evaluations.add(events, text, at, plan, plan.tested, numbers)
        self._epochs.label = min(done + 1, planned)  # for the lines that follow

    def adds_evaluated(
        self, events: list[Event], text: str, at: Origin, plan: Plan, numbers: Numbers
    ) -> bool:
        """Adds a drawing of a bar that counts epochs, as its evaluations show; returns whether.

        `Training: 2/30 [00:09<02:06, 4.50s/it, loss=0.5, val_acc=0.7]` has another evaluation
        beside each count, from the first one on. While this is not known, it gives no step.
        """
        tested, step, steps = plan.tested, numbers[plan.step], numbers[plan.steps]
        if self._evaluates_each is False or self._epochs.named or step is None or steps is None:
            return False
        if tested is None or not tested.names_split:
            return False
        if self._evaluates_each is None:
            first = self._held[0][3] if self._held else numbers
            apart = step - first[plan.step]
            self._results.add(metrics_at(tested.metrics, numbers))
            self._held.append((text, at, plan, numbers))
            begins = first[plan.step] < _FEWEST and first[plan.steps] == steps and apart >= 0
            if begins and apart < _FEWEST - 1 and len(self._held) < _MOST_HELD:
                return True
            self._evaluates_each = begins and len(self._results) >= apart > 0
            held, self._held = self._held, []
        else:
            held = [(text, at, plan, numbers)]
        for text, at, plan, numbers in held if self._evaluates_each else ():
            self.add(events, text, at, _of_epochs(plan), numbers)
        return self._evaluates_each

    def add_late(
        self, events: list[Event], text: str, at: Origin, plan: Plan, numbers: Numbers
    ) -> None:
        """As `add`, for a bar that `is_late`: its count shows the epoch, not its label."""
        self.add(events, text, at, _of_epochs(plan), numbers)

    def _evaluates(self) -> bool:
        """Returns whether no other line of the log has printed an evaluation."""
        return self._evaluated > 0 or not self._evaluations.data_sets.any

    def _is_over(self, done: int, *, figures: bool) -> tuple[bool, bool]:
        """Whether a drawing ends an epoch, and whether its figures belong to the counted epoch.

        Some programs draw figures before they count the epoch, the first ones beside a count of 0
        or with that of the first epoch: then figures beside a new count are the last epoch's.
        Others draw figures after counting.
        """
        more, self._done = self._done is None or done > self._done, done
        self._ahead |= figures and done <= more
        return more and done > 0, figures and done > 0 and more == self._ahead

    def is_late(self, plan: Plan, numbers: Numbers) -> bool:
        """Returns whether the label of a bar that counts epochs is an earlier epoch's.

        `Epoch ... (1/6): 3/6` keeps its first label. So does a bar that is drawn again after a line
        of the next epoch. A bar of batches has no lines of other steps beside it.
        """
        number, step, steps = numbers[plan.epoch], numbers[plan.step], numbers[plan.steps]
        if step is None or steps is None or number is None or steps != numbers[plan.epochs]:
            return False
        late = number < step or number == step < (self._epochs.label or 0)
        return late and self._epochs.unnamed.step is not None

    def adds_labelled(self, events: list[Event], at: Origin, plan: Plan, numbers: Numbers) -> bool:
        """Adds a drawing of a bar after an epoch's label if it counts epochs; returns whether.

        The bar of `Epoch 3/9: 2/9` does, also if the label stands on a line of its own: its count
        differs from the label by at most one and does not begin again with the next epoch. It is as
        long as the planned epochs are many, if the log says that. While it may count epochs, it
        gives no step.
        """
        if self._of_batches:
            return False
        label, step, steps = self._epochs.label, numbers[plan.step], numbers[plan.steps]
        if plan.epoch == ABSENT and not self._epochs.named:
            self._full = steps if step == steps else self._full
            return False
        if label is None or step is None or steps is None or steps < _FEWEST or label > steps:
            return False
        self._total = self._total or steps
        planned = numbers[plan.epochs] or steps
        known = self._epochs.planned.epochs or steps
        if (
            steps != self._total
            or steps != planned
            or steps == self._full
            or abs(known - steps) > 1
        ):
            return False
        before, last = self._label, self._step
        self._label, self._step = label, step
        anew = before is not None and before != label and step < last
        leaps = label == self._raised and step > last + 1  # no line has named an epoch since
        if leaps:
            self._epochs.label = before
        self._of_batches = anew or leaps or not _beside(label, step)
        if self._of_batches or (step == 0 and plan.epoch == ABSENT):
            return False
        if plan.epoch == ABSENT and label != before:
            self._epochs.label = label = max(label, self._epochs.planned.last_of(step))
            self._raised = label
        if plan.trained is not None:
            loss, values = numbers[plan.trained.loss], metrics_at(plan.trained.values, numbers)
            if loss is not None or values:
                events.append(Iteration(at, label, None, loss=loss, values=values))
        if step == label and plan.epoch != ABSENT:
            self._epochs.are_over(step)
        if step == steps:
            events.append(EpochEnd(at, label))
        return True


def _of_epochs(plan: Plan) -> Plan:
    """Returns the plan of a bar whose count is that of finished epochs."""
    return plan._replace(done=plan.step, epochs=plan.steps, epoch=ABSENT, step=ABSENT, steps=ABSENT)


def _figures(plan: Plan, numbers: Numbers) -> tuple[Metric, ...]:
    """Returns the figures of the training in a line, the loss first."""
    if plan.trained is None:
        return ()
    figures, loss = metrics_at(plan.trained.values, numbers), numbers[plan.trained.loss]
    return figures if loss is None else (Metric("loss", loss, "", False), *figures)


def _beside(label: int, done: int) -> bool:
    """Returns whether a count may be that of the epochs.

    A label from 0 may come after it is counted.
    """
    return label - 1 <= done <= label + 2


class BesideLabels:
    """Recognises bars without words that count epochs: their count rises with the epochs' labels.

    Lines that name the epoch stand between the drawings of `tqdm(range(epochs))` or after one.
    """

    def __init__(self, epochs: Epochs) -> None:
        self._epochs = epochs
        self._last: dict[int, tuple[int, int, int]] = {}  # by length: count, label, times it rose

    def draw(self, events: list[Event], at: Origin, count: int, length: int) -> None:
        """Adds the number of planned epochs once a bar is known to count epochs."""
        label = self._epochs.label
        if label is None or not self._epochs.named:
            return
        if length not in self._last and len(self._last) >= _MOST_LENGTHS:
            return
        last_count, last_label, rose = self._last.get(length, (count, label, 0))
        if (count, label) == (last_count, last_label):
            self._last.setdefault(length, (count, label, 0))
            return
        together = count - last_count == label - last_label == 1 and _beside(label, count)
        rose = rose + 1 if together else 0
        self._last[length] = count, label, rose
        if rose == _FEWEST and length >= _FEWEST:
            events.append(RunInfo(at, "epochs_planned", length))
