"""Folds spans of progress lines of a run."""

from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.runs.run_state import RunState
from sixdim.parsers.spans import LineSpan


def add_span(run: RunState, span: LineSpan) -> bool:
    """Folds a span if each of its lines only adds to the sums; else returns False."""
    last, epoch, window = span.last, run.open_epoch, None
    if epoch is None or not _continues(run, epoch, span) or not run.checks.can_add(span):
        return False
    before = None if last.step is None else last.step - span.iterations
    if not epoch.lines.follows(before):
        return False
    if last.epoch is None and not run.has_epochs and not run.sealed(0):
        window = run.windows.last(span.lines)
        if window is None or not window.lines.follows(before):
            return False
    run.checks.add_span(span)
    if run.series is not None:
        run.series.extend(span)
    if last.at.time_us is not None:
        run.clock.last_us = last.at.time_us
    elif run.clock.last_us is not None:
        run.clock.add_untimed(span.lines)
    run.last_iteration = last
    epoch.add_span(span)
    if window is not None:
        window.add_span(span, is_window=True)
    return True


def _continues(run: RunState, epoch: Epoch, span: LineSpan) -> bool:
    """Returns whether the lines of a span continue an epoch, and nothing waits for any of them."""
    last = span.last
    if epoch.label != (last.epoch or 0) or epoch.steps != last.steps:
        return False
    if run.facts.held or run.end is not None or run.problems.failed is not None:
        return False
    if run.records.wanted and not run.frozen:  # each line is stored
        return False
    if span.figures is None and (last.values or run.series is not None):
        return False
    first = None if last.step is None else last.step - span.iterations + 1
    return not epoch.complete or (epoch.label == run.current and epoch.begins_before(first))
