"""Folds of a cross-validation: each is a run of the same program."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from sixdim.metrics.values.card import Card
from sixdim.parsers.grammar.vocabulary.starting import begins_fold
from tests.support.inputs.generated import read

_FOLDS = (((0.61, 0.74), (0.63, 0.81)), ((0.65, 0.55), (0.64, 0.58)))
"""Training loss and accuracy of two epochs in each of two folds."""


def _card(lines: Iterable[str]) -> Card:
    return read("".join(f"{line}\n" for line in lines).encode()).card()


def _accuracy(card: Card) -> tuple[object, object]:
    figure = card.dimensions["accuracy"]
    return figure.value, figure.details.get("best")


@pytest.mark.parametrize("heading", ["===== fold: {} training =====", "Fold {}/2", "-- FOLD {} --"])
def test_the_best_accuracy_is_none_of_another_fold_even_if_a_fold_has_two_epochs(
    heading: str,
) -> None:
    lines = ["batch_size: 16, epochs: 2"]
    for n, fold in enumerate(_FOLDS, 1):
        lines.append(heading.format(n))
        lines += [f"Epoch {e} - train loss: {a}, val acc: {b}" for e, (a, b) in enumerate(fold, 1)]
    card = _card(lines)
    assert (card.run["epochs"], card.status, _accuracy(card)) == (2, "finished", (0.58, 0.58))
    assert card.run["epochs_planned"] == 2  # the settings in front of the first fold hold for all
    assert any(w.kind == "several_runs" and "2 runs" in w.text for w in card.warnings)


def test_a_list_of_folds_after_the_training_begins_no_run() -> None:
    lines = [f"Epoch {e} - train loss: 0.5{e}, val acc: 0.7{e}" for e in (1, 2, 3)]
    card = _card([*lines, "Fold 1", "Accuracy: 0.61", "Fold 2", "Accuracy: 0.93"])
    assert (card.run["epochs"], _accuracy(card)) == (3, (0.73, 0.73))


@pytest.mark.parametrize(
    ("line", "begins"),
    [
        ("Starting fold 3 of 5", True),
        ("##### FOLD 0 TRAINING #####", True),
        ("Training for fold_4...", True),
        ("Fold 1: 0.85", False),
        ("Fold 1 results", False),
        ("Loaded 3 folders", False),
        ("Fold 4 best acc", False),
        ("Fold 3 (test: subject_07)", True),
        ("Fold 3 - test: 0.85", False),
        ("Fold 3 - val: 98.5%", False),
        ("-" * 79 + " fold 1", True),
        ("-" * 80 + " fold 1", False),
    ],
)
def test_only_a_heading_begins_a_fold(line: str, begins: bool) -> None:
    assert begins_fold(line) is begins


@pytest.mark.parametrize("named", ["[VAL] LOOCV Fold", "Validation fold", "Fold"])
def test_the_figures_of_folds_without_a_training_are_those_of_no_run(named: str) -> None:
    """Behind a training they are those of other models, too."""
    lines = [f"Epoch {e} - train loss: 0.5{e}, val mIoU: 0.7{e}" for e in (1, 2, 3)]
    scores = [f"{named} {n}/4 | mIoU: 0.{n}, score: 1.{n}" for n in (1, 4, 3, 4)]
    assert _accuracy(_card([*lines, *scores])) == (0.73, 0.73)


def test_models_that_are_trained_for_one_epoch_each_are_runs_of_their_own() -> None:
    """The best loss of a search is that of another model than the last one."""
    tried = {0.1: 0.52, 0.2: 0.41, 0.3: 0.63}
    lines = []
    for rate, loss in tried.items():
        lines += [f"lr={rate}", f"Epoch 1/1: train_loss={2 + rate}, val_loss={loss}"]
    card = _card(lines)
    assert (card.run["epochs"], card.status, _accuracy(card)) == (1, "finished", (0.63, 0.63))
    assert any(w.kind == "several_runs" and "3 runs" in w.text for w in card.warnings)


def test_an_only_epoch_whose_figures_stand_on_two_lines_is_one_run() -> None:
    lines = [f"Epoch 1/1 step {step}/20: loss=0.{step}" for step in (5, 10, 15, 20)]
    lines += ["Epoch 1/1: train_loss=0.5, train_acc=0.81", "Epoch 1/1: val_loss=0.6, val_acc=0.75"]
    card = _card(lines)
    assert (card.run["epochs"], _accuracy(card)) == (1, (0.75, 0.75))
    assert all(w.kind != "several_runs" for w in card.warnings)


def test_the_figures_of_an_only_epoch_stand_on_two_lines_in_each_run() -> None:
    """The lines of one run: its settings, the figures of the training, those of the validation."""
    lines = []
    for rate, accuracy in ((0.1, 0.81), (0.2, 0.58), (0.3, 0.46)):
        lines += [
            f"learning_rate:{rate}.epoch:1,batch_size:32",
            f"Epoch 1/1, Train Loss: 0.{round(100 * rate)}, Train Accuracy: 0.9",
            f"Epoch 1/1, Validation Loss: 0.5, Validation Accuracy: {accuracy}",
        ]
    card = _card(lines)
    assert (card.run["epochs"], card.status, _accuracy(card)) == (1, "finished", (0.46, 0.46))
    assert any(w.kind == "several_runs" and "3 runs" in w.text for w in card.warnings)


def test_validations_between_the_steps_of_an_only_epoch_are_those_of_one_run() -> None:
    lines = []
    for step, accuracy in ((10, 0.61), (20, 0.75), (30, 0.7)):
        lines += [
            f"Epoch 1/1 step {step}/30: loss=0.{step}",
            f"Epoch 1/1, Validation Loss: 0.5, Validation Accuracy: {accuracy}",
        ]
    card = _card(lines)
    assert (card.run["epochs"], _accuracy(card)) == (1, (0.7, 0.75))
    assert all(w.kind != "several_runs" for w in card.warnings)


def test_bars_named_after_a_fold_and_a_summary_of_the_folds() -> None:
    """Epochs of 4 iterations: of 2 s in the first fold, of 3 s in the second."""
    lines = ["epochs: 12"]
    for fold, pace in enumerate((2, 3)):
        lines += ["=" * 30, f"  FOLD {fold} — val: case_{fold}", "=" * 30]
        for epoch in range(1, 13):
            lines += [
                f"[fold_{fold}] {epoch:03}/012: {25 * n:3}%|{'█' * n:4}| {n}/4 "
                f"[00:{n * pace:02}<00:{(4 - n) * pace:02},  {pace}.00s/it, loss=0.{9 - n}]"
                for n in range(1, 5)
            ]
            if epoch % 4 == 0:
                lines.append(f"  Epoch {epoch} — mean Dice: 0.{fold}{epoch:02}")
    card = _card([*lines, "mean Dice=0.0621"])
    speed = card.dimensions["speed"]
    assert (speed.value, speed.details["window"]) == (1 / 3, [6, 7, 8, 9, 10])
    assert (card.run["epochs"], card.run["epochs_planned"]) == (12, 12)
    assert _accuracy(card) == (0.112, 0.112)
    assert any(w.kind == "several_runs" and "2 runs" in w.text for w in card.warnings)
