"""The plot of the accuracy, with the target."""

from sixdim.metrics.card.curves import RunCurves
from sixdim.metrics.card.snapshot import Snapshot
from sixdim.metrics.values.card import Status
from sixdim.metrics.values.points import EvaluationPoint
from sixdim.tui.base import figures
from sixdim.tui.base.gaps import evaluation_gap
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
)
from sixdim.tui.screen.panels.words import fact, metric_unit, target_text
from sixdim.tui.screen.widgets.cells import Span
from sixdim.tui.screen.widgets.chart import Chart, Series
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.view import View
from sixdim.tui.session.live.feed import Frame


def placed(snapshot: Snapshot, by_time: bool) -> list[tuple[float, EvaluationPoint]]:
    """Returns evaluations with their epoch, else their step, else their number; or their time."""
    if not by_time:
        return snapshot.placed()
    clock = minutes(snapshot)
    return [(clock[e.epoch], e) for e in snapshot.evaluations if e.epoch in clock]


def evaluation_points(snapshot: Snapshot, by_time: bool) -> Points:
    """Returns the points of the line of a run."""
    return tuple((x, evaluation.value) for x, evaluation in placed(snapshot, by_time))


def ahead_of(snapshot: Snapshot) -> int | None:
    """Returns the epoch of the median forecast of the target, if the run is still training."""
    return snapshot.forecast.epoch if snapshot.card.status is Status.TRAINING else None


def beyond_plan(snapshot: Snapshot) -> bool:
    """Returns whether the forecast meets the target only after the planned epochs."""
    ahead, planned = ahead_of(snapshot), snapshot.progress.epochs_planned
    return ahead is not None and planned is not None and ahead > epoch_span(snapshot)[1]


def _clipped(snapshot: Snapshot, x: float, value: float, goal: float) -> tuple[float, float]:
    """Returns the end of the projection: at the target, or at the last planned epoch."""
    ahead = float(ahead_of(snapshot) or 0)
    edge = epoch_span(snapshot)[1]
    if not beyond_plan(snapshot) or edge <= x:
        return ahead, goal
    return edge, value + (goal - value) * (edge - x) / (ahead - x)


def _kind(snapshot: Snapshot) -> tuple[str, str, str]:
    """Returns metric, unit and axis of the evaluations."""
    return snapshot.metric, metric_unit(snapshot), snapshot.evaluated_by


def _projection(
    snapshot: Snapshot, points: Points
) -> tuple[tuple[float, float], tuple[float, float]] | None:
    ahead, goal = ahead_of(snapshot), snapshot.target_value
    if not points or ahead is None or goal is None or ahead <= points[-1][0]:
        return None
    x, value = points[-1]
    return None if value is None else ((x, value), _clipped(snapshot, x, value, goal))


def gap_text(snapshot: Snapshot) -> str:
    """Returns the distance of the last evaluation from the threshold, in words."""
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


class AccuracyPlot(Plot):
    """The plot of the target metric."""

    def points(self, frame: Frame) -> str:
        """See `Plot.points`."""
        return "evaluation"

    def title(self, frame: Frame) -> str:
        """Returns the title with the metric's name and unit."""
        metric = frame.snapshot.metric
        parts = ("" if metric.lower() == "accuracy" else metric, metric_unit(frame.snapshot))
        return ", ".join(filter(None, ("Accuracy", " ".join(filter(None, parts)))))

    def facts(self, frame: Frame) -> object:
        """Returns evaluations, target and forecast."""
        s = frame.snapshot
        target = (s.target_value, target_text(s), s.card.status)
        others = [(run.role, run.snapshot.evaluations) for run in other_runs(frame)]
        return (s.evaluations, target, s.forecast, epoch_span(s), self.title(frame), others)

    def chart(self, frame: Frame, view: View) -> Chart:
        """Returns the chart of evaluations, threshold and projection, with other runs behind."""
        snapshot, by_time = frame.snapshot, view.by_time
        points = evaluation_points(snapshot, by_time)
        by_epoch = not by_time and snapshot.evaluated_by == "epoch"
        span = (0.0, 1.0) if by_time or not points else (points[0][0], points[0][0] + 1)
        others = comparable_runs(frame, _kind)
        return Chart(
            (
                *(Series(evaluation_points(o.snapshot, by_time), o.role) for o in others),
                Series(points, own_role(frame, Role.SECOND)),
            ),
            epoch_span(snapshot) if by_epoch else span,
            threshold=snapshot.target_value,
            projection=None if by_time else _projection(snapshot, points),
        )

    def legend(self, frame: Frame, view: View) -> list[Part]:
        """Returns the last value, the other runs, target, gap and projection."""
        snapshot = frame.snapshot
        unit = metric_unit(snapshot)
        value = figures.metric(snapshot.evaluations[-1].value, unit)
        own, last = RunCurves(snapshot), snapshot.evaluations[-1]
        drawn = comparable_runs(frame, _kind)
        others = [run for run in other_runs(frame) if run in drawn or run.curves is not None]
        parts: list[Part] = [
            Span(f"⠤ {value}", own_role(frame, Role.SECOND)),
            *run_legend(frame, others, lambda other: evaluation_gap(own, last, other)),
        ]
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

    def axis(self, frame: Frame, view: View) -> str:
        """Returns the name of the axis; epochs need none."""
        return "over minutes of training" if view.by_time else ""

    def inspected(self, frame: Frame, view: View, x: float) -> Spot:
        """Returns an evaluation and its line."""
        every = placed(frame.snapshot, view.by_time)
        found = next((evaluation for at, evaluation in every if at == x), None)
        if found is None:
            return Spot("no such evaluation any more", lines=())
        value = figures.metric(found.value, metric_unit(frame.snapshot))
        step = "" if found.step is None else f"step {found.step}"
        where = step if found.epoch is None else f"epoch {found.epoch}"
        return Spot(f"{where}: {value}, line {found.line}", found.epoch, (found.line,))
