"""Bars without any word: the order of two bars and the line of their epoch say which one trains."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sixdim.parsers.events import Iteration
from tests.support.logs import read, scored

BOTH = "epoch={epoch}: train_epoch_loss=tensor(4.{epoch}) eval_epoch_loss=tensor(4.{epoch}1)"


def bar(steps: int, rate: float) -> list[str]:
    half, seconds = steps // 2, steps / rate
    return [
        f"  0%|          | 0/{steps} [00:00<?, ?it/s]",
        f" 50%|█████     | {half}/{steps} [00:{int(seconds / 2):02}<00:09, {rate:5.2f}it/s]",
        f"100%|██████████| {steps}/{steps} [00:{int(seconds):02}<00:00, {rate:5.2f}it/s]",
    ]


def log(bars: Sequence[tuple[int, float]], line: str = BOTH, epochs: int = 5) -> str:
    lines = ["Downloading shards:", *bar(3, 1.0)]
    for epoch in range(epochs):
        lines += [drawing for steps, rate in bars for drawing in bar(steps, rate)]
        lines.append(line.format(epoch=epoch))
    return "".join(f"{one}\n" for one in lines)


@pytest.mark.parametrize("tested", [10, 40])
def test_the_first_bar_of_two_is_the_training_s(tested: int) -> None:
    """As PEFT's examples: 40 steps at 8 a second, after the first epoch's line."""
    text = log([(40, 8.0), (tested, 20.0)])
    placed = [(e.epoch, e.step) for e in read(text, "generic") if isinstance(e, Iteration)]
    assert placed == [(e, step) for e in range(1, 5) for step in (20, 40)]
    card = scored(text)
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"], speed["window"]) == (8, "it/s", [1, 2, 3, 4])
    assert card["run"]["epochs"] == 5


@pytest.mark.parametrize(
    ("bars", "line"),
    [
        ([(10, 20.0), (40, 8.0)], BOTH),  # the first may be an evaluation
        ([(40, 8.0)], BOTH),  # the one bar may be either
        ([(40, 8.0), (10, 20.0)], "epoch={epoch}: train_epoch_loss=tensor(4.{epoch})"),
    ],
)
def test_bars_that_may_be_an_evaluation_s_have_no_speed(
    bars: Sequence[tuple[int, float]], line: str
) -> None:
    assert scored(log(bars, line))["dimensions"]["speed"]["value"] is None


def test_a_bar_that_was_stopped_begins_no_epoch() -> None:
    text = log([(40, 8.0), (10, 20.0)]).replace("10/10 [", "7/10 [")
    assert scored(text)["dimensions"]["speed"]["value"] is None


def test_after_an_epoch_with_a_third_bar_none_trains() -> None:
    """Which of them did is not known: the next epoch has no figure, the one after it has."""
    text = log([(40, 8.0), (10, 20.0)]).replace(
        "epoch=2", "".join(f"{b}\n" for b in bar(3, 1.0)) + "epoch=2"
    )
    placed = {e.epoch for e in read(text, "generic") if isinstance(e, Iteration)}
    assert placed == {1, 2, 4}


@pytest.mark.parametrize("address", ["https://example.org/5/", "Top 1% of page 7/"])
def test_an_address_that_ends_in_a_count_begins_no_bar(address: str) -> None:
    """`5/` would begin a bar, but nothing follows that could be the total."""
    lines = [f"epoch {n}: loss 0.{9 - n} val_acc 0.{n}" for n in range(1, 5)]
    card = scored("\n".join([address, *lines, address, ""]))
    assert card["dimensions"]["accuracy"]["value"] == 0.4
    assert not [one for one in card["warnings"] if one["kind"] == "fault"]
