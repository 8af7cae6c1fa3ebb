"""A line that a format knows and that says nothing makes no log that format's, however often."""

from __future__ import annotations

import pytest

from tests.support.logs import detected


@pytest.mark.parametrize(
    "line",
    [
        "saving the model at the end of epoch {n}, iters {n}00",
        "Saving checkpoint at step: {n}",
        "Saving checkpoint at {n} epochs",
    ],
)
def test_checkpoints_alone(line: str) -> None:
    text = "".join(
        f"{line.format(n=n)}\nstep {n}: loss 2.{n}, 12.5 images/sec\n" for n in range(50)
    )
    assert detected(text) == "generic"
