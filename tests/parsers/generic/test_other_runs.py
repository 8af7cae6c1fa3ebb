"""Figures of another run, another split or another data set are not this run's."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from sixdim.metrics.values.card import Card
from tests.support.inputs.generated import read

_CLOCK = "2024-03-01 {h:02}:{m:02}:00,000 "


def _card(lines: Iterable[str]) -> Card:
    return read("".join(f"{line}\n" for line in lines).encode()).card()


def _accuracy(card: Card) -> tuple[object, object, object]:
    figure = card.dimensions["accuracy"]
    return figure.value, figure.details["best"], figure.details["metric"]


def _trained(epochs: Iterable[int], first: int, metric: str, values: Iterable[float]) -> list[str]:
    lines = []
    for epoch, value in zip(epochs, values, strict=True):
        steps = [20 * epoch + step for step in (first, 10, 20)]
        lines += [f"train epoch: {epoch} - step: {step} - loss: 0.{step}4" for step in steps]
        lines.append(f"dev step: {20 * epoch + 20} - loss: 0.52, {metric}: {value}")
    return lines


def test_a_run_from_the_first_epoch_on_leaves_nothing_of_the_one_before() -> None:
    before = _trained(range(4), 1, "accuracy", (0.7, 0.81, 0.83, 0.8))
    card = _card([*before, *_trained(range(3), 5, "f1", (0.51, 0.66, 0.62))])
    assert card.run["epochs"] == 3
    assert _accuracy(card) == (0.62, 0.66, "f1")
    assert any(w.kind == "resume" and "epoch 0 begins again" in w.text for w in card.warnings)


def test_two_jobs_that_write_one_file_do_not_begin_again_at_each_line() -> None:
    jobs = [f"train epoch: {e} - step: {s} - loss: 0.5" for s in range(10, 90, 10) for e in (1, 7)]
    warned = [w for w in _card(jobs).warnings if "begins again" in w.text]
    assert not warned


def _heading(hour: int, epoch: int) -> list[str]:
    lines = [f"Epoch {epoch}/3"]
    lines += [f"step {step}/90 loss: 0.4{step}" for step in (30, 60)]
    return [_CLOCK.format(h=hour, m=10 * epoch + m) + line for m, line in enumerate(lines)]


def test_a_run_that_has_only_begun_is_not_the_one_before_it() -> None:
    whole = [line for epoch in (1, 2, 3) for line in _heading(3, epoch)]
    closed = [*whole, _CLOCK.format(h=3, m=45) + "Training complete in 35m 0s"]
    assert _card(closed).status == "finished"
    card = _card([*closed, *_heading(20, 1)])
    assert (card.status, card.run["epochs"]) == ("incomplete", 0)


def test_the_clock_begins_with_the_run_that_counts() -> None:
    first = [line for epoch in (1, 2, 3) for line in _heading(3, epoch)]
    second = [line for epoch in (1, 2, 3) for line in _heading(20, epoch)]
    end = _card([*first, *second]).run_end
    assert end is not None
    assert (end["run_time_s"], end["clock"]) == (22 * 60.0, "log timestamps")


@pytest.mark.parametrize(("labels", "over"), [((0, 1, 2), 3), ((5, 6, 7), 3), ((0, 6, 7), None)])
def test_epochs_between_labels_that_are_missing_are_not_counted(
    labels: tuple[int, ...], over: int | None
) -> None:
    lines = [f"epoch {n} train loss: 0.{n}31 val acc: 0.7{n}" for n in labels]
    assert _card([*lines, "all done"]).run["epochs"] == over


def test_the_best_is_of_the_data_that_the_last_evaluation_is_of() -> None:
    lines = [f"Epoch: {n:04} loss_train: 1.9{n} acc_val: 0.8{n}" for n in range(1, 10)]
    assert _accuracy(_card(lines)) == (0.89, 0.89, "acc1")
    last = "Test set results: loss= 0.7483 accuracy= 0.7310"
    assert _accuracy(_card([*lines, "Loading the best weights", last])) == (0.731, 0.731, "acc1")


def test_figures_of_dev_and_of_test_are_not_compared() -> None:
    lines = []
    for n, (dev, test) in enumerate([(0.61, 0.60), (0.72, 0.68), (0.71, 0.67)], 1):
        lines += [f"epoch {n} - iter {i}/40 - loss 0.{i}5" for i in (20, 40)]
        lines += [f"DEV : loss 0.5{n} - acc {dev}", f"TEST : loss 0.6{n} - acc {test}"]
    assert _accuracy(_card(lines)) == (0.67, 0.68, "acc1")


def test_a_score_beside_a_loss_that_is_not_computed() -> None:
    """Old versions of flair print `loss 0`, and the metric that was asked for as `score`."""
    lines = []
    for n, (train, dev) in enumerate([(0.31, 0.29), (0.42, 0.40), (0.44, 0.39)], 1):
        lines += [f"epoch {n} - iter {i}/40 - loss 0.{i}5" for i in (20, 40)]
        lines += [f"TRAIN_SPLIT : loss 0 - score {train}", f"DEV : loss 0 - score {dev}"]
    assert _accuracy(_card(lines)) == (0.39, 0.40, "score")


_ELSEWHERE = (
    "cifar10   train : [loss = 0.17, top1 = 94.22%], valid : [loss = 0.36, top1 = 88.40%]",
    "cifar100  train : [loss = 1.05, top1 = 69.78%], valid : [loss = 1.39, top1 = 61.05%]",
    "ImageNet16-120 train : [loss = 2.54, top1 = 35.86%], valid : [loss = 2.59, top1 = 35.18%]",
)


def test_what_a_table_has_of_other_data_sets_is_not_the_accuracy() -> None:
    lines = []
    for n, (train, valid) in enumerate([(60.1, 58.2), (71.4, 66.3), (74.9, 65.8)]):
        lines += [f"epoch {n} lr 2.5e-02", f"train_acc {train}", f"train_loss 0.8{n}"]
        lines += [f"valid_acc {valid}", f"valid_loss 0.9{n}"]
    alone = _accuracy(_card(lines))
    assert alone == (65.8, 66.3, "acc1")
    assert _accuracy(_card([*lines, *_ELSEWHERE])) == alone


def test_of_several_named_data_sets_the_first_is_the_logs_own() -> None:
    lines = [f"cifar10 epoch {n} val acc: 9{n}.5 val loss: 0.{n}2" for n in range(1, 6)]
    assert _accuracy(_card([*lines, "svhn val acc: 41.5 val loss: 1.5"])) == (95.5, 95.5, "acc1")


def test_a_data_set_is_named_after_its_word() -> None:
    lines = []
    for n in range(1, 5):
        lines += [f"epoch: {n}, dataset: Kvasir, dice: 0.8{n}"]
        lines += [f"epoch: {n}, dataset: ETIS-Larib, dice: 0.4{n}"]
    assert _accuracy(_card(lines)) == (0.84, 0.84, "dice")


def test_the_same_figure_in_a_list_and_in_a_table_is_of_the_same_data() -> None:
    """A report may repeat its accuracy in a table by class: both lines name nothing but it."""
    lines = [f"epoch {n} train loss 0.{9 - n} val loss 0.{9 - n}1" for n in range(1, 5)]
    card = _card([*lines, "Results:", "- Accuracy 0.9000", "", "    accuracy         0.9000"])
    assert _accuracy(card) == (0.9, 0.9, "acc1")
    assert "data" not in card.dimensions["accuracy"].details


def test_the_word_data_set_without_a_name_says_nothing() -> None:
    lines = [f"epoch {n}: test dataset mean dice 0.8{n}, test dataset loss 0.2" for n in range(4)]
    assert _accuracy(_card(lines)) == (0.83, 0.83, "dice")


@pytest.mark.parametrize("name", ["Bleu_{}", "BLEU-{}"])
def test_bleu_is_that_of_four_words(name: str) -> None:
    lines = []
    for n in range(1, 5):
        lines += [f"Epoch {n} Update {100 * n} loss: 0.{n}7"]
        lines += [f"{name.format(k)}: 0.{9 - k}{n}" for k in (1, 2, 3, 4)]
    assert _accuracy(_card(lines)) == (0.54, 0.54, "bleu")


def test_steps_in_front_of_the_first_epochs_name_are_no_epoch_of_their_own() -> None:
    lines = ["Loading data...", "Initializing model..."]
    for epoch in range(1, 5):
        lines += [f"[E{epoch}] step {step} loss {9 - epoch}.{step}" for step in (10, 20, 30)]
        lines.append(f"Epoch {epoch} avg-loss 0.{9 - epoch}3")
    assert _card([*lines, "Training completed!"]).run["epochs"] == 4


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("anew", [True, False])
def test_an_epoch_that_its_evaluation_names_is_that_of_the_steps_in_front(
    first: int, anew: bool
) -> None:
    lines = []
    for epoch in range(5):
        begin = 0 if anew else 200 * epoch
        lines += [
            f"step {begin + n} loss 0.{9 - epoch}{n:03d} lr 0.01" for n in (50, 100, 150, 200)
        ]
        lines.append(f"Epoch {epoch + first}: val loss 0.{9 - epoch}7 val acc 0.{epoch + 2}5")
    card = _card(lines)
    assert card.run["epochs"] == 5
    accuracy = card.dimensions["accuracy"]
    assert (accuracy.value, accuracy.details["epoch"]) == (0.65, 4 + first)


def test_evaluations_inside_of_epochs_that_only_they_name_end_none() -> None:
    lines = []
    for epoch in range(3):
        for step in range(100, 500, 100):
            lines.append(f"step {400 * epoch + step} loss 0.{9 - epoch}{step} lr 0.01")
            if step % 200 == 0:
                lines.append(f"Epoch {epoch}: val loss 0.{9 - epoch}7 val acc 0.{epoch + 2}{step}")
    assert _card(lines).run["epochs"] == 3


def test_evaluations_alone_begin_again_with_another_run() -> None:
    lines = [
        f"Date: 2023-10-29 1{h}:2{n}:11s, Time_Cost: 98s, Epoch: [{n}/5],Val_PSNR: {psnr}{n}.3"
        for h, psnr in ((1, 4), (3, 3))
        for n in range(1, 6)
    ]
    card = _card(lines)
    assert _accuracy(card) == (35.3, 35.3, "psnr")
    assert any("evaluations begin again with epoch 1" in w.text for w in card.warnings)


def test_evaluations_alone_go_on_from_an_earlier_epoch() -> None:
    """Each attempt but the first begins with the epoch of a checkpoint."""
    epochs = (1, 2, 3, 4, 2, 3)
    errors = (0.4, 0.3, 0.2, 0.1, 0.35, 0.25)
    lines = [f"[Val Info]:Epoch:{n} MAE:{mae}" for n, mae in zip(epochs, errors, strict=True)]
    assert _accuracy(_card(lines)) == (0.25, 0.25, "mae")  # neither 0.2 nor 0.1
    best = [*lines[:4], "[Val Info]:Epoch:4 MAE:0.1"]  # the last one is evaluated once more
    assert _accuracy(_card(best)) == (0.1, 0.1, "mae")


def _stepping(hour: int, epoch: int, last: int, steps: int) -> list[str]:
    lines = [f"epoch {epoch} step {s}/{steps} loss: 0.4" for s in range(20, last + 1, 20)]
    return [_CLOCK.format(h=hour, m=m) + line for m, line in enumerate(lines)]


@pytest.mark.parametrize(
    ("last", "steps", "seconds"),
    [
        (560, 900, 4 * 60.0),  # stopped, and begun again with another length
        (860, 900, 4 * 60.0),
        (880, 900, 3600 + 4 * 60.0),  # to its end: a second loop of the same epoch
        (560, 700, 4 * 60.0),  # of the same length, but half an hour later: no other rank's
    ],
)
def test_a_run_that_was_stopped_in_its_first_epoch(last: int, steps: int, seconds: float) -> None:
    end = _card([*_stepping(3, 1, last, steps), *_stepping(4, 1, 100, 700)]).run_end
    assert end is not None
    assert end["run_time_s"] == seconds


@pytest.mark.parametrize(
    ("last", "steps", "trouble", "epochs"),
    [
        (680, 699, "", 3),  # as far as the epochs before came, and no further line has room
        (680, 700, "", 2),
        (660, 686, "", 2),
        (680, 686, "RuntimeError: out of paper", 2),
    ],
)
def test_the_last_epoch_is_over_where_the_others_were(
    last: int, steps: int, trouble: str, epochs: int
) -> None:
    lines = [line for n in (1, 2) for line in _stepping(n, n, 680, steps)]
    lines += _stepping(3, 3, last, steps)
    if trouble:
        lines += ["Traceback (most recent call last):", '  File "a.py", line 3, in <module>']
    assert _card([*lines, trouble]).run["epochs"] == epochs


@pytest.mark.parametrize(
    ("between", "seconds"),
    [("", 600.0), ("val acc: 0.31", 600.0), ("loss: 2.5", 720.0)],
)
def test_a_run_of_which_only_the_first_epoch_was_named(between: str, seconds: float) -> None:
    begin = _CLOCK.format(h=3, m=10) + "Training epoch: 0"
    more = [_CLOCK.format(h=3, m=11) + between] if between else []
    again = _CLOCK.format(h=3, m=12) + "Training epoch: 0"
    trained = [_CLOCK.format(h=3, m=m) + f"epoch 0 step {m} loss: 1.{m}" for m in range(13, 23)]
    end = _card([begin, *more, again, *trained]).run_end
    assert end is not None
    assert end["run_time_s"] == seconds


def test_figures_below_a_line_that_names_their_data_are_of_that() -> None:
    lines = []
    for n, (dev, test) in enumerate([(61.5, 60.5), (72.5, 68.5), (71.5, 67.5)], 1):
        lines += [f"epoch {n} step {i} loss 0.{i}5" for i in (20, 40)]
        lines += ["evaluate: dev", f"accuracy: {dev}%; precision: 50.5%"]
        lines += ["evaluate: test", f"accuracy: {test}%; precision: 49.5%"]
    assert _accuracy(_card(lines)) == (67.5, 68.5, "acc1")
    trained = [f"epoch 4 step {i} loss 0.{i}5" for i in (20, 40)]  # it is of no data from here on
    assert _accuracy(_card([*lines, *trained, "accuracy: 70.5%; precision: 48.5%"]))[1] == 68.5


@pytest.mark.parametrize("ends", [True, False])
def test_figures_of_the_training_have_the_names_of_those_below_an_evaluations_heading(
    ends: bool,
) -> None:
    """As point cloud trainers print them: the heading names the evaluation and its epoch."""
    lines = []
    for n, (trained, tested) in enumerate([(14.4, 19.2), (33.1, 28.6), (46.1, 27.3)]):
        lines += [f"**** EPOCH {n:03} ****", "2023-05-20 14:29:18.628747"]
        lines += [line for i in (5, 7) for line in (f"mean acc: 0.8{i}", f"mean loss: 0.{i}3")]
        lines += [f"mean IoU:{trained}", f"**** EVAL EPOCH {n:03} START****"]
        lines += [f"eval mean loss: 0.9{n}", f"mean IoU:{tested}"]
        lines += [f"**** EVAL EPOCH {n:03} END****"] if ends else []
    begun = ["**** EPOCH 003 ****", "mean acc: 0.91", "mean loss: 0.71", "mean IoU:47.5"]
    card = _card([*lines, *begun])
    assert _accuracy(card) == (27.3, 28.6, "miou")
    assert card.dimensions["accuracy"].details["epoch"] == 2


def test_source_code_that_a_program_prints_of_itself_is_no_figure() -> None:
    """A number after a colon in braces is how another one is to be printed.

    Warnings show the line they are about, as those of scikit-learn do.
    """
    code = [
        '    log(f"{label} val_loss:{val_loss:.8f} val_bpb:{bpb:.8f} eval_time:{ms:.0f}ms")',
        '    log(f"{step}/{steps} val_loss: {val_loss:.4f} acc: {acc:.2%} f1 {f1:6.3f}")',
    ]
    figures = [f"step {n}00 val_loss: 2.{9 - n}" for n in range(1, 9)]
    for lines in (figures, [*code, *figures], [f"{{{line}}}" for line in figures]):
        assert _accuracy(_card(lines)) == (2.1, 2.1, "loss")


def test_the_best_that_a_linear_evaluation_closes_with_is_not_its_last() -> None:
    """As SwAV prints it, after a date that is no share of an evaluation's batches."""
    lines = []
    for epoch, score in enumerate((40.1, 50.1, 48.1)):
        clock = f"INFO - 03/01/20 10:0{epoch}"
        lines += [
            f"{clock}:{step // 10:02} - 0:00:00 - Epoch[{epoch}] - Iter: [{step}/500]\t"
            f"Time 0.112 (0.120)\tLoss 6.{step}0 (6.9)\tLR 0.3"
            for step in range(0, 500, 100)
        ]
        best = f"Best Acc@1 so far {max(score, 40.1 + 10 * min(epoch, 1)):.1f}"
        lines += [
            f"{clock}:55 - 0:00:00 - Test:\tTime 0.1\tLoss 2.{epoch}\tAcc@1 {score}00\t{best}"
        ]
    over = "Training of the supervised linear classifier on frozen features completed."
    lines += [f"INFO - 03/01/20 10:04:00 - 0:04:00 - {over}", "Top-1 test accuracy: 50.1"]
    card = _card(lines)
    assert _accuracy(card) == (48.1, 50.1, "acc1")
    assert card.status == "finished"


@pytest.mark.parametrize(
    "said",
    [
        "Training of model 1 finished",  # of several
        "Training of the first stage finished",
        "Training of the classifier finished with loss",
    ],
)
def test_the_end_of_a_part_is_not_that_of_the_training(said: str) -> None:
    lines = [f"epoch {n} step {i} loss 0.{n}{i}" for n in (1, 2, 3) for i in (20, 40)]
    assert _card([*lines, said]).status == "incomplete"
    assert _card([*lines, "Training of the classifier finished"]).status == "finished"

    rates = [f"step {n}00 loss: 0.5 tps: 100" for n in range(1, 9)]
    warned = ["x.py:817: RuntimeWarning: invalid value", "  recall = tps / tps[-1]"]
    card = _card([line for rate in rates for line in (rate, *warned)])
    assert card.dimensions["speed"].value == 100
    assert "negative_records" not in {warning.kind for warning in card.warnings}


@pytest.mark.parametrize(
    "start",
    [
        "Starting training for 9 epochs...",
        "Starting MAML for 9 meta epoch(s)",
        "Beginning training 9 epochs",
        "Starting training for 9 epochs on cuda:0",
        "Beginning training 9 epochs, saving every 5, batch size 4.",
        "Training for 9 epochs started!",
    ],
)
def test_a_program_that_says_that_it_starts_is_another_run_in_its_first_epoch(start: str) -> None:
    def attempt(*values: float) -> list[str]:
        epochs = enumerate(values)
        return [start, *(f"Epoch {n}: train loss 0.5, val acc {one}" for n, one in epochs)]

    card = _card([*attempt(0.9), *attempt(0.8), *attempt(0.1, 0.2, 0.3, 0.25)])
    assert _accuracy(card) == (0.25, 0.3, "acc1")
    assert (card.run["epochs"], card.run["epochs_planned"]) == (4, 9)
    assert any("the log holds 3 runs" in w.text for w in card.warnings)


@pytest.mark.parametrize(
    "sentence",
    [
        "Starting from now on the backbone is frozen for 2 epochs",
        "Start training 4 epoch",  # the fourth
        "Beginning training 4/6 epochs",
    ],
)
def test_a_sentence_about_epochs_starts_no_run(sentence: str) -> None:
    lines = [f"Epoch {n}: train loss 0.5, val acc 0.{n}" for n in range(1, 7)]
    lines.insert(3, sentence)
    card = _card(lines)
    assert card.run["epochs"] == 6
    assert not any(w.kind in ("several_runs", "resume") for w in card.warnings)


def _of_two_splits(logger: str, epochs: int) -> list[str]:
    out = [f"{logger}Starting training for 4 epochs...", f"{logger}Epoch 1: Warmup LR: 0.003"]
    for n in range(1, epochs + 1):
        out += [
            f"{logger}Epoch {n}/4 | Train: loss=0.{n}5 | Val: loss=0.{n}4, acc=7{n}.50%",
            f"{logger}Test Loss: 0.{n}9, Test Acc: 6{n}.25%",
        ]
    return out


@pytest.mark.parametrize("logger", ["", "DiseaseModel - ", "leaf.training: ", "trainer: "])
def test_a_new_training_begins_after_lines_that_named_no_epoch(logger: str) -> None:
    first = _of_two_splits(logger, 4)
    first.insert(1, f"{logger}Trying a batch, loss: 2.31")
    first.append(f"{logger}Training complete! Best val acc: 74.50% | Total time: 0.50 hours")
    card = _card([*first, *_of_two_splits(logger, 2)])
    assert (card.status, card.run["epochs"], card.run["epochs_planned"]) == ("incomplete", 2, 4)
    assert any("the log holds 2 runs" in w.text for w in card.warnings)


def test_epochs_begin_again_after_lines_that_named_no_epoch() -> None:
    """Without a header, too; the lines in front of the first label do not count as an epoch."""
    part = [f"Epoch {n}/4 | Train: loss=0.{n}5 | Val: acc=7{n}.50%" for n in range(1, 5)]
    card = _card(["Trying a batch, loss: 2.31", *part, *part[:3]])
    assert (card.status, card.run["epochs"]) == ("incomplete", 3)
    assert any("the log holds 2 runs" in w.text for w in card.warnings)


def test_a_training_with_lower_labels_begins_after_lines_that_named_no_epoch() -> None:
    """Epochs 5 to 9 of one training, then 1 to 3 of another: nothing of the first one stays."""

    def trained(labels: Iterable[int], value: int) -> list[str]:
        lines = [[f"epoch {n} step {s}/90 loss: 0.{n}{s}" for s in (30, 60, 90)] for n in labels]
        return [line for one in lines for line in (*one, f"val acc: 0.{value}{one[0][6]}")]

    card = _card(["Trying a batch, loss: 2.31", *trained(range(5, 10), 7), *trained((1, 2, 3), 5)])
    assert card.run["epochs"] == 3
    assert _accuracy(card) == (0.53, 0.53, "acc1")


def test_the_best_value_names_its_split_where_the_log_has_several() -> None:
    card = _card(_of_two_splits("", 4))
    assert _accuracy(card) == (64.25, 64.25, "acc1")
    assert card.dimensions["accuracy"].details["data"] == "test"
    card = _card(line for line in _of_two_splits("", 4) if "Test" not in line)
    assert "data" not in card.dimensions["accuracy"].details


def test_a_training_of_two_epochs_begins_again_after_the_evaluation_of_the_second() -> None:
    def trained(*validated: float) -> list[str]:
        pairs = [
            (f"Epoch{e} loss = 675.{e}", f"Train Acc = 0.3, Validation Acc = {value}")
            for e, value in enumerate(validated)
        ]
        return [line for pair in pairs for line in pair]

    card = _card([*trained(0.2775, 0.545), *trained(0.0042, 0.0617)])
    assert (card.run["epochs"], _accuracy(card)) == (2, (0.0617, 0.0617, "acc1"))
    # A loss of the first epoch that a buffer held back begins nothing.
    held = trained(0.2775, 0.545)[:3]
    assert _accuracy(_card([*held, "Epoch0 loss = 675.1", "Validation Acc = 0.545"]))[1] == 0.545


@pytest.mark.parametrize("begin", ["█████▌    | ", "██████████| ", " 55%|█████▌    | ", "|█████| "])
def test_a_bar_whose_beginning_is_missing_is_of_unknown_work(begin: str) -> None:
    """As where the text of a terminal was copied: a test has a pace, too."""
    bar = begin + "{}/40 [00:0{}<00:03, 5.00it/s]"
    tested = ["data: night", "acc: 0.71", "auc: 0.74", "data: rain", "acc: 0.62", "auc: 0.66"]
    card = _card([bar.format(20, 4), bar.format(40, 8), *tested])
    assert card.dimensions["speed"].value is None


def test_evaluations_below_headings_of_epochs_begin_again_with_another_run() -> None:
    """The first run begins with epoch 0, so epoch 1 of the second is not below all of its epochs."""
    runs = ((0, 0.62), (1, 0.41))
    lines = []
    for first, best in runs:
        for n in range(first, 6):
            lines += [f"=====epoch:{n}=====", f"val acc : {best - 0.1 * abs(3 - n):.2f}"]
    assert _accuracy(_card(lines)) == (0.21, 0.41, "acc1")  # not 0.62


_TRIAL = "[I 2026-03-01 12:00:0{n},123] Trial {n} "
_FINISHED = "finished with value: {best} and parameters: {{'lr': 0.01}}. Best is trial 0."


@pytest.mark.parametrize("over", [_FINISHED, "pruned. "])
@pytest.mark.parametrize("line", ["Epoch {n}/3 - train_loss: 0.5 - val_acc: {acc}"])
def test_each_trial_of_a_search_is_a_run(over: str, line: str) -> None:
    """Optuna says when a training is over; the next one begins with the first epoch again."""
    lines = []
    for trial, best in enumerate((0.9, 0.6, 0.8)):
        lines += [line.format(n=n, acc=best - 0.1 * (3 - n)) for n in (1, 2, 3)]
        lines.append((_TRIAL + over).format(n=trial, best=best))
    card = _card(lines)
    assert _accuracy(card) == (pytest.approx(0.8), pytest.approx(0.8), "acc1")
    assert (card.status, card.run["epochs"]) == ("finished", 3)
    assert [w.text for w in card.warnings] == ["the log holds 3 runs; this is run 3"]
    going_on = _card(lines[:-2])
    assert (going_on.status, going_on.run["epochs"]) == ("incomplete", 2)
