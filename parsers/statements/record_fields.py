"""The meaning of the holes of a progress line, stated once beside the line's shape."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple, Self, TypeAlias

from sixdim.parsers.events import Metric, Scope
from sixdim.parsers.grammar.shapes.shape import Wanted

Further: TypeAlias = Callable[[Mapping[str, str]], tuple[Metric, ...]]


class Gauge(NamedTuple):
    """A further figure of a progress line: the hole it stands in, and what `Metric` has."""

    hole: str
    name: str
    unit: str = ""
    higher_is_better: bool = True


class Rate(NamedTuple):
    """A throughput with a unit of its own: the hole it stands in, and what `Iteration` has."""

    hole: str
    unit: str
    scope: Scope


class RecordFields(NamedTuple):
    """Which hole of a statement becomes which part of an `Iteration`.

    Attributes:
        epoch: Hole of the epoch's label; empty where lines carry none.
        step: Hole of the step.
        steps: Hole of the steps in an epoch.
        throughput: Holes of the throughput; the first that a line has counts.
        unit: Unit of the throughput.
        unit_in: Holes of the throughput, each with the pair in which the unit stands after the
            number (`393.76 samples/sec`); `unit` counts where the pair has none.
        scope: Scope of the throughput.
        rates: Used instead of `throughput`, `unit` and `scope` if the name of a throughput tells
            its unit and scope; the first that a line has counts.
        loss: Holes of the loss; the first that a line has counts.
        duration: Holes of the seconds of one iteration; the first that a line has counts.
        milliseconds: Whether `duration` is printed in milliseconds.
        mean_throughput: Hole of the line's own mean of the throughput since the epoch began.
        mean_duration: Hole of such a mean of `duration`, in its unit.
        per_second: Hole of the iterations in a second, which give `duration`. (A hole of the
            type `pace` is one of `duration`, whatever it prints.)
        since: Hole of the step of the line before: `duration` is the time of all steps since then.
        time: Hole of a clock inside the line.
        rank: Hole of the rank that prints the line.
        work: Returns the work of an iteration (samples, tokens) from the reader, 0 if unknown; the
            throughput of a line that prints none is this work over `duration`.
        figures: Further figures that have a hole.
        further: Finds further figures among the line's pairs.
        facts: Holes of facts about the run that lines repeat, and the name of each fact; a fact
            whose value has changed is reported in front of the line's event.
        uses: Keys of the pairs that a method beside the record reads.
        once: Parts of the event; a line in which all of them equal those of the line before is a
            repetition (by another rank or handler) and has no event.
    """

    epoch: str = ""
    step: str = ""
    steps: str = ""
    throughput: tuple[str, ...] = ()
    unit: str = ""
    unit_in: tuple[tuple[str, str], ...] = ()
    scope: Scope = Scope.UNKNOWN
    rates: tuple[Rate, ...] = ()
    loss: tuple[str, ...] = ()
    duration: tuple[str, ...] = ()
    milliseconds: bool = False
    mean_throughput: str = ""
    mean_duration: str = ""
    per_second: str = ""
    since: str = ""
    time: str = ""
    rank: str = ""
    work: Callable[[Any], int] | None = None
    figures: tuple[Gauge, ...] = ()
    further: Further | None = None
    facts: tuple[tuple[str, str], ...] = ()
    uses: tuple[str, ...] = ()
    once: tuple[str, ...] = ()

    def reduced(self, names: Collection[str] | None) -> Self:
        """Returns this record without the further figures that have other names (lower case)."""
        if names is None:
            return self
        figures = tuple(one for one in self.figures if one.name.lower() in names)
        return self._replace(figures=figures, further=self.further if names else None)

    def wanted(self, names: Collection[str] | None) -> Wanted:
        """Returns the fields and pairs that the record reads, with these further figures."""
        holes = (self.epoch, self.step, self.steps, self.per_second, self.since, self.time)
        lists = (*self.throughput, *self.loss, *self.duration, self.rank)
        means = (self.mean_throughput, self.mean_duration)
        named = (*(rate.hole for rate in self.rates), *(figure.hole for figure in self.figures))
        fields = frozenset((*holes, *lists, *means, *named, *dict(self.facts)))
        uses = frozenset((*self.uses, *dict(self.unit_in).values()))
        pairs: frozenset[str] | None = uses
        if self.further is not None:
            stated = {figure.name.lower() for figure in self.figures}
            pairs = None if names is None else uses | (frozenset(names) - stated)
        return Wanted(fields, pairs)
