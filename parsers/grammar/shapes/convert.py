"""Generates the statements that convert the texts of a match to the values of their fields."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from sixdim.parsers.grammar.shapes.holes import HOLES, number

Convert: TypeAlias = Callable[..., dict[str, Any]]
PAIR = "pair"
"""Stands in place of a hole type for the text of a pair."""


class Conversion(NamedTuple):
    """Python statements that convert texts.

    Attributes:
        statements: Each field has some, which set `v0`, `v1`, … from the texts `t0`, `t1`, ….
        scope: The names that they use.
    """

    statements: list[str]
    scope: dict[str, Any]


def conversion(fields: Sequence[tuple[str, str]]) -> Conversion:
    """Generates the statements that convert the texts of fields.

    The built-in `float` is three times as fast as `holes.number`, which is called only if the
    result is not finite: it refuses more digits than a double can hold.

    Args:
        fields: Name and hole type of each, as in `parsers.grammar.shapes.holes.HOLES`; a pair's
            key and `PAIR`, from whose text the characters `ends` are stripped.
    """
    statements: list[str] = []
    scope: dict[str, Any] = {}
    for i, (name, kind) in enumerate(fields):
        if kind in ("float", "amount", "grouped"):
            scope["number"] = number
            plain = f"t{i}.replace(',', '')" if kind == "grouped" else f"t{i}"
            statements += [f"v{i} = float({plain})", f"if v{i} - v{i}: v{i} = number({plain})"]
        elif kind == "int":
            statements.append(f"v{i} = int(t{i})")
        elif kind == "word":
            statements.append(f"v{i} = t{i}")
        elif kind == PAIR:
            statements.append(f"v{i} = t{i}.strip(ends)")
            scope[f"k{i}"] = name
        elif kind == "whole":
            statements += [f"v{i} = float(t{i})", f"if v{i} % 1 != 0: raise ValueError(t{i})"]
            statements.append(f"v{i} = int(v{i})")
        else:
            scope[f"c{i}"] = HOLES[kind][1]
            statements.append(f"v{i} = c{i}(t{i})")
    return Conversion(statements, scope)


def converter(fields: Sequence[tuple[str, str]], ends: str | None = None) -> Convert:
    """Makes a function that takes the text of each field, and returns the values by name.

    Args:
        fields: As for `conversion`.
        ends: Characters stripped from the pairs, which are a field `pairs`; None for no pairs.

    Raises:
        ValueError: Raised by the made function if a text is no value of its type.
    """
    statements, scope = conversion(fields)
    texts = ", ".join(f"t{i}" for i in range(len(fields)))
    values = {name: f"v{i}" for i, (name, kind) in enumerate(fields) if kind != PAIR}
    result = "".join(f"{name!r}: {value}, " for name, value in values.items())
    if ends is not None:
        result += f"'pairs': {pairs_of(fields)}"
        scope["ends"] = ends
    made: Convert = function(f"({texts})", [*statements, f"return {{{result}}}"], scope)
    return made


def pairs_of(fields: Sequence[tuple[str, str]]) -> str:
    """Returns the expression of a dict of the pairs among converted fields.

    The keys are untrusted text of a log: they are values in the scope, never part of the code.
    """
    pairs = (f"k{i}: v{i}" for i, (_key, kind) in enumerate(fields) if kind == PAIR)
    return f"{{{', '.join(pairs)}}}"


def function(arguments: str, statements: Sequence[str], scope: dict[str, Any]) -> Any:
    """Makes a function from generated statements.

    Args:
        arguments: The parameters, in parentheses.
        statements: Its body; each of several lines is indented by itself.
        scope: The names that it uses.
    """
    body = "\n".join(f"    {line}" for text in statements for line in text.split("\n"))
    exec(f"def made{arguments}:\n{body}\n", scope)
    return scope["made"]
