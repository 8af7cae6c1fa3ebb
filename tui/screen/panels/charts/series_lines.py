"""Converts the buckets of a series to points of a line: raw, or smoothed."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Sequence
from itertools import islice

from sixdim.metrics.values.series import SeriesView
from sixdim.tui.screen.widgets.chart import Series
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.view import XAxis

FINE = 128
"""Approximate columns of dots of a chart."""
WEIGHT = 0.9
"""The weight of the past in a smoothed line."""


def usable(axis: XAxis, views: Sequence[SeriesView]) -> XAxis:
    """Returns the wanted axis, or the first on which the series have places.

    Any value has a line of the log, but steps are preferred if any value has one.
    """
    by_step = any(not math.isnan(reached(XAxis.STEP, view)) for view in views)
    last = XAxis.STEP if by_step else XAxis.LINE
    for one in (axis, XAxis.EPOCH, XAxis.STEP, XAxis.TIME, last):
        if views and all(view.count and _has_places(one, view) for view in views):
            return one
    return XAxis.STEP


def _has_places(axis: XAxis, view: SeriesView) -> bool:
    """Returns whether the places of a series are known, and are not all the same.

    They are the same within an epoch of which the log does not say how many steps it has.
    """
    if math.isnan(last := last_place(axis, view)):
        return False
    return len(view.lows) == 1 or last != places_of(axis, view)[0]


def last_place(axis: XAxis, view: SeriesView) -> float:
    """Returns the place of the newest bucket of a series; nan if it is unknown."""
    if not view.lows:
        return math.nan
    return view.seconds[-1] / 60 if axis is XAxis.TIME else places_of(axis, view)[-1]


def reached(axis: XAxis, view: SeriesView) -> float:
    """Returns the farthest known place of a series, also if the newest is unknown; nan for none."""
    last = last_place(axis, view)
    if not math.isnan(last):
        return last
    return max((place for place in places_of(axis, view) if not math.isnan(place)), default=last)


def places_of(axis: XAxis, view: SeriesView) -> array[float]:
    """Returns the places of the buckets of a series."""
    if axis is XAxis.TIME:
        return array("d", [second / 60 for second in view.seconds])
    places: array[float] = getattr(view, axis)  # the axis has the name of its field
    return places


def drawn_count(view: SeriesView) -> int:
    """Returns how many buckets are drawn: a chart changes by whole columns of dots."""
    count = len(view.lows)
    return count - count % (1 + count // FINE)


def raw_points(axis: XAxis, view: SeriesView) -> Iterator[tuple[float, float]]:
    """Yields least, greatest and last value of each bucket."""
    rows = zip(places_of(axis, view), view.lows, view.highs, view.lasts, strict=True)
    for x, low, high, last in islice(rows, drawn_count(view)):
        if not math.isnan(x):
            if low != high:
                yield x, low
                yield x, high
            yield x, last


def smooth_points(axis: XAxis, view: SeriesView) -> Iterator[tuple[float, float]]:
    """Yields the exponential moving average of the buckets' means, corrected for its start."""
    total = weight = 0.0
    rows = zip(places_of(axis, view), view.means, strict=True)
    for x, mean in islice(rows, drawn_count(view)):
        if not math.isnan(x) and not math.isnan(mean):
            total = WEIGHT * total + (1 - WEIGHT) * mean
            weight = WEIGHT * weight + 1 - WEIGHT
            yield x, total / weight


def lines_of(axis: XAxis, view: SeriesView, role: Role, smooth: bool) -> tuple[Series, ...]:
    """Returns the lines of one series."""
    raw = tuple(raw_points(axis, view))
    if not smooth or len(raw) < 3:
        return (Series(raw, role),)
    return Series(raw, Role.OTHER), Series(tuple(smooth_points(axis, view)), role)
