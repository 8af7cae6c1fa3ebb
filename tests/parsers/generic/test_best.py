"""The best evaluation of a log that no format knows, and figures that only repeat one."""

from __future__ import annotations

import pytest

from tests.support.logs import scored
from tests.support.loops import accuracies


def test_what_was_tested_before_the_last_training_is_not_its_best() -> None:
    def epoch(n: int, accuracy: float) -> list[str]:
        return [f"Validating Epoch: {n}, accuracy: {accuracy}, F1: 0.1"]

    only_tested = ["Testing Epoch: 1, accuracy: 0.9521, F1: 0.3"]
    trained = [line for n, acc in ((1, 0.94), (2, 0.9477), (3, 0.945)) for line in epoch(n, acc)]
    tested = [trained[0], "Testing Epoch: 1, accuracy: 0.9472, F1: 0.1", *trained[1:]]
    assert accuracies([*only_tested, *tested]) == ("acc1", 0.945, 0.9477)


def test_the_best_of_percentages_is_none_of_fractions() -> None:
    percent = [f"Epoch {n} train loss 0.{n} val acc 97.{n}%" for n in (1, 2, 3)]
    fractions = [f"Epoch {n} train loss 0.{n} val acc 0.97{n}" for n in (4, 6, 5)]
    assert accuracies([*percent, *fractions]) == ("acc1", 0.975, 0.976)


def test_the_metric_that_a_setting_monitors_was_not_measured() -> None:
    setting = "\"monitor\": \"{'auc': 1, 'logloss': -1}\","
    assert accuracies([setting, *(f"Epoch {n} loss 0.5 val auc 0.{n}" for n in (1, 2))])[2] == 0.2


def test_lines_of_training_that_show_the_last_result_again_evaluate_nothing() -> None:
    """As litgpt prints its validation loss: their times, of which every other is long, all count."""
    text, result = "", "n/a"
    for step in range(5, 201, 5):
        if step in (60, 130):
            result = {60: "4.181", 130: "3.854"}[step]
            text += f"iter {step}: val loss {result}2, val time: 139.11 ms\n"
        time = "80.00 ms (step)" if step % 10 == 0 else "20.00 ms"
        text += f"Epoch {1 + (step - 1) // 50} | iter {step} step {step // 2} | loss train: 4.3, val: {result} | iter time: {time}\n"
    card = scored(text)
    accuracy, speed = card["dimensions"]["accuracy"], card["dimensions"]["speed"]
    assert (accuracy["value"], accuracy["epoch"]) == (3.8542, 3)
    # two of forty lines may be those of the iterations with an evaluation
    assert speed["value"] == pytest.approx(20, rel=0.1)


@pytest.mark.parametrize(
    ("beside", "best"),
    [
        ("", 0.72),
        (" | Best: 0.72", 0.72),
        (" | Best: 88.80%", None),
        (", best_val_acc=0.8125", None),
        (" (best val acc is 72.0 %)", 0.72),
        (", best_train_acc=0.99", 0.72),
        (", best lr 0.9", 0.72),
        (", best test loss: 0.9", 0.72),
    ],
)
def test_a_better_figure_that_the_log_states_makes_the_best_one_unknown(
    beside: str, best: float | None
) -> None:
    """It may be of evaluations whose figures are not read, as `(sample=500)`."""
    lines = (f"Epoch {n}/3 loss: 0.{9 - n} val_acc: 0.{70 + 2 * (n == 2)}" for n in (1, 2, 3))
    assert accuracies([f"{line}{beside}" for line in lines])[1:] == (0.7, best)


@pytest.mark.parametrize(
    ("lines", "last"),
    [
        ("Best model:\nval acc: 0.86\nval loss: 0.65\n", 0.85),
        ("Best model at epoch 2:\n  Accuracy: 86.00%\n", 0.85),
        ("Best validation results (epoch 2):\nVal Acc: 0.86, Val Loss: 0.65\n", 0.85),
        ("最佳模型 (轮次 2) 的统计：\n准确率: 0.86\n", 0.85),
        ("Best epoch: 2\nval acc: 0.86\n", 0.85),
        ("Best epoch: 2\nBest val loss: 0.65\nval acc: 0.86\n", 0.85),
        ("Best val acc: 0.86\nval acc: 0.86\n", 0.86),  # measured again: no heading
        ("Best epoch: 2\ntest acc: 0.89\n", 0.89),
        ("Best model:\ntest acc: 0.88\n", 0.88),  # measured on other data
        ("Evaluating best model:\nval acc: 0.86\n", 0.86),  # measured again
        ("Best model:\nEpoch 4 val acc: 0.86\n", 0.86),  # training goes on
        ("Best model:\nConfusion matrix:\nval acc: 0.86\n", 0.86),  # under another heading
    ],
)
def test_figures_under_a_heading_of_the_best_model_are_repeated(lines: str, last: float) -> None:
    epochs = "".join(
        f"Epoch {n} train loss: 0.{9 - n} val acc: {acc} val loss: 0.{8 - n}5\n"
        for n, acc in ((1, 0.83), (2, 0.86), (3, 0.85))
    )
    accuracy = scored(epochs + lines)["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"]) == (last, max(last, 0.86))


@pytest.mark.parametrize(
    ("figure", "value"), [("Reward: 0.9", None), ("Accuracy: 0.7", 0.7), ("Test reward: 0.4", 0.4)]
)
def test_the_best_figure_of_a_training_without_evaluations_is_no_evaluation(
    figure: str, value: float | None
) -> None:
    steps = "".join(f"iter={n} reward=0.{r} loss=0.3\n" for n, r in ((1, 5), (2, 9), (3, 7)))
    card = scored(f"{steps}Statistics of the best model (iteration 2):\n  {figure}\n")
    assert card["dimensions"]["accuracy"]["value"] == value


@pytest.mark.parametrize("stated", ["[BEST] NDCG@10=0.4{}", "[BEST] New best NDCG@10=0.4{}"])
def test_the_metric_of_the_best_epochs_is_the_accuracy(stated: str) -> None:
    lines = [
        line
        for n in (1, 2, 3)
        for line in (
            f"Epoch {n}/3 loss=0.{n} HR@10: 0.7{n} NDCG@10: 0.4{n}",
            f"  {stated.format(n)} saved -> best.pt",
        )
    ]
    assert accuracies(lines) == ("ndcg@10", 0.43, 0.43)
    assert accuracies(lines[::2]) == ("hr@10", 0.73, 0.73)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("aver_loss: 0.5{n}, f1: 0.7{n}, best_f1: 0.75, best_epoch: 5", ("f1", 0.75, 0.75)),
        ("Train loss: 0.5{n}, acc: 0.7{n}, best_acc: 0.75", (None, None, None)),
        ("step {n}/5, loss: 0.5{n}, acc: 0.7{n}, best_acc: 0.75", (None, None, None)),
        ("loss: 0.5{n}, acc: 0.7{n}, best_val_acc: 0.65", (None, None, None)),
    ],
)
def test_a_figure_beside_its_best_is_what_an_epoch_is_judged_by(
    line: str, wanted: tuple[str | None, float | None, float | None]
) -> None:
    lines = [part for n in range(1, 6) for part in (f"Epoch {n}", line.format(n=n))]
    assert accuracies(lines) == wanted


def test_the_figure_that_has_a_best_is_taken_of_two_with_a_name() -> None:
    lines = [
        line
        for n in range(1, 6)
        for line in (
            f"Epoch {n}",
            f"Total precision: 0.9, Total f1: 0.7{n}",
            f"aver_loss: 0.5{n}, f1: 0.8{n}, best_f1: 0.8{n}, best_epoch: {n}",
        )
    ]
    assert accuracies(lines) == ("f1", 0.85, 0.85)
