"""Begins and ends the epochs of a run, and repeats them after a resume."""

from __future__ import annotations

from bisect import bisect_left

from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.epochs.windows import IterationWindows
from sixdim.metrics.fold.runs.restarts import begins_lower, resumes
from sixdim.metrics.fold.runs.run_state import RunState
from sixdim.parsers.events import EpochEnd, Iteration, Problem

MOST_PROBLEMS = 200
"""Number of problems that are stored; further ones are counted by kind."""
_CONSEQUENCES = ("killed", "launcher", "traceback", "exception", "interrupted")
"""Kinds of problems that follow from a scheduler's cancelling the job."""


class RunEpochs(RunState):
    """The epochs of a run; see `metrics.fold.runs.run.Run`, which folds the events."""

    def note(self, problem: Problem) -> None:
        """Adds a problem; above `MOST_PROBLEMS` only the first of its kind is stored."""
        same = self.problem_counts.get(problem.kind, 0)
        self.problem_counts[problem.kind] = same + 1
        if len(self.problems) < MOST_PROBLEMS or not same:
            self.problems.append(problem)
        if problem.fatal and not (
            self.failed is not None
            and self.failed.kind == "cancelled"
            and problem.kind in _CONSEQUENCES
        ):
            self.failed, self.named_before_failure = problem, self.has_epochs

    def _epoch(self, label: int, event: Iteration | EpochEnd) -> Epoch | None:
        """The epoch of a label; None where it is frozen and must not change."""
        self.names_zero = self.names_zero or event.epoch == 0
        known = self.epochs.changing(label)
        if known is None and event.epoch is not None:
            self._name_first(event.epoch)
        again = begins_lower(self, event) if known is None else resumes(self, known, event)
        if self.freeze is not None and self._sealed(label) and (again or label != self.current):
            text = f"epoch {label} again after the freeze: it changes nothing"
            self.note(Problem(event.at, "after_freeze", text))
            return None
        if again:
            self._resume(label, event)
            known = None
        elif known is not None and len(self.epochs) == 1 and known.named_again(event):
            self.epochs.cut(label)  # what named it first was a run that trained nothing
            self.first_iteration_us, known = event.at.time_us, None
        if known is None:
            self._finish_current()
            known = self.open_epoch = Epoch(label, event.at.line, event.at.offset)
            self.epochs.add(known)
            self.current = label
            if self._evaluated is not None:
                known.evaluated(self._evaluated)
                self._evaluated = None
        if self.part_begins:
            self.part, self.part_begins = label, False
        return known

    def _name_first(self, following: int) -> None:
        """Gives the first epoch, whose own lines name none, the label of its evaluation.

        Args:
            following: The first label that a line of training gives.
        """
        if self.names_zero or len(self.epochs) != 1 or 0 not in self.epochs:
            return
        label = self.evaluations.last_label
        if label is None or label != following - 1:
            return
        if label == 0:
            self.names_zero = True
            return
        (first,) = self.epochs.values()
        self.epochs.cut(0)
        first.label = label
        self.epochs.add(first)
        self.current, self.part = label, label if self.part == 0 else self.part

    def _resume(self, label: int, event: Iteration | EpochEnd) -> None:
        """Removes the epochs from a label on, with their records and evaluations."""
        self.part_begins, self.end, self._went_on = True, None, False
        if isinstance(event, Iteration):
            self.checks.begin_again(event)
        if event.epoch is not None:  # else steps begin again, which the checks report
            text = f"epoch {label} begins again: the later one counts"
            self.note(Problem(event.at, "resume", text))
        if label <= (self.first_label or 0):
            label = min(label, *self.epochs)  # the lines in front of the first label go, too
        if self.records.wanted:
            first_lines = zip(self.epochs, self.epochs.column("first_line"), strict=True)
            self.records.cut(min(line for known, line in first_lines if known >= label))
        before = self.evaluations.below(label)
        if self.frozen_size is not None and self.freeze is not None:
            stays = (self.freeze.epoch or 0) < label
            self.frozen_size = bisect_left(before, self.frozen_size) if stays else None
        self.epochs.cut(label)
        self.evaluations = self.evaluations.chosen(before)
        if not self.epochs:
            trains = isinstance(event, Iteration)
            self.first_iteration_us = event.at.time_us if trains else None
            self.windows = IterationWindows()
            self.after.clear()  # they are evaluations of the training before

    def _take_back_end(self) -> None:
        """Removes the end, since training goes on behind it."""
        self._went_on |= self.end is not None and self.end.sentence
        self.end = None

    def _drop_unbegun(self) -> None:
        """Removes the last epoch if one line only names it, and each other epoch has more lines."""
        last = self.open_epoch
        if last is None or last.label != self.current or not last.only_named():
            return
        begins, ends = self.epochs.column("first_line"), self.epochs.column("last_line")
        if len(begins) > 1 and sum(a == b for a, b in zip(begins, ends, strict=True)) == 1:
            self.epochs.cut(last.label)

    def _finish_current(self, *, cut: bool = False) -> None:
        """Finishes the current epoch; with `cut` the run has ended, maybe inside that epoch."""
        last = self.open_epoch
        if last is not None and last.label == self.current and last.complete:
            return
        epoch = None if self.current is None else self.epochs.changing(self.current)
        if epoch is not None:
            epoch.cut = epoch.cut or (cut and not epoch.complete)
            epoch.finish()
