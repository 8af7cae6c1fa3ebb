"""Logs of people's own loops: figures of a part, of several trainings, and plans that bars show."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from sixdim.metrics.values.card import Card
from sixdim.parsers.events import EpochEnd, Evaluation, Iteration, RunInfo
from tests.support.inputs.generated import read
from tests.support.logs import only, scored
from tests.support.logs import read as events_of


def _card(lines: Iterable[str]) -> Card:
    return read("".join(f"{line}\n" for line in lines).encode(), name="generic").card()


def _accuracy(lines: Iterable[str]) -> tuple[object, object, object]:
    figure = _card(lines).dimensions["accuracy"]
    return figure.details.get("metric"), figure.value, figure.details.get("best")


def test_the_accuracy_after_the_loss_of_the_training_is_the_trainings_too() -> None:
    lines = [
        f"Epoch {n}/3 | train loss 0.{9 - n} acc 9{n}.0% | val loss 0.{8 - n} acc 7{n}.0%"
        for n in (1, 2, 3)
    ]
    assert _accuracy(lines) == ("acc1", 73.0, 73.0)


def test_a_loss_of_the_training_and_the_accuracy_after_it_sum_an_epoch_up() -> None:
    lines = [f"Round {n}/3: lr 0.01\nTrain loss: 0.{9 - n} acc: 0.9{n}" for n in (1, 2, 3)]
    assert _card(lines).run["epochs"] == 3
    assert _card(lines[:2]).run["epochs"] == 2


def test_an_accuracy_after_both_losses_is_of_the_evaluation() -> None:
    lines = [f"Epoch {n}: train_loss 0.{9 - n}, val_loss 0.{8 - n}, acc 0.7{n}" for n in (1, 2, 3)]
    assert _accuracy(lines) == ("acc1", 0.73, 0.73)


def _entities(value: float) -> list[str]:
    return [
        f"train loss: {1 - value:.2f}",
        "***** Eval results *****",
        f" acc: {value} - recall: 0.5 - f1: {value} - loss: 6.5",
        "***** Entity results *****",
        "******* ORG results ********",
        f" acc: 0.9{str(value)[2:]} - recall: 0.9 - f1: 0.91",
        "******* LOC results ********",
        f" acc: 0.1{str(value)[2:]} - recall: 0.1 - f1: 0.11",
    ]


def test_the_results_of_one_class_are_no_evaluation() -> None:
    lines = [line for value in (0.61, 0.72, 0.7) for line in _entities(value)]
    assert _accuracy(lines) == ("acc1", 0.7, 0.72)


def test_results_under_a_name_count_where_no_heading_is_that_of_an_evaluation() -> None:
    lines = ["****** ResNet results ******", "test acc: 0.61"]
    assert _accuracy([*lines, "train loss: 0.5", lines[0], "test acc: 0.64"])[1] == 0.64


@pytest.mark.parametrize(
    "line", ["Average accuracy: 0.99 ± 0.05", "所有折的平均准确率：0.99 ± 0.05"]
)
def test_the_mean_of_several_trainings_is_not_the_best_of_the_last_one(line: str) -> None:
    folds = [f"Epoch {n}/2 | Loss: 0.{9 - n} | Val Acc: 0.{80 + n}" for n in (1, 2)]
    assert _accuracy([*folds, *folds, "Early stopping triggered.", line]) == ("acc1", 0.82, 0.82)


def test_the_accuracy_of_an_epoch_may_have_a_deviation() -> None:
    lines = [f"Epoch {n}: train loss 0.{9 - n}, average val acc: 0.7{n} ± 0.01" for n in (1, 2, 3)]
    assert _accuracy(lines) == ("acc1", 0.73, 0.73)


def test_what_a_tracker_repeats_is_no_evaluation() -> None:
    lines = [f"Epoch {n}/2 | Loss: 0.{9 - n} | Val Acc: 0.{80 + n}" for n in (1, 2)]
    lines += ["wandb:   val_accuracy 0.97", "wandb: final_val_accuracy 0.98"]
    assert _accuracy(lines) == ("acc1", 0.82, 0.82)


def test_what_a_tracker_prints_counts_where_the_program_prints_no_evaluation() -> None:
    lines = [f"Epoch {n}/2 | Loss: 0.{9 - n}" for n in (1, 2)] + ["wandb:   val_accuracy 0.97"]
    assert _accuracy(lines) == ("acc1", 0.97, 0.97)


def test_settings_of_argparse_after_other_words_name_no_epoch() -> None:
    settings = "Training/evaluation parameters Namespace(freeze_epoch=20, lr=0.1, loss='ce')"
    lines = [settings, *(line for value in (0.61, 0.72) for line in _entities(value))]
    assert _card(lines).run["epochs"] is None


def _fold(n: int, *, stops_first: bool, balanced: bool = False) -> list[str]:
    figures = [f"accuracy: 0.8{n}", f"auc: 0.9{n}"]
    if balanced:  # a figure of unknown meaning beside known ones
        figures = [f"[Detection] Bal Acc: 0.8{n} | F1: 0.7{n} | ROC-AUC: 0.9{n}"]
    stop = ["Early stopping triggered"]
    return [f"Fold {n}/5 (K-Fold)", *(stop + figures if stops_first else figures + stop)]


@pytest.mark.parametrize("stops_first", [True, False])
@pytest.mark.parametrize("balanced", [True, False])
def test_evaluations_of_trainings_that_nothing_tells_apart_are_left_out(
    stops_first: bool, balanced: bool
) -> None:
    folds = (_fold(n, stops_first=stops_first, balanced=balanced) for n in (1, 2, 3, 4))
    card = _card(line for fold in folds for line in fold)
    accuracy = card.dimensions["accuracy"]
    assert accuracy.value is None
    assert "several trainings" in accuracy.reason
    assert [w.kind for w in card.warnings].count("trainings_mixed") == 1


def test_one_training_without_lines_has_its_evaluations() -> None:
    assert _accuracy(_fold(1, stops_first=True))[1] == 0.81
    assert _accuracy(_fold(1, stops_first=False))[1] == 0.81


def _bar(count: int, length: int) -> str:
    return f" {100 * count // length:2}%|██    | {count}/{length} [00:2{count}<01:00, 5.00s/it]"


def _planned(lines: Iterable[str]) -> list[object]:
    events = events_of("".join(f"{line}\n" for line in lines), "generic")
    return [e.value for e in events if isinstance(e, RunInfo) and e.name == "epochs_planned"]


def _loop(epochs: int, length: int, first: int = 1) -> list[str]:
    """`for epoch in tqdm(range(length))`, with a line of each epoch after the drawing."""
    return [
        line
        for done in range(epochs)
        for line in (f"{_bar(done, length)}epoch {done + first}", "Train Loss: 0.5", "Val Acc: 0.7")
    ]


@pytest.mark.parametrize("first", [0, 1])
def test_a_bar_whose_count_rises_with_the_labels_counts_epochs(first: int) -> None:
    assert _planned(_loop(5, 9, first)) == [9]
    assert _planned(_loop(4, 9, first)) == []


def test_the_run_is_finished_once_the_bar_of_the_epochs_is_full() -> None:
    assert _card([*_loop(5, 5), _bar(5, 5)]).status == "finished"
    assert _card([*_loop(4, 5), _bar(4, 5)]).status == "incomplete"


def test_a_bar_of_batches_between_the_labels_counts_no_epochs() -> None:
    lines = [
        line
        for epoch in range(1, 6)
        for line in (f"Epoch {epoch}", *(_bar(n, 4) for n in range(5)), f"Epoch {epoch} loss 0.5")
    ]
    assert _planned(lines) == []


def test_a_time_in_brackets_after_the_figures_is_the_epochs() -> None:
    lines = [
        f"Epoch {n} average loss: 0.{9 - n}  ({t}s)" for n, t in ((1, 8.5), (2, 7.5), (3, 9.5))
    ]
    ends = [e for e in events_of("\n".join([*lines, ""]), "generic") if isinstance(e, EpochEnd)]
    # The first may be the time since the start, until a later one is shorter.
    assert [e.epoch_time for e in ends] == [None, 7.5, 9.5]


def test_a_time_in_brackets_that_only_grows_is_no_epochs() -> None:
    lines = [f"Epoch {n} average loss: 0.{9 - n}  ({8 * n}.5s)" for n in (1, 2, 3)]
    ends = [e for e in events_of("\n".join([*lines, ""]), "generic") if isinstance(e, EpochEnd)]
    assert [e.epoch_time for e in ends] == [None, None, None]


def test_evaluations_count_the_epochs_of_a_log_without_lines_of_training() -> None:
    lines = [f"Epoch {n}/9 train_mse_scaled=0.4 val_mae=5{9 - n}.1 lr=0.001" for n in (1, 2, 3)]
    whole, gap = _card(lines).run_end, _card([lines[0], lines[2]]).run_end
    assert whole is not None and gap is not None
    assert (whole["epochs"], gap["epochs"]) == (3, None)


def _attempt(minute: int, steps: Iterable[int]) -> list[str]:
    return [
        f"2026-03-01 10:{minute:02}:{n:02},000 iter={n:04} loss={9 / (n + 1):.3f}" for n in steps
    ]


def test_the_clock_of_attempts_without_an_epoch_is_no_run_time() -> None:
    # The second one begins too soon after the first to be told apart by the pause.
    end = _card([*_attempt(0, range(50)), *_attempt(1, range(30))]).run_end
    assert end is not None and end["run_time_s"] is None
    assert "begin again" in str(end["clock"])


def test_steps_that_fall_by_one_may_be_of_ranks_and_leave_the_run_time() -> None:
    lines = _attempt(0, range(50))
    end = _card([*lines[:30], lines[28], *lines[30:]]).run_end
    assert end is not None and end["run_time_s"] == 49.0


def _epoch(label: int, value: float) -> list[str]:
    losses = [f"Epoch {label} step {step} loss 0.{9 - step}" for step in (1, 2, 3)]
    return [*losses, f"Epoch {label}: test accuracy {value}"]


def test_a_label_below_all_others_begins_another_training() -> None:
    resumed = [line for n in (3, 4, 5) for line in _epoch(n, 0.8)]
    card = _card([*resumed, *_epoch(0, 0.5), *_epoch(1, 0.6)])
    assert card.run["epochs"] == 2
    assert card.dimensions["accuracy"].value == 0.6
    assert card.dimensions["accuracy"].details["best"] == 0.6


def test_a_late_line_of_the_epoch_before_the_first_begins_none() -> None:
    card = _card([*_epoch(3, 0.7), "Epoch 2 step 3 loss 0.6", *_epoch(4, 0.8)])
    assert card.dimensions["accuracy"].details["best"] == 0.8
    assert not any(w.kind == "resume" for w in card.warnings)


def test_short_names_of_the_splits() -> None:
    lines = [f"epoch {e}: trn loss=0.5 acc=0.9 | tst loss=0.6 acc=0.8{e}" for e in range(3)]
    lines += [f"epoch {e}: train_acc 0.9 heldout_acc 0.8{e}" for e in range(3, 6)]
    found = [e for e in events_of("\n".join(lines) + "\n", "generic") if isinstance(e, Evaluation)]
    values = [next(m.value for m in e.metrics if m.name == "acc1") for e in found]
    assert values == [float(f"0.8{e}") for e in range(6)]
    assert [e.data for e in found] == ["test"] * 3 + ["val"] * 3


def test_a_split_that_is_glued_to_the_name_of_its_figure() -> None:
    lines = [
        f"Epoch: {n}, trloss: 0.{9 - n}1, tracc: 0.{n}5, valloss: 0.{8 - n}2, valacc: 0.{n}6"
        for n in (1, 2, 3)
    ]
    assert _accuracy(lines) == ("acc1", 0.36, 0.36)
    joined = [f"epoch {n} trainloss 0.5 testacc 0.{n}7 bestvalacc 0.99" for n in (1, 2, 3)]
    assert _accuracy(joined) == ("acc1", 0.37, 0.37)
    short = [f"E {n}/9 | Loss:0.5 | VAcc:{n}6.25% VF1:0.1 | BestVAcc:99.0%" for n in (1, 2, 3)]
    assert _accuracy(short) == ("acc1", 36.25, 36.25)
    value = [f"update {n} | loss 0.5 | v_loss 0.4 | vloss 0.3" for n in (1, 2, 3)]
    assert _accuracy(value)[1] is None  # of a value function


@pytest.mark.parametrize(
    "line",
    ["Epoch {n}/3 | train={t} val={v}", "[fit] epoch {n}/3  train={t}  heldout={v}  lr=1e-4"],
)
def test_figures_named_by_their_split_alone_are_of_epochs_but_no_accuracy(line: str) -> None:
    """Nothing says whether they are losses or accuracies."""
    card = _card([line.format(n=n, t=f"0.{9 - n}1", v=f"0.{9 - n}5") for n in (1, 2, 3)])
    assert (card.run["epochs"], card.run["epochs_planned"]) == (3, 3)
    assert card.dimensions["accuracy"].value is None


def test_counts_named_by_their_split_alone_are_no_figures() -> None:
    log = "".join(f"Epoch {n}: train 45000, val 5000\n" for n in (1, 2, 3))
    assert not any(isinstance(e, EpochEnd) and e.values for e in events_of(log, "generic"))


@pytest.mark.parametrize(
    ("time", "seconds"), [("0.75m", 45.0), ("1.50 h", 5400.0), ("0.50 hours", 1800.0)]
)
def test_times_in_minutes_and_hours(time: str, seconds: float) -> None:
    lines = [f"Epoch {n}, Loss: 0.{9 - n}, Training time: {time}" for n in range(1, 5)]
    end = _card(lines).run_end
    assert end is not None
    assert end["run_time_s"] == 4 * seconds


def test_the_first_epoch_among_the_settings_is_no_epoch() -> None:
    card = _card(["seed=1,", "start_epoch=0,", "wd=0)", "K-means: ACC = 0.5", "K-means: ACC = 0.6"])
    assert card.run["epochs"] is None


def test_evaluations_alone_begin_again_before_the_first_epoch_of_the_log() -> None:
    lines = [f"Epoch {n} K-means: ACC = 0.{n:02d}" for n in (49, 59, 69, 9, 19, 29)]
    assert _accuracy(lines) == ("acc1", 0.29, 0.29)
    one = [f"Epoch {n} K-means: ACC = 0.{n}" for n in (49, 48, 50)]  # the next to it is no restart
    assert _accuracy(one) == ("acc1", 0.5, 0.5)


@pytest.mark.parametrize("heading", ["TRAIN METRICS", "Training results", "Train metrics:"])
def test_figures_under_a_heading_of_the_training_are_no_evaluation(heading: str) -> None:
    lines = [
        line
        for n in (1, 2)
        for line in (
            "train loss: 0.5",
            heading,
            f"accuracy: 0.9{n}",
            "TEST METRICS",
            f"acc: 0.8{n}",
        )
    ]
    assert _accuracy(lines) == ("acc1", 0.82, 0.82)
    lines = ["Training the model", "accuracy: 0.8", "train loss: 0.4", "accuracy: 0.7"]
    assert _accuracy(lines)[1] == 0.7


def test_the_accuracy_of_the_first_answer_is_the_accuracy() -> None:
    tested = [
        f"avg. test_loss 1.{n} avg. Accuracy@1 75.2{n} - avg. Accuracy@5 93.1" for n in (1, 2)
    ]
    lines = [tested[0], "train loss 0.5", tested[1]]
    assert _accuracy(lines) == ("acc1", 75.22, 75.22)


@pytest.mark.parametrize(
    ("said", "speed"),
    [
        ("Speed: 170.5[samples/s]", (170.5, "samples/s")),
        ("speed 170.5 (samples/s)", (170.5, "samples/s")),
        ("Speed: 170.5[x]", (None, "")),
    ],
)
def test_units_in_brackets(said: str, speed: tuple[float | None, str]) -> None:
    figure = _card(f"Epoch {n} done. {said}" for n in range(1, 12)).dimensions["speed"]
    assert (figure.value, figure.unit) == speed


@pytest.mark.parametrize(("named", "speed"), [("Episode", None), ("Iteration", 2.0)])
def test_episodes_are_no_iterations_by_the_clock(named: str, speed: float | None) -> None:
    lines = [
        f"2024-05-01 10:{n // 60:02d}:{n % 60:02d},000 INFO value loss: 0.{n}, {named.lower()}: {2 * n}"
        for n in range(1, 600)
    ]
    assert _card(lines).dimensions["speed"].value == speed


def test_epoches_are_epochs() -> None:
    """Its loop names the epoch in front of the training's bar, and again after it."""

    def epoch(n: int, miou: float) -> str:
        bars = "".join(
            f"{of} loss: 0.5{n}: 100%|####| {steps}/{steps} [00:{steps}<00:00,  1.00it/s]\n{after}"
            for of, steps, after in (
                ("Train", 41, f"[Epoch: {n}, numImages:  656]\nLoss: 2{n}.500\n"),
                ("Test", 20, f"Validation:\n[Epoch: {n}, numImages:  320]\n"),
            )
        )
        return (
            f"\n=>Epoches {n}, learning rate = 0.0070\n{bars}Acc:0.9{n}, mIoU:{miou}\nLoss: 9.0\n"
        )

    card = scored("Starting Epoch: 0\n" + epoch(0, 0.75) + epoch(1, 0.5) + epoch(2, 0.625))
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"], card["run"]["epochs"]) == (0.625, 0.75, 3)
    assert "resume" not in {one["kind"] for one in card["warnings"]}


@pytest.mark.parametrize(
    ("begin", "planned"), [("E{n}/4", 4), ("e{n}", None), ("E0{n}:", None), ("e={n},", None)]
)
def test_a_line_may_begin_with_the_letter_of_its_epoch(begin: str, planned: int | None) -> None:
    lines = [f"{begin.format(n=n)} train_loss 0.{9 - n} val_acc 0.{n}5" for n in range(1, 5)]
    card = _card(lines)
    assert (card.run["epochs"], card.run.get("epochs_planned")) == (4, planned)
    accuracy = card.dimensions["accuracy"]
    assert (accuracy.value, accuracy.details["epoch"]) == (0.45, 4)


@pytest.mark.parametrize("begin", ["E0{n}20 10:02:03.4 f.py:12]", "Model E{n}", "e{n}.5"])
def test_another_number_after_that_letter_is_no_epoch(begin: str) -> None:
    lines = [f"{begin.format(n=n)} train_loss 0.{9 - n} val_acc 0.{n}5" for n in range(1, 5)]
    assert not _card(lines).run.get("epochs")


def test_the_iterations_of_an_accumulated_gradient_are_no_step() -> None:
    lines = [f"Epoch {n}: train_loss 0.{9 - n}, val_acc 0.{n}5, acc_steps 4" for n in range(1, 5)]
    assert _card(lines).run["epochs"] == 4


@pytest.mark.parametrize("heading", ["collect end:", "Rollout:"])
def test_the_reward_of_collected_episodes_is_no_evaluation(heading: str) -> None:
    """Under a heading that names an evaluation, a line of the same name is one."""
    collected = [
        line
        for n in (1, 2, 3)
        for line in (
            f"iter {n}: loss 0.{9 - n}",
            heading,
            "episode_count: 3",
            f"reward_mean: {n}.5",
        )
    ]
    assert _accuracy(collected) == (None, None, None)
    tested = [line.replace(heading, "Evaluation:") for line in collected]
    assert _accuracy(tested) == ("reward", 3.5, 3.5)


@pytest.mark.parametrize("line", ["reward is {}", "Reward: {}"])
def test_the_reward_of_each_sampled_answer_is_no_evaluation(line: str) -> None:
    """A loop that trains on rewards may print that of each answer, all alike in the first group."""
    groups = [(1.35, 1.35, 1.35), (1.35, -0.1, 0.9), (-1.2, -0.1, -1.2)]
    sampled = [
        text
        for n, rewards in enumerate(groups, 1)
        for text in (
            f"=== Epoch {n}/3 ===",
            *(said for one in rewards for said in (line.format(one), "is it cut? False")),
            f"loss is 0.0{9 - n} and kl is 0.1",
        )
    ]
    assert _accuracy(sampled) == (None, None, None)


@pytest.mark.parametrize("named", ["val f1", "Test AUC", "eval_mIoU"])
def test_a_nameless_accuracy_in_front_of_a_named_result_is_the_trainings(named: str) -> None:
    """Each figure has a line of its own; the first three are those of the training."""
    lines = [
        line
        for n in (1, 2, 3)
        for line in (f"Epoch {n}/3", f"Loss: 0.{9 - n}", f"acc: 0.9{n}", f"{named}: 0.7{n}")
    ]
    metric, value, best = _accuracy(lines)
    assert (value, best) == (0.73, 0.73)
    assert metric != "acc1"


def test_a_nameless_accuracy_in_front_of_the_loss_of_a_validation_is_the_validations() -> None:
    lines = [
        line
        for n in (1, 2, 3)
        for line in (f"Epoch {n}/3", f"Train loss: 0.{9 - n}", f"Accuracy: 0.7{n}", "Val loss: 0.5")
    ]
    assert _accuracy(lines) == ("acc1", 0.73, 0.73)


def test_the_splits_of_a_name_may_stand_in_square_brackets() -> None:
    line = "Epoch {n}/3  Loss [train/val]: 0.{t}1/0.{t}2  Acc [train/val]: 0.9{n}/0.7{n}"
    assert _accuracy([line.format(n=n, t=9 - n) for n in (1, 2, 3)]) == ("acc1", 0.73, 0.73)


@pytest.mark.parametrize("key", ["event", "message", "phase", "split"])
def test_an_object_says_of_what_its_figures_are_behind_them(key: str) -> None:
    """As structlog writes them: the name of the event comes after the figures."""
    text = "".join(
        f'{{"epoch": {epoch}, "batch": 40, "loss": 0.{8 - epoch}, "{key}": "train"}}\n'
        f'{{"epoch": {epoch}, "loss": 0.{9 - epoch}, "acc": 0.{4 + epoch}, "{key}": "validation"}}\n'
        for epoch in (1, 2, 3, 4)
    )
    found = only(events_of(text, "generic"), Evaluation)
    assert [(e.epoch, e.data) for e in found] == [(epoch, "val") for epoch in (1, 2, 3, 4)]
    assert [e.metrics[1].value for e in found] == [0.5, 0.6, 0.7, 0.8]
    named = text.replace(f'"{key}": "validation"', '"next": "validation"')
    assert not only(events_of(named, "generic"), Evaluation)
    trained = text.replace('"validation"', '"train"')
    assert not only(events_of(trained, "generic"), Evaluation)


@pytest.mark.parametrize("head", ["Train: ", "[Train] ", "Training ", ""])
def test_the_counts_of_the_training_in_brackets_are_an_epoch_and_a_step(head: str) -> None:
    """As Swin's scripts print them, with other figures than theirs; the validation's are not."""
    lines = [
        f"{name}[{epoch}/4][{step}/40]  elapsed 0:00:0{epoch}  loss 0.{9 - epoch}{step}"
        for epoch in (1, 2, 3, 4)
        for name, steps in ((head, (10, 20, 30, 40)), ("Val: ", (10,)))
        for step in steps
        if head or name != "Val: "
    ]
    events = events_of("".join(f"{line}\n" for line in lines), "generic")
    found = [(e.epoch, e.step, e.steps) for e in only(events, Iteration)]
    if not head:  # what the counts are is said by the loss behind them alone
        assert {epoch for epoch, _, _ in found} == {None}
        return
    assert found == [(epoch, step, 40) for epoch in (1, 2, 3, 4) for step in (10, 20, 30, 40)]


def test_steps_beside_the_epoch_that_begins_are_all_of_its_steps() -> None:
    """As PyTorch's series on DDP prints: nothing else is logged until the next epoch."""
    lines = [f"[GPU0] Epoch {epoch} | Batchsize: 32 | Steps: 64" for epoch in range(6)]
    lines.insert(1, "Epoch 0 | Training checkpoint saved at checkpoint.pt")
    found = only(events_of("".join(f"{line}\n" for line in lines), "generic"), Iteration)
    assert [(e.epoch, e.step, e.steps) for e in found] == [(n, None, 64) for n in range(6)]


def test_updates_are_steps() -> None:
    """As a PPO prints them: 0.1 s an update of 80 frames."""
    lines = [
        f"Updates {n}, num timesteps {80 * (n + 1)}, FPS 800\n Last 10 training episodes: "
        f"mean/median reward {20 + n}.0/{20 + n}.5, min/max reward 9.0/100.0\n"
        for n in range(0, 400, 10)
    ]
    card = _card(lines)
    assert (card.dimensions["speed"].value, card.dimensions["speed"].unit) == (800, "frames/s")
    found = only(events_of("".join(lines), "generic"), Iteration)
    assert [e.step for e in found] == [*range(0, 400, 10)]
