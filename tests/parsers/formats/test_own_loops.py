"""Loops of people's own: what is a figure of an evaluation, what is not, and when a run is over."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from sixdim.metrics.values.card import Card
from tests.support.inputs.generated import read


def _card(lines: Iterable[str]) -> Card:
    return read("".join(f"{line}\n" for line in lines).encode()).card()


def _accuracy(card: Card) -> tuple[object, object, object]:
    figure = card.dimensions["accuracy"]
    return figure.value, figure.details.get("best"), figure.details.get("metric")


def _run_time(card: Card) -> object:
    return card.run_end and card.run_end["run_time_s"]


def _epochs(*lines: str, last: int = 9) -> list[str]:
    return [line.format(e=e) for e in range(1, last + 1) for line in lines]


def test_a_line_with_a_percent_sign_is_not_opennmts() -> None:
    lines = _epochs(
        "Epoch {e}, loss 0.69{e}, train accuracy: 54.{e}%",
        "Validation accuracy: 5{e}.00%",
        "Best Valid accuracy: 50.00%",
    )
    card = _card(lines)
    assert card.run["format"] == "generic"
    assert _accuracy(card) == (59.0, 59.0, "acc1")
    assert card.run["epochs"] == 9


def test_the_end_of_an_epoch_alone_makes_no_cyclegan() -> None:
    lines = _epochs(
        "[epoch: {e}/200, iter: 25/448] total: 1.6",
        "Validation accuracy: 0.3{e}",
        "End of epoch {e} / 200 \t Time Taken: 40{e}.5 sec",
    )
    card = _card(lines)
    assert card.run["format"] == "generic"
    assert _accuracy(card) == (0.39, 0.39, "acc1")
    assert _run_time(card) == pytest.approx(sum(400.5 + e for e in range(1, 10)))


def test_the_announcement_of_epochs_alone_makes_no_yolo() -> None:
    lines = [
        "Starting training for 9 epochs...",
        *_epochs("epoch {e}: train loss 0.{e}, val F1 0.8{e}"),
    ]
    card = _card(lines * 3)
    assert card.run["format"] == "generic"
    assert _accuracy(card) == (0.89, 0.89, "f1")


def test_an_announcement_without_the_dots_of_yolo_is_any_loops() -> None:
    begin = ["Starting training for 3 epochs", "Epoch 1/3"]
    card = _card([*begin, *_epochs("Epoch {e}/3 loss 0.5{e} val_acc 0.4{e}", last=2)])
    assert (card.run["format"], card.run["epochs"]) == ("generic", 2)
    assert _accuracy(card) == (0.42, 0.42, "acc1")


def test_a_bar_of_the_validation_alone_makes_no_lightning() -> None:
    bar = "Validating:  {p}%|████      | {n}/8 [00:0{n}<00:03,  1.26it/s]"
    bars = [bar.format(n=n, p=12 * n) for n in range(1, 9)]
    figures = "Epoch {e}/9, Train Loss: 0.07, Train PSNR: 23.7, Val Loss: 0.0764, Val PSNR: 24.{e}"
    card = _card([line for e in range(1, 10) for line in (*bars, figures.format(e=e))])
    assert card.run["format"] == "generic"
    assert _accuracy(card) == (24.9, 24.9, "psnr")


@pytest.mark.parametrize(
    "line", ["Epoch[{e}] done. Loss: 1.0{e} (Base: 0.9, Orth: 0.1), Acc: 98.{e}%, Lr: 1e-06"]
)
def test_an_accuracy_beside_the_loss_of_the_training_is_the_trainings(line: str) -> None:
    lines = _epochs(line, "Validation Results - Epoch: {e}", "mAP: 60.{e}%")
    assert _accuracy(_card(lines)) == (60.9, 60.9, "map")
    assert _accuracy(_card(_epochs(line)))[0] is None


def test_parts_of_a_loss_are_progress_and_no_accuracy() -> None:
    lines = [
        f"2024-05-01 10:00:{s:02},000 Iters: {s}0/600 || Task Loss: 2.{s} || KD Loss: 1.{s}"
        for s in range(60)
    ]
    card = _card(lines)
    assert _run_time(card) == 59
    assert _accuracy(card)[0] is None
    card = _card(_epochs("Epoch: {e} avg_loss_src: 31.{e} cluster_loss_src: 1.4", last=5))
    assert card.run["epochs"] == 5


def test_arguments_are_no_figures() -> None:
    settings = "Namespace(start_epoch=0, val_epoch=7, test_acc=0.99, loss_weight=0.5, lr=0.1)"
    card = _card([settings, *(f"step {s} loss: 0.{s}" for s in range(10, 90, 10)), settings])
    assert _accuracy(card)[0] is None
    assert not card.run.get("epochs")


@pytest.mark.parametrize("part", ["ppo epoch:  2/ 4", "inner epoch 2/4", "inner iter:   2/ 4"])
def test_epochs_of_one_batch_are_none_of_the_training(part: str) -> None:
    lines = [f"train | {part} | global iter: {n:4}/100 | loss: 2.{n} | lr: 0.1" for n in range(9)]
    card = _card(lines)
    assert not card.run.get("epochs")
    assert not card.run.get("epochs_planned")


def test_a_number_of_batches_is_no_epoch() -> None:
    lines = [f"step {s}, loss: 6.{s}" for s in range(10, 50)]
    assert not _card(["loaded 338025 tokens", "1 epoch = 330 batches", *lines]).run.get("epochs")
    labelled = _card([f"Epoch {e} batches {s}/20 loss: 0.{s}" for e in (1, 2) for s in (10, 20)])
    assert labelled.run["epochs"] == 2


def test_the_time_between_two_iterations() -> None:
    lines = [f"iter_dt 250.00ms; iter {n}: train loss 2.{n}" for n in range(100, 900, 100)]
    speed = _card(lines).dimensions["speed"]
    assert (speed.value, speed.unit) == (4, "it/s")


def test_the_split_of_the_first_figure_is_that_of_the_others() -> None:
    lines = _epochs(
        "epoch {e}: train acc: 49.{e}%, loss: 1.45",
        "The result of Some_ResNet18 with Adam is test acc: 76.{e}%, loss: 0.6{e}",
        " test acc for class one (airplane) is 99.{e}%",
    )
    assert _accuracy(_card(lines)) == (76.9, 76.9, "acc1")


def test_evaluating_the_data_of_the_training_is_no_evaluation() -> None:
    lines = [f"step {s} loss: 0.{s}" for s in range(10, 90)]
    trained = "[ITER 90] Evaluating train: L1 0.02 PSNR 27.3"
    assert _accuracy(_card([*lines, trained]))[0] is None
    tested = "[ITER 90] Evaluating test: L1 0.02 PSNR 25.3"
    assert _accuracy(_card([*lines, tested, trained])) == (25.3, 25.3, "psnr")


@pytest.mark.parametrize(
    ("line", "metric"),
    [
        ("Epoch {e} | F1 score: 0.8{e}", "f1"),
        ("epoch {e}: Mean Average Precision = 0.8{e}", "map"),
        ("epoch {e} Validation Dice score: tensor(0.8{e}, device='cuda:0')", "dice"),
        ("[epoch{e}] train_loss=2.1 val_dice_coef=0.8{e}", "dice"),
        ("Epoch {e}: val_loss: np.float64(0.5) val_roc_auc: np.float64(0.8{e})", "auc"),
        ("Epoch: {e}, Steps: 267 | Train Loss: 0.41 Vali Acc: 0.8{e} Test Acc: 0.1", "acc1"),
    ],
)
def test_further_words_around_a_figure(line: str, metric: str) -> None:
    card = _card(_epochs(line))
    assert _accuracy(card) == (0.89, 0.89, metric)
    assert card.dimensions["accuracy"].details["epoch"] == 9


def test_a_squared_error_is_an_evaluations_where_the_log_says_so() -> None:
    said = _card(_epochs("Epoch {e}, step 5: MSE 0.9", "Epoch {e}, val mse is 0.0{e}"))
    assert _accuracy(said) == (0.09, 0.01, "mse")
    assert _accuracy(_card(_epochs("Epoch {e}: MSE 0.9{e}")))[0] is None
    trained = "epoch {e}: train loss 0.5"
    lines = ["validation error: 3 fields", *_epochs(trained, "Model test error: 0.0{e}, done")]
    assert _accuracy(_card([*lines, "RuntimeError: test error 5", "end"])) == (0.09, 0.01, "error")
    assert _accuracy(_card(_epochs(trained, "    -> Val RMSE=0.{e}, R2=0.8")))[:2] == (0.9, 0.1)


@pytest.mark.parametrize(
    ("line", "seconds"),
    [
        ("Total training time: 2:49:33.35 (0.5087s / it)", 10173.35),
        ("Finish training: the best validation accuracy is 0.76 in epoch 9.", None),
        ("Training finished. Best accuracy 0.76 at epoch 3", None),
    ],
)
def test_lines_that_end_a_run(line: str, seconds: float | None) -> None:
    lines = _epochs("epoch {e}: train loss 0.{e}, val acc 0.8{e}")
    card = _card([*lines, line])
    assert card.status == "finished"
    assert _run_time(card) == seconds


@pytest.mark.parametrize(
    "line", ["Training time so far: 0:10:00", "Training finished, epoch 10 begins", "fit: 1.0"]
)
def test_lines_that_end_none(line: str) -> None:
    lines = _epochs("epoch {e}: train loss 0.{e}, val acc 0.8{e}")
    assert _card([*lines, line]).status == "incomplete"


def test_a_closing_line_after_every_epoch_ends_no_run() -> None:
    lines = _epochs("Epoch {e}: train loss 0.3, val acc 5{e}.00%", "Total training time: 0:0{e}:00")
    card = _card(lines)
    assert card.status == "incomplete"
    assert _accuracy(card) == (59.0, 59.0, "acc1")


@pytest.mark.parametrize(
    ("heading", "rate"),
    [("Inference benchmark:", None), ("Evaluation:", None), ("Training speed:", 4096.5)],
)
def test_a_rate_below_a_heading_of_an_inference_is_not_the_trainings(
    heading: str, rate: float | None
) -> None:
    trained = [f"step {s} loss 0.{s}" for s in range(10, 90, 10)]
    rates = ["time for 500 samples: 0.125 seconds", "Samples per second: 4096.5"]
    speed = _card([*trained, heading, *rates]).dimensions["speed"]
    assert speed.value == rate
    below = [*rates, "step 100 loss 0.5", "Samples per second: 512.5"]  # again the training's
    assert _card([*trained, heading, *below]).dimensions["speed"].value is not None


def test_lines_of_an_evaluations_errors_alone_are_enough() -> None:
    lines = _epochs("[Val Info]:Epoch:{e} MAE:0.0{e} bestEpoch:1 bestMAE:0.01")
    assert _accuracy(_card(lines)) == (0.09, 0.01, "mae")
    assert _accuracy(_card(_epochs("[Val Info]:Epoch:{e} seen:0.0{e}")))[0] is None


def test_nnunets_clock_stands_in_front_of_a_colon() -> None:
    clock = "2026-11-23 18:19:1{e}.71107{n}: "
    lines = [
        line.replace("@", clock.replace("{n}", str(n))).format(e=e)
        for e in range(5)
        for n, line in enumerate(
            ("@Epoch {e}", "@train_loss 0.5{e}", "@val_loss -0.2{e}", "@Epoch time: 1.0{e} s")
        )
    ]
    tail = "2026-11-23 18:20:18.772672: Training done."
    score = "2026-11-23 18:23:22.358204: Mean Validation Dice:  0.9546034710620959"
    card = _card([*lines, tail, "2026-11-23 18:21:06.927532: predicting c_007", score])
    assert (card.status, card.run["epochs"]) == ("finished", 5)
    assert _accuracy(card) == (0.9546034710620959, 0.9546034710620959, "dice")
    assert _run_time(card) == pytest.approx(sum(1 + e / 100 for e in range(5)))
    assert _card(lines).status == "incomplete"


def test_tensorflows_own_clock_is_none() -> None:
    """Its messages stand between the lines of other programs, whose times are others."""
    message = "2026-11-23 18:19:1{e}.711075: I tensorflow/core/common_runtime/x.cc:1] {e} done"
    card = _card(_epochs(message, "epoch {e}: train loss 0.{e}, val acc 0.8{e}"))
    assert _accuracy(card) == (0.89, 0.89, "acc1")
    assert _run_time(card) is None


def test_a_dot_after_a_number_ends_a_sentence() -> None:
    card = _card(_epochs("Epoch {e}. Train loss: 0.{e}. Validation accuracy: 8{e}.", last=7))
    assert (card.run["epochs"], _accuracy(card)) == (7, (87.0, 87.0, "acc1"))
    card = _card(_epochs("Epoch {e}/9. Train loss: 1. Validation accuracy: 0.8{e}"))
    assert (card.run["epochs_planned"], card.status) == (9, "finished")
    assert _accuracy(card) == (0.89, 0.89, "acc1")


def test_a_list_of_all_epochs_losses_is_no_figure() -> None:
    """A history printed at the end: its first number is that of the first epoch."""
    lines = _epochs("epoch {e} train loss 0.9{e}, val loss 0.8{e}", last=4)
    card = _card([*lines, "{'train_loss': [0.91, 0.92], 'val_loss': [0.81, 0.82, 0.83]}"])
    assert _accuracy(card)[0] == 0.84
    card = _card([*lines, *_epochs("epoch 5 train loss [0.95], val loss [0.85]", last=1)])
    assert _accuracy(card)[0] == 0.85


def test_a_line_that_names_a_figure_in_front_is_no_other_formats_line() -> None:
    """`val loss 0.81` would be one of llm.c by itself."""
    card = _card(_epochs("epoch {e} train loss 0.9{e}, val loss 0.8{e}"))
    assert [warning.kind for warning in card.warnings] == ["incomplete"]


def test_what_an_epoch_took_is_the_time_of_its_rate() -> None:
    """Rates before it are running means: word2vec in gensim's words. Of epochs 6 to 9 the mean
    leaves the highest and the lowest out."""
    running = "EPOCH {e} - PROGRESS: at 47.50% examples, 3751{e}6 words/s, in_qsize 1"
    over = "EPOCH {e}: training on 800000 raw words (798000 effective words) took 2.2s, "
    card = _card(_epochs(running, over + "2{e}000 effective words/s"))
    speed = card.dimensions["speed"]
    assert (speed.value, speed.unit) == (27500.0, "words/s")


def test_a_bar_with_a_running_loss_trains() -> None:
    """As simpletransformers draws it, below a bar that counts the epochs."""
    outer = "Epoch {e} of 5:  20%|██        | 1/5 [00:02<00:08,  2.00s/it]"
    bar = "Epochs {e}/5. Running Loss:    0.6{e}97: {p:>3}%|███   | {n}/40 [00:0{t}<00:0{r}, 20.00it/s]"
    lines = []
    for e in range(1, 6):
        lines.append(outer.format(e=e))
        drawn = ((n, n // 20) for n in (10, 20, 30, 40))
        lines += [bar.format(e=e, p=n * 100 // 40, n=n, t=t, r=2 - t) for n, t in drawn]
    card = _card(lines)
    assert (card.run["epochs"], card.run["epochs_planned"], card.status) == (5, 5, "finished")
    assert card.dimensions["speed"].value == pytest.approx(20.0)
    other = [line.replace("Running Loss:    0.6", "Computing: 0.6") for line in lines]
    assert _card([one for one in other if "of 5" not in one]).dimensions["speed"].value is None


def test_of_several_rates_the_one_in_total_counts() -> None:
    """As rl_games prints them: the first is that of the environment alone."""
    line = "fps step: 15{e}0 fps step and policy inference: 12{e}0 fps total: 9{e}0 epoch: {e}/9"
    speed = _card(_epochs(line)).dimensions["speed"]
    assert (speed.value, speed.unit) == (975.0, "frames/s")  # of 960 to 990 without the ends
    speed = _card(_epochs(line.replace("total", "update"))).dimensions["speed"]
    assert speed.value is None


def test_a_second_stage_of_other_length_is_another_training() -> None:
    """Two epochs with a frozen trunk, then four: the first stage's best is not the second's."""
    line = "[{stage}] Epoch {e}/{n}: loss=0.3{e} val_loss=0.5 val_acc=0.{acc}{e} (1.4s)"
    stages = (("head", 2, 9), ("full", 4, 8))
    lines = [line.format(stage=s, n=n, e=e, acc=a) for s, n, a in stages for e in range(1, n + 1)]
    card = _card(lines)
    assert (card.run["epochs"], card.run["epochs_planned"], card.status) == (4, 4, "finished")
    assert _accuracy(card) == (0.84, 0.84, "acc1")
    assert [warning.kind for warning in card.warnings] == ["several_runs"]
    first, second, *other = [one.replace("/4", "/2").replace("full", "head") for one in lines[:4]]
    assert not _card([first, other[0], second, other[1]]).warnings  # as two ranks print them
    again = _card([first, second, *other])  # as the second of several folds follows the first
    assert _accuracy(again) == (0.82, 0.82, "acc1")
    assert [warning.kind for warning in again.warnings] == ["several_runs"]


def test_a_stage_that_begins_before_all_planned_epochs_are_done_is_the_same_training() -> None:
    line = "Epoch {e}/4: loss=0.3{e} val_acc=0.8{e} (1.4s)"
    card = _card([line.format(e=e) for e in (1, 2, 3, 1, 2)])
    assert [warning.kind for warning in card.warnings if warning.kind != "incomplete"] == ["resume"]


def test_the_time_of_each_stage_is_its_own() -> None:
    """Three epochs of 2 s, then four of 5 s: the log holds two runs."""
    line, stages = (
        "Epoch {e}/{n} - {s}s - loss: 0.3{e} - val_acc: 0.7{e}",
        ("2.4 2.1 2.2", "5.3 5.1 5.4 5.2"),
    )
    times = [stage.split() for stage in stages]
    card = _card([line.format(e=e, n=len(one), s=s) for one in times for e, s in enumerate(one, 1)])
    assert _run_time(card) == pytest.approx(5.3 + 5.1 + 5.4 + 5.2)
    assert any("holds 2 runs" in warning.text for warning in card.warnings)


def test_batches_of_a_validation_that_count_to_another_length_are_no_evaluation() -> None:
    """As Poutyne prints them: each batch has a line, and the best of them is nobody's result."""
    train = "Epoch: {e}/6 Step: {n:>2}/40 ETA: 1.00s loss: 0.6{e} acc: 68.0"
    batch = "Epoch: {e}/6 Step: {n:>2}/10 ETA: 0.00s val_loss: 0.5{e} val_acc: 9{n}.0"
    whole = (
        "Epoch: {e}/6 Train steps: 40 Val steps: 10 0.88s loss: 0.6{e} acc: 68.0 val_acc: 6{e}.5"
    )
    lines = []
    for e in range(1, 7):
        lines += [train.format(e=e, n=n) for n in (10, 20, 30, 40)]
        lines += [batch.format(e=e, n=n) for n in range(1, 10)] + [whole.format(e=e)]
    assert _accuracy(_card(lines)) == (66.5, 66.5, "acc1")
