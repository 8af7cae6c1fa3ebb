"""The readings of one GPU, added up epoch by epoch: levels, intervals, the energy counter."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from sixdim.metrics.fold.gauge import US, Intervals, Levels
from sixdim.metrics.values.exact import ExactSum
from sixdim.parsers.events import Reading

MAX_BOARD_W = 10_000.0
"""No board draws this much: an energy counter that rises faster has jumped, not counted."""

MAX_EPOCHS = 65_536
MAX_SPANS = 2 * MAX_EPOCHS
"""Beyond these a journal is broken or hostile: its readings are counted and left out."""


@dataclass(slots=True)
class Quantity:
    """One field of one device: levels per epoch, intervals per pair of epochs."""

    levels: dict[int | None, Levels] = field(default_factory=dict)
    spans: dict[tuple[int | None, int | None], Intervals] = field(default_factory=dict)
    last: tuple[int | None, int | None, float] | None = None

    def add(self, epoch: int | None, time_us: int | None, value: float) -> None:
        """Adds one value of the field."""
        self.levels.setdefault(epoch, Levels()).add(value)
        if self.last is not None and time_us is not None:
            before_epoch, before_us, before = self.last
            span = (before_epoch, epoch)
            fits = span in self.spans or len(self.spans) < MAX_SPANS
            if before_us is not None and time_us > before_us and fits:
                self.spans.setdefault(span, Intervals()).add(time_us - before_us, before, value)
        self.last = (epoch, time_us, value)


@dataclass(slots=True)
class EnergyCounter:
    """The energy counter of one device: exact differences per pair of epochs."""

    steps: dict[tuple[int | None, int | None], ExactSum] = field(default_factory=dict)
    counted_us: Counter[tuple[int | None, int | None]] = field(default_factory=Counter)
    resets: Counter[int | None] = field(default_factory=Counter)
    still_us: Counter[tuple[int | None, int | None]] = field(default_factory=Counter)
    """Time in which it stood still: counted once it moves on, for it may have stopped."""
    last: tuple[int | None, int | None, float] | None = None

    def add(self, epoch: int | None, time_us: int | None, joules: float) -> None:
        """Adds one state of the counter."""
        if self.last is not None:
            before_epoch, before_us, before = self.last
            if joules < before or _too_fast(joules - before, before_us, time_us):
                self.resets[epoch] += 1
                self.still_us.clear()
            elif (before_epoch, epoch) in self.steps or len(self.steps) < MAX_SPANS:
                step = self.steps.setdefault((before_epoch, epoch), ExactSum())
                step.add(joules)
                step.add(-before)
                if before_us is not None and time_us is not None and time_us > before_us:
                    self.still_us[before_epoch, epoch] += time_us - before_us
                if joules > before:
                    self.counted_us.update(self.still_us)
                    self.still_us.clear()
        self.last = (epoch, time_us, joules)


def _too_fast(joules: float, before_us: int | None, after_us: int | None) -> bool:
    if before_us is None or after_us is None or after_us <= before_us:
        return False
    # A counter may be renewed late by one period; a second of grace covers that.
    return joules > MAX_BOARD_W * ((after_us - before_us) / US + 1)


@dataclass(slots=True)
class Device:
    """What was read of one device.

    Attributes:
        latest: Its last reading.
        quantities: By the name of their field.
        counter: Its energy counter.
        seen: How many readings each epoch has.
        times: Time of the first and the last of them, in microseconds since 1970.
        missing: How often a field could not be read, by field and reason, in each epoch.
        scopes: Whose processes `process_mib` was the sum of, by epoch.
        clock_jumps: How often the clock went back, in each epoch.
    """

    latest: Reading
    quantities: dict[str, Quantity]
    counter: EnergyCounter = field(default_factory=EnergyCounter)
    seen: dict[int | None, int] = field(default_factory=dict)
    times: dict[int | None, tuple[int, int]] = field(default_factory=dict)
    missing: dict[tuple[str, str], Counter[int | None]] = field(default_factory=dict)
    scopes: set[tuple[int | None, str]] = field(default_factory=set)
    clock_jumps: Counter[int | None] = field(default_factory=Counter)
