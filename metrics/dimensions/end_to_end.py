"""End-to-end speed: all samples that were trained on / the total training time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from sixdim.metrics.dimensions.times import (
    PRINTED_PART,
    PRINTED_TOTAL,
    STAMPED_PART,
    TIMESTAMPS,
    Time,
    gapless,
    of_more_epochs,
    part_begin,
)
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.card import Dimension, Evidence, Json, State

_NOT_OF_SAMPLES = ("tokens/s", "words/s", "it/s")


class Trained(NamedTuple):
    """The epochs that were trained in a time.

    Attributes:
        labels: Labels of the epochs that are over; empty where the log names none.
        epochs: Number of epochs, with the part of the last one.
    """

    labels: Sequence[int]
    epochs: float


def end_to_end(run: Run, facts: Facts, time: Time) -> Dimension:
    """Returns samples per epoch x epochs / total training time, which is given.

    Source: DeepSpark `six_dimension_howto_example.md`, which counts the label of the last
    epoch (64) where epochs 0 to 64 are 65: its figure is `example_count`.
    """
    unit = "samples/s" if not run.unit or run.unit in _NOT_OF_SAMPLES else run.unit
    per_epoch = facts.count("samples_per_epoch")
    stated = run.end.samples if run.end is not None else None
    labels, epochs = trained = _trained(run, time)
    known = bool(labels) or epochs > 0
    whole = int(epochs) if epochs == int(epochs) else epochs
    details: dict[str, Json] = {"epochs": whole if known else None}
    if not run.is_over:
        return Dimension(None, unit, State.WAITING, "waits for the total training time", details)
    end = run.end
    counted = per_epoch is not None or stated is not None
    if end is not None and end.throughput is not None and time.seconds and not counted:
        details |= {"seconds": time.seconds, "clock": time.clock, "stated": "closing line"}
        line = Evidence((end.at.line,))
        return Dimension(end.throughput, end.unit, State.FINAL, "", details, line)
    if not counted:
        reason = "the log does not say how many samples an epoch has: --samples-per-epoch N"
        return Dimension(None, unit, State.UNKNOWN, reason, details)
    if stated is None and of_more_epochs(run, time):
        reason = "the log begins late: its total may be that of more epochs than it holds"
        return Dimension(None, unit, State.UNKNOWN, reason, details)
    if reason := _no_pace(trained, time, stated):
        return Dimension(None, unit, State.UNKNOWN, reason, details)
    assert time.seconds
    details["seconds"], details["clock"] = time.seconds, time.clock
    samples = (per_epoch or 0) * epochs
    printed = time.clock in (PRINTED_TOTAL, PRINTED_PART)
    if stated is not None:
        samples = details["samples"] = stated
    elif labels and labels[-1] != epochs == len(labels) and printed:
        details["example_count"] = (per_epoch or 0) * labels[-1] / time.seconds
    lines = (run.end.at.line,) if run.end is not None and printed else ()
    return Dimension(
        samples / time.seconds,
        unit,
        State.FINAL if printed else State.SHORT,
        "" if printed else f"the log prints no total training time: {time.clock}",
        details,
        Evidence(lines),
    )


def _trained(run: Run, time: Time) -> Trained:
    """Returns the epochs that were trained in a time.

    A printed total, or the log's clock, of a resumed run counts since the run was last resumed.
    Such a time includes an epoch that was cut short; summed durations are those of whole epochs.
    """
    if not run.has_epochs:
        return Trained((), 0)
    names = [*run.epochs]
    if time.clock in (PRINTED_PART, STAMPED_PART):
        names = names[part_begin(run, run.part) :]
    part = {epoch.label: epoch for epoch in run.epochs.partial()}
    if any(run.epochs.column("ended")):
        # The log says which epochs are over: one that was cut and has no size does not count.
        gone = {label for label, epoch in part.items() if epoch.cut and not epoch.steps}
        names = [label for label in names if label not in gone]
    over = [label for label in names if label not in part or part[label].complete]
    if run.end is not None and run.end.epochs is not None:
        return Trained(over, run.end.epochs)
    passing = (PRINTED_TOTAL, PRINTED_PART, TIMESTAMPS, STAMPED_PART)
    counted = names if time.clock in passing else over
    shares = (part[label].share() if label in part else 1.0 for label in counted)
    return Trained(over or names, math.fsum(shares))


def _no_pace(trained: Trained, time: Time, samples: int | None) -> str:
    """Returns why these epochs and this time give no end-to-end speed; empty where they do."""
    labels = trained.labels
    if samples is None and (not labels or not trained.epochs):
        return "the log names no completed epoch"
    if samples is None and not gapless(labels):
        return f"the log holds {len(labels)} of the epochs {min(labels)} to {max(labels)}"
    return "" if time.seconds else "the log carries no total time"
