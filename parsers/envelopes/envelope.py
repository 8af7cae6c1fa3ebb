"""An envelope: a text that stands in front of lines, and the facts in it about them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property

from sixdim.parsers.grammar.shapes.holes import unix_time
from sixdim.parsers.text.clock import clock_of
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.partial_clocks import END, YearlessClock

_SAYS = ("host", "h", "rank", "ms", "epoch")
"""The groups that an envelope's expression may have, besides further groups of a clock."""


class Envelope:
    """A text that stands in front of lines, such as a clock or a rank.

    Args:
        expression: How it looks, with groups for its facts: `rank`, `host`, a clock's (see
            `parsers.text.clock`), `ms` (since 1970), or `epoch` (seconds since 1970,
            which count only if the line has no other clock in front of them).
        begins: The characters with which it may begin; empty for an inferred one.
        stamp: Whether its clock is a container's or launcher's; a logger's clock has priority.
        tail: What the same program adds after the line.
        tail_clue: Text that stands in every such tail.

    Attributes:
        has_facts: Whether it states a fact about a line or has a tail; True until its first match.
    """

    def __init__(
        self,
        expression: re.Pattern[str],
        begins: str = "",
        *,
        stamp: bool = False,
        tail: re.Pattern[str] | None = None,
        tail_clue: str = "",
    ) -> None:
        self.expression = expression
        self.begins = begins
        self.stamp = stamp
        self.tail = tail
        self.tail_clue = tail_clue
        self.has_facts = True
        self._clock: Callable[[re.Match[str]], int | None] | None = None
        self._groups: tuple[int, int, int, int, int] | None = None

    @cached_property
    def dateless(self) -> bool:
        """Whether its clock has no date; see `parsers.envelopes.time_of_day`."""
        groups = self.expression.groupindex
        return "h" in groups and "D" not in groups

    @cached_property
    def names_writer(self) -> bool:
        """Whether it names the host or the rank that wrote the line."""
        return not self.expression.groupindex.keys().isdisjoint(("host", "rank"))

    def note(
        self,
        line: Line,
        found: re.Match[str],
        yearless: Mapping[tuple[Envelope, bool], YearlessClock],
    ) -> None:
        """Stores the facts of the envelope in the line.

        Args:
            line: The line.
            found: The match of the expression.
            yearless: The log's clocks without a year, by envelope and whether it is the first
                clock of its line: two loggers may write theirs alike.
        """
        if self._groups is None:
            names = found.re.groupindex
            host, hour, rank, ms, epoch = (names.get(n, 0) for n in _SAYS)
            self._groups = host, hour, rank, ms, epoch
            self.has_facts = any(self._groups) or self.tail is not None
            self._clock = clock_of(found) if hour and not self.dateless else None
        host, _hour, rank, ms, epoch = self._groups
        if host and found[host]:
            line.host = found[host]
        if self._clock is not None:
            time_us = self._clock(found)
            if time_us is not None:
                if time_us < END:
                    time_us = yearless[self, line.time_us is None].time_us(time_us)
                line.time_us = time_us
        elif rank:
            line.rank = int(found[rank])
        elif ms:
            line.time_us = int(found[ms]) * 1000
        elif epoch and found[epoch] and line.time_us is None:
            line.time_us = unix_time(found[epoch])
