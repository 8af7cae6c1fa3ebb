"""Writes the epochs of runs as CSV: a row for each epoch, with exact numbers."""

from collections.abc import Iterator, Sequence

from sixdim.metrics.card.snapshot import Snapshot
from sixdim.tui.base.tables import as_csv
from sixdim.tui.export.sink import write_out
from sixdim.tui.export.wording import epoch_unit_and_scope
from sixdim.tui.session.cards import Scored

COLUMNS = (
    *("log", "epoch", "throughput", "unit", "scope", "derived", "duration_s", "loss"),
    *("metric", "value", "in_window", "dropped", "first_line", "last_line"),
)


def write(target: str, runs: Sequence[Scored]) -> None:
    """Writes the finished epochs of all runs into one table; a run without epochs has no row."""
    snapshots = [run.snapshot for run in runs if run.snapshot is not None]
    write_out(target, as_csv([COLUMNS, *(row for shot in snapshots for row in _rows(shot))]))


def _rows(snapshot: Snapshot) -> Iterator[list[object]]:
    speed = snapshot.card.dimensions["speed"]
    window, dropped = speed.details.get("window", ()), speed.details.get("dropped", ())
    unit, scope = epoch_unit_and_scope(snapshot)
    reached = {e.epoch: e.value for e in snapshot.evaluations}
    for epoch in snapshot.epochs:
        if not epoch.complete:
            continue
        label = epoch.label
        yield [
            *(snapshot.name, label, epoch.throughput, unit, scope, int(epoch.derived)),
            *(epoch.duration, epoch.loss, snapshot.metric, reached.get(label)),
            *(int(label in window), int(label in dropped), epoch.first_line, epoch.last_line),
        ]
