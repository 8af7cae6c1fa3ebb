"""The epochs of a run as CSV, one row an epoch, exact numbers."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from sixdim.metrics.card.snapshot import Snapshot
from sixdim.tui.base.tables import harmless
from sixdim.tui.export.sink import write_out
from sixdim.tui.export.wording import epoch_sort
from sixdim.tui.session.cards import Scored

COLUMNS = (
    "log",
    "epoch",
    "throughput",
    "unit",
    "scope",
    "derived",
    "duration_s",
    "loss",
    "metric",
    "value",
    "in_window",
    "dropped",
    "first_line",
    "last_line",
)


def write(target: str, runs: Sequence[Scored]) -> None:
    """Writes all runs into one table."""
    import csv

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for run in runs:
        if run.snapshot is not None:
            writer.writerows(_rows(run.snapshot))
    write_out(target, text.getvalue())


def _rows(snapshot: Snapshot) -> Iterator[list[object]]:
    speed = snapshot.card.dimensions["speed"]
    window, dropped = speed.details.get("window"), speed.details.get("dropped")
    unit, scope = epoch_sort(snapshot)
    reached = {e.epoch: e.value for e in snapshot.evaluations}
    for epoch in snapshot.epochs:
        if not epoch.complete:
            continue
        yield [
            harmless(snapshot.name),
            epoch.label,
            _exact(epoch.throughput),
            harmless(unit),
            scope,
            int(epoch.derived),
            _exact(epoch.duration),
            _exact(epoch.loss),
            harmless(snapshot.metric),
            _exact(reached.get(epoch.label)),
            int(isinstance(window, list) and epoch.label in window),
            int(isinstance(dropped, list) and epoch.label in dropped),
            epoch.first_line,
            epoch.last_line,
        ]


def _exact(value: float | None) -> str:
    """Returns the shortest text that reads back as the same number; empty if unknown."""
    return "" if value is None else repr(value)
