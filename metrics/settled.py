"""Epochs and evaluations of long ago, each packed into a few bytes.

A log of a gigabyte may hold tens of thousands, and as objects each takes a kilobyte. Packed, they
answer the same questions a little slower, and are unpacked where they change after all.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from metrics.convergence import canonical
from metrics.epoch import Epoch
from metrics.exact import ExactSum
from parsers.events import Column, Epochs, Evaluation, Evaluations, Metric, Origin

T = TypeVar("T")

_WHOLE = struct.Struct("<q")
_REAL = struct.Struct("<d")
_PLACE = struct.Struct("<qq")
_NOTHING = -(1 << 63)
_WHOLES = 6
"""Whole numbers in front of an evaluation's figures: line, offset, clock, labels, and step."""
_NONE = {
    _WHOLE: _WHOLE.pack(_NOTHING),
    _REAL: bytes.fromhex("efbeadde0100f87f"),  # a nan that no arithmetic makes
}


def _check(same: bool) -> None:
    """An integer that stands where a real number does must not come back as one."""
    if not same:
        raise struct.error("not the same number when packed")


class _Field(Generic[T]):
    """An attribute that stands at a place of the packed bytes."""

    def __init__(self, place: int, form: struct.Struct) -> None:
        self._begin = 8 * place
        self._form = form
        self._none = _NONE[form]

    def __get__(self, owner: Settled | Told, _class: type | None = None) -> T:
        value: Any = self._form.unpack_from(owner.data, self._begin)[0]
        if value == _NOTHING or value != value:
            value = None if owner.data[self._begin : self._begin + 8] == self._none else value
        kind: T = value
        return kind

    @property
    def none(self) -> float:
        """The number that stands for none."""
        number: float = self._form.unpack(self._none)[0]
        return number

    @property
    def letter(self) -> str:
        """How `struct` names the kind of number."""
        return self._form.format[-1]


class Settled:
    """An `Epoch` that is over; see there for what its attributes mean.

    Attributes:
        data: The packed attributes.
        utilised: As the epoch's.

    Raises:
        struct.error: A number of it has no room.
    """

    __slots__ = ("data", "utilised")

    label: _Field[int] = _Field(0, _WHOLE)
    first_line: _Field[int] = _Field(1, _WHOLE)
    last_line: _Field[int] = _Field(2, _WHOLE)
    offset: _Field[int] = _Field(3, _WHOLE)
    stated: _Field[float | None] = _Field(4, _REAL)
    stated_line: _Field[int] = _Field(5, _WHOLE)
    train_time: _Field[float | None] = _Field(6, _REAL)
    epoch_time: _Field[float | None] = _Field(7, _REAL)
    records: _Field[int] = _Field(8, _WHOLE)
    loss: _Field[float | None] = _Field(9, _REAL)
    start_us: _Field[int | None] = _Field(10, _WHOLE)
    end_us: _Field[int | None] = _Field(11, _WHOLE)
    step: _Field[int | None] = _Field(12, _WHOLE)
    steps: _Field[int | None] = _Field(13, _WHOLE)
    first_step: _Field[int | None] = _Field(14, _WHOLE)
    complete = True
    bare = False

    def __init__(self, epoch: Epoch) -> None:
        told = _ATTRIBUTES(epoch)
        _check(all(type(told[place]) in _REAL_OR_NONE for place in _REALS))
        numbers = [none if n is None else n for n, none in zip(told, _NONES, strict=True)]
        first, second = epoch.throughput.packed(), epoch.durations.packed()
        self.data = _FORM.pack(*numbers, len(first)) + first + second
        self.utilised = epoch.utilised

    @property
    def throughput(self) -> ExactSum:
        """As the epoch's."""
        return ExactSum.unpacked(self._sums[0])

    @property
    def durations(self) -> ExactSum:
        """As the epoch's."""
        return ExactSum.unpacked(self._sums[1])

    @property
    def _sums(self) -> tuple[bytes, bytes]:
        begin = _FORM.size
        middle = begin + _WHOLE.unpack_from(self.data, begin - 8)[0]
        return self.data[begin:middle], self.data[middle:]

    def unpacked(self) -> Epoch:
        """The epoch as it was."""
        epoch = Epoch(self.label, self.first_line)
        for name in _FIELDS:
            setattr(epoch, name, getattr(self, name))
        epoch.throughput, epoch.durations = self.throughput, self.durations
        epoch.complete, epoch.utilised = True, self.utilised
        return epoch


_FIELDS: dict[str, _Field[int] | _Field[int | None] | _Field[float | None]] = {
    name: field for name, field in vars(Settled).items() if isinstance(field, _Field)
}
_ATTRIBUTES = attrgetter(*_FIELDS)
_FORM = struct.Struct("<" + "".join(field.letter for field in _FIELDS.values()) + "q")
_NONES = tuple(field.none for field in _FIELDS.values())
_REALS = tuple(place for place, field in enumerate(_FIELDS.values()) if field.letter == "d")
_REAL_OR_NONE = (float, type(None))


class Told:
    """An `Epoch` of which one line told all: nothing is known of it but where that stands.

    Attributes:
        label: As the epoch's.
        data: Packed, and more behind it: the line, and its byte offset.
    """

    __slots__ = ("data", "label")

    first_line: _Field[int] = _Field(0, _WHOLE)
    offset: _Field[int] = _Field(1, _WHOLE)

    epoch_time: float | None = None
    stated = train_time = loss = start_us = end_us = None
    step = steps = first_step = utilised = None
    stated_line = records = 0
    throughput = durations = ExactSum()  # one for all: only an `Epoch` changes
    complete = bare = True

    def __init__(self, label: int, data: bytes) -> None:
        self.label, self.data = label, data

    @classmethod
    def all(cls, event: Epochs, judged: Sequence[Sequence[SettledJudged]]) -> Iterator[Told]:
        """Many epochs; where evaluations stand in their lines, those know the place."""
        places = (one.data for one in judged[0]) if judged else _places(event)
        if event.seconds is None:
            return map(Told, event.labels, places)
        return map(Timed, event.labels, places, event.seconds)

    @property
    def last_line(self) -> int:
        """As the epoch's."""
        return self.first_line

    def unpacked(self) -> Epoch:
        """The epoch as it was."""
        return Epoch(self.label, self.first_line, self.first_line, self.offset, complete=True)


class Timed(Told):
    """The same of an epoch whose line says how long it took."""

    __slots__ = ("epoch_time",)
    bare = False

    def __init__(self, label: int, data: bytes, seconds: float | None) -> None:
        super().__init__(label, data)
        self.epoch_time = seconds

    def unpacked(self) -> Epoch:
        """The epoch as it was."""
        epoch = super().unpacked()
        epoch.epoch_time = self.epoch_time
        return epoch


def _places(event: Epochs) -> Iterator[bytes]:
    """Line and byte offset of each epoch, packed as an evaluation's are."""
    return map(_PLACE.pack, event.lines, event.offsets)


AnyEpoch: TypeAlias = Epoch | Settled | Told
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
        form: How the numbers are packed.
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
    form: struct.Struct

    @classmethod
    def of(cls, event: Evaluation) -> Kind:
        """The kind of an evaluation."""
        metrics = tuple((m.name, m.unit, m.higher_is_better) for m in event.metrics)
        names = tuple(canonical(name) for name, _unit, _higher in metrics)
        units = tuple(unit for _name, unit, _higher in metrics)
        form = struct.Struct(f"<{_WHOLES}q{len(metrics)}d")
        places = {name: 8 * place for place, name in enumerate(names, _WHOLES)}
        at = event.at
        model, after = event.model, event.after_training
        return cls(metrics, names, model, after, at.rank, at.host, at.file, units, places, form)


class SettledJudged:
    """A `Judged` of long ago; see there.

    Args:
        judged: The evaluation.
        kinds: The kinds known so far, by all that makes them one.

    Attributes:
        data: The packed numbers; the line and its byte offset are the first.

    Raises:
        struct.error: A number of it has no room.
    """

    __slots__ = ("_kind", "data")

    def __init__(self, judged: Judged, kinds: dict[tuple[object, ...], Kind]) -> None:
        event, at = judged.event, judged.event.at
        known = (event.model, event.after_training, at.rank, at.host, at.file)
        key = (*known, *[(m.name, m.unit, m.higher_is_better) for m in event.metrics])
        self._kind = kinds.get(key) or kinds.setdefault(key, Kind.of(event))
        whole = (at.line, at.offset, at.time_us, judged.epoch, event.epoch, event.step)
        values = [m.value for m in event.metrics]
        _check({*map(type, values)} <= {float})
        self.data = self._kind.form.pack(
            *[_NOTHING if number is None else number for number in whole], *values
        )

    @classmethod
    def told(
        cls,
        first: Evaluation,
        event: Epochs | Evaluations,
        columns: tuple[Column, ...],
        kinds: dict[tuple[object, ...], Kind],
        current: int | None = None,
    ) -> Iterator[SettledJudged]:
        """The evaluations of one model that many lines tell.

        Args:
            first: The first of them.
            event: What the lines say.
            columns: The figures.
            kinds: As above.
            current: Label of the epoch that those without one belong to.
        """
        kind = cls(Judged.of(first, None), kinds)._kind
        none = repeat(_NOTHING)
        labels = event.labels or none
        epochs = event.labels or repeat(_NOTHING if current is None else current)
        times = (event.times if isinstance(event, Evaluations) else None) or none
        whole = (event.lines, event.offsets, times, epochs, labels, none)
        for data in map(kind.form.pack, *whole, *(column.values for column in columns)):
            one = cls.__new__(cls)
            one._kind, one.data = kind, data
            yield one

    @property
    def event(self) -> Evaluation:
        """The evaluation as read."""
        kind = self._kind
        line, offset, time_us, _label, epoch, step, *values = kind.form.unpack(self.data)
        at = Origin(line, offset, _known(time_us), kind.rank, kind.host, kind.file)
        metrics = tuple(
            Metric(name, value, unit, higher)
            for (name, unit, higher), value in zip(kind.metrics, values, strict=True)
        )
        return Evaluation(at, metrics, _known(epoch), _known(step), kind.model, kind.after_training)

    @property
    def epoch(self) -> int | None:
        """Label of its epoch."""
        return _known(_WHOLE.unpack_from(self.data, 3 * 8)[0])

    @property
    def values(self) -> dict[str, tuple[float, bool]]:
        """Canonical metric name to (value, higher is better)."""
        kind = self._kind
        numbers = kind.form.unpack(self.data)[_WHOLES:]
        kinds = zip(kind.names, kind.metrics, numbers, strict=True)
        return {name: (value, higher) for name, (_name, _unit, higher), value in kinds}

    @property
    def units(self) -> dict[str, str]:
        """Canonical metric name to unit."""
        kind = self._kind
        pairs = zip(kind.names, kind.metrics, strict=True)
        return {name: unit for name, (_name, unit, _higher) in pairs}

    @property
    def model(self) -> str:
        """Whose it is."""
        return self._kind.model

    def has(self, metric: str) -> bool:
        """See `Judged.has`."""
        return metric in self._kind.places

    def value(self, metric: str) -> float:
        """See `Judged.value`."""
        value: float = _REAL.unpack_from(self.data, self._kind.places[metric])[0]
        return value

    def gives(self, metric: str, model: str) -> bool:
        """See `Judged.gives`."""
        kind = self._kind
        return kind.model == model and metric in kind.places

    def figures(self) -> Iterable[tuple[str, float]]:
        """See `Judged.figures`."""
        kind = self._kind
        return zip(kind.units, kind.form.unpack(self.data)[_WHOLES:], strict=True)


AnyJudged: TypeAlias = Judged | SettledJudged


def _known(number: int) -> int | None:
    return None if number == _NOTHING else number
