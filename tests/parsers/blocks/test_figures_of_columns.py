"""Numbers that are read, divided and added up in columns are those of Python, to the last bit."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sixdim.parsers.blocks.decimals import quotient
from sixdim.parsers.blocks.sums import exact
from sixdim.parsers.blocks.text import PAD, Text, expected

_DIGITS = st.integers(0, 10**18 - 1)


@given(st.lists(st.tuples(_DIGITS, st.integers(0, 18)), min_size=1, max_size=50))
def test_quotients_are_rounded_as_python_rounds_them(numbers: list[tuple[int, int]]) -> None:
    mantissas, places = (np.array(column, dtype=np.int64) for column in zip(*numbers, strict=True))
    assert quotient(mantissas, places).tolist() == [float(f"{m}e-{p}") for m, p in numbers]


def test_quotients_beside_a_tie_are_rounded_as_python_rounds_them() -> None:
    chance = random.Random(3)
    halves = [2 * chance.randrange(2**52, 2**53) + 1 for _ in range(2000)]  # over 2: ties
    numbers = [(n * 5 + off, 1) for n in halves for off in (-1, 0, 1)]
    mantissas, places = (np.array(column, dtype=np.int64) for column in zip(*numbers, strict=True))
    assert quotient(mantissas, places).tolist() == [float(f"{m}e-{p}") for m, p in numbers]


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


@pytest.mark.parametrize("count", range(1, 19))
def test_runs_of_digits_are_counted_and_read_at_any_place(count: int) -> None:
    digits = ("9876543210" * 2)[:count]
    data = b"".join(
        b"x" * gap + digits.encode() + end for gap in range(9) for end in (b"/\n", b":\n")
    )
    text = Text(data + bytes(PAD))
    cursors = text.ends - 1 - count
    assert text.digits(cursors, 17).tolist() == [count] * 18
    assert text.number(cursors, np.full(18, count)).tolist() == [int(digits)] * 18


@pytest.mark.parametrize(("line", "fits"), [(b"a12b", True), (b"a1:b", False), (b"a1xb", False)])
def test_digits_are_expected_where_the_text_is_not(line: bytes, fits: bool) -> None:
    for gap in range(8):
        text = Text(b"." * gap + line + b"\n" + bytes(PAD))
        wrong = np.zeros(1, dtype=np.uint64)
        text.differs(np.array([gap]), expected(b"a00b\n", {1: 2}), wrong)
        assert (wrong[0] == 0) == fits


@given(st.binary(max_size=40))
def test_only_the_expected_text_is_as_expected(other: bytes) -> None:
    literal = b"Epoch: [00]  [0/9]"
    text = Text(other.replace(b"\n", b" ") + b"\n" + bytes(PAD))
    wrong = np.zeros(1, dtype=np.uint64)
    text.differs(np.array([0]), expected(literal, {8: 2, 14: 1}), wrong)
    same = other[:8] == literal[:8] and other[10:14] == b"]  [" and other[15:18] == b"/9]"
    assert (wrong[0] == 0) == (same and (other[8:10] + other[14:15]).isdigit())
