"""What an iteration line's holes mean, stated once: line parser and block scan both read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from parsers.events import Iteration, Metric, Scope
from parsers.shape import Fields
from parsers.text import Line


class IterationRecord(NamedTuple):
    """Which hole of a statement becomes which part of an `Iteration`.

    Attributes:
        epoch: Hole of the epoch's label; empty where lines carry none.
        step: Hole of the step.
        steps: Hole of the steps in an epoch.
        throughput: Holes of the throughput; the first that a line has counts.
        unit: Unit of the throughput.
        scope: Scope of the throughput.
        loss: Holes of the loss; the first that a line has counts.
        duration: Hole of the seconds of one iteration.
        time: Hole of a clock inside the line.
        values: Further pairs of a key-value line, whole numbers, and the unit of each.
    """

    epoch: str = ""
    step: str = ""
    steps: str = ""
    throughput: tuple[str, ...] = ()
    unit: str = ""
    scope: Scope = Scope.UNKNOWN
    loss: tuple[str, ...] = ()
    duration: str = ""
    time: str = ""
    values: tuple[tuple[str, str], ...] = ()

    def read(self, _reader: Any, line: Line, fields: Fields) -> Iterator[Iteration]:
        """The event of one line (the shape of a statement's `emit`)."""
        at = line.origin()
        if self.time in fields:
            at = at._replace(time_us=fields[self.time])
        rate = first(self.throughput, fields)
        rated = rate is not None
        pairs = fields.get("pairs", {})
        yield Iteration(
            at,
            epoch=fields.get(self.epoch),
            step=fields.get(self.step),
            steps=fields.get(self.steps),
            throughput=fields[rate] if rate is not None else None,
            unit=self.unit if rated else "",
            scope=self.scope if rated else Scope.UNKNOWN,
            loss=fields.get(first(self.loss, fields) or ""),
            duration=fields.get(self.duration),
            values=tuple(
                Metric(key, float(pairs[key]), unit)
                for key, unit in self.values
                if pairs.get(key, "").isdecimal()
            ),
        )


def first(names: Iterable[str], fields: Mapping[str, object]) -> str | None:
    """The first of `names` among `fields`."""
    for name in names:
        if name in fields:
            return name
    return None
