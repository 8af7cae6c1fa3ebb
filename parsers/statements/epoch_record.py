"""What a line means that tells a whole epoch: its own figures, and those of its evaluation.

Stated once, as `IterationRecord` states a progress line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from math import inf
from typing import Any, NamedTuple, TypeAlias

from sixdim.parsers.events import EpochEnd, Evaluation, Metric, RunStart
from sixdim.parsers.grammar.figures import as_number, as_whole, known
from sixdim.parsers.grammar.shape import Fields
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


SECONDS = 3600
"""In an hour."""

Told: TypeAlias = Callable[[str], Figure | None]


class Planned(NamedTuple):
    """One figure of every line with the same keys.

    Attributes:
        key: Where it stands.
        name: Of the metric, as `Metric` has it.
        unit: As `Metric` has it.
        higher_is_better: As `Metric` has it.
        listed: As `Figure` has it.
    """

    key: str
    name: str
    unit: str
    higher_is_better: bool
    listed: bool


class EpochRecord(NamedTuple):
    """Which field of a statement becomes which part of an `EpochEnd` and its `Evaluation`s.

    Attributes:
        told: What the number under a key is; None for a label, or for no figure.
        epoch: Key of the epoch's label.
        counted: Whether lines without a label are counted from 1.
        restarts: Whether an epoch up to the one that the run began with begins another run.
            Where it does not, a header says so.
        hours: Key of the hours since the training began: an epoch took what has gone since the
            line before.
    """

    told: Told
    epoch: str = "epoch"
    counted: bool = False
    restarts: bool = True
    hours: str = ""

    def read(
        self, reader: Any, line: Line, fields: Fields
    ) -> Iterator[RunStart | EpochEnd | Evaluation]:
        """The events of one line (the shape of a statement's `emit`)."""
        at, epoch = line.origin(), self.label(reader, fields)
        if self.restarts and epoch is not None and (reader.begun is None or epoch <= reader.begun):
            reader.begun = epoch
            yield RunStart(at)
        seconds = self.lasted(reader, as_number(fields.get(self.hours))) if self.hours else None
        for model, plan in self.plan(tuple(fields)).items():
            metrics = read_figures(plan, fields)
            if not model:
                yield EpochEnd(at, epoch, epoch_time=seconds, values=metrics)
            elif metrics:
                yield Evaluation(at, metrics, epoch, model=model)

    def label(self, reader: Any, fields: Fields) -> int | None:
        """The epoch's label; a resumed run goes on with a later one."""
        if self.counted:
            reader.rows += 1
            if self.epoch not in fields:
                rows: int = reader.rows
                return rows
        return as_whole(fields.get(self.epoch))

    def lasted(self, reader: Any, hours: float | None) -> float | None:
        """Seconds of the epoch that ends at so many hours, exactly as those are printed.

        None where they are no numbers, or run backwards.
        """
        now = None if hours is None or not 0 <= hours < inf else hours
        since, reader.hours = reader.hours, now
        if now is None or since is None or now < since:
            return None
        return _seconds(since, now)

    def plan(self, keys: tuple[str, ...]) -> Mapping[str, tuple[Planned, ...]]:
        """By model, the figures of a line with these keys; the epoch's own under an empty one."""
        return _plan(self.told, keys)


def scores(prefix: str, names: Mapping[str, tuple[str, str]], strip: str = "") -> Told:
    """Tells an evaluation's figures by how their keys begin; all others are the epoch's own.

    Args:
        prefix: What they begin with.
        names: The log's name to (canonical name, unit).
        strip: Prefix taken off names that have no canonical one.
    """

    def told(key: str) -> Figure | None:
        if not key.startswith(prefix):
            return None if key == "epoch" else Figure("", key)
        return Figure("raw", *names.get(key, (key.removeprefix(strip), "")))

    return told


@lru_cache(64)
def _plan(told: Told, keys: tuple[str, ...]) -> Mapping[str, tuple[Planned, ...]]:
    models: dict[str, dict[str, Planned]] = {"": {}, "raw": {}, "averaged": {}}
    for key in keys:
        figure = told(key)
        if figure is not None:
            name, higher = known(figure.name)
            # Of an evaluation's figures with one name the last counts.
            own = figure.name if figure.model else key
            models[figure.model][own] = Planned(key, name, figure.unit, higher, figure.listed)
    return {model: tuple(plan.values()) for model, plan in models.items()}


def read_figures(plan: tuple[Planned, ...], fields: Fields) -> tuple[Metric, ...]:
    """The figures of one line; what is no number is left out."""
    out = []
    for key, name, unit, higher, listed in plan:
        raw = fields[key]
        if listed and isinstance(raw, list) and raw:
            raw = raw[0]
        value = raw if type(raw) is float else as_number(raw)
        if value is not None:
            out.append(Metric(name, value, unit, higher))
    return tuple(out)


def _seconds(since: float, now: float) -> float:
    """From so many hours to so many, each the shortest decimal that stands for the double."""
    from decimal import Context, Decimal  # only a log of such rows pays for it

    exact = Context(prec=1500)  # digits enough for any difference of two doubles
    hours = exact.subtract(Decimal(repr(now)), Decimal(repr(since)))
    return float(exact.multiply(hours, Decimal(SECONDS)))
