"""How a format states its lines in its class body: a decorated method, or a row without code.

    class Ours(Reader):
        name = "ours"
        ...
        training = progress("step {step:int} loss {loss:float}", RECORD, 1.0)
        scores = evaluation("eval {epoch:int}: top1 {acc1:float}%", 1.0, unit="%")
        @line("epoch {epoch:int}: took {minutes:float} min", 1.0, "epoch")
        def _epoch(self, line: Line, f: Fields) -> Events:
            yield EpochEnd(line.origin(), f["epoch"], train_time=60 * f["minutes"])
        header = starts("training begins", 0.5)
        model = fact("model: {model:word}", 0.3)
        other = ignored("saving {}", 0.1, "checkpoint"), ignored("loading {}", 0.1, "checkpoint")

A line is tried against them in the order of the class body. A row may have several shapes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeAlias, TypeVar

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Events,
    Metric,
    RunEnd,
    RunStart,
    Scope,
    Summary,
)
from sixdim.parsers.grammar.shapes.figures import as_whole, figures
from sixdim.parsers.grammar.shapes.shape import Fields, Shape
from sixdim.parsers.grammar.shapes.skeleton import Skeleton
from sixdim.parsers.statements.compiled import Emit, Statement
from sixdim.parsers.statements.record import IterationRecord
from sixdim.parsers.statements.record import NamedRecord as NamedRecord
from sixdim.parsers.text.lines import Line

_Method = TypeVar("_Method", bound=Callable[..., Any])
Names: TypeAlias = Mapping[str, tuple[str, str]]
"""The log's names of figures, and for each the canonical name and the unit."""
Shapes: TypeAlias = "Shape | str | tuple[Shape | str, ...]"
"""How a line looks, or several ways in which it does; a text is a `Skeleton`."""
Rows: TypeAlias = tuple[Statement, ...]
_PLACE = ("epoch", "step", "epochs")
_PASS = ("throughput", "train_time", "epoch_time")


def row(
    shapes: Shapes, emit: Emit, weight: float, what: str, record: IterationRecord | None = None
) -> Rows:
    """States lines that `emit` turns into events: a statement for each of the shapes."""
    every = shapes if isinstance(shapes, tuple) else (shapes,)
    made = (Skeleton(one) if isinstance(one, str) else one for one in every)
    return tuple(Statement(shape, emit, weight, what, record) for shape in made)


def line(
    shapes: Shapes, weight: float, what: str, record: IterationRecord | None = None
) -> Callable[[_Method], _Method]:
    """States a line that the decorated method turns into events.

    A method may have several of these. It takes the line and its fields, and returns events,
    or None if the line is not of the format after all. The arguments are the attributes of
    `Statement`. With a record, the method gets only the pairs that the record needs.
    """

    def state(method: _Method) -> _Method:
        stated = row(shapes, method, weight, what, record)
        method.statements = (*stated, *getattr(method, "statements", ()))  # type: ignore[attr-defined]  # functions have any
        return method

    return state


def progress(
    shapes: Shapes, record: IterationRecord, weight: float, what: str = "iteration"
) -> Rows:
    """States a progress line that `record` describes completely."""
    return row(shapes, record.read, weight, what, record)


def ignored(shapes: Shapes, weight: float, what: str) -> Rows:
    """States a line that is known and says nothing."""
    return row(shapes, nothing, weight, what)


def remembers(shapes: Shapes, weight: float, what: str, **values: Any) -> Rows:
    """States a line without events: its fields, and `values`, become attributes of the reader."""

    def remember(reader: Any, _line: Line, fields: Fields) -> Events:
        vars(reader).update(fields, **values)
        return ()

    return row(shapes, remember, weight, what)


def starts(shapes: Shapes, weight: float, what: str = "header", **facts: Any) -> Rows:
    """States a header that begins a run: no progress line of it was read, no fact is known.

    The holes of a text, and `facts`, are as for `fact`.
    """
    holes = isinstance(shapes, str | tuple)

    def start(reader: Any, line: Line, fields: Fields) -> Events:
        reader.facts.clear()
        reader.latest = None
        yield RunStart(line.origin())
        yield from _facts(reader, line, {**(fields if holes else {}), **facts}, always=True)

    return row(shapes, start, weight, what)


def ends(shapes: Shapes, weight: float, what: str = "end", *, status: str = "finished") -> Rows:
    """States the closing line of a run, whose field `duration`, if any, has the run's seconds."""

    def end(reader: Any, line: Line, fields: Fields) -> Events:
        reader.facts.clear()  # those behind it are another run's
        return (RunEnd(line.origin(), fields.get("duration"), status),)

    return row(shapes, end, weight, what)


def fact(
    shapes: Shapes, weight: float, what: str = "header", *, always: bool = False, **facts: Any
) -> Rows:
    """States a line of facts about the run: each field is one, under its name.

    `facts` are further ones that the line implies. A fact is reported when its value changes, or
    `always`. A field `devices_per_node` gives the devices, once the `nodes` are known as well.
    """

    def report(reader: Any, line: Line, fields: Fields) -> Events:
        yield from _facts(reader, line, {**fields, **facts}, always=always)

    return row(shapes, report, weight, what)


def evaluation(
    shapes: Shapes,
    weight: float,
    what: str = "evaluation",
    *,
    unit: str = "",
    names: Names | None = None,
    skip: Collection[str] = (),
    strip: str = "",
    lower: Collection[str] = (),
    **parts: Any,
) -> Rows:
    """States a line with the figures of an evaluation: each field, or each pair of a line of pairs.

    It belongs to the epoch or the step that its fields `epoch` and `step` name, else to those of
    the last progress line. A line without figures has no event. A field `figure` is the name of the
    figure whose number is the field `value`. The field `epochs`, here and in `epoch_end`, says how
    many epochs are planned.

    Args:
        shapes: How the line looks.
        weight: See `Statement`.
        what: What the line is.
        unit: Unit of all figures that have none of their own, except a loss.
        names: As for `figures`, like `skip` and `strip`.
        skip: Names that are no figures.
        strip: Prefix removed from names without a canonical one.
        lower: Names of figures of which less is better, besides losses and errors.
        parts: Further parts of the `Evaluation`.
    """
    figures_of = _figures(unit, names, (*_PLACE, *skip), strip, lower)

    def evaluated(reader: Any, line: Line, fields: Fields) -> Events:
        metrics = figures_of(fields)
        if metrics:
            epoch, step = as_whole(fields.get("epoch")), as_whole(fields.get("step"))
            if epoch is None and step is None:
                epoch, step = reader.epoch, reader.step if reader.epoch is None else None
            over = Evaluation(line.origin(), metrics, epoch, step, **parts)
            return (*_planned(reader, line, fields), over)
        return ()

    return row(shapes, evaluated, weight, what)


def epoch_end(
    shapes: Shapes,
    weight: float,
    what: str = "epoch",
    *,
    unit: str = "",
    scope: Scope = Scope.UNKNOWN,
    names: Names | None = None,
    skip: Collection[str] = (),
    lower: Collection[str] = (),
) -> Rows:
    """States a line that ends an epoch; without a label it is the one just trained.

    The fields `throughput`, `train_time` and `epoch_time` are parts of the `EpochEnd`. `unit` and
    `scope` belong to the throughput, the others are as for `evaluation`.
    """
    figures_of = _figures("", names, (*_PLACE, *_PASS, *skip), lower=lower)

    def ended(reader: Any, line: Line, fields: Fields) -> Events:
        rated = "throughput" in fields
        over = EpochEnd(
            line.origin(),
            as_whole(fields.get("epoch")),
            fields.get("throughput"),
            unit if rated else "",
            scope if rated else Scope.UNKNOWN,
            fields.get("train_time"),
            fields.get("epoch_time"),
            figures_of(fields),
        )
        return (*_planned(reader, line, fields), over)

    return row(shapes, ended, weight, what)


def summary(
    shapes: Shapes,
    weight: float,
    what: str = "summary",
    *,
    unit: str = "",
    names: Names | None = None,
    skip: Collection[str] = (),
) -> Rows:
    """States a line of figures that the log computed about itself, as for `evaluation`."""
    figures_of = _figures(unit, names, (*_PLACE, *skip))

    def summarised(_reader: Any, line: Line, fields: Fields) -> Events:
        return (Summary(line.origin(), figures_of(fields)),)

    return row(shapes, summarised, weight, what)


def stated(value: object) -> Rows:
    """Returns the statements that one attribute of a format's class holds."""
    if isinstance(value, Statement):
        return (value,)
    if isinstance(value, tuple):
        return tuple(statement for one in value for statement in stated(one))
    return getattr(value, "statements", ()) if callable(value) else ()


def each(shapes: Iterable[Shape], emit: Emit, weight: float, what: str) -> tuple[Statement, ...]:
    """Returns one statement for every spelling of a line."""
    return tuple(Statement(shape, emit, weight, what) for shape in shapes)


def nothing(_reader: Any, _line: Line, _fields: Fields) -> tuple[Event, ...]:
    """Returns the events of a line that says nothing: none."""
    return ()


def _figures(
    unit: str,
    names: Names | None,
    skip: Collection[str],
    strip: str = "",
    lower: Collection[str] = (),
) -> Callable[[Fields], tuple[Metric, ...]]:
    """Returns a function that finds the figures among a line's fields."""

    def figures_of(fields: Fields) -> tuple[Metric, ...]:
        values: Mapping[str, object] = fields.get("pairs", fields)
        if "figure" in fields:
            values = {fields["figure"]: fields["value"]}
        found = figures(values, skip, names=names, strip=strip)
        if lower:
            found = tuple([Metric(n, v, of, up and n not in lower) for n, v, of, up in found])
        if not unit:
            return found
        return tuple([m if m.unit or m.name == "loss" else m._replace(unit=unit) for m in found])

    return figures_of


def _facts(reader: Any, line: Line, said: dict[str, Any], *, always: bool) -> Events:
    """Reports the facts that a line says."""
    if {"nodes", "devices_per_node"} & said.keys():
        reader.facts["devices_per_node"] = said.pop(
            "devices_per_node", reader.facts.get("devices_per_node", 0)
        )
        nodes = said.get("nodes", reader.facts.get("nodes", 0))
        devices = nodes * reader.facts["devices_per_node"]
        said |= {"devices": devices} if devices else {}
    for name, value in said.items():
        if always:
            reader.facts.pop(name, None)
        yield from reader.report(line.origin(), name, value)


def _planned(reader: Any, line: Line, fields: Fields) -> Events:
    if "epochs" not in fields:
        return ()
    return tuple(reader.report(line.origin(), "epochs_planned", fields["epochs"]))
