"""Averages one quantity over devices in a window, for power and memory."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sixdim.metrics.fold.devices.device import DeviceSums, Window
from sixdim.metrics.fold.devices.telemetry import Choice, TelemetryFold, names
from sixdim.metrics.values.card import Dimension, Json, State, finite, unknown
from sixdim.parsers.reading import BOARD_AT

LEAST_COVERAGE = 0.9
"""A mean over a smaller share of the window stands for a part of it only."""
NO_TIMES = "the readings carry no time"


class Selection(NamedTuple):
    """The readings that are averaged.

    Attributes:
        window: Epoch labels, both ends included; None for the whole recording. A recording
            without epochs is always averaged whole, and the card says so.
        devices: The devices; None takes every device that was read.
        devices_in_job: Number of devices that train, where known.
        reason: The reason to give if there is no reading at all.
        final: Whether all readings of the window were made.
        part: Why the window is only a part of what the method asks for; empty if it is not.
    """

    window: Window | None = None
    devices: Sequence[Choice] | None = None
    devices_in_job: int | None = None
    reason: str = ""
    final: bool = True
    part: str = ""


WHOLE = Selection()
"""All readings."""


class Averages:
    """One quantity over the chosen devices, as a dimension with its details.

    Args:
        fold: The readings; a recording that knows no epochs counts whole.
        quantity: Field of the reading, e.g. `power_w`.
        selection: The readings that are averaged.
        window_s: Seconds of the window by the log itself, where known: a monitor that came late
            covers its own readings wholly, and the window in part.

    Attributes:
        window: The window in force; None for the whole recording.
        chosen: The chosen devices that were seen, readable or not.
        measured: Those of them with a value in the window.
        gauges: The quantity on each of those.
        weighted: The same, weighted by time.
        lacking: Those without one, also as a part of a board whose value stands at another.
        represented: How many of the chosen devices the values are of.
        absent: Chosen devices that no reading names.
    """

    def __init__(
        self,
        fold: TelemetryFold,
        quantity: str,
        selection: Selection,
        window_s: float | None = None,
    ) -> None:
        self.selection, self.quantity, self.window_s = selection, quantity, window_s
        self.window = selection.window if fold.labelled else None
        self.chosen = fold.window(self.window, selection.devices)
        self.measured = [d for d in self.chosen if d.quantities[quantity].total.count]
        self.gauges = [d.quantities[quantity] for d in self.measured]
        self.weighted = [gauge.weighted() for gauge in self.gauges]
        owners = {(d.latest.host, d.latest.device) for d in self.measured}
        lacking = [d for d in self.chosen if not d.quantities[quantity].total.count]
        self.lacking = [d for d in lacking if self._owner(d) not in owners]
        self.represented = len(self.chosen) - len(self.lacking)
        seen = [(device.latest.device, device.latest.uuid) for device in self.chosen]
        self.absent = [
            choice
            for choice in selection.devices or ()
            if not any(names(choice, *one) for one in seen)
        ]

    def _owner(self, device: DeviceSums) -> tuple[str, int] | None:
        """Returns the device at which the value of a device's board stands, if it does."""
        for field, reason in device.missing:
            if field == self.quantity and reason.startswith(BOARD_AT):
                owner = reason.removeprefix(BOARD_AT)
                return (device.latest.host, int(owner)) if owner.isdecimal() else None
        return None

    @property
    def mean(self) -> float | None:
        """Mean of the devices' means of readings; for one device DeepSpark's plain mean.

        Where devices have equally many readings this is the mean of all readings; where they
        have not, a device that was lost for a while weighs as much as the others.
        """
        return _mean([gauge.total.mean() for gauge in self.gauges])

    @property
    def peak(self) -> float | None:
        """Highest value on any device; None without any."""
        peaks = (gauge.peak for gauge in self.gauges)
        return max((peak for peak in peaks if peak is not None), default=None)

    @property
    def covered_s(self) -> float:
        """Seconds of all devices together that are no gaps."""
        return math.fsum(one.covered_s for one in self.weighted)

    @property
    def coverage(self) -> float | None:
        """Share of the time between first and last reading that is no gap; None without times."""
        spans = [device.span_s for device in self.measured]
        if not spans or not all(spans):
            return None
        return min(1.0, self.covered_s / math.fsum(span or 0.0 for span in spans))

    @property
    def window_coverage(self) -> float | None:
        """Share of the log's own time in the window that no gap or late start leaves out.

        None where that time, or the readings' own, is not known.
        """
        known = self.measured and all(d.span_s is not None for d in self.measured)
        if not known or self.window is None or not self.window_s:
            return None
        return min(1.0, self.covered_s / (self.window_s * len(self.measured)))

    @property
    def interval_s(self) -> float | None:
        """Typical seconds between readings: the longest of the devices' own."""
        intervals = (one.interval_s for one in self.weighted)
        return max((one for one in intervals if one is not None), default=None)

    def dimension(self, unit: str, details: dict[str, Json]) -> Dimension:
        """Returns the dimension of the mean, with its state."""
        final = self.selection.final
        surplus = too_many(self.represented, self.selection.devices_in_job)
        if self.mean is None or surplus:
            return unknown(surplus or self._why_empty(), unit, over=final)
        reason = self._why_short()
        state = State.SHORT if reason else State.FINAL
        return Dimension(self.mean, unit, state if final else State.RUNNING, reason, details)

    def _why_short(self) -> str:
        """Returns why the mean is of less than the method asks for; empty if it is not."""
        if lacking := [*self.absent, *(d.label for d in self.lacking)]:
            why = self.refusals()
            return f"no readings of device {_listed(lacking)}" + (f" ({why})" if why else "")
        part = self.selection.part if self.window is not None else ""
        return "; ".join(filter(None, (part, self._partial())))

    def details(self) -> dict[str, Json]:
        """Returns the details that power and memory have in common."""
        window, in_job, mean = self.window, self.selection.devices_in_job, self.mean
        details: dict[str, Json] = {
            "devices": [d.label for d in self.measured],
            "readings": sum(gauge.total.count for gauge in self.gauges),
            "coverage": finite(self.coverage),
        }
        if self.coverage is None:
            timed = any(d.span_s is not None for d in self.measured)
            details["coverage_reason"] = "a device has a single reading" if timed else NO_TIMES
        details["window"] = f"epochs {window[0]}-{window[1]}" if window else "whole recording"
        if self.window_coverage is not None:
            details["window_s"] = self.window_s
            details["window_coverage"] = self.window_coverage
        shared = self.represented > len(self.measured)
        details["scope"] = "mean per board" if shared else "mean per device"
        details["method"] = "mean of readings"
        details["sources"] = sorted({d.latest.source for d in self.measured if d.latest.source})
        if self.interval_s is not None:
            details["interval_s"] = self.interval_s
            details["gaps"] = sum(one.gaps for one in self.weighted)
            details["gap_s"] = math.fsum(one.gap_s for one in self.weighted)
            details["time_weighted"] = finite(_mean([one.mean for one in self.weighted]))
        if in_job is not None and mean is not None:
            details["devices_in_job"] = in_job
            details["job_total"] = finite(mean * in_job * len(self.measured) / self.represented)
        return details

    def per_device(self) -> list[dict[str, Json]]:
        """Returns the figures of each measured device."""
        return [
            {
                "device": device.label,
                "value": finite(gauge.total.mean()),
                "readings": gauge.total.count,
                "peak": finite(gauge.peak),
                "time_weighted": finite(weighted.mean),
            }
            for device, gauge, weighted in zip(
                self.measured, self.gauges, self.weighted, strict=True
            )
        ]

    def missing(self, fields: Sequence[str]) -> dict[str, Json]:
        """Returns the detail of the fields that could not be read; empty if all could."""
        missing: list[Json] = [
            {"device": d.label, "field": field, "reason": reason, "count": count}
            for d in self.chosen
            for (field, reason), count in sorted(d.missing.items())
            if field in fields
        ]
        return {"missing": missing} if missing else {}

    def refusals(self) -> str:
        """Returns the known reasons why devices have no figure."""
        reasons = [
            f"device {d.label}: {reason}"
            for d in self.lacking
            for field, reason in sorted(d.missing)
            if field == self.quantity
        ]
        return "; ".join(reasons[:4]) + ("; …" if len(reasons) > 4 else "")

    def _why_empty(self) -> str:
        """Returns why there is no mean: nothing was read, or nothing in the window, or no field."""
        if why := self.refusals():
            return why
        if self.absent and not self.chosen:
            return f"no readings of device {_listed(self.absent)}"
        if self.chosen and self.window is not None:
            first, last = self.window
            if first == last and not self.selection.final:
                return f"no readings of epoch {first} yet"
            return f"no readings in epochs {first}-{last}"
        what = self.quantity.partition("_")[0]
        if self.chosen:
            return f"the readings have no {what}"
        return self.selection.reason or f"no {what} readings"

    def _partial(self) -> str:
        """Returns why the readings stand for a part of the window only; empty if they cover it.

        Two intervals may be missing, because readings seldom begin and end with the window.
        """
        share = self.window_coverage
        if share is None or self.window_s is None:
            return ""
        if self.window_s * (LEAST_COVERAGE - share) <= 2 * (self.interval_s or 0.0):
            return ""
        part = f"{100 * share:.0f} %" if share >= 0.01 else "less than 1 %"
        return f"the readings cover {part} of the window"


def too_many(read: int, in_job: int | None) -> str:
    """Returns why readings are of other devices than the job's, too; empty if they need not be."""
    if in_job is None or read <= in_job:
        return ""
    return f"{read} devices were read and {in_job} train: --gpus says which"


def _mean(values: Sequence[float | None]) -> float | None:
    """Returns the mean; None without values, or where one is unknown."""
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known and len(known) == len(values) else None


def _listed(labels: Iterable[int | str]) -> str:
    return ", ".join(str(label) for label in labels)
