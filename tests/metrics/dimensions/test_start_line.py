"""`--start TEXT`: times begin at a line of the publisher's own."""

from __future__ import annotations

from typing import Any

import pytest

from sixdim.metrics.values.convergence import parse_target
from tests.support.inputs.torchvision_log import kinds, read

LOG = "2023-05-15 22:50:00,000 INFO:warming up, phase 1\n"
LOG += "2023-05-15 22:50:10,000 INFO:RUN BEGINS at node 7\n"
LOG += "".join(
    f"2023-05-15 22:{51 + e}:00,000 INFO:Epoch {e}: Train Loss=0.5, Val Acc=0.7{e}\n"
    for e in range(4)
)


@pytest.mark.parametrize(
    ("text", "seconds", "start"),
    [
        ("RUN BEGINS", 230.0, "line 2"),
        ("RUN * 7", 230.0, "line 2"),
        ("INFO", 240.0, "line 1"),  # the first that holds it counts
        ("2023-05-15 22:50:10", 230.0, "line 2"),
    ],
)
def test_time_to_train_begins_at_the_line(text: str, seconds: float, start: str) -> None:
    target: dict[str, Any] = {"target": parse_target("val acc>=0.73", "--target")}
    card = read(LOG, start_line=text, **target)
    assert (card["target"]["time_to_train_s"], card["target"]["start"]) == (seconds, start)
    assert "no_start" not in kinds(card)


@pytest.mark.parametrize("text", ["no such line", "7 * RUN"])
def test_a_line_that_is_not_there_is_a_warning(text: str) -> None:
    assert "no_start" in kinds(read(LOG, start_line=text))


def test_a_line_without_a_time_is_a_warning() -> None:
    (warning,) = [
        w
        for w in read("RUN BEGINS\n" + LOG, start_line="RUN BEGINS")["warnings"]
        if w["kind"] == "no_start"
    ]
    assert warning["lines"] == [1]
