"""Epochs and evaluations of long ago, as rows of plain numbers, which pages keep as columns.

They answer the same questions, and epochs are made anew from them where they change after all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, repeat
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

from metrics.convergence import canonical
from metrics.epoch import Epoch
from metrics.exact import ExactSum
from metrics.utilisation import Utilised
from parsers.events import Column, Epochs, Evaluation, Evaluations, Metric, Origin
from parsers.whole_epochs import Ending, WholeEpochs


class Settled(NamedTuple):
    """An `Epoch` that is over; see there for what its attributes mean.

    Attributes:
        rate_count: Of the parts of `throughput`, as the three that follow.
        time_count: Of the parts of `durations`, as the three that follow.
        used: The parts of both sums of `utilised`.
    """

    label: int
    first_line: int
    last_line: int
    offset: int
    stated: float | None = None
    stated_line: int = 0
    train_time: float | None = None
    epoch_time: float | None = None
    records: int = 0
    loss: float | None = None
    start_us: int | None = None
    end_us: int | None = None
    step: int | None = None
    steps: int | None = None
    first_step: int | None = None
    rate_count: int = 0
    rate_skipped: int = 0
    rate_bits: int = 0
    rate_total: int = 0
    time_count: int = 0
    time_skipped: int = 0
    time_bits: int = 0
    time_total: int = 0
    used: tuple[tuple[int, int, int, int], ...] | None = None

    @property
    def complete(self) -> bool:
        """As the epoch's."""
        return True

    @property
    def throughput(self) -> ExactSum:
        """As the epoch's."""
        return ExactSum.of(self.rate_count, self.rate_skipped, self.rate_bits, self.rate_total)

    @property
    def durations(self) -> ExactSum:
        """As the epoch's."""
        return ExactSum.of(self.time_count, self.time_skipped, self.time_bits, self.time_total)

    @property
    def utilised(self) -> Utilised | None:
        """As the epoch's."""
        return None if self.used is None else Utilised(*(ExactSum.of(*sum) for sum in self.used))

    @property
    def bare(self) -> bool:
        """Whether nothing is known that a speed could be made of."""
        return (
            not (self.records or self.rate_count or self.time_count)
            and self.stated is self.train_time is self.epoch_time is None
        )

    @classmethod
    def of(cls, epoch: AnyEpoch) -> Settled:
        """The row of an epoch."""
        if isinstance(epoch, Settled):
            return epoch
        used = None if (u := epoch.utilised) is None else (u.mfu.parts, u.tflops.parts)
        plain: tuple[Any, ...] = _PLAIN(epoch)
        return cls._make((*plain, *epoch.throughput.parts, *epoch.durations.parts, used))

    @classmethod
    def told(cls, event: Epochs) -> Iterator[Settled]:
        """Epochs of which one line each told all: where that stands, and at most how long."""
        lines, none = event.lines, repeat(None)
        where = (event.labels, lines, lines, event.offsets)
        return map(cls, *where, none, repeat(0), none, event.seconds or none)

    @classmethod
    def whole(cls, event: WholeEpochs) -> list[Sequence[Any]]:
        """Epochs of which all is known, the lines that end each included.

        Returns:
            A column for each attribute; of one number where all have the same.
        """
        end_us = event.ends
        told: dict[str, Sequence[Any] | None] = {}
        for ending in event.endings:
            told["last_line"] = ending.lines
            if isinstance(ending.example, Evaluation):
                continue
            end_us = ending.times or end_us
            for figure in ending.figures:
                told[figure.name] = figure.values
                if figure.name == "throughput":
                    told["stated_line"] = ending.lines
        told["stated"] = told.pop("throughput", None)
        told |= {
            "label": event.labels,
            "first_line": event.lines,
            "offset": event.offsets,
            "records": event.records,
            "loss": event.losses,
            "start_us": event.begins,
            "end_us": end_us,
            "step": event.last_steps,
            "steps": (event.last.steps,),
            "first_step": event.first_steps,
            **dict(zip(_RATES, ExactSum.columns_of(event.units, event.records), strict=True)),
        }
        if any(event.durations):
            told |= zip(_TIMES, ExactSum.columns_of(event.seconds, event.durations), strict=True)
        return cls._filled(told)

    @classmethod
    def columns(cls, event: Epochs) -> list[Sequence[Any]]:
        """As `told`, as columns, like those of `whole`."""
        return cls._filled(
            {
                "label": event.labels,
                "first_line": event.lines,
                "last_line": event.lines,
                "offset": event.offsets,
                "epoch_time": event.seconds,
            }
        )

    @classmethod
    def _filled(cls, told: Mapping[str, Sequence[Any] | None]) -> list[Sequence[Any]]:
        """The columns of all attributes: of those that nothing tells, as it is without."""
        return [told.get(name) or (cls._field_defaults[name],) for name in cls._fields]

    def unpacked(self) -> Epoch:
        """The epoch as it was."""
        epoch = Epoch(self.label, self.first_line, complete=True)
        for name, number in zip(_NAMES, self, strict=False):
            setattr(epoch, name, number)
        epoch.throughput, epoch.durations = self.throughput, self.durations
        epoch.utilised = self.utilised
        return epoch


_NAMES = Settled._fields[: Settled._fields.index("rate_count")]
_PLAIN = attrgetter(*_NAMES)

_SUM = ("count", "skipped", "bits", "total")
_RATES, _TIMES = (tuple(f"{of}_{part}" for part in _SUM) for of in ("rate", "time"))


AnyEpoch: TypeAlias = Epoch | Settled
"""What consumers read; only an `Epoch` changes."""


class Judged(NamedTuple):
    """One whole evaluation with its epoch settled.

    Attributes:
        event: The evaluation as read.
        epoch: Label of its epoch; None in a run without epochs.
        values: Canonical metric name to (value, higher is better).
    """

    event: Evaluation
    epoch: int | None
    values: dict[str, tuple[float, bool]]

    @property
    def units(self) -> dict[str, str]:
        """Canonical metric name to unit."""
        return {canonical(m.name): m.unit for m in self.event.metrics}

    @property
    def model(self) -> str:
        """Whose it is."""
        return self.event.model

    @property
    def label(self) -> int | None:
        """The label of its epoch, where its line says."""
        return self.event.epoch

    @property
    def step(self) -> int | None:
        """The iteration it stands at, where its line says."""
        return self.event.step

    @property
    def line(self) -> int:
        """Number of its line."""
        return self.event.at.line

    def has(self, metric: str) -> bool:
        """Whether it gives a metric."""
        return metric in self.values

    def value(self, metric: str) -> float:
        """The figure of a metric that it gives."""
        return self.values[metric][0]

    def gives(self, metric: str, model: str) -> bool:
        """Whether it gives a metric of that model."""
        return self.event.model == model and metric in self.values

    def figures(self) -> Iterable[tuple[str, float]]:
        """Unit and number of every figure."""
        return ((m.unit, m.value) for m in self.event.metrics)

    @classmethod
    def of(cls, event: Evaluation, epoch: int | None) -> Judged:
        """An evaluation under the canonical names."""
        values = {canonical(m.name): (m.value, m.higher_is_better) for m in event.metrics}
        return cls(event, epoch, values)


class Kind(NamedTuple):
    """All that evaluations of one kind share: what is no number.

    Attributes:
        metrics: Name, unit, and whether higher is better.
        names: The canonical names.
        model: See `Evaluation`.
        after_training: See `Evaluation`.
        rank: See `Origin`.
        host: See `Origin`.
        file: See `Origin`.
        units: Unit of each metric.
        places: Where the number of each canonical name stands, the last of several.
    """

    metrics: tuple[tuple[str, str, bool], ...]
    names: tuple[str, ...]
    model: str
    after_training: bool
    rank: int | None
    host: str | None
    file: int
    units: tuple[str, ...]
    places: dict[str, int]

    @classmethod
    def of(cls, event: Evaluation, kinds: dict[tuple[object, ...], Kind]) -> Kind:
        """The kind of an evaluation, of those known so far by all that makes them one."""
        at = event.at
        told = (event.model, event.after_training, at.rank, at.host, at.file)
        key = (*told, *[(m.name, m.unit, m.higher_is_better) for m in event.metrics])
        known = kinds.get(key)
        if known is not None:
            return known
        metrics = tuple((m.name, m.unit, m.higher_is_better) for m in event.metrics)
        names = tuple(canonical(name) for name, _unit, _higher in metrics)
        units = tuple(unit for _name, unit, _higher in metrics)
        places = {name: place for place, name in enumerate(names)}
        kinds[key] = cls(metrics, names, *told, units, places)
        return kinds[key]


class SettledJudged(NamedTuple):
    """A `Judged` of long ago, as a page keeps it; see there.

    Attributes:
        kind: All that is no number.
        label: As the event's epoch; `epoch` is what it was settled to.
        numbers: The figures.
    """

    kind: Kind
    line: int
    offset: int
    time_us: int | None
    epoch: int | None
    label: int | None
    step: int | None
    numbers: tuple[float, ...]

    @classmethod
    def of(cls, judged: AnyJudged, kinds: dict[tuple[object, ...], Kind]) -> SettledJudged:
        """The row of an evaluation."""
        if isinstance(judged, SettledJudged):
            return judged
        event, at = judged.event, judged.event.at
        where = (at.line, at.offset, at.time_us, judged.epoch, event.epoch, event.step)
        return cls(Kind.of(event, kinds), *where, tuple(m.value for m in event.metrics))

    @classmethod
    def told(
        cls,
        kind: Kind,
        event: Epochs | Evaluations,
        columns: Iterable[Column],
        current: int | None = None,
    ) -> Iterator[SettledJudged]:
        """The evaluations of one model that many lines tell.

        Args:
            kind: What they share.
            event: What the lines say.
            columns: The figures.
            current: Label of the epoch that those without one belong to.
        """
        plain = (repeat(c[0]) if len(c) == 1 else c for c in cls.columns(event, current))
        numbers = zip(*(column.values for column in columns), strict=True)
        return map(cls, repeat(kind), *plain, numbers)

    @classmethod
    def ended(cls, kind: Kind, ending: Ending, labels: Sequence[int]) -> Iterator[SettledJudged]:
        """The evaluations at the ends of whole epochs.

        Args:
            kind: What they share.
            ending: What they say.
            labels: Of their epochs.
        """
        columns = cls.whole(ending, labels)
        every = iter([c[0]] * len(labels) if len(c) == 1 else c for c in columns)
        plain = [*islice(every, len(cls._fields) - 2)]
        return map(cls, repeat(kind), *plain, zip(*every, strict=True))

    @staticmethod
    def whole(ending: Ending, labels: Sequence[int]) -> list[Sequence[Any]]:
        """Where they stand, and their figures, a column each; of one number as in `columns`."""
        none = (None,)
        own = none if ending.example.epoch is None else labels
        where = [ending.lines, ending.offsets, ending.times or none, labels, own, none]
        return [*where, *(figure.values for figure in ending.figures)]

    @staticmethod
    def columns(event: Epochs | Evaluations, current: int | None) -> list[Sequence[Any]]:
        """Where they stand, a column each; of one number where all have the same."""
        times = event.times if isinstance(event, Evaluations) else None
        labels, none = event.labels, (None,)
        where = [event.lines, event.offsets, times or none]
        return [*where, labels or (current,), labels or none, none]

    @property
    def event(self) -> Evaluation:
        """The evaluation as read."""
        kind = self.kind
        at = Origin(self.line, self.offset, self.time_us, kind.rank, kind.host, kind.file)
        metrics = tuple(
            Metric(name, value, unit, higher)
            for (name, unit, higher), value in zip(kind.metrics, self.numbers, strict=True)
        )
        return Evaluation(at, metrics, self.label, self.step, kind.model, kind.after_training)

    @property
    def values(self) -> dict[str, tuple[float, bool]]:
        """Canonical metric name to (value, higher is better)."""
        kinds = zip(self.kind.names, self.kind.metrics, self.numbers, strict=True)
        return {name: (value, higher) for name, (_name, _unit, higher), value in kinds}

    @property
    def units(self) -> dict[str, str]:
        """Canonical metric name to unit."""
        return dict(zip(self.kind.names, self.kind.units, strict=True))

    @property
    def model(self) -> str:
        """Whose it is."""
        return self.kind.model

    def has(self, metric: str) -> bool:
        """See `Judged.has`."""
        return metric in self.kind.places

    def value(self, metric: str) -> float:
        """See `Judged.value`."""
        return self.numbers[self.kind.places[metric]]

    def gives(self, metric: str, model: str) -> bool:
        """See `Judged.gives`."""
        return self.kind.model == model and metric in self.kind.places

    def figures(self) -> Iterable[tuple[str, float]]:
        """See `Judged.figures`."""
        return zip(self.kind.units, self.numbers, strict=True)


AnyJudged: TypeAlias = Judged | SettledJudged
