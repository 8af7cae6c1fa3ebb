"""Stores records one by one, only where a protocol needs them.

With each value stand its line, step and time: a window is cut by them, and its evidence named.
"""

from array import array
from bisect import bisect_right

from sixdim.metrics.fold.sums.run_steps import RunSteps
from sixdim.metrics.values.protocol import Protocol, Records
from sixdim.parsers.events import EpochEnd, Event, Iteration, Summary

NONE = -(1 << 63)
"""No time, or no step, in an array of integers."""


class Track:
    """One metric, record by record, in the log's order.

    Attributes:
        values: As printed; may hold nan and infinities.
        lines: Line of each.
        steps: Step of the run at each, or `NONE`.
        times: The log's clock in microseconds at each, or `NONE`.
        unit: Unit of the last value, where the log says one.
        scope: Scope of the last value; empty where the log says none.
    """

    __slots__ = ("lines", "scope", "steps", "times", "unit", "values")

    def __init__(self) -> None:
        self.values = array("d")
        self.lines = array("q")
        self.steps = array("q")
        self.times = array("q")
        self.unit = ""
        self.scope = ""

    def __len__(self) -> int:
        return len(self.values)

    def add(self, value: float, line: int, step: int | None, time_us: int | None) -> None:
        """Stores one record."""
        self.values.append(value)
        self.lines.append(line)
        self.steps.append(NONE if step is None else step)
        self.times.append(NONE if time_us is None else time_us)

    def cut(self, line: int) -> None:
        """Removes the records from `line` on: a resumed run replaces them."""
        keep = bisect_right(self.lines, line - 1)
        for column in (self.values, self.lines, self.steps, self.times):
            del column[keep:]

    def until(self, line: int) -> int:
        """Returns the number of records up to `line`."""
        return bisect_right(self.lines, line)


class RecordStore:
    """The tracks that a protocol reads.

    Args:
        protocol: Decides which records, and which of their figures, are stored.

    Attributes:
        wanted: Whether the protocol reads any records.
        names: Names of the figures that it reads; empty without any.
    """

    def __init__(self, protocol: Protocol) -> None:
        self.protocol = protocol
        self.tracks = {name: Track() for name in protocol.metrics()}
        self._kinds = _KINDS.get(protocol.records, ())
        self.wanted = bool(self._kinds) and not protocol.by_label
        self.names = tuple(self.tracks) if self.wanted else ()
        self._steps = RunSteps()
        self._step: int | None = None

    def chosen(self, first: str = "") -> tuple[str, Track]:
        """Returns metric `first` if it has a record, else the first with one, else the first."""
        if first in self.tracks and len(self.tracks[first]):
            return first, self.tracks[first]
        for name, track in self.tracks.items():
            if len(track):
                return name, track
        return next(iter(self.tracks.items()))

    def apply(self, event: Event) -> None:
        """Stores what the protocol reads of one event."""
        if not self.wanted:
            return
        if isinstance(event, Iteration):
            self._step = self._steps.count(event)
        if isinstance(event, self._kinds):
            for name, track in self.tracks.items():
                self._add(name, track, event)

    def cut(self, line: int) -> None:
        """Removes every record from `line` on."""
        for track in self.tracks.values():
            track.cut(line)

    def _add(self, name: str, track: Track, event: Event) -> None:
        assert isinstance(event, Iteration | EpochEnd | Summary)
        step = event.step if isinstance(event, Iteration) else self._step
        beyond = self.protocol.beyond
        if beyond is not None and step is not None and step <= beyond:
            return
        if isinstance(event, Iteration | EpochEnd) and name == "throughput":
            if event.throughput is None:
                return
            track.unit, track.scope = event.unit, str(event.scope)
            value = event.throughput
        elif isinstance(event, Iteration) and name == "duration":
            if event.duration is None:
                return
            track.unit, value = "s", event.duration
        else:
            metrics = event.metrics if isinstance(event, Summary) else event.values
            found = next((metric for metric in metrics if metric.name == name), None)
            if found is None:
                return
            track.unit, value = found.unit, found.value
            if isinstance(event, Iteration | EpochEnd) and event.throughput == value:
                track.scope = str(event.scope)
        track.add(value, event.at.line, self._step, event.at.time_us)


_KINDS: dict[Records, tuple[type[Event], ...]] = {
    Records.EPOCH: (EpochEnd,),
    Records.ITERATION: (Iteration,),
    Records.SUMMARY: (Summary,),
    Records.ALL: (Iteration, EpochEnd, Summary),
}
