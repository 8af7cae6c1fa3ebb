"""What a line means that reports a whole epoch: its own figures, and those of its evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from sixdim.parsers.events import EpochEnd, Evaluation, Event, Metric, Origin, RunStart
from sixdim.parsers.grammar.figures import as_number, as_whole, known
from sixdim.parsers.grammar.shape import Fields
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.text.lines import Line


class Figure(NamedTuple):
    """What the number under one key is.

    Attributes:
        model: Whose evaluation it belongs to (`raw`, `averaged`); empty for the epoch's own.
        name: Name of the metric.
        unit: Its unit.
        listed: Whether of a list the first number is meant.
    """

    model: str
    name: str
    unit: str = ""
    listed: bool = False


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
        figure_of: What the number under a key is; None for a label, or for no figure.
        epoch: Key of the epoch's label.
    """

    figure_of: FigureOf
    epoch: str = "epoch"

    def read(self, reader: EpochReader, line: Line, fields: Fields) -> Iterator[Event]:
        """The events of one line; an epoch no later than the run's first begins another run."""
        at, epoch = line.origin(), as_whole(fields.get(self.epoch))
        if epoch is not None and (reader.begun is None or epoch <= reader.begun):
            reader.begun = epoch
            yield RunStart(at)
        yield from self.events(at, epoch, fields)

    def events(self, at: Origin, epoch: int | None, fields: Fields) -> Iterator[Event]:
        """The end of an epoch of a label, and its evaluations."""
        for model, columns in _columns(self.figure_of, tuple(fields)).items():
            metrics = tuple(_metrics(columns, fields))
            if not model:
                yield EpochEnd(at, epoch, values=metrics)
            elif metrics:
                yield Evaluation(at, metrics, epoch, model=model)


def scores(prefix: str, names: Mapping[str, tuple[str, str]], strip: str = "") -> FigureOf:
    """Knows an evaluation's figures by how their keys begin; all others are the epoch's own.

    Args:
        prefix: What they begin with.
        names: The log's name to (canonical name, unit).
        strip: Prefix taken off names that have no canonical one.
    """

    def figure_of(key: str) -> Figure | None:
        if not key.startswith(prefix):
            return None if key == "epoch" else Figure("", key)
        return Figure("raw", *names.get(key, (key.removeprefix(strip), "")))

    return figure_of


class _Column(NamedTuple):
    """One figure of every line with the same keys: its key, and what `Metric` and `Figure` have."""

    key: str
    name: str
    unit: str
    higher_is_better: bool
    listed: bool


@lru_cache(64)
def _columns(figure_of: FigureOf, keys: tuple[str, ...]) -> Mapping[str, tuple[_Column, ...]]:
    """By model, the figures of a line with these keys; the epoch's own under an empty one."""
    models: dict[str, dict[str, _Column]] = {"": {}, "raw": {}, "averaged": {}}
    for key in keys:
        figure = figure_of(key)
        if figure is not None:
            name, higher = known(figure.name)
            # Of an evaluation's figures with one name the last counts.
            own = figure.name if figure.model else key
            models[figure.model][own] = _Column(key, name, figure.unit, higher, figure.listed)
    return {model: tuple(columns.values()) for model, columns in models.items()}


def _metrics(columns: tuple[_Column, ...], fields: Fields) -> Iterator[Metric]:
    """The figures of one line; what is no number is left out."""
    for key, name, unit, higher, listed in columns:
        raw = fields[key]
        if listed and isinstance(raw, list) and raw:
            raw = raw[0]
        value = raw if type(raw) is float else as_number(raw)
        if value is not None:
            yield Metric(name, value, unit, higher)
