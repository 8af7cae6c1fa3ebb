"""Progress bars that count epochs: an epoch in a second is no iteration in a second."""

from __future__ import annotations

from typing import Any

import pytest

from sixdim.parsers.events import EpochEnd, Evaluation, Iteration
from sixdim.parsers.grammar.meaning.named_numbers import named_numbers
from tests.support.logs import facts, only, read, scored


def bar(done: int, of: int, pace: str, rest: str = "") -> str:
    return f"{100 * done // of}%|███   | {done}/{of} [00:0{done}<00:09, {pace}{rest}]"


def drawn(done: int, rest: str) -> str:
    return "Training epochs on cpu: " + bar(done, 9, "2.00epoch/s", rest)


def ends(lines: list[str]) -> list[tuple[int | None, dict[str, float]]]:
    events = read("".join(f"{line}\n" for line in lines), "generic")
    return [
        (e.epoch, {m.name: m.value for m in e.values}) for e in events if isinstance(e, EpochEnd)
    ]


def test_figures_that_stand_there_before_the_count_are_of_the_epoch_that_is_counted_next() -> None:
    lines = [drawn(0, "")]
    for done in range(1, 4):
        lines += [drawn(done - 1, f", loss=0.{9 - done}"), drawn(done, f", loss=0.{9 - done}")]
    assert ends(lines) == [(1, {"loss": 0.8}), (2, {"loss": 0.7}), (3, {"loss": 0.6})]


def test_figures_that_come_after_the_count_are_of_the_epoch_that_was_counted() -> None:
    lines, rest = [drawn(0, "")], ""
    for done in range(1, 4):
        lines.append(drawn(done, rest))
        rest = f", loss=0.{9 - done}"
        lines.append(drawn(done, rest))
    losses = [(epoch, said["loss"]) for epoch, said in ends(lines) if said]
    assert losses == [(1, 0.8), (2, 0.7), (3, 0.6)]


def epochs_and_batches(inner: str) -> str:
    lines = ["Training epochs on cpu: " + bar(0, 9, "?epoch/s")]
    for done in range(1, 10):
        lines += [
            f"{inner}  50%|███   | 20/40 [00:02<00:02, 10.00it/s, loss=0.5]",
            f"{inner} 100%|██████| 40/40 [00:04<00:00, 10.00it/s, loss=0.4]",
            drawn(done, ", loss=0.4"),
        ]
    return "".join(f"{line}\n" for line in lines)


def test_the_bar_of_batches_inside_it_is_of_the_epoch_that_is_counted_next() -> None:
    text = epochs_and_batches("Training batches:")
    steps = [e for e in read(text, "generic") if isinstance(e, Iteration)]
    assert [(e.epoch, e.step) for e in steps[:4]] == [(1, 20), (1, 40), (2, 20), (2, 40)]
    card = scored(text)
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (9, 9)
    assert card["status"] == "finished"
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(10.0), "it/s")


def test_where_lines_name_their_epoch_the_count_says_nothing() -> None:
    lines = epochs_and_batches("Training batches:").splitlines()
    named = [line.replace("Training batches:", f"Epoch {n // 3}:") for n, line in enumerate(lines)]
    events = read("".join(f"{line}\n" for line in named), "generic")
    labels = {e.epoch for e in events if isinstance(e, Iteration | EpochEnd)}
    assert labels == set(range(9))


@pytest.mark.parametrize("after", [False, True], ids=["before the count", "after the count"])
@pytest.mark.parametrize("printed", [False, True], ids=["in the bar", "in a line, too"])
def test_an_evaluation_in_it_is_that_of_the_epoch_that_lines_name(
    after: bool, printed: bool
) -> None:
    lines = [drawn(0, "")]
    for epoch in range(5):
        lines.append(f"Training epoch {epoch}: 100%|███| 40/40 [00:04<00:00, 10.00it/s, loss=0.4]")
        if printed:
            lines.append(f"epoch {epoch}: val_acc=0.{epoch}75")
        rest = f", train_loss=0.5, val_acc=0.{epoch}5"
        before = rest if not after else f", train_loss=0.5, val_acc=0.{epoch - 1}5"
        lines.append(drawn(epoch, before if epoch or not after else ""))
        lines.append(drawn(epoch + 1, before if epoch or not after else ""))
        lines += [drawn(epoch + 1, rest)] if after else []
    events = read("".join(f"{line}\n" for line in lines), "generic")
    found = [(e.epoch, e.metrics[0].value) for e in events if isinstance(e, Evaluation)]
    digit = "75" if printed else "5"
    assert found == [(epoch, float(f"0.{epoch}{digit}")) for epoch in range(5)]


def test_an_evaluation_is_that_of_the_epoch_with_which_it_is_counted() -> None:
    lines = [drawn(0, "")]
    for done in range(1, 4):
        rest = f", val_acc=0.{done}5"
        lines += [drawn(done - 1, rest), drawn(done, rest)]
    events = read("".join(f"{line}\n" for line in lines), "generic")
    tested = [(e.epoch, e.metrics[0].value) for e in events if isinstance(e, Evaluation)]
    assert tested == [(1, 0.15), (2, 0.25), (3, 0.35)]
    assert facts(events)["epochs_planned"] == 9


@pytest.mark.parametrize("unit", ["2.00epoch/s", "2.00s/epoch", "2.00ep/s", "2.00Epochs/s"])
def test_the_unit_of_its_pace_says_that_it_counts_epochs(unit: str) -> None:
    (event,) = ends(["Training: " + bar(3, 9, unit)])
    assert event == (3, {})


def labelled(first: int, of: str, total: int) -> dict[str, Any]:
    """A card of a bar over epochs with their label in front of it, drawn twice in each."""
    lines = []
    for done in range(20):
        head = f"Epoch {first + done}{of} loss 0.{99 - done}: "
        for count in (done, done + 1):
            share = 100 * count // total
            pace = f"[00:{count:02}<00:09,  5.00it/s]"
            lines.append(f"{head}{share:3}%|███   | {count}/{total} {pace}")
    return scored("".join(f"{line}\n" for line in lines))


@pytest.mark.parametrize(("first", "of"), [(1, "/20"), (0, ""), (1, "")])
def test_a_bar_that_goes_on_with_the_epochs_counts_them(first: int, of: str) -> None:
    card = labelled(first, of, 20)
    assert card["run"]["epochs"] == 20
    assert card["dimensions"]["speed"]["value"] is None


@pytest.mark.parametrize("of", ["/20", ""])
def test_a_bar_that_begins_anew_with_each_epoch_counts_its_batches(of: str) -> None:
    lines = [
        f"Epoch {epoch}{of}: {5 * count:3}%|███   | {count}/20 [00:0{count // 5}<00:03,  5.00it/s]"
        for epoch in range(1, 21)
        for count in range(0, 21, 5)
    ]
    card = scored("".join(f"{line}\n" for line in lines))
    assert card["run"]["epochs"] == 20
    assert card["dimensions"]["speed"]["value"] == pytest.approx(5.0)


def test_a_bar_that_is_called_epochs_counts_them() -> None:
    lines = ["Epochs: " + bar(0, 4, "?it/s")]
    for done in range(1, 5):
        lines += [f"Training: {bar(at, 5, '2.00it/s')}" for at in range(1, 6)]
        lines.append("Epochs: " + bar(done, 4, "6.00s/it"))
    text = "".join(f"{line}\n" for line in lines)
    assert {e.epoch for e in read(text, "generic") if isinstance(e, EpochEnd)} == {1, 2, 3, 4}
    card = scored(text)
    assert card["run_end"]["epochs"] == 4
    assert card["dimensions"]["speed"]["value"] == pytest.approx(1.0)  # 5 in 5 s
    assert not card["warnings"]


@pytest.mark.parametrize("unit", ["it", "epoch"])
def test_bars_of_batches_inside_a_bar_that_is_named_after_epochs(unit: str) -> None:
    """As PyKEEN draws them: 333 batches in 0.6 s of an epoch of 2 s, 555 in a second."""
    text = ""
    for epoch in range(6):
        done, clock = f"{epoch}/6 [00:{2 * epoch:02}<00:12", f"0.50{unit}/s, loss={1 / (epoch + 1)}"
        text += f"\rTraining epochs on cpu:  10%|#  | {done}, {clock}, prev_loss=1.2]"
        for batch, seconds in ((111, 0), (222, 0), (333, 0)):
            bar = f"{batch}/333 [00:{seconds:02}<00:00, 555.00it/s]"
            text += f"\n\rTraining batches on cpu:  10%|#  | {bar}\x1b[A"
    text += f"\rTraining epochs on cpu: 100%|###| 6/6 [00:12<00:00, 0.50{unit}/s, loss=0.1]\n"
    card = scored(text)
    assert card["dimensions"]["speed"]["value"] == pytest.approx(555)
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (6, 6)
    assert card["warnings"] == []


def test_a_bar_of_batches_after_the_number_of_its_epoch_counts_batches() -> None:
    """`Epochs 2/3: 30/30` follows a label: 30 are no epochs."""
    text = "".join(
        f"\rTraining epochs {epoch}/3:  10%|#  | {step}/30 [00:0{step // 10}<00:02, 10.00it/s, loss=1]"
        for epoch in (1, 2, 3)
        for step in (10, 20, 30)
    )
    assert scored(text + "\n")["run"].get("epochs_planned") != 30


@pytest.mark.parametrize(
    "line",
    [
        "166100992/166094648 [==============================] - 127s 1us/step",
        " 313/1000 [========>.....................] - ETA: 2s - 3ms/step",
        "922/922 ━━━━━━━━━━━━━━━━━━━━ 15s 16ms/step",
    ],
)
def test_a_bar_of_keras_without_a_figure_is_of_a_download_or_a_prediction(line: str) -> None:
    text = "".join(
        f"epoch {e} step {s} loss 0.5{e} 10 ms/step\n{line}\n" for e in (1, 2) for s in (1, 2)
    )
    assert {e.duration for e in read(text, "generic") if isinstance(e, Iteration)} == {0.01}


def test_a_loop_that_counts_from_0_inside_bars_that_count_from_1() -> None:
    """Each epoch has four steps of two seconds; the line beside the bar has the run's step."""
    lines = []
    for epoch in range(5):
        label = f"Epoch {epoch + 1}/5::"
        drawn = [f"{label} 10%|#  | {s}/4 [00:0{2 * s}<00:02, 2.00s/batch]" for s in range(1, 5)]
        lines += [
            f"Train: STEP {4 * epoch} - EPOCH {epoch}/5 | 3D loss: 0.5 | loss: 0.{epoch}",
            *drawn,
        ]
    card = scored("\n".join(["Epoch 1/5:: 0%|  | 0/4 [00:00<?, ?batch/s]", *lines, ""]))
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (5, 5)
    assert card["dimensions"]["speed"]["value"] == pytest.approx(0.5)
    assert card["warnings"] == []


@pytest.mark.parametrize("again", [0, 1, 2])
def test_the_bar_of_the_whole_run_may_be_drawn_once_more_where_it_stood(again: int) -> None:
    """tqdm draws it when it is closed, after the lines of the last epoch."""
    lines = [steps(0)]
    for epoch in range(4):
        lines += [steps(20 * epoch + 10), steps(20 * epoch + 20)]
        lines.append(f"epoch {epoch}: train_loss 0.{9 - epoch} val_acc 0.{5 + epoch}")
    card = scored("".join(f"{line}\n" for line in [*lines, *[steps(80)] * again]))
    assert card["run"]["epochs"] == 4
    assert card["dimensions"]["accuracy"]["value"] == 0.8


def steps(done: int) -> str:
    left = f"{done}/80 [00:0{done // 10}<00:09, 10.00it/s, loss=0.5]"
    return f"{100 * done // 80}%|███   | {left}"


def test_a_bar_that_is_drawn_only_when_it_is_full_is_one_of_each_epoch() -> None:
    lines = []
    for epoch in range(4):
        lines.append("100%|██████| 40/40 [00:04<00:00, 10.00it/s, loss=0.4]")
        lines.append(f"epoch {epoch}: train_loss 0.{9 - epoch} val_acc 0.{5 + epoch}")
    card = scored("".join(f"{line}\n" for line in lines))
    assert card["run"]["epochs"] == 4
    assert [card["dimensions"]["speed"][key] for key in ("value", "unit")] == [10.0, "it/s"]


@pytest.mark.parametrize(("end", "found"), [("", [0.5]), ("]", [0.5, 0.7]), (", lr=", [0.5, 0.7])])
def test_a_number_in_which_a_bar_was_cut_is_no_figure(end: str, found: list[float]) -> None:
    """tqdm cuts a bar to its `ncols`: what is left of 0.78 may be 0.7."""
    line = f"Epoch 1:  50%|███   | 20/40 [00:02<00:02, 10.00it/s, loss=0.5, acc=0.7{end}"
    figures = [one.value for one in named_numbers(line) if one.role in ("loss", "quality")]
    assert figures == found


def test_a_bar_of_batches_after_the_short_word_for_an_epoch() -> None:
    bars = [f"Ep {e}: 100%|█████| 46/46 [00:13<00:00,  3.5{e}batch/s]" for e in range(1, 5)]
    speed = scored("\n".join(bars) + "\n")["dimensions"]["speed"]
    assert (round(speed["value"], 1), speed["unit"]) == (3.5, "it/s")


@pytest.mark.parametrize("begins", ["Going into epoch {}", "Starting epoch {}", "Epoch {}"])
def test_a_line_in_front_of_the_bars_names_their_epoch(begins: str) -> None:
    """The figures of an epoch stand after its bars."""
    lines: list[str] = []
    for epoch in (1, 2, 3):
        lines += [
            f"INFO:loop:{begins.format(epoch)}",
            f"  0%|          | 0/40 [00:00<?, ?it/s, train_loss=0.{9 - epoch}]",
            f"100%|██████████| 40/40 [00:02<00:00, 20.00it/s, train_loss=0.{9 - epoch}]",
            f"INFO:root:epoch: {epoch} | lr: 1.00e-01 | train loss: 6.6e-01 | valid loss: 6.1e-01",
        ]
    card = scored("".join(f"{line}\n" for line in lines))
    speed = card["dimensions"]["speed"]
    assert (card["run"]["epochs"], speed["value"], speed["window"]) == (3, 20.0, [1, 2, 3])


def test_a_bar_of_epochs_says_that_one_is_over_where_its_name_stands_after_it() -> None:
    lines = ["  0%|          | 0/3 [00:00<?, ?epoch/s]"]
    for done in range(1, 4):
        lines += [
            "  0%|          | 0.00/12 [00:00<?, ?batch/s]",
            " 42%|####      | 5.00/12 [00:05<00:07, 1.00s/batch, loss=0.5]",
            "100%|##########| 12.0/12 [00:12<00:00, 1.00s/batch, loss=0.4]",
            f"Epoch {done}:",
            f"loss=0.4, accuracy=0.{done}",
            f"{done}0%|#   | {done}/3 [00:12<00:24, 12.00s/epoch, loss=0.4]",
        ]
    events = read("".join(f"{line}\n" for line in lines), "generic")
    steps = [(e.epoch, e.step) for e in events if isinstance(e, Iteration) and e.step]
    assert steps == [(1, 5), (1, 12), (2, 5), (2, 12), (3, 5), (3, 12)]


@pytest.mark.parametrize(("count", "step"), [("98.0", 98), ("9.00", 9), ("98.5", None)])
def test_a_count_below_a_hundred_of_a_scaled_bar_has_decimals(count: str, step: int | None) -> None:
    named = named_numbers(f"train  57%|#####   | {count}/171 [00:43<00:43, 1.68batch/s, loss=3.9]")
    assert {one.role: one.value for one in named}.get("step") == step


def test_the_mean_of_a_bar_over_all_epochs_leaves_out_the_evaluations_between_them() -> None:
    """100 iterations an epoch, 2 s each, and 50 s of evaluation after each epoch."""
    lines = []
    for epoch in range(4):
        lines.append(f"Epoch {epoch + 1}/4")
        for done in range(100 * epoch + 1, 100 * epoch + 101):
            minutes, seconds = divmod(2 * done + 50 * epoch, 60)
            drawing = f"{done}/400 [{minutes:02}:{seconds:02}<09:00,  2.00s/it, loss=0.4{done}]"
            lines.append(f"Training: {done // 4}%|███   | {drawing}")
        lines.append(f"val acc: 0.8{epoch}")
    speed = scored("".join(f"{line}\n" for line in lines))["dimensions"]["speed"]
    assert (speed["unit"], speed["values"]) == ("it/s", [0.5] * 4)


def test_a_bar_of_other_work_is_no_training_even_if_it_is_not_drawn() -> None:
    lines = [f"Epoch {e}/3 train loss: 0.{9 - e}" for e in (1, 2, 3)]
    others = [f"Upload progress: 100% {n}k/{n}k [00:00<00:00, 1{n}Mit/s]" for n in (115, 118)]
    others += [f"Inferencing model: 100% {n}/{n} [01:21<00:00,  1.92it/s]" for n in (157, 159)]
    card = scored("".join(f"{line}\n" for line in [*others, *lines]))
    assert card["dimensions"]["speed"]["value"] is None
    assert card["run"]["epochs"] == 3


@pytest.mark.parametrize(("figures", "loss"), [("acc=0.{e}", None), ("acc=0.{e}, loss=2.{e}", 2)])
def test_the_first_figure_of_a_bar_after_a_label_is_no_loss(figures: str, loss: int | None) -> None:
    lines = [
        f"Epoch {e}/9: {bar(e, 9, '1.00s/it, ' + figures.format(e=e))}\n" for e in range(1, 10)
    ]
    lines_read = [e for e in read("".join(lines), "generic") if isinstance(e, Iteration)]
    expected: list[float | None] = [None if loss is None else loss + e / 10 for e in range(1, 10)]
    assert [e.loss for e in lines_read] == expected
    assert [e.values[0].value for e in lines_read] == [e / 10 for e in range(1, 10)]


def test_a_bar_that_was_set_to_zero_again_has_no_pace_of_its_own() -> None:
    """Its time and its moving mean go on through the evaluation, and the last 0 is no epoch."""
    lines, at = ["train:   0%|   | 0/40 [00:00<?, ?it/s]"], 0
    for epoch in (1, 2, 3):
        for done in (20, 40):
            at += 1
            pace = "20.00" if epoch == 1 else "9.00"
            lines.append(f"train: {done}%|##  | {done}/40 [00:0{at}<00:01, {pace}it/s]")
        lines.append(f"Training Results - Epoch: {epoch} Avg accuracy: 0.9 Avg loss: 0.{epoch}")
        lines.append(f"Validation Results - Epoch: {epoch} Avg accuracy: 0.{epoch + 4}")
        lines.append(f"train:   0%|   | 0/40 [00:0{at}<00:01, {pace}it/s]")
    card = scored("".join(f"{line}\n" for line in lines), "generic")
    assert card["run"]["epochs"] == 3
    assert card["dimensions"]["speed"]["values"] == [20.0]


@pytest.mark.parametrize(
    ("description", "trained"),
    [
        ("| train_loss: 0.{n}5 | test_loss: 0.96 |", True),
        ("| test_loss: 0.{n}6 | testing:", False),
        ("| train_acc: 0.{n}5 | test_acc: 0.{n}6 | testing:", False),
    ],
)
def test_a_bar_with_figures_of_both_splits_is_the_trainings(
    description: str, trained: bool
) -> None:
    lines = [f"{description.format(n=9 - n)} {bar(n, 9, '2.00it/s')}\n" for n in range(1, 10)]
    steps = [e.step for e in read("".join(lines), "generic") if isinstance(e, Iteration)]
    assert steps[-3:] == ([7, 8, 9] if trained else [])


def test_a_bar_without_a_description_may_show_a_figure_of_the_training() -> None:
    lines = [bar(n, 9, "2.00it/s", f", train_acc=0.{n}5") + "\n" for n in range(1, 10)]
    assert not [e for e in read("".join(lines), "generic") if isinstance(e, Iteration)]


def _pass(does: str, number: int, pace: float) -> str:
    says = f"{does} {number}: Time {pace}s (it:{pace}s) Data:0.7s (it:0.6s) Loss {9 - number}.25 : "
    return f"{says}100%|####| 50/50 [01:40<00:00,  {pace}s/it]\n"


def test_a_bar_that_evaluates_says_so_before_a_long_description() -> None:
    """Two seconds for an iteration of the training, one for a batch of the evaluation."""
    passes = [_pass("Train", n, 2.0) + _pass("Evaluate", n, 1.0) for n in range(1, 7)]
    assert scored("".join(passes))["dimensions"]["speed"]["value"] == 0.5


def test_passes_without_an_epoch_s_name_show_no_end() -> None:
    assert scored("".join(_pass("Train", n, 2.0) for n in range(1, 7)))["status"] == "incomplete"
    once = "".join(f"step {n}/50 loss 0.5{n}\n" for n in range(10, 60, 10))
    assert scored(once)["status"] == "finished"


@pytest.mark.parametrize(
    "between", [": ", " ", ", ", " - ", " ━━━━╸━━━ ", ": |████▍   | ", " [####    ] ", " ░░░░░░░ "]
)
def test_a_count_after_the_epoch_is_its_step(between: str) -> None:
    """Two of five epochs are over, and a third was stopped at 12 of 20 steps."""
    lines = [
        f"Epoch {epoch}/5{between}{step:2}/20 0:00:01 0:00:01 loss 0.{90 - 10 * epoch - step}"
        for epoch, steps in ((1, 21), (2, 21), (3, 13))
        for step in range(0, steps, 4)
    ]
    card = scored("".join(f"{line}\n" for line in lines))
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (2, 5)
    stopped = scored("".join(f"{line}\n" for line in lines[:-4]))
    assert (stopped["run"]["epochs"], stopped["status"]) == (2, "incomplete")
    wrong = "".join(f"Epoch {n}/5: 8{n}/100 correct, loss 0.5\n" for n in range(1, 4))
    assert scored(wrong)["run"]["epochs"] == 3


def test_a_bar_that_shows_a_loss_before_its_first_step_counts_the_steps_that_are_done() -> None:
    begun = "Epoch 1/1:   0%|          | 0/100 [00:01<?, ?it/s, loss=1.5]\n"
    drawn = [f"Epoch 1/1: {bar(n, 100, '4.00it/s', ', loss=0.5')}\n" for n in range(1, 101)]
    killed = scored("".join([begun, *drawn[:-1]]))
    assert (killed["status"], killed["run"]["epochs"]) == ("incomplete", 0)
    whole = scored("".join([begun, *drawn]))
    assert (whole["status"], whole["run"]["epochs"]) == ("finished", 1)


@pytest.mark.parametrize("between", [" ", " • "])
def test_an_epoch_is_not_over_while_its_bar_prints_a_percentage_and_a_count(between: str) -> None:
    lines = [
        f"Epoch {epoch}/5 ━━━━━━╸━━━ {100 * step // 22:3}%{between}{step:2}/22 0:00:01 loss: 0.6"
        for epoch, last in ((1, 22), (2, 21))
        for step in (12, 20, last)
    ]
    events = read("".join(f"{line}\n" for line in lines), "generic")
    steps = [(e.epoch, e.step, e.steps) for e in events if isinstance(e, Iteration)]
    assert steps[:4] == [(1, 12, 22), (1, 20, 22), (1, 22, 22), (2, 12, 22)]
    assert {e.epoch for e in events if isinstance(e, EpochEnd)} == {1}


def test_the_rate_of_the_first_iteration_of_a_bar_is_no_speed() -> None:
    """A bar that was drawn before its first batch was fetched times that one far too short."""
    rates = {1: "250.00it/s", 2: "16.00it/s", 3: "10.00it/s"}
    log = "".join(
        f"0/6(t):   4%|▎     | {step}/27 [00:00<00:01, {rate}, running_loss=0.5]\n"
        for step, rate in rates.items()
    )
    steps = [e for e in read(log * 3, "generic") if isinstance(e, Iteration)]
    assert [(e.step, e.duration) for e in steps[:3]] == [(1, None), (2, 1 / 16), (3, 0.1)]
    log = "Epoch 1: 100%|██████| 1/1 [00:02<00:00, 2.00s/it, loss=0.5]\n"
    only = [e for e in read(log * 3, "generic") if isinstance(e, Iteration)]
    assert only[0].duration == 2.0  # all iterations of the epoch


def epochs_drawn(name: str, *, printed: str = "", ahead: bool = False) -> str:
    """A bar over five epochs of 2 s each, with the evaluation of each beside its count."""
    text = f"{name}   0%|   | 0/5 [00:00<?, ?it/s]\n"
    for epoch in range(5):
        figures = f", loss=0.{9 - epoch}, val_acc=0.{epoch + 5}"
        for count in (epoch, epoch + 1) if ahead else (epoch + 1,):
            text += (
                f"{name} {20 * count}%|#  | {count}/5 [00:0{2 * count}<00:09, 2.00s/it{figures}]\n"
            )
        text += printed.format(e=epoch + 1, n=epoch)
    return text


@pytest.mark.parametrize("ahead", [False, True])
@pytest.mark.parametrize("name", ["Training:", "Epoch:", "train:"])
def test_a_bar_with_another_evaluation_at_each_count_counts_epochs(name: str, ahead: bool) -> None:
    card = scored(epochs_drawn(name, ahead=ahead))
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (5, 5)
    assert card["dimensions"]["accuracy"]["value"] == 0.9
    assert card["dimensions"]["speed"]["value"] is None  # an epoch in 2 s is no iteration in 2 s


@pytest.mark.parametrize(
    "printed", ["epoch {e} loss 0.5\n", "Epoch {n}: train_loss 0.5\n", "Epoch {e} loss 0.4\n\n"]
)
@pytest.mark.parametrize("name", ["Training:", "Epoch:", ""])
def test_a_bar_that_goes_on_with_the_labels_of_lines_counts_epochs(name: str, printed: str) -> None:
    card = scored(epochs_drawn(name, printed=printed))
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (5, 5)
    accuracy, last = card["dimensions"]["accuracy"], 4 if "{n}" in printed else 5
    assert (accuracy["value"], accuracy["epoch"]) == (0.9, last)
    assert card["dimensions"]["speed"]["value"] is None


def test_the_evaluation_before_is_beside_each_count_of_a_bar_of_batches() -> None:
    """40 batches in 4 s; from the second epoch on, the bar shows the evaluation before it."""
    text = ""
    for epoch in range(4):
        figures = f", loss=0.{9 - epoch}" + (f", val_acc=0.{epoch + 4}" if epoch else "")
        for count in (1, 2, 3, 20, 40):
            text += f"Training: 9%|#  | {count}/40 [00:0{count // 10}<00:09, 10.00it/s{figures}]\n"
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (10.0, "it/s")


def test_a_bar_named_after_one_epoch_does_not_say_whether_it_counts_epochs_or_batches() -> None:
    lines = [f"Epoch: {bar(n, 9, '2.00s/it', f', loss=0.{n}5')}\n" for n in range(1, 10)]
    figures = [f"Epoch {n}: loss 0.5\n" for n in (1, 2, 3)]  # as no line of the bar is read
    assert scored("".join([*lines, *figures]))["dimensions"]["speed"]["value"] is None


def test_the_last_drawing_of_a_bar_that_counts_finished_epochs_begins_none() -> None:
    """Hugging Face's Flax examples: the bar's text and its count are those of finished epochs."""
    lines = ["Epoch ... (0/3):   0%|          | 0/3 [00:00<?, ?it/s]"]
    for n in (1, 2, 3):
        lines += [
            f"Training...: {10 * step}%|##  | {step}/10 [00:0{step}<00:05, 1.00it/s]"
            for step in range(2, 11, 2)
        ]
        lines += [f"Step... ({10 * n}/30 | Eval metrics: {{'accuracy': 0.{n}}})"]
        lines += [f"Epoch ... {n}/3:  {33 * n}%|##  | {n}/3 [00:1{n}<00:20, 10.1s/it]"]
    run = scored("".join(f"{line}\n" for line in lines))["run"]
    assert (run["epochs"], run["epochs_planned"]) == (3, 3)


@pytest.mark.parametrize("total", ["", "/120"])
def test_a_bar_of_epochs_that_keeps_the_label_of_the_first_one(total: str) -> None:
    """As HF's Flax scripts draw it; lines of the inner loop draw it again."""
    text, accuracies = "", [0.5, 0.75, 0.6, 0.7, 0.65, 0.55]
    for epoch, accuracy in enumerate(accuracies):
        outer = f"\rEpoch ... (1/6):  10%|#  | {epoch}/6 [00:{8 * epoch:02}<00:30,  8.00s/it]"
        text += outer
        for step in range(1, 21):
            text += f"\rTraining...:  10%|#  | {step}/20 [00:0{step // 4}<00:03,  4.00it/s]"
            if step % 10 == 0:
                text += (
                    f"\nStep... ({20 * epoch + step}{total} | Loss: {2 - accuracy:.2f})\n{outer}"
                )
        for step in range(1, 5):
            text += f"\rEvaluating...:  10%|#  | {step}/4 [00:00<00:00,  8.00it/s]"
        text += f"\nStep... ({20 * (epoch + 1)}/120 | Eval metrics: {{'accuracy': {accuracy}}})\n"
    text += "\rEpoch ... (1/6): 100%|###| 6/6 [00:48<00:00,  8.00s/it]\n"
    card = scored(text)
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (6, 6)
    assert card["warnings"] == []
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"]) == (0.55, 0.75)
    found = [e for e in read(text, "generic") if isinstance(e, Evaluation)]
    assert [(e.epoch, e.metrics[0].value) for e in found] == list(enumerate(accuracies, 1))


@pytest.mark.parametrize(("figure", "value"), [("Acc@1:8{}.5%", 83.5), ("loss:0.{}", None)])
def test_percentages_in_front_of_an_evaluations_bar_count_once_it_is_full(
    figure: str, value: float | None
) -> None:
    """A loss there may be the last batch's."""
    lines = [
        line
        for n in (1, 2, 3)
        for line in (
            f"Train Epoch: [{n}/3], Loss: 1.{n}: 100%|####| 40/40 [00:10<00:00,  4.00it/s]",
            f"Test Epoch: [{n}/3] {figure.format(n - 1)}:  50%|##  | 4/8 [00:01<00:01,  4.00it/s]",
            f"Test Epoch: [{n}/3] {figure.format(n)}: 100%|####| 8/8 [00:02<00:00,  4.00it/s]",
        )
    ]
    card = scored("\n".join([*lines, ""]))
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], card["dimensions"]["speed"]["value"]) == (value, 4.0)


def test_a_bar_of_batches_that_is_drawn_at_every_second_one_counts_no_epochs() -> None:
    """The bars of skorch, which are wiped before their end; a table has a row for each epoch."""
    text = ""
    for epoch in range(1, 6):
        for count in range(2, 34, 2):
            loss = f"train_loss=0.{9 - epoch}"
            text += f"\r {count}%|#  | {count}/40 [00:0{count // 20}<00:02, 16.00it/s, {loss}]"
        if epoch == 1:
            text += "\n  epoch    train_loss    valid_acc     dur\n"
            text += "-------  ------------  -----------  ------"
        text += f"\n{epoch:7}        0.{9 - epoch}353       0.{epoch + 3}012  1.9{epoch}74\n"
    steps = [(event.epoch, event.step) for event in only(read(text, "generic"), Iteration)]
    assert [epoch for epoch, step in steps if step == 32] == [None, 2, 3, 4, 5]
    assert {epoch for epoch, _ in steps} == {None, 2, 3, 4, 5}
    assert scored(text)["dimensions"]["speed"]["value"] == 16.0
