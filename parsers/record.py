"""What an iteration line's holes mean, stated once: line parser and block scan both read it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from parsers.events import Iteration, Metric, Scope
from parsers.holes import duration as seconds_of
from parsers.shape import Fields
from parsers.text import Line

Values: TypeAlias = Callable[[Fields], tuple[Metric, ...]]

WORK = "work"
"""Name of a throughput that is worked out of the work and the time of an iteration."""


def _none(_fields: Fields) -> tuple[Metric, ...]:
    return ()


class IterationRecord(NamedTuple):
    """Which hole of a statement becomes which part of an `Iteration`.

    Attributes:
        epoch: Hole of the epoch's label; empty where lines carry none.
        labelled: Whether the epoch is the one that the reader is in, for lines carry none.
        step: Hole of the step.
        steps: Hole of the steps in an epoch.
        final: Whether the line of an epoch's last step says more: it is read singly.
        throughput: Holes of the throughput; the first that a line has counts.
        unit: Unit of the throughput, or what finds it in the line.
        scope: Scope of the throughput, or what finds it in the line.
        loss: Holes of the loss; the first that a line has counts.
        duration: Holes of the seconds of one iteration; the first that a line has counts.
        milliseconds: Whether `duration` is printed in milliseconds.
        running: Whether `duration` is the time since the run began: an iteration takes its share
            of what has gone since the line before. It is a gauge, too.
        per_second: Hole of the iterations in a second, which give `duration`. (A hole of the
            type `pace` is one of `duration`, whatever it prints.)
        since: Hole of the step up to which the line before told: `duration` is that of all since.
        time: Hole of a clock inside the line.
        time_ms: Hole of such a clock in whole milliseconds since 1970.
        work: What an iteration takes in (samples, tokens), by the reader; 0 for unknown. Where it
            is stated, the throughput is that over `duration`.
        gauges: Further figures that lines read together keep: hole, name and unit of each.
        fixed: Further holes that the reader looks at: lines that differ in them are read singly.
        watched: Further numbers that the reader looks at: where one changes, a line is read singly
            unless the reader `knows` it.
        texts: Whether the reader compares a line's text with that of the one before. Of lines read
            together it then sees the first and the last; the others differ in loss or throughput.
        positive: Holes whose number means nothing where it is 0.
        once: Parts of the event; a line in which all of them are as in the one before repeats
            it (another rank's, another handler's) and says nothing.
        values: What finds the further figures of a single line. Lines read together have none.
    """

    epoch: str = ""
    labelled: bool = False
    step: str = ""
    steps: str = ""
    final: bool = False
    throughput: tuple[str, ...] = ()
    unit: str | Callable[[Fields], str] = ""
    scope: Scope | Callable[[Fields], Scope] = Scope.UNKNOWN
    loss: tuple[str, ...] = ()
    duration: tuple[str, ...] = ()
    milliseconds: bool = False
    running: bool = False
    per_second: str = ""
    since: str = ""
    time: str = ""
    time_ms: str = ""
    work: Callable[[Any], int] | None = None
    gauges: tuple[tuple[str, str, str], ...] = ()
    fixed: tuple[str, ...] = ()
    watched: tuple[str, ...] = ()
    texts: bool = False
    positive: tuple[str, ...] = ()
    once: tuple[str, ...] = ()
    values: Values = _none

    @property
    def compares(self) -> bool:
        """Whether the reader must have seen the line before one to know what that says."""
        return self.texts or self.running

    def read(self, reader: Any, line: Line, fields: Fields) -> Iterator[Iteration]:
        """The event of one line (the shape of a statement's `emit`)."""
        at = line.origin()
        if self.time in fields:
            at = at._replace(time_us=fields[self.time])
        if self.time_ms in fields:
            at = at._replace(time_us=fields[self.time_ms] * 1000)
        duration = self._lasted(fields)
        rate, speed = first(self.throughput, fields), None
        if rate:
            speed = fields[rate]
        elif self.work and duration and self.work(reader):
            rate, speed = WORK, self.work(reader) / duration
        event = Iteration(
            at,
            epoch=reader.epoch if self.labelled else fields.get(self.epoch),
            step=fields.get(self.step),
            steps=fields.get(self.steps),
            throughput=speed,
            unit=(self.unit if isinstance(self.unit, str) else self.unit(fields)) if rate else "",
            scope=(self.scope if isinstance(self.scope, Scope) else self.scope(fields))
            if rate
            else Scope.UNKNOWN,
            loss=fields.get(first(self.loss, fields)),
            duration=duration,
            values=(*self.values(fields), *self.gauged(fields)),
        )
        if not self.repeats(event, reader.before(at)):
            reader.passed(event, rate)
            yield event

    def gauged(
        self, fields: Fields, gauges: tuple[tuple[str, str, str], ...] = ()
    ) -> Iterator[Metric]:
        """The figures that are kept of every line; a time that has passed is one of seconds.

        Args:
            fields: The line's holes.
            gauges: Which; those of the record by default.
        """
        for hole, name, unit in gauges or self.gauges:
            if hole in fields:
                value = fields[hole]
                yield Metric(name, seconds_of(value) if isinstance(value, str) else value, unit)

    def _lasted(self, fields: Fields) -> float | None:
        """Seconds of one iteration."""
        if self.per_second:
            pace = fields.get(self.per_second)
            return 1 / pace if pace else None
        name = first(self.duration, fields)
        parts = 1000 if self.milliseconds else 1
        if self.since:
            parts = fields[self.step] - fields[self.since] if self.since in fields else 0
        return fields[name] / parts if name and parts > 0 else None

    def repeats(self, event: Iteration, before: Iteration | None) -> bool:
        """Whether a line says what the progress line before it said."""
        return bool(self.once and before) and all(
            getattr(event, part) == getattr(before, part) for part in self.once
        )


def first(names: Iterable[str], fields: Mapping[str, object]) -> str:
    """The first of `names` among `fields`; empty where there is none."""
    for name in names:
        if name in fields:
            return name
    return ""


def further(find: Callable[..., tuple[Metric, ...]], *args: Any, **kwargs: Any) -> Values:
    """What finds the further figures among a line's pairs: `find`, given these arguments too."""
    return lambda fields: find(fields["pairs"], *args, **kwargs)


def counted(*keys: tuple[str, str]) -> Values:
    """Finds whole numbers among a line's pairs.

    Args:
        keys: The key of each, and its unit.
    """

    def find(fields: Fields) -> tuple[Metric, ...]:
        pairs = fields["pairs"]
        return tuple(
            Metric(key, float(pairs[key]), unit)
            for key, unit in keys
            if pairs.get(key, "").isdecimal()
        )

    return find
