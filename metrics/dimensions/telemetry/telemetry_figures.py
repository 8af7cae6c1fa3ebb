"""Power and memory over the stable part of training.

The window runs from the first epoch of the speed window to the freeze. Power and memory may
rest on different recordings, as in DeepSpark's worked example.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from sixdim.metrics.dimensions.clock_coverage import begins_late
from sixdim.metrics.dimensions.speed.speed_window import by_label, speed_window, wanted_labels
from sixdim.metrics.dimensions.times import BEGUN_BEFORE
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.card import Dimension, unknown
from sixdim.metrics.values.settings import Settings

if TYPE_CHECKING:
    from sixdim.metrics.dimensions.telemetry.power import Work
    from sixdim.metrics.fold.devices.telemetry import TelemetryFold
    from sixdim.metrics.values.series import SeriesView
    from sixdim.parsers.reading import Reading

_REPEATED = "the run was resumed: readings of epochs that were trained again count twice"
IDLE = "no record of training was read"
NEEDS_READINGS = "needs GPU readings: --telemetry FILE"
_OF_MEMORY = ("memory_mib", "memory_total_mib", "process_mib", "process_scope")
"""The fields of a reading that memory rests on."""


class Telemetry(NamedTuple):
    """The readings beside a run.

    Attributes:
        power: Readings that power rests on.
        memory: Readings that memory rests on; the same fold where one recording has both.
        reason: Why there are no readings.
        series: The readings of each device over the run, where curves are drawn; see
            `metrics.fold.devices.device_series`.
        notes: Remarks on how the recordings were read.
    """

    power: TelemetryFold | None = None
    memory: TelemetryFold | None = None
    reason: str = NEEDS_READINGS
    series: tuple[SeriesView, ...] = ()
    notes: tuple[str, ...] = ()

    def latest(self) -> tuple[Reading, ...]:
        """Returns the newest reading of each device: its memory is that which memory rests on."""
        power = self.power.latest() if self.power is not None else ()
        if self.memory is None or self.memory is self.power:
            return power
        devices = {(reading.host, reading.device): reading for reading in power}
        for reading in self.memory.latest():
            known = devices.get((reading.host, reading.device), reading._replace(power_w=None))
            of_memory = {field: getattr(reading, field) for field in _OF_MEMORY}
            devices[reading.host, reading.device] = known._replace(**of_memory)
        return tuple(reading for _, reading in sorted(devices.items()))


def telemetry_figures(
    telemetry: Telemetry, run: Run, settings: Settings, facts: Facts
) -> dict[str, Dimension]:
    """Returns power and memory, by name."""
    figures = {"power": unknown(telemetry.reason, "W"), "memory": unknown(telemetry.reason, "MiB")}
    if telemetry.power is None and telemetry.memory is None:
        return figures
    from sixdim.metrics.dimensions.telemetry.averages import (
        Selection,  # most logs come without readings
    )
    from sixdim.metrics.dimensions.telemetry.memory import memory
    from sixdim.metrics.dimensions.telemetry.power import power

    if not run.started:  # the power of idle devices is not that of the run
        return {n: unknown(IDLE, one.unit, over=run.is_final) for n, one in figures.items()}
    window = stable_epochs(run, settings)
    devices, in_job = settings.telemetry_devices, facts.count("devices")
    part = _why_part(run, settings)
    chosen = Selection(window, devices, in_job, telemetry.reason, run.is_final, part)
    if telemetry.power is not None:
        figures["power"] = power(telemetry.power, chosen, _work(run, window, facts))
    if telemetry.memory is not None:
        seconds = log_seconds(run, window) if window is not None else None
        figures["memory"] = memory(telemetry.memory, chosen, seconds)
    return figures


def _work(run: Run, window: tuple[int, int] | None, facts: Facts) -> Work:
    """Returns the work that was done inside the window and up to the target, by the log."""
    from sixdim.metrics.dimensions.telemetry.power import Work

    if window is None or not run.is_final:
        return Work()
    if run.repeated is not None and _overlap(run.repeated, window):
        return Work(reason=_REPEATED)
    inside = sum(window[0] <= label <= window[1] for label in run.completed())
    met = None if run.freeze.met is None else run.freeze.met.epoch
    whole = None if met is None else (min(run.epochs, default=met), met)
    missing = ""
    if whole is not None and begins_late(run):
        whole, missing = None, BEGUN_BEFORE.clock
    elif whole is not None and run.repeated is not None and _overlap(run.repeated, whole):
        whole, missing = None, _REPEATED
    return Work(
        epochs=inside if inside == window[1] - window[0] + 1 else None,
        seconds=log_seconds(run, window),
        samples_per_epoch=facts.count("samples_per_epoch"),
        to_target=whole,
        to_target_s=log_seconds(run, whole) if whole is not None else None,
        to_target_reason=missing,
    )


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Returns whether two ranges, both ends included, have a label in common."""
    return one[0] <= other[1] and other[0] <= one[1]


def log_seconds(run: Run, window: tuple[int, int]) -> float | None:
    """Returns seconds of a window of epochs, by the log's clock, else by printed durations.

    None where an epoch is missing, or the log has neither.
    """
    first, last = window
    labels, count = range(first, last + 1), last + 1 - first
    if count < 1 or sum(label in labels for label in run.epochs) < count:
        return None
    begin_us, end_us = run.epochs[first].start_us, run.epochs[last].end_us
    if begin_us is not None and end_us is not None and end_us > begin_us:
        return (end_us - begin_us) / 1e6
    by_epoch = zip(run.epochs, run.durations("epoch_time"), strict=True)
    printed = [seconds for label, seconds in by_epoch if label in labels and seconds is not None]
    return math.fsum(printed) if len(printed) == count else None


def stable_epochs(run: Run, settings: Settings) -> tuple[int, int] | None:
    """Returns the first and last epoch whose readings count; None before any epoch.

    A log without any epoch of the speed window has the readings of all its epochs, whether or not
    these have a throughput; if none of its epochs is over, those of the one that is not.
    """
    window, over = speed_window(run, settings), run.completed(frozen=True)
    first = window.wanted[0]
    if window.fallback:
        first = window.epochs[0].label
    elif run.is_final and settings.window is None and not any(e in window.wanted for e in over):
        first = min(over or run.epochs, default=first)
    if run.freeze.met is not None:
        last = run.freeze.met.epoch
    elif run.is_final:
        last = max(over or run.epochs, default=None)
    else:
        last = run.current
    return None if last is None else (first, max(first, last))


def _why_part(run: Run, settings: Settings) -> str:
    """Returns why the epochs of a final figure are not all that the speed window asks for."""
    if not run.is_final or not by_label(settings):
        return ""
    if run.stepwise:
        return "the log has no epochs: over the whole run"
    wanted = wanted_labels(settings.protocol, settings.window, run)
    if sum(label in wanted for label in run.completed(frozen=True)) == len(wanted):
        return ""
    before = " before the target was met" if run.frozen else ""
    return f"epochs {wanted[0]} to {wanted[-1]} were not all trained{before}"
