"""Further curves of a run, each as a chart: what its epochs, or the windows of its steps, print."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from sixdim.metrics.card.snapshot import Snapshot
from sixdim.tui.export.report.chart import Chart, Curve, Points


def curve_charts(snapshot: Snapshot) -> Iterator[Chart]:
    """A chart for each further curve that has two points or more."""
    stretches = snapshot.stretches
    by_step = bool(snapshot.windows) and all(one.step is not None for one in stretches)
    x_title = "step" if by_step else snapshot.stretch
    places = [(one.step if by_step else one.label) or 0 for one in stretches]
    loss = _points(places, [one.loss for one in stretches])
    if loss:
        evaluated = _evaluated_loss(snapshot, x_title)
        more = (Curve(f"evaluated {snapshot.metric}", evaluated),) if evaluated else ()
        yield Chart("Loss", loss, "training loss", more, x_title=x_title, decimals=4)
    seconds = _points(places, [one.duration for one in stretches])
    if seconds:
        title = f"Seconds per {snapshot.stretch}"
        yield Chart(title, seconds, x_title=x_title, decimals=1)


def _evaluated_loss(snapshot: Snapshot, x_title: str) -> Points:
    """The evaluations, where they are of a loss and lie on the same axis."""
    found = snapshot.evaluations
    places = [one.step if x_title == "step" else one.epoch for one in found]
    known = [place for place in places if place is not None]
    if "loss" not in snapshot.metric or x_title == "window" or len(known) < len(places):
        return ()
    return _points(known, [one.value for one in found])


def _points(places: Sequence[int], values: Sequence[float | None]) -> Points:
    """The points in the order of their places; none where fewer than two have a value."""
    points = [(float(x), math.nan if y is None else y) for x, y in zip(places, values, strict=True)]
    known = sum(math.isfinite(y) for _, y in points)
    return tuple(sorted(points, key=lambda point: point[0])) if known > 1 else ()
