"""Folds the progress lines of a run: one after another, or spans of them."""

from __future__ import annotations

from collections.abc import Iterable

from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.runs.endings import BUFFER, goes_on
from sixdim.metrics.fold.runs.restarts import falls_back, paused
from sixdim.metrics.fold.runs.run_epochs import RunEpochs
from sixdim.parsers.events import Iteration, Origin, Problem, Scope
from sixdim.parsers.spans import Span

_UNKNOWN = Scope.UNKNOWN
_FAR = 3
"""A step that is so many times smaller than the one before may be of another attempt."""
_CLOSE = 100
"""So many lines behind the first iteration the log's first clock still counts as its start."""


class RunLines(RunEpochs):
    """The progress lines of a run; see `metrics.fold.runs.run.Run`, which folds all events."""

    def extend(self, lines: Iterable[Iteration]) -> None:
        """Folds progress lines that follow each look_up in the log."""
        checks, series, regular = self.checks, self.series, self._pauses.regular
        store = self.records.apply if self.records.wanted and self.freeze is None else None
        if self._held_facts:
            self._take_held_facts()
        unrepeated = not checks.repeats
        for line in lines:
            at, label, step, steps, rate, unit, scope, loss, _, _, _, _ = line
            before = self.last_iteration
            if series is not None:
                series.iteration(line)
            for problem in checks.add(line):
                self.note(problem)
            if before is None:
                self.first_line = at.line
            if at.time_us is not None:
                self.last_us = at.time_us
                if self.first_iteration_us is None and at.line - self.first_line <= _CLOSE:
                    self.first_iteration_us = at.time_us
            if self.end is not None or self.failed is not None:
                self._trains_on(line)
            self.last_iteration = line
            if rate is not None and (
                unit != self.unit or (scope is not self.scope and scope is not _UNKNOWN)
            ):
                self._set_unit(unit, scope)
            if loss is not None and loss != loss:
                self.note(nan_loss(at))
            if label is not None:
                self.has_epochs = True
            elif before is not None and regular(before, line):
                self._mark_evaluated(self.open_epoch, step)
            epoch = self.open_epoch
            # Without a look-up, the line continues the current epoch.
            look_up = (
                epoch is None
                or epoch.records < 2
                or epoch.label != (label or 0)
                or epoch.steps != steps
                or self.part_begins
                or (epoch.complete and not epoch.begins_before(step))
            )
            if step is not None and before is not None and step * _FAR < (before.step or 0):
                look_up = self._begins_again(before, line) or look_up
            if look_up or (unrepeated and checks.repeats):
                epoch = self._epoch(label or 0, line)
                unrepeated = not checks.repeats
            if epoch is not None:
                epoch.add(line)
                if label is None and not self.has_epochs:
                    self.windows.add(line)
            if store is not None:
                store(line)

    def _trains_on(self, line: Iteration) -> None:
        """Removes an end, or a fatal problem, that a progress line shows to be none."""
        if self.end is not None and goes_on(self, line):
            self._take_back_end()
        if self.failed is not None:
            self._forget_survived(line.at, resumed=falls_back(self.last_iteration, line))

    def _begins_again(self, before: Iteration, line: Iteration) -> bool:
        """Resumes the run if a line with a far smaller step is of another attempt.

        Returns:
            Whether it was resumed.
        """
        epoch = self.open_epoch
        if epoch is None or self.freeze is not None or line.epoch != before.epoch:
            return False
        if not paused(epoch, line):
            epoch.forget_clock()
            return False
        self._resume(line.epoch or 0, line)
        if line.epoch is None:
            text = "the steps begin again behind a pause: the later ones count"
            self.note(Problem(line.at, "resume", text))
        return True

    def _take_held_facts(self) -> None:
        """Adds the facts that waited for a record of training."""
        self.facts |= {one.name: (one.value, one.at.line) for one in self._held_facts}
        self._held_facts.clear()

    def add(self, span: Span) -> bool:
        """Folds a span of progress lines, if each of them only adds to the sums.

        Returns:
            Whether it was folded; if not, nothing was changed.
        """
        last = span.last
        epoch, step = self.open_epoch, last.step
        before = None if step is None else step - span.iterations
        if epoch is None or epoch.label != (last.epoch or 0):
            return False
        behind = None if before is None else before + 1
        if epoch.complete and not (epoch.label == self.current and epoch.begins_before(behind)):
            return False
        if self._held_facts or self.end is not None or self.failed is not None:
            return False
        if last.steps != epoch.steps:
            return False
        if self.records.wanted and self.freeze is None:
            return False  # each line is stored
        if span.figures is None and (last.values or self.series is not None):
            return False
        if not self.checks.can_add(span):
            return False
        if not epoch.lines.follows(before):
            return False
        window = None
        if last.epoch is None and not self.has_epochs:
            window = self.windows.last(span.lines)
            if window is None or not window.lines.follows(before):
                return False
        self.checks.add_span(span)
        if self.series is not None:
            self.series.extend(span)
        self.last_us = self.last_us if last.at.time_us is None else last.at.time_us
        self.last_iteration = last
        epoch.add_span(span)
        if window is not None:
            window.add_span(span, is_window=True)
        return True

    def _mark_evaluated(self, epoch: Epoch | None, step: int | None) -> None:
        """Marks an evaluation here; see `Epoch.evaluated`."""
        if not self.has_epochs:
            self.windows.evaluated(step)
        self._evaluated = step if epoch is None else None
        if epoch is not None:
            epoch.evaluated(step)

    def _forget_survived(self, at: Origin, *, resumed: bool = False) -> None:
        """Removes a fatal problem after which training went on.

        Lines from a buffer may follow the problem. So the line must be far behind it, in another
        file, or of a resumed run; or it ends a log in which training went on after the same problem
        before.

        Args:
            at: The line.
            resumed: Whether it repeats earlier steps or epochs, as a resumed run does.
        """
        failed = self.failed
        if failed is None or failed.kind == "nan_loss":
            return
        far = at.file != failed.at.file or at.offset - failed.at.offset > BUFFER
        if far or resumed or (self.ended and failed.text == self.survived):
            self.failed, self.survived = None, failed.text
            self.part_begins |= resumed

    def _set_unit(self, unit: str, scope: Scope) -> None:
        """Sets unit and scope of the rates; a line without a scope leaves that of the same unit."""
        if scope is not _UNKNOWN or unit != self.unit:
            self.scope = scope
        self.unit = unit


def nan_loss(at: Origin) -> Problem:
    """The problem of a line whose training loss is nan."""
    return Problem(at, "nan_loss", "the training loss is nan")
