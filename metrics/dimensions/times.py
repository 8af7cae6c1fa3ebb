"""Time to train, run time and end-to-end speed, each under its own name and clock.

Time to train runs from the first training iteration to the first evaluation that meets the
target; run time to the end of the log. The clock is the log's own timestamps where it has
them, else summed durations, and the figure says which.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from sixdim.metrics.fold.epoch import Epoch
from sixdim.metrics.fold.facts import Facts
from sixdim.metrics.fold.run import Run
from sixdim.metrics.values.card import Dimension, Evidence, Json, State


class Time(NamedTuple):
    """A duration and the clock it was read from.

    Attributes:
        seconds: None where the log carries no time for it.
        clock: `log timestamps`, `printed total`, `summed epoch durations`, ….
    """

    seconds: float | None
    clock: str


_USUAL = 20
"""Epochs whose durations say how long one usually takes."""

NO_TIME = Time(None, "the log carries no time")


def time_to_train(run: Run) -> Time:
    """Seconds from the first iteration to the evaluation that met the target."""
    if run.freeze is None:
        return NO_TIME
    met_us = run.freeze.at.time_us
    if met_us is not None and run.clock_start_us is not None:
        return _between(run.clock_start_us, met_us)
    if run.freeze.epoch is None:
        return NO_TIME
    last = run.freeze.epoch
    return _summed([epoch for epoch in run.epochs.values() if epoch.label <= last])


def run_time(run: Run) -> Time:
    """Seconds of the whole training."""
    if run.end is not None and run.end.duration is not None:
        return Time(run.end.duration, "printed total")
    return elapsed(run)


def elapsed(run: Run) -> Time:
    """Seconds since the first iteration, as far as the log has come."""
    if run.clock_start_us is not None and run.last_us is not None:
        return _between(run.clock_start_us, run.last_us)
    return _summed([epoch for epoch in run.epochs.values() if epoch.complete])


def _between(begin_us: int, end_us: int) -> Time:
    if end_us < begin_us:
        return Time(None, "the log's clock runs backwards")
    return Time((end_us - begin_us) / 1e6, "log timestamps")


class Labels(NamedTuple):
    """What the labels of some epochs come to."""

    size: int
    lowest: int
    highest: int
    last: int

    @classmethod
    def of(cls, labels: Sequence[int]) -> Labels | None:
        """Returns None where there are none."""
        return cls(len(labels), min(labels), max(labels), labels[-1]) if labels else None

    @property
    def gapless(self) -> bool:
        """Whether none is missing between the first and the last: an excerpt is not a run."""
        return self.highest - self.lowest < self.size


def _summed(epochs: Sequence[Epoch]) -> Time:
    """The printed durations of all these epochs, where none is missing."""
    labels = Labels.of([epoch.label for epoch in epochs])
    if labels is None:
        return NO_TIME
    if not labels.gapless:
        return Time(None, "epochs are missing in the log")
    seconds = [epoch.epoch_time for epoch in epochs if epoch.epoch_time is not None]
    if len(seconds) == labels.size:
        return Time(math.fsum(seconds), "summed epoch durations")
    seconds = [epoch.train_time for epoch in epochs if epoch.train_time is not None]
    if len(seconds) == labels.size:
        return Time(math.fsum(seconds), "summed training passes, evaluations not included")
    return NO_TIME


def median_epoch_seconds(run: Run) -> float | None:
    """Usual duration of an epoch, for projections; None where the log has none."""
    latest = islice((e for e in reversed(run.epochs.values()) if e.complete), _USUAL)
    seconds = sorted(
        s
        for e in latest
        if (s := e.epoch_time if e.epoch_time is not None else _clocked(e)) is not None
    )
    return seconds[len(seconds) // 2] if seconds else None


def _clocked(epoch: Epoch) -> float | None:
    if epoch.train_time is not None:
        return epoch.train_time
    if epoch.start_us is not None and epoch.end_us is not None:
        return (epoch.end_us - epoch.start_us) / 1e6
    return None


def end_to_end(run: Run, facts: Facts, time: Time) -> Dimension:
    """Samples per epoch x completed epochs / total training time, which is given.

    Source: DeepSpark `six_dimension_howto_example.md`, which counts the label of the last
    epoch (64) where epochs 0 to 64 are 65: its figure is `example_count`.
    """
    unit = run.unit or "samples/s"
    samples = facts.count("samples_per_epoch")
    labels = Labels.of(run.over()) if run.has_epochs else None
    epochs = labels.size if labels is not None else 0
    details: dict[str, Json] = {"epochs": epochs}
    over = run.ended or run.end is not None
    if not over:
        return Dimension(None, unit, State.WAITING, "waits for the total training time", details)
    if samples is None and time.seconds and run.end is not None and run.end.throughput is not None:
        details |= {"seconds": time.seconds, "clock": time.clock, "stated": "closing line"}
        line = Evidence((run.end.at.line,))
        return Dimension(run.end.throughput, run.end.unit, State.FINAL, "", details, line)
    if samples is None:
        reason = "the log does not say how many samples an epoch has: --samples-per-epoch N"
        return Dimension(None, unit, State.UNKNOWN, reason, details)
    if reason := _no_pace(labels, time):
        return Dimension(None, unit, State.UNKNOWN, reason, details)
    assert time.seconds and labels
    details["seconds"], details["clock"] = time.seconds, time.clock
    if labels.last != epochs and time.clock == "printed total":
        details["example_count"] = samples * labels.last / time.seconds
    printed = run.end is not None and run.end.duration is not None
    lines = (run.end.at.line,) if run.end is not None and printed else ()
    return Dimension(
        samples * epochs / time.seconds,
        unit,
        State.FINAL if printed else State.SHORT,
        "" if printed else f"the log prints no total training time: {time.clock}",
        details,
        Evidence(lines),
    )


def _no_pace(labels: Labels | None, time: Time) -> str:
    """Why these epochs and this time make no end-to-end speed; empty where they do."""
    if labels is None:
        return "the log names no completed epoch"
    if not labels.gapless:
        return f"the log holds {labels.size} of the epochs {labels.lowest} to {labels.highest}"
    return "" if time.seconds else "the log carries no total time"
