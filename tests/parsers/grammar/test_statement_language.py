"""What a statement can say beyond plain holes: units, thousands, words, headers."""

from __future__ import annotations

import math
import re

import pytest

from sixdim.parsers.envelopes.prefix import strip
from sixdim.parsers.grammar.shapes import skeleton
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import Broken
from sixdim.parsers.grammar.shapes.skeleton import Skeleton
from sixdim.parsers.grammar.shapes.table import Row, Table
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import compiled


def test_a_unit_may_be_glued_to_a_number() -> None:
    shape = Skeleton("iter {step:int}: {ms:float}ms, {mfu:float}% of {peak:float} TFLOPs")
    assert shape.match("iter 10: 12.5ms, 41% of 312 TFLOPs") == {
        "step": 10,
        "ms": 12.5,
        "mfu": 41.0,
        "peak": 312.0,
    }
    assert shape.match("iter 10: 12.5s, 41% of 312 TFLOPs") is None
    assert shape.match("iter 1x0: 12.5ms, 41% of 312 TFLOPs") == Broken("step", "1x0")
    assert shape.match("iter 10: 12..5ms, 41% of 312 TFLOPs") == Broken("ms", "12..5")


def test_a_statement_that_begins_with_a_hole_calls_no_line_broken() -> None:
    shape = Skeleton("{step:int}/{steps:int}, done")
    assert shape.match("3/4, done") == {"step": 3, "steps": 4}
    assert shape.match("a/b, done") is None


LONG = "{epoch:int}/{last:int} {memory:amount}G " + " ".join(f"{{f{n}:float}}" for n in range(8))


def test_a_long_statement_is_compiled_for_lines_that_begin_as_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The text of another program has its words: a `/` and a `G`."""
    lengths: list[int] = []

    def compile_and_note(source: str, flags: int = 0) -> re.Pattern[str]:
        lengths.append(len(source))
        return compiled(source, flags)

    monkeypatch.setattr(skeleton, "compiled", compile_and_note)
    shape = Skeleton(LONG)
    for text in ("0/task:0/device:GPU:0 with 15 GiB", "7/8 of all GPUs", "1/9x GPUs"):
        assert shape.match(text) is None
    of_beginnings = max(lengths)
    found = shape.match("1/9 2.5G 1 2 3 4 5 6 7 8.5")
    assert isinstance(found, dict) and (found["last"], found["f7"]) == (9, 8.5)
    assert max(lengths) > 2 * of_beginnings


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("1x/9 2.5G 1 2 3 4 5 6 7 8", None),  # it begins with a hole: another program's
        ("1/9x 2.5G 1 2 3 4 5 6 7 8", Broken("last", "9x")),
        ("1/9 2..5G 1 2 3 4 5 6 7 8", Broken("memory", "2..5")),
        ("1/9 2.5G 1 2 3 4 5 6 7 8..5", Broken("f7", "8..5")),
    ],
)
def test_a_long_statement_names_its_broken_number(line: str, found: Broken | None) -> None:
    assert Skeleton(LONG).match(line) == found


def test_a_skip_needs_a_literal() -> None:
    with pytest.raises(ValueError, match="skip"):
        Skeleton("a {}{b:int}").match("a x 1")


def test_units_and_thousands_of_pairs() -> None:
    shape = KeyValues(
        "step: {step:int} ",
        delimiter=None,
        numbers={"tps": "tps", "time": "time"},
        glued=("ms",),
        thousands=True,
    )
    found = shape.match("step:  3  time: 66.91ms  tps: 1,030,768  loss:  7.0")
    assert found is not None
    assert not isinstance(found, Broken)
    assert (found["step"], found["tps"], found["time"]) == (3, 1_030_768.0, 66.91)
    assert found["pairs"] == {"time": "66.91ms", "tps": "1,030,768", "loss": "7.0"}


def test_a_blank_separates_the_last_word() -> None:
    shape = KeyValues("", delimiter="|", separator=" ", numbers={"loss": "avg loss"})
    found = shape.match("avg loss 5.5 |walltime 30.0 |")
    assert found is not None
    assert not isinstance(found, Broken)
    assert (found["loss"], found["pairs"]["walltime"]) == (5.5, "30.0")


def test_a_header_and_its_rows() -> None:
    header = Table(required=("LR", "Loss"), columns=3)
    assert header.match("Epoch\tLR\tLoss") == {"cells": ["Epoch", "LR", "Loss"]}
    assert header.match("Epoch\tLR\tAccuracy") is None
    row = Row(("Epoch", "LR", "Loss"), "\t", full=True)
    assert row.match("1\t0.1\t-inf") == {"Epoch": 1.0, "LR": 0.1, "Loss": -math.inf}
    assert row.match("1\t0.1\tcut") is None
    assert row.match("1\t0.1") is None


@pytest.mark.parametrize(
    ("text", "body", "rank", "time_us"),
    [
        ("[rank3]:[titan] 2030-01-02 03:04:05 - root - INFO - x", "x", 3, 1_893_553_445_000_000),
        ("[2030-01-02 03:04:05,678][train_inner][INFO] - x", "x", None, 1_893_553_445_678_000),
        (
            "[2030-01-02 03:04:05,678] [INFO] [logging.py:96:log_dist] [Rank 2] x",
            "x",
            2,
            1_893_553_445_678_000,
        ),
        (" [2030-01-02 03:04:05] iteration 3", "iteration 3", None, 1_893_553_445_000_000),
        ("I0102 03:04:05.678901  6584 solver.cpp:228] x", "x", None, 63_169_445_678_901),
        ("   indented: 1", "   indented: 1", None, None),
        ("[1/100] x", "[1/100] x", None, None),
    ],
)
def test_prefixes(text: str, body: str, rank: int | None, time_us: int | None) -> None:
    line = strip(Line(1, 0, text))
    assert (line.text, line.rank, line.time_us) == (body, rank, time_us)
