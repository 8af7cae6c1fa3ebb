"""Folds readings of GPUs into what the cards ask for, epoch by epoch, in bounded memory.

Per device and epoch the fold keeps exact sums, never the readings. What lies between two
readings (an interval of time, a difference of the energy counter) belongs to the pair of
epochs it spans, and is in a window when both ends are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from sixdim.metrics.fold.device import MAX_EPOCHS, Device, Quantity
from sixdim.metrics.fold.gauge import US, Intervals, Levels, Weighted
from sixdim.metrics.values.exact import ExactSum
from sixdim.parsers.events import Reading

Window: TypeAlias = tuple[int, int]
"""First and last epoch label, both included."""

QUANTITIES = ("power_w", "memory_mib", "process_mib")
"""The fields of a reading that are averaged."""

SCOPES = ("run", "device")
"""Whose processes `process_mib` may be the sum of; see `Reading.process_scope`."""

MAX_REASONS = 16
"""Distinct reasons per device; later ones are counted together."""

MAX_DEVICES = 4096
"""Beyond these, and the epochs of one device, a journal is broken or hostile."""


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
        readings: Readings in the window, with or without values.
        span_s: Seconds from the window's first reading to its last; None without times.
        quantities: Each of `QUANTITIES`.
        scopes: Whose processes were summed, each of `SCOPES` that occurs, or empty where untold.
        counter_j: Joules by the device's own counter; None where it tells none.
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
    readings: int
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
        """Joules in the window: the counter's where it tells all of it, else the integral."""
        if self.energy_method == "counter":
            return self.counter_j
        return self.quantities["power_w"].weighted.area if self.energy_method else None

    @property
    def energy_method(self) -> str:
        """`counter`, `integral`, or empty where there is no energy.

        A counter that was reset, fell silent or stopped leaves out time that the power readings
        cover: the integral leaves out less.
        """
        covered_s = self.quantities["power_w"].weighted.covered_s
        if self.counter_j is not None and self.counted_s >= covered_s:
            return "counter"
        return "integral" if covered_s > 0 else ""

    def label(self) -> int | str:
        """The index, or host and index where a host is known."""
        return f"{self.host}/{self.device}" if self.host else self.device


Choice: TypeAlias = int | str
"""A device as a person names it: its index, or its UUID or the beginning of one."""


def names(choice: Choice, index: int, uuid: str) -> bool:
    """Whether a choice means this device."""
    return choice == index if isinstance(choice, int) else uuid.startswith(choice)


class TelemetryFold:
    """Every reading of a run, folded.

    Args:
        interval_s: Seconds between readings as the source declares them; None takes the
            median of what is seen.

    Attributes:
        readings: Readings applied.
        labelled: Whether any reading carried an epoch.
    """

    def __init__(self, interval_s: float | None = None) -> None:
        self.interval_s = interval_s
        self.readings = 0
        self.labelled = False
        self._devices: dict[tuple[str, int], Device] = {}

    def apply(self, reading: Reading) -> None:
        """Folds one reading in."""
        device = self._device(reading)
        if device is None:
            return
        self.readings += 1
        self.labelled = self.labelled or reading.epoch is not None
        epoch, time_us = reading.epoch, reading.time_us
        before = device.latest
        if reading.uuid and before.uuid and reading.uuid != before.uuid:
            # Another board took the index: its counter is another.
            device.counter.last = None
            device.counter.still_us.clear()
        if time_us is not None and before.time_us is not None and time_us < before.time_us:
            device.clock_jumps[epoch] += 1
        device.latest = _named(reading, before)
        device.seen[epoch] = device.seen.get(epoch, 0) + 1
        if time_us is not None:
            first, last = device.times.get(epoch, (time_us, time_us))
            device.times[epoch] = (min(first, time_us), max(last, time_us))
        for name, quantity in device.quantities.items():
            value: float | None = getattr(reading, name)
            if value is not None:
                quantity.add(epoch, time_us, value)
        if reading.process_mib is not None:
            scope = reading.process_scope if reading.process_scope in SCOPES else ""
            device.scopes.add((epoch, scope))
        if reading.energy_j is not None:
            device.counter.add(epoch, time_us, reading.energy_j)
        for what in reading.missing:
            known = what in device.missing or len(device.missing) < MAX_REASONS
            reason = what if known else ("several fields", "several reasons")
            device.missing.setdefault(reason, Counter())[epoch] += 1

    def latest(self) -> tuple[Reading, ...]:
        """The last reading of each device, in the order of host and index."""
        return tuple(device.latest for _, device in sorted(self._devices.items()))

    def epochs(self) -> tuple[int, ...]:
        """Every epoch label that readings carried, in order."""
        return tuple(sorted({e for d in self._devices.values() for e in d.seen if e is not None}))

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
        return tuple(self._windows(window, devices))

    def _windows(
        self, window: Window | None, devices: Sequence[Choice] | None
    ) -> Iterator[DeviceWindow]:
        for (host, index), device in sorted(self._devices.items()):
            chosen = devices is None or any(
                names(choice, index, device.latest.uuid) for choice in devices
            )
            if not chosen:
                continue
            steps = [s for span, s in device.counter.steps.items() if _spans(span, window)]
            joules = ExactSum()
            for step in steps:
                joules.merge(step)
            times = [t for epoch, t in device.times.items() if _inside(epoch, window)]
            yield DeviceWindow(
                host=host,
                device=index,
                name=device.latest.name,
                uuid=device.latest.uuid,
                source=device.latest.source,
                readings=sum(n for epoch, n in device.seen.items() if _inside(epoch, window)),
                span_s=(max(t[1] for t in times) - min(t[0] for t in times)) / US
                if times
                else None,
                quantities={
                    name: self._quantity(quantity, window)
                    for name, quantity in device.quantities.items()
                },
                scopes=tuple(sorted({s for e, s in device.scopes if _inside(e, window)})),
                # A counter that stands still tells nothing: a powered board always draws.
                counter_j=joules.sum() if steps and joules.sum() > 0 else None,
                counted_s=sum(
                    us for span, us in device.counter.counted_us.items() if _spans(span, window)
                )
                / US,
                counter_resets=_counted(device.counter.resets, window),
                clock_jumps=_counted(device.clock_jumps, window),
                missing=tuple(
                    (name, why, count)
                    for (name, why), epochs in sorted(device.missing.items())
                    if (count := _counted(epochs, window))
                ),
            )

    def _quantity(self, quantity: Quantity, window: Window | None) -> QuantityWindow:
        levels, intervals = Levels(), Intervals()
        for epoch, more in quantity.levels.items():
            if _inside(epoch, window):
                levels.merge(more)
        for span, others in quantity.spans.items():
            if _spans(span, window):
                intervals.merge(others)
        return QuantityWindow(
            levels.total.count, levels.total.mean(), levels.peak, intervals.weigh(self.interval_s)
        )

    def _device(self, reading: Reading) -> Device | None:
        key = (reading.host, reading.device)
        device = self._devices.get(key)
        if device is None:
            if len(self._devices) >= MAX_DEVICES:
                return None
            device = Device(reading, {name: Quantity() for name in QUANTITIES})
            self._devices[key] = device
        elif reading.epoch not in device.seen and len(device.seen) >= MAX_EPOCHS:
            return None
        return device


def _counted(epochs: Counter[int | None], window: Window | None) -> int:
    """How often something happened in a window."""
    return sum(count for epoch, count in epochs.items() if _inside(epoch, window))


def _inside(epoch: int | None, window: Window | None) -> bool:
    return window is None or (epoch is not None and window[0] <= epoch <= window[1])


def _spans(span: tuple[int | None, int | None], window: Window | None) -> bool:
    return _inside(span[0], window) and _inside(span[1], window)


def _named(reading: Reading, before: Reading) -> Reading:
    """A lost device does not tell its name: the one last known stays."""
    if reading.name or not before.name:
        return reading
    return reading._replace(name=before.name, uuid=reading.uuid or before.uuid)
