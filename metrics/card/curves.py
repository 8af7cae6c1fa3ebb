"""Compares one run's figures with another's at the same epoch or step."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_right
from functools import cached_property
from typing import NamedTuple

from sixdim.metrics.card.snapshot import Snapshot
from sixdim.metrics.dimensions.times import COARSE_S, SUMMED, TIMESTAMPS
from sixdim.metrics.values.exact import ExactSum
from sixdim.metrics.values.points import EpochPoint, EvaluationPoint
from sixdim.metrics.values.series import SeriesView
from sixdim.parsers.events import Scope

PASSES = "summed training passes"
CLOCKS = (SUMMED, TIMESTAMPS, PASSES)
"""Clocks of a time; the first that both runs have is used."""
LATEST = 8
"""Series are compared over the last of this many equal parts of the common steps."""


class Gap(NamedTuple):
    """A figure of two runs at the same place.

    Attributes:
        own: Of the run; None where it cannot be compared.
        other: Of the reference.
        reason: Why it cannot be compared; empty where it can.
        over: First and last step (or epoch) if both figures are means over several; else None.
        by: What those count: `steps` or `epochs`.
        clock: The clock of a time.
    """

    own: float | None = None
    other: float | None = None
    reason: str = ""
    over: tuple[float, float] | None = None
    by: str = ""
    clock: str = ""

    @property
    def difference(self) -> float | None:
        """By how much the run's figure is above the reference's."""
        return None if self.own is None or self.other is None else self.own - self.other

    @property
    def share(self) -> float | None:
        """The difference as a share of the reference's figure; None where that is 0."""
        difference = self.difference
        return difference / abs(self.other) if difference is not None and self.other else None


class RunCurves:
    """The figures of a run by epoch, else by step.

    Args:
        snapshot: The run; that of a card has the epochs that the card holds.
        whole: Whether the snapshot has all epochs from the first on.
    """

    def __init__(self, snapshot: Snapshot, *, whole: bool = True) -> None:
        self.snapshot = snapshot
        self._whole = whole

    # The tables are made on first use: a frame without other runs needs none.

    @cached_property
    def first(self) -> int | None:
        """The label of the first epoch; None where unknown."""
        every = self.snapshot.epochs if self._whole else ()
        return min((epoch.label for epoch in every), default=None)

    @cached_property
    def epochs(self) -> dict[int, EpochPoint]:
        """The finished epochs by label; none of a run without epochs."""
        every = () if self.snapshot.windows else self.snapshot.epochs
        return {epoch.label: epoch for epoch in every if epoch.complete}

    @cached_property
    def _evaluations(self) -> dict[object, list[EvaluationPoint]]:
        found: dict[object, list[EvaluationPoint]] = {}
        for point in self.snapshot.evaluations:
            found.setdefault(_place(point), []).append(point)
        return found

    @cached_property
    def _seconds(self) -> dict[str, dict[int, float]]:
        return {
            SUMMED: _summed(self.epochs, evaluated=True),
            PASSES: _summed(self.epochs, evaluated=False),
        }

    def metric_gap(self, point: EvaluationPoint, other: RunCurves) -> Gap:
        """Compares an evaluation with the other run's at the same epoch or step."""
        reason = self._metric_differs(other)
        if reason:
            return Gap(reason=reason)
        found, reason = self._counterpart(point, other)
        return Gap(reason=reason) if found is None else Gap(point.value, found.value)

    def time_gap(self, point: EvaluationPoint, other: RunCurves) -> Gap:
        """Compares seconds of training up to an evaluation with the other run's up to its own."""
        found, reason = self._counterpart(point, other)
        if found is None:
            return Gap(reason=reason)
        if self.first != other.first:
            return Gap(reason=f"the logs begin at epochs {self.first} and {other.first}")
        own, others = self._times(point), other._times(found)
        for clock in CLOCKS:
            if clock in own and clock in others:
                return Gap(own[clock], others[clock], clock=clock)
        return Gap(reason="no clock that both logs have" if own else "no clock in the log")

    def throughput_gap(self, epoch: EpochPoint, other: RunCurves) -> Gap:
        """Compares the throughput of an epoch with that of the other run's epoch of that label."""
        reason = self._epochs_differ(other) or self._throughput_differs(other)
        if reason:
            return Gap(reason=reason)
        found = other.epochs.get(epoch.label)
        if found is None or found.throughput is None or epoch.throughput is None:
            return Gap(reason=f"it has none of epoch {epoch.label}")
        return Gap(epoch.throughput, found.throughput)

    def series_gap(self, view: SeriesView, other: RunCurves) -> Gap:
        """Compares the mean of a series with the other run's, over the latest steps of both.

        That is the last eighth of what both have, as whole buckets: one value alone says little.
        """
        found = next((one for one in other.snapshot.series if one.name == view.name), None)
        if found is None:
            return Gap(reason=f"it has no {view.name}")
        if found.unit != view.unit:
            return Gap(reason=f"units differ ({view.unit or 'none'}, {found.unit or 'none'})")
        by = "epochs" if math.isnan(next(iter(view.steps), math.nan)) else "steps"
        reason = self._epochs_differ(other) if by == "epochs" else self._steps_differ(other)
        return Gap(reason=reason) if reason else _mean_gap(view, found, by)

    def _metric_differs(self, other: RunCurves) -> str:
        one, two = self.snapshot, other.snapshot
        if one.metric != two.metric:
            return f"it has {two.metric or 'no evaluation'}, not {one.metric}"
        units = [shot.card.dimensions["accuracy"].unit for shot in (one, two)]
        return "" if units[0] == units[1] else f"units differ ({units[0]}, {units[1]})"

    def _throughput_differs(self, other: RunCurves) -> str:
        one, two = self.snapshot, other.snapshot
        if one.unit != two.unit:
            return f"units differ ({one.unit or 'none'}, {two.unit or 'none'})"
        scopes = {shot.card.run["scope"] for shot in (one, two)} - {Scope.UNKNOWN}
        return f"scopes differ ({', '.join(sorted(scopes))})" if len(scopes) > 1 else ""

    def _epochs_differ(self, other: RunCurves) -> str:
        """Returns why one label is not the same part of the training in both runs, else nothing."""
        firsts = {self.first, other.first}
        if firsts == {0, 1} and None not in firsts:
            return f"epochs count from {self.first} here, from {other.first} there"
        return self._facts_differ(other, "samples_per_epoch", "samples in an epoch")

    def _steps_differ(self, other: RunCurves) -> str:
        return self._facts_differ(other, "global_batch", "samples in a step")

    def _facts_differ(self, other: RunCurves, fact: str, what: str) -> str:
        here, there = self.snapshot.card.run.get(fact), other.snapshot.card.run.get(fact)
        if here is None or there is None or here == there:
            return ""
        return f"{here:,} {what} here, {there:,} there"

    def _counterpart(
        self, point: EvaluationPoint, other: RunCurves
    ) -> tuple[EvaluationPoint | None, str]:
        """Returns the other run's evaluation at the same place, or why there is none."""
        place = _place(point)
        if place is None:
            return None, "the log does not say at which epoch or step it evaluates"
        by_epoch = point.epoch is not None
        reason = self._epochs_differ(other) if by_epoch else self._steps_differ(other)
        if reason:
            return None, reason
        here, there = self._evaluations.get(place, []), other._evaluations.get(place, [])
        if not there:
            where = f"epoch {point.epoch}" if by_epoch else f"step {point.step}"
            return None, f"it has no evaluation at {where}"
        if len(here) == len(there) == 1:
            return there[0], ""
        same = [one for one in there if point.step is not None and one.step == point.step]
        return (same[-1], "") if same else (None, f"several evaluations in epoch {point.epoch}")

    def _times(self, point: EvaluationPoint) -> dict[str, float]:
        """Returns the seconds of training up to an evaluation, by every clock that gives them."""
        found: dict[str, float] = {}
        for clock, seconds in self._seconds.items():
            if point.epoch is not None and point.epoch in seconds:
                found[clock] = seconds[point.epoch]
        start = self.snapshot.clock_start_us
        if start is not None and point.time_us is not None and point.time_us > start:
            found[TIMESTAMPS] = (point.time_us - start) / 1e6
        return found


def _place(point: EvaluationPoint) -> tuple[str, int] | None:
    if point.epoch is not None:
        return "epoch", point.epoch
    return None if point.step is None else ("step", point.step)


def _summed(epochs: dict[int, EpochPoint], *, evaluated: bool) -> dict[int, float]:
    """Returns seconds up to the end of each epoch, until the first epoch without a duration.

    Sums of short durations in whole seconds are not exact enough and left out.
    """
    sums: dict[int, float] = {}
    total, rough, before = ExactSum(), True, None
    for epoch in epochs.values():
        known = epoch.duration is not None and epoch.evaluated == evaluated
        if not known or before not in (None, epoch.label - 1):
            break
        seconds = epoch.duration or 0.0
        total.add(seconds)
        rough = rough and seconds == int(seconds)
        if not (rough and total.sum() < COARSE_S * total.count):
            sums[epoch.label] = total.sum()
        before = epoch.label
    return sums


def _mean_gap(own: SeriesView, other: SeriesView, by: str) -> Gap:
    """Returns both means over the latest steps that begin and end with a bucket of both series."""
    here, there = getattr(own, by), getattr(other, by)
    ends = sorted(set(here) & set(there))
    if not ends:
        return Gap(reason=f"no {by} that both logs print")
    begin = ends[-1 - max(1, len(ends) // LATEST)] if len(ends) > 1 else 0.0
    one = _mean_within(here, own.means, begin, ends[-1])
    two = _mean_within(there, other.means, begin, ends[-1])
    if one is None or two is None:
        return Gap(reason=f"a value of these {by} is not finite")
    return Gap(one, two, over=(begin, ends[-1]), by=by)


def _mean_within(
    places: array[float], means: array[float], begin: float, end: float
) -> float | None:
    """Returns the mean of the buckets between two places; None where one has no value."""
    chosen = means[bisect_right(places, begin) : bisect_right(places, end)]
    if not chosen or not all(map(math.isfinite, chosen)):
        return None
    return math.fsum(chosen) / len(chosen)
