"""What the holes of a progress line mean, stated once beside the line's shape."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

from sixdim.parsers.events import Iteration, Metric, Scope
from sixdim.parsers.grammar.shape import Fields, Wanted
from sixdim.parsers.text.lines import Line

Further: TypeAlias = Callable[[Mapping[str, str]], tuple[Metric, ...]]

WORK = "work"
"""Name of a throughput that is worked out of the work and the time of an iteration."""


class Gauge(NamedTuple):
    """A further figure of a progress line.

    Attributes:
        hole: Where it stands.
        name: As `Metric` has it.
        unit: As `Metric` has it.
        higher_is_better: As `Metric` has it.
    """

    hole: str
    name: str
    unit: str = ""
    higher_is_better: bool = True


@dataclass(frozen=True)
class IterationRecord:
    """Which hole of a statement becomes which part of an `Iteration`.

    Attributes:
        epoch: Hole of the epoch's label; empty where lines carry none.
        step: Hole of the step.
        steps: Hole of the steps in an epoch.
        throughput: Holes of the throughput; the first that a line has counts.
        unit: Unit of the throughput, or what finds it in the line.
        scope: Scope of the throughput, or what finds it in the line.
        loss: Holes of the loss; the first that a line has counts.
        duration: Holes of the seconds of one iteration; the first that a line has counts.
        milliseconds: Whether `duration` is printed in milliseconds.
        per_second: Hole of the iterations in a second, which give `duration`. (A hole of the
            type `pace` is one of `duration`, whatever it prints.)
        since: Hole of the step of the line before: `duration` is that of all steps since.
        time: Hole of a clock inside the line.
        time_ms: Hole of such a clock in whole milliseconds since 1970.
        work: What an iteration takes in (samples, tokens), by the reader; 0 for unknown. Where it
            is stated, the throughput is that over `duration`.
        figures: Further figures that have a hole.
        further: What finds further figures among the line's pairs.
        uses: Keys of the pairs that `unit` and `scope` look at.
        once: Parts of the event; a line in which all of them are as in the one before repeats
            it (another rank's, another handler's) and says nothing.
    """

    epoch: str = ""
    step: str = ""
    steps: str = ""
    throughput: tuple[str, ...] = ()
    unit: str | Callable[[Fields], str] = ""
    scope: Scope | Callable[[Fields], Scope] = Scope.UNKNOWN
    loss: tuple[str, ...] = ()
    duration: tuple[str, ...] = ()
    milliseconds: bool = False
    per_second: str = ""
    since: str = ""
    time: str = ""
    time_ms: str = ""
    work: Callable[[Any], int] | None = None
    figures: tuple[Gauge, ...] = ()
    further: Further | None = None
    uses: tuple[str, ...] = ()
    once: tuple[str, ...] = ()

    def reduced(self, names: Collection[str] | None) -> IterationRecord:
        """This record with no further figures but those of the given names.

        Args:
            names: In lower case; None for all figures.
        """
        if names is None:
            return self
        figures = tuple(one for one in self.figures if one.name.lower() in names)
        return replace(self, figures=figures, further=self.further if names else None)

    def wanted(self, names: Collection[str] | None) -> Wanted:
        """The fields and pairs that the record reads.

        Args:
            names: As for `reduced`.
        """
        holes = (self.epoch, self.step, self.steps, self.per_second, self.since, self.time)
        lists = (*self.throughput, *self.loss, *self.duration, self.time_ms)
        fields = frozenset((*holes, *lists, *(figure.hole for figure in self.figures)))
        pairs: frozenset[str] | None = frozenset(self.uses)
        if self.further is not None:
            pairs = None if names is None else frozenset((*self.uses, *names))
        opaque = callable(self.unit) or callable(self.scope)
        return Wanted(None if opaque else fields, pairs)

    def read(self, reader: Any, line: Line, fields: Fields) -> tuple[Iteration, ...]:
        """The event of one line; none where it repeats the one before."""
        get = fields.get
        at = line.origin()
        if self._clocked:
            if self.time in fields:
                at = at._replace(time_us=fields[self.time])
            if self.time_ms in fields:
                at = at._replace(time_us=fields[self.time_ms] * 1000)
        duration = self._lasted(fields)
        speed, unit, scope = None, "", Scope.UNKNOWN
        for rate in self.throughput:
            if rate in fields:
                speed = fields[rate]
                break
        else:
            if self.work and duration and self.work(reader):
                rate, speed = WORK, self.work(reader) / duration
            else:
                rate = ""
        if rate:
            unit = self.unit if isinstance(self.unit, str) else self.unit(fields)
            scope = self.scope if isinstance(self.scope, Scope) else self.scope(fields)
        loss = None
        for name in self.loss:
            if name in fields:
                loss = fields[name]
                break
        event = Iteration(
            at,
            get(self.epoch),
            get(self.step),
            get(self.steps),
            speed,
            unit,
            scope,
            loss,
            duration,
            self._figures(fields) if self._has_figures else (),
        )
        if self.once and self._repeats(event, reader.before(at)):
            return ()
        reader.note(event)
        return (event,)

    @cached_property
    def _clocked(self) -> bool:
        return bool(self.time or self.time_ms)

    @cached_property
    def _has_figures(self) -> bool:
        return bool(self.figures or self.further)

    def _figures(self, fields: Fields) -> tuple[Metric, ...]:
        found = self.further(fields["pairs"]) if self.further and fields["pairs"] else ()
        return (*found, *self._stated(fields)) if self.figures else found

    def _stated(self, fields: Fields) -> Iterator[Metric]:
        for hole, name, unit, higher in self.figures:
            if hole in fields:
                yield Metric(name, fields[hole], unit, higher)

    def _lasted(self, fields: Fields) -> float | None:
        """Seconds of one iteration."""
        if self.per_second:
            pace = fields.get(self.per_second)
            return 1 / pace if pace else None
        for name in self.duration:
            if name in fields:
                break
        else:
            return None
        parts = 1000 if self.milliseconds else 1
        if self.since:
            parts = fields[self.step] - fields[self.since] if self.since in fields else 0
        return fields[name] / parts if parts > 0 else None

    def _repeats(self, event: Iteration, before: Iteration | None) -> bool:
        """Whether a line says what the progress line before it said."""
        return before is not None and self._once(event) == self._once(before)

    @cached_property
    def _once(self) -> Callable[[Iteration], object]:
        """Gives the parts that are compared."""
        return attrgetter(*self.once)


def first(names: Iterable[str], fields: Mapping[str, object]) -> str:
    """The first of `names` among `fields`; empty where there is none."""
    for name in names:
        if name in fields:
            return name
    return ""


def further(find: Callable[..., tuple[Metric, ...]], *args: Any, **kwargs: Any) -> Further:
    """What finds the further figures among a line's pairs: `find`, given these arguments too."""
    return lambda pairs: find(pairs, *args, **kwargs)


def counted(*keys: tuple[str, str]) -> Further:
    """Finds whole numbers among a line's pairs.

    Args:
        keys: The key of each, and its unit.
    """

    def find(pairs: Mapping[str, str]) -> tuple[Metric, ...]:
        return tuple(
            Metric(key, float(pairs[key]), unit)
            for key, unit in keys
            if pairs.get(key, "").isdecimal()
        )

    return find
