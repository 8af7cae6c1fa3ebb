"""Numbers that end where they may are read together, each exactly as the line parser reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.scan.layout import WIDEST
from parsers.scan.layouts import Layouts
from parsers.scan.pieces import End, Literal, Number, Piece
from parsers.scan.words import PAD, Text
from tests.generated import assert_same

BEFORE, BEHIND = b"Epoch: [3]  img/s: ", b"  loss: 0.25 (0.3)  time: 0.31"
PIECES: tuple[Piece, ...] = (
    Literal(b"Epoch: ["),
    Number("epoch", whole=True, padded=False),
    Literal(b"]  img/s: "),
    Number("rate", whole=False, padded=False),
    Literal(b"  loss: "),
    Number("loss", whole=False, padded=False),
    Literal(b" ("),
    Number("", whole=False, padded=False),
    Literal(b")  time: "),
    Number("time", whole=False, padded=False),
    End(),
)
PLAIN = re.compile(rb"\d{1,15}(\.\d{0,17})?")


def walked(
    rates: list[bytes], layouts: Layouts | None = None, behind: bytes = BEHIND
) -> dict[int, tuple[float, float]]:
    """Rate and loss of each line that was read."""
    data = b"".join(BEFORE + rate + behind + b"\n" for rate in rates)
    room = -(-(len(data) + PAD + 8) // 8) * 8
    ends = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == 0x0A)
    begins = np.append(0, ends[:-1] + 1)
    text = Text(np.frombuffer(data.ljust(room, b"\n"), dtype=np.uint8))
    layouts = layouts or Layouts(PIECES)
    columns = layouts.walk(text, memoryview(data), begins, ends, np.arange(len(rates)))
    values = zip(columns.values["rate"].tolist(), columns.values["loss"].tolist(), strict=True)
    return dict(zip(columns.rows.tolist(), values, strict=True))


def repeated(some: list[bytes]) -> list[bytes]:
    """So many that a layout pays for itself."""
    return some * (1 + 500 // len(some))


def cut(number: float) -> Iterator[bytes]:
    """A number with every count of digits behind its point."""
    whole, fraction = f"{number:.12f}".split(".")
    yield from (f"{whole}.{fraction[:size]}".encode() for size in range(1, 13))


def test_one_layout_serves_every_count_of_digits() -> None:
    usual = [b"5316.0279203438395", b"4999.999999999999"]
    rates = repeated([*usual, *cut(5158.179306508362), *usual, *cut(4999.999999999999)])
    layouts = Layouts(PIECES)
    found = walked(rates, layouts)
    assert found == {line: (float(rate), 0.25) for line, rate in enumerate(rates)}
    layout = max(layouts._known, key=lambda layout: layout.hits)
    assert layout.hits == sum(len(rate.split(b".")[1]) >= 5 for rate in rates)


@pytest.mark.parametrize("bad", [b"5158.17x306508362", b"5158.1793065083x2", b"5158.1793 6508362"])
def test_what_is_no_number_is_left(bad: bytes) -> None:
    rates = repeated([*cut(5158.179306508362)])
    rates[40] = bad
    found = walked(rates)
    assert found.keys() == {*range(len(rates))} - {40}
    assert all(found[line][0] == float(rates[line]) for line in found)


def test_lines_may_be_longer_than_any_layout() -> None:
    short = [rate for rate in cut(5158.179306508362) if len(rate) > 9]
    rates = repeated([*short, b"5158." + b"7" * 700])
    rest = WIDEST - len(BEFORE) - len(b"  loss: 0.25 ()  time: 0.31")
    most = sorted(map(len, short))[len(short) // 2]
    behind = b"  loss: 0.25 (" + b"3" * (rest - most) + b")  time: 0.31"
    found = walked(rates, behind=behind)
    assert found == {n: (float(r), 0.25) for n, r in enumerate(rates) if len(r) < 700}


_DECIMALS = st.one_of(
    st.floats(0.0001, 1e6).map(repr),
    st.from_regex(r"[0-9]{1,6}\.[0-9]{1,18}", fullmatch=True),
    st.from_regex(r"[0-9]{4}\.[0-9]{3,13}", fullmatch=True),
    st.from_regex(r"-?[0-9]{3,5}\.?[0-9. x]{1,13}", fullmatch=True),
).map(str.encode)


@given(rates=st.lists(_DECIMALS, min_size=1, max_size=24))
def test_every_number_is_the_double_nearest_to_it(rates: list[bytes]) -> None:
    rates = repeated(rates)
    found = walked(rates)
    plain = {line for line, rate in enumerate(rates) if PLAIN.fullmatch(rate)}
    assert found.keys() == plain
    assert all(found[line] == (float(rates[line]), 0.25) for line in found)


@given(
    rates=st.lists(_DECIMALS, min_size=1, max_size=24),
    size=st.sampled_from([1000, 5000, 1 << 16]),
    wide=st.integers(0, 300),
)
def test_a_log_of_such_numbers_gives_the_same(rates: list[bytes], size: int, wide: int) -> None:
    lines = ["Namespace(model='resnet50', world_size=8)", "Start training"]
    for step, rate in enumerate(repeated(rates)):
        epoch = step // 40 + (9990 if step > wide else 0)
        lines.append(
            f"Epoch: [{epoch}]  [{step % 40:>4}/3340]  eta: 0:{step % 60:02}:47  lr: 0.1  "
            f"img/s: {rate.decode()}  loss: {7 / (step + 1):.4f} (7.1)  "
            f"acc1: {step / 7:.4f} (0.1)  time: 0.3{step % 10}  data: 0.01"
        )
    assert_same("".join(f"{line}\n" for line in lines).encode(), size)
