"""Throughput per epoch, with the speed window."""

from __future__ import annotations

from sixdim.metrics.card.snapshot import Snapshot
from sixdim.metrics.values.points import EpochPoint
from sixdim.tui.base import figures
from sixdim.tui.screen.panels.plot import Others, Points, epoch_span, minutes, others, window
from sixdim.tui.screen.panels.words import fact
from sixdim.tui.screen.widgets.cells import Span
from sixdim.tui.screen.widgets.chart import Chart, Series
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.view import View
from sixdim.tui.session.feed import Frame


def _finished(snapshot: Snapshot) -> list[EpochPoint]:
    """What has a throughput; the epoch that is being trained changes with every line."""
    return [point for point in snapshot.points if point.complete]


def throughput_points(snapshot: Snapshot, by_time: bool = False) -> Points:
    """Throughput over the label, or the end, of the finished epochs."""
    done = _finished(snapshot)
    if not by_time:
        return tuple((float(point.label), point.throughput) for point in done)
    clock = minutes(snapshot)
    return tuple((clock[p.label], p.throughput) for p in done if p.label in clock)


def throughput_chart(snapshot: Snapshot, others: Others = (), by_time: bool = False) -> Chart:
    """Throughput of the finished epochs, the speed window as a band, other runs behind."""
    clock = minutes(snapshot) if by_time else {}
    marked = window(snapshot)
    places = [clock.get(x) if by_time else float(x) for x in marked]
    known = [x for x in places if x is not None]
    return Chart(
        (
            *(Series(throughput_points(other, by_time), Role.OTHER) for other in others),
            Series(throughput_points(snapshot, by_time), Role.SERIES),
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
        beside = [_finished(other) for other in others(frame)]
        return (_finished(s), window(s), epoch_span(s), self.title(frame), beside)

    def chart(self, frame: Frame, view: View) -> Chart:
        """See `throughput_chart`."""
        return throughput_chart(frame.snapshot, others(frame), view.by_time)

    def legend(self, frame: Frame, view: View) -> list[Span]:
        """Last epoch, window, and whether sixdim had to derive the figures."""
        done = [p for p in _finished(frame.snapshot) if p.throughput is not None]
        last = done[-1]
        shown = figures.throughput(last.throughput)
        parts = [Span(f"⠤ {shown} in {frame.snapshot.point_kind} {last.label}", Role.SERIES)]
        if marked := window(frame.snapshot):
            parts.append(Span(f"━ window {figures.labels(marked)}", Role.SERIES, True))
        if any(point.derived for point in done):
            parts.append(Span("derived by sixdim", Role.WARN))
        if frame.runs:
            parts.append(Span("⠤ other runs", Role.OTHER))
        return parts

    def inspected(self, frame: Frame, view: View, x: float) -> str:
        """An epoch's throughput and time."""
        label = self.epoch_at(frame, view, x)
        point = next((p for p in frame.snapshot.points if p.label == label), None)
        if point is None:
            return "no such epoch any more"
        took = "" if point.duration is None else f", {figures.duration(point.duration)}"
        rate = figures.throughput(point.throughput)
        return f"{frame.snapshot.point_kind} {point.label}: {rate}{took}"

    def epoch_at(self, frame: Frame, view: View, x: float) -> int | None:
        """The axis holds epoch labels, or the times at which they end."""
        if not view.by_time:
            return int(x)
        return next((label for label, at in minutes(frame.snapshot).items() if at == x), None)
