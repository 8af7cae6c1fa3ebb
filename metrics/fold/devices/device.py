"""The readings of one GPU, added up by epoch, and between neighbouring readings by pairs of them.

The values of a reading belong to the pair of its epoch with itself; an interval of time or a
difference of the energy counter between two readings belongs to the pair of their epochs. A window
has the pairs whose epochs are both inside.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TypeAlias

from sixdim.metrics.fold.devices.gauge import US, Intervals, Levels
from sixdim.metrics.values.exact import ExactSum
from sixdim.parsers.reading import Reading

QUANTITIES = ("power_w", "memory_mib", "process_mib")
"""The fields of a reading that are averaged."""
SCOPES = ("run", "device")
"""Whose processes `process_mib` may be the sum of; see `Reading.process_scope`."""
MAX_BOARD_W = 10_000.0
"""No board draws this much: an energy counter that rises faster has jumped, not counted."""
MAX_PAIRS = 200_000
"""Pairs of epochs; a journal with more is broken, and further readings are left out."""
MAX_REASONS = 16
"""Distinct reasons per device; later ones are counted together."""

Epochs: TypeAlias = tuple[int | None, int | None]
_State: TypeAlias = tuple[int | None, int | None, float]
"""Epoch, time in microseconds since 1970, and value of a field."""


@dataclass(slots=True)
class Tally:
    """Sums over readings of one device.

    Attributes:
        readings: How many they are.
        times: Time of the first and the last, in microseconds since 1970; None without times.
        levels: Values, by the name of their field.
        intervals: Intervals between neighbouring values, by the name of their field.
        joules: Differences of the energy counter.
        counted_us: Time that those differences cover.
        resets: How often the counter fell or jumped.
        clock_jumps: How often the clock went back.
        scopes: Whose processes `process_mib` was the sum of.
        missing: How often a field could not be read, by field and reason.
    """

    readings: int = 0
    times: tuple[int, int] | None = None
    levels: defaultdict[str, Levels] = field(default_factory=lambda: defaultdict(Levels))
    intervals: defaultdict[str, Intervals] = field(default_factory=lambda: defaultdict(Intervals))
    joules: ExactSum = field(default_factory=ExactSum)
    counted_us: int = 0
    resets: int = 0
    clock_jumps: int = 0
    scopes: set[str] = field(default_factory=set)
    missing: Counter[tuple[str, str]] = field(default_factory=Counter)

    def merge(self, other: Tally) -> None:
        """Adds everything that `other` holds."""
        self.readings += other.readings
        times = [one for one in (self.times, other.times) if one is not None]
        if times:
            self.times = min(first for first, _ in times), max(last for _, last in times)
        for name, levels in other.levels.items():
            self.levels[name].merge(levels)
        for name, intervals in other.intervals.items():
            self.intervals[name].merge(intervals)
        self.joules.merge(other.joules)
        self.counted_us += other.counted_us
        self.resets += other.resets
        self.clock_jumps += other.clock_jumps
        self.scopes |= other.scopes
        self.missing.update(other.missing)


class Device:
    """Folds the readings of one device.

    Attributes:
        latest: Its last reading, with the name and identity last known.
        pairs: What was read, by the pair of epochs.
    """

    def __init__(self) -> None:
        self.latest = Reading(0)
        self.pairs: dict[Epochs, Tally] = {}
        self._last: dict[str, _State] = {}
        self._reasons: set[tuple[str, str]] = set()
        # Time in which the counter did not rise: added once it rises, as it may have stopped.
        self._still_us: Counter[Epochs] = Counter()

    def add(self, reading: Reading) -> bool:
        """Adds a reading; returns False where there are too many epochs, and it is left out."""
        before, epoch, time_us = self.latest, reading.epoch, reading.time_us
        tally = self._pair(epoch, epoch)
        if tally is None:
            return False
        if reading.uuid and before.uuid and reading.uuid != before.uuid:
            self._last.pop("energy_j", None)  # another board took the index, with its own counter
            self._still_us.clear()
        tally.readings += 1
        if time_us is not None:
            first, last = tally.times or (time_us, time_us)
            tally.times = min(first, time_us), max(last, time_us)
            tally.clock_jumps += before.time_us is not None and time_us < before.time_us
        for name in QUANTITIES:
            value: float | None = getattr(reading, name)
            if value is not None:
                tally.levels[name].add(value)
                self._add_interval(name, (epoch, time_us, value))
        if reading.process_mib is not None:
            tally.scopes.add(reading.process_scope if reading.process_scope in SCOPES else "")
        if reading.energy_j is not None:
            self._count((epoch, time_us, reading.energy_j), tally)
        for what in reading.missing:
            known = what in self._reasons or len(self._reasons) < MAX_REASONS
            reason = what if known else ("several fields", "several reasons")
            self._reasons.add(reason)
            tally.missing[reason] += 1
        if before.name and not reading.name:  # a lost device is named as it was before
            reading = reading._replace(name=before.name, uuid=reading.uuid or before.uuid)
        self.latest = reading
        return True

    def _pair(self, first: int | None, second: int | None) -> Tally | None:
        """The sums of a pair of epochs; None where there are too many pairs."""
        if (first, second) not in self.pairs and len(self.pairs) >= MAX_PAIRS:
            return None
        return self.pairs.setdefault((first, second), Tally())

    def _add_interval(self, name: str, now: _State) -> None:
        """Adds the interval from the value before this one, where both have times."""
        before, self._last[name] = self._last.get(name), now
        length_us = _passed_us(before, now)
        if before is None or length_us <= 0:
            return
        pair = self._pair(before[0], now[0])
        if pair is not None:
            pair.intervals[name].add(length_us, before[2], now[2])

    def _count(self, now: _State, tally: Tally) -> None:
        """Adds the difference of the energy counter since the last reading."""
        before, self._last["energy_j"] = self._last.get("energy_j"), now
        if before is None:
            return
        joules, passed_us = now[2] - before[2], _passed_us(before, now)
        # A counter may be renewed late by one period; a second of grace covers that.
        too_fast = passed_us > 0 and joules > MAX_BOARD_W * (passed_us / US + 1)
        if joules < 0 or too_fast:
            tally.resets += 1
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
    """Microseconds between two readings; 0 where one has no time, or there is none before."""
    if before is None or before[1] is None or now[1] is None:
        return 0
    return now[1] - before[1]
