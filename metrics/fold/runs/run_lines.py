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
        checks, store = self.checks, self.records.wanted
        group: list[Iteration] = []
        group_epoch, group_label = self.open_epoch, None
        group_steps = None if group_epoch is None else group_epoch.steps
        if self._held_facts:
            self._take_held_facts()
        unrepeated = not checks.repeats
        try:
            for line in lines:
                _, label, step, steps, _, _, _, _, _, _, _, _ = line
                before = self._note_line(line)
                if before is not None and label is None and self._pauses.regular(before, line):
                    self._add_lines(group_epoch, group)
                    self._mark_evaluated(self.open_epoch, step)
                epoch = self.open_epoch
                if group and epoch is not None and epoch is group_epoch and label == group_label:
                    over = epoch.complete and not _behind(epoch, step)
                    look_up = over or steps != group_steps or epoch.records + len(group) < 2
                else:
                    look_up = self.part_begins or not _may_be_of(epoch, label, steps)
                if step is not None and before is not None and step * _FAR < (before.step or 0):
                    self._add_lines(group_epoch, group)
                    look_up = self._begins_again(before, line) or look_up
                # Without a look-up, the line continues the current epoch.
                if look_up or (unrepeated and checks.repeats):
                    self._add_lines(group_epoch, group)
                    epoch = self._epoch(label or 0, line)
                    unrepeated = not checks.repeats
                if epoch is not group_epoch or label != group_label:
                    self._add_lines(group_epoch, group)
                    group_epoch, group_label = epoch, label
                    group_steps = None if epoch is None else epoch.steps
                group_steps = steps or group_steps
                group.append(line)
                if store and self.freeze is None:
                    self.records.apply(line)
        finally:
            self._add_lines(group_epoch, group)

    def _note_line(self, line: Iteration) -> Iteration | None:
        """Folds all of a line that does not depend on its epoch; returns the line before it."""
        at, label, _, _, throughput, unit, scope, loss, _, _, _, _ = line
        if self.series is not None:
            self.series.iteration(line)
        for problem in self.checks.add(line):
            self.note(problem)
        if at.time_us is not None:
            self.last_us = at.time_us
            if self.first_iteration_us is None and self._begins_at(at):
                self.first_iteration_us = at.time_us
        if self.end is not None and goes_on(self, line):
            self._take_back_end()
        before, self.last_iteration = self.last_iteration, line
        if before is None:
            self.first_line = at.line
        if self.failed is not None:
            self._forget_survived(at, resumed=falls_back(before, line))
        if throughput is not None and (
            unit != self.unit or (scope is not self.scope and scope is not _UNKNOWN)
        ):
            self._set_unit(unit, scope)
        if loss is not None and loss != loss:
            self.note(nan_loss(at))
        if label is not None:
            self.has_epochs = True
        return before

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

    def _add_lines(self, epoch: Epoch | None, lines: list[Iteration]) -> None:
        """Adds lines of one label to their epoch, and clears the list."""
        if lines and epoch is not None:
            epoch.extend(lines)
            if lines[0].epoch is None and not self.has_epochs:
                self.windows.extend(lines)
        lines.clear()

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
        if epoch.complete and not self._goes_on_with(epoch, before):
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
        self.epochs.changing(epoch.label)
        return True

    def _mark_evaluated(self, epoch: Epoch | None, step: int | None) -> None:
        """Marks an evaluation here; see `Epoch.evaluated`."""
        if not self.has_epochs:
            self.windows.evaluated(step)
        self._evaluated = step if epoch is None else None
        if epoch is not None:
            epoch.evaluated(step)

    def _goes_on_with(self, epoch: Epoch, step: int | None) -> bool:
        """Whether lines that follow that step continue an epoch that is over."""
        if epoch.label != self.current:
            return False
        return step is None or (epoch.first_step is not None and epoch.first_step <= step)

    def _begins_at(self, at: Origin) -> bool:
        """Whether the log's first clock stands close enough to the first iteration."""
        return self.last_iteration is None or at.line - self.first_line <= _CLOSE

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


def _behind(epoch: Epoch, step: int | None) -> bool:
    """Whether a line of this step follows the first line of an epoch."""
    return step is None or (epoch.first_step is not None and epoch.first_step < step)


def _may_be_of(epoch: Epoch | None, label: int | None, steps: int | None) -> bool:
    """Whether a line of that label and number of steps may continue an epoch."""
    if epoch is None or epoch.complete or epoch.records < 2:
        return False
    return epoch.label == (label or 0) and epoch.steps == steps
