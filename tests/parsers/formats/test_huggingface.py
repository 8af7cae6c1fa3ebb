"""Hugging Face Trainer on a console, LLaMA-Factory's jsonl, and trainer_state.json."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from sixdim.parsers.events import Evaluation, Iteration, Problem, RunEnd, RunStart, Scope, Summary
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats
from tests.support.formats import by_name
from tests.support.logs import detected, facts, only, read, real, score, scored

HEADER = """\
***** Running training *****
  Num examples = 2,182
  Num Epochs = 1,000
  Instantaneous batch size per device = 1
  Total train batch size (w. parallel, distributed & accumulation) = 128
  Gradient Accumulation steps = 64
  Total optimization steps = 17,000
  Number of trainable parameters = 18,739,200
"""


def logged(text: str, ranks: int) -> str:
    """`text` as so many ranks log it at the same moment."""
    lines = text.splitlines()
    return "".join(
        f"[INFO|trainer.py:{1143 + i}] 2021-05-25 06:30:55,249 >> {line}\n"
        for i, line in enumerate(lines)
        for _ in range(ranks)
    )


def test_report() -> None:
    line = "{'loss': 1.5524, 'grad_norm': nan, 'learning_rate': 1e-04, 'epoch': 0.01}\n"
    (iteration,) = only(read(line, "huggingface"), Iteration)
    assert (iteration.loss, iteration.epoch, iteration.step) == (1.5524, 1, None)
    assert [(m.name, m.value) for m in iteration.values if m.name != "grad_norm"] == [
        ("learning_rate", 1e-04),
        ("epoch", 0.01),
    ]
    assert detected(line * 4) == "huggingface"


def test_a_report_whose_loss_has_another_name_is_one() -> None:
    rest = "'learning_rate': '1.8e-05', 'epoch': '0.4'}"
    named = f"{{'embedding_loss': '0.4086', 'grad_norm': '1.652', {rest}"
    (report,) = only(read(f"{named}\n", "huggingface"), Iteration)
    assert (report.epoch, report.loss) == (1, None)
    figures = {m.name: (m.value, m.higher_is_better) for m in report.values}
    assert figures["embedding_loss"] == (0.4086, False)
    # Without a gradient it may be a program's settings.
    assert not only(read(f"{{'embedding_dim': '64', {rest}\n", "huggingface"), Iteration)


def test_later_versions_quote_their_numbers() -> None:
    line = "{'loss': '1.552', 'grad_norm': '0.5', 'learning_rate': '1e-04', 'epoch': '0.01'}\n"
    (iteration,) = only(read(line, "huggingface"), Iteration)
    assert iteration.loss == 1.552


def test_header_is_reported_once_and_counts_the_devices() -> None:
    events = read(logged(HEADER, ranks=4), "huggingface")
    assert facts(events) == {
        "samples_per_epoch": 2182,
        "epochs_planned": 1000,
        "batch_per_device": 1,
        "global_batch": 128,
        "devices": 2,
    }
    assert len(only(events, RunStart)) == 1
    assert only(events, RunStart)[0].at.time_us == 1_621_924_255_249_000


def test_paddlenlp_counts_its_steps_with_a_fraction() -> None:
    whole = HEADER.replace("17,000", "17000.0")
    assert whole != HEADER
    assert read(whole, "huggingface") == read(HEADER.replace("17,000", "17000  "), "huggingface")


def test_examples_of_an_evaluation_are_not_the_epochs() -> None:
    text = HEADER + "***** Running Evaluation *****\n  Num examples = 243\n  Batch size = 1\n"
    assert facts(read(text, "huggingface"))["samples_per_epoch"] == 2182


def test_step_comes_from_the_progress_bar_of_training_alone() -> None:
    text = HEADER + (
        "  0%|          | 0/17000 [00:00<?, ?it/s]\r"
        "  0%|          | 5/17000 [00:05<4:43:20,  1.00s/it]\r"
        "  0%|          | 5/17000 [00:05<4:43:20,  1.00s/it]\n"
        "{'loss': 2.5, 'learning_rate': 0.1, 'epoch': 0.5}\n"
        " 45%|████▌     | 9/20 [00:01<00:01,  8.0it/s]\r"
        "  0%|          | 6/17000 [00:05<4:43:20,  2.00it/s]\n"
    )
    steps = [(i.step, i.loss, i.duration) for i in only(read(text, "huggingface"), Iteration)]
    assert steps == [(5, None, 1.0), (5, 2.5, None), (6, None, 0.5)]


def test_report_right_after_a_bar() -> None:
    line = "  1%|▏  | 5/500 [00:05<08:15,  1.00s/it]{'loss': 2.5, 'learning_rate': 0.1, 'epoch': 0.5}\n"
    assert [i.loss for i in only(read(line, "huggingface"), Iteration)] == [2.5]


def test_what_every_rank_repeats_is_read_once() -> None:
    report = "{'loss': 2.5, 'learning_rate': 0.1, 'epoch': 1.0}\n" * 3
    ends = "".join(
        f"{{'train_runtime': {t}, 'train_samples_per_second': 1.147, 'epoch': 1.0}}\n"
        for t in (871.787, 871.7719, 871.809)
    )
    block = """\
***** train metrics *****
  epoch                    =        1.0
  train_runtime            = 0:14:31.66
"""
    events = read(report + ends + block, "huggingface")
    assert [i.throughput for i in only(events, Iteration)] == [None]
    assert [(e.duration, e.throughput) for e in only(events, RunEnd)] == [(871.787, 1.147)]
    (summary,) = only(events, Summary)
    assert [(m.name, m.value, m.unit) for m in summary.metrics[:2]] == [
        ("train_runtime", 871.787, "s"),
        ("train_samples_per_second", 1.147, "samples/s"),
    ]


def test_blocks_of_metrics() -> None:
    text = """\
***** train metrics *****
  epoch                    =        3.0
  train_loss               =     0.1234
  train_runtime            = 1:02:04.04
  train_samples            =       401
  train_samples_per_second =      3.225
***** eval metrics *****
  epoch                   =        3.0
  eval_accuracy           =     0.8725
  eval_loss               =     0.4321
  eval_runtime            = 0:00:04.04
"""
    events = read(text, "huggingface")
    assert only(events, RunEnd)[0].duration == 3724.04
    (evaluation,) = only(events, Evaluation)
    assert [(m.name, m.value, m.unit) for m in evaluation.metrics] == [
        ("accuracy", 0.8725, "fraction"),
        ("loss", 0.4321, ""),
    ]
    assert not evaluation.after_training  # the training shows no other
    during = "{'eval_loss': 1.25, 'eval_accuracy': 0.75, 'epoch': 2.0}\n"
    found = only(read(during + text, "huggingface"), Evaluation)
    assert [one.after_training for one in found] == [False, True]


def test_the_evaluation_after_a_training_without_others_is_its_accuracy() -> None:
    report = "{'loss': 0.5, 'learning_rate': 1e-06, 'epoch': 2.0}\n"
    closing = "{'train_runtime': 13.2, 'train_samples_per_second': 578.8, 'epoch': 2.0}\n"
    block = "***** %s metrics *****\n  epoch = 2.0\n  %s_accuracy = %s\n"
    log = report + closing + block % ("eval", "eval", 0.5781) + block % ("test", "test", 0.625)
    assert scored(log)["dimensions"]["accuracy"]["value"] == 0.5781


def test_assignments_outside_a_block_are_unknown() -> None:
    interpreter = Interpreter(formats(), by_name("huggingface"))
    for _ in interpreter.feed(b"batch_size = 4\nlr = 0.1\n"):
        pass
    assert interpreter.unknown == 2


def test_evaluation_report() -> None:
    line = (
        "{'eval_loss': 1.25, 'eval_accuracy': 0.75, 'eval_f1': 0.5, 'eval_runtime': 13.3, "
        "'eval_samples_per_second': 18.2, 'eval_steps_per_second': 2.3, 'epoch': 5.87}\n"
    )
    (evaluation,) = only(read(line, "huggingface"), Evaluation)
    assert [(m.name, m.value) for m in evaluation.metrics] == [
        ("loss", 1.25),
        ("accuracy", 0.75),
        ("f1", 0.5),
    ]


def test_tokens_per_second_of_llama_factory() -> None:
    line = "{'loss': 2.28, 'learning_rate': 2.5e-06, 'epoch': 0.29, 'throughput': 4321.5}\n"
    prefix = "[INFO|2024-11-26 22:09:01] logging.py:157 >> "
    (iteration,) = only(read(prefix + line, "huggingface"), Iteration)
    assert (iteration.throughput, iteration.unit) == (4321.5, "tokens/s")
    assert iteration.scope is Scope.JOB
    assert iteration.at.time_us == 1_732_658_941_000_000


def test_interleaved_and_cut_reports_are_never_a_figure() -> None:
    glued = "{'loss': 2.5, 'learning_rate': 0.1, 'epoch': 1.0}{'loss': 2.5, 'learning_rate'\n"
    events = read(glued, "huggingface")
    assert only(events, Iteration) == [] or only(events, Iteration)[0].loss == 2.5
    cut = "{'loss': 2.5, 'learni{'loss': 2.5, 'learning_rate': 0.1, 'epoch': 1.0}\n"
    assert all(i.loss == 2.5 for i in only(read(cut, "huggingface"), Iteration))
    broken = "{'loss': 2.5.1, 'epoch': 1.0}\n"
    assert only(read(broken, "huggingface"), Problem)[0].kind == "broken_number"


def test_64_ranks_of_bigscience() -> None:
    name, events = real("corpus/huggingface/bigscience_hf_ds_gpt2_base_n16.log")
    assert name == "huggingface"
    assert facts(events)["devices"] == 64  # 16 nodes of 4
    ends = [end for end in only(events, RunEnd) if not end.sentence]  # each rank says one
    assert [end.duration for end in ends] == [871.787]
    assert [i.step for i in only(events, Iteration)] == [1, 2, 3, 4]


def test_llava() -> None:
    name, events = real("corpus/huggingface/yunsaijc_llava_sft.log")
    (end,), (summary,) = only(events, RunEnd), only(events, Summary)
    figures = {m.name: m.value for m in summary.metrics}
    assert (name, end.duration) == ("huggingface", 11174.986)
    assert figures["train_samples_per_second"] == 2.553
    assert len(only(events, Iteration)) == 900


def test_running_log_of_llama_factory() -> None:
    name, events = real("corpus/huggingface/llamafactory_running_log.log")
    assert name == "huggingface"
    assert facts(events)["devices"] == 2
    assert facts(events)["samples_per_epoch"] == 2182
    assert only(events, Iteration)[0].loss == 2.2818


def test_trainer_log_of_llama_factory() -> None:
    text = (
        '{"current_steps": 5, "total_steps": 17, "loss": 2.25, "lr": 2.5e-06, "epoch": 0.29, '
        '"percentage": 29.4, "elapsed_time": "0:01:10", "remaining_time": "0:02:50", '
        '"throughput": 1234.5, "total_tokens": 86415}\n'
        '{"current_steps": 10, "total_steps": 17, "eval_loss": 1.5, "epoch": 0.58}\n'
    )
    events = read(text, "llamafactory")
    (iteration,), (evaluation,) = only(events, Iteration), only(events, Evaluation)
    assert (iteration.step, iteration.steps, iteration.loss) == (5, 17, 2.25)
    assert (iteration.throughput, iteration.unit) == (1234.5, "tokens/s")
    assert (evaluation.step, score(evaluation, "loss")) == (10, 1.5)
    assert detected(text * 2) == "llamafactory"


@pytest.mark.parametrize("before", [0, 40_000])
def test_the_rate_of_a_trainer_log_is_that_between_its_records(before: int) -> None:
    """A step of 4000 tokens takes 0.5 s after a slow first one; `before` were trained earlier.

    The mean since the program began would be 4000 tokens/s or less, and with the earlier tokens
    up to 10000. An evaluation of 30 s after step 20 is no part of a step.
    """
    line = (
        '{{"current_steps": {step}, "total_steps": 90, "{loss}": 2.0, "elapsed_time": "{clock}", '
        '"throughput": {mean:.2f}, "total_tokens": {tokens}}}\n'
    )

    def record(step: int, seconds: float, loss: str = "loss") -> str:
        tokens = before + 4000 * step
        clock = str(timedelta(seconds=int(seconds)))
        return line.format(step=step, loss=loss, clock=clock, mean=tokens / seconds, tokens=tokens)

    text = "".join(record(n, 20.25 + 0.5 * n) for n in (10, 20))
    text += record(20, 60.25, "eval_loss") + record(30, 65.25) + record(40, 70.25)
    found = only(read(text, "llamafactory"), Iteration)[1:]
    assert [one.throughput for one in found] == pytest.approx([8000] * 3, rel=1e-3)
    assert [one.duration for one in found] == pytest.approx([0.5] * 3, rel=1e-3)


def test_a_trainer_log_goes_on_from_a_checkpoint() -> None:
    """The program began again: its 10 s are those of the last ten steps alone."""
    line = '{{"current_steps": {}, "total_steps": 90, "loss": 2, "elapsed_time": "0:00:{}", '
    text = (
        line.format(10, 20) + '"throughput": 200, "total_tokens": 4000}\n'
        + line.format(20, 10) + '"throughput": 800, "total_tokens": 8000}\n'
    )  # fmt: skip
    text = text.replace("{{", "{")
    assert [i.throughput for i in only(read(text, "llamafactory"), Iteration)] == [200, None]


def test_the_last_record_of_a_trainer_log_has_the_time_of_the_whole() -> None:
    report = '{"current_steps": 17, "total_steps": 17, "loss": 2.0, "elapsed_time": "0:03:50"}\n'
    scores = '{"current_steps": 17, "total_steps": 17, "eval_loss": 1.5, "epoch": 1.0}\n'
    last = '{"current_steps": 17, "total_steps": 17, "epoch": 1.0, "elapsed_time": "0:03:55"}\n'
    card = scored(report + scores + last)
    assert (card["status"], card["run_end"]["run_time_s"]) == ("finished", 235)
    assert card["dimensions"]["accuracy"]["value"] == 1.5
    assert scored(report)["run_end"]["run_time_s"] == 230  # older versions write no other record


def test_steps_of_one_second_share_the_time_of_the_next_record() -> None:
    line = '{{"current_steps": {}, "total_steps": 17, "loss": 2.0, "elapsed_time": "0:00:0{}"}}\n'
    times = {1: 1, 2: 2, 3: 2, 4: 3}  # steps: seconds
    text = "".join(line.format(step, seconds) for step, seconds in times.items())
    durations = [i.duration for i in only(read(text, "llamafactory"), Iteration)]
    assert durations == [1.0, 1.0, None, 0.5]


STATE = {
    "best_metric": None,
    "best_model_checkpoint": None,
    "epoch": 1.0,
    "global_step": 20,
    "is_hyper_param_search": False,
    "is_local_process_zero": True,
    "is_world_process_zero": True,
    "log_history": [
        {"epoch": 0.5, "learning_rate": 0.1, "loss": 2.5, "step": 10},
        {"epoch": 1.0, "eval_accuracy": 0.75, "eval_loss": 1.5, "eval_runtime": 3.0, "step": 20},
        {"epoch": 1.0, "step": 20, "train_loss": 2.0, "train_runtime": 84.1},
    ],
    "max_steps": 20,
    "num_train_epochs": 1,
    "train_batch_size": 8,
}


def test_trainer_state_indented_and_on_one_line() -> None:
    for indent in (2, None):
        text = json.dumps(STATE, indent=indent) + "\n"
        events = read(text, "trainer-state")
        assert [(i.step, i.loss) for i in only(events, Iteration)] == [(10, 2.5)]
        (evaluation,) = only(events, Evaluation)
        assert (evaluation.step, score(evaluation, "accuracy")) == (20, 0.75)
        assert [e.duration for e in only(events, RunEnd)] == [84.1]
        assert facts(events)["epochs_planned"] == 1
        assert detected(text) == "trainer-state"


def swift(step: int, time: str, **more: object) -> str:
    place = {"epoch": step / 20, "global_step/max_steps": f"{step}/20", "elapsed_time": time}
    return json.dumps({**more, **place, "percentage": f"{step * 5}%"}) + "\n"


def test_the_records_of_ms_swift_are_those_of_the_state_that_it_ends_with() -> None:
    """Its times are whole seconds: several steps of one second share the next record's time."""
    times = {1: "59s", 2: "59s", 3: "59s", 4: "1m 5s", 5: "1h 1m 5s"}
    reports = "".join(swift(step, time, loss=2.5) for step, time in times.items())
    paused = swift(5, "1h 2m 5s", eval_loss=1.5, eval_token_acc=0.75) + swift(
        6, "1h 2m 7s", loss=2.25
    )
    events = read(reports + paused, "trainer-state")
    assert facts(events)["steps_planned"] == 20
    assert [(i.step, i.duration) for i in only(events, Iteration)] == [
        (1, None),
        (2, None),
        (3, None),
        (4, 2.0),  # 3 steps in 6 s
        (5, 3600.0),
        (6, 2.0),  # without the evaluation's 60 s
    ]
    card = scored(reports + paused)
    assert (card["run"]["format"], card["status"]) == ("trainer-state", "incomplete")
    rates = {"train_samples_per_second": 2.5, "train_steps_per_second": 0.005}
    last = swift(20, "1h 5m 0s", train_runtime=3900.5, train_loss=2.0, **rates)
    card = scored(reports + paused + last + json.dumps(STATE) + "\n")
    assert (card["status"], card["run"]["epochs"]) == ("finished", 1)
    assert card["run_end"]["run_time_s"] == 3900.5
    dimensions = card["dimensions"]
    assert (dimensions["accuracy"]["metric"], dimensions["accuracy"]["value"]) == (
        "token_acc",
        0.75,
    )
    assert (dimensions["speed"]["value"], dimensions["speed"]["unit"]) == (2.5, "samples/s")


def test_records_of_ms_swift_2() -> None:
    """Its `train_speed` is the mean since the start: 20 steps in 50 s, then 40 in 60 s."""
    text = (
        '{"loss": 2.5, "acc": 0.5, "train_speed(iter/s)": 0.4, "epoch": 0.5, "global_step": 20}\n'
        '{"loss": 1.5, "acc": 0.6, "train_speed(iter/s)": 0.66666667, "epoch": 1.0, '
        '"global_step": 40}\n'
        '{"eval_loss": 1.75, "eval_acc": 0.55, "eval_runtime": 2.5, "epoch": 1.0, '
        '"global_step": 40}\n'
    )
    assert detected(text) == "trainer-state"
    events = read(text, "trainer-state")
    assert [(i.step, i.loss) for i in only(events, Iteration)] == [(20, 2.5), (40, 1.5)]
    assert only(events, Iteration)[1].duration == pytest.approx((60 - 50) / 20)
    (tested,) = only(events, Evaluation)
    assert [(m.name, m.value) for m in tested.metrics] == [("loss", 1.75), ("acc", 0.55)]
    closing = (
        '{"train_runtime": 62.5, "train_samples_per_second": 5.12, "train_loss": 2.0, '
        '"epoch": 1.0, "global_step": 40}\n'
    )
    card = scored(text + closing)
    assert (card["status"], card["run_end"]["run_time_s"]) == ("finished", 62.5)


def test_the_reports_of_ms_swift_say_their_steps_and_times_on_a_console_without_bars() -> None:
    """A step takes 3 s, and the evaluation after the tenth 30 s."""

    def report(step: int, seconds: int, **figures: object) -> str:
        place = {"epoch": step / 40, "global_step/max_steps": f"{step}/80"}
        return f"{figures | place | {'elapsed_time': f'{seconds // 60}m {seconds % 60}s'}}\n"

    text = "".join(
        report(step, 3 * step + 30 * (step > 10), loss=2 / step)
        + (report(10, 60, eval_loss=0.75, eval_runtime=30.0) if step == 10 else "")
        for step in range(1, 21)
    )
    events = read(text, "huggingface")
    assert [(i.epoch, i.step, i.steps) for i in only(events, Iteration)][-1] == (1, 20, 40)
    assert {i.duration for i in only(events, Iteration)[1:]} == {3.0}
    assert facts(events)["epochs_planned"] == 2
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(1 / 3), "it/s")


def test_ms_swifts_training_of_half_an_epoch_has_completed_none() -> None:
    half = {"epoch": 0.5, "train_runtime": 40.0, "train_loss": 2.0}
    last = json.dumps({**half, "global_step/max_steps": "10/10", "elapsed_time": "40s"}) + "\n"
    card = scored(swift(9, "9s", loss=2.5) + last)
    assert (card["status"], card["run"]["epochs"]) == ("finished", 0)


@pytest.mark.parametrize(
    ("step", "epoch", "status", "epochs"),
    [(20, 0.97, "finished", 1), (20, 0.9, "finished", 0), (19, 0.97, "incomplete", 0)],
)
def test_the_state_of_the_last_step_is_that_of_a_finished_training(
    step: int, epoch: float, status: str, epochs: int
) -> None:
    """The last checkpoint has no closing report; the last report may miss the epoch's end."""
    history = [{"epoch": 0.5, "loss": 2.5, "step": 10}, {"epoch": epoch, "loss": 2.0, "step": 19}]
    state = STATE | {"epoch": epoch, "log_history": history, "global_step": step}
    for indent in (2, None):
        card = scored(json.dumps(state, indent=indent) + "\n")
        assert (card["status"], card["run"]["epochs"]) == (status, epochs)


def test_a_type_that_is_not_chosen_is_no_precision() -> None:
    line = (
        "Process rank: 0, world size: 1, device: {}, distributed training: {}, compute dtype: {}\n"
    )
    assert (
        facts(read(line.format("cpu", False, "None") + HEADER, "huggingface")).get("precision")
        is None
    )
    half = line.format("cuda:0", True, "torch.bfloat16") + HEADER
    assert facts(read(half, "huggingface"))["precision"] == "bfloat16"


def test_a_dict_of_a_loop_that_begins_with_its_epoch_is_not_the_trainers() -> None:
    """The Trainer adds the epoch to the figures that it reports, so it stands after them."""
    text = "".join(
        f"{{'epoch': {epoch}, 'loss': {1 / epoch}, 'val_loss': 1.5, 'val_f1': 0.{70 + epoch}}}\n"
        for epoch in (1, 2, 3)
    )
    card = scored(text)
    assert card["run"]["format"] == "generic"
    assert card["dimensions"]["accuracy"]["value"] == 0.73


LOSSES = [2.8, 2.6, 2.4, 2.2, 2.0, 1.8, 1.6, 1.4, 1.2, 1.0]
"""Means of 50 steps of 16 samples each: 500 steps, 8000 samples, 2 epochs."""


def closing(part: list[float], seconds: float) -> dict[str, float]:
    """The closing report of a training, or of its part with these losses."""
    return {
        "train_runtime": seconds,
        "train_samples_per_second": 8000 / seconds,
        "train_steps_per_second": 500 / seconds,
        "train_loss": sum(part) / 10,  # over all steps: those of the other part count as 0
        "epoch": 2.0,
    }


@pytest.mark.parametrize(
    ("since", "seconds", "speed"), [(0, 1000, 8.0), (1, 900, None), (5, 500, None)]
)
def test_a_history_of_several_parts_has_no_speed_and_no_time_of_the_last_part(
    since: int, seconds: float, speed: float | None
) -> None:
    reports = [
        {"epoch": n / 5, "loss": loss, "learning_rate": 1e-5, "step": 50 * n}
        for n, loss in enumerate(LOSSES, 1)
    ]
    last = {**closing(LOSSES[since:], seconds), "step": 500}
    whole = {"epoch": 2.0, "global_step": 500, "max_steps": 500, "num_train_epochs": 2}
    text = json.dumps({**STATE, **whole, "log_history": [*reports, last]}, indent=2) + "\n"
    (end,) = only(read(text, "trainer-state"), RunEnd)
    assert (end.throughput, end.duration) == (speed, seconds if speed else None)
    card = scored(text)
    assert card["dimensions"]["speed"]["value"] == speed
    assert card["run_end"]["run_time_s"] == (seconds if speed else None)


@pytest.mark.parametrize("stopped", [5, 7])  # at its checkpoint, and two reports after it
def test_a_console_of_two_parts_has_no_speed_and_no_time_of_the_last_part(stopped: int) -> None:
    reports = [
        f"{{'loss': {loss}, 'grad_norm': 1.5, 'learning_rate': 1e-05, 'epoch': {n / 5}}}\n"
        for n, loss in enumerate(LOSSES, 1)
    ]
    whole = "".join(reports) + f"{closing(LOSSES, 1000)}\n"
    parts = "".join(reports[:stopped] + reports[5:]) + f"{closing(LOSSES[5:], 500)}\n"
    for text, speed, seconds in ((whole, 8.0, 1000.0), (parts, None, None)):
        card = scored(text)
        assert card["run"]["format"] == "huggingface"
        assert card["dimensions"]["speed"]["value"] == speed
        assert card["run_end"]["run_time_s"] == seconds


@pytest.mark.parametrize(("closing", "state"), [(True, "finished"), (False, "incomplete")])
def test_example_scripts_without_the_trainer_end_with_the_mean_loss(
    closing: bool, state: str
) -> None:
    text = HEADER + "Saving model checkpoint to out/checkpoint-50\n"
    text += "global_step = 17000, average loss = 0.4195645262857342\n" * closing
    assert scored(text)["status"] == state


def test_the_header_of_llamafactory_s_ppo() -> None:
    """It prints the epochs with a decimal; a half of one plans none."""
    text = HEADER.replace("Num Epochs = 1,000", "Num Epochs = 3.0").replace(
        "optimization", "training"
    )
    text += "{'loss': 0.5, 'reward': 0.25, 'learning_rate': 1e-05, 'epoch': 0.01}\n" * 2
    events = read(text, "huggingface")
    assert not only(events, Problem)
    assert facts(events)["epochs_planned"] == 3
    half = read(text.replace("3.0", "0.5"), "huggingface")
    assert "epochs_planned" not in facts(half)


def test_reports_of_trl_s_ppo_have_no_loss() -> None:
    text = "".join(
        f"\r{n:3}%|#   | {n}/100 [{4 * n // 60:02}:{4 * n % 60:02}<06:00,  4.00s/it]"
        f"{{'eps': 4, 'objective/kl': 0.5, 'objective/scores': {0.01 * n:.2f}, "
        f"'loss/policy_avg': -0.01, 'lr': 1e-06, 'episode': {16 * n}, 'epoch': {n / 100:.2f}}}\n"
        for n in range(1, 60)
    )
    assert detected(text) == "huggingface"
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(0.25, rel=0.02), "it/s")


@pytest.mark.parametrize(
    ("rates", "speed"),
    [
        ("'train_samples_per_second': 2.5, ", 20.0),  # before 4.7: 375 steps in 150 s
        ("'train_samples_per_second': 2.524, ", 20.0),  # rounded, as the time is
        ("'train_samples_per_second': 2.53, ", 2.53),  # neither of them: as it is printed
        ("'train_samples_per_second': 20.0, ", 20.0),
        ("'train_samples_per_second': 2.5, 'train_steps_per_second': 2.5, ", 2.5),
    ],
)
def test_the_closing_rate_of_versions_that_divide_the_steps(rates: str, speed: float) -> None:
    """1,000 examples, three epochs of 125 steps of 8 in 150 s: 20 samples/s."""
    log = (
        "***** Running training *****\n  Num examples = 1000\n  Num Epochs = 3\n"
        "  Instantaneous batch size per device = 8\n  Total train batch size (w. parallel, "
        "distributed & accumulation) = 8\n  Total optimization steps = 375\n"
        "{'loss': 2.5, 'learning_rate': 1e-05, 'epoch': 1.6}\n"
        f"{{'train_runtime': 150.0, {rates}'epoch': 3.0}}\n"
    )
    found = scored(log)["dimensions"]["speed"]
    assert (found["value"], found["unit"]) == (pytest.approx(speed), "samples/s")
