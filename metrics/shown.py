"""What the snapshots of one run have in common: made once, shared by all of them.

A run of a gigabyte has tens of thousands of epochs, nearly all of them over. Their points do not
change from frame to frame, and neither does what was found among them.
"""

from __future__ import annotations

from itertools import chain

from metrics.epoch_speed import PRINTED, Sizes, epoch_speed
from metrics.happenings import Drops
from metrics.run import Run
from metrics.settled import AnyEpoch, AnyJudged
from metrics.snapshot import EpochPoint, EvaluationPoint, Note


class Shown:
    """Points of what is over, page by page.

    Nothing of it can be seen in a snapshot: it is the same as one that is made anew.
    """

    def __init__(self) -> None:
        self._run: Run | None = None
        self._sizes = Sizes()
        self._judged: tuple[str, bool] = ("", False)
        self._epochs: dict[object, tuple[EpochPoint, ...]] = {}
        self._evaluations: dict[object, tuple[EvaluationPoint, ...]] = {}
        self._looked: list[object] = []
        self._drops = Drops()

    def epochs(self, run: Run, sizes: Sizes) -> tuple[tuple[EpochPoint, ...], list[Note]]:
        """The epochs of a run in order, and the drops of throughput among them."""
        if run is not self._run or sizes != self._sizes:
            self._forget(run, sizes)
        before, self._epochs = self._epochs, {}
        points: list[tuple[EpochPoint, ...]] = []
        for page, epochs in run.epochs.parts():
            part = None if page is None else before.get(page)
            if part is None:
                part = tuple(point(epoch, sizes, epoch.complete) for epoch in epochs)
            points.append(part)
            if page is not None:
                self._epochs[page] = part
        return tuple(chain.from_iterable(points)), self._dropped(points)

    def _dropped(self, points: list[tuple[EpochPoint, ...]]) -> list[Note]:
        """The drops among all points; of the pages looked at before, what was found there."""
        pages = [*self._epochs]
        closed = len(points) == len(pages) + 1  # no page is open
        if not closed or self._looked != pages[: len(self._looked)]:
            self._looked, self._drops = [], Drops()
        if closed:
            for page in pages[len(self._looked) :]:
                self._drops.go_on(self._epochs[page])
            self._looked = pages
        drops = self._drops.copy()
        for part in points[len(self._looked) :]:
            drops.go_on(part)
        return drops.notes

    def evaluations(self, run: Run, metric: str) -> tuple[EvaluationPoint, ...]:
        """The evaluations of a run that give a metric, in order."""
        if (metric, run.labelled) != self._judged or run is not self._run:
            self._evaluations, self._judged = {}, (metric, run.labelled)
        before, self._evaluations = self._evaluations, {}
        points: list[tuple[EvaluationPoint, ...]] = []
        for page, judged in run.evaluations.parts():
            part = None if page is None else before.get(page)
            if part is None:
                part = tuple(_evaluated(run, one, metric) for one in judged if one.has(metric))
            points.append(part)
            if page is not None:
                self._evaluations[page] = part
        return tuple(chain.from_iterable(points))

    def _forget(self, run: Run, sizes: Sizes) -> None:
        self._run, self._sizes = run, sizes
        self._epochs, self._evaluations = {}, {}
        self._looked, self._drops = [], Drops()


def point(epoch: AnyEpoch, sizes: Sizes, complete: bool) -> EpochPoint:
    """An epoch as a screen shows it."""
    made = epoch_speed(epoch, sizes) if complete else None
    return EpochPoint(
        label=epoch.label,
        throughput=made.value if made else None,
        derived=made is not None and made.how != PRINTED,
        duration=epoch.epoch_time if epoch.epoch_time is not None else epoch.train_time,
        loss=epoch.loss,
        iterations=epoch.records,
        first_line=epoch.first_line,
        last_line=epoch.last_line,
        complete=complete,
    )


def _evaluated(run: Run, judged: AnyJudged, metric: str) -> EvaluationPoint:
    return EvaluationPoint(run.epoch_of(judged), judged.step, judged.value(metric), judged.line)
