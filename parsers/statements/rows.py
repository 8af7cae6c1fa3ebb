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

A line is tried against them in the order of the class body. A row may have several shapes. The rows
of lines with figures (`evaluation`, `epoch_end`, `summary`) are in `figure_rows`.
"""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from sixdim.parsers.events import Event, Events, RunEnd, RunStart
from sixdim.parsers.grammar.shapes.shape import Fields, Shape
from sixdim.parsers.grammar.shapes.skeleton import Skeleton
from sixdim.parsers.statements.record import IterationRecord
from sixdim.parsers.statements.statement import Emit, Statement
from sixdim.parsers.text.lines import Line

_Method = TypeVar("_Method", bound=Callable[..., Any])
Shapes: TypeAlias = "Shape | str | tuple[Shape | str, ...]"
"""How a line looks, or several ways in which it does; a text is a `Skeleton`."""
Rows: TypeAlias = tuple[Statement, ...]


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
    """States a known line that has no events."""
    return row(shapes, nothing, weight, what)


def remembers(shapes: Shapes, weight: float, what: str, **values: Any) -> Rows:
    """States a line without events: its fields, and `values`, become attributes of the reader."""

    def remember(reader: Any, _line: Line, fields: Fields) -> Events:
        vars(reader).update(fields, **values)
        return ()

    return row(shapes, remember, weight, what)


def starts(shapes: Shapes, weight: float, what: str = "header", **facts: Any) -> Rows:
    """States a header that begins a run, and forgets the last progress line and all facts.

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
    """States the closing line of a run; its field `duration`, if any, has the run's seconds."""

    def end(reader: Any, line: Line, fields: Fields) -> Events:
        reader.facts.clear()  # later facts belong to another run
        return (RunEnd(line.origin(), fields.get("duration"), status),)

    return row(shapes, end, weight, what)


def fact(
    shapes: Shapes, weight: float, what: str = "header", *, always: bool = False, **facts: Any
) -> Rows:
    """States a line of facts about the run: each field is one, under its name.

    `facts` are further facts that the line implies. A fact is reported if its value is new, or
    `always`. A field `devices_per_node` gives the devices, once the `nodes` are known as well.
    """

    def report(reader: Any, line: Line, fields: Fields) -> Events:
        yield from _facts(reader, line, {**fields, **facts}, always=always)

    return row(shapes, report, weight, what)


def stated(value: object) -> Rows:
    """Returns the statements that one attribute of a format's class holds."""
    if isinstance(value, Statement):
        return (value,)
    if isinstance(value, tuple):
        return tuple(statement for one in value for statement in stated(one))
    return getattr(value, "statements", ()) if callable(value) else ()


def nothing(_reader: Any, _line: Line, _fields: Fields) -> tuple[Event, ...]:
    """Returns no events."""
    return ()


def _facts(reader: Any, line: Line, facts: dict[str, Any], *, always: bool) -> Events:
    """Yields the facts of a line."""
    if {"nodes", "devices_per_node"} & facts.keys():
        reader.facts["devices_per_node"] = facts.pop(
            "devices_per_node", reader.facts.get("devices_per_node", 0)
        )
        nodes = facts.get("nodes", reader.facts.get("nodes", 0))
        devices = nodes * reader.facts["devices_per_node"]
        facts |= {"devices": devices} if devices else {}
    for name, value in facts.items():
        if always:
            reader.facts.pop(name, None)
        yield from reader.report(line.origin(), name, value)
