"""End-to-end speed: all samples that were trained on / the total training time."""

import math
from collections.abc import Sequence

from sixdim.metrics.dimensions.clock_coverage import gapless, part_begin
from sixdim.metrics.dimensions.times import (
    PRINTED_PART,
    PRINTED_TOTAL,
    STAMPED_PART,
    TIMESTAMPS,
    Time,
    of_more_epochs,
)
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.card import Dimension, Evidence, Json, State, unknown

_NOT_OF_SAMPLES = ("tokens/s", "words/s", "it/s")


def end_to_end(run: Run, facts: Facts, time: Time) -> Dimension:
    """Returns samples per epoch x epochs / total training time, which is given.

    Source: DeepSpark `six_dimension_howto_example.md`, which counts the label of the last
    epoch (64) where epochs 0 to 64 are 65: its figure is `example_count`.
    """
    unit = "samples/s" if not run.unit or run.unit in _NOT_OF_SAMPLES else run.unit
    labels, epochs = _trained(run, time)
    number: float | None = int(epochs) if epochs == int(epochs) else epochs
    details: dict[str, Json] = {"epochs": number if labels or epochs > 0 else None}
    if not run.is_over:
        return unknown("waits for the total training time", unit, details, over=False)
    per_epoch, stated = facts.count("samples_per_epoch"), run.end.samples if run.end else None
    if per_epoch is None and stated is None and (closing := _of_closing_line(run, time, details)):
        return closing
    if reason := _why_unknown(run, time, labels, epochs, per_epoch, stated):
        return unknown(reason, unit, details)
    assert time.seconds
    samples = stated if stated is not None else (per_epoch or 0) * epochs
    details["seconds"], details["clock"] = time.seconds, time.clock
    printed = time.clock in (PRINTED_TOTAL, PRINTED_PART)
    if stated is not None:
        details["samples"] = stated
    elif printed and labels and labels[-1] != epochs == len(labels):
        details["example_count"] = (per_epoch or 0) * labels[-1] / time.seconds
    state, reason = State.FINAL, ""
    if not printed:
        state, reason = State.SHORT, f"the log prints no total training time: {time.clock}"
    lines = (run.end.at.line,) if run.end is not None and printed else ()
    return Dimension(samples / time.seconds, unit, state, reason, details, Evidence(lines))


def _of_closing_line(run: Run, time: Time, details: dict[str, Json]) -> Dimension | None:
    """Returns the rate of the whole training that the closing line states; None if it has none."""
    end = run.end
    if end is None or end.throughput is None or not time.seconds:
        return None
    details |= {"seconds": time.seconds, "clock": time.clock, "stated": "closing line"}
    line = Evidence((end.at.line,))
    return Dimension(end.throughput, end.unit, State.FINAL, "", details, line)


def _trained(run: Run, time: Time) -> tuple[Sequence[int], float]:
    """Returns the labels of the epochs that are over, and how many were trained in a time.

    There are no labels where the log names none, and the number includes the part of the last one.
    A printed total, or the log's clock, of a resumed run counts since the run was last resumed.
    Such a time includes an epoch that was cut short; summed durations are those of whole epochs.
    """
    if not run.has_epochs:
        return (), 0
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
        return over, run.end.epochs
    passing = (PRINTED_TOTAL, PRINTED_PART, TIMESTAMPS, STAMPED_PART)
    counted = names if time.clock in passing else over
    shares = (part[label].share() if label in part else 1.0 for label in counted)
    return over or names, math.fsum(shares)


def _why_unknown(
    run: Run,
    time: Time,
    labels: Sequence[int],
    epochs: float,
    per_epoch: int | None,
    stated: int | None,
) -> str:
    """Returns why samples and time give no end-to-end speed; empty where they do.

    The samples are those of an epoch, or those of the whole training that the log states.
    """
    if stated is None:
        if per_epoch is None:
            return "the log does not say how many samples an epoch has: --samples-per-epoch N"
        if of_more_epochs(run, time):
            return "the log begins late: its total may be that of more epochs than it holds"
        if not labels or not epochs:
            return "the log names no completed epoch"
        if not gapless(labels):
            return f"the log holds {len(labels)} of the epochs {min(labels)} to {max(labels)}"
    return "" if time.seconds else "the log carries no total time"
