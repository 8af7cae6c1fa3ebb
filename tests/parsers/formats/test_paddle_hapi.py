"""Paddle's high-level API: the means that its lines print, and the evaluations between epochs."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Evaluation
from tests.support.logs import detected, only, read, scored

HEAD = "The loss value printed in the log is the current step, and the metric is the average value of previous steps.\n"


def epoch(label: int, means: tuple[int, ...], *, bar: str = "") -> str:
    """An epoch of 40 steps, with the mean milliseconds so far at each fourth of it."""
    steps = "".join(
        f"step {10 * n}/40{bar} - loss: 0.{9 - n}000 - acc: 0.5{n} - {mean}ms/step\n"
        for n, mean in enumerate(means, 1)
    )
    tested = f"step 10/10{bar} - loss: 0.7000 - acc: 0.{60 + label} - 900ms/step\n"
    return f"Epoch {label}/10\n{steps}Eval begin...\n{tested}Eval samples: 320\n"


@pytest.mark.parametrize("bar", ["", " [====>....]"])
def test_the_time_of_an_epoch_is_the_mean_on_its_last_line(bar: str) -> None:
    text = HEAD + "".join(epoch(n, (400, 300, 250, 200), bar=bar) for n in range(1, 11))
    assert detected(text) == "paddle-hapi"
    card = scored(text)
    assert card["dimensions"]["speed"]["value"] == pytest.approx(1 / 0.200)
    assert card["dimensions"]["accuracy"]["value"] == 0.70
    assert (card["run"]["epochs"], card["status"]) == (10, "finished")


def test_what_is_between_two_epochs_is_an_evaluation() -> None:
    events = read(HEAD + epoch(1, (20,) * 4) + epoch(2, (20,) * 4), "paddle-hapi")
    assert [(e.epoch, {m.name: m.value for m in e.metrics}) for e in only(events, Evaluation)] == [
        (1, {"acc1": 0.61}),
        (2, {"acc1": 0.62}),
    ]


def test_the_loss_of_the_last_batch_is_no_result() -> None:
    text = HEAD + "".join(epoch(n, (20,) * 4) for n in range(1, 5))
    card = scored("\n".join(line.partition(" - acc")[0] for line in text.splitlines()) + "\n")
    assert card["dimensions"]["accuracy"]["value"] is None


def test_an_evaluation_that_is_not_over_is_none() -> None:
    text = HEAD + epoch(1, (20,) * 4).partition("Eval samples")[0]
    assert only(read(text, "paddle-hapi"), Evaluation) == []


@pytest.mark.parametrize(("time", "rate"), [("1s", None), ("4ms", None), ("5ms", 200.0)])
def test_a_time_that_is_rounded_to_less_than_five_is_no_rate(time: str, rate: float | None) -> None:
    """`1s/step` stands for 1 to 1.5 s."""
    text = HEAD + "".join(epoch(n, (800,) * 4) for n in range(1, 11)).replace("800ms", time)
    speed = scored(text)["dimensions"]["speed"]["value"]
    assert speed == (rate and pytest.approx(rate))
