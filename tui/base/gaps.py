"""Says in words how far a run is from another: `2.1 points behind at the same epoch`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sixdim.tui.base.figures import approximate_time

if TYPE_CHECKING:
    from sixdim.metrics.card.curves import Gap, RunCurves
    from sixdim.metrics.card.snapshot import Snapshot
    from sixdim.metrics.values.points import EpochPoint, EvaluationPoint
    from sixdim.metrics.values.series import SeriesView


class Words(NamedTuple):
    """The difference of two runs in words: in full, and shorter."""

    full: str
    brief: str


def evaluation_gap(own: RunCurves, point: EvaluationPoint, other: RunCurves) -> Words:
    """Returns `2.1 points behind at the same epoch, 40 min ahead in time`, or why it is unknown."""
    gap = own.metric_gap(point, other)
    if gap.reason:
        return _unknown(gap)
    place = "epoch" if point.epoch is not None else "step"
    words = metric_words(gap, own.snapshot)
    parts = [f"{words} at the same {place}"]
    time = own.time_gap(point, other)
    if time.difference is not None:
        parts.append(time_words(time.difference))
    return Words(", ".join(parts), words)


def epoch_gap(own: RunCurves, epoch: EpochPoint, other: RunCurves) -> Words:
    """Returns `3.2 % ahead at the same epoch`, or why it is unknown."""
    gap = own.throughput_gap(epoch, other)
    words = share_words(gap)
    return _unknown(gap) if gap.reason else Words(f"{words} at the same epoch", words)


def series_gap(own: RunCurves, view: SeriesView, other: RunCurves) -> Words:
    """Returns `2.8 % lower, steps 800–1000`, or why it is unknown."""
    gap = own.series_gap(view, other)
    if gap.reason or gap.over is None:
        return _unknown(gap)
    words = share_words(gap, "higher", "lower")
    first, last = gap.over
    return Words(f"{words}, {gap.by} {first:g}–{last:g}", words)


def _unknown(gap: Gap) -> Words:
    return Words(f"unknown: {gap.reason}", "unknown")


def metric_words(gap: Gap, snapshot: Snapshot) -> str:
    """Returns how far an evaluation is behind or ahead: in points of a percentage, or percent."""
    words = ("ahead", "behind") if snapshot.higher_is_better else ("behind", "ahead")
    if snapshot.card.dimensions["accuracy"].unit != "%":
        return share_words(gap, *words)
    difference = gap.difference or 0.0
    return f"{_digits(difference)} points {words[difference < 0]}" if difference else "level"


def share_words(gap: Gap, above: str = "ahead", below: str = "behind") -> str:
    """Returns how far a figure is above or below another, in percent of that."""
    if not gap.difference:
        return "level"
    if gap.share is None:
        return f"{_digits(gap.difference)} {above if gap.difference > 0 else below}"
    return f"{_digits(100 * gap.share)} % {above if gap.share > 0 else below}"


def time_words(seconds: float) -> str:
    """Returns how much less, or more, time has passed than in the other run."""
    if not seconds:
        return "level in time"
    return f"{approximate_time(abs(seconds))} {'ahead' if seconds < 0 else 'behind'} in time"


def _digits(value: float) -> str:
    """Returns a size with at most three significant digits, if possible without an exponent."""
    size = abs(value)
    return f"{size:.0f}" if size >= 100 else f"{size:.3g}"
