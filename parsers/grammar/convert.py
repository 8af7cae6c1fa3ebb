"""Converters: one small generated function that turns the groups of a match into fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from sixdim.parsers.grammar.holes import HOLES

Convert: TypeAlias = Callable[..., dict[str, Any]]
PAIR = "pair"
"""Type of a text that is the value of a `key: value` pair: its name is the key."""


def converter(fields: Sequence[tuple[str, str]], ends: str | None = None) -> Convert:
    """Makes the function of as many texts as there are fields that gives the fields by name.

    `float` is converted by the built-in type, three times as fast as `holes.number`, which is
    asked only where the result is not finite: more digits than a double can hold are an error.

    Args:
        fields: Name and type of each: `PAIR`, or as in `parsers.grammar.holes.HOLES`.
        ends: Characters that are stripped from the values of pairs, which are given as the field
            `pairs`; None for fields without it.

    Raises:
        ValueError: By the function made, where a text is none of its type's values.
    """
    texts = [f"t{i}" for i in range(len(fields))]
    scope: dict[str, Any] = {"ends": ends}
    parts, pairs = [], []
    for i, (name, kind) in enumerate(fields):
        if kind == PAIR:
            pairs.append(f"{name!r}: t{i}.strip(ends)")
            continue
        scope[f"c{i}"] = HOLES[kind][1]
        value = f"c{i}(t{i})"
        if kind in ("float", "amount"):
            value = f"x{i} if (x{i} := float(t{i})) - x{i} == 0 else {value}"
        elif kind == "word":
            value = f"t{i}"
        parts.append(f"{name!r}: {value}")
    if ends is not None:
        parts.append(f"'pairs': {{{', '.join(pairs)}}}")
    made: Convert = eval(f"lambda {', '.join(texts)}: {{{', '.join(parts)}}}", scope)
    return made
