"""Makes the events of lines whose numbers have a meaning."""

from sixdim.parsers.events import EpochEnd, Event, Iteration, Origin, RunInfo
from sixdim.parsers.generic.bars.drawings import Drawings
from sixdim.parsers.generic.correct import Correct
from sixdim.parsers.generic.epochs.epochs import Epochs
from sixdim.parsers.generic.epochs.outer import OuterCounter
from sixdim.parsers.generic.evaluations.evaluations import Evaluations
from sixdim.parsers.generic.pairs import Pairs
from sixdim.parsers.generic.steady import Steady
from sixdim.parsers.generic.training.training import Training
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, NOTHING, Plan, Tested, Trained
from sixdim.parsers.grammar.vocabulary.forms import Numbers
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.text.lines import Line


class PlannedLines:
    """Makes the events of the lines of one log, each with the plan of its form.

    Args:
        reader: The log's reader.

    Attributes:
        epochs: The log's epochs.
        evaluations: Its evaluations.
        training: Its progress lines.
        bars: Its progress bars.
        steady: Reads a line like the one before.
    """

    def __init__(self, reader: Reader) -> None:
        self.epochs = Epochs()
        self.evaluations = Evaluations(self.epochs)
        self.training = Training(reader, self.epochs)
        self.bars = Drawings(self.epochs, self.evaluations, self.training)
        self.steady = Steady(self.epochs, self.evaluations, self.training, self.bars)
        self._pairs = Pairs(self.epochs)
        self._outer_counter = OuterCounter()
        self._correct = Correct()

    def released(self, plan: Plan = NOTHING, numbers: Numbers = ()) -> list[Event]:
        """Returns the events of a line that was held back until this one; see `Pairs.holds`."""
        held = self._pairs.release(plan, numbers)
        return [] if held is None else self.events(*held)

    def events(self, line: Line, plan: Plan, numbers: Numbers) -> list[Event]:
        """Returns the events of a line with this plan and these numbers."""
        if plan is self.steady.plan and (same := self.steady.read(line, numbers)) is not None:
            return same
        self.steady.plan = None
        events: list[Event] = []
        at = line.origin()
        if plan.other_bar is not None:
            if self.bars.adds_other(events, line.text, at, plan, numbers):
                return events
            plan = plan._replace(other_bar=None)
        if self._pairs.held is not None:
            events += self.released(plan, numbers)
        unsure = plan.part != ABSENT or (plan.steps != ABSENT and plan.bar is None)
        if plan.outer != ABSENT or (unsure and plan.epoch == ABSENT):
            plan = self._outer_counter.plan(plan, numbers)
        evaluations = self.evaluations
        if evaluations.waiting.held is not None or evaluations.repeats.held:
            evaluations.go_on(events, plan, numbers)
        if (plan.done != ABSENT or plan.bar is not None) and self._counts_epochs(
            events, line.text, at, plan, numbers
        ):
            return events
        plan = self._begin_epoch(events, at, plan, numbers)
        if plan.part != ABSENT:
            if self._pairs.holds(line, plan, numbers):
                return events
            self._pairs.add(events, at, plan, numbers)
        self._add_figures(events, line.text, at, plan, numbers)
        return events

    def _counts_epochs(
        self, events: list[Event], text: str, at: Origin, plan: Plan, numbers: Numbers
    ) -> bool:
        """Adds what a bar or a count of epochs says; returns whether the line is one."""
        if plan.done != ABSENT:
            self.bars.epochs.add(events, text, at, plan, numbers)
            return True
        if self.epochs.are_all_done(plan, numbers):
            events.append(RunInfo(at, "epochs_planned", numbers[plan.steps]))
            return True
        return self.bars.adds_epochs(events, text, at, plan, numbers)

    def _begin_epoch(self, events: list[Event], at: Origin, plan: Plan, numbers: Numbers) -> Plan:
        """Begins the epoch of a line; returns its plan, without an epoch yet to begin."""
        if plan.epoch != ABSENT or plan.step != ABSENT:
            self.evaluations.best.headed = self.evaluations.of_a_batch = False
        if plan.tested is not None and self.epochs.have_yet_to_begin(plan, numbers):
            plan = plan._replace(epoch=ABSENT, epochs=ABSENT, trained=None)
        trained = plan.trained
        if plan.epoch != ABSENT or plan.epochs != ABSENT:
            self.epochs.begin(events, at, plan, numbers)
        elif self.epochs.label is None and (plan.tested or (trained and trained.has_figures)):
            self.epochs.has_figures(at)
        return plan

    def _add_figures(
        self, events: list[Event], text: str, at: Origin, plan: Plan, numbers: Numbers
    ) -> None:
        """Adds the figures of a line, or what it begins or ends."""
        trained, epochs = plan.trained, self.epochs
        if trained is not None:
            self._train(events, text, at, plan, trained, numbers)
        elif plan.heading_split:
            self.evaluations.begin(plan.heading_split)
        elif plan.ends:
            events.append(EpochEnd(at, epochs.label))
        elif plan.begins:
            self._begin(events, text, at, plan, numbers)
        if plan.tested is not None:
            plan = self._evaluate(events, text, at, plan, plan.tested, numbers)
        of_pair = plan.part != ABSENT and trained is not None and plan.tested is None
        if of_pair or (plan.whole and plan.epoch != ABSENT):
            self.bars.bare.end_epoch(plan, numbers)
        if plan.steady and "%)]" not in text:  # else the counts may be those of samples
            self.steady.note(events, plan, numbers)

    def _train(
        self,
        events: list[Event],
        text: str,
        at: Origin,
        plan: Plan,
        trained: Trained,
        numbers: Numbers,
    ) -> None:
        """Adds the figures of the training on a line."""
        step, steps, evaluations = numbers[plan.step], numbers[plan.steps], self.evaluations
        bar = plan.bar is not None
        self.epochs.has_training = True
        if not bar:
            self.bars.steps.note_step(step, steps)
        evaluations.train(step, steps)
        evaluations.best.train(trained.values)
        if not (bar and self.bars.adds_labelled(events, at, plan, numbers)):
            self.training.add(events, text, at, plan, trained, numbers)

    def _begin(
        self, events: list[Event], text: str, at: Origin, plan: Plan, numbers: Numbers
    ) -> None:
        """Adds the step of a line that only names an epoch, a step, or both."""
        epochs, step, steps = self.epochs, numbers[plan.step], numbers[plan.steps]
        if plan.epoch != ABSENT:
            self.evaluations.train()
            self.bars.bare.begin_epoch()
        self.training.heading_step = self.evaluations.step = step
        beside = epochs.steps.are_others(epochs.label, step, steps)
        counts = epochs.label is not None if plan.epoch != ABSENT else not epochs.is_over
        if counts and not beside:
            events.append(Iteration(at, epochs.label, step, steps))
            self._correct.add(events, at, text, epochs.label)

    def _evaluate(
        self,
        events: list[Event],
        text: str,
        at: Origin,
        plan: Plan,
        tested: Tested,
        numbers: Numbers,
    ) -> Plan:
        """Adds the evaluation on a line; returns its plan, without a count that is the epoch's."""
        if plan.bar is None:
            self.training.pause()
        self.bars.bare.note_evaluation()
        if plan.part != ABSENT and self._pairs.counts_epoch(plan, numbers):
            plan = plan._replace(part=ABSENT, parts=ABSENT)
            if not self._pairs.ended and self.evaluations.shows_last(tested, numbers):
                return plan  # `[ Valid | 003/080 ] loss = 1.2, acc = 0.5 -> best`
        self.evaluations.add(events, text, at, plan, tested, numbers)
        return plan

    def end(self) -> list[Event]:
        """Returns the events of lines and evaluations that were held back until the end."""
        events = self.released()
        self.evaluations.end(events)
        return events
