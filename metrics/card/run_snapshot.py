"""Makes a snapshot of the folds: everything that a screen shows, as one frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import inf

from sixdim.metrics.card.band import band_notes
from sixdim.metrics.card.curves import RunCurves
from sixdim.metrics.card.forecast.forecast import NO_FORECAST, Forecast
from sixdim.metrics.card.forecast.remaining import remaining
from sixdim.metrics.card.forecast.run_forecast import run_forecast, with_times
from sixdim.metrics.card.notes import MOST, ThroughputDrops, notes
from sixdim.metrics.card.snapshot import EarlySpeed, Note, Progress, Snapshot, SpeedRow
from sixdim.metrics.dimensions.accuracy import accuracy_model
from sixdim.metrics.dimensions.accuracy_metric import accuracy_metric
from sixdim.metrics.dimensions.speed.epoch_figures import Sizes
from sixdim.metrics.dimensions.speed.epoch_speed import Method, method_of
from sixdim.metrics.dimensions.speed.speed import stated_by_closing_line
from sixdim.metrics.dimensions.speed.speed_window import by_label, planned_end, speed_window
from sixdim.metrics.dimensions.times import run_time
from sixdim.metrics.fold.devices.device_series import until
from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.card import Card
from sixdim.metrics.values.points import EpochPoint, EvaluationPoint
from sixdim.metrics.values.series import Kind, SeriesView
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.reading import Reading

_RECENT = 4
"""Number of last epochs that may change from frame to frame."""


def snapshot(
    run: Run,
    settings: Settings,
    card: Card,
    *,
    readings: tuple[Reading, ...] = (),
    telemetry_note: str = "",
    lines: int = 0,
    provisional: bool = False,
    references: tuple[RunCurves, ...] = (),
    devices: tuple[SeriesView, ...] = (),
    cache: SnapshotCache | None = None,
) -> Snapshot:
    """Freezes the state of one run for a screen; a cache makes the next snapshots cheap."""
    facts = Facts(run, settings)
    sizes = Sizes.of(facts)
    metric = accuracy_metric(run)
    goal = run.target.conditions[0] if run.target is not None else None
    cache = cache or SnapshotCache()
    method = method_of(run, sizes)
    met, late = run.freeze.sealed_to, run.freeze.late_times

    def point(epoch: Epoch) -> EpochPoint:
        return _point(epoch, sizes, method, epoch.complete, late if epoch.label == met else {})

    epochs = tuple(run.epochs.points((sizes, method, late), point))
    evaluations = cache.evaluations(run, metric)
    windows = run.windows.whole() if run.stepwise else []
    made = Snapshot(
        name=card.provenance["log"],
        format=card.run["format"],
        provisional=provisional,
        card=card,
        progress=_progress(run, facts),
        epochs=epochs,
        windows=tuple(_point(window, sizes, method, complete=True) for window in windows),
        evaluations=evaluations,
        metric=metric,
        target_value=goal.value if goal else None,
        higher_is_better=(
            run.evaluations.metrics().get(metric, True)
            if goal is None or goal.operator == "="
            else not goal.minimise
        ),
        speed=speed_rows(run, settings),
        early_speed=early_speed(run, settings),
        forecast=with_times(run, cache.forecast(run)),
        readings=readings,
        telemetry_note=telemetry_note,
        notes=notes(run, cache.drops(epochs)),
        lines=lines,
        failure=run.problems.failed.text if run.problems.failed is not None else "",
        bytes=card.provenance["bytes"],
        ended=run.ended,
        unit=method.unit or run.unit,
        series=_series(run, devices, ended=card.provenance["ended"] is True),
        clock_start_us=run.clock.start.time_us,
    )
    return cache.with_band(made, references)


class SnapshotCache:
    """Caches what the snapshots of one run have in common, so that the next one is cheap.

    A run may have tens of thousands of epochs. The point of an epoch that is over stays the same
    object until the epoch changes, so that two frames are compared fast.
    """

    def __init__(self) -> None:
        self._seen: tuple[EpochPoint, ...] = ()
        self._drops = ThroughputDrops()
        self._read = 0
        self._points: list[EvaluationPoint] = []
        self._of: object = None
        self._forecast = NO_FORECAST
        self._forecast_of: object = None
        self._fallen: list[Note] = []
        self._fallen_of: object = None

    def with_band(self, snapshot: Snapshot, references: tuple[RunCurves, ...]) -> Snapshot:
        """Returns the snapshot with notes where the run fell behind its references."""
        if not references:
            return snapshot
        finished = tuple([epoch for epoch in snapshot.epochs if epoch.complete])
        of = (snapshot.metric, snapshot.unit, snapshot.evaluations, finished, references)
        if of != self._fallen_of:
            self._fallen, self._fallen_of = band_notes(snapshot, references), of
        if not self._fallen:
            return snapshot
        every = sorted((*snapshot.notes, *self._fallen), key=lambda note: note.line)
        return replace(snapshot, notes=tuple(every[-MOST:]), behind=self._fallen[0].line)

    def drops(self, epochs: tuple[EpochPoint, ...]) -> list[Note]:
        """Returns the drops of throughput; all epochs but the last few are checked only once."""
        if epochs[: len(self._seen)] != self._seen:
            self._seen, self._drops = (), ThroughputDrops()
        begin = len(self._seen)
        end = max(begin, len(epochs) - _RECENT)
        self._drops.add(epochs[begin:end])
        self._seen = epochs[:end]
        recent = self._drops.copy()
        recent.add(epochs[end:])
        return recent.notes

    def evaluations(self, run: Run, metric: str) -> tuple[EvaluationPoint, ...]:
        """Returns the evaluations that have a metric, of the model whose accuracy the card has."""
        model = accuracy_model(run, metric)
        of = (metric, model, run.has_epochs, run.evaluations)
        if of != self._of:
            self._of, self._read, self._points = of, 0, []
        fresh = run.evaluations[self._read :]
        self._read += len(fresh)
        self._points += [
            EvaluationPoint(run.epoch_of(e), e.step, e.value(metric), e.line, e.at.time_us)
            for e in fresh
            if metric in e.places and e.model == model
        ]
        return tuple(self._points)

    def forecast(self, run: Run) -> Forecast:
        """Returns the forecast of a run; curves are fitted when there is another evaluation."""
        of = (run.target, run.evaluations, len(run.evaluations), run.has_epochs, run.is_over)
        if of != self._forecast_of:
            self._forecast, self._forecast_of = run_forecast(run), of
        return self._forecast


def _point(
    epoch: Epoch, sizes: Sizes, method: Method, complete: bool, late: Mapping[str, float] = {}
) -> EpochPoint:
    """Returns an epoch, or a window of a run without any, as a screen draws it.

    The epoch that met the target has the durations printed after that, `late`.
    """
    throughput = method.find(epoch, sizes) if complete else None
    whole = late.get("epoch_time", epoch.epoch_time)
    return EpochPoint(
        label=epoch.label,
        throughput=throughput,
        derived=complete and not method.printed,
        duration=late.get("train_time", epoch.train_time) if whole is None else whole,
        loss=epoch.loss,
        iterations=epoch.records,
        first_line=epoch.first_line,
        last_line=epoch.last_line,
        complete=complete,
        step=epoch.step,
        evaluated=whole is not None,
    )


def _series(run: Run, devices: tuple[SeriesView, ...], *, ended: bool) -> tuple[SeriesView, ...]:
    """Returns the curves of a run, and those of its devices up to its present epoch."""
    if run.series is None or not devices:
        return run.series.views() if run.series is not None else ()
    known = until(devices, inf if ended else run.series.here.epoch)
    order = [*Kind].index
    return tuple(sorted((*run.series.views(), *known), key=lambda one: order(one.kind)))


def _progress(run: Run, facts: Facts) -> Progress:
    last, current = run.last_iteration, run.epochs.get(run.current)
    evaluated = run.evaluations.column("label")[-1] if run.evaluated() else run.current
    return Progress(
        epoch=None if run.stepwise else evaluated,
        epochs_planned=facts.count("epochs_planned"),
        step=current.step if current else None,
        steps=(current.steps if current else None) or facts.count("steps_planned"),
        elapsed=run_time(run).seconds,
        throughput=last.throughput if last else None,
        loss=last.loss if last else None,
        remaining=remaining(run, facts),
    )


def speed_rows(run: Run, settings: Settings) -> tuple[SpeedRow, ...]:
    """Returns the epochs of the speed window with marks; none if a closing line has the speed."""
    if not by_label(settings):
        return ()
    window = speed_window(run, settings)
    if stated_by_closing_line(run, window):
        return ()
    dropped = window.reduced.dropped if window.reduced is not None else ()
    marks = {
        window.epochs[index].label: "lowest" if 2 * position < len(dropped) else "highest"
        for position, index in enumerate(dropped)
    }
    rows = {
        label: SpeedRow(label, value, marks.get(label, ""))
        for label, value in zip(window.labels(), window.values, strict=True)
    }
    labels = (
        sorted(rows) if window.fallback or run.stepwise else sorted({*rows, *window.wanted[:64]})
    )
    passed = {epoch.label for epoch in run.epochs.among(labels) if epoch.complete}
    end = 0 if run.is_over else planned_end(run, Facts(run, settings))
    return tuple(
        rows.get(
            label,
            SpeedRow(label, None, "missing" if label in passed or label >= end else "waiting"),
        )
        for label in labels
    )


def early_speed(run: Run, settings: Settings) -> EarlySpeed | None:
    """Returns the speed of the epochs before the window, as long as the window has none."""
    if not by_label(settings) or run.stepwise or speed_window(run, settings).epochs:
        return None
    window = speed_window(run, settings, early=True)
    if window.reduced is None or not window.epochs:
        return None
    return EarlySpeed(window.reduced.value, tuple(epoch.label for epoch in window.epochs))
