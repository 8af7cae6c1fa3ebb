"""Folds readings of GPUs epoch by epoch, in bounded memory.

For each device and epoch it holds exact sums, never the readings (see
`metrics.fold.devices.device`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from sixdim.metrics.fold.devices.device import QUANTITIES, Device, Tally
from sixdim.metrics.fold.devices.gauge import US, Weighted
from sixdim.parsers.reading import Reading

Window: TypeAlias = tuple[int, int]
"""First and last epoch label, both included."""

MAX_DEVICES = 4096
"""Devices of which readings are added; a journal with more is broken."""


class QuantityWindow(NamedTuple):
    """One field of one device inside a window.

    Attributes:
        readings: How many readings had a value.
        mean: Plain mean of those, correctly rounded; None without any.
        peak: Largest of them.
        weighted: Time-weighted view of the same, gaps left out.
    """

    readings: int
    mean: float | None
    peak: float | None
    weighted: Weighted


class DeviceWindow(NamedTuple):
    """One device inside a window.

    Attributes:
        host: Host name, empty for this machine.
        device: Index as the source counts.
        name: Product name, as last read.
        uuid: Identity, as last read.
        source: Where the readings came from.
        span_s: Seconds from the window's first reading to its last; None without times.
        quantities: Each of `QUANTITIES`.
        scopes: Whose processes were summed, `run`, `device`, or empty where nothing says it.
        counter_j: Joules by the device's own counter; None where it does not rise.
        counted_s: Seconds of the window that the counter's differences cover.
        counter_resets: How often the counter fell or jumped.
        clock_jumps: How often time did not advance between readings.
        missing: (field, reason, count) of what could not be read.
    """

    host: str
    device: int
    name: str
    uuid: str
    source: str
    span_s: float | None
    quantities: dict[str, QuantityWindow]
    scopes: tuple[str, ...]
    counter_j: float | None
    counted_s: float
    counter_resets: int
    clock_jumps: int
    missing: tuple[tuple[str, str, int], ...]

    @property
    def energy_j(self) -> float | None:
        """Joules in the window: the counter's where it covers all of it, else the integral."""
        if self.energy_method == "counter":
            return self.counter_j
        return self.quantities["power_w"].weighted.area if self.energy_method else None

    @property
    def energy_method(self) -> str:
        """`counter`, `integral`, or empty where there is no energy.

        A counter that was reset or stopped leaves out time that the power readings cover: then the
        integral leaves out less.
        """
        covered_s = self.quantities["power_w"].weighted.covered_s
        if self.counter_j is not None and self.counted_s >= covered_s:
            return "counter"
        return "integral" if covered_s > 0 else ""

    def label(self) -> int | str:
        """The index, or host and index where a host is known."""
        return f"{self.host}/{self.device}" if self.host else self.device


Choice: TypeAlias = int | str
"""A device as the user names it: its index, or its UUID or the beginning of one."""


def names(choice: Choice, index: int, uuid: str) -> bool:
    """Whether a choice names this device."""
    return choice == index if isinstance(choice, int) else uuid.startswith(choice)


class TelemetryFold:
    """Every reading of a run, folded.

    Attributes:
        readings: Readings applied.
        labelled: Whether any reading carried an epoch.
    """

    def __init__(self) -> None:
        self.readings = 0
        self.labelled = False
        self._devices: dict[tuple[str, int], Device] = {}

    def apply(self, reading: Reading) -> None:
        """Folds one reading in."""
        key = (reading.host, reading.device)
        if key not in self._devices and len(self._devices) >= MAX_DEVICES:
            return
        if self._devices.setdefault(key, Device()).add(reading):
            self.readings += 1
            self.labelled = self.labelled or reading.epoch is not None

    def latest(self) -> tuple[Reading, ...]:
        """The last reading of each device, in the order of host and index."""
        return tuple(device.latest for _, device in sorted(self._devices.items()))

    def epochs(self) -> tuple[int, ...]:
        """Every epoch label that readings carried, in order."""
        ends = {begin for device in self._devices.values() for begin, _ in device.pairs}
        return tuple(sorted(label for label in ends if label is not None))

    def effective(self, window: Window | None) -> Window | None:
        """`window`, or None (all there is) where no reading knows its epoch."""
        return window if self.labelled else None

    def window(
        self, window: Window | None, devices: Sequence[Choice] | None = None
    ) -> tuple[DeviceWindow, ...]:
        """What was read inside a window, device by device.

        Args:
            window: Epochs, both ends included; None takes everything.
            devices: Indices or UUIDs to look at; None takes all.
        """
        return tuple(
            _window(device, window)
            for (_, index), device in sorted(self._devices.items())
            if devices is None or any(names(one, index, device.latest.uuid) for one in devices)
        )


def _window(device: Device, window: Window | None) -> DeviceWindow:
    """What was read of a device in the epochs of a window."""
    whole = Tally()
    for (first, last), tally in device.pairs.items():
        if _inside(first, window) and _inside(last, window):
            whole.merge(tally)
    latest, joules = device.latest, whole.joules.sum()
    return DeviceWindow(
        host=latest.host,
        device=latest.device,
        name=latest.name,
        uuid=latest.uuid,
        source=latest.source,
        span_s=(whole.times[1] - whole.times[0]) / US if whole.times else None,
        quantities={name: _quantity(whole, name) for name in QUANTITIES},
        scopes=tuple(sorted(whole.scopes)),
        # A counter that does not rise says nothing: a powered board always draws power.
        counter_j=joules if joules > 0 else None,
        counted_s=whole.counted_us / US,
        counter_resets=whole.resets,
        clock_jumps=whole.clock_jumps,
        missing=tuple((*what, count) for what, count in sorted(whole.missing.items())),
    )


def _quantity(of: Tally, name: str) -> QuantityWindow:
    levels = of.levels[name]
    total = levels.total
    return QuantityWindow(total.count, total.mean(), levels.peak, of.intervals[name].weigh())


def _inside(epoch: int | None, window: Window | None) -> bool:
    return window is None or (epoch is not None and window[0] <= epoch <= window[1])
