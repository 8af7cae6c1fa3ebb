"""Several ranks, hosts or containers that write the same lines into one log: one of them counts."""

from __future__ import annotations

import re
from collections import deque
from typing import TypeAlias

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Iteration,
    RunEnd,
    Summary,
    TargetReached,
)

_Writer: TypeAlias = "tuple[str | None, int | None]"
"""Host and rank."""
_APART = 4
"""Records by which one writer may be behind another."""
_MOST = 100_000
"""Writers that are stored."""
_REPEATED = (Iteration, EpochEnd, Evaluation, Summary, TargetReached, RunEnd)


class Writers:
    """Distinguishes the records of the log's first rank, or host, from those that others repeat.

    A writer repeats another from the first record on that has the epoch and the step of one of the
    other's latest. Writers that do not repeat each other (one trains, one evaluates) all count.
    """

    def __init__(self) -> None:
        self._chief: _Writer | None = None
        self._recent: deque[tuple[object, ...]] = deque(maxlen=_APART)
        self._others: set[_Writer] = set()

    def repeats(self, event: Event) -> bool:
        """Whether the event repeats what a writer before this one says, with its own figures."""
        if not isinstance(event, _REPEATED):
            return False
        writer = event.at.host, event.at.rank
        if writer in self._others:
            return True
        key = _key(event)
        if key is None:
            return False
        chief = self._chief
        if chief is not None and writer != chief:
            if key not in self._recent:
                return False
            if _order(writer) < _order(chief):  # the next record is the first that it gives
                self._chief, writer = writer, chief
            if len(self._others) < _MOST:
                self._others.add(writer)
            return True
        self._chief = writer
        self._recent.append(key)
        return False


def _key(event: Event) -> tuple[object, ...] | None:
    """What a record is about; None where that does not distinguish it from the next one."""
    if isinstance(event, Iteration):
        return None if event.step is None else (event.epoch, event.step)
    if isinstance(event, EpochEnd) and event.epoch is not None:
        return event.epoch, event.throughput is None, event.train_time is None, "end"
    return None


def _order(writer: _Writer) -> tuple[int, list[tuple[int, str]]]:
    """Ranks by number, hosts by name, the numbers in it as such."""
    host, rank = writer
    parts = re.findall(r"\d{1,18}|\D{1,80}", host or "")
    return rank or 0, [(int(p), "") if p[0].isdigit() else (-1, p) for p in parts]
