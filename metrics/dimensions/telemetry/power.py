"""Power: mean of the GPUs' power readings during stable training, in watts.

DeepSpark (six_dimension_howto.md): readings of the vendor's tool, averaged; the worked example
takes (161 + 169 + 161 + 174 + 163) / 5 = 165.6 W on one GPU.
"""

from __future__ import annotations

from sixdim.metrics.dimensions.telemetry.averages import WHOLE, Averages, Selection
from sixdim.metrics.dimensions.telemetry.energy import NO_WORK, Work, energy_details, joules_of
from sixdim.metrics.fold.devices.telemetry import TelemetryFold
from sixdim.metrics.values.card import Dimension, Json, finite


def power(fold: TelemetryFold, selection: Selection = WHOLE, work: Work = NO_WORK) -> Dimension:
    """Returns mean watts per device, with energy where the readings have times or a counter.

    The value is the mean of each device's plain mean of readings. Beside it stand, each under
    its own name: the time-weighted mean (trapezoid rule, gaps left out), joules of the chosen
    devices (the devices' own counter's difference over the window where there is one, else the
    integral), the job's watts (`value` x `devices_in_job`) where that count is known, and the
    energy of its epochs and samples if the log says what `work` was done in the window
    (`metrics.dimensions.telemetry.energy`).
    """
    of = Averages(fold, "power_w", selection, work.seconds)
    details = of.details()
    details["per_device"] = [
        {**row, "energy_j": finite(d.energy_j), "energy_method": d.energy_method or None}
        for row, d in zip(of.per_device(), of.measured, strict=True)
    ]
    details |= _energy(of)
    details |= energy_details(fold, of, work)
    details |= of.missing(("power_w", "energy_j"))
    if faults := _faults(of):
        details["faults"] = faults
    return of.dimension("W", details)


def _faults(of: Averages) -> list[Json]:
    """Returns how often a fault held the clocks of a device down."""
    return [
        {"device": d.label, "reason": reason, "count": count, "readings": d.readings}
        for d in of.measured
        for reason, count in sorted(d.faults.items())
    ]


def _energy(of: Averages) -> dict[str, Json]:
    """Returns the joules of the measured devices together, if every one of them has a figure."""
    joules = joules_of(of.measured)
    if joules is None:
        return {}
    methods = sorted({d.energy_method for d in of.measured})
    out: dict[str, Json] = {
        "energy_j": finite(joules),
        "energy_method": " and ".join(methods),
        "energy_scope": "the devices listed",
    }
    if any(d.counter_j is not None and d.energy_method == "integral" for d in of.measured):
        out["energy_reason"] = "the counter covers less of the window than the power readings"
    if resets := sum(d.counter_resets for d in of.measured):
        out["counter_resets"] = resets
    if jumps := sum(d.clock_jumps for d in of.measured):
        out["clock_jumps"] = jumps
    return out
