"""What a chart panel shows: one way of looking at a run, and what its axes have in common."""

from __future__ import annotations

from typing import Protocol, TypeAlias

from sixdim.metrics.card.snapshot import Snapshot
from sixdim.metrics.fold.windows import MOST
from sixdim.tui.screen.panels.words import epoch_labels
from sixdim.tui.screen.widgets.cells import Span
from sixdim.tui.screen.widgets.chart import Chart
from sixdim.tui.screen.widgets.view import View
from sixdim.tui.session.feed import Frame


class Plot(Protocol):
    """A way of looking at a run; a pure function of the frame and of how it is looked at."""

    def nothing(self, frame: Frame) -> str:
        """What is said before there is a point."""

    def title(self, frame: Frame) -> str:
        """Title of the box."""

    def facts(self, frame: Frame) -> object:
        """What of the frame it depends on: where equal, nothing is painted."""

    def drawn(self, frame: Frame) -> object:
        """What of that its lines depend on: where equal, the same rows are shown again."""

    def chart(self, frame: Frame, view: View) -> Chart:
        """The chart without zoom or cursor."""

    def legend(self, frame: Frame, view: View) -> list[Span]:
        """What its lines are."""

    def inspected(self, frame: Frame, view: View, x: float) -> str:
        """What stands under the cursor, in words."""

    def epoch_at(self, frame: Frame, view: View, x: float) -> int | None:
        """Label of the epoch under the cursor."""


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


def others(frame: Frame) -> Others:
    """The runs that are watched beside this one."""
    return tuple(row.snapshot for n, row in enumerate(frame.runs) if n != frame.selected)
