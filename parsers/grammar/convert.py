"""Converters: one small generated function that turns the groups of a match into fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from sixdim.parsers.grammar.holes import HOLES

Convert: TypeAlias = Callable[..., dict[str, Any]]


def converter(fields: Sequence[tuple[str, str]]) -> Convert:
    """Makes the function of as many texts as there are fields that gives the fields by name.

    `float` is converted by the built-in type, three times as fast as `holes.number`, which is
    asked only where the result is not finite: more digits than a double can hold are an error.

    Args:
        fields: Name and hole type of each, as in `parsers.grammar.holes.HOLES`.

    Raises:
        ValueError: By the function made, where a text is none of its type's values.
    """
    texts = [f"t{i}" for i in range(len(fields))]
    scope: dict[str, Any] = {f"c{i}": HOLES[kind][1] for i, (_, kind) in enumerate(fields)}
    parts = []
    for i, (name, kind) in enumerate(fields):
        value = f"c{i}(t{i})"
        if kind in ("float", "amount"):
            value = f"x{i} if (x{i} := float(t{i})) - x{i} == 0 else {value}"
        elif kind == "word":
            value = f"t{i}"
        parts.append(f"{name!r}: {value}")
    made: Convert = eval(f"lambda {', '.join(texts)}: {{{', '.join(parts)}}}", scope)
    return made
