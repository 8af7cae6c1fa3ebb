"""The tables of a run: its epochs, evaluations and progress lines as columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sixdim.metrics.card.snapshot import Snapshot
from sixdim.metrics.fold.epochs.evaluation import EvaluationRow
from sixdim.metrics.fold.runs.log_fold import LogFold
from sixdim.metrics.fold.runs.run import Run
from sixdim.parsers.events import Event, Iteration
from sixdim.tui.api.columns import Column, Columns, Packed, certain, numbers, times

if TYPE_CHECKING:
    from sixdim.tui.api.columns import Array

MOST_FIGURES = 64
"""Most further figures that become columns, since a log may have a new name in each line."""


class IterationsFold(LogFold):
    """Folds a log, and records the progress lines of each run as columns."""

    def __init__(self, like: LogFold) -> None:
        super().__init__(like.settings)
        self._tables: dict[int, _Iterations] = {}

    def extend(self, lines: Iterator[Iteration]) -> None:
        """Folds progress lines one by one, for each becomes a row."""
        for line in lines:
            self.apply(line)

    def apply(self, event: Event) -> None:
        """Folds one event; a progress line that another rank repeats is none of the run."""
        super().apply(event)
        run = self.runs[-1]
        if type(event) is Iteration and run.last_iteration is event:
            if self.count not in self._tables:
                held = {one.number for one in self.runs}
                self._tables = {n: t for n, t in self._tables.items() if n in held}
                self._tables[self.count] = _Iterations()
            self._tables[self.count].add(event)

    def iterations(self, run: Run) -> Columns:
        """Returns the progress lines of one of the runs."""
        return self._tables.get(run.number, _Iterations()).columns(run)


class _Iterations:
    """The progress lines of one run."""

    def __init__(self) -> None:
        self._fixed = {
            name: Packed()
            for name in ("line", "epoch", "step", "throughput", "loss", "duration", "time")
        }
        self._figures: dict[str, Packed] = {}
        self._figure_units: dict[str, str] = {}
        self._units: set[str] = set()

    def add(self, event: Iteration) -> None:
        """Adds a row."""
        fixed = self._fixed
        rows = len(fixed["line"])
        fixed["line"].append(event.at.line)
        fixed["time"].append(event.at.time_us)
        for name in ("epoch", "step", "throughput", "loss", "duration"):
            fixed[name].append(getattr(event, name))
        if event.throughput is not None:
            self._units.add(event.unit)
        for metric in event.values:
            name = f"{metric.name} (figure)" if metric.name in fixed else metric.name
            column = self._figures.get(name)
            if column is None:
                if len(self._figures) == MOST_FIGURES:
                    continue
                column = self._figures[name] = Packed(rows)
                self._figure_units[name] = metric.unit
            if len(column) == rows:  # the first of several of one name
                column.append(metric.value)
        for column in self._figures.values():
            if len(column) == rows:
                column.append(None)

    def columns(self, run: Run) -> Columns:
        """Returns the valid rows: of an epoch that a resume repeats, the later ones."""
        fixed = self._fixed
        found: dict[str, Column] = {
            name: fixed[name].column(whole=name in ("line", "epoch", "step"))
            for name in ("line", "epoch", "step", "throughput", "loss", "duration")
        }
        found |= {name: figure.column() for name, figure in self._figures.items()}
        found["time"] = times(fixed["time"].column())
        rows = _valid_rows(found["line"], found["epoch"], run)
        units = {name: unit for name, unit in self._figure_units.items() if unit}
        if len(self._units) == 1:
            units["throughput"] = next(iter(self._units))
        units["duration"] = "s"
        return Columns({name: one.where(rows) for name, one in found.items()}, units)


def _valid_rows(line: Column, epoch: Column, run: Run) -> Array:
    """Returns which rows belong to the last training of their epoch."""
    firsts = dict(zip(run.epochs, run.epochs.column("first_line"), strict=True))
    begins = [
        firsts.get(int(label), np.inf) if known else 0
        for label, known in zip(epoch.values.tolist(), epoch.known, strict=True)
    ]
    valid: Array = line.values >= np.array(begins)
    return valid


def epochs(run: Run, shot: Snapshot) -> Columns:
    """Returns the epochs, or the windows of a run without epochs."""
    points = shot.points
    trained = run.windows.whole() if shot.windows else [*run.epochs.values()]
    columns = {
        shot.point_kind: numbers([p.label for p in points], whole=True),
        "throughput": numbers([p.throughput for p in points]),
        "derived": certain([p.derived for p in points], bool),
        "duration": numbers([p.duration for p in points]),
        "loss": numbers([p.loss for p in points]),
        "iterations": numbers([p.iterations for p in points], whole=True),
        "complete": certain([p.complete for p in points], bool),
        "first_line": numbers([p.first_line for p in points], whole=True),
        "last_line": numbers([p.last_line for p in points], whole=True),
        "time_begin": times(numbers([e.start_us for e in trained])),
        "time_end": times(numbers([e.end_us for e in trained])),
    }
    return Columns(columns, {"throughput": shot.unit, "duration": "s"})


def evaluations(rows: Sequence[EvaluationRow], run: Run) -> Columns:
    """Returns the evaluations during training, with a column for each metric."""
    names = dict.fromkeys(name for row in rows for name in row.places)
    columns = {
        "line": numbers([row.line for row in rows], whole=True),
        "epoch": numbers([run.epoch_of(row) for row in rows], whole=True),
        "step": numbers([row.step for row in rows], whole=True),
        "model": certain([row.model for row in rows], object),
        "time": times(numbers([row.at.time_us for row in rows])),
    }
    units: dict[str, str] = {}
    for name in names:
        column = f"{name} (metric)" if name in columns else name
        columns[column] = numbers([row.value(name) if name in row.places else None for row in rows])
        units[column] = next(row.metric(name).unit for row in rows if name in row.places)
    return Columns(columns, {name: unit for name, unit in units.items() if unit})
