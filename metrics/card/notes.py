"""The entries of the event list: what happened in a run, in the log's order."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby

from sixdim.metrics.card.snapshot import Note
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.points import EpochPoint

MOST = 300
DROP = 0.85
"""An epoch below this share of the run's median so far is a drop."""
LEAST_EPOCHS = 3
"""Number of epochs from which on the median is used."""
_ENDS = {"finished": "training ended", "aborted": "training was aborted", "failed": "it failed"}


def notes(run: Run, drops: Iterable[Note]) -> tuple[Note, ...]:
    """Returns the last few hundred problems and throughput drops, the target met, the end."""
    # A problem that is repeated (a nan loss) is one entry; the warning has its count.
    repeated = groupby(run.problems.stored, key=lambda p: (p.kind, p.text))
    problems = (Note(*what, next(said).at.line) for what, said in repeated)
    found = chain(problems, drops, _reached(run), _finished(run))
    return tuple(sorted(found, key=lambda note: note.line))[-MOST:]


class ThroughputDrops:
    """The epochs at which throughput fell below `DROP` of the median before them.

    Of several slow epochs in a row only the first one is named.

    Attributes:
        notes: Those found so far.
    """

    def __init__(self) -> None:
        self.notes: list[Note] = []
        self._before: list[float] = []
        self._low = False

    def add(self, epochs: Iterable[EpochPoint]) -> None:
        """Adds the next epochs."""
        before = self._before
        for epoch in epochs:
            if not epoch.complete or epoch.throughput is None:
                continue
            usual = _median(before) if len(before) >= LEAST_EPOCHS else 0.0
            slow = usual > 0 and epoch.throughput < DROP * usual
            if slow and not self._low:
                share = 100 * (1 - epoch.throughput / usual)
                text = f"epoch {epoch.label}: throughput {share:.0f} % below the run's own median"
                self.notes.append(Note("throughput_drop", text, epoch.last_line))
            self._low = slow
            insort(before, epoch.throughput)

    def copy(self) -> ThroughputDrops:
        """Returns an independent copy, to which more epochs can be added."""
        other = ThroughputDrops()
        other.notes, other._before, other._low = [*self.notes], [*self._before], self._low
        return other


def _median(ordered: Sequence[float]) -> float:
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def _reached(run: Run) -> Iterator[Note]:
    met = run.freeze.met
    if met is not None and run.target is not None:
        where = "" if met.epoch is None else f" at epoch {met.epoch}"
        yield Note("target_reached", f"{run.target} is met{where}", met.line)


def _finished(run: Run) -> Iterator[Note]:
    if run.end is not None:
        yield Note("finished", _ENDS.get(run.end.status, _ENDS["finished"]), run.end.at.line)
