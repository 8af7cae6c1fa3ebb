"""Means that a program prints since it began, and the speed between two lines that they show.

A mean m_b over the first b iterations and a mean m_a over the first a of them show the mean of the
iterations between: (b m_b - a m_a) / (b - a). Rates count by their inverses. What rounding adds to
a printed mean grows by b / (b - a), so two lines that are far apart say more than a sum of pairs.
"""

from __future__ import annotations

from math import fsum, inf
from typing import NamedTuple

MOST_UNCERTAIN = 0.005
"""Part by which rounding may change a speed; less exact means count as if each were of its line."""


class Printed(NamedTuple):
    """The mean on a line.

    Attributes:
        iterations: How many it is the mean of.
        mean: As printed: seconds of an iteration, or a rate.
        line: Number of the line; 0 for the start of the program.
    """

    iterations: int
    mean: float
    line: int

    def seconds(self, *, is_rate: bool) -> float:
        """Returns the seconds of the iterations; by a rate, those of a unit of work in each."""
        if not self.iterations:
            return 0.0  # the mean at the start is of nothing
        return self.iterations / self.mean if is_rate else self.iterations * self.mean


class Passed(NamedTuple):
    """What the means say of the lines of a window.

    Attributes:
        iterations: How many of them there are.
        seconds: Of all of them; see `Printed.seconds`.
        uncertain_s: What rounding may have added or taken.
        first_line: Line of the mean before them; 0 for the start of the program.
        last_line: Line of the last mean.
    """

    iterations: int
    seconds: float
    uncertain_s: float
    first_line: int
    last_line: int

    @property
    def uncertain(self) -> float:
        """Part by which rounding may have changed the seconds."""
        return self.uncertain_s / self.seconds


_START = Printed(0, 0.0, 0)
_new = tuple.__new__


class SinceStart:
    """The means on the lines of one window.

    Args:
        since: Step from which the means count; None if the first line is to show it.
        earlier: The means of the window before it.

    Attributes:
        since: As above, once it is known.
        is_rate: Whether the means are rates.
        last: The last mean of the program.
    """

    def __init__(self, since: int | None = None, earlier: SinceStart | None = None) -> None:
        self.since = since
        self.is_rate = False
        self.last = self._before = _START
        self._decimals = 0
        if earlier is not None:
            self.since, self.is_rate = earlier.since, earlier.is_rate
            self.last = self._before = earlier.last
            self._decimals = max(earlier._decimals, _decimals(earlier.last.mean))
        self._first_line = self._last_line = self._before.line
        # The first and the last mean of programs that ended inside the window.
        self._ended: list[tuple[Printed, Printed]] = []

    def add(self, step: int | None, rate: float | None, seconds: float | None, line: int) -> None:
        """Adds the mean of a line, if it has one."""
        mean = rate if seconds is None else seconds
        if step is None or mean is None or not 0 < mean < inf:
            return
        if self.since is not None and step - self.since <= self.last.iterations:
            if not self.last.iterations:
                return  # a line before the iterations that count
            self.restart(None)
        if self.since is None:
            self.since, self.last = step, Printed(0, mean, line)
            self._before = self.last
            return
        self.is_rate = seconds is None
        self._last_line = line
        self.last = _new(Printed, (step - self.since, mean, line))

    def restart(self, since: int | None) -> None:
        """Begins again: the means that follow are those of another program."""
        self._end()
        self.since, self.last = since, _START
        self._before = _START

    @property
    def awaited(self) -> int | None:
        """Step from which the next mean counts, if it is the first; None if that is unknown."""
        return None if self.last.line else self.since

    def absorb(self, later: SinceStart) -> None:
        """Adds the lines of the window that follows this one."""
        if later._ended or later.since != self.since:
            self._end()
            self._ended += later._ended
            self._before = later._before
        self.since, self.is_rate, self.last = later.since, later.is_rate, later.last
        self._last_line = later._last_line
        self._decimals = max(self._decimals, later._decimals)

    def passed(self) -> Passed | None:
        """Returns what the means say of the window; None if they are too rough for it."""
        programs = [*self._ended, (self._before, self.last)]
        iterations = sum(last.iterations - before.iterations for before, last in programs)
        spent = [(one, one.seconds(is_rate=self.is_rate)) for both in programs for one in both]
        seconds = fsum(s for _, s in spent[1::2]) - fsum(s for _, s in spent[::2])
        if iterations <= 0 or not seconds > 0:
            return None
        decimals = max(self._decimals, *(_decimals(one.mean) for one, _ in spent))
        rounded = 0.5 * 10.0**-decimals
        uncertain_s = fsum(s * rounded / one.mean for one, s in spent if one.iterations)
        found = Passed(iterations, seconds, uncertain_s, self._first_line, self._last_line)
        return found if found.uncertain <= MOST_UNCERTAIN else None

    def _end(self) -> None:
        """Notes the means of a program that is over."""
        if self.last.iterations != self._before.iterations:
            self._ended.append((self._before, self.last))


def _decimals(mean: float) -> int:
    """Returns how many decimals a number has."""
    return len(f"{mean:.9f}".rstrip("0").partition(".")[2])
