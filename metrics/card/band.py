"""Finds where a run falls out of the band of several reference runs.

At an epoch or step where at least two references have a figure, the run is outside of the band if
its own is worse than the worst of theirs. It has fallen out once it is outside at `IN_A_ROW` such
places in a row: of three equal runs, each is the worst at every third epoch.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeAlias

from sixdim.metrics.card.curves import Gap, RunCurves
from sixdim.metrics.card.snapshot import BEHIND, LEAST_REFERENCES, Note, Snapshot

IN_A_ROW = 3


_Place: TypeAlias = tuple[str, int, Sequence[Gap]]
"""One epoch or step of the run: its name, its line, and the gap to each reference."""


def band_notes(snapshot: Snapshot, references: Sequence[RunCurves]) -> list[Note]:
    """Notes where the run's metric or throughput fell out of the band, in order of lines."""
    if len(references) < LEAST_REFERENCES:
        return []
    own = RunCurves(snapshot)
    found = chain(_metric_falls(own, references), _throughput_falls(own, references))
    return sorted(found, key=lambda note: note.line)


def _metric_falls(own: RunCurves, references: Sequence[RunCurves]) -> Iterator[Note]:
    shot = own.snapshot
    places = (
        (
            f"epoch {point.epoch}" if point.epoch is not None else f"step {point.step}",
            point.line,
            [own.metric_gap(point, other) for other in references],
        )
        for point in shot.evaluations
    )
    return _falls(places, shot.metric, shot.higher_is_better, references)


def _throughput_falls(own: RunCurves, references: Sequence[RunCurves]) -> Iterator[Note]:
    places = (
        (
            f"epoch {epoch.label}",
            epoch.last_line,
            [own.throughput_gap(epoch, other) for other in references],
        )
        for epoch in own.epochs.values()
        if epoch.throughput is not None
    )
    return _falls(places, "throughput", True, references)


def _falls(
    places: Iterable[_Place], what: str, higher_is_better: bool, references: Sequence[RunCurves]
) -> Iterator[Note]:
    worst: Callable[[Iterable[float]], float] = min if higher_is_better else max
    outside = 0
    for name, line, gaps in places:
        known = [(g.own, g.other) for g in gaps if g.own is not None and g.other is not None]
        if len(known) < LEAST_REFERENCES:
            continue
        own, limit = known[0][0], worst(other for _, other in known)
        is_outside = own < limit if higher_is_better else own > limit
        outside = outside + 1 if is_outside else 0
        if outside == IN_A_ROW:
            side = "below the lowest" if higher_is_better else "above the highest"
            whose = next(
                r.snapshot.name
                for r, gap in zip(references, gaps, strict=True)
                if gap.other == limit
            )
            yield Note(
                BEHIND,
                f"{name}: {what} {own:.6g} is {side} of {len(known)} references "
                f"({limit:.6g}, {whose}), {IN_A_ROW} times in a row",
                line,
            )
