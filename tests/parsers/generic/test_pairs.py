"""Logs that name an epoch by a count after the split alone."""

from __future__ import annotations

from typing import Any

import pytest

from sixdim.parsers.events import Evaluation, Iteration, RunEnd
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats
from tests.support.formats import by_name
from tests.support.logs import read, scored

FORMS = [
    ("[ Train | {n:03}/010 ] loss = {a:.5f}, acc = {b:.5f}", 1),
    ("Train {n}, loss {a:.4f}, acc {b:.4f}", 0),
    ("train {n}: loss {a:.4f} acc {b:.4f}", 1),
]


def _text(form: str, counts: list[tuple[str, int]]) -> str:
    lines = (
        form.replace("Train", split)
        .replace("train", split.lower())
        .format(n=n, a=2 / i, b=1 - 1 / i)
        for i, (split, n) in enumerate(counts, 2)
    )
    return "".join(f"{line}\n" for line in lines)


def _card(form: str, counts: list[tuple[str, int]]) -> dict[str, Any]:
    return scored(_text(form, counts))


@pytest.mark.parametrize(("form", "first"), FORMS)
def test_a_line_of_the_training_and_one_of_an_evaluation_bear_the_epoch(
    form: str, first: int
) -> None:
    counts = [(split, n) for n in range(first, first + 8) for split in ("Train", "Valid")]
    card = _card(form, counts)
    assert card["run"]["epochs"] == 8
    assert card["run"].get("epochs_planned") == (10 if "/" in form else None)
    assert card["dimensions"]["accuracy"]["epoch"] == first + 7
    assert card["dimensions"]["accuracy"]["value"] == pytest.approx(1 - 1 / 17, abs=1e-4)


@pytest.mark.parametrize(("form", "first"), FORMS)
@pytest.mark.parametrize("lines", [1, 2, 4])
def test_the_first_line_s_loss_is_that_of_the_first_epoch(
    form: str, first: int, lines: int
) -> None:
    """Alone, it may as well be that of a batch."""
    counts = [(split, n) for n in range(first, first + 2) for split in ("Train", "Valid")][:lines]
    losses = [
        (event.epoch, event.loss)
        for event in read(_text(form, counts), "generic")
        if isinstance(event, Iteration)
    ]
    assert losses == [(first if lines > 1 else None, 1.0), (first + 1, 0.5)][: (lines + 1) // 2]


def test_a_line_that_is_held_back_comes_before_the_end_of_the_training() -> None:
    """Otherwise the training would seem to go on after its end."""
    text = "[ Train | 001/080 ] loss = 2.0, acc = 0.1\nTraining complete in 1m 54s\n"
    kinds = [type(event) for event in read(text, "generic")]
    assert kinds.index(Iteration) < kinds.index(RunEnd)


@pytest.mark.parametrize("best", ["", " -> best"])
def test_an_evaluation_is_known_with_its_line_once_epochs_are_counted(best: str) -> None:
    """Not half an epoch later; the same figures on a second line of the epoch are no other one."""
    valid = "[ Valid | {n:03}/010 ] loss = 1.{n}, acc = 0.{n}"
    interpreter = Interpreter(formats(), by_name("generic"))
    known: list[list[int | None]] = []
    for n in range(1, 7):
        lines = [f"[ Train | {n:03}/010 ] loss = 1.{n}5, acc = 0.{n}5", valid.format(n=n)]
        lines += [valid.format(n=n) + best] if best else []
        events = interpreter.read("".join(f"{line}\n" for line in lines).encode())
        known.append([one.epoch for one in events if isinstance(one, Evaluation)])
    assert known[3:] == [[4], [5], [6]]


@pytest.mark.parametrize(("form", "first"), FORMS)
def test_batches_that_are_counted_up_are_no_epochs(form: str, first: int) -> None:
    """Ten batches of each split, three times."""
    one = [(split, n) for split in ("Train", "Valid") for n in range(first, first + 10)]
    card = _card(form, one * 3)
    assert not card["run"].get("epochs")
    assert "epochs_planned" not in card["run"]


def test_where_lines_name_their_epochs_the_count_is_another_thing() -> None:
    lines = []
    for epoch in range(1, 4):
        lines += [f"epoch {epoch}: train loss 0.{9 - epoch}5"]
        lines += [f"[ Train | {epoch:03}/100 ] loss = 0.5{epoch}"]
        lines += [f"[ Valid | {epoch:03}/100 ] loss = 0.6{epoch}"]
    run = scored("".join(f"{line}\n" for line in lines))["run"]
    assert (run["epochs"], run.get("epochs_planned")) == (3, None)


BOTH = [
    "{n}/10 | accuracy: {b:.4f} | val_accuracy: {c:.4f} | time: 12.{n} s.",
    "[{n}/10] loss: {a:.4f} val_loss: {a:.4f} val_acc: {c:.4f}",
]


@pytest.mark.parametrize("form", BOTH)
@pytest.mark.parametrize("first", [0, 1])
def test_a_line_of_both_splits_counts_epochs_and_begins_another_training(
    form: str, first: int
) -> None:
    """Two trainings, the second of which is worse."""
    lines = [
        form.format(n=n, a=2 / (n + 2), b=0.5, c=0.5 + 0.04 * n - 0.1 * training)
        for training in range(2)
        for n in range(first, 10 + first)
    ]
    card = scored("\n".join(lines) + "\n")
    assert card["run"]["epochs"] == 10
    assert card["run"]["epochs_planned"] == 10
    assert card["dimensions"]["accuracy"]["best"] == pytest.approx(0.76 + 0.04 * first)


@pytest.mark.parametrize("form", BOTH)
@pytest.mark.parametrize("counts", [(1, 3, 6), (1, 1, 2), (2, 3, 4), (3, 4, 1)])
def test_other_counts_in_front_of_both_may_be_steps(form: str, counts: tuple[int, ...]) -> None:
    lines = [form.format(n=n, a=2 / n, b=0.5, c=0.5 + 0.04 * i) for i, n in enumerate(counts)]
    run = scored("\n".join(lines) + "\n")["run"]
    assert (run["epochs"], run.get("epochs_planned")) == (None, None)


@pytest.mark.parametrize("name", ["test err", "test_err", "Test Error", "val top1 err"])
def test_an_error_is_reported_as_such_and_lower_is_better(name: str) -> None:
    values = (21, 17, 19)
    lines = [
        f"Epoch {n} train loss 0.{9 - n}5\n{name}: {value} %" for n, value in enumerate(values)
    ]
    figure = scored("\n".join(lines) + "\n")["dimensions"]["accuracy"]
    assert (figure["metric"], figure["value"], figure["best"]) == ("error", 19, 17)
    assert figure["lower_is_better"]


@pytest.mark.parametrize("name", ["err{}", "err@{}", "error_{}", "top{} err"])
def test_the_error_of_the_first_guess_is_the_figure_and_that_of_five_is_not(name: str) -> None:
    one, five = name.format(1), name.format(5)
    lines = [
        f"epoch [{n}/9] lr 0.1 train {one} 6{n}.5 {five} 4{n}.5 test {one} 5{n}.25 {five} 3{n}.25"
        for n in (1, 2, 3)
    ]
    card = scored("\n".join(lines) + "\n")
    figure = card["dimensions"]["accuracy"]
    assert (figure["metric"], figure["value"], figure["best"]) == ("error", 53.25, 51.25)
    assert figure["lower_is_better"]
    assert card["run"]["epochs"] == 3


def test_a_count_before_the_scores_of_both_splits_is_the_epoch() -> None:
    """As scikit-learn's boosting prints its rounds."""
    scores = [(0.61, 0.58), (0.69, 0.64), (0.74, 0.67), (0.78, 0.66)]
    card = scored(
        "".join(
            f"[{n}/4] 1 tree, 31 leaves, max depth = 9, train score: {a}, val score: {b}, in 0.25s\n"
            for n, (a, b) in enumerate(scores, 1)
        )
    )
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"], accuracy["epoch"]) == (0.66, 0.67, 4)
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (4, 4)
    assert card["status"] == "finished"
