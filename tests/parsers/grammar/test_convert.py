"""Generated conversions give what the hole types give, and refuse what they refuse."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sixdim.parsers.grammar.shapes.convert import PAIR, converter
from sixdim.parsers.grammar.shapes.holes import HOLES

SAMPLES = {
    "int": ("7", "-3", "000"),
    "count": ("7", "17,000"),
    "float": ("0.5", "-1e-05", "nan", "-inf", ".5", "5."),
    "amount": ("8.03", "1e3"),
    "duration": ("0:12:00", "1 day, 2:03:04.5"),
    "clock": ("03:04", "1:02:03", "?"),
    "pace": ("2it/s", "8.5s/it", "0it/s"),
    "moment": ("2023-08-04 05:44:28.668484", "2023-08-04T05:44:28+02:00"),
    "stamp": ("26/03/01-12:00:00",),
    "unix": ("1597933942.5",),
    "measure": ("26s",),
    "word": ("abc",),
    "text": (" a b ",),
    "until": (" a b ",),
}


def test_the_samples_are_of_all_types() -> None:
    assert SAMPLES.keys() == HOLES.keys()


@pytest.mark.parametrize(
    ("kind", "text"), [(kind, text) for kind, texts in SAMPLES.items() for text in texts]
)
def test_a_converter_gives_what_the_hole_type_gives(kind: str, text: str) -> None:
    found = converter([("x", kind), ("y", "word")])(text, "z")
    assert repr(found) == repr({"x": HOLES[kind][1](text), "y": "z"})


@given(st.floats())
def test_a_float_is_the_one_that_was_printed(value: float) -> None:
    found = converter([("x", "float")])(repr(value))["x"]
    assert repr(found) == repr(value)


@pytest.mark.parametrize("text", ["1e999", "-1e400", "9" * 400, "x", "", "1.2.3"])
def test_more_than_a_double_holds_is_no_value(text: str) -> None:
    with pytest.raises(ValueError):
        converter([("x", "float")])(text)


@pytest.mark.parametrize("text", ["inf", "-inf", "Infinity", "nan"])
def test_what_a_log_prints_in_letters_is_a_value(text: str) -> None:
    assert not math.isfinite(converter([("x", "float")])(text)["x"])


def test_no_fields() -> None:
    assert converter([])() == {}
    assert converter([], ends=" ")() == {"pairs": {}}


def test_pairs_stand_beside_the_fields() -> None:
    made = converter([("a", "int"), ("loss", PAIR), ("b", "float"), ("lr", PAIR)], ends=" ,")
    assert made("1", " 2.5, ", "3", "x ") == {
        "a": 1,
        "b": 3.0,
        "pairs": {"loss": "2.5", "lr": "x"},
    }


def test_of_pairs_with_one_key_the_last_counts() -> None:
    assert converter([("k", PAIR), ("l", PAIR), ("k", PAIR)], ends="")("1", "2", "3") == {
        "pairs": {"k": "3", "l": "2"}
    }


@pytest.mark.parametrize(
    "key", ["'", '"', "\\", "a'b", "{x}", "'}); raise SystemExit #", "k0", "\n"]
)
def test_a_key_is_a_logs_own_text_and_never_code(key: str) -> None:
    assert converter([(key, PAIR)], ends="")("1") == {"pairs": {key: "1"}}


def test_numbers_with_thousands_separators_and_whole_numbers() -> None:
    made = converter([("tps", "grouped"), ("step", "whole")])
    assert made("1,030,768.5", "3.0") == {"tps": 1_030_768.5, "step": 3}
    assert isinstance(made("1", "3")["step"], int)
    for step in ("3.5", "nan", "inf", "1e999"):
        with pytest.raises(ValueError):
            made("1", step)
