"""Lines made up from statements: the shape's own text with values in its holes, and mangled."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.statements.statement import Statement

_HOLE = re.compile(r"\{(\w*)(?::(\w+))?\}")
_SAMPLES: dict[str, tuple[str, ...]] = {
    "int": ("0", "7", "-3", "12345"),
    "count": ("7", "17,000", "12,345,678"),
    "float": ("0.5", "12", "1e-05", "-3.25", "nan", "inf", "1e999"),
    "amount": ("8.03", "12"),
    "duration": ("0:12:00", "1 day, 2:03:04", "1:02:03.5"),
    "clock": ("03:04", "1:02:03", "?"),
    "pace": ("1.48it/s", "8.57s/it", "?it/s"),
    "moment": ("2023-08-04 05:44:28.668484", "2023-13-04 05:44:28"),
    "stamp": ("26/03/01-12:00:00",),
    "unix": ("1597933942.5",),
    "measure": ("26s", "5ms/step", "1:02"),
    "word": ("abc", "-", "1:23"),
    "text": ("", "abc", "some text 7"),
    "until": ("abc", "x y z"),
    "": ("", " x ", "| 7 of 9 |"),
}
NUMBERS = ("0", "7", "0.5", "6.93", "1e-05", "-3.25", "12345")
ODD_VALUES = (
    *("None", "N/A", "null", "nan", "-inf", "inf", "Infinity", "1e999", "1_000", "1,234.5", "12,5"),
    *("", " ", "x", "-", "+", ".", "5.", ".5", "1.2.3", "127.0.0.1", "3:04", "0:06:47", "1:2:3"),
    *("7.29 (7.24)", "7.29 (7.24) 3", "(7.2)", "0.14s", "0.14 s", "140ms", "140sec", "66%", "9GiB"),
    *("[1.5]", "'1.5'", '"1.5"', "{1.5}", "[1.5", "1.5]", "1.5}", "a b", "a: 3", "a=3", "a : 3"),
    *("lr: 3", "lr=3", "lr 3", "loss: 4", "1.5 img/s, x", "1.5 img/s.", "1.5,", "1.5;", "x|y"),
    *("http://a:80/b", "1:", "=1", "==", " : ", "  ", "1  2", "1\t2", "\t", "é", "1\xa0", "\xa01"),
    *("\u3000", "１", "٣", "1e5e5", "--1", "+-1", "0x1f", "1e", "1e+", "-None", "a None", "none"),
    *("1597933942.5", "x 1597933942", "1.5 1597933942.25", "a - b", "✓", "1.5-", "1/5", "1.5/s"),
)  # fmt: skip
ODD_KEYS = (
    "lr",
    "top1",
    "a b",
    "note",
    "x/y",
    "x (ms)",
    "e.t.a",
    "9",
    "Loss",
    "é",
    "",
    "a'b",
    "-k",
)
BLANKS = ("", " ", "  ", "\t", " \t ", "   ", "\xa0")


def key_values() -> list[tuple[str, Statement, KeyValues]]:
    """The statements of all formats whose shape is `KeyValues`, each with its format's name."""
    return [
        (format_.name, statement, statement.shape)
        for format_ in formats()
        for statement in format_.statements
        if isinstance(statement.shape, KeyValues)
    ]


def grammar(shape: KeyValues) -> tuple[object, ...]:
    """How a shape's pairs follow each other, whatever its head and its keys are."""
    return (
        *(shape.delimiter, shape.separator, shape.quotes, shape.closing, bool(shape.clock)),
        *(shape.glued, shape.thousands, bool(shape.whole), shape.lenient, shape.absent),
    )


def one_of_each_grammar() -> list[KeyValues]:
    """A shape for each grammar of pairs."""
    return list({grammar(shape): shape for _name, _statement, shape in key_values()}.values())


def skeleton(statement: str, choose: Callable[[Sequence[str]], str]) -> str:
    """A line of a `Skeleton`; `choose` picks the value of each hole, the plain one first."""

    def value(hole: re.Match[str]) -> str:
        return choose(_SAMPLES[hole[2] or ("word" if hole[1] else "")])

    return _HOLE.sub(value, statement.removesuffix("..."))


class PairLine:
    """A line of a `KeyValues` shape as its parts, of which each may be changed.

    Attributes:
        head: What stands before the pairs.
        pairs: Key and value of each.
        end: What stands after them.
    """

    def __init__(self, shape: KeyValues, head: str, pairs: list[tuple[str, str]], end: str) -> None:
        self._shape = shape
        self.head = head
        self.pairs = pairs
        self.end = end

    def text(self, choose: Callable[[Sequence[str]], str]) -> str:
        """The line; `choose` picks one of several ways to write a blank, the plain one first."""
        shape, out = self._shape, []
        separator = shape.separator
        delimiters: tuple[str, ...] = (
            (shape.delimiter,) if shape.delimiter else (" ", "  ", ", ", "\t", " | ")
        )
        if delimiters[0] == "  ":
            delimiters = ("  ", "\t", "   ", " \t")
        elif delimiters[0].strip() and delimiters[0] != " - ":
            delimiters += (
                f" {delimiters[0]}",
                f"{delimiters[0]} ",
                f"{delimiters[0]}{delimiters[0]}",
            )
        separators: tuple[str, ...] = (separator,)
        if not separator.endswith(" ") and separator != " : ":
            separators = (separator, f"{separator} ", f" {separator} ", f"{separator}\t")
        elif separator in (" ", ": "):
            separators = (separator, f"{separator} ", f"{separator}\t")
        quotes = ("", *shape.quotes.strip())
        for place, (key, value) in enumerate(self.pairs):
            if place or self.head[-1:].isalnum():
                out.append(choose(delimiters))
            quote, other = choose(quotes), choose(quotes)
            out.append(f"{quote}{key}{quote}{choose(separators)}{other}{value}{other}")
        return f"{self.head}{''.join(out)}{self.end}".strip()


def pair_line(random: Random, shape: KeyValues, keys: list[str]) -> PairLine:
    """A line with these keys and plain values."""
    head = skeleton(shape.head.statement.removesuffix(f"{{{shape.TAIL}:text}}"), plain)
    end = shape.closing + (" 1597933942.5" if shape.clock else "")
    return PairLine(shape, head, [(key, random.choice(NUMBERS)) for key in keys], end)


def plain(choices: Sequence[str]) -> str:
    """The first of several."""
    return choices[0]


def keys_of(shape: KeyValues) -> list[str]:
    """The keys that a shape names."""
    return list(dict.fromkeys((*shape.required, *shape.numbers.values())))
