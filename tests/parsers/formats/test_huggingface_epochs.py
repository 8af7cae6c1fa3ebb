"""The epochs of Hugging Face's Trainer, which its reports count in fractions, and its speed."""

from __future__ import annotations

import json
from io import BytesIO

import pytest

from sixdim.metrics.card.schema.card_json import card_from_json
from sixdim.metrics.values.card import dumps
from sixdim.parsers.events import EpochEnd, Evaluation, Iteration, RunStart
from sixdim.tui.export.printed import printed
from sixdim.tui.session.reading import read_whole
from tests.support.logs import detected, facts, only, read, scored
from tests.support.processes.live import REQUEST

BAR = " 12%|█▎        | {step}/{steps} [00:0{step}<00:40,  2.00it/s]\r"


def console(epochs: int = 2, each: int = 4, stop: int = 0, every: int = 2) -> str:
    """A run without its header: bars, a quoted report every so many steps, an evaluation an epoch."""
    steps = stop or epochs * each
    out = BAR.format(step=0, steps=steps)
    for step in range(1, steps + 1):
        bar = BAR.format(step=step, steps=steps)
        out += bar
        if step % every == 0:
            out += (
                f"\n{{'loss': '0.5', 'learning_rate': '0.1', 'epoch': '{step / each:.4g}'}}\n{bar}"
            )
        if step % each == 0:
            out += (
                "\n 50%|█████     | 1/2 [00:00<00:00, 20.0it/s]\r"
                f"\n{{'eval_loss': '0.5', 'eval_accuracy': '0.{step:02}', 'eval_runtime': '0.1', "
                f"'epoch': '{step / each:.4g}'}}\n{bar}"
            )
    return out + (
        "\n{'train_runtime': '40', 'train_samples_per_second': '114.7', "
        f"'train_steps_per_second': '7.1', 'train_loss': '0.5', 'epoch': '{steps / each:.4g}'}}\n"
    )


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


def test_the_closing_rate_is_the_speed_where_bars_give_iterations_alone() -> None:
    found = scored(console())
    speed, end = found["dimensions"]["speed"], found["end_to_end"]
    assert (speed["value"], speed["unit"], speed["state"]) == (114.7, "samples/s", "short")
    assert (end["value"], end["unit"], end["state"]) == (114.7, "samples/s", "final")
    assert found["run"]["epochs"] == 2
    assert found["dimensions"]["accuracy"]["epoch"] == 2
    assert found["dimensions"]["accuracy"]["value"] == 0.08


def test_a_training_that_begins_again_without_a_header_is_another_run() -> None:
    whole, cut = console(epochs=4), console(epochs=4, stop=6).replace("/6 [", "/16 [")
    cut = cut[: cut.index("\n{'train_runtime'")] + "\n"
    for first in (whole, cut):
        again = scored(first + cut)
        assert again["status"] == "incomplete"
        assert (again["run"]["epochs"], again["run"]["epochs_planned"]) == (1, 4)
        assert again["end_to_end"]["value"] is None
        assert again["dimensions"]["accuracy"]["epoch"] == 1
        assert "the log holds 2 runs; this is run 2" in [w["text"] for w in again["warnings"]]
    assert scored(cut + whole)["dimensions"]["speed"]["value"] == 114.7


def test_a_training_that_begins_again_with_smaller_batches_is_another_run() -> None:
    def drawn(step: int, steps: int) -> str:
        left = f"{step}/{steps} [00:{step:02}<00:{steps - step:02},  1.00it/s]"
        return f"\r{100 * step // steps:3}%|██        | {left}"

    def report(epoch: float, loss: str = "'loss': '0.5'") -> str:
        return f"\n{{{loss}, 'grad_norm': '1.5', 'learning_rate': '0.1', 'epoch': '{epoch:g}'}}\n"

    log = drawn(0, 4) + drawn(1, 4) + report(0.5) + drawn(2, 4) + report(1) + drawn(0, 6)
    for step in range(9):
        log += drawn(step, 8) + (report(step / 4) + drawn(step, 8) if step % 4 == 2 else "")
        if step % 4 == 0 and step:  # a bar of the evaluation is drawn to its end
            scores = f"'eval_loss': '0.{step}', 'eval_runtime': '0.1', 'epoch': '{step // 4}'"
            log += drawn(0, 3) + drawn(3, 3) + f"\n{{{scores}}}\n"
    card = scored(log)
    assert "the log holds 2 runs; this is run 2" in [w["text"] for w in card["warnings"]]
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (2, 2)
    assert card["dimensions"]["speed"]["value"] == pytest.approx(1.0)


def test_a_report_that_another_rank_prints_late_begins_no_run() -> None:
    late = "{'loss': '0.5', 'learning_rate': '0.1', 'epoch': '1.5'}\n"
    found = scored(console() + late)
    assert (found["status"], found["run"]["epochs"], found["warnings"]) == ("finished", 2, [])


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


def test_the_rate_of_a_resumed_run_is_not_stated() -> None:
    """Older versions count all samples over the time of the last part."""
    log = "".join(line + "\n" for line in console(epochs=3).splitlines() if "{" in line)
    assert scored(log)["dimensions"]["speed"]["value"] == 114.7
    later = "".join(line + "\n" for line in log.splitlines()[3:])
    assert "'epoch': '1.5'" in later.splitlines()[0]
    assert scored(later)["dimensions"]["speed"]["value"] is None


def _part(first: int, last: int, *, bars: bool = True) -> str:
    """Two epochs of 40 steps each, with a report every 10 steps; resumed if `first` is no 0."""
    out = "  0%|          | 0/80 [00:00<?, ?it/s]\r" * bars
    for step in range(first + 1, last + 1):
        bar = f" 12%|█▎        | {step}/80 [00:{(step - first) // 4:02}<00:40,  4.00it/s]\r"
        out += bar * bars
        if step % 10 == 0:
            out += f"\n{{'loss': '0.5', 'learning_rate': '0.1', 'epoch': '{step / 40:.4g}'}}\n"
            out += bar * bars
    return out


@pytest.mark.parametrize("bars", [True, False])
def test_the_time_of_the_last_part_is_not_that_of_a_run_whose_parts_share_a_log(bars: bool) -> None:
    """The first part was killed at step 47; the second goes on from the checkpoint of step 25."""
    second = _part(25, 80, bars=bars) + (
        "\n{'train_runtime': '13.75', 'train_samples_per_second': '64.0', "
        "'train_steps_per_second': '4.0', 'train_loss': '0.5', 'epoch': '2'}\n"
    )
    whole = scored(_part(0, 47, bars=bars) + second)
    assert (whole["run"]["epochs"], whole["run_end"]["run_time_s"]) == (2, None)
    alone = scored(second)
    assert alone["run_end"]["run_time_s"] == 13.75


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


def test_the_closing_rate_in_print_and_back_from_json() -> None:
    card = read_whole(REQUEST.session("train.log"), BytesIO(console().encode())).card()
    text = printed(card)
    assert "114.7 samples/s     short     by the log's own closing line" in text
    assert "2 epochs in 0:00:40 (printed total); by the log's own closing line" in text
    assert "2 of 2 epochs" in text
    assert card_from_json(json.loads(dumps(card))) == card
    closing = "{'train_runtime': 11.2, 'train_samples_per_second': 0.713, 'epoch': 1.0}\n"
    text = printed(read_whole(REQUEST.session("train.log"), BytesIO(closing.encode())).card())
    assert "final     0:00:11 (printed total); by the log's own closing line" in text


def _closing(seconds: float, rate: float, loss: float) -> str:
    return (
        f"{{'train_runtime': {seconds}, 'train_samples_per_second': {rate}, "
        f"'train_steps_per_second': 3.1, 'train_loss': {loss}, 'epoch': 3.0}}\n"
    )


EVALUATED = "{'eval_loss': 0.41, 'eval_accuracy': 0.81, 'eval_runtime': 2.1, 'epoch': 3.0}\n"


def test_each_training_that_prints_its_closing_report_alone_is_a_run() -> None:
    folds = [_closing(100.5, 50.2, 0.51), _closing(102.5, 49.2, 0.55), _closing(90.5, 55.8, 0.49)]
    card = scored(EVALUATED.join(folds) + EVALUATED)
    assert card["dimensions"]["speed"]["value"] == 55.8
    assert card["run_end"]["run_time_s"] == 90.5
    assert [w["text"] for w in card["warnings"]] == ["the log holds 3 runs; this is run 3"]


@pytest.mark.parametrize(
    ("seconds", "loss", "runs"),
    [(102.0, 0.5, 1), (102.1, 0.5, 2), (100.0, 0.5025, 1), (100.0, 0.5026, 2)],
)
def test_the_closing_report_of_another_rank_is_of_the_same_training(
    seconds: float, loss: float, runs: int
) -> None:
    card = scored(_closing(100.0, 50.0, 0.5) + _closing(seconds, 49.0, loss) + EVALUATED)
    assert card["dimensions"]["speed"]["value"] == (50.0 if runs == 1 else 49.0)


def test_reports_of_few_epochs_do_not_count_the_others_out() -> None:
    reports = [f"{{'loss': 0.5, 'learning_rate': 1e-05, 'epoch': {n}}}" for n in (2.2, 4.4, 8.9)]
    closing = "{'train_runtime': 300.0, 'train_samples_per_second': 50.0, 'epoch': 10.0}"
    card = scored("\n".join([*reports, closing, ""]))
    assert card["end_to_end"]["epochs"] == 10
    stopped = closing.replace("10.0", "8.9")
    assert scored("\n".join([*reports, stopped, ""]))["end_to_end"]["epochs"] != 10


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


def test_the_closing_report_says_how_many_epochs_were_trained() -> None:
    """A run that neither reports nor evaluates (`logging_strategy="no"`) names no other."""
    text = console(epochs=5, each=2, every=99)
    quiet = "".join(one for one in text.splitlines(keepends=True) if "eval_" not in one)
    assert scored(quiet)["run"]["epochs"] == 5
    assert scored(quiet.replace("'epoch': '5'", "'epoch': '4.6'"))["run"]["epochs"] is None


@pytest.mark.parametrize(
    ("epoch", "planned", "a_second", "rate"),
    [
        (10, 10, 40.0, 640.0),
        (9.6, 10, 40.0, 640.0),
        (9, 10, 40.0, 576.0),
        (5, 10, 40.0, 320.0),
        (5, 10, 20.0, 640.0),
        (5, None, 40.0, 640.0),
    ],
)
def test_the_closing_rate_is_of_the_steps_that_were_done(
    epoch: float, planned: int | None, a_second: float, rate: float
) -> None:
    """Early stopping ends the training after 5 of 10 epochs of 40 steps, in 10 seconds.

    Transformers 4 divides all 400 planned steps by them, transformers 5 those that were done.
    """
    header = f"***** Running training *****\n  Num Epochs = {planned}\n" if planned else ""
    header += "  Total optimization steps = 400\n" if planned else ""
    closing = "{'train_runtime': 10.0, 'train_samples_per_second': 640.0, "
    text = f"{header}{closing}'train_steps_per_second': {a_second}, 'epoch': {epoch}}}\n"
    assert scored(text)["dimensions"]["speed"]["value"] == rate


def test_the_state_of_a_stopped_training_has_the_rate_of_its_own_steps() -> None:
    entry = (
        '{"epoch": 5.0, "step": 200, "train_loss": 0.5, "train_runtime": 10.0, '
        '"train_samples_per_second": 640.0, "train_steps_per_second": 40.0}'
    )
    text = f'{{"global_step": 200, "log_history": [{entry}], "max_steps": 400}}'
    assert scored(text)["dimensions"]["speed"]["value"] == 320


@pytest.mark.parametrize(("steps", "rate"), [(2376, 4.0), (2374, 4.0 * 2374 / 3000)])
def test_a_rate_of_steps_that_is_rounded_shows_no_early_stop(steps: int, rate: float) -> None:
    """0.003 steps a second in 1,000,000 s may be 2,500 steps: 5 % fewer are near, more are not."""
    entry = (
        f'{{"epoch": 1.0, "step": {steps}, "train_loss": 0.5, "train_runtime": 1000000.0, '
        '"train_samples_per_second": 4.0, "train_steps_per_second": 0.003}'
    )
    text = f'{{"global_step": {steps}, "log_history": [{entry}], "max_steps": {steps}}}'
    assert scored(text)["dimensions"]["speed"]["value"] == pytest.approx(rate)


@pytest.mark.parametrize(
    ("epoch", "epochs"),
    [
        (3.0, 3),  # the report at 2.5 is the only one
        (2.96, 3),  # steps are whole
        (2.5, 0),  # the steps end within the third epoch, the only one with a report
    ],
)
@pytest.mark.parametrize("together", [True, False])
def test_the_state_says_how_many_epochs_were_trained(
    epoch: float, epochs: int, together: bool
) -> None:
    """Reports every ten steps name one epoch of three."""
    report = '{"epoch": 2.5, "loss": 0.5, "step": 10}'
    text = (
        f'{{"epoch": {epoch}, "global_step": 12, "log_history": [{report}], "max_steps": 12, '
        '"num_train_epochs": 3}'
    )
    if not together:
        text = json.dumps(json.loads(text), indent=2) + "\n"
    card = scored(text)
    assert (card["status"], card["run_end"]["epochs"]) == ("finished", epochs)


def test_the_closing_report_counts_epochs_without_a_report() -> None:
    """One report every two epochs: labels 2, 4 and 6 of six epochs."""
    reports = (f"{{'loss': 0.5, 'learning_rate': 1e-05, 'epoch': {n}.0}}\n" for n in (2, 4, 6))
    closing = (
        "{'train_runtime': 100.0, 'train_samples_per_second': 6.0, "
        "'train_steps_per_second': 0.6, 'train_loss': 0.5, 'epoch': 6.0}\n"
    )
    assert scored("".join(reports) + closing)["run_end"]["epochs"] == 6


def test_an_epoch_of_data_of_unknown_length_is_over_when_the_next_begins() -> None:
    """The Trainer divides by the planned steps there: 2.02 is in the third epoch, anywhere."""
    reports = (
        {"epoch": epoch, "loss": 4.0, "step": step}
        for step, epoch in ((400, 0.4), (700, 1.01), (1000, 2.02))
    )
    closing = {"epoch": 2.02, "step": 1000, "train_loss": 1.0, "train_runtime": 60.0}
    text = json.dumps({"log_history": [*reports, closing]}) + "\n"
    assert scored(text)["run_end"]["epochs"] == 2  # the mean loss says: resumed in between


def _unsized(each: int, total: int = 200, every: int = 20) -> str:
    """Reports of data whose length the Trainer does not know, `each` steps a pass over it."""
    out = ""
    for step in range(every, total + 1, every):
        passes = (step - 1) // each
        epoch = passes + (step - passes * each) / total
        bar = f" 10%|█         | {step}/{total} [00:{step // 10:02}<00:18, 10.00it/s]\r"
        out += f"{bar}\n{{'loss': '0.5', 'learning_rate': '0.1', 'epoch': '{epoch:.4g}'}}\n{bar}"
    return out


@pytest.mark.parametrize(
    ("each", "planned", "closing"), [(40, 5, 4.2), (70, 3, 2.3), (200, 1, 1.0)]
)
def test_the_steps_of_an_epoch_of_data_of_unknown_length_follow_from_a_later_epoch(
    each: int, planned: int, closing: float
) -> None:
    text = _unsized(each) + (
        "\n{'train_runtime': '20', 'train_samples_per_second': '160', "
        f"'train_steps_per_second': '10', 'train_loss': '0.5', 'epoch': '{closing}'}}\n"
    )
    card = scored(text)
    assert card["run"]["epochs_planned"] == planned
    assert card["dimensions"]["speed"]["value"] == 160  # all steps were done, whatever the fraction
    last = only(read(text, "huggingface"), Iteration)[-1]
    assert (last.epoch, last.step) == (planned, 200 - (planned - 1) * each)


def test_the_header_of_data_of_unknown_length_names_no_samples_and_no_epochs() -> None:
    header = (
        "***** Running training *****\n  Num examples = {samples}\n  Num Epochs = {epochs}\n"
        "  Instantaneous batch size per device = 16\n"
        "  Total train batch size (w. parallel, distributed & accumulation) = 16\n"
        "  Gradient Accumulation steps = 1\n  Total optimization steps = 200\n"
    )
    known = scored(header.format(samples="640", epochs="5") + _unsized(40))["run"]
    assert (known["samples_per_epoch"], known["epochs_planned"]) == (640, 5)
    # sys.maxsize, and the samples of all steps
    text = header.format(samples="3,200", epochs="9,223,372,036,854,775,807") + _unsized(40)
    card = scored(text)
    assert card["run"]["samples_per_epoch"] is None
    assert card["run"]["epochs_planned"] == 5
    assert not [w for w in card["warnings"] if w["kind"] == "fault"]


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
