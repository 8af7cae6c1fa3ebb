"""Several trainings that write into one log at the same time, without a rank on their lines."""

from __future__ import annotations

from itertools import chain, zip_longest

import pytest

from tests.support.logs import scored

_REASON = "several trainings write into the log at once, and no line says whose it is"


def _steps(first: int, last: int, ms: float) -> list[str]:
    """Every tenth step of a training whose iterations take so many milliseconds."""
    return [f"iter {n}: loss 2.5, time {ms:.2f}ms, mfu 3.10%" for n in range(first, last + 1, 10)]


def _epochs(first: int, end: int, seconds: float) -> list[str]:
    """Every tenth iteration of epochs of 100 iterations that take so many seconds each."""
    return [
        f"2025-03-04 10:00:00,000 - mmdet - INFO - Epoch [{epoch}][{step}/100]\tlr: 1.000e-02, "
        f"eta: 0:10:00, time: {seconds:.3f}, data_time: 0.010, memory: 1000, loss: 1.5000"
        for epoch in range(first, end)
        for step in range(10, 101, 10)
    ]


def _alternate(*writers: list[str]) -> str:
    lines = chain.from_iterable(zip_longest(*writers, fillvalue=""))
    return "\n".join(line for line in lines if line)


def test_no_speed_is_stated_of_two_trainings() -> None:
    """One is at 10 iterations a second and 300 steps ahead of the other, at 8.

    The first leap is from step 0 to 310, the second line of the first training. The last one is to
    step 900, the last line but one.
    """
    card = scored(_alternate(_steps(300, 900, 100), _steps(0, 600, 125)))
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["state"], speed["reason"]) == (None, "unknown", _REASON)
    (warning,) = [one for one in card["warnings"] if one["kind"] == "interleaved"]
    assert warning["lines"] == [3, 121]


@pytest.mark.parametrize(("behind", "stated"), [(40, True), (50, False)])
def test_ranks_are_a_few_lines_apart(behind: int, *, stated: bool) -> None:
    """The line after one that is four lines behind it may be of another rank."""
    text = _alternate(_steps(100, 600, 100), _steps(110 - behind, 610 - behind, 100))
    value = scored(text)["dimensions"]["speed"]["value"]
    assert value == (pytest.approx(10.0) if stated else None)


@pytest.mark.parametrize(("lines", "alone"), [(2, True), (3, False)])
def test_three_leaps_are_no_chance(lines: int, *, alone: bool) -> None:
    """The second training begins and is lost: after each of its lines the first one leaps."""
    first, second = _steps(0, 800, 100), _steps(0, 10 * lines - 10, 100)
    text = "\n".join(first[:60]) + "\n" + _alternate(second, first[60:])
    assert ("interleaved" not in [one["kind"] for one in scored(text)["warnings"]]) is alone


def test_a_run_that_is_resumed_again_and_again_is_one_training() -> None:
    """It goes back by 100 steps five times, and comes to the highest step by steps of ten."""
    parts = [_steps(0 if n == 0 else 200 * n - 90, 200 * n + 200, 100) for n in range(5)]
    card = scored("\n".join(chain.from_iterable(parts)))
    assert card["dimensions"]["speed"]["value"] == pytest.approx(10.0)


def test_ranks_whose_buffers_are_written_in_turn_are_one_training() -> None:
    """Each writes three epochs at a time, at 5 iterations a second."""
    parts = [
        f"Epoch: [{epoch}][{step}/100]\tTime 0.2 ( 0.2)\tLoss 2.0e+00 (2.0e+00)\tAcc@1 9.0 (9.0)"
        for chunk in range(5)
        for _rank in range(2)
        for epoch in range(3 * chunk, 3 * chunk + 3)
        for step in range(10, 101, 10)
    ]
    card = scored("\n".join(parts))
    assert "interleaved" not in [one["kind"] for one in card["warnings"]]


def test_epochs_of_two_trainings_have_no_speed() -> None:
    """One is in its ninth epoch of 2 iterations a second when the other begins, of 1.4."""
    first, second = _epochs(1, 12, 0.5), _epochs(1, 4, 0.7)
    card = scored("\n".join(first[:80]) + "\n" + _alternate(first[80:], second))
    assert card["dimensions"]["speed"]["reason"] == _REASON
    assert card["run_end"]["run_time_s"] is None


@pytest.mark.parametrize(("apart", "stated"), [(50, True), (70, False)])
def test_epochs_of_one_training_alone_count(apart: int, *, stated: bool) -> None:
    """The first training ends after 50 lines of the second one, at the end of its epoch 5.

    With 70 lines it ends at the end of the second one's epoch 7, which is of the window.
    """
    first = _epochs(20, 21 + apart // 10, 0.7)[:apart]
    second = _epochs(1, 13, 0.5)
    text = "\n".join(_epochs(1, 20, 0.7)) + "\n" + _alternate(second[:apart], first)
    value = scored(text + "\n" + "\n".join(second[apart:]))["dimensions"]["speed"]["value"]
    assert value == (pytest.approx(2.0) if stated else None)


def test_no_accuracy_is_stated_of_two_trainings() -> None:
    """Each evaluates after its epochs; one is two epochs ahead and at 0.8, the other at 0.6."""
    scores = "2025-03-04 10:00:00,000 - mmdet - INFO - Epoch(val) [{e}][50]\tmAP: 0.{n}{e}00"

    def training(epochs: range, n: int) -> list[str]:
        return [line for e in epochs for line in (*_epochs(e, e + 1, 0.5), scores.format(e=e, n=n))]

    both, alone = (training(range(3, 8), 8), training(range(1, 6), 6)), training(range(1, 6), 6)
    mixed = scored(_alternate(*both))["dimensions"]["accuracy"]
    assert (mixed["value"], mixed["state"], mixed["reason"]) == (None, "unknown", _REASON)
    assert mixed["metric"] == "map"
    assert scored("\n".join(alone) + "\n")["dimensions"]["accuracy"]["value"] == 0.65


@pytest.mark.parametrize(("slower", "stated"), [(5.3, False), (3.0, True)])
def test_trainings_of_which_only_the_epochs_are_logged(slower: float, *, stated: bool) -> None:
    """An epoch takes 3 s in one training and `slower` seconds in the other, if there is another."""
    line = "Epoch {e}/30 train_loss 0.{e:02} val_acc 0.{n}{e:02}"
    times = {3.0: 6, slower: 6 + (not stated)}
    said = sorted((e * s, line.format(e=e, n=n)) for s, n in times.items() for e in range(1, 31))
    card = scored("\n".join(text for _, text in said) + "\n")
    assert ("interleaved" not in [one["kind"] for one in card["warnings"]]) is stated
    assert card["dimensions"]["accuracy"]["value"] == (0.63 if stated else None)
