"""Figures that cannot be, as other figures of the card contradict them: they are n/a."""

from __future__ import annotations

from sixdim.metrics.card.checks import SAMPLES
from sixdim.metrics.dimensions.speed.epoch_figures import Sizes
from sixdim.metrics.dimensions.speed.epoch_speed import method_of
from sixdim.metrics.dimensions.times import PRINTED_PART, STAMPED_PART, run_time, time_to_train
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.card import Caution, Dimension
from sixdim.parsers.events import Scope

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
