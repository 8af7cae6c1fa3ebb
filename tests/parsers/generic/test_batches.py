"""The batches of an evaluation, in logs that no format knows: none of them is its result."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from sixdim.parsers.events import Evaluation
from tests.support.logs import read as events
from tests.support.logs import scored
from tests.support.loops import accuracies


def _meter(name: str, *batches: tuple[float, float]) -> list[str]:
    """The lines of so many batches: the accuracy of each, and the mean of those so far."""
    last = len(batches)
    return [
        f"{name}: [{at}/{last}]  Time 0.12 (0.15)  Loss 0.7 (0.9)  Acc@1 {one} ({mean})"
        for at, (one, mean) in enumerate(batches, 1)
    ]


def _epochs(evaluations: Iterable[list[str]]) -> list[str]:
    return [
        line
        for epoch, lines in enumerate(evaluations)
        for line in (f"Epoch {epoch}: train loss {2 / (epoch + 1):.4f}", *lines)
    ]


@pytest.mark.parametrize("name", ["Test", "Val", "Validation"])
def test_the_mean_of_the_batches_is_the_accuracy_not_that_of_the_last_one(name: str) -> None:
    tests = [
        _meter(name, (90.0, 90.0), (61.0, 75.5)),
        _meter(name, (91.0, 91.0), (99.0, 95.0)),
        _meter(name, (92.0, 92.0), (88.0, 90.0)),
    ]
    assert accuracies(_epochs(tests)) == ("acc1", 90.0, 95.0)


@pytest.mark.parametrize(
    ("first", "expected"),
    # The loss of the first batch is its own mean so far; a deviation or the best is not.
    [("2.5000 (2.5000)", 1.25), ("2.5000 (0.3000)", 1.75), ("2.5000", 1.75)],
)
def test_the_number_in_brackets_is_the_mean_of_an_evaluation_if_it_is_that_of_the_training(
    first: str, expected: float
) -> None:
    lines = [
        "Epoch: [1][0/20]\tBatch time 0.30 (0.30)\tLoss " + first,
        "Epoch: [1][10/20]\tBatch time 0.30 (0.30)\tLoss 1.5000 (2.0000)",
        "Validation Loss 2.0000 (1.5000)",
        "Epoch: [2][0/20]\tBatch time 0.30 (0.30)\tLoss " + first,
        "Epoch: [2][10/20]\tBatch time 0.30 (0.30)\tLoss 1.0000 (1.2000)",
        "Validation Loss 1.7500 (1.2500)",
    ]
    assert accuracies(lines)[:2] == ("loss", expected)


def test_figures_of_the_batches_of_a_listing_are_not_the_evaluation_after_them() -> None:
    # As Coqui's trainer prints them: each figure in a line, the batch in the line above.
    def listing(epoch: int, accuracy: float) -> list[str]:
        batches = [(0.625, 0.625), (0.8125, 0.71875), (0.875, 0.770833)]
        return [
            f" > EPOCH: {epoch}/3",
            " > TRAINING (2026-11-23 21:53:01)",
            *(
                line
                for step in (0, 20)
                for line in (
                    f"   --> TIME: 2026-11-23 21:53:02 -- STEP: {step}/39 -- GLOBAL_STEP: {step}",
                    f"     | > loss: {0.9 - step / 100}  ({0.9 - step / 200})",
                    f"     | > accuracy: {0.5 + step / 50}  ({0.5 + step / 100})",
                )
            ),
            " > EVALUATION",
            *(
                line
                for step, (one, mean) in enumerate(batches)
                for line in (f"   --> STEP: {step}", f"     | > accuracy: {one}  ({mean})")
            ),
            "  --> EVAL PERFORMANCE",
            "     | > avg_loss: 0.61 (+0)",
            f"     | > avg_accuracy: {accuracy} (+0)",
        ]

    tests = [
        line for at, acc in enumerate([0.7014, 0.7639, 0.75, 0.76]) for line in listing(at, acc)
    ]
    assert accuracies(tests) == ("acc1", 0.76, 0.7639)


def test_a_single_figure_with_another_in_brackets_is_an_evaluation() -> None:
    # 0.72 with a deviation of 0.04.
    lines = [[f"accuracy: {0.61 + epoch / 100:.2f} (0.04)"] for epoch in range(12)]
    assert accuracies(_epochs(lines)) == ("acc1", 0.72, 0.72)


def test_a_number_in_brackets_is_no_mean_where_no_batches_are_counted() -> None:
    # 71.5 with a deviation of 0.4.
    lines = [[f"Test: Acc@1 {60.5 + epoch} (0.4)"] for epoch in range(12)]
    assert accuracies(_epochs(lines)) == ("acc1", 71.5, 71.5)


def test_the_evaluation_of_averaged_weights_is_not_mixed_with_that_of_the_others() -> None:
    tests = [
        [*_meter("Test", (50.0 + epoch, 50.0 + epoch)), *_meter("Test (EMA)", (9.0, 9.0 + epoch))]
        for epoch in range(4)
    ]
    assert accuracies(_epochs(tests)) == ("acc1", 53.0, 53.0)


def _epoch_of_bars(e: int, drawn: int, total: int) -> str:
    """An epoch as two bars and a line, the bar of the training drawn so often."""
    steps = (total * n // drawn for n in range(drawn + 1))
    bars = [f" {s * 100 // total}%|##  | {s}/{total} [00:01<00:02, 4.31it/s]" for s in steps]
    valid = ["  3%|#   | 1/29 [00:00<00:02, 10.2it/s]", "100%|####| 29/29 [00:02<00:00, 10.4it/s]"]
    line = f"[ Valid | {e:03}/100 ] loss = 1.5, acc = {0.9 - abs(e - 4) / 100:.5f}"
    return "".join(f"{one}\n" for one in (*bars, *valid, line, f"{line} -> best"))


@pytest.mark.parametrize("drawn", [2, 10])
def test_evaluations_between_bars_of_other_work_are_no_batches(drawn: int) -> None:
    card = scored("".join(_epoch_of_bars(e, drawn, 132) for e in range(1, 9)))
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"]) == (0.86, 0.9)


def test_batches_of_an_evaluation_beside_a_bar_are_one_evaluation() -> None:
    """The bar counts the images, of 100 batches of 8."""
    lines = ["Epoch 1 train loss 0.5"]
    for batch in range(1, 101):
        lines.append(f"{batch}%|##  | {batch * 8}/800 [00:01<00:02, 4.31it/s]")
        lines.append(f"[ Valid | {batch}/100 ] loss = 1.5, acc = {0.9 - batch / 1000:.3f}")
    accuracy = scored("\n".join(lines) + "\n")["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"]) == (0.8, 0.8)


@pytest.mark.parametrize("word", ["Round", "Cycle"])
def test_an_evaluation_beside_figures_of_the_training_is_of_no_batch(word: str) -> None:
    """Each of these lines is an evaluation, and not a batch of the one that ends at 4/4."""
    text = "".join(
        f"{word} {n}/4: clients=10, train loss={1 / n:.3f}, test accuracy={accuracy}%\n"
        for n, accuracy in enumerate((61.5, 76.5, 75.25, 75.5), 1)
    )
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"]) == (75.5, 76.5)


@pytest.mark.parametrize(("last", "value"), [(20, None), (10, None), (0, 0.5), (None, 0.5)])
def test_an_evaluation_at_a_step_that_was_trained_before_counts_its_own_batches(
    last: int | None, value: float | None
) -> None:
    lines = []
    for epoch in (1, 2):
        trained = [] if last is None else range(0, last + 1, 10)
        lines += [f"Epoch {epoch} | Iter {n} | Train Loss 4.{n:02}" for n in trained]
        lines.append(f"Epoch {epoch} | Iter 0 | Eval Accuracy 0.{epoch + 3}")
    assert accuracies(lines)[1] == value


def test_a_line_that_counts_the_batches_of_an_evaluation_is_no_evaluation() -> None:
    lines = [
        line
        for n in (1, 2, 3)
        for line in (
            f"Epoch: {n} Iteration: 5005 train.loss: 2.{n}",
            f"Epoch: {n} Iteration: 5005 Validation Iteration: 100 val.top1: 80.{n} %",
            f"END epoch: {n} val loss_avg: 1.{n} top1_avg: 70.{n}",
        )
    ]
    assert accuracies(lines) == ("acc1", 70.3, 70.3)


def test_the_last_batch_of_the_first_evaluation_is_none_where_the_epoch_is_named_late() -> None:
    lines = [
        line
        for n in (0, 1, 2)
        for line in (
            f"TRAIN Batch 0100/0200, Loss 6.{9 - n}",
            f"TRAIN Batch 0200/0200, Loss 6.{9 - n}",
            f"TRAIN Epoch 0{n}/3, Mean NLL 6.1, PPL: 99{n}.5",
            f"VALID Batch 0050/0060, Loss 5.{9 - n}",
            f"VALID Batch 0060/0060, Loss 2.{9 - n}",
            f"VALID Epoch 0{n}/3, Mean NLL 5.1, PPL: 10{n}.5",
        )
    ]
    assert accuracies(lines) == ("perplexity", 102.5, 100.5)
    named = [line.replace("VALID Epoch", "VALID Mean Loss: 5.4, Epoch") for line in lines]
    assert accuracies(named) == ("loss", 5.4, 5.4)


def test_an_evaluation_at_a_step_of_the_training_counts_no_batches() -> None:
    lines = [f"step {n}000 loss 3.{n}\neval step {n}000: accuracy 0.{n}" for n in (1, 2, 3)]
    assert accuracies(lines) == ("acc1", 0.3, 0.3)


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("60.00 (60.00)", 66.0),  # the mean of the batches so far
        ("60.00 (1.50)", 72.0),  # may be a deviation
    ],
)
def test_the_mean_of_the_batches_stands_beside_the_figure_of_the_last_one(
    first: str, last: float
) -> None:
    lines = [
        f"Test: [{k}/2/64]\tepoch: {n}\titer: {n}00\tPrec@1: {figures}"
        for n in (1, 2)
        for k, figures in enumerate((first, "72.00 (66.00)"))
    ]
    assert accuracies(lines)[1] == last


def test_batches_before_the_name_of_an_epoch_are_its_own_after_a_restart_too() -> None:
    """The last batch of 105 is no evaluation: the line after it has that, a perplexity."""

    def epoch(label: int) -> list[str]:
        return [
            *(f"TRAIN Batch {step:04}/1314, Loss 5.1921" for step in (0, 600, 1200, 1314)),
            f"TRAIN Epoch {label:02}/8, Mean ELBO 5.8639, PPL: 352.1012",
            *(f"VALID Batch {step:04}/105, Loss 4.7050" for step in (0, 100, 105)),
            f"VALID Epoch {label:02}/8, Mean ELBO 5.3495, PPL: 210.5120",
        ]

    once = [line for label in range(8) for line in epoch(label)]
    metrics = {
        metric.name
        for event in events("\n".join([*once, *once, ""]), "generic")
        if isinstance(event, Evaluation)
        for metric in event.metrics
    }
    assert metrics == {"perplexity"}


def test_batches_of_an_evaluation_that_its_line_counts_after_the_epoch_are_not_the_best() -> None:
    """MONAI's Swin UNETR prints the mean of the batches so far, and then the final one."""

    def epoch(n: int, batches: tuple[float, ...], final: float) -> list[str]:
        return [
            *(f"Epoch {n}/3 {i}/4 loss: 0.{5 + i} time 0.30s" for i in range(4)),
            f"Final training  {n}/2 loss: 0.6000 time 1.20s",
            *(f"Val {n}/3 {i}/2 acc {acc} time 0.20s" for i, acc in enumerate(batches)),
            f"Final validation  {n}/2 acc {final} time 0.40s",
        ]

    lines = [*epoch(0, (0.9, 0.8), 0.5), *epoch(1, (0.7, 0.6), 0.4), *epoch(2, (0.3, 0.2), 0.1)]
    assert accuracies(lines) == ("acc1", 0.1, 0.5)


def test_the_batches_of_an_evaluation_that_are_called_its_iterations_are_no_evaluations() -> None:
    lines: list[str] = []
    for epoch in range(3):
        lines += [f"Epoch: {epoch} Iteration: {n} loss: 2.{n} acc: 0.1{n}" for n in (1, 2, 3)]
        lines += [
            f"Epoch: {epoch} Validation Iteration: {n} loss: 1.{n} acc: 0.5{n}" for n in (1, 2, 3)
        ]
    assert not [e for e in events("\n".join(lines) + "\n", "generic") if isinstance(e, Evaluation)]
