"""Maps byte offsets of a finished log to seconds of its own clock, and back."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from sixdim.metrics.fold.epochs.epoch import Epoch

ASSUMED_EPOCH = 60.0
"""Seconds in which an epoch is played if the log has no times."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One point: the log clock at a byte offset, and the epoch that begins there."""

    offset: int
    seconds: float
    epoch: int | None = None


@dataclass(frozen=True, slots=True)
class Timeline:
    """A monotone map between byte offsets and seconds since the first epoch.

    Attributes:
        marks: By offset and by seconds, both never decreasing; at least two.
        clock: What the seconds are taken from, in words.
    """

    marks: tuple[Mark, ...]
    clock: str

    @property
    def duration(self) -> float:
        """Seconds of the whole log."""
        return self.marks[-1].seconds

    def offset_at(self, seconds: float) -> int:
        """Returns the bytes written by that time, interpolated between marks."""
        after = bisect_right(self.marks, seconds, key=lambda m: m.seconds)
        if after == 0:
            return self.marks[0].offset
        if after == len(self.marks):
            return self.marks[-1].offset
        a, b = self.marks[after - 1], self.marks[after]
        share = (seconds - a.seconds) / (b.seconds - a.seconds)
        return a.offset + int(share * (b.offset - a.offset))


def timeline(epochs: Iterable[Epoch], size: int, total: float | None) -> Timeline:
    """Builds the timeline of a log.

    Args:
        epochs: In the log's order.
        size: Bytes of the log.
        total: Printed total training time in seconds; None if there is none.
    """
    timed = [(epoch.label, epoch.offset, _seconds(epoch)) for epoch in epochs]
    known = sorted(seconds for _label, _offset, seconds in timed if seconds)
    usual = known[len(known) // 2] if known else ASSUMED_EPOCH
    clock = "log clock" if known else "no clock in the log: one minute an epoch"
    marks = [Mark(0, 0.0)]
    now = 0.0
    for label, offset, seconds in timed:
        marks.append(Mark(max(offset, marks[-1].offset), now, label))
        now += seconds or usual
    if not timed:
        now = ASSUMED_EPOCH
    end = max(now, total) if total and known else now
    marks.append(Mark(size, end))
    return Timeline(tuple(marks), clock)


def _seconds(epoch: Epoch) -> float | None:
    if epoch.epoch_time is not None:
        return epoch.epoch_time
    return epoch.train_time if epoch.span_s is None else epoch.span_s
