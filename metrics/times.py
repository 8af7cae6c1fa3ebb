"""Time to train, run time and end-to-end speed, each under its own name and clock.

Time to train runs from the first training iteration to the first evaluation that meets the
target; run time to the end of the log. The clock is the log's own timestamps where it has
them, else summed durations, and the figure says which.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from metrics.card import Dimension, Evidence, Json, State
from metrics.facts import Facts
from metrics.run import Run
from metrics.settled import AnyEpoch


class Time(NamedTuple):
    """A duration and the clock it was read from.

    Attributes:
        seconds: None where the log carries no time for it.
        clock: `log timestamps`, `printed total`, `summed epoch durations`, ….
    """

    seconds: float | None
    clock: str


NO_TIME = Time(None, "the log carries no time")


def time_to_train(run: Run) -> Time:
    """Seconds from the first iteration to the evaluation that met the target."""
    if run.freeze is None:
        return NO_TIME
    met_us = run.freeze.event.at.time_us
    if met_us is not None and run.clock_start_us is not None:
        return _between(run.clock_start_us, met_us)
    if run.freeze.epoch is None:
        return NO_TIME
    return _summed([e for e in run.epochs.values() if e.label <= run.freeze.epoch])


def run_time(run: Run) -> Time:
    """Seconds of the whole training."""
    if run.end is not None and run.end.duration is not None:
        return Time(run.end.duration, "printed total")
    return elapsed(run)


def elapsed(run: Run) -> Time:
    """Seconds since the first iteration, as far as the log has come."""
    if run.clock_start_us is not None and run.last_us is not None:
        return _between(run.clock_start_us, run.last_us)
    return _summed(run.completed())


def _between(begin_us: int, end_us: int) -> Time:
    if end_us < begin_us:
        return Time(None, "the log's clock runs backwards")
    return Time((end_us - begin_us) / 1e6, "log timestamps")


def _summed(epochs: list[AnyEpoch]) -> Time:
    if not epochs:
        return NO_TIME
    if not gapless(epochs):
        return Time(None, "epochs are missing in the log")
    whole = [e.epoch_time for e in epochs if e.epoch_time is not None]
    if len(whole) == len(epochs):
        return Time(math.fsum(whole), "summed epoch durations")
    training = [e.train_time for e in epochs if e.train_time is not None]
    if len(training) == len(epochs):
        return Time(math.fsum(training), "summed training passes, evaluations not included")
    return NO_TIME


def gapless(epochs: list[AnyEpoch]) -> bool:
    """Whether no label is missing between the first and the last: an excerpt is not a run."""
    labels = [epoch.label for epoch in epochs]
    return not labels or max(labels) - min(labels) < len(labels)


def median_epoch_seconds(run: Run) -> float | None:
    """Usual duration of an epoch, for projections; None where the log tells none."""
    seconds = sorted(
        s
        for e in run.completed()[-20:]
        if (s := e.epoch_time if e.epoch_time is not None else _clocked(e)) is not None
    )
    return seconds[len(seconds) // 2] if seconds else None


def _clocked(epoch: AnyEpoch) -> float | None:
    if epoch.train_time is not None:
        return epoch.train_time
    if epoch.start_us is not None and epoch.end_us is not None:
        return (epoch.end_us - epoch.start_us) / 1e6
    return None


def end_to_end(run: Run, facts: Facts) -> Dimension:
    """Samples per epoch x completed epochs / total training time.

    Source: DeepSpark `six_dimension_howto_example.md`, which counts the label of the last
    epoch (64) where epochs 0 to 64 are 65: its figure is `example_count`.
    """
    unit = run.unit or "samples/s"
    samples = facts.count("samples_per_epoch")
    completed = run.completed() if run.has_epochs else []
    epochs = len(completed)
    time = run_time(run)
    details: dict[str, Json] = {"epochs": epochs}
    over = run.ended or run.end is not None
    if not over:
        return Dimension(None, unit, State.WAITING, "waits for the total training time", details)
    if samples is None:
        reason = "the log does not say how many samples an epoch has: --samples-per-epoch N"
        return Dimension(None, unit, State.UNKNOWN, reason, details)
    if reason := _no_pace(completed, time):
        return Dimension(None, unit, State.UNKNOWN, reason, details)
    assert time.seconds
    details["seconds"], details["clock"] = time.seconds, time.clock
    label = completed[-1].label
    if label != epochs and time.clock == "printed total":
        details["example_count"] = samples * label / time.seconds
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


def _no_pace(epochs: list[AnyEpoch], time: Time) -> str:
    """Why these epochs and this time make no end-to-end speed; empty where they do."""
    if not epochs:
        return "the log names no completed epoch"
    if not gapless(epochs):
        labels = [epoch.label for epoch in epochs]
        return f"the log holds {len(epochs)} of the epochs {min(labels)} to {max(labels)}"
    return "" if time.seconds else "the log carries no total time"
