"""Tables with a column for each split of the data, which a loop prints after each epoch."""

from __future__ import annotations

import pytest

from tests.support.logs import scored
from tests.support.loops import accuracies

RICH = """
           Epoch {e}
┏━━━━━━━━━━┳━━━━━━━━┳━━━━━━━━┓
┃ Metric   ┃ Train  ┃ Val    ┃
┡━━━━━━━━━━╇━━━━━━━━╇━━━━━━━━┩
│ Loss     │ 0.{t}1 │ 0.{t}2 │
│ Accuracy │ 0.9{e} │ 0.8{e} │
└──────────┴────────┴────────┘
"""
SIMPLE = """
Epoch {e}
Metric      Train    Val
--------  -------  -----
Loss       0.{t}1  0.{t}2
Accuracy   0.9{e}  0.8{e}
"""
GITHUB = """
Epoch {e}
|           |   Validation |   Training |
|-----------|--------------|------------|
| Loss      |       0.{t}2 |     0.{t}1 |
| Top-1 acc |       0.8{e} |     0.9{e} |
"""


@pytest.mark.parametrize("table", [RICH, SIMPLE, GITHUB])
def test_a_column_is_of_the_split_that_its_header_names(table: str) -> None:
    text = "".join(table.format(e=e, t=9 - e) for e in (1, 2, 3))
    assert accuracies(text.splitlines()) == ("acc1", 0.83, 0.83)
    assert scored(text)["run"]["epochs"] == 3


def test_other_lines_with_two_numbers_are_not_read_by_the_header() -> None:
    table = SIMPLE.format(e=1, t=8).splitlines()
    later = ["Epoch 2", "accuracy: 0.5 of 0.7", "val acc 0.7"]
    assert accuracies([*table, *later]) == ("acc1", 0.7, 0.81)
