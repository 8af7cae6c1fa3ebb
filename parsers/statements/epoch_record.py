"""The meaning of a line that reports a whole epoch: the epoch's figures and its evaluations'."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Events,
    Metric,
    Origin,
    RunStart,
    Scope,
)
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole, known
from sixdim.parsers.grammar.vocabulary.named import Named
from sixdim.parsers.grammar.vocabulary.names import meaning
from sixdim.parsers.grammar.vocabulary.units import ALSO_OF_OTHERS
from sixdim.parsers.statements.format import Fields, Line, Reader


class Figure(NamedTuple):
    """The meaning of the number under one key.

    Attributes:
        model: Whose evaluation it belongs to (`raw`, `averaged`); empty for the epoch's own.
        name: Name of the metric.
        unit: Its unit.
        listed: Whether the first number counts if the value is a list.
    """

    model: str
    name: str
    unit: str = ""
    listed: bool = False


_new = tuple.__new__  # lines of an epoch have many figures: this takes half the time of `Metric(…)`
FigureOf: TypeAlias = Callable[[str], Figure | None]


class EpochReader(Reader):
    """A format in which a line reports an epoch.

    Attributes:
        begun: Label of the epoch with which the run began.
    """

    begun: int | None = None


class EpochRecord(NamedTuple):
    """Which field of a statement becomes which part of an `EpochEnd` and its `Evaluation`s.

    Attributes:
        figure_of: Returns the meaning of the number under a key; None for a label or no figure.
        epoch: Key of the epoch's label.
    """

    figure_of: FigureOf
    epoch: str = "epoch"

    def read(self, reader: EpochReader, line: Line, fields: Fields) -> Events:
        """Yields one line's events; an epoch no later than the run's first begins another run."""
        at, epoch = line.origin(), as_whole(fields.get(self.epoch))
        if epoch is not None and (reader.begun is None or epoch <= reader.begun):
            reader.begun = epoch
            yield RunStart(at)
        yield from self.events(at, epoch, fields, reader.names)

    def events(
        self, at: Origin, epoch: int | None, fields: Fields, names: frozenset[str] | None
    ) -> list[Event]:
        """Returns the end of an epoch, and its evaluations.

        Args:
            at: The line.
            epoch: The epoch's label; None without one.
            fields: The fields of the line.
            names: As for `Reader.names`, for the epoch's own figures; its loss is always wanted.
        """
        keys = tuple(fields)
        own, *models = _columns(self.figure_of, keys, names)
        end = EpochEnd(at, epoch, values=_metrics(own[1], fields))
        speeds = _speeds(keys)
        events: list[Event] = [end._replace(**_speed(fields, speeds)) if speeds else end]
        for model, columns in models:
            metrics = _metrics(columns, fields)
            if metrics:
                events.append(Evaluation(at, metrics, epoch, model=model))
        return events


def scores(prefix: str, names: Mapping[str, tuple[str, str]], strip: str = "") -> FigureOf:
    """Recognises an evaluation's figures by how their keys begin; all others are the epoch's own.

    Args:
        prefix: What they begin with.
        names: The log's name to (canonical name, unit).
        strip: Prefix removed from names that have no canonical one.
    """

    def figure_of(key: str) -> Figure | None:
        if not key.startswith(prefix):
            return None if key == "epoch" else Figure("", key)
        return Figure("raw", *names.get(key, (key.removeprefix(strip), "")))

    return figure_of


class _Column(NamedTuple):
    """One figure of all lines with the same keys: its key, and fields of `Metric` and `Figure`."""

    key: str
    name: str
    unit: str
    higher_is_better: bool
    listed: bool


_Columns: TypeAlias = tuple[_Column, ...]


@lru_cache(64)
def _columns(
    figure_of: FigureOf, keys: tuple[str, ...], names: frozenset[str] | None
) -> list[tuple[str, _Columns]]:
    """Returns the figures of a line with these keys, by model; the epoch's own come first."""
    models: dict[str, dict[str, _Column]] = {"": {}, "raw": {}, "averaged": {}}
    for key in keys:
        figure = figure_of(key)
        if figure is not None:
            name, higher = known(figure.name)
            if not (figure.model or names is None or name == "loss" or name.lower() in names):
                continue
            # If an evaluation has several figures of one name, the last counts.
            own = figure.name if figure.model else key
            models[figure.model][own] = _Column(key, name, figure.unit, higher, figure.listed)
    found = [(model, tuple(columns.values())) for model, columns in models.items()]
    return [(model, columns) for model, columns in found if columns or not model]


_Speeds: TypeAlias = tuple[tuple[str, str, Named], ...]
"""Fields of an `EpochEnd`, and for each the key and the meaning of its value."""


@lru_cache(64)
def _speeds(keys: tuple[str, ...]) -> _Speeds:
    """Returns the keys of an epoch's throughput and times, by the names and units in the keys."""
    parts = {"rate": "throughput", "epoch time": "epoch_time", "train time": "train_time"}
    found: dict[str, tuple[str, Named]] = {}
    for key in keys:
        named = meaning(key, "", False)
        if named is None or named.role not in parts or named.split == "eval":
            continue
        if named.role != "rate" or named.unit not in ALSO_OF_OTHERS:
            found.setdefault(parts[named.role], (key, named))
    return tuple((part, *one) for part, one in found.items())


def _speed(fields: Fields, speeds: _Speeds) -> dict[str, Any]:
    """Returns the throughput and the times of an epoch, as fields of an `EpochEnd`."""
    parts: dict[str, Any] = {}
    for part, key, named in speeds:
        value = as_number(fields[key])
        if value is not None:
            parts[part] = value * named.scale
            if part == "throughput":
                parts["unit"] = named.unit
                parts["scope"] = Scope.DEVICE if named.per_device else Scope.UNKNOWN
    return parts


def _metrics(columns: _Columns, fields: Fields) -> tuple[Metric, ...]:
    """Returns the figures of one line; values that are not numbers are left out."""
    metrics = []
    for key, name, unit, higher, listed in columns:
        value = fields[key]
        if type(value) is not float:
            value = as_number(value[0] if listed and isinstance(value, list) and value else value)
        if value is not None:
            metrics.append(_new(Metric, (name, value, unit, higher)))
    return tuple(metrics)
