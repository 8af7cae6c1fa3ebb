"""Templates give what the shapes give: on whole, mangled and reordered lines of every format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

import pytest

from sixdim.parsers.grammar.shapes.infer import Template, infer
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import ALL, Broken, Fields, Wanted
from sixdim.parsers.grammar.shapes.template import TemplateCache, matcher
from tests.support.inputs.generated import mostly_slow
from tests.support.inputs.statement_lines import (
    BLANKS,
    NUMBERS,
    ODD_KEYS,
    ODD_VALUES,
    key_values,
    keys_of,
    one_of_each_grammar,
    pair_line,
    plain,
)

_SHAPES = [(name, shape) for name, _statement, shape in key_values()]
_GRAMMARS = one_of_each_grammar()


def comparable(found: Fields | Broken | None, wanted: Wanted = ALL) -> Any:
    """What was found of what is wanted, nan equal to nan, the pairs in their order."""
    if not isinstance(found, Mapping):
        return found
    fields = {name: repr(value) for name, value in found.items() if wanted.has(name)}
    fields.pop("pairs", None)
    pairs = found["pairs"].items()
    keys = wanted.pairs
    return sorted(fields.items()), [(k, v) for k, v in pairs if keys is None or k.lower() in keys]


def agrees(shape: KeyValues, wanted: Wanted, text: str, found: Fields | Broken | None) -> bool:
    """Whether what was found in a line is what the shape itself finds."""
    expected = shape.match(text)
    if isinstance(expected, Broken) and expected.field in shape.head.holes.keys() - wanted_of(
        shape, wanted
    ):
        return True  # what nobody wants of the head is not converted
    return bool(comparable(found, wanted) == comparable(expected, wanted))


def wanted_of(shape: KeyValues, wanted: Wanted) -> set[str]:
    """The holes of a shape's head that are wanted."""
    return {name for name in shape.head.holes if wanted.has(name)}


def changed_lines(random: Random, shape: KeyValues) -> list[str]:
    """A line, and others that differ from it a little."""
    keys = [*keys_of(shape)[:5], *random.sample(ODD_KEYS, random.randint(0, 3))]
    random.shuffle(keys)
    choose = random.choice if random.random() < 0.5 else plain
    out = [pair_line(random, shape, keys).text(choose)]
    for _ in range(random.randint(1, 6)):
        line = pair_line(random, shape, keys)
        for _ in range(random.randint(0, 2)):
            change(random, line.pairs)
        text = line.text(choose)
        how = random.random()
        if how < 0.3:
            at = random.randint(0, len(text))
            text = text[:at] + random.choice((*BLANKS, *ODD_VALUES)) + text[at:]
        elif how < 0.4:
            text = text[: random.randint(1, len(text))]
        out.append(text)
    return [text.strip() for text in out if text.strip()]


def change(random: Random, pairs: list[tuple[str, str]]) -> None:
    """Removes, adds or changes one of the pairs."""
    place = random.randrange(len(pairs) + 1)
    key, _value = pairs[place] if place < len(pairs) else ("loss", "1")
    number = random.choice(NUMBERS)
    pairs[place : place + 1] = random.choice(
        (
            [],
            [(random.choice(ODD_KEYS), number), (key, number)],
            [(key, number), (key, random.choice(ODD_VALUES))],
            [(key + random.choice(BLANKS), number)],
            *([(key, random.choice(ODD_VALUES))] for _ in range(3)),
        )
    )


def some(random: Random, shape: KeyValues) -> Wanted:
    """All of a line, or some of it."""
    if random.random() < 0.4:
        return ALL
    fields = [*shape.numbers, *shape.head.holes, shape.clock]
    keys = [key.lower() for key in (*keys_of(shape), *ODD_KEYS)]
    return Wanted(part(random, fields), part(random, keys))


def part(random: Random, names: Sequence[str]) -> frozenset[str] | None:
    """Some of the names; or None."""
    number = random.randint(-2, len(names))
    return None if number == -1 else frozenset(random.sample(names, max(0, number)))


def check(shape: KeyValues, random: Random) -> None:
    """Reads a line until there is a template of it, then others."""
    wanted = some(random, shape)
    texts = changed_lines(random, shape)
    cache = TemplateCache(
        shape, wanted, partial(matcher, shape.ends), lambda _reader, _line, fields: fields
    )
    for text in (*(texts[:1] * 4), *texts, *texts):
        found = cache.read(None, None, text)
        assert agrees(shape, wanted, text, found), (text, texts, wanted)


@pytest.mark.parametrize("seed", mostly_slow(range(16)))
def test_a_template_gives_what_the_shape_gives(seed: int) -> None:
    for shape in _GRAMMARS:
        check(shape, Random(seed))


def test_the_same_of_some_statements() -> None:
    for seed in range(100):
        random = Random(seed)
        check(random.choice(_SHAPES)[1], random)


@pytest.mark.slow
def test_the_same_of_every_statement() -> None:
    for _name, shape in _SHAPES:
        for seed in range(10):
            check(shape, Random(seed))


def test_digits_in_a_text_without_value_make_no_further_template() -> None:
    """`LR: 0.5056` is no pair of `key=value` lines, and a log of a thousand rates is one form."""
    made: list[str] = []
    shape = KeyValues("step {step:int}", separator="=", numbers={"loss": "loss"})

    def count(template: Template) -> Any:
        made.append(template.expression)
        return matcher(shape.ends, template)

    cache = TemplateCache(shape, ALL, count, lambda _reader, _line, fields: fields)
    for step in range(100):
        text = f"step {step}  LR: 0.{step:04}  loss={step}.5"
        assert cache.read(None, None, text) == {
            "step": step,
            "loss": step + 0.5,
            "pairs": {"loss": f"{step}.5"},
        }
    assert len(made) == 1


def test_a_template_is_made_at_the_third_line_of_a_form() -> None:
    shape = KeyValues("step {step:int}  ", numbers={"loss": "loss"}, required=("loss",))
    made: list[Template] = []

    def count(template: Template) -> Any:
        made.append(template)
        return matcher(shape.ends, template)

    cache = TemplateCache(shape, ALL, count, lambda _reader, _line, fields: fields)
    for number, blanks in enumerate(" " * count for count in range(1, 30)):
        cache.read(None, None, f"step {number}  loss:{blanks}0.5")
    assert not made
    cache.read(None, None, "step 30  loss: 0.25")
    assert not made
    cache.read(None, None, "step 31  loss: 0.125")
    assert len(made) == 1


def test_a_number_that_is_the_next_key() -> None:
    """In `key : value` lines a value and its key may both be numbers."""
    shape = KeyValues("DLL", delimiter=None, separator=" : ", numbers={"loss": "loss"})
    cache = TemplateCache(
        shape, ALL, partial(matcher, shape.ends), lambda _reader, _line, fields: fields
    )
    for text in (*["DLL loss : 0.5"] * 5, "DLL loss : 6 : .93"):
        assert comparable(cache.read(None, None, text)) == comparable(shape.match(text))


def test_a_number_in_front_of_the_closing_bracket_makes_one_template() -> None:
    """The bracket may be one of the characters that stand around values."""
    quoted = "'\"{}"
    shape = KeyValues(
        "{'", delimiter=", ", separator=": ", quotes=quoted, numbers={"loss": "loss"}, closing="}"
    )
    read = matcher(quoted, _template(shape, "{'lr': 1.5e-05, 'loss': 2.5}"))
    for text in ("{'lr': 1.0e-05, 'loss': 0.25}", "{'lr': 2e-05, 'loss': -3} and more"):
        assert comparable(read(None, None, text)) == comparable(shape.match(text))
        assert read(None, None, text) is not None
    read = matcher(quoted, _template(shape, "{'lr': '1.5e-05', 'loss': '2.5'}"))
    text = "{'lr': '2e-05', 'loss': '0.25'} and more"
    assert comparable(read(None, None, text)) == comparable(shape.match(text))


def test_a_line_with_a_mean_is_not_read_as_one_without() -> None:
    shape = KeyValues(
        "Epoch ", delimiter="  ", separator=" ", numbers={"time": "Time"}, means={"mean": "Time"}
    )
    read = matcher(shape.ends, _template(shape, "Epoch Time 0.326  Loss 1.5"))
    assert read(None, None, "Epoch Time 0.418  Loss 1.5") is not None
    assert read(None, None, "Epoch Time 0.418 (0.326)  Loss 1.5") is None


def _template(shape: KeyValues, text: str) -> Template:
    found = infer(shape, ALL, text)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("bar]{'loss: 1.5, note: x}", "bar]{'loss: 1.5}, note: x}"),
        ("bar]{'loss: 1.5, note: x}", "bar]{'loss: 1.5, note:   }"),
    ],
)
def test_what_closes_the_pairs_is_part_of_no_value(line: str, other: str) -> None:
    shape = KeyValues(
        "{}]{'",
        delimiter=", ",
        separator=": ",
        quotes="'{}",
        numbers={"loss": "loss", "rate": "rate"},
        closing="}",
    )
    cache = TemplateCache(
        shape, ALL, partial(matcher, shape.ends), lambda _reader, _line, fields: fields
    )
    for text in (*[line] * 4, other):
        assert comparable(cache.read(None, None, text)) == comparable(shape.match(text))
