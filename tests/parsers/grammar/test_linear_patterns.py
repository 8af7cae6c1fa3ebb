"""No line can make a pattern backtrack: twice hostile is twice as long, never four times."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from types import ModuleType

import pytest

from sixdim import metrics, parsers, tui
from sixdim.parsers.envelopes.prefix import strip
from sixdim.parsers.grammar.meaning.around_number import names_by_split
from sixdim.parsers.grammar.shapes.infer import infer
from sixdim.parsers.grammar.shapes.json_record import JsonRecord
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import ALL, Wanted
from sixdim.parsers.grammar.shapes.skeleton import Skeleton
from sixdim.parsers.grammar.shapes.table import Table
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.statements.statement import Statement
from sixdim.parsers.statements.troubles import Troubles
from sixdim.parsers.text.lines import Line, clean
from sixdim.parsers.text.patterns import LazyPattern
from tests.support.inputs.statement_lines import one_of_each_grammar, pair_line

SHORT, LONG = 2_000, 8_000
SUSPECT = 0.0025
"""Seconds for a short line, above which growth is measured: linear work takes far less."""
FILLERS = (
    " ", "\t", "1", "a", "1.", "a: ", "a:1 ", "-", "[", "{", "(", ".", ",", ", ", "1 day, ", "e1",
    "1:", "/", "=", "|", '"', "'", "\\", "\x1b[", "\x1b]", "é", " \t", "a b ",
)  # fmt: skip
SAMPLES = {
    "int": "1", "count": "1,000", "float": "1.5", "amount": "1.5", "duration": "1:02:03",
    "clock": "01:02", "pace": "1.5it/s", "moment": "2024-01-01 00:00:00", "unix": "1700000000.5",
    "stamp": "24/01/01-00:00:00", "measure": "26s",
    "word": "w", "text": "t", "until": "u", "skip": "s",
}  # fmt: skip


def seconds(work: Callable[[], object]) -> float:
    begun = time.thread_time()  # what other programs take is not counted
    work()
    return time.thread_time() - begun


def grows_too_fast(act: Callable[[str], object], line: Callable[[int], str]) -> str:
    """Why a line of so many fillers costs more than in proportion; empty where it does not."""
    short = line(SHORT)
    if seconds(partial(act, short)) < SUSPECT:
        return ""
    long = line(LONG)
    times = [[seconds(partial(act, text)) for text in (short, long)] for _ in range(7)]
    best = [min(column) for column in zip(*times, strict=True)]
    # Linear is 4 times, quadratic 16.
    return f"{best[0]:.4f} s, {best[1]:.4f} s" if best[1] > 9 * max(best[0], SUSPECT) else ""


def parts_of(shape: object, example: str) -> list[str]:
    """A plausible line of a statement, in pieces between which a filler may stand."""
    if isinstance(shape, Skeleton):
        pieces = [p if isinstance(p, str) else SAMPLES[p[1]] for p in shape._parts]
    elif isinstance(shape, KeyValues):
        pairs = [
            f"{key}{shape.separator}1.5{shape.delimiter or ' '}" for key in shape.numbers.values()
        ]
        pieces = [*parts_of(shape.head, example), *pairs]
    elif isinstance(shape, JsonRecord):
        keys = "".join(f'"{key}": 1, ' for key in shape.required)
        pieces = [shape.marker, "{", keys, '"a": [1]', "}"]
    elif isinstance(shape, Table):
        pieces = [f"{name}{shape.delimiter or ' '}" for name in shape.required or ("1", "2", "3")]
    else:
        pieces = [example[: len(example) // 2], example[len(example) // 2 :]]
    return pieces


def hostile_lines(pieces: list[str]) -> Iterator[tuple[str, Callable[[int], str]]]:
    for cut in range(len(pieces) + 1):
        before, after = "".join(pieces[:cut]), "".join(pieces[cut:])
        for filler in FILLERS:
            for rest in {after, "!"}:
                yield (
                    f"{before!r} + {filler!r} * n + {rest!r}",
                    lambda n, b=before, f=filler, r=rest: (  # type: ignore[misc]  # no types of defaults
                        b + f * (n // len(f)) + r
                    ),
                )


def statements() -> list[tuple[str, Statement, str]]:
    return [(f.name, s, f.example) for f in formats() for s in f.statements]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({f.name for f in formats()}))
def test_every_statement_of_a_format(name: str) -> None:
    for known, statement, example in statements():
        if known != name:
            continue
        for what, line in hostile_lines(parts_of(statement.shape, example)):
            slow = grows_too_fast(statement.shape.match, line)
            assert not slow, f"{statement.what}: {what}: {slow}"


@pytest.mark.slow
@pytest.mark.parametrize("place", range(len(one_of_each_grammar())))
def test_a_template_of_every_grammar(place: int) -> None:
    shape = one_of_each_grammar()[place]
    head = pair_line(Random(), shape, []).head
    delimiter = shape.delimiter or " "
    named = [key for key in shape.numbers.values() if not key.startswith(shape.foreign)]
    keys = dict.fromkeys((*shape.required, *named[:2], "other"))
    pairs = [f"{key}{shape.separator}1{delimiter}" for key in keys]
    pieces = [head + delimiter * head[-1:].isalnum(), *pairs]
    text = "".join(pieces).strip() + " 1700000000.5" * bool(shape.clock)
    assert isinstance(shape.match(text), dict)
    for wanted in (ALL, Wanted(None, frozenset()), Wanted(frozenset(), frozenset())):
        template = infer(shape, wanted, text)
        if template is not None:
            act = re.compile(template.expression).match
            for what, line in hostile_lines(pieces):
                slow = grows_too_fast(act, line)
                assert not slow, f"{template.expression}: {what}: {slow}"


def test_floats_in_a_line_that_fails_after_them_are_read_in_one_way_only() -> None:
    """If each of 24 floats could be read in two ways, the line would be tried in 2 ** 24."""
    shape = Skeleton(" ".join(f"{{f{place}:float}}" for place in range(24)))
    text = " ".join(["1.5"] * 24)
    assert isinstance(shape.match(text), dict)
    assert seconds(partial(shape.match, f"{text} !")) < 0.01


def modules() -> Iterator[ModuleType]:
    for package in (parsers, metrics, tui):
        for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if not found.name.endswith("__main__"):
                yield importlib.import_module(found.name)


def patterns_in(value: object, depth: int = 0) -> Iterator[re.Pattern[str] | re.Pattern[bytes]]:
    if isinstance(value, LazyPattern):
        yield re.compile(value.pattern, value.flags)
    elif isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, list | tuple | set | frozenset) and depth < 3:
        for part in value:
            yield from patterns_in(part, depth + 1)
    elif isinstance(value, dict) and depth < 3:
        yield from patterns_in(list(value.values()), depth + 1)
    elif isinstance(value, type) and value.__module__.startswith("sixdim."):
        yield from patterns_in(list(vars(value).values()), depth + 1)


def patterns() -> dict[str, tuple[re.Pattern[str], bool]]:
    """Every compiled pattern of the project that reads text, and whether it is searched for.

    A pattern held against the beginning or the whole of a text starts only once.
    """
    found: dict[str, tuple[re.Pattern[str], bool]] = {}
    for module in modules():
        source = inspect.getsource(module)
        for name, value in vars(module).items():
            ways = rf"\b{re.escape(name)}\.(?:search|sub|finditer|findall|split)\("
            searched = re.search(ways, source) is not None
            for pattern in patterns_in(value):
                if isinstance(pattern.pattern, str):
                    _, before = found.get(pattern.pattern, (None, False))
                    found[pattern.pattern] = (pattern, searched or before)
    return found


def pieces_of(pattern: str) -> list[str]:
    """Text near what a pattern wants: its literals, with a digit or letter for each class."""
    text = re.sub(r"\(\?P?<?[\w!=:>]*>?|\(\?[a-z]+:", "", pattern)
    text = re.sub(r"\[\^?[^\]]*\]", "1", text).replace(r"\d", "1").replace(r"\s", " ")
    text = re.sub(r"\\[wSD]", "a", text)
    text = re.sub(r"\{\d+(?:,\d*)?\}|[*+?]+|\\b|\\(?=\W)|[()^$]", "", text)
    branches = text.split("|")[:4]
    return [piece for b in branches for piece in (b[: len(b) // 2], b[len(b) // 2 :])]


@pytest.mark.slow
def test_every_pattern_of_the_project() -> None:
    every = patterns()
    assert len(every) > 90
    for text, (pattern, searched) in every.items():
        # To match the whole text tries what `match` tries at its beginning, and more.
        act = pattern.search if searched else pattern.fullmatch
        for what, line in hostile_lines(pieces_of(text)):
            slow = grows_too_fast(act, line)
            assert not slow, f"{text}: {what}: {slow}"


@pytest.mark.parametrize(
    "act", [clean, lambda t: strip(Line(1, 0, t)), lambda t: Troubles().look(Line(1, 0, t))]
)
def test_what_every_line_goes_through(act: Callable[[str], object]) -> None:
    heads = [
        "2024-01-01 00:00:00,123 INFO ",
        "[1,0]<stdout>:",
        "[",
        "I0802 11:05:04.537974 1",
        "Trace",
    ]
    for head in heads:
        for what, line in hostile_lines([head, "tail"]):
            slow = grows_too_fast(act, line)
            assert not slow, f"{what}: {slow}"


def test_a_list_of_numbers_costs_no_more_than_its_length() -> None:
    """Each might be the first of several that share a name: `Train / Test acc: 0.9 / 0.8`."""

    def names(line: str) -> None:
        between = ("loss: ", *line, "")
        for at in range(len(line)):
            assert names_by_split(between, at) == ()

    assert not grows_too_fast(names, lambda size: "," * (size // 4))
