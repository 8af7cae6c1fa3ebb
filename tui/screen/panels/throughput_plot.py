"""Throughput per epoch, with the speed window."""

from __future__ import annotations

from sixdim.metrics.card.curves import RunCurves
from sixdim.metrics.card.snapshot import Snapshot
from sixdim.metrics.values.points import EpochPoint
from sixdim.tui.base import figures
from sixdim.tui.base.gaps import epoch_gap
from sixdim.tui.screen.panels.plot import (
    Beside,
    Part,
    Points,
    beside,
    epoch_span,
    minutes,
    named,
    own_role,
    window,
)
from sixdim.tui.screen.panels.words import fact
from sixdim.tui.screen.widgets.cells import Span
from sixdim.tui.screen.widgets.chart import Chart, Series
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.view import View
from sixdim.tui.session.feed import Frame


def _finished(snapshot: Snapshot) -> list[EpochPoint]:
    """What has a throughput; the epoch that is being trained changes with every line."""
    return [point for point in snapshot.stretches if point.complete]


def throughput_points(snapshot: Snapshot, by_time: bool = False) -> Points:
    """Throughput over the label, or the end, of the finished epochs."""
    done = _finished(snapshot)
    if not by_time:
        return tuple((float(point.label), point.throughput) for point in done)
    clock = minutes(snapshot)
    return tuple((clock[p.label], p.throughput) for p in done if p.label in clock)


def _alike(frame: Frame) -> tuple[Beside, ...]:
    """The other runs with epochs; a window of one run is not that of another."""
    if frame.snapshot.windows:
        return ()
    return tuple(run for run in beside(frame) if not run.snapshot.windows)


def throughput_chart(frame: Frame, by_time: bool = False) -> Chart:
    """Throughput of the finished epochs, the speed window as a band, other runs behind."""
    snapshot = frame.snapshot
    clock = minutes(snapshot) if by_time else {}
    marked = window(snapshot)
    places = [clock.get(x) if by_time else float(x) for x in marked]
    known = [x for x in places if x is not None]
    return Chart(
        (
            *(Series(throughput_points(o.snapshot, by_time), o.role) for o in _alike(frame)),
            Series(throughput_points(snapshot, by_time), own_role(frame, Role.SERIES)),
        ),
        (0.0, 1.0) if by_time else epoch_span(snapshot),
        band=(min(known), max(known)) if len(known) == len(places) and known else None,
    )


class ThroughputPlot:
    """Throughput per epoch."""

    def nothing(self, frame: Frame) -> str:
        """See `Plot.nothing`."""
        return "no finished epoch yet"

    def title(self, frame: Frame) -> str:
        """With the unit of its values."""
        shown = frame.snapshot
        unit = shown.unit or fact(shown.card.run, "unit") or "samples/s"
        per = "epoch"
        if windows := frame.snapshot.windows:
            per = f"{windows[0].iterations} lines" if windows[0].iterations > 1 else "line"
        return f"Throughput, {unit} per {per}"

    def drawn(self, frame: Frame) -> object:
        """See `Plot.drawn`."""
        return self.facts(frame)

    def facts(self, frame: Frame) -> object:
        """Finished epochs, window and the length of the axis."""
        s = frame.snapshot
        others = [(run.role, _finished(run.snapshot)) for run in beside(frame)]
        return (_finished(s), window(s), epoch_span(s), self.title(frame), others)

    def chart(self, frame: Frame, view: View) -> Chart:
        """See `throughput_chart`."""
        return throughput_chart(frame, view.by_time)

    def legend(self, frame: Frame, view: View) -> list[Part]:
        """Last epoch, other runs, window, and whether sixdim had to derive the figures."""
        done = [p for p in _finished(frame.snapshot) if p.throughput is not None]
        last = done[-1]
        shown = figures.throughput(last.throughput)
        own, role = RunCurves(frame.snapshot), own_role(frame, Role.SERIES)
        parts: list[Part] = [Span(f"⠤ {shown} in {frame.snapshot.stretch} {last.label}", role)]
        parts += named(frame, _alike(frame), lambda other: epoch_gap(own, last, other))
        if marked := window(frame.snapshot):
            parts.append(Span(f"━ window {figures.labels(marked)}", Role.SERIES, True))
        if any(point.derived for point in done):
            parts.append(Span("derived by sixdim", Role.WARN))
        return parts

    def axis(self, frame: Frame, view: View) -> str:
        """Minutes of training; epochs and windows are in the title."""
        return "over minutes of training" if view.by_time else ""

    def inspected(self, frame: Frame, view: View, x: float) -> str:
        """An epoch's throughput and time."""
        label = self.epoch_at(frame, view, x)
        point = next((p for p in frame.snapshot.stretches if p.label == label), None)
        if point is None:
            return "no such epoch any more"
        took = "" if point.duration is None else f", {figures.duration(point.duration)}"
        return (
            f"{frame.snapshot.stretch} {point.label}: {figures.throughput(point.throughput)}{took}"
        )

    def epoch_at(self, frame: Frame, view: View, x: float) -> int | None:
        """The axis holds epoch labels, or the times at which they end."""
        if not view.by_time:
            return int(x)
        return next((label for label, at in minutes(frame.snapshot).items() if at == x), None)
