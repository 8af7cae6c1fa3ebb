"""Lines of a form are found among others, however their numbers are laid out."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sixdim.parsers.blocks.form import DigitRun, Field, Meaning, NumberRuns, RowForm
from sixdim.parsers.blocks.layout import Layouts
from sixdim.parsers.blocks.text import PAD, Text
from sixdim.parsers.events import Iteration, Origin

EVENT = Iteration(Origin(1, 0), None, 1, loss=0.5)
STEP_AND_LOSS: dict[Field, Meaning] = {
    "step": Meaning(NumberRuns(0), is_int=True),
    "loss": Meaning(NumberRuns(1, 2)),
}
FORM = RowForm(
    [b"step", b"/99 loss ", b".", b" lr 1e-5\n"],
    [DigitRun(1, 17, 8), DigitRun(1, 17, zero=False), DigitRun(1, 17)],
    STEP_AND_LOSS,
    {},
    [],
    EVENT,
)


def read(lines: list[bytes]) -> dict[int, tuple[int, float]]:
    """Step and loss by number of the line, as columns have them, in three blocks."""
    layouts, found = Layouts(FORM), dict[int, tuple[int, float]]()
    for begin in range(0, len(lines), len(lines) // 3 + 1):
        part = lines[begin : begin + len(lines) // 3 + 1]
        text = Text(b"".join(part) + bytes(PAD))
        for where, columns in layouts.fit(text, np.arange(len(part))):
            figures = zip(columns.figures("step"), columns.figures("loss"), strict=True)
            for line, (step, loss) in zip(where.tolist(), figures, strict=True):
                assert begin + line not in found
                found[begin + line] = int(step), float(loss)
    return found


def test_lines_of_many_widths_are_all_read() -> None:
    chance = random.Random(5)
    figures = [
        (chance.randrange(10 ** (1 + n % 9)), 10 ** chance.uniform(-3, 3)) for n in range(900)
    ]
    lines = [
        f"step {step:>4}/99 loss {loss:.{n % 4 + 1}f} lr 1e-5\n"
        for n, (step, loss) in enumerate(figures)
    ]
    expected = {n: (step, float(f"{loss:.{n % 4 + 1}f}")) for n, (step, loss) in enumerate(figures)}
    assert read([line.encode() for line in lines]) == expected


@pytest.mark.parametrize(
    "other",
    [
        b"step    1/99 loss 0.5000 lr 2e-5\n",
        b"step    1/99 loss 05.500 lr 1e-5\n",
        b"step    1/99 loss 0 5000 lr 1e-5\n",
        b"step    1/99 loss  .5000 lr 1e-5\n",
        b"step  1 1/99 loss 0.5000 lr 1e-5\n",
        b"step     /99 loss 0.5000 lr 1e-5\n",
        b"step   -1/99 loss 0.5000 lr 1e-5\n",
        b"Step    1/99 loss 0.5000 lr 1e-5\n",
        b"step    1/99 loss 0.500\xb2 lr 1e-5\n",
    ],
)
def test_a_line_that_differs_in_more_than_digits_is_no_line_of_the_form(other: bytes) -> None:
    lines = [b"step %4d/99 loss 0.%04d lr 1e-5\n" % (n, n) for n in range(60)]
    lines[40] = other
    assert sorted(read(lines)) == [n for n in range(60) if n != 40]


@given(st.lists(st.binary(max_size=60).map(lambda b: b.replace(b"\n", b"") + b"\n"), max_size=20))
def test_what_is_no_line_of_the_form_is_not_read(others: list[bytes]) -> None:
    lines = [
        line
        for n, other in enumerate(others)
        for line in (other, b"step %4d/99 loss 1.5 lr 1e-5\n" % n)
    ]
    forms = [n for n, line in enumerate(lines) if FORM.read(line) is not None]
    assert sorted(read(lines)) == forms


def test_lines_that_are_too_short_for_a_form_are_not_compared_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = [b"step 7/99 loss 2.5 lr 1e-5\n", b"step 7/99 took 2.5 s\n", b"step\n"] * 3
    compared: list[bytes] = []
    read_one = RowForm.read

    def noted(form: RowForm, line: bytes) -> object:
        compared.append(line)
        return read_one(form, line)

    monkeypatch.setattr(RowForm, "read", noted)
    assert read(lines) == dict.fromkeys((0, 3, 6), (7, 2.5))
    assert {*compared} == {lines[0]}
