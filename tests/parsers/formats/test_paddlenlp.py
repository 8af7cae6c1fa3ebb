"""PaddleNLP: BERT and Transformer lines, and the published throughputs of real logs."""

from __future__ import annotations

from statistics import fmean

import pytest

from sixdim.parsers.events import (
    Evaluation,
    Iteration,
    Metric,
    Problem,
    RunEnd,
    RunInfo,
    RunStart,
    Scope,
)
from tests.support.corpus import log, read, text
from tests.support.inputs.published import digits, figure, speeds, tipc
from tests.support.logs import facts, iterations, scored, scores_by_step

BERT = (
    "{} 220, epoch: 1, batch: 19, loss: 10.813088, avg_reader_cost: 0.00010 sec, "
    "avg_batch_cost: 0.14556 sec, avg_samples: 96.00000, ips: 659.14882 sequences/sec"
)
TRANSFORMER = (
    "\x1b[32m[2023-07-31 11:56:49,359] [    INFO]\x1b[0m - step_idx: 2400, epoch: 13, batch: 112, "
    "avg loss: 3.25, normalized loss: 1.75, ppl: 25.79, avg_speed: 1.81 step/s, "
    "batch_cost: 0.55214 sec, reader_cost: 0.1 sec, tokens: 455605, ips: 8268.95210 words/sec\x1b[0m"
)


@pytest.mark.parametrize("head", ["tobal step:", "total step:", "global step:", "global step"])
def test_bert(head: str) -> None:
    name, events = text(BERT.format(head))
    (record,) = (e for e in events if isinstance(e, Iteration))
    assert name == "paddlenlp"
    assert (record.epoch, record.step, record.loss) == (1, 19, 10.813088)
    assert (record.throughput, record.unit, record.scope) == (
        659.14882,
        "sequences/s",
        Scope.DEVICE,
    )
    assert record.duration == 0.14556
    assert Metric("global step", 220.0) in record.values


@pytest.mark.parametrize(
    ("end", "speed"),
    [
        ("speed: 5.45 step/s, ips: 522.89 sequences/s", 522.89),
        ("speed: 5.45 step/s, ips :109.26 sequences/s", 109.26),
        ("avg_samples: 96.0, avg_ips: 12.5 sequences/sec", 12.5),
    ],
)
def test_older_spellings(end: str, speed: float) -> None:
    _, events = text(f"global step 480, epoch: 0, batch: 479, loss: 9.5, {end}")
    (record,) = (e for e in events if isinstance(e, Iteration))
    assert (record.throughput, record.unit) == (speed, "sequences/s")


def test_an_example_script_that_prints_the_steps_in_a_second_alone() -> None:
    name, events = text(
        "global step 2200/6315, epoch: 1, batch: 94, rank_id: 0, loss: 0.25, "
        "lr: 0.0000651, speed: 4.0000 step/s"
    )
    (record,) = (e for e in events if isinstance(e, Iteration))
    assert name == "paddlenlp"
    assert (record.epoch, record.step, record.loss) == (1, 94, 0.25)
    assert (record.duration, record.throughput) == (0.25, None)


def test_transformer_first_line_has_no_speed() -> None:
    _, events = text(
        "2021-05-08 17:18:59,018-INFO: step_idx: 0, epoch: 0, batch: 0, avg loss: 11.2, "
        "normalized loss: 9.8, ppl: 74126.726562",
        TRANSFORMER,
    )
    first, second = (e for e in events if isinstance(e, Iteration))
    assert (first.throughput, first.scope, first.loss) == (None, Scope.UNKNOWN, 11.2)
    assert first.at.time_us == 1_620_494_339_018_000
    assert (second.throughput, second.unit, second.step) == (8268.95210, "words/s", 112)
    assert second.duration == 0.55214


def test_validation_and_task_results() -> None:
    _, events = text(
        TRANSFORMER,
        "validation, step_idx: 5000, avg loss: 3.5, normalized loss: 2.1, ppl: 33.1",
        "eval loss: 0.412, acc: 0.8414, eval done total : 3.4 s",
    )
    validation, task = (e for e in events if isinstance(e, Evaluation))
    assert Metric("perplexity", 33.1, "", higher_is_better=False) in validation.metrics
    assert task.metrics[-1] == Metric("acc", 0.8414, "fraction")


@pytest.mark.parametrize("on", ["True", "1"])
def test_facts_of_the_arguments(on: str) -> None:
    _, events = text(
        "Namespace(batch_size=96, max_steps=500, model_name_or_path='bert-base-uncased', "
        f"use_amp={on}, use_pure_fp16=False)",
        BERT.format("tobal step:"),
    )
    assert isinstance(events[0], RunStart)
    assert {e.name: e.value for e in events if isinstance(e, RunInfo)} == {
        "batch_per_device": 96,
        "model": "bert-base-uncased",
        "precision": "amp",
    }


@pytest.mark.parametrize("flag", ["--gpus=0,1,2,3", "--gpus 0,1,2,3", "--devices=0,1,2,3"])
def test_the_launchers_command_names_the_devices(flag: str) -> None:
    _, events = text(
        BERT.format("tobal step:"),
        f"python -m paddle.distributed.launch --log_dir=./l {flag} train.py --lr 5e-5",
    )
    assert [(e.name, e.value) for e in events if isinstance(e, RunInfo)] == [("devices", 4)]


BERT_LOGS = "Perf/Bert/logs/{}_LOG/PaddleNLP_bert_base_seqlen128_bs96_{}_DP_N1C{}_log"
BIG_LOGS = "Perf/Transformer/logs/{}_LOG/PaddleNLP_transformer_big_bs5120_{}_DP_N1C{}_log"


@pytest.mark.parametrize(
    ("path", "skip", "cards"),
    [
        (BERT_LOGS.format("V100", "fp32", 1), 10, 1),
        (BERT_LOGS.format("V100", "fp16", 8), 10, 8),
        (BERT_LOGS.format("A100", "fp32", 8), 10, 8),
        (BIG_LOGS.format("V100", "fp32", 8), 5, 8),
        (BIG_LOGS.format("A100", "pure_fp16", 1), 5, 1),
    ],
)
def test_published_throughput(path: str, skip: int, cards: int) -> None:
    name, events = read(log(path).read_bytes())
    assert name == "paddlenlp"
    assert str(tipc(speeds(events), skip, cards)) == figure(path)


@pytest.mark.parametrize(
    ("path", "skip", "cards"),
    [
        ("Perf/Bert/logs/V100_LOG/base_bs96_fp32_gpu32.log", 10, 32),
        ("Perf/Transformer/logs/V100_LOG/paddle_gpu32_fp16_bs5120", 1, 32),
        ("Perf-2021-01/Bert/logs/base_bs32_fp32_gpu32_gradacc.log", 1, 32),
    ],
)
def test_published_throughput_of_whole_windows(path: str, skip: int, cards: int) -> None:
    name, events = read(log(path).read_bytes())
    published = figure(path)
    assert name == "paddlenlp"
    assert digits(fmean(speeds(events)[skip:]) * cards, published) == published


@pytest.mark.parametrize(("printed", "steps"), [("1300.0", 1300), ("1,300", 1300), ("nan", None)])
def test_planned_steps_as_the_versions_of_the_trainer_print_them(
    printed: str, steps: int | None
) -> None:
    said = "[2024-05-10 10:00:50,123] [    INFO] - "
    _, events = text(
        f"{said}***** Running training *****",
        f"{said}  Total train batch size (w. parallel, distributed & accumulation) = 64",
        f"{said}  Total optimization steps = {printed}",
        f"{said}loss: 9.5, learning_rate: 3e-05, global_step: 10, interval_runtime: 4.0, "
        "interval_samples_per_second: 160.0, interval_steps_per_second: 2.5, epoch: 1.0",
    )
    assert facts(events).get("steps_planned") == steps
    assert not [event for event in events if isinstance(event, Problem)]


def test_the_trainer_of_newer_versions() -> None:
    step = (
        "[2024-05-10 10:00:{s:02},123] [    INFO] - loss: {loss}, learning_rate: 3e-05, "
        "global_step: {n}, max_memory_allocated: 50.3, interval_runtime: 4.0, "
        "interval_samples_per_second: 160.0, interval_tokens_per_second_per_device: 40960.0, "
        "interval_steps_per_second: 2.5, ppl: 1234.5, progress_or_epoch: 0.05"
    )
    said = "[2024-05-10 10:00:50,123] [    INFO] - "
    name, events = text(
        f"{said}***** Running training *****",
        f"{said}  Total train batch size (w. parallel, distributed & accumulation) = 64",
        f"{said}  Total optimization steps = 30",
        *(step.format(s=4 * n, n=10 * n, loss=10.5 - n) for n in (1, 2, 3)),
        f"{said}eval_loss: 7.25, eval_accuracy: 0.5, eval_runtime: 12.3, "
        "eval_samples_per_second: 50.1, eval_steps_per_second: 3.1, progress_or_epoch: 1.0",
        f"{said}train_runtime: 24.5, train_samples_per_second: 78.4, train_loss: 8.5",
    )
    assert name == "paddlenlp"
    found = [(i.step, i.throughput, i.scope, i.duration, i.loss) for i in iterations(events)]
    assert found == [(10 * n, 160.0, Scope.JOB, 0.4, 10.5 - n) for n in (1, 2, 3)]
    assert facts(events) == {"global_batch": 64, "steps_planned": 30}
    assert scores_by_step(events) == [(30, {"acc": 0.5, "loss": 7.25})]
    assert [end.duration for end in events if isinstance(end, RunEnd)] == [24.5]


def test_a_short_log_of_the_trainer_has_one_line_of_an_interval() -> None:
    """A Trainer of transformers prints the same header."""
    settings = ("Num examples = 1,000", "Num Epochs = 1", "Gradient Accumulation steps = 1")
    name, events = text(
        "***** Running training *****",
        *(f"  {setting}" for setting in settings),
        "  Instantaneous batch size per device = 8",
        "  Total train batch size (w. parallel, distributed & accumulation) = 32",
        "  Total optimization steps = 31",
        "loss: 10.5, learning_rate: 1e-05, global_step: 20, current_memory_allocated: 10.1, "
        "interval_runtime: 8.0, interval_samples_per_second: 80.0, "
        "interval_steps_per_second: 2.5, progress_or_epoch: 0.6452",
        "***** train metrics *****",
        "  train_runtime            = 0:00:12.40",
    )
    assert (name, iterations(events)[0].throughput) == ("paddlenlp", 80.0)


@pytest.mark.parametrize(
    ("batch", "counted", "later", "speed"),
    [
        (64, 64 * 10, "epoch", (160.0, "samples/s")),
        (64, 64, "epoch", (160.0, "samples/s")),  # the samples of one step
        (64, 8, "epoch", (160.0, "samples/s")),  # of one step and one of eight devices
        (64, 64 * 8.1, "epoch", (129.6, "samples/s")),  # rounded, not wrong
        (64, 64 * 7.9, "epoch", (160.0, "samples/s")),
        (None, 64 * 10, "progress_or_epoch", (160.0, "samples/s")),
        (None, 64, "epoch", (2.5, "it/s")),  # without a header it may be any of them
    ],
)
def test_the_samples_that_the_first_versions_of_the_trainer_count(
    batch: int | None, counted: float, later: str, speed: tuple[float, str]
) -> None:
    """Each line is of 10 steps in 4 s: with 64 samples a step, 160 samples/s."""
    said = "[2024-05-10 10:{m:02}:{s:02},123] [    INFO] - "
    head = "  Total train batch size (w. parallel, distributed & accumulation) = {}\n"
    log = "".join(
        said.format(m=n // 15, s=4 * n % 60)
        + f"loss: 9.5, learning_rate: 3e-05, global_step: {10 * n}, interval_runtime: 4.0, "
        f"interval_samples_per_second: {counted / 4:.3f}, interval_steps_per_second: 2.5, "
        f"{later}: {n / 10}\n"
        for n in range(1, 31)
    )
    card = scored((said.format(m=0, s=0) + head.format(batch) if batch else "") + log)
    found = card["dimensions"]["speed"]
    assert (found["value"], found["unit"]) == speed


def interval(step: int, seconds: int, passed: int) -> str:
    """A line of the `Trainer`: the speed of 10 steps of 64 samples, and the clock."""
    return (
        f"[2024-05-10 10:{passed // 60:02}:{passed % 60:02},123] [    INFO] - loss: 2.5, "
        f"learning_rate: 3e-05, global_step: {step}, interval_runtime: {seconds}.0, "
        f"interval_samples_per_second: {640 / seconds:.4f}, "
        f"interval_steps_per_second: {10 / seconds:.4f}, progress_or_epoch: 0.05"
    )


def test_the_interval_of_the_trainer_after_an_evaluation_includes_it() -> None:
    """Its timer is set before the evaluation."""
    said = "[2024-05-10 10:00:00,123] [    INFO] - "
    lines = [
        f"{said}***** Running training *****",
        f"{said}  Total train batch size (w. parallel, distributed & accumulation) = 64",
    ]
    passed = 0
    for step in range(10, 310, 10):
        seconds = 44 if step > 10 and step % 20 == 10 else 4
        passed += seconds
        lines.append(interval(step, seconds, passed))
        if step % 20 == 0:
            lines.append(f"{said}eval_loss: 7.25, eval_runtime: 40.0, epoch: 1.0")
    _, events = text(*lines)
    speeds = {i.step: (i.throughput, i.duration) for i in iterations(events)}
    assert [speeds[step] for step in (10, 20, 30, 40)] == [(160.0, 0.4)] * 2 + [(None, None)] + [
        (160.0, 0.4)
    ]
    assert scores_by_step(events)[0] == (20, {"loss": 7.25})
    card = scored("\n".join(lines) + "\n")
    assert card["dimensions"]["speed"]["value"] == 160.0
    assert "batch_disagrees" not in [warning["kind"] for warning in card["warnings"]]


def test_the_first_interval_of_a_resumed_training_includes_the_data_that_was_skipped() -> None:
    said = "[2024-05-10 10:00:00,123] [    INFO] - "
    _, events = text(
        f"{said}***** Running training *****",
        f"{said}  Continuing training from global step 100",
        f"{said}  Will skip the first 0 epochs then the first 100 batches in the first epoch.",
        interval(110, 44, 44),
        interval(120, 4, 48),
    )
    assert [(i.step, i.throughput) for i in iterations(events)] == [(110, None), (120, 160.0)]


def test_the_speed_of_an_example_script_after_an_evaluation_includes_it() -> None:
    lines = []
    for step in range(10, 310, 10):
        seconds = 44 if step > 10 and step % 20 == 10 else 4
        lines.append(
            f"global step {step}/300, epoch: 0, batch: {step - 1}, rank_id: 0, loss: 0.500000, "
            f"lr: 0.0000300000, speed: {10 / seconds:.4f} step/s"
        )
        if step % 20 == 0:
            lines += ["eval loss: 0.512, acc: 0.75, ", "eval done total : 40.0 s"]
    speed = scored("\n".join(lines) + "\n")["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (2.5, "it/s")


@pytest.mark.parametrize(("last", "epochs"), [(150, 0), (190, 1), (250, 1), (590, 3)])
def test_an_evaluation_in_the_middle_of_an_epoch_does_not_end_it(last: int, epochs: int) -> None:
    """600 steps of three epochs are 200 an epoch: after step 190 no further line of it follows."""
    lines = ["max_steps: 600", "num_train_epochs: 3"]
    for step in range(10, last + 1, 10):
        epoch, batch = divmod(step - 1, 200)
        lines.append(
            f"global step {step}/600, epoch: {epoch}, batch: {batch}, rank_id: 0, loss: 0.5, "
            "lr: 0.0000300000, speed: 4.0000 step/s"
        )
    lines += ["eval loss: 0.512, acc: 0.75, ", "eval done total : 4.0 s"]
    card = scored("\n".join(lines) + "\n")
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (epochs, 3)
    assert card["status"] == ("finished" if epochs == 3 else "incomplete")
