"""The plot of any series over steps, epochs, time or lines: raw as a band, smoothed as a line."""

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from sixdim.metrics.card.curves import RunCurves
from sixdim.metrics.card.snapshot import Snapshot
from sixdim.metrics.values.series import Kind, SeriesView
from sixdim.tui.base.gaps import series_gap
from sixdim.tui.screen.panels.charts.plot import (
    OtherRun,
    Part,
    Plot,
    Spot,
    epoch_span,
    other_runs,
    own_role,
    round_above,
    run_legend,
    step_span,
)
from sixdim.tui.screen.panels.charts.series_lines import (
    drawn_count,
    lines_of,
    places_of,
    raw_points,
    reached,
    smooth_points,
    usable,
)
from sixdim.tui.screen.widgets.cells import Span
from sixdim.tui.screen.widgets.chart import Chart, Series
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.text import shorten
from sixdim.tui.screen.widgets.view import View, XAxis
from sixdim.tui.session.live.feed import Frame

LINES = (Role.SERIES, Role.SECOND, Role.PROJECTION, Role.THRESHOLD)
"""Roles of the lines of a chart, in the order of its series."""


def value_text(value: float, unit: str = "") -> str:
    """Returns a value with four significant digits, and its unit."""
    if not math.isfinite(value):
        return str(value)
    text = f"{value:,.1f}" if 1000 <= abs(value) < 1e7 else f"{value:.4g}"
    return f"{text} {unit}".rstrip()


def span_of(axis: XAxis, snapshot: Snapshot, views: Sequence[SeriesView]) -> tuple[float, float]:
    """Returns the horizontal axis: up to a round number, or to the planned end if nearer."""
    known = (place for view in views if not math.isnan(place := reached(axis, view)))
    end = max(known, default=1.0)
    if axis is XAxis.STEP:
        return step_span(snapshot, end)
    if axis in (XAxis.TIME, XAxis.LINE):
        return 0.0, round_above(end)
    low, high = epoch_span(snapshot)
    planned = high + 1 if snapshot.progress.epochs_planned else math.inf
    return low, max(end, min(planned, low + round_above(end - low)))


class SeriesPlot(Plot):
    """A chart of some series.

    Args:
        names: Of the series, the first of them the one that a cursor inspects.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)

    def views(self, frame: Frame) -> list[SeriesView]:
        """Returns those of the series that the run has."""
        known = {view.name: view for view in frame.snapshot.series}
        return [known[name] for name in self.names if name in known]

    def points(self, frame: Frame) -> str:
        """See `Plot.points`."""
        return ", ".join(self.names)

    def title(self, frame: Frame) -> str:
        """Returns the names, with the unit that they share."""
        views = self.views(frame)
        units = {view.unit for view in views}
        unit = units.pop() if len(units) == 1 else ""
        names = ", ".join(view.name for view in views) or ", ".join(self.names)
        return ", ".join(filter(None, (names[:1].upper() + names[1:], unit)))

    def facts(self, frame: Frame) -> object:
        """See `Plot.facts`."""
        return (*((view.name, view.version) for view in self.views(frame)), self.drawn(frame))

    def drawn(self, frame: Frame) -> object:
        """Returns the number of buckets that are drawn, which rarely changes for a long series."""
        views = self.views(frame)
        others = [
            (run.role, view.name, view.shape, drawn_count(view))
            for run in self._beside(frame)
            for view in run.snapshot.series
            if view.name in self.names
        ]
        own = [(view.name, view.shape, drawn_count(view)) for view in views]
        return frame.selected, own, others, self._span(frame)

    def _span(self, frame: Frame) -> tuple[tuple[float, float], ...]:
        """Returns the axes on which the series have places."""
        views = self.views(frame)
        known = [axis for axis in XAxis if usable(axis, views) is axis]
        return tuple(span_of(axis, frame.snapshot, views) for axis in known)

    def chart(self, frame: Frame, view: View) -> Chart:
        """See `Plot.chart`."""
        views = self.views(frame)
        axis = usable(view.axis, views)
        roles = [self._role(frame, number) for number in range(len(views))]
        span = span_of(axis, frame.snapshot, views)
        drawn = [
            lines_of(axis, one, role, view.smooth) for one, role in zip(views, roles, strict=True)
        ]
        lines = tuple(line for pair in reversed(drawn) for line in pair)
        behind = self._behind(frame, axis, span, view.smooth) if lines else ()
        return Chart((*behind, *(lines or (Series(()),))), span)

    def _role(self, frame: Frame, number: int) -> Role:
        """Returns the role of a line; among several runs, its colour identifies the run."""
        return LINES[number % len(LINES)] if number else own_role(frame, LINES[0])

    def _beside(self, frame: Frame) -> list[OtherRun]:
        """Returns the other runs that have one of the series; of several series, all are dim."""
        names = {view.name for view in self.views(frame)}
        several = len(names) > 1
        return [
            run._replace(role=Role.OTHER) if several else run
            for run in other_runs(frame)
            if any(view.name in names for view in run.snapshot.series)
        ]

    def _behind(
        self, frame: Frame, axis: XAxis, span: tuple[float, float], smooth: bool
    ) -> Iterator[Series]:
        """Yields the series of other runs; of a reference run, up to the end of the axis."""
        units = {view.name: view.unit for view in self.views(frame)}
        points = smooth_points if smooth else raw_points
        for run in self._beside(frame):
            end = span[1] if run.curves is not None and axis is not XAxis.EPOCH else math.inf
            for view in run.snapshot.series:
                if units.get(view.name) == view.unit:
                    drawn = ((x, y) for x, y in points(axis, view) if x <= end)
                    yield Series(tuple(drawn), run.role)

    def legend(self, frame: Frame, view: View) -> list[Part]:
        """Returns each series with its newest value, then the other runs."""
        parts: list[Part] = []
        views = self.views(frame)
        for number, one in enumerate(views):
            name = f"{shorten(one.name, 24)} " if len(views) > 1 else ""
            text = value_text(one.latest, one.unit)
            parts.append(Span(f"⠤ {name}{text}", self._role(frame, number)))
        if views:
            own = RunCurves(frame.snapshot)
            parts += run_legend(
                frame, self._beside(frame), lambda other: series_gap(own, views[0], other)
            )
        return parts

    def axis(self, frame: Frame, view: View) -> str:
        """Returns the name of the axis: epochs, steps, minutes, or lines of the log."""
        views = self.views(frame)
        return f"over {usable(view.axis, views)}" if views else ""

    def inspected(self, frame: Frame, view: View, x: float) -> Spot:
        """Returns the values of all series at a place of the first; a device's has no line."""
        views = self.views(frame)
        axis = usable(view.axis, views)
        found = [
            f"{one.name} {value_text(one.lasts[here], one.unit)}"
            for one in views
            if (here := _bucket_at(axis, one, x)) >= 0
        ]
        text = f"{axis} {x:.6g}: {', '.join(found)}"
        if not views or (here := _bucket_at(axis, views[0], x)) < 0:
            return Spot(text, lines=())
        epoch, line = views[0].epochs[here], views[0].lines[here]
        has_line = views[0].kind is not Kind.DEVICE and not math.isnan(line)
        label = None if math.isnan(epoch) else int(epoch)
        return Spot(text, label, (int(line),) if has_line else ())


def _bucket_at(axis: XAxis, view: SeriesView, x: float) -> int:
    """Returns the number of the first bucket at or after a place, else of the last; -1: none."""
    places = places_of(axis, view)
    return min(bisect_left(places, x), len(places) - 1)


def losses(frame: Frame) -> tuple[str, ...]:
    """Returns the names of the training loss and the validation loss, if there are any."""
    found = [view.name for view in frame.snapshot.series if view.kind is Kind.LOSS]
    chosen = [name for name in ("loss", "val loss") if name in found]
    others = [name for name in found if name not in chosen]
    return tuple(chosen if "loss" in chosen else [*others[:1], *chosen])
