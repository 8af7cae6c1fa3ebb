"""Everything a screen shows about a run at one moment: frozen, and built off the UI thread.

A panel is a pure function of a snapshot and its own size: two equal snapshots give equal screens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sixdim.metrics.card.forecast.forecast import NO_FORECAST, Forecast
from sixdim.metrics.values.card import Card
from sixdim.metrics.values.points import EpochPoint, EvaluationPoint
from sixdim.metrics.values.remaining import NO_PLAN, Remaining
from sixdim.metrics.values.series import SeriesView

if TYPE_CHECKING:
    from sixdim.parsers.reading import Reading


LEAST_REFERENCES = 2
"""Reference runs that make a band."""
BEHIND = "behind"
"""Kind of the notes where a run fell behind its reference runs."""


class SpeedRow(NamedTuple):
    """One epoch of the speed window.

    Attributes:
        label: Epoch label.
        value: Its throughput; None while the window waits for it.
        mark: `highest` or `lowest` if it is trimmed now, `waiting`, `missing` where the run is over
            without it, or empty.
    """

    label: int
    value: float | None
    mark: str


class EarlySpeed(NamedTuple):
    """The speed if the run ended before its window.

    Attributes:
        value: In the unit of the window's rows.
        labels: The epochs that it is computed from.
    """

    value: float
    labels: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of training, by the log's own clock.

    Attributes:
        epoch: Label of the current epoch.
        epochs_planned: Planned number of epochs, where known.
        step: Step within the epoch (or of the run).
        steps: Steps in the epoch (or the run), where known.
        elapsed: Seconds of training so far, or of all of it, as the card has them.
        throughput: Of the last progress line.
        loss: Of the last progress line.
        remaining: The time to the planned end.
    """

    epoch: int | None = None
    epochs_planned: int | None = None
    step: int | None = None
    steps: int | None = None
    elapsed: float | None = None
    throughput: float | None = None
    loss: float | None = None
    remaining: Remaining = NO_PLAN


class Note(NamedTuple):
    """One entry of the event list: what happened, where."""

    kind: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One moment of one run.

    Attributes:
        name: Base name of the log, sanitised.
        format: Format name, or empty where no line is known yet.
        provisional: Whether another format may still turn out to be the log's.
        card: The scorecard as of now.
        progress: The progress of training.
        epochs: Every epoch, oldest first.
        windows: Of a run without epochs, its progress lines in windows of equal length.
        evaluations: The accuracy metric, oldest first.
        metric: Name of the accuracy metric, e.g. `acc1`; empty before the first evaluation.
        target_value: Its threshold, where there is a target.
        higher_is_better: Direction of the metric.
        speed: The speed window row by row.
        early_speed: The speed of the epochs before the window, as long as that is empty.
        forecast: When the target will be met.
        readings: Latest reading of each device.
        telemetry_note: Why there are no readings, or which source gives them.
        notes: What happened, oldest first (the last few hundred).
        lines: Lines read so far.
        failure: The line that says why the run failed; empty where none does.
        bytes: Bytes read so far.
        ended: Whether the input has ended.
        series: Every named number that repeats, where the session draws them.
        unit: Unit of the throughputs of `epochs` and `windows`; empty where none is known.
        clock_start_us: The log's clock where the training began, where it has one.
        behind: Line at which the run first fell behind its reference runs; 0 while it has not.
    """

    name: str
    format: str
    card: Card
    progress: Progress
    provisional: bool = False
    epochs: tuple[EpochPoint, ...] = ()
    windows: tuple[EpochPoint, ...] = ()
    evaluations: tuple[EvaluationPoint, ...] = ()
    metric: str = ""
    target_value: float | None = None
    higher_is_better: bool = True
    speed: tuple[SpeedRow, ...] = ()
    early_speed: EarlySpeed | None = None
    forecast: Forecast = NO_FORECAST
    readings: tuple[Reading, ...] = ()
    telemetry_note: str = ""
    notes: tuple[Note, ...] = ()
    lines: int = 0
    failure: str = ""
    bytes: int = 0
    ended: bool = False
    unit: str = ""
    series: tuple[SeriesView, ...] = ()
    clock_start_us: int | None = None
    behind: int = 0

    @property
    def is_over(self) -> bool:
        """Whether the run's closing line, or the end of the input, was read."""
        return self.ended or self.card.run_end is not None

    @property
    def points(self) -> tuple[EpochPoint, ...]:
        """The points of the throughput chart: epochs, or windows in a run without epochs."""
        return self.windows or self.epochs

    @property
    def evaluated_by(self) -> str:
        """The axis of the evaluations: `epoch`, else `step`, else `evaluation`."""
        for place in ("epoch", "step"):
            if all(getattr(point, place) is not None for point in self.evaluations):
                return place
        return "evaluation"

    def placed(self) -> list[tuple[float, EvaluationPoint]]:
        """Returns the evaluations, each with its place on that axis."""
        by = self.evaluated_by
        return [(float(getattr(e, by, n) or 0), e) for n, e in enumerate(self.evaluations)]

    @property
    def point_kind(self) -> str:
        """What a point stands for: `epoch` or `window`."""
        return "window" if self.windows else "epoch"
