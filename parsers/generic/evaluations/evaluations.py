"""Decides which figures are those of a whole evaluation, in a log that no format knows."""

from math import inf, isclose

from sixdim.parsers.events import Evaluation, Event, Metric, Origin
from sixdim.parsers.generic.epochs.epochs import Epochs
from sixdim.parsers.generic.evaluations.best import BestModel
from sixdim.parsers.generic.evaluations.data_sets import DataSets
from sixdim.parsers.generic.evaluations.repeats import Repeats, named
from sixdim.parsers.generic.evaluations.waiting import WaitingEvaluation
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, Plan, Tested
from sixdim.parsers.grammar.vocabulary.forms import Numbers, metrics_at
from sixdim.parsers.text.patterns import pattern

_TABLE = pattern(r"(?:Evaluate annotation type \*|IoU metric: )(bbox|segm|keypoints)\b")
"""The heading of pycocotools' tables, which have the same rows for boxes and for masks."""
_PART = pattern(r"(?i)\b(?:data ?set|domain|task|client|site)[ _#:=-]{0,3}\d")
_CLIENT = pattern(r"(?i)\b(?:client|site)[ _#:=-]{0,3}\d{1,6}")
_TABLES = {"bbox": "box", "segm": "mask", "keypoints": "keypoints"}
_OF_EPISODES = frozenset({"reward", "return"})
"""What an agent collects while it trains, too."""
_ROUNDED = 5e-4
"""Largest relative difference of a figure from the same one printed with fewer digits."""
_new = tuple.__new__


class Evaluations:
    """The evaluations of one log.

    Attributes:
        waiting: The evaluation that may cover one batch only, until the next line shows it.
        data_sets: The data sets and splits that evaluations name.
        running: Whether the last line with figures showed one batch of an evaluation.
        data: The split that a heading named since the last line of training.
        step: The step on the last line if that line only named a step.
        of_a_part: Whether the last heading names a part of an evaluation, such as a class.
        of_a_batch: Whether the last heading names a batch, and no line an epoch since.
        best: The figures that may be printed again as those of the best model.
        repeats: Evaluations that may cover parts only, until the lines after them show it.
        has_folds: Whether a second fold of a cross-validation has begun.
        trained_to: The step of the last line, if that is one of the training.
    """

    def __init__(self, epochs: Epochs) -> None:
        self.waiting, self.data_sets = WaitingEvaluation(), DataSets()
        self.running = False
        self.data = ""
        self.step: int | None = None
        self.repeats = Repeats()
        self.trained_to: int | None = None
        self._steps: int | None = None  # of the epoch, by that line
        self.of_a_part = self.of_a_batch = False
        self.best = BestModel()
        self._held_in: float | None = None  # the epoch on the line of the last held evaluation
        self._table = "box"  # what pycocotools' last table evaluates: also `mask`, `keypoints`
        self._epochs = epochs
        self._headed = False  # a heading named an evaluation
        self._label: int | None = None  # epoch of the last evaluation on a line with a step
        self._lines = 0  # such lines of that epoch
        self._have_one_each = False  # the epoch before it had one such line
        self._last: tuple[Metric, ...] = ()  # figures of the last evaluation on a line of its own
        self.has_folds = False
        self._of_one_fold: set[str] = set()  # how the lines of the first fold begin
        self._clients: set[str] = set()  # those of a federation that evaluations name

    def train(self, step: int | None = None, steps: int | None = None) -> None:
        """Notes a line of training, with the step that it names, and the steps of its epoch."""
        self.running, self.data, self.step, self.trained_to = False, "", None, step
        self.of_a_part, self._steps = False, steps

    def begin(self, data: str) -> None:
        """Notes the heading of an evaluation, with the split that it names; empty for none."""
        self.data, self.of_a_part, self._headed = data or self.data, False, True
        self.of_a_batch = False

    def begin_table(self, text: str) -> bool:
        """Notes the heading of a table of pycocotools; returns whether the line is one."""
        heading = _TABLE.match(text)
        if heading is not None:
            self._table = _TABLES[heading[1]]
        return heading is not None

    def begin_part(self) -> None:
        """Notes a heading of partial results, such as those of a class, within an evaluation."""
        self.of_a_part = self._headed

    def add(
        self,
        events: list[Event],
        text: str,
        at: Origin,
        plan: Plan,
        tested: Tested,
        numbers: Numbers,
    ) -> None:
        """Adds the evaluation of a line to the events, unless it covers one batch or other data."""
        if tested.names_split:
            self.of_a_batch = False  # the results of an evaluation begin
        of_a_part = self.of_a_part or self.of_a_batch
        of_a_part = of_a_part and not tested.names_split and plan.epoch == ABSENT
        of_an_episode = tested.names <= _OF_EPISODES and plan.epoch == ABSENT
        of_a_part |= of_an_episode and not (tested.names_split or self._headed)
        if not self.has_folds:
            self._of_one_fold.add(named(text))
        elif named(text) not in self._of_one_fold:
            return  # a summary of all folds
        if client := _CLIENT.search(text):
            self._clients.add(client[0])
            if len(self._clients) > 1:
                return  # of the model of one client
        split_is_named = tested.names_split or self.data != ""
        if of_a_part or not self.data_sets.count(tested, split_is_named, running=self.running):
            return
        step, steps = numbers[plan.step], numbers[plan.steps]
        training = plan.trained is not None
        if steps is None and plan.epoch != ABSENT and not training and self._counts_batches(step):
            return
        whole = steps if training or plan.epoch == ABSENT else self._steps
        within = training or plan.epoch == ABSENT or whole is not None
        midway = within and step is not None and self._is_midway(step, whole)
        step = self.step if step is None else step
        epochs = self._epochs
        of_run = epochs.steps.are_all(steps, epochs.planned.epochs)
        batch = not of_run and epochs.steps.finished_in_others(epochs.label, steps)
        self.running = not of_run and (tested.partial or batch) and (step != steps or not steps)
        metrics = self._metrics(tested, numbers)
        if self.running or not metrics or self.best.repeats(tested, metrics):
            return
        label = self._epochs.label
        if not training:
            self._last = metrics
        elif step is not None and self._shows_again(metrics):
            return
        step = step if label is None else None
        parts = (at, metrics, label, step, "raw", False, midway, tested.data or self.data)
        evaluation = _new(Evaluation, parts)
        if batch:
            self.waiting.held = plan, inf, evaluation
        elif plan.part == ABSENT and not training and self._may_repeat(plan, step, text):
            self.repeats.add(events, text, evaluation)
            self._held_in = numbers[plan.epoch]
        elif plan.part == ABSENT and not training and self.repeats.are_parts(text, evaluation):
            return
        elif training or plan.part == ABSENT or numbers[plan.parts] in (None, numbers[plan.part]):
            events.append(evaluation)
        else:
            self.running = True
            self.waiting.hold(plan, numbers, evaluation)

    def shows_last(self, tested: Tested, numbers: Numbers) -> bool:
        """Returns whether a line has the figures of the evaluation before it."""
        return self._metrics(tested, numbers) == self._last

    def _shows_again(self, metrics: tuple[Metric, ...]) -> bool:
        """Returns whether a line of training shows what the evaluation before it gave.

        An example is `val: 4.181`.
        """
        return len(metrics) == len(self._last) and all(
            one.name == last.name and isclose(one.value, last.value, rel_tol=_ROUNDED)
            for one, last in zip(metrics, self._last, strict=True)
        )

    def add_next(self, events: list[Event], at: Origin, tested: Tested, numbers: Numbers) -> None:
        """Adds the evaluation of the next epoch, on a line like that of the epoch before."""
        metrics, label = self._metrics(tested, numbers), self._epochs.label
        if metrics and not self.best.repeats(tested, metrics):
            parts = (at, metrics, label, None, "raw", False, False, tested.data)
            events.append(_new(Evaluation, parts))

    def _metrics(self, tested: Tested, numbers: Numbers) -> tuple[Metric, ...]:
        """Returns the figures of an evaluation on a line."""
        metrics = metrics_at(tested.metrics, numbers)
        if self._table == "box":
            return metrics
        named = [one._replace(name=self._table) if one.name == "box" else one for one in metrics]
        return tuple(named)

    def _may_repeat(self, plan: Plan, step: int | None, text: str) -> bool:
        """Whether an evaluation may be one of several that are printed before training goes on.

        In a log without training they must name a part: an epoch also comes again after a restart.
        """
        if step is not None:
            return plan.step == ABSENT  # the step is that of a line in front of it
        if plan.epoch == ABSENT or self._epochs.label is None or self._epochs.has_training:
            return True
        return _PART.search(text) is not None

    def _counts_batches(self, step: int | None) -> bool:
        """Returns whether a step is below one that the epoch trained.

        It is a batch of the evaluation.
        """
        trained = self.trained_to
        if step is None or trained is None:
            return False
        return step < trained and self._epochs.has_training

    def _is_midway(self, step: int, steps: int | None) -> bool:
        """Whether an evaluation on a line with a step may stand before its epoch's last step."""
        if steps is not None:
            return step < steps - 1
        if self._epochs.label != self._label:
            self._have_one_each, self._label, self._lines = self._lines == 1, self._epochs.label, 0
        self._lines += 1
        return not (self._have_one_each and self._lines == 1)

    def go_on(self, events: list[Event], plan: Plan, numbers: Numbers) -> None:
        """Adds the held evaluations that this line shows to be whole."""
        self.waiting.release(events, plan, numbers)
        evaluates = plan.tested is not None and plan.trained is None
        if evaluates and plan.epoch != ABSENT and numbers[plan.epoch] == self._held_in:
            return  # another line of the same epoch, which may be of another part
        if plan.trained is not None or plan.begins or plan.epoch != ABSENT:
            self.repeats.release(events)

    def end(self, events: list[Event]) -> None:
        """Adds the held evaluations that nothing showed to be partial."""
        self.waiting.release(events)
        self.repeats.end(events)
