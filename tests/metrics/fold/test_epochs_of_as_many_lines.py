"""Whether the last epoch is over, of a log that names each one in front of its figures."""

from __future__ import annotations

import pytest

from tests.support.inputs.generated import read


def epochs(of: int, *last: str) -> object:
    """How many epochs are over, of a log with so many of three lines each and the last one's."""
    whole = "".join(f"epoch = {n}\nbeta = [[0.1]\nloss = 0.9{n}\n" for n in range(of))
    text = whole + "".join(f"{line}\n" for line in last)
    return read(text.encode()).card().run["epochs"]


@pytest.mark.parametrize(("of", "over"), [(2, 2), (3, 4)])
def test_an_epoch_of_as_many_lines_as_three_before_it_is_over(of: int, over: int) -> None:
    assert epochs(of, f"epoch = {of}", "beta = [[0.1]", "loss = 0.5") == over


def test_one_of_fewer_or_more_lines_may_go_on() -> None:
    assert epochs(6, "epoch = 6", "loss = 0.5") == 6
    assert epochs(6, "epoch = 6", "beta = [[0.1]", "beta = [[0.1]", "loss = 0.5") == 6


def test_one_that_failed_is_not_over() -> None:
    error = ("Traceback (most recent call last):", '  File "a.py", line 1', "ValueError: bad")
    assert epochs(6, "epoch = 6", "beta = [[0.1]", "loss = 0.5", *error) == 6
