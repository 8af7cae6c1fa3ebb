"""Figures that cannot be, or are doubtful, as other figures of the run contradict them."""

import math
from collections.abc import Iterator

from sixdim.metrics.dimensions.speed.epoch_figures import Sizes
from sixdim.metrics.dimensions.speed.epoch_speed import OF_LINES, SINCE_START, method_of
from sixdim.metrics.dimensions.times import (
    COARSE_S,
    PRINTED_PART,
    STAMPED_PART,
    run_time,
    time_to_train,
)
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.card import Caution, Dimension
from sixdim.parsers.events import Scope

COUNTED = ("img/s", "images/s", "samples/s")
SAMPLES = (*COUNTED, "sequences/s")
"""Units of throughputs in samples."""
_FAR = 2.0
"""By this factor a printed time may differ: a loop may leave out what loading the data takes."""
_ROUNDED = 1.02
_SECOND = 1.0


def beyond_plan(facts: Facts, epochs: int | None) -> Caution | None:
    """Returns a warning if more epochs are over than the run means to train."""
    planned = facts.count("epochs_planned")
    if epochs is None or planned is None or epochs <= planned:
        return None
    text = f"{epochs} epochs are over, and {planned} were planned: labels of two counts are mixed?"
    return Caution("more_than_planned", text)


def met_after_the_end(run: Run) -> Caution | None:
    """Returns a warning if the target was met after the end of the run: the log has two clocks."""
    total, met = run_time(run), run.freeze.met
    if met is None or run.end is None or total.clock in (PRINTED_PART, STAMPED_PART):
        return None
    until, whole = time_to_train(run).seconds, total.seconds
    if until is None or whole is None or until <= whole + _SECOND:
        return None
    text = f"the target is met after {until:.0f} s of a run of {whole:.0f} s: two clocks?"
    return Caution("clocks_disagree", text, (met.line, run.end.at.line))


def faster_end_to_end(run: Run, facts: Facts, speed: Dimension, whole: Dimension) -> Caution | None:
    """Returns a warning if a run is faster than its fastest epoch, which cannot be."""
    devices = facts.count("devices") if speed.details["scope"] == Scope.DEVICE else 1
    rates = [value for value in speed.details.get("values", ()) if value is not None]
    if whole.value is None or devices is None or not rates:
        return None
    most = whole.value / _ROUNDED / devices
    if not {speed.unit, whole.unit} <= {*SAMPLES} or most <= max(rates):
        return None
    sizes = Sizes.of(facts)  # the epochs outside the window of the speed may be faster
    rates += [rate for _, rate in method_of(run, sizes).throughputs(run.rated(), sizes)]
    if most <= max(rates):
        return None
    text = (
        f"end to end {whole.value:g} {whole.unit} is more than {max(rates) * devices:g}, the "
        "fastest epoch: samples, epochs or time are not what they are said to be"
    )
    return Caution("end_to_end_faster", text, whole.evidence.lines)


def far_from_clock(run: Run, speed: Dimension) -> Iterator[Caution]:
    """Warns of a speed from the times on progress lines that the log's clock contradicts.

    A loop may print the time of one batch with every hundredth one, or that of a part of its work.
    """
    derived = str(speed.details.get("derived"))
    if speed.value is None or not (OF_LINES in derived or SINCE_START in derived):
        return
    found = [(epoch, epoch.clocked()) for epoch in run.rated(unfinished=True)]
    epochs = [epoch for epoch, spent in found if spent is not None]
    clocked = [spent for _, spent in found if spent is not None]
    sums = [epoch.lines.read().sums for epoch in epochs]
    passed = math.fsum(seconds for seconds, _ in clocked)
    iterations = sum(one.timed for one in sums)
    if passed < COARSE_S or not iterations:
        return
    by_clock = passed / sum(steps for _, steps in clocked)
    printed = math.fsum(one.seconds() for one in sums) / iterations
    if printed / _FAR <= by_clock <= printed * _FAR:
        return
    text = (
        f"the progress lines print {printed:.3g} s for an iteration, and the log's clock shows "
        f"{by_clock:.3g} s from one to the next: they print the time of single iterations, or of "
        "a part of the work, or the run paused"
    )
    yield Caution("times_disagree", text, (epochs[0].first_line, epochs[-1].last_line))
