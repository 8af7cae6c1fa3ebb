"""The readings of one GPU, added up by epoch, and between neighbouring readings by pairs of them.

The values of a reading belong to the pair (its epoch, its epoch). An interval of time, or a
difference of the energy counter, between two readings belongs to the pair of their epochs. A window
holds the pairs of which both epochs lie inside.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TypeAlias

from sixdim.metrics.fold.devices.gauge import US, Gauge
from sixdim.metrics.values.exact import ExactSum
from sixdim.parsers.reading import RUN_GONE, Reading

QUANTITIES = ("power_w", "memory_mib", "process_mib")
"""The fields of a reading that are averaged."""
SCOPES = ("run", "shared", "device")
"""Whose processes `process_mib` may be the sum of; see `Reading.process_scope`."""
OWN_SCOPES = ("run", "shared")
"""Those of `SCOPES` in which only the run's own processes are summed."""
FAULTS = ("hardware slowdown", "thermal (software)", "thermal (hardware)", "power brake")
"""Reasons in `Reading.throttle` that tell of a fault: cooling, supply, or the board itself.

A board that is held at its power limit, or at clocks that somebody chose, is sound.
"""
MAX_BOARD_W = 10_000.0
"""No board draws this much: an energy counter that rises faster has jumped."""
MAX_PAIRS = 200_000
"""Most pairs of epochs; a journal with more is broken, and further readings are left out."""
MAX_REASONS = 16
"""Most distinct reasons of a device; further ones are counted together."""

Window: TypeAlias = tuple[int, int]
"""First and last epoch label, both included."""
Epochs: TypeAlias = tuple[int | None, int | None]
_State: TypeAlias = tuple[int | None, int | None, float]
"""Epoch, time in microseconds since 1970, and value of a field."""
_UNREAD = Reading(0)


@dataclass(slots=True)
class DeviceSums:
    """Sums over the readings of one device in some epochs.

    Attributes:
        latest: The device's newest reading, inside these epochs or not.
        readings: How many they are.
        times: Time of the first and the last, in microseconds since 1970; None without times.
        quantities: The values of each of `QUANTITIES`.
        joules: Differences of the energy counter.
        counted_us: Time that those differences cover.
        counter_resets: How often the counter fell or jumped.
        clock_jumps: How often the clock went back.
        scopes: Whose processes were summed: `run`, `device`, or empty where nothing says it.
        missing: How often a field could not be read, by field and reason.
        faults: How often the clocks were held down by one of `FAULTS`, by reason.
    """

    latest: Reading = _UNREAD
    readings: int = 0
    times: tuple[int, int] | None = None
    quantities: dict[str, Gauge] = field(default_factory=lambda: {q: Gauge() for q in QUANTITIES})
    joules: ExactSum = field(default_factory=ExactSum)
    counted_us: int = 0
    counter_resets: int = 0
    clock_jumps: int = 0
    scopes: set[str] = field(default_factory=set)
    missing: Counter[tuple[str, str]] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)

    def merge(self, other: DeviceSums) -> None:
        """Adds everything that `other` holds."""
        self.readings += other.readings
        if other.times is not None:
            self._add_times(*other.times)
        for name, gauge in other.quantities.items():
            self.quantities[name].merge(gauge)
        self.joules.merge(other.joules)
        self.counted_us += other.counted_us
        self.counter_resets += other.counter_resets
        self.clock_jumps += other.clock_jumps
        self.scopes |= other.scopes
        self.missing.update(other.missing)
        self.faults.update(other.faults)

    def add(self, reading: Reading) -> None:
        """Adds a reading, except for what lies between it and the one before."""
        self.readings += 1
        if reading.time_us is not None:
            self._add_times(reading.time_us, reading.time_us)
        if reading.process_mib is not None:
            self.scopes.add(reading.process_scope if reading.process_scope in SCOPES else "")
        self.faults.update(reason for reason in FAULTS if reason in reading.throttle)

    def _add_times(self, begin_us: int, end_us: int) -> None:
        first, last = self.times or (begin_us, end_us)
        self.times = min(first, begin_us), max(last, end_us)

    @property
    def label(self) -> int | str:
        """See `Reading.label`."""
        return self.latest.label

    @property
    def span_s(self) -> float | None:
        """Seconds from the first reading to the last; None without times."""
        return (self.times[1] - self.times[0]) / US if self.times else None

    @property
    def counted_s(self) -> float:
        """Seconds that the differences of the energy counter cover."""
        return self.counted_us / US

    @property
    def counter_j(self) -> float | None:
        """Joules by the device's own counter; None where it does not rise.

        A counter that does not rise says nothing: a powered board always draws power.
        """
        joules = self.joules.sum()
        return joules if joules > 0 else None

    @property
    def energy_j(self) -> float | None:
        """Joules: the counter's where it covers all of the readings, else the integral."""
        if self.energy_method == "counter":
            return self.counter_j
        return self.quantities["power_w"].weighted().area if self.energy_method else None

    @property
    def energy_method(self) -> str:
        """`counter`, `integral`, or empty where there is no energy.

        A counter that was reset or stopped leaves out time that the power readings cover: then the
        integral leaves out less.
        """
        covered_s = self.quantities["power_w"].weighted().covered_s
        if self.counter_j is not None and self.counted_s >= covered_s:
            return "counter"
        return "integral" if covered_s > 0 else ""


class Device:
    """Folds the readings of one device.

    Attributes:
        latest: Its last reading, with the name and identity last known.
        pairs: What was read, by the pair of epochs.
    """

    def __init__(self) -> None:
        self.latest = _UNREAD
        self.pairs: dict[Epochs, DeviceSums] = {}
        self._last: dict[str, _State] = {}
        self._reasons: set[tuple[str, str]] = set()
        self._has_own_processes = False  # from then on, sums over all processes do not count
        # Time in which the counter did not rise: added once it rises, as it may have stopped.
        self._still_us: Counter[Epochs] = Counter()

    def add(self, reading: Reading) -> bool:
        """Adds a reading; returns False where there are too many epochs, and it is left out.

        A reading made after the run's processes left every device becomes the latest alone.
        """
        before, epoch, time_us = self.latest, reading.epoch, reading.time_us
        if before.name and not reading.name:  # a lost device is named as it was before
            reading = reading._replace(name=before.name, uuid=reading.uuid or before.uuid)
        if reading.process_scope in OWN_SCOPES and not self._has_own_processes:
            self._begin_run()
        if self._has_own_processes and reading.process_scope not in OWN_SCOPES:
            reading = reading._replace(process_mib=None)  # a sum over all processes
        self.latest = reading
        if RUN_GONE in reading.missing:
            self._last.clear()
            self._still_us.clear()
            return True
        sums = self._pair(epoch, epoch)
        if sums is None:
            return False
        if reading.uuid and before.uuid and reading.uuid != before.uuid:
            self._last.pop("energy_j", None)  # another board took the index, with its own counter
            self._still_us.clear()
        sums.add(reading)
        if time_us is not None and before.time_us is not None:
            sums.clock_jumps += time_us < before.time_us
        for name in QUANTITIES:
            value: float | None = getattr(reading, name)
            if value is not None:
                sums.quantities[name].add(value)
                self._add_interval(name, (epoch, time_us, value))
        if reading.energy_j is not None:
            self._count((epoch, time_us, reading.energy_j), sums)
        for what in reading.missing:
            known = what in self._reasons or len(self._reasons) < MAX_REASONS
            reason = what if known else ("several fields", "several reasons")
            self._reasons.add(reason)
            sums.missing[reason] += 1
        return True

    def _begin_run(self) -> None:
        """Removes what was summed before the run's own processes were found on the device.

        Readings without an epoch were made before the run took the device. Of those with one, only
        the sums over all processes are removed: a mean over both would be that of neither.
        """
        self._has_own_processes = True
        self._last = {
            name: state
            for name, state in self._last.items()
            if name != "process_mib" and state[0] is not None
        }
        self.pairs = {epochs: sums for epochs, sums in self.pairs.items() if None not in epochs}
        for sums in self.pairs.values():
            sums.quantities["process_mib"] = Gauge()
            sums.scopes.clear()

    def within(self, window: Window | None) -> DeviceSums:
        """Returns what was read in the epochs of a window; None takes everything."""
        whole = DeviceSums(self.latest)
        for (first, last), sums in self.pairs.items():
            if _inside(first, window) and _inside(last, window):
                whole.merge(sums)
        return whole

    def _pair(self, first: int | None, second: int | None) -> DeviceSums | None:
        """Returns the sums of a pair of epochs; None where there are too many pairs."""
        pair = self.pairs.get((first, second))
        if pair is None and len(self.pairs) < MAX_PAIRS:
            pair = self.pairs[first, second] = DeviceSums()
        return pair

    def _add_interval(self, name: str, now: _State) -> None:
        """Adds the interval from the value before this one, where both have times."""
        before, self._last[name] = self._last.get(name), now
        length_us = _passed_us(before, now)
        if before is None or length_us <= 0:
            return
        pair = self._pair(before[0], now[0])
        if pair is not None:
            pair.quantities[name].add_interval(length_us, before[2], now[2])

    def _count(self, now: _State, sums: DeviceSums) -> None:
        """Adds the difference of the energy counter since the last reading."""
        before, self._last["energy_j"] = self._last.get("energy_j"), now
        if before is None:
            return
        joules, passed_us = now[2] - before[2], _passed_us(before, now)
        # A counter may be renewed late by one period; a second of grace covers that.
        too_fast = passed_us > 0 and joules > MAX_BOARD_W * (passed_us / US + 1)
        if joules < 0 or too_fast:
            sums.counter_resets += 1
            self._still_us.clear()
        elif (pair := self._pair(before[0], now[0])) is not None:
            pair.joules.add(now[2])
            pair.joules.add(-before[2])
            self._still_us[before[0], now[0]] += max(passed_us, 0)
            if joules > 0:
                for epochs, still_us in self._still_us.items():
                    self.pairs[epochs].counted_us += still_us
                self._still_us.clear()


def _passed_us(before: _State | None, now: _State) -> int:
    """Returns the microseconds between two readings; 0 where one is missing or has no time."""
    if before is None or before[1] is None or now[1] is None:
        return 0
    return now[1] - before[1]


def _inside(epoch: int | None, window: Window | None) -> bool:
    return window is None or (epoch is not None and window[0] <= epoch <= window[1])
