"""From the folds to a snapshot: everything a screen shows, as one frozen value."""

from __future__ import annotations

from metrics.accuracy import judged_metric
from metrics.card import Card
from metrics.epoch_speed import Sizes
from metrics.facts import Facts
from metrics.happenings import notes
from metrics.projection import project
from metrics.run import Run
from metrics.settings import Settings
from metrics.shown import Shown, point
from metrics.snapshot import (
    EvaluationPoint,
    Progress,
    Projection,
    Snapshot,
    SpeedRow,
)
from metrics.speed import by_label, speed_window
from metrics.times import elapsed, median_epoch_seconds
from parsers.events import Reading


def snapshot(
    run: Run,
    settings: Settings,
    card: Card,
    *,
    readings: tuple[Reading, ...] = (),
    telemetry_note: str = "",
    lines: int = 0,
    unknown_lines: int = 0,
    shown: Shown | None = None,
) -> Snapshot:
    """Freezes the state of one run for showing; `shown` is what earlier ones were made of."""
    facts = Facts(run, settings)
    sizes = Sizes.of(facts)
    metric = judged_metric(run)
    goal = run.target.conditions[0] if run.target is not None else None
    shown = shown or Shown()
    epochs, drops = shown.epochs(run, sizes)
    evaluations = shown.evaluations(run, metric)
    windows = run.windows.whole() if run.stepwise else []
    higher = next((j.values[metric][1] for j in run.evaluations if j.has(metric)), True)
    return Snapshot(
        name=str(card.provenance["log"]),
        format=str(card.run["format"]),
        card=card,
        progress=_progress(run, facts),
        epochs=epochs,
        windows=tuple(point(window, sizes, complete=True) for window in windows),
        evaluations=evaluations,
        metric=metric,
        target_value=goal.value if goal else None,
        higher_is_better=not goal.minimise if goal and goal.operator != "=" else higher,
        speed=speed_rows(run, settings, sizes),
        projection=_projection(run, evaluations, higher),
        readings=readings,
        telemetry_note=telemetry_note,
        notes=notes(run, drops),
        lines=lines,
        unknown_lines=unknown_lines,
        bytes=int(str(card.provenance["bytes"])),
        ended=run.ended,
    )


def _progress(run: Run, facts: Facts) -> Progress:
    last = run.last_iteration
    return Progress(
        epoch=None if run.stepwise else run.current,
        epochs_planned=facts.count("epochs_planned"),
        step=last.step if last else None,
        steps=last.steps if last else None,
        elapsed=elapsed(run).seconds,
        throughput=last.throughput if last else None,
        loss=last.loss if last else None,
    )


def _projection(run: Run, evaluations: tuple[EvaluationPoint, ...], higher: bool) -> Projection:
    if run.target is None:
        return Projection(None, None, "no target: --target acc1>75.9")
    if run.freeze is not None:
        return Projection(run.freeze.epoch, 0.0)
    goal = run.target.conditions[0]
    minimise = goal.minimise if goal.operator != "=" else not higher
    points = [(e.epoch, e.value) for e in evaluations if e.epoch is not None]
    return project(points, goal.value, minimise, median_epoch_seconds(run))


def speed_rows(run: Run, settings: Settings, sizes: Sizes) -> tuple[SpeedRow, ...]:
    """The window as a panel shows it: in, dropped now, or waited for."""
    if not by_label(settings):
        return ()
    window = speed_window(run, settings, sizes)
    marks: dict[int, str] = {}
    if window.reduced and window.reduced.dropped:
        half = len(window.reduced.dropped) // 2
        for position, index in enumerate(window.reduced.dropped):
            marks[window.epochs[index].label] = "lowest" if position < half else "highest"
    rows = {e.label: SpeedRow(e.label, e.value, marks.get(e.label, "")) for e in window.epochs}
    labels = (
        sorted(rows) if window.fallback or run.stepwise else sorted({*rows, *window.wanted[:64]})
    )
    return tuple(rows.get(label, SpeedRow(label, None, "waiting")) for label in labels)
