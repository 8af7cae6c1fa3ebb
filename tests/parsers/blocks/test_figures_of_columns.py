"""Numbers that are read, divided and added up in columns are those of Python, to the last bit."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sixdim.parsers.blocks.arithmetic import exact, quotient
from sixdim.parsers.blocks.text import (
    DIGITS,
    PAD,
    Rows,
    Text,
    Words,
    are_padded,
    lead_with_zero,
    values,
    word,
    words_at,
)


@given(st.lists(st.integers(0, 10**18 - 1), min_size=1, max_size=50), st.integers(0, 18))
def test_quotients_are_rounded_as_python_rounds_them(numbers: list[int], places: int) -> None:
    read = quotient(np.array(numbers, dtype=np.int64), np.full(len(numbers), places))
    assert read.tolist() == [float(f"{number}e-{places}") for number in numbers]


def test_quotients_beside_a_tie_are_rounded_as_python_rounds_them() -> None:
    chance = random.Random(3)
    halves = [2 * chance.randrange(2**52, 2**53) + 1 for _ in range(2000)]  # over 2: ties
    numbers = [n * 5 + off for n in halves for off in (-1, 0, 1)]
    read = quotient(np.array(numbers, dtype=np.int64), np.full(len(numbers), 1))
    assert read.tolist() == [float(f"{number}e-1") for number in numbers]


@settings(max_examples=200)
@given(
    st.lists(st.floats(0, 1e300, allow_subnormal=True), min_size=3, max_size=60),
    st.integers(0, 1000),
)
def test_sums_are_exact(values: list[float], seed: int) -> None:
    chance = random.Random(seed)
    begin = chance.randrange(len(values) - 1)
    end = chance.randrange(begin + 1, len(values))
    (parts,) = exact(np.array(values), np.array([begin, end]))
    assert math.fsum(parts) == math.fsum(values[begin:end])
    assert math.fsum((*parts, *(-value for value in values[begin:end]))) == 0


def rows_of(*lines: bytes) -> Rows:
    text = Text(b"".join(line + b"\n" for line in lines) + bytes(PAD))
    return text.rows(np.arange(len(lines)), max(len(lines[0]) + 1, 8))


def ending_at(rows: Rows, end: int, count: int) -> Words:
    return word(words_at(rows), end, count, np.empty(len(rows), dtype=np.uint64))


@pytest.mark.parametrize("count", range(1, 9))
@pytest.mark.parametrize("begin", [0, 1, 7, 8, 9])
def test_digits_are_read_at_any_place(begin: int, count: int) -> None:
    chance = random.Random(count)
    digits = [f"{chance.randrange(10**count):>{count}}" for _ in range(9)]  # blanks in front
    rows = rows_of(*(b"x" * begin + each.encode() + b"/9" for each in digits))
    words = ending_at(rows, begin + count, count)
    assert values(words & DIGITS).tolist() == [*map(int, digits)]


def above_blanks(begin: int, text: str) -> Words:
    rows = rows_of(b"1" * begin + text.encode() + b"1")
    rows[:, begin : begin + len(text)] -= ord(" ")
    return ending_at(rows, begin + len(text), len(text))


@given(st.text(" !0159", min_size=1, max_size=8), st.integers(0, 9))
def test_only_blanks_in_front_of_digits_are_a_padded_number(text: str, begin: int) -> None:
    (is_padded,) = are_padded(above_blanks(begin, text)).tolist()
    assert is_padded == text.lstrip(" ").isdigit()


@given(st.integers(0, 7), st.integers(0, 99_999_999), st.booleans(), st.integers(0, 9))
def test_a_needless_0_leads_several_digits(blanks: int, n: int, zero: bool, begin: int) -> None:
    text = (" " * blanks + "0" * zero + str(n))[-8:]
    (leads,) = lead_with_zero(above_blanks(begin, text)).tolist()
    digits = text.lstrip(" ")
    assert leads == (len(digits) > 1 and digits.startswith("0"))


@given(st.lists(st.sampled_from([b"", b"a", b"1234567", b"12345678", b"x" * 70])))
def test_lines_begin_after_every_newline(lines: list[bytes]) -> None:
    text = Text(
        b"".join(line + b"\n" for line in lines) + b"\n" * PAD, sum(map(len, lines)) + len(lines)
    )
    assert [text.line(number) for number in range(text.sizes.size)] == [x + b"\n" for x in lines]
