"""The two charts: throughput per epoch, and accuracy on its way to the threshold."""

from __future__ import annotations

from typing import TypeAlias

from sixdim.metrics.card.snapshot import Snapshot
from sixdim.metrics.fold.windows import MOST
from sixdim.metrics.values.card import Status
from sixdim.metrics.values.points import EpochPoint, EvaluationPoint
from sixdim.tui.base import figures
from sixdim.tui.screen.panels.chart_panel import ChartPanel
from sixdim.tui.screen.panels.words import epoch_labels, fact, metric_unit, target_text
from sixdim.tui.screen.widgets.cells import Span
from sixdim.tui.screen.widgets.chart import Chart, Series
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.session.feed import Frame

Points: TypeAlias = tuple[tuple[float, float | None], ...]
Others: TypeAlias = tuple[Snapshot, ...]


def epoch_span(snapshot: Snapshot) -> tuple[float, float]:
    """The x axis: all epochs that are planned, or windows there can be; so it need not move."""
    if snapshot.windows:
        return 0.0, float(MOST - 1)
    labels = [point.label for point in snapshot.epochs]
    first = min(labels, default=0)
    planned = snapshot.progress.epochs_planned
    return float(first), float(first + planned - 1 if planned else first + 9)


def window(snapshot: Snapshot) -> list[int]:
    """Epoch labels of the speed window, those it still waits for included."""
    labels = [row.label for row in snapshot.speed]
    return labels or epoch_labels(snapshot.card.dimensions["speed"].details, "window")


def minutes(snapshot: Snapshot) -> dict[int, float]:
    """Minutes of training at the end of each finished epoch, as far as their times are known."""
    clock: dict[int, float] = {}
    now = 0.0
    for point in snapshot.epochs:
        if not point.complete or point.duration is None:
            break
        now += point.duration / 60
        clock[point.label] = now
    return clock


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


def evaluation_points(snapshot: Snapshot, by_time: bool = False) -> Points:
    """Evaluations over their epoch, else their step, else their number; or over time."""
    if by_time:
        clock = minutes(snapshot)
        return tuple(
            (clock[e.epoch], e.value)
            for e in snapshot.evaluations
            if e.epoch is not None and e.epoch in clock
        )
    by_epoch = all(e.epoch is not None for e in snapshot.evaluations)
    by_step = all(e.step is not None for e in snapshot.evaluations)
    return tuple(
        (float((e.epoch if by_epoch else e.step if by_step else n) or 0), e.value)
        for n, e in enumerate(snapshot.evaluations)
    )


def ahead_of(snapshot: Snapshot) -> int | None:
    """The epoch at which the median forecast meets the target, of a run that still trains."""
    return snapshot.forecast.epoch if snapshot.card.status is Status.TRAINING else None


def beyond_plan(snapshot: Snapshot) -> bool:
    """Whether the forecast meets the target only after the planned epochs."""
    ahead, planned = ahead_of(snapshot), snapshot.progress.epochs_planned
    return ahead is not None and planned is not None and ahead > epoch_span(snapshot)[1]


def _clipped(snapshot: Snapshot, x: float, value: float, goal: float) -> tuple[float, float]:
    """Where the projection ends: at the target, or at the edge of the plan."""
    ahead = float(ahead_of(snapshot) or 0)
    edge = epoch_span(snapshot)[1]
    if not beyond_plan(snapshot) or edge <= x:
        return ahead, goal
    return edge, value + (goal - value) * (edge - x) / (ahead - x)


def accuracy_chart(snapshot: Snapshot, others: Others = (), by_time: bool = False) -> Chart:
    """Evaluations, the threshold, where their trend meets it, and other runs behind."""
    points = evaluation_points(snapshot, by_time)
    by_epoch = not by_time and all(e.epoch is not None for e in snapshot.evaluations)
    span = (0.0, 1.0) if by_time or not points else (points[0][0], points[0][0] + 1)
    return Chart(
        (
            *(Series(evaluation_points(other, by_time), Role.OTHER) for other in others),
            Series(points, Role.SECOND),
        ),
        epoch_span(snapshot) if by_epoch else span,
        threshold=snapshot.target_value,
        projection=None if by_time else _projection(snapshot, points),
    )


def _projection(
    snapshot: Snapshot, points: Points
) -> tuple[tuple[float, float], tuple[float, float]] | None:
    ahead, goal = ahead_of(snapshot), snapshot.target_value
    if not points or ahead is None or goal is None or ahead <= points[-1][0]:
        return None
    x, value = points[-1]
    return None if value is None else ((x, value), _clipped(snapshot, x, value, goal))


def others(frame: Frame) -> Others:
    """The runs that are watched beside this one."""
    return tuple(row.snapshot for n, row in enumerate(frame.runs) if n != frame.selected)


def gap_text(snapshot: Snapshot) -> str:
    """How far the last evaluation is from the threshold, or that it is met."""
    goal = snapshot.target_value
    if goal is None or not snapshot.evaluations:
        return ""
    met = fact(snapshot.card.target, "epoch")
    if snapshot.card.frozen:
        return f"target met at epoch {met}" if met else "target met"
    missing = goal - snapshot.evaluations[-1].value
    if not snapshot.higher_is_better:
        missing = -missing
    return f"gap {figures.metric(missing, metric_unit(snapshot))}" if missing > 0 else "at target"


class ThroughputPanel(ChartPanel):
    """Throughput per epoch."""

    NAME = "Throughput"
    NOTHING = "no finished epoch yet"

    def title(self, frame: Frame) -> str:
        """With the unit of its values."""
        shown = frame.snapshot
        unit = shown.unit or fact(shown.card.run, "unit") or "samples/s"
        per = "epoch"
        if windows := frame.snapshot.windows:
            per = f"{windows[0].iterations} lines" if windows[0].iterations > 1 else "line"
        return f"Throughput, {unit} per {per}"

    def facts(self, frame: Frame) -> object:
        """Finished epochs, window and the length of the axis."""
        s = frame.snapshot
        beside = [_finished(other) for other in others(frame)]
        return (_finished(s), window(s), epoch_span(s), self.title(frame), beside)

    def chart(self, frame: Frame) -> Chart:
        """See `throughput_chart`."""
        return throughput_chart(frame.snapshot, others(frame), self.view.by_time)

    def legend(self, frame: Frame) -> list[Span]:
        """Last epoch, window, and whether sixdim had to derive the figures."""
        done = [p for p in _finished(frame.snapshot) if p.throughput is not None]
        last = done[-1]
        shown = figures.throughput(last.throughput)
        parts = [Span(f"⠤ {shown} in {frame.snapshot.stretch} {last.label}", Role.SERIES)]
        if marked := window(frame.snapshot):
            parts.append(Span(f"━ window {figures.labels(marked)}", Role.SERIES, True))
        if any(point.derived for point in done):
            parts.append(Span("derived by sixdim", Role.WARN))
        if frame.runs:
            parts.append(Span("⠤ other runs", Role.OTHER))
        return parts

    def inspected(self, frame: Frame, x: float) -> str:
        """An epoch's throughput and time."""
        label = self.epoch_at(frame, x)
        point = next((p for p in frame.snapshot.stretches if p.label == label), None)
        if point is None:
            return "no such epoch any more"
        took = "" if point.duration is None else f", {figures.duration(point.duration)}"
        return (
            f"{frame.snapshot.stretch} {point.label}: {figures.throughput(point.throughput)}{took}"
        )

    def epoch_at(self, frame: Frame, x: float) -> int | None:
        """The axis holds epoch labels, or the times at which they end."""
        if not self.view.by_time:
            return int(x)
        return next((label for label, at in minutes(frame.snapshot).items() if at == x), None)


class AccuracyPanel(ChartPanel):
    """The judged metric."""

    NAME = "Accuracy"
    NOTHING = "no evaluation yet"

    def title(self, frame: Frame) -> str:
        """With the metric's name and unit."""
        parts = (frame.snapshot.metric, metric_unit(frame.snapshot))
        return ", ".join(filter(None, ("Accuracy", " ".join(filter(None, parts)))))

    def facts(self, frame: Frame) -> object:
        """Evaluations, target, trend."""
        s = frame.snapshot
        target = (s.target_value, target_text(s), s.card.status)
        beside = [other.evaluations for other in others(frame)]
        return (s.evaluations, target, s.forecast, epoch_span(s), self.title(frame), beside)

    def chart(self, frame: Frame) -> Chart:
        """See `accuracy_chart`."""
        return accuracy_chart(frame.snapshot, others(frame), self.view.by_time)

    def legend(self, frame: Frame) -> list[Span]:
        """Last value, target, gap, projection."""
        snapshot = frame.snapshot
        unit = metric_unit(snapshot)
        value = figures.metric(snapshot.evaluations[-1].value, unit)
        parts = [Span(f"⠤ {value}", Role.SECOND)]
        if snapshot.target_value is not None:
            parts.append(Span(f"╌ {target_text(snapshot)}", Role.THRESHOLD))
            frozen = snapshot.card.frozen
            parts.append(Span(gap_text(snapshot), Role.GOOD if frozen else Role.TEXT))
        if (ahead := ahead_of(snapshot)) is not None:
            late = ", beyond the plan" if beyond_plan(snapshot) else ""
            near = f"⠂ near epoch {ahead}{late}"
            parts.append(Span(near, Role.PROJECTION))
        elif snapshot.target_value is not None and snapshot.card.status is Status.TRAINING:
            parts.append(Span(f"no forecast: {snapshot.forecast.reason}", Role.DIM))
        return parts

    def inspected(self, frame: Frame, x: float) -> str:
        """An evaluation and its line."""
        found = self._evaluation(frame, x)
        if found is None:
            return "no such evaluation any more"
        value = figures.metric(found.value, metric_unit(frame.snapshot))
        step = "" if found.step is None else f"step {found.step}"
        where = step if found.epoch is None else f"epoch {found.epoch}"
        return f"{where}: {value}, line {found.line}"

    def epoch_at(self, frame: Frame, x: float) -> int | None:
        """The epoch of the evaluation there."""
        found = self._evaluation(frame, x)
        return found.epoch if found is not None else None

    def _evaluation(self, frame: Frame, x: float) -> EvaluationPoint | None:
        shot = frame.snapshot
        if self.view.by_time:
            clock = minutes(shot)
            return next((e for e in shot.evaluations if clock.get(e.epoch or 0) == x), None)
        pairs = zip(evaluation_points(shot), shot.evaluations, strict=True)
        return next((evaluation for (at, _), evaluation in pairs if at == x), None)
