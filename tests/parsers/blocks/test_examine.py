"""Spans of a block: where they begin and end, and the least number of their lines."""

from __future__ import annotations

import math

import pytest

from sixdim.parsers.blocks.examine import Examiner, Found
from sixdim.parsers.blocks.form import DigitRun, Field, Meaning, NumberRuns, RowForm
from sixdim.parsers.blocks.text import PAD, Text
from sixdim.parsers.events import Iteration, Origin

FORM = RowForm(
    [b"epoch ", b" step ", b" rate ", b".", b"\n"],
    [DigitRun(1, 4), DigitRun(1, 9), DigitRun(1, 9), DigitRun(1, 4)],
    {
        "epoch": Meaning(NumberRuns(0), is_int=True),
        "step": Meaning(NumberRuns(1), is_int=True),
        "throughput": Meaning(NumberRuns(2, 3)),
    },
    {},
    [],
    Iteration(Origin(1, 0), 0, 1, throughput=2.5),
)


def line(epoch: int, step: int) -> bytes:
    return b"epoch %d step %d rate %d.5\n" % (epoch, step, 100 + step)


def found(lines: list[bytes]) -> list[Found]:
    """The spans of a block that follows another one of the same lines."""
    examiner = Examiner([FORM])
    text = b"".join(lines) + bytes(PAD)
    examiner.examine(Text(text))
    return examiner.examine(Text(text))


def test_a_span_holds_all_lines_of_an_epoch_but_the_first() -> None:
    lines = [line(epoch, step) for epoch in (1, 2) for step in range(10, 90)]
    lines.insert(80, b"end of epoch 1\n")
    first, second = found(lines)
    size = len(line(1, 10))
    assert (first.line, first.span.lines) == (1, 79)
    assert first.bytes == [size, 79 * size, 80 * size]
    assert (second.line, second.span.lines) == (82, 79)
    assert second.bytes[2] == sum(map(len, lines))
    assert first.figures == ([1, 10, 110.5], [1, 89, 189.5])
    assert first.span.slowest == (111.5, 1)
    assert first.span.fastest == (189.5, 79)
    assert math.isclose(math.fsum(first.span.slowness), sum(1 / (100.5 + n) for n in range(11, 90)))


@pytest.mark.parametrize(("lines", "spans"), [(24, 0), (25, 1)])
def test_a_span_has_twenty_four_lines_at_least(lines: int, spans: int) -> None:
    before = [line(1, step) for step in range(100, 180)]
    assert len(found([*before, b"end\n", *(line(2, 100 + n) for n in range(lines))])) == 1 + spans


@pytest.mark.filterwarnings("error")  # a user would see it above the card
@pytest.mark.parametrize("field", ["throughput", "duration"])
def test_a_line_whose_figure_is_infinite_ends_a_span(field: Field) -> None:
    """The figure is 64 / the printed number, which is 0.0 on one line."""
    timed = RowForm(
        FORM.literals,
        FORM.runs,
        {"step": FORM.meanings["step"], field: Meaning(NumberRuns(2, 3), over=64)},
        {},
        [],
        Iteration(Origin(1, 0), 0, 1, throughput=2.5),
    )
    lines = [b"epoch 1 step %d rate %d.0\n" % (n, n != 50) for n in range(10, 90)]
    text = b"".join(lines) + bytes(PAD)
    examiner = Examiner([timed])
    examiner.examine(Text(text))
    spans = examiner.examine(Text(text))
    assert [(span.figures[0][0], span.figures[1][0]) for span in spans] == [(10, 49), (51, 89)]


def test_a_form_of_no_line_may_have_fields_of_its_own() -> None:
    """As the losses of some epochs are, which are printed in another way than those of others."""
    other = RowForm(
        [b"epoch ", b" step ", b" rate ", b".", b" loss ", b"\n"],
        [*FORM.runs, DigitRun(1, 9)],
        {**FORM.meanings, "loss": Meaning(NumberRuns(4))},
        {},
        [],
        Iteration(Origin(1, 0), 0, 1, throughput=2.5, loss=3.0),
    )
    examiner = Examiner([other, FORM])
    text = b"".join(line(1, step) for step in range(10, 90)) + bytes(PAD)
    examiner.examine(Text(text))
    (span,) = examiner.examine(Text(text))
    assert span.span.lines == 79
