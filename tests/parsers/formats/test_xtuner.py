"""XTuner, version 1: the rate of a device, and steps of the whole run in epochs."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Iteration, Scope
from tests.support.logs import detected, only, read, scored


def log(last: int, loss: str = "reduced_llm_loss") -> str:
    """A step trains 4000 tokens, and takes 2 s; with the wait for data it is 3 s by the clock."""
    return "".join(
        f"[XTuner][RANK 0][2026-01-02 10:{3 * n // 60:02}:{3 * n % 60:02}][INFO] "
        f"Epoch {1 + (n > 15)} Step {n}/30 data_time: 1.0000 lr: 1.000000e-05 time: 2.0000 "
        f"text_tokens: 4000 {loss}: {1 / n:.8f}, local_loss: 0.75000000 grad_norm: 1.20000000 "
        f"max_memory: 30.10 GB tgs: 2000.0 exp_tgs: 1990.5 eta: 0:01:00\n"
        for n in range(1, last + 1)
    )


@pytest.mark.parametrize("loss", ["reduced_llm_loss", "total_loss"])
def test_the_rate_is_that_of_a_device(loss: str) -> None:
    text = log(30, loss)
    assert detected(text) == "xtuner"
    bare = "".join("Epoch" + line.partition("Epoch")[2] + "\n" for line in text.splitlines())
    second = only(read(bare, "xtuner"), Iteration)[1]
    assert (second.epoch, second.step, second.steps) == (None, 2, 30)
    assert (second.loss, second.duration, second.throughput) == (0.5, 2.0, 2000.0)
    assert (second.unit, second.scope) == ("tokens/s", Scope.DEVICE)
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"], speed["scope"]) == (2000, "tokens/s", "per device")


def test_it_ends_with_the_time_of_the_training() -> None:
    closing = "[XTuner][RANK 0][2026-01-02 10:02:00][INFO] Training finished in 91.25 seconds\n"
    card = scored(log(30) + closing)
    assert (card["status"], card["run_end"]["run_time_s"]) == ("finished", 91.25)
    assert scored(log(20))["status"] == "incomplete"
