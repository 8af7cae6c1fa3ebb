"""The plot of the throughput of each epoch, with the speed window."""

import math

from sixdim.metrics.card.curves import RunCurves
from sixdim.metrics.card.snapshot import Snapshot
from sixdim.metrics.values.points import EpochPoint
from sixdim.tui.base import figures
from sixdim.tui.base.gaps import epoch_gap
from sixdim.tui.screen.panels.charts.plot import (
    Part,
    Plot,
    Points,
    Spot,
    comparable_runs,
    epoch_span,
    minutes,
    other_runs,
    own_role,
    run_legend,
    step_span,
    window,
)
from sixdim.tui.screen.panels.words import fact
from sixdim.tui.screen.widgets.cells import Span
from sixdim.tui.screen.widgets.chart import Chart, Series
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.view import View
from sixdim.tui.session.live.feed import Frame


def _finished(snapshot: Snapshot) -> list[EpochPoint]:
    """Returns the finished epochs or windows; the current one changes with every line."""
    return [point for point in snapshot.points if point.complete]


def _stepped(snapshot: Snapshot) -> bool:
    """Returns whether a run has windows that end at known steps."""
    return bool(snapshot.windows) and all(w.step is not None for w in snapshot.windows)


def places(snapshot: Snapshot, by_time: bool) -> dict[int, float]:
    """Returns the place of each epoch (its label, or its end in minutes) or window (its step)."""
    if by_time:
        return minutes(snapshot)
    if _stepped(snapshot):
        return {window.label: float(window.step or 0) for window in snapshot.windows}
    return {point.label: float(point.label) for point in snapshot.points}


def throughput_points(snapshot: Snapshot, by_time: bool) -> Points:
    """Returns the throughput of the finished epochs, or windows."""
    at = places(snapshot, by_time)
    return tuple((at[p.label], p.throughput) for p in _finished(snapshot) if p.label in at)


def _span(snapshot: Snapshot) -> tuple[float, float]:
    if _stepped(snapshot):
        return step_span(snapshot, float(snapshot.windows[-1].step or 0))
    return epoch_span(snapshot)


def _kind(snapshot: Snapshot) -> tuple[bool, bool, str]:
    """Returns whether the points are windows, whether these end at known steps, and the unit."""
    return bool(snapshot.windows), _stepped(snapshot), snapshot.unit


class ThroughputPlot(Plot):
    """The plot of the throughput of each epoch."""

    def points(self, frame: Frame) -> str:
        """See `Plot.points`."""
        whole = any(point.complete for point in frame.snapshot.epochs)
        return "throughput" if whole else "finished epoch"

    def title(self, frame: Frame) -> str:
        """Returns the title with the unit."""
        snapshot = frame.snapshot
        unit = snapshot.unit or fact(snapshot.card.run, "unit") or "samples/s"
        per = "epoch"
        if windows := frame.snapshot.windows:
            per = f"{windows[0].iterations} lines" if windows[0].iterations > 1 else "line"
        return f"Throughput, {unit} per {per}"

    def facts(self, frame: Frame) -> object:
        """Returns the finished epochs, the speed window and the axis."""
        s = frame.snapshot
        others = [(run.role, _finished(run.snapshot)) for run in other_runs(frame)]
        return (_finished(s), window(s), _span(s), self.title(frame), others)

    def chart(self, frame: Frame, view: View) -> Chart:
        """Returns the chart of finished epochs, with the speed window and other runs.

        The speed window of a run without epochs changes all the time: it is marked on the axis
        alone.
        """
        snapshot, by_time = frame.snapshot, view.by_time
        at = places(snapshot, by_time)
        marked = window(snapshot)
        known = [at[label] for label in marked if label in at]
        span = (0.0, 1.0) if by_time else _span(snapshot)
        end = span[1] if _stepped(snapshot) and not by_time else math.inf
        others = (
            Series(tuple(p for p in throughput_points(o.snapshot, by_time) if p[0] <= end), o.role)
            for o in comparable_runs(frame, _kind)
        )
        return Chart(
            (*others, Series(throughput_points(snapshot, by_time), own_role(frame, Role.SERIES))),
            span,
            band=(min(known), max(known)) if len(known) == len(marked) and known else None,
            shaded=not snapshot.windows,
        )

    def legend(self, frame: Frame, view: View) -> list[Part]:
        """Returns the last epoch, other runs, the window, and whether figures are derived."""
        done = [p for p in _finished(frame.snapshot) if p.throughput is not None]
        last = done[-1]
        text = figures.throughput(last.throughput)
        own, role = RunCurves(frame.snapshot), own_role(frame, Role.SERIES)
        parts: list[Part] = [Span(f"⠤ {text} in {frame.snapshot.point_kind} {last.label}", role)]
        says = None if frame.snapshot.windows else lambda other: epoch_gap(own, last, other)
        parts += run_legend(frame, comparable_runs(frame, _kind), says)
        if marked := window(frame.snapshot):
            parts.append(Span(f"━ window {figures.labels(marked)}", Role.SERIES, True))
        if any(point.derived for point in done):
            parts.append(Span("derived by sixdim", Role.WARN))
        return parts

    def axis(self, frame: Frame, view: View) -> str:
        """Returns the name of the axis; epochs are in the title."""
        if view.by_time:
            return "over minutes of training"
        return "over steps" if _stepped(frame.snapshot) else ""

    def inspected(self, frame: Frame, view: View, x: float) -> Spot:
        """Returns the throughput and the time of an epoch, or window."""
        every = places(frame.snapshot, view.by_time).items()
        label = next((label for label, at in every if at == x), None)
        point = next((p for p in frame.snapshot.points if p.label == label), None)
        if point is None:
            return Spot("no such epoch any more")
        took = "" if point.duration is None else f", {figures.duration(point.duration)}"
        rate = figures.throughput(point.throughput)
        return Spot(f"{frame.snapshot.point_kind} {label}: {rate}{took}", label)
