"""The epochs of Hugging Face's Trainer, which its reports count in fractions, and its speed."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, Evaluation, Iteration, RunStart
from tests.support.inputs.huggingface_logs import BAR, console
from tests.support.logs import detected, facts, only, read, scored


def test_bars_without_a_header() -> None:
    log = console()
    assert detected(log) == "huggingface"
    events = read(log, "huggingface")
    placed = [(i.epoch, i.step, i.steps) for i in only(events, Iteration)]
    # The first report tells which bar is the training's, the bar after it what an epoch has.
    assert placed[0] == (1, None, None)
    assert placed[-1] == (2, 4, 4)
    assert [(e.epoch, e.midway) for e in only(events, Evaluation)] == [(1, False), (2, False)]
    assert facts(events)["epochs_planned"] == 2


def test_bars_of_ms_swift_say_whose_they_are() -> None:
    """`Train:` stands in front of the training's, `Val:` of an evaluation's of as many steps."""
    bars = (
        console()
        .replace(" 12%|", "Train:  12%|")
        .replace(" 50%|█████     | 1/2", "Val:  50%|█| 1/8")
    )
    running = bars[: bars.index("{'train_runtime'")]
    assert detected(running) == "huggingface"
    assert [(i.epoch, i.step) for i in only(read(running, "huggingface"), Iteration)][-1] == (2, 4)
    speed = scored(running)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (2, "it/s")


def test_without_any_bar() -> None:
    log = "".join(line + "\n" for line in console().splitlines() if "{" in line)
    found = scored(log)
    assert found["dimensions"]["speed"]["value"] == 114.7
    assert found["run"]["epochs"] == 2
    assert found["evidence"]["speed"]["lines"] == [7]


def test_a_run_that_stops_in_an_epoch_has_not_completed_it() -> None:
    assert scored(console(each=4, stop=6))["run"]["epochs"] == 1
    assert scored(console(each=4, stop=8))["run"]["epochs"] == 2


def test_an_evaluation_in_the_middle_of_an_epoch_does_not_end_it() -> None:
    log = (
        "{'loss': 0.5, 'epoch': 0.25}\n{'eval_loss': 0.5, 'eval_runtime': 1.0, 'epoch': 0.5}\n"
        "{'loss': 0.5, 'epoch': 0.5}\n"
    )
    (evaluation,) = only(read(log, "huggingface"), Evaluation)
    assert evaluation.midway
    assert scored(log)["run"]["epochs"] == 0


@pytest.mark.parametrize(("epoch", "midway"), [(0.94, True), (0.96, False), (1.0, False)])
def test_the_last_step_may_miss_the_whole_epoch_a_little(epoch: float, midway: bool) -> None:
    log = f"{{'eval_loss': 0.5, 'eval_runtime': 1.0, 'epoch': {epoch}}}\n"
    (evaluation,) = only(read(log, "huggingface"), Evaluation)
    assert evaluation.midway is midway


def test_a_run_limited_by_steps_is_counted_in_steps() -> None:
    """The header rounds its epochs up: 10 steps are no whole number of epochs of 7."""
    header = """\
***** Running training *****
  Num examples = 56
  Num Epochs = 2
  Instantaneous batch size per device = 8
  Total train batch size (w. parallel, distributed & accumulation) = 8
  Gradient Accumulation steps = 1
  Total optimization steps = {steps}
"""
    bars = "".join(BAR.format(step=step, steps=10) for step in range(1, 11))
    assert {
        i.epoch for i in only(read(header.format(steps=10) + bars, "huggingface"), Iteration)
    } == {None}
    bars = "".join(BAR.format(step=step, steps=14) for step in range(1, 15))
    events = read(header.format(steps=14) + bars, "huggingface")
    places = [(i.epoch, i.step) for i in only(events, Iteration)]
    assert (places[6], places[7]) == ((1, 7), (2, 1))


def test_scores_of_accelerates_examples() -> None:
    log = "epoch 0: {'accuracy': 0.84, 'f1': 0.89}\nepoch 1: {'accuracy': 0.86, 'f1': 0.9}\n"
    assert detected(log) == "huggingface"
    assert scored(log)["run"]["epochs"] == 2
    found = scored(log)["dimensions"]["accuracy"]
    assert (found["metric"], found["value"], found["epoch"]) == ("accuracy", 0.86, 1)


def _one_bar(first_label: int, steps: int) -> str:
    """A bar over all epochs of 8 steps with 4 steps a second, and a second's evaluation in each."""
    log = ""
    for step in range(1, 25):
        elapsed = (step - 1) // 8 + step // 4
        log += f"  4%|▍     | {step}/{steps} [00:{elapsed:02}<00:09,  4.00it/s, loss=0.5]\r"
        if step % 8 == 0:
            log += f"\nepoch {step // 8 - 1 + first_label}: {{'accuracy': 0.8{step // 8}}}\n"
    return log


def test_one_bar_over_all_epochs_beside_scores_of_each() -> None:
    card = scored(_one_bar(0, 40))
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (3, 5)
    assert card["dimensions"]["speed"]["value"] == pytest.approx(4.0, rel=0.01)
    assert card["dimensions"]["accuracy"]["value"] == 0.83
    assert scored(_one_bar(0, 24))["run"]["epochs"] == 3


@pytest.mark.parametrize(("first_label", "steps"), [(0, 41), (1, 40)])
def test_a_bar_that_fits_no_whole_number_of_epochs_plans_none(first_label: int, steps: int) -> None:
    assert "epochs_planned" not in scored(_one_bar(first_label, steps))["run"]


@pytest.mark.parametrize("beside", ["'val_accuracy': 0.7{}", "'loss': 0.5{}"])
def test_a_dict_with_the_training_s_figures_is_of_another_program(beside: str) -> None:
    """As a callback of Keras prints its logs: the accuracy beside a `val_accuracy` is the training's."""
    text = "".join(f"epoch {e}: {{'accuracy': 0.9{e}, {beside.format(e)}}}\n" for e in range(8))
    card = scored(text)
    assert card["run"]["format"] != "huggingface"
    value = card["dimensions"]["accuracy"]["value"]
    assert value == (0.77 if "val" in beside else None)


def test_the_bar_of_a_diffusers_script_counts_the_steps_after_its_header() -> None:
    """40 steps in 5 epochs of 128 images, 16 a step, at 4 a second."""
    header = (
        "***** Running training *****",
        "  Num examples = 128",
        "  Num Epochs = 5",
        "  Total train batch size (w. parallel, distributed & accumulation) = 16",
        "  Total optimization steps = 40",
    )
    head = "11/25/2026 10:00:00 - INFO - __main__ - "
    drawn = "Steps: {share:3}%|███   | {step}/40 [00:{time:02}<00:09,  4.00it/s, lr=0.0001, step_loss=0.{step}]"
    bars = [drawn.format(share=5 * s // 2, step=s, time=s // 4) for s in range(1, 41)]
    text = "".join(f"{one}\n" for one in [*(head + one for one in header), *bars])
    assert detected(text) == "huggingface"
    assert [one.loss for one in only(read(text, "huggingface"), Iteration)][-2:] == [0.39, 0.4]
    card = scored(text)
    assert (card["status"], card["run"]["epochs"], card["run"]["epochs_planned"]) == (
        "finished", 5, 5
    )  # fmt: skip
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(64), "samples/s")


def test_the_header_may_have_the_name_of_the_library_in_front_of_it() -> None:
    """As transformers 5.24 prints it: the bars and the reports have nothing in front of them."""
    header = (
        "***** Running training *****",
        "  Num examples = 640",
        "  Num Epochs = 10",
        "  Total train batch size (w. parallel, distributed & accumulation) = 16",
        "  Total optimization steps = 400",
    )
    bars = [f" {n:2}%|██   | {4 * n}/400 [00:0{n}<00:09, 10.00it/s]\n" for n in (1, 2, 3)]
    text = "".join([*(f"[transformers] {one}\n" for one in header), *bars])
    assert detected(text) == "huggingface"
    found = facts(read(text, "huggingface"))
    assert (found["global_batch"], found["epochs_planned"]) == (16, 10)
    again = f"[transformers] {header[0]}\n"
    assert len(only(read(text + again, "huggingface"), RunStart)) == 2


def test_epochs_before_the_first_report_are_known_by_their_evaluations() -> None:
    """`logging_steps` exceeds the steps of an epoch: the first report comes in epoch 3."""
    text = console(epochs=4, each=2, every=5)
    card = scored(text)
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (4, 4)
    events = read(text, "huggingface")
    # The bar after the first evaluation tells what an epoch has: bars place the others.
    assert [one.epoch for one in only(events, EpochEnd)] == [1]
    assert [one.step for one in only(events, Iteration) if one.epoch == 2] == [1, 2]


@pytest.mark.parametrize("over", [False, True])
def test_a_training_that_never_reports_is_followed_by_its_evaluations(over: bool) -> None:
    """`logging_strategy="no"`; the bar of an evaluation may be drawn at its end after its dict."""
    text = console(epochs=3, each=4, every=99)
    if over:
        text = text.replace(
            f"'}}\n{BAR[:4]}", f"'}}\n100%|██████████| 2/2 [00:00<00:00]\r{BAR[:4]}"
        )
    running = text[: text.index(BAR.format(step=7, steps=12))]
    assert facts(read(running, "huggingface"))["epochs_planned"] == 3
    placed = [(i.epoch, i.step, i.steps) for i in only(read(running, "huggingface"), Iteration)]
    assert placed == [(1, 4, 4), (2, 1, 4), (2, 2, 4)]
    assert scored(text)["run"]["epochs"] == scored(text)["run"]["epochs_planned"] == 3


def test_an_evaluation_amid_an_epoch_of_an_unknown_length_plans_nothing() -> None:
    """0.8 of an epoch at step 4 of 12: 2.4 epochs of 5 steps."""
    text = console(epochs=3, each=4, every=99).replace("'epoch': '1'", "'epoch': '0.8'")
    running = text[: text.index(BAR.format(step=7, steps=12))]
    assert "epochs_planned" not in facts(read(running, "huggingface"))


def test_a_late_report_of_a_buffered_program_is_corrected_by_the_next() -> None:
    """6 epochs of 40 steps: the report of epoch 1 is written after the bar of step 48.

    Standard output into a file is buffered, the bars on standard error are not. 240 * 1 / 48 is
    5 epochs, and 240 * 5 / 200 is 6.
    """
    report = "\n{{'loss': '0.5', 'learning_rate': '0.1', 'epoch': '{}'}}\n"
    late = {48: report.format("1"), 200: report.format("5")}
    drawn = " 12%|█▎        | {0}/240 [{1:02}:{2:02}<00:40,  1.00it/s]\r"
    bars = [drawn.format(step, step // 60, step % 60) for step in range(241)]
    end = "\n{'train_runtime': '9', 'train_samples_per_second': '398', 'epoch': '6'}\n"
    text = "".join(
        bar if step not in late else bar + late[step] + bar for step, bar in enumerate(bars)
    )
    card = scored(text + end)
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (6, 6)


def test_the_last_epochs_evaluation_counts_after_a_line_that_ends_the_training() -> None:
    """Buffered output: the last report is written after a line of standard error."""
    text = console()
    last = text.rindex("{'eval_loss'")
    late = text[:last] + "Training completed. Have a nice day.\n" + text[last:]
    for one in (text, late):
        accuracy = scored(one)["dimensions"]["accuracy"]
        assert (accuracy["value"], accuracy["epoch"]) == (0.08, 2)
    # A second evaluation of that epoch was made after the training.
    again = late.replace("'eval_accuracy': '0.08'", "'eval_accuracy': '0.99'")
    after = again[again.rindex("{'eval_loss'") :].partition("\n")[0]
    assert scored(f"{text}{after}\n")["dimensions"]["accuracy"]["value"] == 0.08


def test_the_bar_of_an_evaluation_before_the_first_report_is_not_the_trainings() -> None:
    """As with `eval_on_start`: it is drawn once more when it is over, just before the report."""
    text = console(epochs=2, each=4, every=1).replace(BAR.format(step=1, steps=8), "", 1)
    start = BAR.format(step=0, steps=8)
    evaluates = (
        "  0%|          | 0/20 [00:00<?, ?it/s]\r"
        "\n{'eval_loss': '0.9', 'eval_accuracy': '0.25', 'eval_runtime': '0.1', 'epoch': '0'}\n"
        f"{start}100%|██████████| 20/20 [00:00<00:00, 90.00it/s]\r\n"
    )
    card = scored(text.replace(start, start + evaluates, 1))
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (2, 2)
    assert card["run"]["epochs_planned"] == scored(text)["run"]["epochs_planned"]


def test_bars_of_epochs_under_the_header_of_the_trainer_are_no_lightning_bars() -> None:
    text = (
        "***** Running training *****\n  Num examples = 80\n  Num Epochs = 3\n"
        "  Instantaneous batch size per device = 8\n"
        "  Total train batch size (w. parallel, distributed & accumulation) = 8\n"
        "  Gradient Accumulation steps = 1\n  Total optimization steps = 30\n"
    )
    bar = "Epoch {e}: {p:>3}%|███  | {s}/10 [00:{t:02}<00:09,  {pace}it/s, loss=0.{s}, lr=1e-6, step={n}]\n"
    for e in range(3):
        for s in range(1, 11):
            for pace in ("3.00", "2.00"):  # drawn for the count, and again for the loss
                n = 10 * e + s
                text += bar.format(e=e, p=10 * s, s=s, t=s // 2, pace=pace, n=n)
        text += " 50%|█████     | 1/2 [00:00<00:00,  6.63it/s]\n"  # draws samples
    assert detected(text) == "huggingface"
    card = scored(text)
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (3, 3)
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(8 * 2), "samples/s")


def test_reports_after_a_bar_and_the_prefix_of_a_launcher_are_read() -> None:
    # torchrun --tee writes its prefix in front of each write, also inside a line
    rank, bar = "[default0]:", "{n:>3}%|███▉| {s}/{all} [00:0{t}<00:01,  9.00it/s]"
    text = ""
    for e in (1, 2, 3):
        drawn = bar.format(n=33 * e, s=20 * e, all=60, t=2 * e)
        tested = bar.format(n=80, s=8, all=10, t=0)
        text += f"{rank}{drawn}{rank}{{'loss': '0.5', 'learning_rate': '0.1', 'epoch': '{e}'}}\n"
        text += (
            f"{rank}{tested}{rank}{{'eval_loss': '0.{e}', 'eval_runtime': '0.4', 'epoch': '{e}'}}\n"
        )
    text += f"{rank}{drawn}{rank}{{'train_runtime': '7', 'train_samples_per_second': '9', 'epoch': '3'}}\n"
    card = scored(text)
    assert card["status"] == "finished"
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["epoch"], accuracy["best"]) == (0.3, 3, 0.1)


def test_the_bar_of_an_epoch_whose_first_step_is_not_over_is_no_other_trainer_s() -> None:
    """As Diffusers' unconditional example draws it; Lightning's bars begin with the same words."""
    text = "***** Running training *****\n  Num examples = 160\n  Num Epochs = 3\n"
    text += "  Instantaneous batch size per device = 16\n"
    text += "  Total train batch size (w. parallel, distributed & accumulation) = 16\n"
    text += "  Gradient Accumulation steps = 1\n  Total optimization steps = 30\n"
    for epoch in range(3):
        text += f"Epoch {epoch}:   0%|          | 0/10 [00:00<?, ?it/s]\n"
        text += f"Epoch {epoch}:  10%|█         | 1/10 [00:00<00:04,  2.00it/s]\n"
        for step in range(1, 11):
            text += f"Epoch {epoch}:  {step}0%|██ | {step}/10 [00:0{step // 2}<00:01,  2.00it/s, "
            text += f"loss=0.5, lr=2e-6, step={10 * epoch + step}]\n"
    card = scored(text)
    assert card["run"]["format"] == "huggingface"
    assert "other_format" not in [warning["kind"] for warning in card["warnings"]]
