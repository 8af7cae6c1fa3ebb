"""Ranks, hosts or containers that write the same lines into one log: those of one count."""

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
"""Most records by which one writer may be behind another."""
_MOST = 100_000
"""Number of writers that are stored."""
_REPEATED = (Iteration, EpochEnd, Evaluation, Summary, TargetReached, RunEnd)


class Writers:
    """Distinguishes the records of the log's first rank, or host, from those that others repeat.

    A writer repeats another one as soon as a record of it has the epoch and the step of one of the
    other's latest records. Writers that do not repeat each other all count: one may train, and one
    evaluate.
    """

    def __init__(self) -> None:
        self._chief: _Writer | None = None
        self._recent: deque[tuple[object, ...]] = deque(maxlen=_APART)
        self._others: set[_Writer] = set()

    def repeats(self, event: Event) -> bool:
        """Returns whether another writer wrote this record before, with figures of its own."""
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
    """Returns epoch and step of a record; None where the next one may have the same."""
    if isinstance(event, Iteration):
        return None if event.step is None else (event.epoch, event.step)
    if isinstance(event, EpochEnd) and event.epoch is not None:
        return event.epoch, event.throughput is None, event.train_time is None, "end"
    return None


def _order(writer: _Writer) -> tuple[int, list[tuple[int, str]]]:
    """Returns a writer's sort key: rank, then host, in whose name numbers count as numbers."""
    host, rank = writer
    parts = re.findall(r"\d{1,18}|\D{1,80}", host or "")
    return rank or 0, [(int(p), "") if p[0].isdigit() else (-1, p) for p in parts]
