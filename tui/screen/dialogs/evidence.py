"""Finds the lines of the log that a point of a chart was computed from."""

from __future__ import annotations

import math
from bisect import bisect_left

from sixdim.metrics.card.snapshot import Snapshot
from sixdim.metrics.values.series import Kind
from sixdim.tui.screen.dialogs.explain import explain_epoch
from sixdim.tui.screen.panels.charts.accuracy_plot import AccuracyPlot, evaluation_points
from sixdim.tui.screen.panels.charts.plot import Plot, minutes
from sixdim.tui.screen.panels.charts.series_lines import places_of, usable
from sixdim.tui.screen.panels.charts.series_plot import SeriesPlot
from sixdim.tui.screen.widgets.view import View
from sixdim.tui.session.live.feed import Frame


def lines_of_point(plot: Plot, frame: Frame, view: View, x: float) -> tuple[int, ...]:
    """Returns the line of an evaluation or of a value of a series; else all lines of the epoch.

    Args:
        plot: The chart.
        frame: What it is of.
        view: How it is looked at.
        x: Where its cursor stands.

    Returns:
        Line numbers, ascending; none for a point that is not from the log.
    """
    if isinstance(plot, SeriesPlot):
        return _of_series(plot, frame, view, x)
    if isinstance(plot, AccuracyPlot):
        return _of_evaluation(frame.snapshot, view, x)
    epoch = plot.epoch_at(frame, view, x)
    return () if epoch is None else explain_epoch(frame.snapshot, epoch).lines


def _of_series(plot: SeriesPlot, frame: Frame, view: View, x: float) -> tuple[int, ...]:
    views = plot.views(frame)
    if not views or views[0].kind is Kind.DEVICE:
        return ()
    places = places_of(usable(view.axis, views), views[0])
    here = min(bisect_left(places, x), len(places) - 1)
    line = views[0].lines[here] if here >= 0 else math.nan
    return () if math.isnan(line) else (int(line),)


def _of_evaluation(snapshot: Snapshot, view: View, x: float) -> tuple[int, ...]:
    clock = minutes(snapshot) if view.by_time else {}
    found = [e for e in snapshot.evaluations if not view.by_time or e.epoch in clock]
    pairs = zip(evaluation_points(snapshot, view.by_time), found, strict=True)
    return tuple(evaluation.line for (at, _), evaluation in pairs if at == x)[:1]
