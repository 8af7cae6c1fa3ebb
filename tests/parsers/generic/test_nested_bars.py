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
    assert (speed["value"], speed["unit"]) == (2.0, "it/s")  # 20 iterations in 10 s


def test_a_bar_named_epoch_that_counts_batches_counts_no_epochs() -> None:
    drawn = "".join(bar("Epoch: ", step, 20, "4.00it/s]") + "\n" for step in range(21))
    assert not epoch_ends(read(drawn * 3, "generic"))


def test_an_epoch_is_over_only_when_its_inner_bar_came_to_its_end() -> None:
    assert not epoch_ends(read(nested(3, steps=(5, 10)), "generic"))


def test_a_bar_of_an_evaluation_is_no_training() -> None:
    assert not iterations(read(nested(3, inner="Evaluating: "), "generic"))


def unnamed(
    epochs: int = 8, outer: str = ", loss=0.4, val_acc=0.{epoch}5", inner: str = ", loss=0.5"
) -> str:
    """As `tqdm` in `trange`, neither with a word of what it counts: 25 iterations a second."""
    lines = [f"  0%|   | 0/{epochs} [00:00<?, ?it/s]"]
    for epoch in range(epochs):
        lines.append("  0%|   | 0/40 [00:00<?, ?it/s]")
        lines += [bar("", step, 40, "25.00it/s", inner + "]") for step in (10, 20, 38)]
        figures = outer.format(epoch=epoch + 1)
        lines += [bar("", done, epochs, "1.60s/it", figures + "]") for done in (epoch, epoch + 1)]
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("inner", [", loss=0.5", ""])
def test_a_bar_that_begins_inside_another_counts_the_iterations_of_its_epochs(inner: str) -> None:
    card = scored(unnamed(inner=inner))
    speed, accuracy = card["dimensions"]["speed"], card["dimensions"]["accuracy"]
    assert (speed["value"], speed["unit"], speed["window"]) == (25, "it/s", [6, 7, 8])
    assert (accuracy["value"], accuracy["best"]) == (0.85, 0.85)
    run, end = card["run"], card["run_end"]
    assert (run["epochs_planned"], end["epochs"], card["status"]) == (8, 8, "finished")
    assert not card["warnings"]


def test_where_only_the_inner_bar_has_figures_the_outer_one_counts_epochs_too() -> None:
    events = read(unnamed(outer=""), "generic")
    assert {one.epoch for one in epoch_ends(events)} == {*range(1, 9)}
    assert {one.epoch for one in iterations(events)} == {*range(1, 9)}


def test_bars_without_a_figure_of_a_training_are_none() -> None:
    assert not iterations(read(unnamed(outer="", inner=""), "generic"))


def test_a_third_bar_inside_an_epoch_is_of_other_work() -> None:
    """A bar of 10 batches after each one of 40, with a loss of its own."""
    text = unnamed()
    last = bar("", 38, 40, "25.00it/s", ", loss=0.5]")
    third = [bar("", step, 10, "90.00it/s", ", loss=0.9]") for step in (5, 10)]
    found = iterations(read(text.replace(last, "\n".join([last, *third])), "generic"))
    assert len(found) == 3 * 8 and {one.loss for one in found} == {0.5}


def test_a_bar_that_counts_on_without_the_one_inside_it_counts_no_epochs() -> None:
    """A bar of all iterations, with a check of the evaluation's bar in front of it."""
    lines = ["  0%|   | 0/90 [00:00<?, ?it/s]", "  0%|   | 0/4 [00:00<?, ?it/s]"]
    lines += [bar("", step, 4, "9.00it/s]") for step in (2, 4)]
    lines += [bar("", step, 90, "3.00it/s", ", loss=0.5]") for step in range(10, 91, 10)]
    text = "".join(f"{line}\n" for line in lines)
    assert [one.step for one in iterations(read(text, "generic"))][-8:] == [*range(20, 91, 10)]
    assert "epochs_planned" not in facts(read(text, "generic"))


def test_an_evaluation_inside_an_epoch_is_left_out_of_its_speed() -> None:
    """As sentence-transformers evaluated until version 3: 400 iterations of 0.5 s, and 60 s more."""
    says = "\n2026-01-02 03:04:05 - Evaluator: Evaluating the model on dev in epoch {e} after 200 steps:\n"
    text = ""
    for e in range(4):
        text += bar("Epoch: ", e, 4, "260.00s/it]") + "\n" + bar("Iteration: ", 0, 400, "?it/s]")
        for step in range(20, 401, 20):
            seconds = step // 2 + 60 * (step > 200)
            clock = f"[{seconds // 60:02}:{seconds % 60:02}<00:09, "
            pace = "0.80it/s]" if step in (220, 240) else "2.00it/s]"
            text += "\r" + bar("Iteration: ", step, 400, pace).partition("[")[0] + clock + pace
            text += says.format(e=e) if step == 200 else ""
        text += "\n"
    text += bar("Epoch: ", 4, 4, "260.00s/it]") + "\n"
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["unit"], speed["value"]) == ("it/s", pytest.approx(2.0, rel=0.01))
