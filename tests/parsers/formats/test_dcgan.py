"""Lines of TensorFlow's GANs, whose time is that since the training began."""

from __future__ import annotations

import pytest

from tests.support.logs import detected, scored

HEADS = ["Epoch: [{e:2d}/ 3] ", "[{n:8d} Epoch:[{e:2d}/ 3] ", "Epoch: [{e:2d}] "]


def log(head: str, *, anew: bool = False) -> str:
    """40 iterations an epoch, 0.25 s each, and 30 s between two epochs."""
    lines = (
        (head + "[{i:4d}/  40] time: {t:.4f}, d_loss: 1.25000000, g_loss: 0.75000000\n").format(
            e=e, n=40 * e + i + 1, i=i, t=0.25 * (i + 1) + (0 if anew else 40 * e)
        )
        for e in range(3)
        for i in range(40)
    )
    return "".join(lines)


@pytest.mark.parametrize("anew", [True, False])
@pytest.mark.parametrize("head", HEADS)
def test_the_growth_of_the_time_is_that_of_the_iterations(head: str, anew: bool) -> None:
    text = log(head, anew=anew)
    assert detected(text) == "dcgan"
    card = scored(text)
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (4, "it/s")
    planned = 3 if "/ 3" in head else None
    assert (card["run"]["epochs"], card["run"].get("epochs_planned")) == (3, planned)


def test_ugatit_counts_iterations_alone() -> None:
    text = "".join(
        f"[{10 * n:5d}/ 1000] time: {5 * n:.4f} d_loss: 1.25000000, g_loss: 0.75000000\n"
        for n in range(1, 41)
    )
    assert detected(text) == "dcgan"
    assert scored(text)["dimensions"]["speed"]["value"] == 2
