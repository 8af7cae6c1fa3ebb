"""The statement language's holes for bars, units, counts, quoted pairs and CSV rows."""

from __future__ import annotations

import math

import pytest

from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import Broken, Fields, Shape
from sixdim.parsers.grammar.shapes.skeleton import Skeleton
from sixdim.parsers.grammar.shapes.table import Row, Table


def match(shape: Shape, text: str) -> Fields:
    found = shape.match(text)
    assert found is not None
    assert not isinstance(found, Broken)
    return found


BAR = Skeleton(
    "{percent:int}%|{}| {step:int}/{steps:int} "
    "[{elapsed:clock}<{left:clock}, {pace:pace}{rest:text}"
)


@pytest.mark.parametrize(
    ("text", "elapsed", "left", "pace"),
    [
        ("43%|███  | 3/7 [00:37<00:50, 12.50s/it]", 37, 50, 12.5),
        (" 5%|▍    | 8/171 [1:02:03<26:00:11,  4.00it/s, loss=1]".strip(), 3723, 93611, 0.25),
        ("1%|     | 8/171 [00:10<00:11, 2.00batch/s]", 10, 11, 0.5),
        ("1%|     | 8/171 [00:10<00:11, 1.25kit/s]", 10, 11, 0.0008),
    ],
)
def test_bar(text: str, elapsed: float, left: float, pace: float) -> None:
    found = match(BAR, text)
    assert (found["elapsed"], found["left"], found["pace"]) == (elapsed, left, pace)


def test_bar_that_does_not_know_yet() -> None:
    found = match(BAR, "0%|          | 0/7 [00:00<?, ?it/s]")
    assert found["elapsed"] == 0
    assert math.isnan(found["left"])
    assert math.isnan(found["pace"])
    assert math.isnan(match(BAR, "0%| | 0/7 [00:00<?, 0.00it/s]")["pace"])


@pytest.mark.parametrize("unit", ["img/s", "s/image", "samples/s", "tokens/s"])
def test_the_rate_of_a_bar_of_data_is_no_pace(unit: str) -> None:
    found = BAR.match(f"43%|███  | 3/7 [00:37<00:50, 12.50{unit}]")
    assert found is None or isinstance(found, Broken)


def test_count() -> None:
    shape = Skeleton("Num examples = {n:count}")
    assert match(shape, "Num examples = 2,182")["n"] == 2182
    assert match(shape, "Num examples = 1,281,167")["n"] == 1281167
    assert match(shape, "Num examples = 1000")["n"] == 1000
    assert shape.match("Num examples = 1,2") is None


def test_number_touches_a_unit_only_where_the_statement_says_so() -> None:
    shape = Skeleton("Time: {t:float}s, {v:float}/s")
    assert match(shape, "Time: 0.256s,  999.75/s") == {"t": 0.256, "v": 999.75}
    assert shape.match("Time: 0.256ms, 999.75/s") is None
    assert Skeleton("Time: {t:float}").match("Time: 0.256s") is not None  # broken, not a number
    assert isinstance(Skeleton("Time: {t:float}").match("Time: 0.256s"), Broken)
    assert match(shape, "Time: 1e-3s, nan/s")["t"] == 0.001


def test_until_keeps_what_it_skips() -> None:
    shape = Skeleton("Test{suffix:until}: [{step:int}]")
    assert match(shape, "Test (EMA): [3]") == {"suffix": "(EMA)", "step": 3}
    assert match(shape, "Test: [3]") == {"suffix": "", "step": 3}
    assert shape.match("Test (EMA) [3]") is None


def test_pairs_in_quotes() -> None:
    shape = KeyValues(
        "{'", delimiter=", ", separator=": ", quotes="'{}", numbers={"loss": "loss", "lr": "lr"}
    )
    found = match(shape, "{'loss': 1.5, 'name': 'a', 'lr': '1e-3'}")
    assert (found["loss"], found["lr"]) == (1.5, 0.001)
    assert found["pairs"] == {"loss": "1.5", "name": "a", "lr": "1e-3"}
    assert match(shape, "{'lr': 1, 'loss': 2.5}  4%|▏  | 4/100")["loss"] == 2.5


@pytest.mark.parametrize("nothing", ["None", "N/A", "n/a", "null"])
def test_value_that_says_it_is_none_is_left_out(nothing: str) -> None:
    shape = KeyValues("x", numbers={"loss": "loss"})
    assert "loss" not in match(shape, f"x  loss: {nothing}  lr: 1")
    assert isinstance(shape.match("x  loss: none yet"), Broken)


def test_csv_header_and_rows() -> None:
    header = Table(delimiter=",", required=("epoch", "step"))
    row = Row(("loss", "lr", "val_loss", "acc"), ",")
    assert match(header, "loss, epoch, step")["cells"] == ["loss", "epoch", "step"]
    assert header.match("loss,epoch") is None
    found = match(row, "1, -2.5e3,,nan")
    assert {name: str(value) for name, value in found.items()} == {
        "loss": "1.0",
        "lr": "-2500.0",
        "acc": "nan",
    }
    assert row.match("1,2") == {"loss": 1.0, "lr": 2.0}
    assert row.match("1,two") is None
    assert row.match("1,1_000") is None
    assert row.match("7") is None
    assert row.match("1,2,3,4,5") is None
    assert row.match("1,1e999,inf") == {"loss": 1.0, "val_loss": math.inf}


@pytest.mark.parametrize(
    "text",
    [
        "0%|" + "|" * 100_000,
        "0%|" + "| 1/2 [" * 20_000,
        "1" * 100_000 + "%|",
        "0%|x| 3/7 [" + "0:" * 50_000,
        "0%|x| 3/7 [00:00<00:00, " + "1" * 100_000,
    ],
)
def test_hostile_lines_are_no_bars(text: str) -> None:
    # A matcher that backtracked would not come back from these.
    assert not isinstance(BAR.match(text), dict)
