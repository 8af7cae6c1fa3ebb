"""Generates the statements that convert the texts of a match to the values of their fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from sixdim.parsers.grammar.shapes.holes import HOLES, number

Convert: TypeAlias = Callable[..., dict[str, Any]]
PAIR = "pair"
"""In place of a hole type: the text of a pair."""


class Conversion(NamedTuple):
    """Python statements that convert texts.

    Attributes:
        statements: One or two a field: variable `v0`, `v1`, … from the text `t0`, `t1`, ….
        scope: The names that they use.
    """

    statements: list[str]
    scope: dict[str, Any]


def conversion(fields: Sequence[tuple[str, str]]) -> Conversion:
    """The statements that convert the texts of fields.

    A float is converted by the built-in type, three times as fast as `holes.number`, which is only
    called where the result is not finite: more digits than a double can hold are an error.

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
        ValueError: By the function made, where a text is none of its type's values.
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
    """The expression of the pairs among converted fields, as a dict.

    Their keys are a log's own text: they are values of the scope, never part of the statements.
    """
    pairs = (f"k{i}: v{i}" for i, (_key, kind) in enumerate(fields) if kind == PAIR)
    return f"{{{', '.join(pairs)}}}"


def function(arguments: str, statements: Sequence[str], scope: dict[str, Any]) -> Any:
    """Makes a function of generated statements.

    Args:
        arguments: In parentheses.
        statements: Its body; each of several lines is indented by itself.
        scope: The names that it uses.
    """
    body = "\n".join(f"    {line}" for text in statements for line in text.split("\n"))
    exec(f"def made{arguments}:\n{body}\n", scope)
    return scope["made"]
