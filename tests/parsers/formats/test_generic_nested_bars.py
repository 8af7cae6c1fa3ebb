"""Progress bars named `Epoch:` around those of their iterations, in a log without other words."""

from __future__ import annotations

import pytest

from tests.support.logs import bar, epoch_ends, facts, iterations, read, scored


def nested(epochs: int, inner: str = "Iteration: ", steps: tuple[int, ...] = (10, 20)) -> str:
    """As Hugging Face's examples and sentence-transformers once drew them: `trange` in `tqdm`."""
    lines = [f"Epoch:   0%|   | 0/{epochs} [00:00<?, ?it/s]"]
    for epoch in range(1, epochs + 1):
        lines += [bar(inner, step, 20, "4.00it/s]") for step in steps]
        lines.append(bar("Epoch: ", epoch, epochs, "5.01s/it]"))
    return "".join(f"{line}\n" for line in lines)


def test_the_outer_bar_counts_epochs_and_the_inner_one_their_iterations() -> None:
    events = read(nested(3), "generic")
    assert [one.epoch for one in epoch_ends(events)] == [1, 2, 3]
    assert [(one.epoch, one.step, one.duration) for one in iterations(events)] == [
        (epoch, step, 0.25) for epoch in (1, 2, 3) for step in (10, 20)
    ]
    assert facts(events)["epochs_planned"] == 3
    card = scored(nested(9))
    assert (card["run"]["format"], card["run_end"]["epochs"], card["status"]) == (
        "generic", 9, "finished"
    )  # fmt: skip
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(2.0, rel=0.51), "it/s")


def test_a_bar_named_epoch_that_counts_batches_counts_no_epochs() -> None:
    drawn = "".join(bar("Epoch: ", step, 20, "4.00it/s]") + "\n" for step in range(21))
    assert not epoch_ends(read(drawn * 3, "generic"))


def test_an_epoch_is_over_only_when_its_inner_bar_came_to_its_end() -> None:
    assert not epoch_ends(read(nested(3, steps=(5, 10)), "generic"))


def test_a_bar_of_an_evaluation_is_no_training() -> None:
    assert not iterations(read(nested(3, inner="Evaluating: "), "generic"))
