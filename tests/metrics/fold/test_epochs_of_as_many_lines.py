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


@pytest.mark.parametrize(("last", "over"), [(50, 6), (49, 5), (51, 5)])
def test_one_of_as_many_steps_is_over_where_they_count_on_from_epoch_to_epoch(
    last: int, over: int
) -> None:
    steps = [(e, 50 * e + n) for e in range(5) for n in range(1, 51)]
    steps += [(5, 250 + n) for n in range(1, last + 1)]
    text = "".join(f"epoch {e}, step {n}, train_loss: 0.5{n % 7}\n" for e, n in steps)
    assert read(text.encode()).card().run["epochs"] == over


def test_four_epochs_of_as_many_steps_do_not_show_how_long_a_fifth_is() -> None:
    steps = [(e, 50 * e + n) for e in range(4) for n in range(1, 51)]
    text = "".join(f"epoch {e}, step {n}, train_loss: 0.5{n % 7}\n" for e, n in steps)
    assert read(text.encode()).card().run["epochs"] == 3


@pytest.mark.parametrize(("labels", "over"), [((100, 101, 102), 2), ((100, 101, 148), None)])
def test_an_unfinished_epoch_far_after_the_whole_ones_shows_that_most_are_not_printed(
    labels: tuple[int, ...], over: int | None
) -> None:
    lines = [f"epoch {n}, step {s}, train_loss: 0.{n}{s}" for n in labels for s in (1, 2, 3)]
    assert read("\n".join([*lines[:-1], ""]).encode()).card().run["epochs"] == over
