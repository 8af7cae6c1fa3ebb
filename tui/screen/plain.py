"""Line output in place of a screen: one line an epoch, the card at the end."""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.metrics.card.snapshot import Snapshot
from sixdim.metrics.values.points import EpochPoint
from sixdim.tui.base import figures
from sixdim.tui.session.feed import Frame


class EpochLines:
    """Turns frames into lines, each epoch once, when it is complete."""

    def __init__(self) -> None:
        self._told: set[tuple[str, int, int, int]] = set()
        self._message = ""
        self._format = ""
        self._frozen: tuple[int, object] | None = None

    def lines(self, frame: Frame) -> Iterator[str]:
        """The lines this frame adds."""
        if frame.message and frame.message != self._message:
            yield frame.message
        self._message = frame.message
        snapshot = frame.snapshot
        if snapshot.format and snapshot.format != self._format:
            self._format = snapshot.format
            provisional = ", provisional" if snapshot.provisional else ""
            yield f"format {snapshot.format}{provisional}"
        # The current epoch is told once the next begins or the run is over: its evaluation
        # may still be to come.
        over = snapshot.ended or snapshot.card.run_end is not None or snapshot.card.frozen
        current = snapshot.progress.epoch
        for epoch in snapshot.epochs:
            # The same label stands again in a resumed epoch, a second run, another log or format.
            identity = (snapshot.format, frame.restarts, epoch.label, epoch.first_line)
            if identity in self._told or not epoch.complete:
                continue
            if epoch.label == current and not over:
                continue
            self._told.add(identity)
            yield _line(snapshot, epoch)
        target = snapshot.card.target or {}
        reached = (frame.restarts, target.get("line"))
        if snapshot.card.frozen and self._frozen != reached:
            self._frozen = reached
            yield f"target {target.get('condition')} reached: the card is frozen"


def _line(snapshot: Snapshot, epoch: EpochPoint) -> str:
    parts = [f"epoch {epoch.label:>4}"]
    unit = snapshot.unit
    if epoch.throughput is not None:
        how = " (derived)" if epoch.derived else ""
        parts.append(f"{figures.throughput(epoch.throughput):>9} {unit}{how}")
    judged = [e for e in snapshot.evaluations if e.epoch == epoch.label]
    if judged:
        unit = snapshot.card.dimensions["accuracy"].unit
        parts.append(f"{snapshot.metric} {figures.metric(judged[-1].value, unit)}")
    if epoch.loss is not None:
        parts.append(f"loss {epoch.loss:.4g}")
    if epoch.duration is not None:
        parts.append(figures.duration(epoch.duration))
    return "  ".join(parts)
