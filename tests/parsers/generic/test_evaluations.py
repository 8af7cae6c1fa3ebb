"""The evaluations of logs that no format knows: which figure of a line, which line of a log."""

from __future__ import annotations

import pytest

from tests.support.inputs.generated import read
from tests.support.logs import scored
from tests.support.loops import accuracies, figures


def test_a_table_of_single_classes_is_no_accuracy_nor_is_the_one_below_it() -> None:
    tables = [
        "| class  | AP     | class  | AP     | class  | AP     |",
        "|:------:|:------:|:------:|:------:|:------:|:------:|",
        "| person | 50.1   | car    | 31.2   | dog    | 60.3   |",
        "|   AP   |  AP50  |  AP75  |  APs   |  APm   |  APl   |",
        "| 35.286 | 56.410 | 37.949 | 17.048 | 37.683 | 50.504 |",
    ]
    epochs = (line for n in (0, 1, 2) for line in (f"Epoch {n}: train loss 2.{9 - n}", *tables))
    assert accuracies(epochs)[:2] in (("ap", 35.286), (None, None))


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


@pytest.mark.parametrize(
    "line",
    [
        "Epoch {n}: loss: 0.5{n}, test acc: 0.3{n}, val acc: 0.6{n}",
        "Epoch {n}: loss: 0.5{n}, val acc: 0.6{n}, test acc: 0.3{n}",
        "Epoch {n}: loss: 0.5{n}, test_f1: 0.4{n}, test_acc: 0.3{n}, dev_acc: 0.6{n}",
    ],
)
def test_a_test_beside_the_validation_is_not_the_accuracy(line: str) -> None:
    lines = [line.format(n=n) for n in range(1, 6)]
    assert accuracies(lines) == ("acc1", 0.65, 0.65)


@pytest.mark.parametrize("name", ["si_sdr", "SI-SDR", "val SI-SDR", "SISDR"])
def test_the_distortion_of_separated_sources_is_a_quality(name: str) -> None:
    lines = [
        line
        for n in range(1, 6)
        for line in (
            f"epoch {n}, train loss: 0.{9 - n}",
            f"Validation loss: 0.{9 - n}5 | {name}: {n}.25 dB | rms_ratio: 0.88",
        )
    ]
    assert accuracies(lines) == ("si_sdr", 5.25, 5.25)


def test_a_development_set_beside_a_validation_set_is_other_data() -> None:
    lines = [
        f"Epoch {n} - {name} BLEU: BLEU-1 {60 + bleu}, BLEU-4 {bleu}"
        for n, val, dev in ((1, 31.75, 32.2), (2, 34.19, 34.13), (3, 33.42, 33.87))
        for name, bleu in (("Validation", val), ("Dev", dev))
    ]
    trained = [f"Epoch {n} train loss {1 / n:.3f}" for n in (1, 2, 3)]
    each = zip(trained, lines[::2], lines[1::2], strict=True)
    assert accuracies(line for three in each for line in three) == ("bleu", 33.87, 34.13)


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


def test_the_reward_of_one_action_is_no_result_of_the_training() -> None:
    """A program may display an episode of the trained agent, action by action."""
    lines = [f"Episode {n}: reward 1{n}.5" for n in range(1, 5)]
    shown = ["Action: left | Reward: 2", "Action: down | Reward: 104"]
    assert figures([*lines, *shown]) == figures(lines)


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
