"""Reads the progress bars of a log that no format knows, whatever they count."""

from sixdim.parsers.events import Event, Origin
from sixdim.parsers.generic.bars.bars import BesideLabels, EpochBars
from sixdim.parsers.generic.bars.other_bars import BareBars, NestedBars
from sixdim.parsers.generic.bars.step_bars import StepBars
from sixdim.parsers.generic.epochs.epochs import Epochs
from sixdim.parsers.generic.evaluations.evaluations import Evaluations
from sixdim.parsers.generic.training.training import Training
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, Plan
from sixdim.parsers.grammar.vocabulary.forms import Numbers
from sixdim.parsers.grammar.vocabulary.names import EVALUATED, TRAINED


class Drawings:
    """Asks each kind of bar whether a drawing is one of its own.

    Attributes:
        epochs: Bars that count epochs.
        bare: Bars without a word, between the lines of two epochs.
        steps: Bars without a word that count the steps of the training.
    """

    def __init__(self, epochs: Epochs, evaluations: Evaluations, training: Training) -> None:
        self._epochs, self._evaluations, self._training = epochs, evaluations, training
        self.epochs = EpochBars(epochs, evaluations)
        self.bare, self.steps = BareBars(epochs), StepBars()
        self._beside_labels = BesideLabels(epochs)
        self._nested = NestedBars(epochs, self.epochs, training.bars)

    def recognises(self, at: Origin, plan: Plan, numbers: Numbers) -> bool:
        """Returns whether a bar that does not say what it counts is known to count a training."""
        return self._nested.recognises(plan, numbers) or self._trains(at, plan, numbers)

    def _trains(self, at: Origin, plan: Plan, numbers: Numbers) -> bool:
        """Returns whether a bar without a word counts the steps of the training."""
        step, steps = numbers[plan.step], numbers[plan.steps]
        return not plan.other_bar and self.steps.trains(at, step, steps)

    def adds_other(
        self, events: list[Event], text: str, at: Origin, plan: Plan, numbers: Numbers
    ) -> bool:
        """Adds what a drawing shows of a bar that does not say what it counts; returns whether.

        False for a bar that counts the steps of the training.
        """
        if self._trains(at, plan, numbers):
            return False
        words, step, steps = plan.other_bar, numbers[plan.step], numbers[plan.steps]
        if self._evaluations.waiting.held is not None:
            self._evaluations.waiting.draw(events, step, steps)
        if words:
            if not EVALUATED.isdisjoint(words):
                self._training.pause()
            if not (step or TRAINED.isdisjoint(words)):
                self._epochs.unnamed.step = None  # what the bar counts next begins again
        else:
            self.bare.draw(events, at, plan, numbers)
        if not words or words == ("epoch",):
            self._beside_labels.draw(events, at, step, steps)
        if not self._epochs.named:
            self._nested.draw(events, text, at, plan, numbers)
        return True

    def adds_epochs(
        self, events: list[Event], text: str, at: Origin, plan: Plan, numbers: Numbers
    ) -> bool:
        """Adds a drawing of a training's bar that counts epochs; returns whether it does."""
        drawing = events, text, at, plan, numbers
        if plan.epoch == ABSENT:
            return self._nested.draw(*drawing) or self.epochs.adds_evaluated(*drawing)
        late = self.epochs.is_late(plan, numbers)
        if late:
            self.epochs.add_late(*drawing)
        return late

    def adds_labelled(self, events: list[Event], at: Origin, plan: Plan, numbers: Numbers) -> bool:
        """Adds a drawing of a bar after an epoch's label if it counts epochs; returns whether."""
        counts_epochs = self.epochs.adds_labelled(events, at, plan, numbers)
        if counts_epochs:
            self._beside_labels.draw(events, at, numbers[plan.step], numbers[plan.steps])
        return counts_epochs
