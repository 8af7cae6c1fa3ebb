"""A bare `Time` of progress lines that grows with the steps and begins anew with each epoch."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.logs import scored

Time = Callable[[int, int], float]


def log(time: Time) -> str:
    """Three epochs of 100 batches, a line for every tenth of them."""
    return "".join(
        f"Epoch: {epoch:3} | Batch: {step:4}/ 100 | Loss: {3 - epoch / 9:.4f} | "
        f"Time: {time(epoch, step):.2f}s\n"
        for epoch in (1, 2, 3)
        for step in range(10, 101, 10)
    )


def test_is_the_time_since_the_epoch_began() -> None:
    """A quarter of a second each, and two seconds before the first: 100 take 27 s."""
    speed = scored(log(lambda _epoch, step: 2 + step / 4))["dimensions"]["speed"]
    assert (speed["unit"], speed["window"]) == ("it/s", [2, 3])  # not known within the first
    assert speed["values"] == [pytest.approx(100 / 27)] * 2


@pytest.mark.parametrize(
    "time",
    [
        pytest.param(lambda _epoch, _step: 2.5, id="of ten batches"),
        pytest.param(lambda _epoch, step: 2.5 + step / 1000, id="of ten batches, ever slower"),
        pytest.param(lambda epoch, step: 25 * epoch + step / 4, id="since the start"),
        pytest.param(lambda epoch, step: 50 - 9 * epoch - step / 4, id="that is left"),
    ],
)
def test_another_time_is_none(time: Time) -> None:
    assert scored(log(time))["dimensions"]["speed"]["value"] is None
