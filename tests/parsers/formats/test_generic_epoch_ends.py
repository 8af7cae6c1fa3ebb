"""When the last epoch of a log is over, if it has an evaluation inside."""

from __future__ import annotations

import pytest

from tests.support.logs import scored

TRAINED = "2024-05-01 10:{m:02}:{s:02} epoch {e} step {n}, loss: 0.{n}\n"
TESTED = "2024-05-01 10:{m:02}:{s:02} epoch {e} validation accuracy: 0.{n}\n"


def epoch(e: int, *steps: int, tested: int) -> str:
    """Lines of training at these steps; the evaluation stands behind the step `tested`."""
    text = ""
    for n in steps:
        text += TRAINED.format(m=e, s=n // 10, e=e, n=n)
        if n == tested:
            text += TESTED.format(m=e, s=n // 10 + 1, e=e, n=n)
    return text


@pytest.mark.parametrize(
    ("last", "epochs"),
    [
        (epoch(3, 100, 200, tested=200), 3),  # nothing follows the evaluation
        (epoch(3, 100, 200, 300, tested=200), 2),  # it was one inside the epoch
        (epoch(3, 100, 200, 300, 400, tested=200), 3),  # as long as those before
        (epoch(3, 100, 200, 300, tested=200) + epoch(4, 100, tested=0), 3),
        (epoch(3, 100, 200, 300, tested=200) + TESTED.format(m=3, s=59, e=3, n=9), 3),
    ],
)
def test_steps_behind_an_evaluation_show_that_the_epoch_goes_on(last: str, epochs: int) -> None:
    text = "".join(epoch(e, 100, 200, 300, 400, tested=400) for e in (1, 2)) + last
    assert scored(text)["run_end"]["epochs"] == epochs


def test_a_closing_line_ends_the_epoch_whatever_stands_behind_its_evaluation() -> None:
    text = epoch(1, 100, 200, 300, tested=200) + epoch(2, 100, 200, 300, tested=200)
    assert scored(text + "Training complete in 4m 10s\n")["run_end"]["epochs"] == 2
