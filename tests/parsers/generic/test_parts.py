"""Lines of own loops: parts of the training and of the evaluation, classes, other rates."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, Evaluation, Iteration
from sixdim.parsers.grammar.meaning.named_numbers import named_numbers
from tests.support.corpus import text
from tests.support.logs import facts, only, scored


@pytest.mark.parametrize(
    "line",
    [
        "Epoch {e}/9 | Train: loss=0.5, acc=0.91 | Val: loss=0.6, acc=0.7{e}",
        "epoch={e} train[loss=0.5, top1=0.91] valid[loss=0.6, top1=0.7{e}]",
        "Epoch {e} (train) loss 0.5 top1 0.91 (val) loss 0.6 top1 0.7{e}",
        "[Epoch {e}] [Train] Loss: 0.5 | Acc: 0.91 [Test] Loss: 0.6 | Acc: 0.7{e}",
        "[{e}] train: loss 0.5 acc 0.91 - valid: loss 0.6 acc 0.7{e}",
        "Ep {e}/9 lr=4.1e-05 tr_loss=0.5 tr_acc=0.91 | va_loss=0.6 va_acc=0.7{e} [59s]",
        "Epoch {e} - train set: acc 0.91 - val set: acc 0.7{e} - test set: acc 0.65",
    ],
)
def test_a_heading_says_of_what_the_figures_after_it_are(line: str) -> None:
    _name, events = text(*(line.format(e=e) for e in range(1, 6)))
    found = [next(m for m in e.metrics if m.name == "acc1") for e in only(events, Evaluation)]
    assert [m.value for m in found] == [pytest.approx(0.7 + e / 100) for e in range(1, 6)]


def test_a_heading_of_the_training_alone_is_of_the_whole_line() -> None:
    lines = [f"Train: [{e}/9] step {s}/20 loss: 0.5 acc: 0.91" for e in (1, 2) for s in (10, 20)]
    _name, events = text(*lines)
    # What the count in front of the step counts is known from the second line on.
    assert [(i.epoch, i.step) for i in only(events, Iteration)] == [(1, 20), (2, 10), (2, 20)]
    assert not only(events, Evaluation)


def test_a_loss_of_the_class_is_one_of_all_classes() -> None:
    """`loss_class` is a part of a detector's loss; `class 4 iou` is a figure of one class."""
    line = "Epoch: [{e}] [{s}/464] learning_rate: 0.1 loss_class: 0.3 loss: 8.5 ips: 4.25 images/s"
    card = scored("".join(line.format(e=e, s=s) + "\n" for e in range(12) for s in (0, 200, 400)))
    assert card["dimensions"]["speed"]["value"] == 4.25
    assert card["run"]["epochs"] == 12
    _name, events = text(*(f"class {n} iou: 0.5{n}" for n in range(5)), "Mean IoU is 0.36")
    assert not [m for e in only(events, Evaluation) for m in e.metrics if m.value > 0.5]


@pytest.mark.parametrize(
    "alone", ["Total sample number: 232, average FPS: 8.36", "Final Throughput: 21.03 V/s"]
)
def test_frames_per_second_alone_are_of_an_inference(alone: str) -> None:
    said = "epoch {e} step {s}/400 loss: 8.5"
    lines = [said.format(e=e, s=s) for e in (1, 2) for s in (200, 400)]
    of_training = scored("\n".join([*lines, alone, *lines, alone]) + "\n")
    assert of_training["dimensions"]["speed"]["value"] is None
    named = scored("\n".join(f"{one} FPS: 8.5" for one in lines) + "\n")
    assert named["dimensions"]["speed"]["value"] == 8.5


@pytest.mark.parametrize(
    ("heading", "rate"),
    [
        ("Pre-fetching 2266 unique images ...", None),
        ("Caching the images…", None),
        ("Inference:", None),
        ("Training on 2266 images ...", 100.0),
        ("Loaded 2266 images", None),  # nothing says what is counted
        ("Loading the images ...\nTraining:", 100.0),
    ],
)
def test_counts_and_rates_under_a_heading_are_of_its_work(heading: str, rate: float | None) -> None:
    lines = [heading, *(f"  {n}00/2200  (100 img/s  ETA {30 - n}s)" for n in range(1, 23))]
    assert scored("\n".join([*lines, ""]))["dimensions"]["speed"]["value"] == rate


def test_the_table_of_pycocotools_has_one_figure() -> None:
    table = [
        " Average Precision  (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = 0.3{e}",
        " Average Precision  (AP) @[ IoU=0.50      | area=   all | maxDets=100 ] = 0.9",
        " Average Precision  (AP) @[ IoU=0.50:0.95 | area= small | maxDets=100 ] = 0.8",
        " Average Recall     (AR) @[ IoU=0.50:0.95 | area=   all | maxDets=  1 ] = 0.7",
    ]
    lines = [f"epoch {{e}} step {s}/40 loss 1.5" for s in (20, 40)]
    _name, events = text(*(one.format(e=e) for e in (1, 2, 3) for one in [*lines, *table]))
    found = [(e.epoch, [(m.name, m.value) for m in e.metrics]) for e in only(events, Evaluation)]
    assert found == [(e, [("box", float(f"0.3{e}"))]) for e in (1, 2, 3)]


def test_steps_after_the_last_one_of_an_epoch_are_an_evaluations() -> None:
    """Paddle's high-level loop prints both alike; the number of steps tells them apart."""
    lines = [
        one.format(e=e)
        for e in range(1, 4)
        for one in (
            "Epoch {e}/3",
            "step 10/20 - loss: 0.5 - acc: 0.5 - 300ms/step",
            "step 20/20 - loss: 0.5 - acc: 0.6 - 300ms/step",
            "Eval begin...",
            "step 4/8 - loss: 0.4 - acc: 0.7 - 50ms/step",
            "step 8/8 - loss: 0.4 - acc: 0.7 - 50ms/step",
        )
    ]
    _name, events = text(*lines)
    assert {i.steps for i in only(events, Iteration) if i.loss} == {20}
    assert scored("\n".join(lines) + "\n")["run"]["epochs"] == 3


@pytest.mark.parametrize(("last", "epochs"), [(20, 3), (19, 2)])
def test_an_epoch_is_over_with_its_last_step(last: int, epochs: int) -> None:
    lines = [
        f"Epoch: [{e}/3] Iter [{s}/20] loss: 0.5"
        for e in range(3)
        for s in (10, last if e > 1 else 20)
    ]
    assert scored("\n".join(lines) + "\n")["run"]["epochs"] == epochs


def test_a_full_bar_of_a_validation_is_an_evaluation_where_its_figures_say_so() -> None:
    train = "Train Epoch {e}: 100%|████| 30/30 [00:04<00:00,  7.5it/s, Loss=0.25, Dice=0.9]"
    half = "Validate:  50%|██  | 4/8 [00:00<00:00, 19.9it/s, Val Loss=0.9, Val Dice=0.1]"
    full = "Validate: 100%|████| 8/8 [00:00<00:00, 19.9it/s, Val Loss=0.5, Val Dice=0.7{e}]"
    name, events = text(*(one.format(e=e) for e in range(4) for one in (train, half, full)))
    assert name == "generic"
    found = [(e.epoch, [(m.name, m.value) for m in e.metrics]) for e in only(events, Evaluation)]
    assert found == [(e, [("loss", 0.5), ("dice", float(f"0.7{e}"))]) for e in range(4)]


def test_two_times_of_an_iteration_are_not_mixed() -> None:
    lines = [
        one.format(s=s)
        for s in range(10, 60, 10)
        for one in ("step {s} loss 0.5 batch time: 0.25 s", "step time: 4.0 s loss 0.5")
    ]
    speed = scored("\n".join(lines) + "\n")["dimensions"]["speed"]
    assert speed["value"] == pytest.approx(4)


@pytest.mark.parametrize(("line", "read"), [("AP: 89.1, 78.2, 77.3", 0), ("AP: 89.1, step 3", 1)])
def test_a_list_is_of_several(line: str, read: int) -> None:
    found = [n for n in named_numbers(line) if n.role == "quality"]
    assert len(found) == read


def test_the_k_of_top_k_is_a_part_of_the_name() -> None:
    lines = [
        one.format(e=e, x=0.2 + e / 100, y=0.5 + e / 100)
        for e in range(4)
        for one in ("Epoch: {e}/4,top 1 acc: {x:.4f}", "Epoch: {e}/4,top 5 acc: {y:.4f}")
    ]
    accuracy = scored("\n".join(lines) + "\n")["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("acc1", 0.23)


def test_a_loss_that_is_split_says_nothing_of_an_accuracy_that_is_not() -> None:
    lines = [
        one.format(s=s)
        for s in (100, 200, 300)
        for one in (
            "[{s}/900] Train loss: 0.5, Valid loss: 0.75, Elapsed_time: 12.5",
            "Current_accuracy : 96.{s}, Current_norm_ED  : 0.39",
        )
    ]
    accuracy = scored("\n".join(lines) + "\n")["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("acc1", 96.3)


def test_a_date_in_the_middle_of_a_line_is_no_part() -> None:
    """`13/09/24` is not the thirteenth of nine batches of an evaluation."""
    lines = [
        f"0/? [00:00][{day}/09/24 01:02] Epoch {day}: v_loss 0.{day} val_acc 0.{day}\n"
        for day in range(11, 20)
    ]
    accuracy = scored("".join(lines))["dimensions"]["accuracy"]
    assert (accuracy["epoch"], accuracy["value"]) == (19, 0.19)


@pytest.mark.parametrize(
    ("line", "step"),
    [
        ("iteration: {e} step: {s}/160 loss: 0.4{s}", 160),
        ("iteration: {e}{s} step: {s}/160 loss: 0.4{s}", None),  # of what is not known
        ("step: {s}/160 iteration: {e} loss: 0.4{s}", 160),
        ("epoch: {e} iteration: 7{s} step: {s}/160 loss: 0.4{s}", 7160),
    ],
)
def test_of_two_counters_the_outer_one_is_no_step(line: str, step: int | None) -> None:
    lines = [line.format(e=e, s=s) for e in range(1, 9) for s in (40, 80, 120, 160)]
    _name, events = text(*lines)
    read = only(events, Iteration)
    assert (read[-1].step if read else None) == step


@pytest.mark.parametrize(("steps", "epochs"), [(19, None), (20, 8), (160, 8)])
def test_the_outer_of_two_counters_counts_epochs_of_twenty_steps_or_more(
    steps: int, epochs: int | None
) -> None:
    lines = [
        f"iteration:{e} step:{s}/{steps}, loss: 0.4{e}{s}\n"
        for e in range(1, 9)
        for s in range(1, steps + 1)
    ]
    assert scored("".join(lines))["run"]["epochs"] == epochs


def test_a_part_of_the_loss_after_two_counters_is_still_training() -> None:
    """As BiLSTM taggers print it; a log of nothing else was not recognised at all."""
    lines = [f"iteration:1 step:{s}00/5061, NER loss:{9 / s:.6f}" for s in range(1, 9)]
    name, events = text(*lines)
    assert (name, len(only(events, Iteration))) == ("generic", 7)  # from the second line on


@pytest.mark.parametrize(
    "line",
    [
        "[Epoch {e}] Train / Test accuracy: 0.95 / 0.7{e}.",  # Haiku's example
        "Epoch {e} train/val loss: 0.5/0.6, train/val acc: 0.95/0.7{e}",
        "Epoch {e} | train acc / val acc: 0.95 / 0.7{e}",
        "Epoch {e} accuracy (train/test): 95.0%/7{e}.0%",
        "Epoch {e}, train, val and test acc: 0.95, 0.7{e} and 0.65",
        "Epoch {e} test/train acc 0.7{e}/0.95",
    ],
)
def test_one_name_for_figures_of_several_splits(line: str) -> None:
    _name, events = text(*(line.format(e=e) for e in range(1, 6)))
    found = [next(m for m in e.metrics if m.name == "acc1") for e in only(events, Evaluation)]
    unit = 100 if "%" in line else 1
    assert [m.value for m in found] == [pytest.approx((0.7 + e / 100) * unit) for e in range(1, 6)]


@pytest.mark.parametrize(
    "line",
    [
        "Epoch {e} best / val acc: 0.95 / 0.7{e}",
        "Epoch {e} Train / Test acc: 0.95",
        "Epoch {e} Train acc / Test loss: 0.95 / 0.7{e}",
        "Epoch {e} Train / Val acc / Test: 0.95 / 0.8{e} / 0.7{e}",
    ],
)
def test_names_that_do_not_fit_the_numbers_are_of_no_split(line: str) -> None:
    named = [named_numbers(line.format(e=e)) for e in range(1, 6)]
    assert not any(one.split == "train" for numbers in named for one in numbers)


@pytest.mark.parametrize(("last", "status"), [(200, "finished"), (150, "incomplete")])
def test_an_epoch_time_on_a_line_of_an_unfinished_epoch_is_none(last: int, status: str) -> None:
    """minimind prints the minutes that are left under that name."""
    lines = [
        f"Epoch:[1/1]({s}/200), loss: 1.9, lr: 0.00001, epoch_time: {(200 - s) / 10}min"
        for s in range(50, last + 1, 50)
    ]
    card = scored("\n".join(lines) + "\n")
    assert (card["status"], card["run_end"]["run_time_s"]) == (status, None)


def test_the_epoch_of_a_figure_is_not_the_figure() -> None:
    assert named_numbers("best accuracy at epoch: 3") == []
    (epoch, accuracy) = named_numbers("accuracy at epoch 3: 0.75")
    assert (epoch.role, epoch.value) == ("epoch", 3)
    assert (accuracy.role, accuracy.value) == ("quality", 0.75)


def test_the_epoch_of_the_best_figure_so_far_is_not_that_of_the_line() -> None:
    """EDSR prints the figure of now, and in brackets the best one and its epoch."""
    for line in ("PSNR: 29.3 (Best: 33.9 @epoch 1)", "acc 0.71 (best 0.83 at epoch 1)"):
        (figure,) = named_numbers(line)
        assert (figure.role, figure.value) == ("quality", float(line.split()[1]))
    roles = [one.role for one in named_numbers("val acc 0.71, best 0.83, epoch 1")]
    assert roles == ["quality", "epoch"]
    lines = [
        f"[Epoch {epoch}]\tLearning rate: 1.00e-4\n\nEvaluation:\n"
        f"[DIV2K x2]\tPSNR: {29 + 1 / epoch:.3f} (Best: 30.000 @epoch 1)\nForward: 8.90s\n\n"
        for epoch in range(1, 8)
    ]
    assert scored("".join(lines))["run"]["epochs"] == 7


@pytest.mark.parametrize(("words", "epochs"), [("Evaluating epochs", 0), ("Training epochs", 9)])
def test_a_bar_of_epochs_that_are_evaluated_trains_none(words: str, epochs: int) -> None:
    """A program may evaluate the checkpoints of all epochs after the training."""
    _name, events = text(
        *(
            f"{words}: {100 * n // 9}%|███   | {n}/9 [00:0{n}<00:09, 2.00s/epoch, acc=0.{n}]"
            for n in range(1, 10)
        )
    )
    assert len({e.epoch for e in only(events, EpochEnd)}) == epochs


def test_the_count_that_a_bar_has_in_its_description_is_no_epoch() -> None:
    drawn = "iter {i} loss 0.{i:03}: 10%|#  | {n}/160 [00:0{n}<00:09, 10.0it/s]\r"
    bars = "".join(drawn.format(i=i, n=i) + drawn.format(i=i, n=i + 1) for i in range(160))
    assert not scored(bars + "iter 160: val loss 0.3, val accuracy 0.8\n")["run"].get("epochs")


@pytest.mark.parametrize("bar", ["[{done}{left}]", "[{done}>{left}]"])
@pytest.mark.parametrize(("done", "left"), [("=", "."), ("#", " "), ("█", "░"), ("*", "-")])
def test_the_count_after_a_bar_that_a_loop_draws_itself_is_the_step(
    bar: str, done: str, left: str
) -> None:
    drawn = [bar.format(done=n * done, left=(8 - n) * left) for n in range(9)]
    lines = [f"Epoch {e}/3 {drawn[n]} {5 * n}/40 loss: 0.{e}{n}" for e in (1, 2, 3) for n in (2, 8)]
    _name, events = text(*lines)
    read = [e for e in events if isinstance(e, Iteration)]
    assert [(e.epoch, e.step, e.steps) for e in read[:2]] == [(1, 10, 40), (1, 40, 40)]
    assert facts(events) == {"epochs_planned": 3}


@pytest.mark.parametrize(
    ("line", "dice"),
    [
        ("Epoch {n} | Total: 1.{n} | Dice: 0.{n} | BCE: 1.2", None),
        ("Epoch {n} | Dice: 0.{n} | Recall: 0.5", 0.5),
        ("Epoch {n} | Total: 1.{n} | Val Dice: 0.{n} | Val BCE: 1.2", 0.5),
    ],
)
def test_a_dice_beside_a_cross_entropy_is_a_part_of_the_loss(line: str, dice: float | None) -> None:
    card = scored("".join(f"{line}\n".format(n=n) for n in range(1, 6)))
    assert card["dimensions"]["accuracy"]["value"] == dice


@pytest.mark.parametrize(
    ("figures", "accuracy"),
    [
        ("{'color': {'acc': 0.5, 'f1': 0.4}, 'shape': {'acc': 0.7, 'f1': 0.6}}", None),
        ("{'color': {'acc': 0.5}, 'shape': {'acc': 0.7}, 'mean_acc': 0.6}", 0.6),
        ("{'color': {'acc': 0.5}, 'shape': {'iou': 0.7}}", 0.5),
    ],
)
def test_a_figure_of_each_head_is_none_of_the_model(figures: str, accuracy: float | None) -> None:
    lines = [f"Epoch {e} train loss 0.{9 - e}\nval metrics: {figures}\n" for e in range(1, 6)]
    assert scored("".join(lines))["dimensions"]["accuracy"]["value"] == accuracy
