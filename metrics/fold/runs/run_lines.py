"""Folds the progress lines of a run: one after another, or spans of them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress

from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.runs.run_epochs import RunEpochs
from sixdim.parsers.events import Iteration, Origin, Problem, Scope
from sixdim.parsers.spans import Span

_BUFFER = 8192
"""Size in bytes of Python's buffer of standard output: so much may follow the traceback of a
program that has ended."""
_UNKNOWN = Scope.UNKNOWN
_FAR = 3
"""A step so many times smaller than the one before is of another attempt."""
_PAUSE = 20
_PAUSE_US = 60_000_000
"""After a pause of so many times the usual time between two lines, and of a minute at least."""
_CLOSE = 100
"""Lines behind the first iteration in which the log's clock may first be seen."""
_FEWEST = 5
"""Lines from which on the usual time is known."""


class RunLines(RunEpochs):
    """The progress lines of a run; see `metrics.fold.runs.run.Run`, which folds all events."""

    def extend(self, lines: Iterable[Iteration]) -> None:
        """Folds progress lines that follow each other in the log."""
        checks, series, store = self.checks, self.series, self.records.wanted
        same: list[Iteration] = []  # the latest ones, which are of this epoch and label:
        same_epoch, same_label = self._open, None
        planned = None if same_epoch is None else same_epoch.steps  # of it, with those lines
        if self._held_facts:
            self._take_held_facts()
        unrepeated = not checks.repeats
        try:
            for event in lines:
                if series is not None:
                    series.iteration(event)
                at, label, step, steps, throughput, unit, scope, loss, _, _, _, _ = event
                for problem in checks.add(event):
                    self.note(problem)
                if at.time_us is not None:
                    self.last_us = at.time_us
                    if self.first_iteration_us is None and self._begins_at(at):
                        self.first_iteration_us = at.time_us
                if self.end is not None and self._goes_on(event):
                    self._take_back_end()
                before, self.last_iteration = self.last_iteration, event
                if before is None:
                    self.first_line = at.line
                if before is not None and label is None and self._pauses.regular(before, event):
                    self._add_lines(same_epoch, same)
                    self._mark_evaluated(self._open, step)
                if self.failed is not None:
                    self._forget_survived(at, resumed=_falls_back(before, event))
                if throughput is not None and (
                    unit != self.unit or (scope is not self.scope and scope is not _UNKNOWN)
                ):
                    self._set_unit(unit, scope)
                if loss is not None and loss != loss:
                    self.note(nan_loss(at))
                if label is not None:
                    self.has_epochs = True
                epoch = self._open
                if same and epoch is not None and epoch is same_epoch and label == same_label:
                    over = epoch.complete and not _behind(epoch, step)
                    other = over or steps != planned or epoch.records + len(same) < 2
                else:
                    other = self._part_begins or not _may_be_of(epoch, label, steps)
                if step is not None and before is not None and step * _FAR < (before.step or 0):
                    self._add_lines(same_epoch, same)
                    other = self._begins_again(before, event) or other
                # Else the line continues the current epoch.
                if other or (unrepeated and checks.repeats):
                    self._add_lines(same_epoch, same)
                    epoch = self._epoch(label or 0, event)
                    unrepeated = not checks.repeats
                if epoch is not same_epoch or label != same_label:
                    self._add_lines(same_epoch, same)
                    same_epoch, same_label = epoch, label
                    planned = None if epoch is None else epoch.steps
                planned = steps or planned
                same.append(event)
                if store and self.freeze is None:
                    self.records.apply(event)
        finally:
            self._add_lines(same_epoch, same)

    def _begins_again(self, before: Iteration, line: Iteration) -> bool:
        """Resumes the run if a line with a far smaller step is of another attempt."""
        epoch = self._open
        if epoch is None or self.freeze is not None or line.epoch != before.epoch:
            return False
        if not _paused(epoch, before, line):
            epoch.leave_clock()
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
            if lines[0].epoch is None:
                self.windows.extend(lines)
        lines.clear()

    def add(self, span: Span) -> bool:
        """Folds a span of progress lines, if each of them only adds to the sums.

        Returns:
            Whether it was folded; if not, nothing was changed.
        """
        last = span.last
        epoch, step = self._open, last.step
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
        if not self.checks.fits(span):
            return False
        if not epoch.lines.follows(before):
            return False
        window = None
        if last.epoch is None:
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

        Lines that were still in a buffer may follow the problem, so the line must be far behind it,
        in another file, of a resumed run, or the end of a log in which training went on behind the
        same problem before.

        Args:
            at: The line.
            resumed: Whether it repeats earlier steps or epochs, as a resumed run does.
        """
        failed = self.failed
        if failed is None or failed.kind == "nan_loss":
            return
        far = at.file != failed.at.file or at.offset - failed.at.offset > _BUFFER
        if far or resumed or (self.ended and failed.text == self.survived):
            self.failed, self.survived = None, failed.text
            self._part_begins |= resumed

    def forget_overcome(self) -> None:
        """Forgets a trouble between two epochs of a run that was done all the same.

        Where all in front of it, named epochs among that, is less text than a program holds back
        when it raises, nothing was held back, and what stands behind was trained later.
        """
        failed = self.failed
        if failed is None or failed.kind == "nan_loss" or not self._named_before_failure:
            return
        line = failed.at.line
        begins, ends = self.epochs.column("first_line"), self.epochs.column("last_line")
        whole = compress(begins, self.epochs.complete())
        between = min(begins, default=line) < line < max(whole, default=0)
        across = any(begin < line < end for begin, end in zip(begins, ends, strict=True))
        if between and not across and failed.at.offset <= _BUFFER:
            self.failed = None

    def _set_unit(self, unit: str, scope: Scope) -> None:
        """Sets unit and scope of the rates; a line without a scope changes none."""
        if scope is not _UNKNOWN or unit != self.unit:
            self.scope = scope
        self.unit = unit


def _falls_back(before: Iteration | None, event: Iteration) -> bool:
    """Whether a progress line has a lower epoch, or step of the epoch, than the one before."""
    if before is None or before.at.rank != event.at.rank:
        return False
    of_steps = before.epoch == event.epoch
    last, now = (before.step, event.step) if of_steps else (before.epoch, event.epoch)
    return last is not None and now is not None and now < last


def nan_loss(at: Origin) -> Problem:
    """The problem of a line whose training loss is nan."""
    return Problem(at, "nan_loss", "the training loss is nan")


def _behind(epoch: Epoch, step: int | None) -> bool:
    """Whether a line of this step is behind the first one of an epoch."""
    return step is None or (epoch.first_step is not None and epoch.first_step < step)


def _may_be_of(epoch: Epoch | None, label: int | None, steps: int | None) -> bool:
    """Whether a line of that label and number of steps may continue an epoch."""
    if epoch is None or epoch.complete or epoch.records < 2:
        return False
    return epoch.label == (label or 0) and epoch.steps == steps


def _paused(epoch: Epoch, before: Iteration, line: Iteration) -> bool:
    """Whether nothing was logged for long between two lines of an epoch."""
    last, begin, now = before.at.time_us, epoch.start_us, line.at.time_us
    if last is None or begin is None or now is None or epoch.records < _FEWEST:
        return False
    usual = (last - begin) / (epoch.records - 1)
    return now - last > max(_PAUSE * usual, _PAUSE_US)
