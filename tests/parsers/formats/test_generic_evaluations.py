"""The evaluations of logs that no format knows: which figure of a line, which line of a log."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from sixdim.parsers.events import Evaluation, Iteration
from tests.support.inputs.generated import read
from tests.support.logs import bar, only, scored
from tests.support.logs import read as events
from tests.support.loops import figures


def accuracies(lines: Iterable[str]) -> tuple[object, object, object]:
    """Metric, value and best of a card's accuracy."""
    card = read("\n".join([*lines, ""]).encode(), name="generic").card()
    found = card.dimensions["accuracy"]
    return found.details.get("metric"), found.value, found.details.get("best")


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


def test_a_table_of_single_classes_is_no_accuracy_nor_is_the_one_below_it() -> None:
    tables = [
        "| class  | AP     | class  | AP     | class  | AP     |",
        "|:------:|:------:|:------:|:------:|:------:|:------:|",
        "| person | 50.1   | car    | 31.2   | dog    | 60.3   |",
        "|   AP   |  AP50  |  AP75  |  APs   |  APm   |  APl   |",
        "| 35.286 | 56.410 | 37.949 | 17.048 | 37.683 | 50.504 |",
    ]
    metric, value, _best = accuracies(_epochs([tables] * 3))
    assert value not in (50.1, 31.2, 60.3, 56.41)
    assert (metric, value) in (("ap", 35.286), (None, None))


def test_a_key_whose_meaning_nobody_knows_does_not_say_of_what_the_others_are() -> None:
    lines = [f"[Epoch {n}] train=0.99 val=0.9{n} loss=0.01{n} time: 16.4" for n in range(6)]
    assert accuracies(lines) == (None, None, None)


def test_the_sentence_in_front_of_a_figure_says_of_which_data_it_is() -> None:
    lines = [
        line
        for e in (1, 2, 3)
        for line in (f"epoch {e}, loss: 0.5{e}", f"Evaluate on Dev Set. F1: 9{e}.25.")
    ]
    assert figures(lines)["tested"] == [(e, {"f1": 90.25 + e}) for e in (1, 2, 3)]


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


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("Test: 9{n}.28% Accuracy", 94.28),
        ("9{n}.28% test accuracy, 0.31 loss", 94.28),
        ("test: 9{n}.28% accuracy: 0.5", None),  # a share of the work, and another figure
        ("test: 9{n}.28% accuracy gain", None),
    ],
)
def test_a_percentage_may_stand_in_front_of_its_name(line: str, value: float | None) -> None:
    log = "".join(f"Epoch {n} train loss 2.{n}\n{line.format(n=n)}\n" for n in range(5))
    found = scored(log)["dimensions"]["accuracy"]
    assert value is None or (found["value"], found["metric"]) == (value, "acc1")
    assert value is not None or found["value"] != 94.28


def test_a_development_set_beside_a_validation_set_is_other_data() -> None:
    lines = [
        f"Epoch {n} - {name} BLEU: BLEU-1 {60 + bleu}, BLEU-4 {bleu}"
        for n, val, dev in ((1, 31.75, 32.2), (2, 34.19, 34.13), (3, 33.42, 33.87))
        for name, bleu in (("Validation", val), ("Dev", dev))
    ]
    trained = [f"Epoch {n} train loss {1 / n:.3f}" for n in (1, 2, 3)]
    each = zip(trained, lines[::2], lines[1::2], strict=True)
    assert accuracies(line for three in each for line in three) == ("bleu", 33.87, 34.13)


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


@pytest.mark.parametrize("word", ["Round", "Cycle"])
def test_an_evaluation_beside_figures_of_the_training_is_of_no_batch(word: str) -> None:
    """Each of these lines is an evaluation, and not a batch of the one that ends at 4/4."""
    text = "".join(
        f"{word} {n}/4: clients=10, train loss={1 / n:.3f}, test accuracy={accuracy}%\n"
        for n, accuracy in enumerate((61.5, 76.5, 75.25, 75.5), 1)
    )
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"]) == (75.5, 76.5)


def test_a_round_of_federated_training_is_an_epoch() -> None:
    text = "".join(
        f"Round {n}/3: train loss={1 / n:.3f}, test accuracy=7{n}.5%\n" for n in (1, 2, 3)
    )
    card = scored(text)
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (3, 3)


def test_epochs_inside_a_round_are_not_how_many_rounds_are_planned() -> None:
    text = "".join(
        f"Round {n} | local epoch 1/2 | loss 0.{9 - n}\nRound {n} | local epoch 2/2 | loss 0.{8 - n}\n"
        f"Round {n}: test accuracy=7{n}.5%\n"
        for n in (1, 2, 3, 4)
    )
    card = scored(text)
    assert (card["status"], card["run"].get("epochs_planned")) == ("incomplete", None)
    assert card["dimensions"]["accuracy"]["value"] == 74.5


def test_a_part_of_the_line_in_braces_says_of_which_data_its_figures_are() -> None:
    lines = [
        f"result: epoch={e} average: train={{MAE= 1.{e}% RMSE= 9.{e}%}} test={{MAE= 2.{e}%}}"
        for e in (1, 2, 3)
    ]
    assert accuracies(lines) == ("mae", 2.3, 2.1)


def test_the_first_number_of_an_array_is_no_accuracy() -> None:
    steps = [f"Step: {n} Test acc: [0.   0.{n}4 0.82" for n in (1, 2, 3)]
    assert "tested" not in figures([*steps, "FINAL: Test acc: [0.    0.5   0.71"])
    assert figures(["epoch 1 test acc: [0.5]", "epoch 2 test acc: [0.6]"])["tested"][1] == (
        2,
        {"acc1": 0.6},
    )


def test_evaluations_on_several_lines_of_an_epoch_do_not_end_it() -> None:
    """The lines name a step without its total; the third epoch has begun."""
    lines = [
        f"epoch {e}, step {s}, training loss = 3.{e}{s}, validation loss = 2.{e}{s}"
        for e in (0, 1, 2)
        for s in ((10, 20, 30) if e < 2 else (10, 20))
    ]
    assert scored("".join(f"{line}\n" for line in lines))["run"]["epochs"] == 2


def test_the_only_line_of_each_epoch_ends_it_with_its_evaluation() -> None:
    lines = [
        f"epoch {e}, step {1244 * e}, train loss 0.{9 - e}, val loss 0.9{e}" for e in (1, 2, 3)
    ]
    assert scored("".join(f"{line}\n" for line in lines))["run"]["epochs"] == 3


def test_a_final_training_loss_is_no_record_of_another_epoch() -> None:
    """The lines of a second training have no figure whose meaning is known."""
    lines = [f"Epoch {e}/9 train loss: 0.{9 - e}" for e in (1, 2, 3)]
    lines += ["Early stopping", *(f"Epoch {e}/20 | mean=0.{e}1 dev=0.{e}2" for e in (5, 10, 20))]
    run = scored("".join(f"{line}\n" for line in [*lines, "Final train loss: 0.61"]))["run"]
    assert (run["epochs"], run["epochs_planned"]) == (3, 9)


def test_a_number_in_the_name_of_a_checkpoint_is_no_accuracy() -> None:
    names = [f"./ckpt/net-fold=4-epoch=0{e}-val_score=0.97{e}.ckpt : saved." for e in (1, 2, 3)]
    assert "tested" not in figures(names)
    assert "tested" not in figures([f"wrote run/epoch_{e}_val_acc_0.8{e}.pth" for e in (1, 2)])


def test_a_mean_over_the_classes_is_not_the_accuracy() -> None:
    lines = [f"epoch {e} - iter {i}/40 - loss 1.{e}{i}" for e in (1, 2) for i in (20, 40)]
    card = [*lines, "MICRO_AVG: acc 0.4837 - f1-score 0.652", "MACRO_AVG: acc 0.3694"]
    assert accuracies(card) == ("acc1", 0.4837, 0.4837)


@pytest.mark.parametrize(
    ("line", "metric"),
    [
        ("step={step} | eval_return={up:.2f} | loss={down:.4f}", "return"),
        ("step={step} | eval_steps={up:.2f} | loss={down:.4f}", None),
        ("step={step} | val_acc={up:.2f} | loss={down:.4f}", "acc1"),
        ("test acc: {up:.2f}, loss: {down:.4f}", "acc1"),
        ("epoch {step}: train loss 0.5, test reward {up:.2f}, test loss {down:.4f}", "reward"),
    ],
)
def test_a_loss_beside_a_step_is_not_an_evaluation_because_the_figure_before_it_is(
    line: str, metric: str | None
) -> None:
    text = [line.format(step=n, up=0.5 + n / 100, down=2 / n) for n in range(1, 9)]
    assert accuracies(one for line in text for one in ("train loss 0.5", line))[0] == metric


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


def test_an_evaluation_that_names_a_batch_in_the_middle_of_its_epoch_does_not_end_it() -> None:
    log = ""
    for epoch in (1, 2):
        for step in (20, 40, 41):
            times = f"[00:{step:02}<00:{41 - step:02},  1.00it/s, loss=0.5]"
            log += f"\rEpoch {epoch}/2:  49%|████▉     | {step}/41 {times}"
            said = f"[epoch {epoch}, batch {step}] val_loss: 0.{step} val_acc: 0.{epoch}{step}"
            log += f"\n{said}\n" if step < 41 else ""
        log += "\n"
    found = only(events(log, "generic"), Evaluation)
    assert [(e.epoch, e.midway) for e in found] == [(1, True), (1, False), (2, True), (2, False)]


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


def test_a_heading_is_not_of_the_steps_in_front_of_it_where_the_log_lacks_its_beginning() -> None:
    lines = [
        heading
        + bar("", 30, 30, "1.50it/s", ", loss=0.2")
        + "\n"
        + bar("", 8, 8, "2.00it/s", ", loss=0.5")
        for heading in ("", "Epoch [7/9]\n", "Epoch [8/9]\n", "Epoch [9/9]\n")
    ]
    trained = only(events("\n".join(lines) + "\n", "generic"), Iteration)
    assert [(one.epoch, one.steps) for one in trained if one.steps == 30 and one.epoch == 7]


def test_an_evaluation_at_a_step_of_the_training_counts_no_batches() -> None:
    lines = [f"step {n}000 loss 3.{n}\neval step {n}000: accuracy 0.{n}" for n in (1, 2, 3)]
    assert accuracies(lines) == ("acc1", 0.3, 0.3)


def test_the_metric_that_a_setting_monitors_was_not_measured() -> None:
    setting = "\"monitor\": \"{'auc': 1, 'logloss': -1}\","
    assert accuracies([setting, *(f"Epoch {n} loss 0.5 val auc 0.{n}" for n in (1, 2))])[2] == 0.2


def test_the_source_code_of_a_script_measures_no_loss() -> None:
    source = ["def validate(model):", "    val_loss = 0", "    for batch in loader:"]
    steps = [f"step:{n}25/900 val_loss:3.{9 - n} train_time:60.2s" for n in (1, 2, 3)]
    assert accuracies([*source, *steps]) == ("loss", 3.6, 3.6)
    assert accuracies([f"epoch {n}\nval_loss = 0.{9 - n}" for n in (1, 2)]) == ("loss", 0.7, 0.7)
    printed = "    loss=valid_loss, val_auc=100*valid_auc,"
    assert accuracies([*source, printed, *steps]) == ("loss", 3.6, 3.6)
    best = [f"epoch {n} val_loss=0.{9 - n}* val_auc=0.{n}*" for n in (5, 6)]
    assert accuracies([*source, printed, *best]) == ("auc", 0.6, 0.6)


def test_a_sentence_says_what_was_evaluated() -> None:
    lines = [
        line
        for n in (1, 2, 3)
        for line in (
            f"Epoch {n} trained with loss: 0.5{n}, and dice score 0.8{n}. The running time is 12.5",
            f"Epoch {n} evaluated with loss: 0.6{n}, and dice score: 0.7{n}. The running time is 1",
        )
    ]
    assert accuracies(lines) == ("dice", 0.73, 0.73)


def test_a_misspelt_validation_is_one() -> None:
    """Programs that were copied from the same one print it so."""
    lines = [
        text
        for n in (1, 2, 3)
        for text in (
            f"Epoch {n}",
            f"Training loss: 0.{9 - n}",
            f"Validation loss: 1.{9 - n}",
            f"Training accuracy: 0.9{n}",
            f"Vaildation accuracy: 0.8{n}",
        )
    ]
    assert accuracies(lines) == ("acc1", 0.83, 0.83)


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


def test_the_reward_of_one_action_is_no_result_of_the_training() -> None:
    """A program may display an episode of the trained agent, action by action."""
    lines = [f"Episode {n}: reward 1{n}.5" for n in range(1, 5)]
    shown = ["Action: left | Reward: 2", "Action: down | Reward: 104"]
    assert figures([*lines, *shown]) == figures(lines)


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


@pytest.mark.parametrize(
    ("line", "known"),
    [
        ("Epoch: {n:03}, Loss: 0.{k}5, Train: 0.{n}4, Val: 0.{n}3, Test: 0.{n}1", "test, val"),
        ("Epoch {n:03} | loss 0.{k}5 | val 0.{n}3", "val"),
    ],
)
def test_results_that_only_their_split_names_count_once_they_are_chosen(
    line: str, known: str
) -> None:
    """They may be accuracies or errors; those of the third epoch are the first above 0.3."""
    data = "".join(f"{line}\n".format(n=n, k=9 - n) for n in range(1, 7)).encode()
    unknown = read(data, name="generic").card().dimensions["accuracy"]
    assert unknown.value is None
    assert unknown.reason == f"none of {known} is known as an accuracy: --target names one"
    chosen = read(data, name="generic", target="val>0.3").card().dimensions["accuracy"]
    assert (chosen.value, chosen.details["epoch"]) == (0.33, 3)


def test_the_mean_loss_of_a_split_is_no_result_without_a_name() -> None:
    lines = [f"Epoch {n}: loss train 0.{9 - n}5, val 0.{9 - n}7" for n in (1, 2, 3)]
    assert [found for _, found in figures(lines)["tested"]] == [
        {"loss": float(f"0.{9 - n}7")} for n in (1, 2, 3)
    ]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Checking accuracy on test data\nGot {right} / 160 correct (75.62)", 75.625),
        ("Test: {right}/160 correct", 75.625),
        ("Checking accuracy on training data\nGot {right} / 160 correct (75.62)", None),
        ("Train: {right}/160 correct", None),
        ("Got 9{right} / 160 correct", None),  # more than there are
        ("Question 3: {right}/160 correct", None),
    ],
)
def test_how_many_are_correct_is_an_accuracy(said: str, expected: float | None) -> None:
    """121 of 160 are 75.625 %."""
    lines = [f"Epoch {n}/3\nloss 0.{9 - n}\n{said.format(right=100 + 7 * n)}" for n in (1, 2, 3)]
    assert accuracies(lines)[1] == expected


@pytest.mark.parametrize(
    ("name", "known"),
    [("f-score", "fscore"), ("f_score", "fscore"), ("FScore", "fscore"), ("hmean", "hmean")],
)
def test_the_scores_of_text_detection(name: str, known: str) -> None:
    """As MindOCR prints them."""
    lines = [
        line
        for epoch, value in ((1, 0.75), (2, 0.5))
        for line in (
            f"epoch: [{epoch}/2], loss: 1.5, epoch time: 52.0 s, per step time: 400.0 ms",
            f"Performance: {{'recall': 0.9, 'precision': 0.8, '{name}': {value}}}, eval time: 20.5",
        )
    ]
    assert accuracies(lines) == (known, 0.5, 0.75)


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


def test_an_error_without_a_split_is_the_trainings_where_others_name_theirs() -> None:
    line = "Epoch {0}/5 - MSE: 0.{1}1 - MAE: 0.3 - Val RMSE: 0.6{1} - Val MAE: 0.5 - Val R²: 0.9"
    accuracy = scored("".join(f"{line.format(e, 9 - e)}\n" for e in range(1, 6)))["dimensions"]
    assert (accuracy["accuracy"]["metric"], accuracy["accuracy"]["value"]) == ("rmse", 0.64)


@pytest.mark.parametrize(
    "part", ["dev P {0}.5 R 69.2 F1 7{0}.3", "Dev precision: 0.7 recall: 0.6 f1: 7{0}.3"]
)
def test_a_part_is_that_of_an_evaluation_by_its_first_name(part: str) -> None:
    """Even if that name means nothing: a precision is no figure of its own."""
    line = "Epoch {0} | train loss 0.{0} | " + part + " | lr 0.1"
    accuracy = scored("".join(f"{line.format(e)}\n" for e in range(1, 6)))["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["epoch"]) == ("f1", 75.3, 5)


def test_the_figures_after_the_next_bar_are_of_no_part() -> None:
    text = "".join(f"Epoch {e} | loss 0.{e} | val time 3.{e} | acc 0.9\n" for e in range(1, 6))
    assert scored(text)["dimensions"]["accuracy"]["value"] is None


def test_an_evaluation_at_a_step_of_the_first_epoch_is_not_its_end() -> None:
    log = "Epoch [1/50]\nIter: 100 | Val Loss: 0.61 | Val Acc: 0.81\n"
    (found,) = [e for e in events(log, "generic") if isinstance(e, Evaluation)]
    assert (found.epoch, found.midway) == (1, True)


def test_the_f1_of_conll_is_that_of_all_types() -> None:
    blocks = (
        f"Epoch {n}\nstep 20/20 loss {2 / n}\n"
        "processed 51578 tokens with 5942 phrases; found: 5964 phrases; correct: 5421.\n"
        f"accuracy:  98.3{n}%; precision:  90.90%; recall:  91.23%; FB1:  91.0{n}\n"
        "              LOC: precision:  94.59%; recall:  94.28%; FB1:  94.43  1831\n"
        "             MISC: precision:  85.43%; recall:  81.45%; FB1:  83.39  879\n"
        for n in (1, 2)
    )
    lines = "".join(blocks).splitlines()
    assert figures(lines)["tested"] == [
        (n, {"acc1": pytest.approx(98.3 + n / 100), "f1": pytest.approx(91 + n / 100)})
        for n in (1, 2)
    ]


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
