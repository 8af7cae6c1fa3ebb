"""The interface of plots, which chart panels display, and functions that plots share."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from sixdim.metrics.card.curves import RunCurves
from sixdim.metrics.card.snapshot import Snapshot
from sixdim.metrics.fold.epochs.windows import MOST
from sixdim.tui.base.gaps import Words
from sixdim.tui.screen.widgets.cells import Span
from sixdim.tui.screen.widgets.chart import Chart
from sixdim.tui.screen.widgets.palettes import Role, run_role
from sixdim.tui.screen.widgets.text import distinct_names
from sixdim.tui.screen.widgets.view import View
from sixdim.tui.session.live.feed import Frame


class Spot(NamedTuple):
    """The point under the cursor.

    Attributes:
        text: The point in words.
        epoch: The label of its epoch; None if it is unknown.
        lines: The lines of the log that it was computed from; None for all lines of its epoch.
    """

    text: str
    epoch: int | None = None
    lines: tuple[int, ...] | None = None


class Plot:
    """A plot of a run; a pure function of the frame and the view."""

    def nothing(self, frame: Frame) -> str:
        """Returns the text that is displayed where there are no points."""
        return f"no {self.points(frame)} {'in the log' if frame.snapshot.is_over else 'yet'}"

    def points(self, frame: Frame) -> str:
        """Returns what the points are, in the singular, for the text that says there are none."""
        raise NotImplementedError

    def title(self, frame: Frame) -> str:
        """Returns the title of the box."""
        raise NotImplementedError

    def facts(self, frame: Frame) -> object:
        """Returns the part of the frame that it displays; if equal, nothing is repainted."""
        raise NotImplementedError

    def drawn(self, frame: Frame) -> object:
        """Returns the part of `facts` that its lines depend on; if equal, rows are reused."""
        return self.facts(frame)

    def chart(self, frame: Frame, view: View) -> Chart:
        """Returns the chart without zoom or cursor."""
        raise NotImplementedError

    def legend(self, frame: Frame, view: View) -> list[Part]:
        """Returns the names of its lines."""
        raise NotImplementedError

    def axis(self, frame: Frame, view: View) -> str:
        """Returns the name of the horizontal axis, if the title does not have it."""
        raise NotImplementedError

    def inspected(self, frame: Frame, view: View, x: float) -> Spot:
        """Returns the point at a place."""
        raise NotImplementedError


Part: TypeAlias = Span | tuple[Span, ...]
"""A part of a legend, or its forms from the longest to the shortest."""
Points: TypeAlias = tuple[tuple[float, float | None], ...]
NAME = 24
"""Most cells of another run's name in a legend."""


_ENDS = (1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0)


def round_above(high: float) -> float:
    """Returns the next round number: the end of an axis that changes rarely."""
    if not 0 < high < math.inf:
        return 1.0
    power = 10.0 ** math.floor(math.log10(high))
    return next((power * end for end in _ENDS if power * end >= high), high)


def step_span(snapshot: Snapshot, reached: float) -> tuple[float, float]:
    """Returns the axis of steps: up to a round number, or to the planned end if it is nearer."""
    progress = snapshot.progress
    known = progress.epoch is None and progress.steps
    planned = float(progress.steps or 0) if known else math.inf
    return 0.0, max(reached, min(planned, round_above(reached)))


def epoch_span(snapshot: Snapshot) -> tuple[float, float]:
    """Returns the axis of all planned epochs, or of all possible windows; it rarely changes."""
    if snapshot.windows:
        return 0.0, float(MOST - 1)
    labels = [point.label for point in snapshot.epochs]
    first = min(labels, default=0)
    planned = snapshot.progress.epochs_planned
    return float(first), float(first + planned - 1 if planned else first + 9)


def window(snapshot: Snapshot) -> list[int]:
    """Returns the epoch labels of the speed window, with those that are still to come."""
    labels: list[int] = snapshot.card.dimensions["speed"].details.get("window", [])
    return [row.label for row in snapshot.speed] or labels


def minutes(snapshot: Snapshot) -> dict[int, float]:
    """Returns minutes of training at the end of each finished epoch, as far as times are known."""
    clock: dict[int, float] = {}
    now = 0.0
    for point in snapshot.epochs:
        if not point.complete or point.duration is None:
            break
        now += point.duration / 60
        clock[point.label] = now
    return clock


class OtherRun(NamedTuple):
    """A run that is drawn behind the displayed one.

    Attributes:
        snapshot: Its figures.
        role: Of its lines.
        curves: The same figures to compare with, of a reference run.
    """

    snapshot: Snapshot
    role: Role
    curves: RunCurves | None = None


def other_runs(frame: Frame) -> tuple[OtherRun, ...]:
    """Returns the other watched runs, then the reference runs."""
    shots = [row.snapshot for row in frame.runs]
    watched = (
        OtherRun(shot, run_role(number))
        for number, shot in enumerate(shots)
        if number != frame.selected
    )
    alone = len(frame.references) == 1
    references = (
        OtherRun(one.snapshot, Role.OTHER if alone else run_role(number), one)
        for number, one in enumerate(frame.references, max(1, len(shots)))
    )
    return (*watched, *references)


def comparable_runs(frame: Frame, kind: Callable[[Snapshot], object]) -> tuple[OtherRun, ...]:
    """Returns the other runs that have the same kind of points as the displayed one."""
    wanted = kind(frame.snapshot)
    return tuple(run for run in other_runs(frame) if kind(run.snapshot) == wanted)


def own_role(frame: Frame, usual: Role) -> Role:
    """Returns the role of the displayed run: among several, the one of its place in the list."""
    return run_role(frame.selected) if frame.runs else usual


def run_legend(
    frame: Frame, runs: Sequence[OtherRun], says: Callable[[RunCurves], Words] | None = None
) -> list[Part]:
    """Returns the parts of a legend that name other runs, and compare with references."""
    names = distinct_names(
        [frame.snapshot.name, *(run.snapshot.name for run in other_runs(frame))], NAME
    )
    parts: list[Part] = []
    for run in runs:
        name = names[run.snapshot.name]
        said = (f"⠤ vs {name}: {gap}" for gap in says(run.curves)) if says and run.curves else ()
        parts.append(tuple(Span(text, run.role) for text in (*said, f"⠤ {name}")))
    return parts
