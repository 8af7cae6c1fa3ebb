"""A statement: one kind of line of a format, and the function that makes events from it."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from sixdim.parsers.events import Event, Origin, Problem
from sixdim.parsers.grammar.shapes.shape import Broken, Fields, Shape
from sixdim.parsers.statements.record import IterationRecord
from sixdim.parsers.text.letters import without_digits
from sixdim.parsers.text.lines import Line

Emit: TypeAlias = Callable[[Any, Line, Fields], "Iterable[Event] | None"]
Respond: TypeAlias = "Callable[[Any, Line, Fields | Broken], Sequence[Event] | None]"
OWN = 0.5
"""Weight from which only the statement's own format is assumed to print its lines."""
_SHORTEST = 5


class Statement(NamedTuple):
    """One kind of line of a format.

    Attributes:
        shape: The shape of the line.
        emit: The reader's method that turns the holes into events; it returns None if the line
            is not of the format after all.
        weight: How strongly one such line indicates the format, from 0 (any program might print
            it) to 1 (no other does).
        what: What the line is, for the reasons of a detection ("iteration", "evaluation").
        record: What the holes of a progress line mean; if `emit` is a method of its own, the
            record states which pairs the method needs.
    """

    shape: Shape
    emit: Emit
    weight: float
    what: str
    record: IterationRecord | None = None


def responder(statement: Statement) -> Respond:
    """Makes a function that turns a line's fields into events; it returns None where `emit` does.

    A line with a bad number, or with two statements in it, becomes a warning.
    """
    anchor, emit = own_anchor(statement), statement.emit

    def respond(reader: Any, line: Line, fields: Fields | Broken) -> Sequence[Event] | None:
        if isinstance(fields, Broken):
            return (broken(line.origin(), statement, fields),)
        if anchor and line.text.count(anchor) > 1 and holds_two(statement, line.text):
            return (cut(line, statement, "two in one line: their writers cut each other short"),)
        events = emit(reader, line, fields)
        return events if events is None or type(events) is tuple else tuple(events)

    return respond


def broken(at: Origin, statement: Statement, what: Broken) -> Problem:
    """Returns the warning for a known line with a bad number."""
    return Problem(
        at, "broken_number", f"{statement.what} line: {what.field} is {what.text!r}, not a number"
    )


def cut(line: Line, statement: Statement, how: str) -> Problem:
    """Returns the warning for a line that another writer cut."""
    return Problem(line.origin(), "cut_line", f"{statement.what} line that is not whole: {how}")


def own_anchor(statement: Statement) -> str:
    """Returns the text that shows a second line inside a line; empty if no text does."""
    anchor = statement.shape.anchor
    return anchor if statement.weight >= OWN and len(anchor) >= _SHORTEST else ""


def holds_two(statement: Statement, text: str) -> bool:
    """Returns whether the second anchor in a text begins another line of the statement."""
    anchor = own_anchor(statement)
    at = text.find(anchor, text.find(anchor) + len(anchor)) if anchor else -1
    if at < 0 or text[at - 1].isalpha() or text[at - 1] == "_":
        return False
    return statement.shape.begins(text[at:])


def words_of(shape: Shape) -> tuple[str, ...]:
    """Returns the texts that stand in every line of a shape, without their digits."""
    return _letters(tuple(getattr(shape, "words", (shape.clue,))))


@cache
def _letters(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the texts without their digits; cached, as each log compiles the same statements."""
    return tuple([without_digits(text).decode() for text in texts])
