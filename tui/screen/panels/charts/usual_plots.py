"""The plots that the charts show by default: they depend on the data that a run has."""

from collections.abc import Collection

from sixdim.metrics.values.series import Kind
from sixdim.tui.screen.panels.charts.accuracy_plot import AccuracyPlot
from sixdim.tui.screen.panels.charts.plot import Plot
from sixdim.tui.screen.panels.charts.series_plot import SeriesPlot, losses
from sixdim.tui.screen.panels.charts.throughput_plot import ThroughputPlot
from sixdim.tui.session.live.feed import Frame

_BESIDE = (Kind.LEARNING_RATE, Kind.GRADIENT, Kind.UTILISATION, Kind.MEMORY, Kind.TIME, Kind.OTHER)
"""The kinds of series that replace a throughput, and that the third chart shows, in order."""


def first_plot(frame: Frame) -> Plot:
    """Returns the throughput, of epochs or of lines; if there is none, another series."""
    shot = frame.snapshot
    finished = any(point.complete and point.throughput is not None for point in shot.points)
    counted = shot.progress.epoch is None
    rates = [view.name for view in shot.series if view.kind is Kind.RATE]
    if finished and not (counted and "throughput" in rates):
        return ThroughputPlot()
    chosen = ["throughput"] if "throughput" in rates else rates[:1] or _next(frame, losses(frame))
    return SeriesPlot(chosen) if chosen else ThroughputPlot()


def second_plot(frame: Frame) -> Plot:
    """Returns the accuracy; for a language model, and before the first evaluation, the losses."""
    shot = frame.snapshot
    names = losses(frame)
    counted = shot.progress.epoch is None and shot.progress.step is not None
    unjudged = not shot.evaluations or (counted and shot.target_value is None)
    return SeriesPlot(names) if names and unjudged else AccuracyPlot()


def third_plot(frame: Frame) -> Plot:
    """Returns what the other two do not show: the loss, else the learning rate, and so on."""
    chosen = [
        plot for plot in (first_plot(frame), second_plot(frame)) if isinstance(plot, SeriesPlot)
    ]
    seen = {name for plot in chosen for name in plot.names}
    names = losses(frame)
    if not names or set(names) & seen:
        names = _next(frame, seen)
    return SeriesPlot(names or ("loss",))


def why_no_readings(frame: Frame) -> str:
    """Returns why there are no readings of devices, in whose place the third chart is."""
    return "" if frame.snapshot.readings else frame.snapshot.telemetry_note


def _next(frame: Frame, seen: Collection[str]) -> tuple[str, ...]:
    """Returns the first series that is not displayed yet."""
    every = [view for view in frame.snapshot.series if view.name not in seen]
    found = (view.name for kind in _BESIDE for view in every if view.kind is kind)
    return tuple(name for name in found)[:1]
