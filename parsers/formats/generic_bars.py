"""What the progress bars that count epochs say, in a log of unknown words."""

from __future__ import annotations

from sixdim.parsers.events import EpochEnd, Event, Iteration, Metric, Origin, RunInfo
from sixdim.parsers.formats.generic_epochs import Epochs
from sixdim.parsers.formats.generic_evaluations import Evaluations
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, Plan
from sixdim.parsers.grammar.vocabulary.forms import Numbers, metrics_at

_FEWEST = 3
"""Epochs that a bar counts, at least."""


class EpochBars:
    """The bars of one log that count epochs rather than iterations, drawing by drawing.

    Args:
        epochs: Those of the log.
        evaluations: Those of the log.
    """

    def __init__(self, epochs: Epochs, evaluations: Evaluations) -> None:
        self._epochs, self._evaluations = epochs, evaluations
        self._planned: int | None = None
        self._done: int | None = None  # epochs that are over, by the last drawing
        self._ahead = False  # whether figures stand in the bar before it counts their epoch
        self._label: int | None = None
        self._step = 0
        self._all = 0  # up to where the first bar behind labels counts
        self._of_batches = False  # it does not count epochs

    def add(self, out: list[Event], at: Origin, p: Plan, numbers: Numbers) -> None:
        """Adds what a bar of epochs says: `2/30 [00:01<00:15, 1.8epoch/s, loss=1.1]`.

        Its count is the label of the epoch that is over, the first one is 1. Where lines name
        theirs, it says no more than that one is over.
        """
        done, planned = numbers[p.done], numbers[p.epochs]
        if self._epochs.named:
            self._epochs.are_over(done)
            return
        trained = _figures(p, numbers)
        over, says = self._is_over(done, figures=bool(trained or p.tested))
        if planned != self._planned:
            self._planned = planned
            out.append(RunInfo(at, "epochs_planned", planned))
        self._epochs.label = done
        if over or (says and trained):
            out.append(EpochEnd(at, done, values=trained if says else ()))
        if says and p.tested:
            self._evaluations.add(out, at, p, numbers, None)
        self._epochs.label = min(done + 1, planned)  # that of the lines to come

    def _is_over(self, done: int, *, figures: bool) -> tuple[bool, bool]:
        """Whether one more epoch is over by a drawing, and whether its figures are of that epoch.

        Some programs show the figures of an epoch and count it then, and are known by figures
        beside a count of 0; in others figures beside a new count are those of the epoch before.
        """
        more, self._done = self._done is None or done > self._done, done
        self._ahead |= figures and done == 0
        return more and done > 0, figures and done > 0 and more == self._ahead

    def adds_labelled(self, out: list[Event], at: Origin, p: Plan, numbers: Numbers) -> bool:
        """Adds what a bar behind an epoch's label says if it counts the epochs, which it returns.

        Such a bar never counts but this epoch or one beside it, and does not begin anew with the
        next: `Epoch 3/9: 2/9`. As long as it may be one, no figure of it is of iterations.
        """
        if self._of_batches or p.epoch == ABSENT:
            return False
        label, step, steps = self._epochs.label, numbers[p.step], numbers[p.steps]
        if label is None or step is None or steps is None or steps < _FEWEST or label > steps:
            return False
        self._all = self._all or steps
        if steps != self._all or (numbers[p.epochs] or steps) != steps:
            return False
        before, last = self._label, self._step
        self._label, self._step = label, step
        anew = before is not None and before != label and step < last
        self._of_batches = anew or abs(step - label) > 1
        if self._of_batches:
            return False
        if figures := _figures(p, numbers):
            loss = next((m.value for m in figures if m.name == "loss"), None)
            rest = tuple(m for m in figures if m.name != "loss")
            out.append(Iteration(at, label, None, loss=loss, values=rest))
        if step == steps:
            out.append(EpochEnd(at, label))
        return True


def _figures(p: Plan, numbers: Numbers) -> tuple[Metric, ...]:
    """The figures of the training in a line."""
    figures, loss = metrics_at(p.values, numbers), numbers[p.loss]
    return figures if loss is None else (Metric("loss", loss, "", False), *figures)
