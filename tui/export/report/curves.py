"""Draws further curves of a run as charts: figures of its epochs, or of its windows of steps."""

import math
from collections.abc import Iterator, Sequence

from sixdim.metrics.card.snapshot import Snapshot
from sixdim.metrics.values.series import Kind, SeriesView
from sixdim.tui.export.report.chart import Chart, Curve, Points
from sixdim.tui.export.report.svg import COLOURS

_MOST_CHARTS = 6
"""Most charts of further series."""
_ALREADY = (Kind.ACCURACY, Kind.RATE, Kind.DEVICE, Kind.OTHER)
"""Kinds that have charts of their own, or mean nothing without the log."""
_MOST_DEVICES = 16
"""Most curves in a chart."""


def curve_charts(snapshot: Snapshot) -> Iterator[Chart]:
    """Yields a chart for each further curve that has two points or more."""
    points = snapshot.points
    by_step = bool(snapshot.windows) and all(one.step is not None for one in points)
    x_title = "step" if by_step else snapshot.point_kind
    places = [(one.step if by_step else one.label) or 0 for one in points]
    loss = _points(places, [one.loss for one in points])
    series = [*_of_series(snapshot.series)]
    if loss and not (snapshot.windows and any(one.title == "Loss" for one in series)):
        series = [one for one in series if one.title != "Loss"]
        evaluated = _evaluated_loss(snapshot, x_title)
        more = (Curve(f"evaluated {snapshot.metric}", evaluated),) if evaluated else ()
        yield Chart("Loss", loss, "training loss", more, x_title=x_title, decimals=4)
    seconds = _points(places, [one.duration for one in points])
    if seconds:
        title = f"Seconds per {snapshot.point_kind}"
        yield Chart(title, seconds, x_title=x_title, decimals=1)
    yield from series[:_MOST_CHARTS]


def _of_series(series: Sequence[SeriesView]) -> Iterator[Chart]:
    """Yields one chart of all losses, and one for each further series of the log."""
    groups: dict[str, list[SeriesView]] = {}
    for one in series:
        if one.kind is Kind.LOSS:
            groups.setdefault("Loss", []).append(one)
        elif one.kind not in _ALREADY:
            groups.setdefault(one.name, []).append(one)
    for title, group in groups.items():
        group = group[:COLOURS]
        by_epoch = all(math.isfinite(x) for one in group for x in one.epochs)
        curves = [Curve(one.name, _means(one, by_epoch)) for one in group]
        first, *more = [curve for curve in curves if len(curve.points) > 1] or [Curve("", ())]
        if first.points:
            unit = f", {group[0].unit}" if group[0].unit else ""
            x_title = "epoch" if by_epoch else "step"
            yield Chart(
                f"{title}{unit}", first.points, first.name, tuple(more), x_title, decimals=4
            )


def device_charts(snapshot: Snapshot) -> Iterator[tuple[Chart, str]]:
    """Yields a chart for each figure of the devices, with its caption."""
    groups: dict[str, list[SeriesView]] = {}
    for one in snapshot.series:
        if one.kind is Kind.DEVICE and sum(map(math.isfinite, one.means)) > 1:
            groups.setdefault(one.name.rpartition(" ")[2], []).append(one)
    for figure, group in groups.items():
        first, *more = (
            Curve(one.name.rpartition(" ")[0], _over_time(one)[1]) for one in group[:_MOST_DEVICES]
        )
        title = f"{figure.capitalize()} of each GPU, {group[0].unit}"
        x_title = _over_time(group[0])[0]
        caption = ""
        if len(group) > _MOST_DEVICES:
            caption = f"The first {_MOST_DEVICES} of {len(group)} GPUs."
        chart = Chart(title, first.points, first.name, tuple(more), x_title, decimals=1)
        yield chart, caption


def _over_time(series: SeriesView) -> tuple[str, Points]:
    """Returns the readings of a device over epochs if known, else minutes, else numbered."""
    minutes = [second / 60 for second in series.seconds]
    axes = (("epoch", series.epochs), ("minute", minutes), ("reading", series.steps))
    for x_title, places in axes:
        if all(map(math.isfinite, places)):
            return x_title, tuple(zip(places, series.means, strict=True))
    return "", ()


def _means(series: SeriesView, by_epoch: bool) -> Points:
    """Returns the mean of each bucket whose place is known."""
    places = series.epochs if by_epoch else series.steps
    return tuple((x, y) for x, y in zip(places, series.means, strict=True) if math.isfinite(x))


def _evaluated_loss(snapshot: Snapshot, x_title: str) -> Points:
    """Returns the evaluations, if they are of a loss and have the same axis."""
    found = snapshot.evaluations
    places = [one.step if x_title == "step" else one.epoch for one in found]
    known = [place for place in places if place is not None]
    if "loss" not in snapshot.metric or x_title == "window" or len(known) < len(places):
        return ()
    return _points(known, [one.value for one in found])


def _points(places: Sequence[int], values: Sequence[float | None]) -> Points:
    """Returns the points in the order of their places; none if fewer than two have a value."""
    points = [(float(x), math.nan if y is None else y) for x, y in zip(places, values, strict=True)]
    known = sum(math.isfinite(y) for _, y in points)
    return tuple(sorted(points, key=lambda point: point[0])) if known > 1 else ()
