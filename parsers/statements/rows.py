"""How a format states its lines in its class body: a decorated method, or a row without code.

    class Ours(Reader):
        name = "ours"
        ...
        training = progress("step {step:int} loss {loss:float}", RECORD, 1.0)

        @line("eval {epoch:int}: top1 {acc1:float}%", 1.0, "evaluation")
        def _evaluation(self, line: Line, f: Fields) -> Iterator[Event]:
            yield Evaluation(line.origin(), (Metric("acc1", f["acc1"], "%"),), f["epoch"])

        header = starts("training begins", 0.5)
        model = fact("model: {model:word}", 0.3)
        other = ignored("saving {}", 0.1, "checkpoint"), ignored("loading {}", 0.1, "checkpoint")

A line is tried against them in the order of the class body.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from sixdim.parsers.events import Event, RunEnd, RunInfo, RunStart
from sixdim.parsers.grammar.shapes.shape import Fields, Shape
from sixdim.parsers.grammar.shapes.skeleton import Skeleton
from sixdim.parsers.statements.compiled import Emit, Statement
from sixdim.parsers.statements.record import IterationRecord
from sixdim.parsers.text.lines import Line, label

_Method = TypeVar("_Method", bound=Callable[..., Any])


@dataclass(frozen=True)
class NamedRecord(IterationRecord):
    """As `IterationRecord`; what is not stated stands in the hole of its own name, if any."""

    epoch: str = "epoch"
    step: str = "step"
    steps: str = "steps"
    throughput: tuple[str, ...] = ("throughput",)
    loss: tuple[str, ...] = ("loss",)
    duration: tuple[str, ...] = ("duration",)


def line(
    shape: Shape | str, weight: float, what: str, record: IterationRecord | None = None
) -> Callable[[_Method], _Method]:
    """States a line that the decorated method turns into events.

    A method may have several of these. It takes the line and its fields, and gives events, or
    None where the line is none of the format's after all. The arguments are the attributes of
    `Statement`; a text is a `Skeleton`. With a record the method gets, of the pairs, just those
    that the record needs.
    """

    def state(method: _Method) -> _Method:
        stated = Statement(_shape(shape), method, weight, what, record)
        method.statements = (stated, *getattr(method, "statements", ()))  # type: ignore[attr-defined]  # functions have any
        return method

    return state


def progress(
    shape: Shape | str, record: IterationRecord, weight: float, what: str = "iteration"
) -> Statement:
    """States a progress line that `record` says everything about."""
    return Statement(_shape(shape), record.read, weight, what, record)


def ignored(shape: Shape | str, weight: float, what: str) -> Statement:
    """States a line that is known and says nothing."""
    return Statement(_shape(shape), nothing, weight, what)


def starts(shape: Shape | str, weight: float, what: str = "header") -> Statement:
    """States a header that begins a run."""
    return Statement(_shape(shape), _start, weight, what)


def ends(
    shape: Shape | str, weight: float, what: str = "end", *, status: str = "finished"
) -> Statement:
    """States the closing line of a run, whose field `duration` are its seconds, if it has one."""

    def end(_reader: Any, line: Line, fields: Fields) -> Iterator[Event]:
        yield RunEnd(line.origin(), fields.get("duration"), status)

    return Statement(_shape(shape), end, weight, what)


def fact(
    shape: Shape | str, weight: float, what: str = "header", *, always: bool = False, **facts: Any
) -> Statement:
    """States a line of facts about the run: each field is one, under its name.

    `facts` are further ones that the line implies. A fact is reported when it is not what it was,
    or `always`.
    """

    def report(reader: Any, line: Line, fields: Fields) -> Iterator[Event]:
        for name, value in {**fields, **facts}.items():
            if always:
                clean = label(value, 120) if isinstance(value, str) else value
                yield RunInfo(line.origin(), name, clean)
            else:
                yield from reader.report(line.origin(), name, value)

    return Statement(_shape(shape), report, weight, what)


def stated(value: object) -> Iterable[Statement]:
    """The statements that one attribute of a format's class holds."""
    if isinstance(value, Statement):
        return (value,)
    if isinstance(value, tuple) and all(isinstance(one, Statement) for one in value):
        return value
    return getattr(value, "statements", ()) if callable(value) else ()


def each(shapes: Iterable[Shape], emit: Emit, weight: float, what: str) -> tuple[Statement, ...]:
    """One statement for every spelling of a line."""
    return tuple(Statement(shape, emit, weight, what) for shape in shapes)


def _shape(shape: Shape | str) -> Shape:
    return Skeleton(shape) if isinstance(shape, str) else shape


def nothing(_reader: Any, _line: Line, _fields: Fields) -> tuple[Event, ...]:
    """The events of a line that says nothing."""
    return ()


def _start(_reader: Any, line: Line, _fields: Fields) -> tuple[Event, ...]:
    return (RunStart(line.origin()),)
