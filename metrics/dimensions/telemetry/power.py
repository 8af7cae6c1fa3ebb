"""Power: mean of the GPUs' power readings during stable training, in watts.

DeepSpark (six_dimension_howto.md): readings of the vendor's tool, averaged; the worked example
takes (161 + 169 + 161 + 174 + 163) / 5 = 165.6 W on one GPU.

Beside it stands energy for work done: joules an epoch and a sample, samples a joule, watt-hours to
the target. Every figure is the job's: the energy of the measured devices x devices that train /
devices measured. There is one only if the readings span the epochs that it is divided by; otherwise
a sentence says what is missing.

Source of the definitions: joules are the difference of the devices' own counters, else the
trapezoid integral of their power; 1 Wh = 3600 J.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from sixdim.metrics.dimensions.telemetry.averages import WHOLE, Averages, Selection, too_many
from sixdim.metrics.fold.devices.device import DeviceSums, Window
from sixdim.metrics.fold.devices.telemetry import TelemetryFold
from sixdim.metrics.values.card import Dimension, Json, finite

LEAST_SPANNED = 0.9
"""Energy of a smaller share of the window is not divided by the work of the window."""

J_PER_WH = 3600.0


@dataclass(frozen=True, slots=True)
class Work:
    """The work that was done inside the window, by the log.

    Attributes:
        epochs: Number of its epochs; None while one of them is running.
        seconds: Seconds from its first iteration to its last; None without times.
        samples_per_epoch: Samples of the whole job in an epoch, where known.
        to_target: First epoch of the run and the one that met the target; None before that.
        to_target_s: Seconds from the first to the end of the second, where known.
        to_target_reason: Why the energy up to the target is not known; empty if it may be.
        reason: Why no energy can be divided by the work; empty if it may be.
    """

    epochs: int | None = None
    seconds: float | None = None
    samples_per_epoch: int | None = None
    to_target: Window | None = None
    to_target_s: float | None = None
    to_target_reason: str = ""
    reason: str = ""


NO_WORK = Work()


def power(fold: TelemetryFold, selection: Selection = WHOLE, work: Work = NO_WORK) -> Dimension:
    """Returns mean watts per device, with energy where the readings have times or a counter.

    The value is the mean of each device's plain mean of readings. Beside it stand, each under
    its own name: the time-weighted mean (trapezoid rule, gaps left out), joules of the chosen
    devices (the devices' own counter's difference over the window where there is one, else the
    integral), the job's watts (`value` x `devices_in_job`) where that count is known, and the
    energy of its epochs and samples if the log says what `work` was done in the window.
    """
    of = Averages(fold, "power_w", selection, work.seconds)
    details = of.details()
    details["per_device"] = [
        {**row, "energy_j": finite(d.energy_j), "energy_method": d.energy_method or None}
        for row, d in zip(of.per_device(), of.measured, strict=True)
    ]
    details |= _energy(of)
    details |= _energy_of_work(fold, of, work)
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
    joules = _joules_of(of.measured)
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


def _joules_of(devices: Sequence[DeviceSums]) -> float | None:
    """Returns the joules of devices together; None without devices, or if one has no figure."""
    joules = [d.energy_j for d in devices if d.energy_j is not None]
    return math.fsum(joules) if joules and len(joules) == len(devices) else None


def _job_joules(
    fold: TelemetryFold, of: Averages, window: Window | None, seconds: float | None
) -> tuple[float | None, str]:
    """Returns the joules of the whole job over a window, or None and why they are unknown.

    Args:
        fold: The readings.
        of: The power of the devices whose energy counts.
        window: Epochs, both ends included; None for a recording that knows none.
        seconds: The window's length by the log, where known.
    """
    if window is None:
        return None, "the recording knows no epochs"
    measured = {(d.latest.host, d.latest.device) for d in of.measured}
    chosen = fold.window(window, of.selection.devices)
    devices = [d for d in chosen if (d.latest.host, d.latest.device) in measured]
    joules, in_job = _joules_of(devices), of.selection.devices_in_job
    if joules is None:
        return None, "a device has neither energy nor times"
    if in_job is None:
        return None, "the devices of the job are not known: --devices N"
    if surplus := too_many(of.represented, in_job):
        return None, surplus
    if unread := _unread(fold.epochs(), window):
        return None, f"no readings in {unread}"
    share = min(_spanned(d, seconds) for d in devices)
    if share < LEAST_SPANNED:
        return None, f"the readings stand for {share:.0%} of the time only"
    return joules * in_job / of.represented, ""


def _spanned(device: DeviceSums, seconds: float | None) -> float:
    """Returns the share of the window's time that a device's energy stands for.

    A counter counts through gaps between readings but not through its own resets; an integral
    leaves gaps out. Without the window's `seconds` by the log, the readings' own span is the whole.
    """
    whole = seconds or device.span_s
    if not whole or device.span_s is None:
        return 0.0
    if device.energy_method == "counter":
        return min(1.0, device.counted_s / whole)
    return min(1.0, device.quantities["power_w"].weighted().covered_s / whole)


def _energy_of_work(fold: TelemetryFold, of: Averages, work: Work) -> dict[str, Json]:
    """Returns the energy figures of the power dimension over its window, or why there are none."""
    if work.reason and of.measured:
        return {"energy_per_epoch_reason": work.reason}
    if work.epochs is None or not of.measured:
        return {}
    joules, reason = _job_joules(fold, of, of.window, work.seconds)
    if joules is None:
        return {"energy_per_epoch_reason": reason}
    basis = f"{of.represented} of {of.selection.devices_in_job} devices"
    out: dict[str, Json] = {"job_energy_j": finite(joules), "job_energy_basis": basis}
    each, samples = _ratio(joules, work.epochs), work.samples_per_epoch
    out["joules_per_epoch"] = each
    if samples is None:
        out["joules_per_sample_reason"] = "the samples of an epoch are not known"
    elif each is not None:
        out["joules_per_sample"] = _ratio(each, samples)
        out["samples_per_joule"] = _ratio(samples, each)
    if work.to_target_reason:
        out["wh_to_target_reason"] = work.to_target_reason
    if work.to_target is not None:
        joules, reason = _job_joules(fold, of, work.to_target, work.to_target_s)
        if joules is None:
            out["wh_to_target_reason"] = reason
        else:
            out["wh_to_target"] = finite(joules / J_PER_WH)
    return out


def _ratio(above: float, below: float) -> float | None:
    """Returns the quotient; None if the divisor is 0."""
    return finite(above / below) if below > 0 else None


def _unread(epochs_read: Sequence[int], window: Window) -> str:
    """Names the epochs of a window without readings; empty if each has some."""
    read = {e for e in epochs_read if window[0] <= e <= window[1]}
    size = window[1] - window[0] + 1
    if len(read) == size:
        return ""
    if size - len(read) > 1:
        return f"{size - len(read)} of {size} epochs"
    return f"epoch {next(epoch for epoch in count(window[0]) if epoch not in read)}"
