"""Further spellings of the language model trainers' lines, made after their format strings."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, Evaluation, Iteration, RunEnd, Scope
from tests.support.logs import bar, detected, facts, only, read, scored, scores


@pytest.mark.parametrize(
    ("train", "evaluate", "loss", "accuracy", "unit"),
    [
        (
            "train          Epoch   {}: ",
            "eval           Epoch   {}: ",
            "loss/train/total",
            "metrics/eval/MulticlassAccuracy",
            "ba",
        ),
        (
            "Epoch     {} train ",
            "Epoch     {} val  ",
            "loss/train",
            "metrics/eval/Accuracy",
            "it",
        ),
        ("Epoch {}: ", "Epoch {} (val): ", "loss/train", "accuracy/val", "it"),
    ],
)
def test_composers_bars(train: str, evaluate: str, loss: str, accuracy: str, unit: str) -> None:
    text = "".join(
        "\r".join(
            bar(train.format(epoch), step, 48, f" 4.00{unit}/s", f", {loss}=1.{9 - epoch}")
            for step in (0, 24, 24, 48)
        )
        + "\n"
        + bar(evaluate.format(epoch), 10, 10, f"16.0{unit}/s", f", {accuracy}=0.{5 + epoch}")
        + "\n"
        for epoch in range(2)
    )
    assert detected(text) == "composer"
    seen = only(read(text, "composer"), Iteration)
    assert [(i.epoch, i.step, i.steps, i.loss, i.duration) for i in seen] == [
        (0, 24, 48, 1.9, 0.25),
        (0, 48, 48, 1.9, 0.25),
        (1, 24, 48, 1.8, 0.25),
        (1, 48, 48, 1.8, 0.25),
    ]
    assert scores(text, "composer") == [
        (0, {"acc1": (0.5, "fraction")}),
        (1, {"acc1": (0.6, "fraction")}),
    ]


def test_a_lightning_model_may_name_its_loss_as_composer_does() -> None:
    text = "".join(
        bar("Epoch 0: ", step, 48, " 4.00it/s", ", v_num=1, loss/train=1.5") + "\n"
        for step in (12, 24, 36)
    )
    assert detected(text) == "lightning"


def test_composers_bar_that_counts_tokens() -> None:
    text = bar("train" + " " * 24, 1000, 9000, "250.00tok/s", ", loss/train/total=7.5") + "\n"
    (one,) = only(read(text, "composer"), Iteration)
    assert (one.step, one.throughput, one.unit, one.scope) == (None, 250, "tokens/s", Scope.JOB)


def test_composers_first_console() -> None:
    text = (
        '[BATCH][epoch=0][batch=3/4]: { "loss/train": 2.2500, "throughput/samples_per_sec": '
        "512.5000, }\n"
        '[EPOCH][epoch=1][batch=0/4]: { "metrics/eval/Accuracy": 0.6250, }\n'
    )
    assert detected(text * 2) == "composer"
    (one,) = only(read(text, "composer"), Iteration)
    assert (one.epoch, one.step, one.loss, one.throughput) == (0, 3, 2.25, 512.5)
    assert scores(text, "composer") == [(0, {"acc1": (0.625, "fraction")})]


def test_composers_config_counts_the_devices() -> None:
    text = "Config:\nnode_name: unknown\nnum_gpus_per_node: 8\nnum_nodes: 3\n"
    assert facts(read(text, "composer")) == {"nodes": 3, "devices": 24}


RICH = "{head} {bar} {step}/{steps} 0:00:{spent:02d} • {left} 12.50it/s {rest}\n"


@pytest.mark.parametrize("head", ["Epoch {}/2 ", "Epoch {}   ", "Epoch {}/-2 "])
@pytest.mark.parametrize("drawn", ["━━━━━╸━━━━", "--------- --", "━━━━━     "])
def test_lightning_under_rich(head: str, drawn: str) -> None:
    text = "GPU available: True (cuda), used: True\n" + "".join(
        RICH.format(
            head=head.format(epoch),
            bar=drawn,
            step=step,
            steps=100,
            spent=step // 10,
            left="0:00:05",
            rest=f"v_num: 0.000 train_loss: 1.{epoch}50{validated}",
        )
        for epoch, step, validated in (
            (0, 50, ""),
            (0, 100, " val_acc: 0.500"),
            (1, 50, " val_acc: 0.500"),
            (1, 100, " val_acc: 0.600"),
        )
    )
    assert detected(text) == "lightning"
    events = read(text, "lightning")
    assert [(i.epoch, i.step, i.steps, i.loss, i.duration) for i in only(events, Iteration)] == [
        (0, 50, 100, 1.05, 0.08),
        (0, 100, 100, 1.05, 0.08),
        (1, 50, 100, 1.15, 0.08),
        (1, 100, 100, 1.15, 0.08),
    ]
    # The bar stops while another one draws the validation: its time is that of the training.
    assert [(e.train_time, e.epoch_time) for e in only(events, EpochEnd)] == [(10, None)] * 2
    assert [e.metrics[0].value for e in only(events, Evaluation)] == [0.5, 0.6]


@pytest.mark.parametrize(
    "line",
    [
        "Epoch 1: : 40it [00:04, 12.50it/s, v_num=1, train_loss=2.5]",
        RICH.format(
            head="Epoch 1/9",
            bar="━━",
            step=40,
            steps="--",
            spent=4,
            left="-:--:--",
            rest="loss: 2.5",
        ).strip(),
    ],
)
def test_lightning_over_data_of_unknown_length(line: str) -> None:
    (one,) = only(read(line + "\n", "lightning"), Iteration)
    assert (one.epoch, one.step, one.steps, one.loss, one.duration) == (1, 40, None, 2.5, 0.08)


def test_nemos_bars() -> None:
    first = "Epoch 0:   1%|▏         | {0}/1000 [00:20<03:00,  2.00s/it, loss=3.1, v_num=, "
    later = "Epoch 0: :   1%|          | {0}/1000 [00:20<03:00, v_num=, "
    shared = "reduced_train_loss=3.250, global_step={0}.0, consumed_samples=1.6e+5"
    text = (first + shared + "]\n").format(10) * 2 + (
        later + shared + ", train_step_timing in s=0.500, val_loss=4.500]\n"
    ).format(20)
    assert detected(text) == "nemo"
    events = read(text, "nemo")
    assert [(i.step, i.steps, i.loss, i.duration) for i in only(events, Iteration)] == [
        (10, 1000, 3.25, 2.0),
        (20, 1000, 3.25, 0.5),
    ]
    assert [e.metrics[0].value for e in only(events, Evaluation)] == [4.5]


def test_hugging_face_without_bars_has_the_closing_rate() -> None:
    text = "{'loss': '2.5', 'learning_rate': '1e-5', 'epoch': '0.5'}\n"
    end = "{'train_runtime': '80.5', 'train_samples_per_second': '41.5', 'epoch': '1'}\n"
    events = read(text + end, "huggingface")
    assert [i.throughput for i in only(events, Iteration)] == [None]
    assert [(e.throughput, e.unit) for e in only(events, RunEnd)] == [(41.5, "samples/s")]
    barred = "***** Running training *****\n" + bar("", 5, 10, " 2.00it/s") + "\n" + text + end
    steps = [
        (i.step, i.duration, i.throughput) for i in only(read(barred, "huggingface"), Iteration)
    ]
    assert (None, 41.5) not in [s[1:] for s in steps]


def test_hugging_face_report_after_its_bar_has_the_bars_step_and_pace() -> None:
    line = bar("", 5, 10, " 2.00s/it") + "  {'loss': 2.5, 'learning_rate': 1e-5, 'epoch': 0.5}\n"
    (one,) = only(read(line, "huggingface"), Iteration)
    assert (one.step, one.steps, one.loss, one.duration) == (5, 10, 2.5, 2.0)


def test_the_closing_rate_in_trainer_state() -> None:
    text = (
        '{"log_history": [{"loss": 2.5, "step": 10, "epoch": 0.5}, '
        '{"step": 20, "train_runtime": 80.5, "train_samples_per_second": 41.5}]}\n'
    )
    events = read(text, "trainer-state")
    assert [(i.step, i.throughput) for i in only(events, Iteration)] == [(10, None)]
    assert [(e.throughput, e.unit) for e in only(events, RunEnd)] == [(41.5, "samples/s")]


def test_accelerates_evaluation_by_epoch() -> None:
    line = (
        "06/04/2024 12:00:0{0} - INFO - __main__ - epoch {0}: {{'accuracy': 0.8{0}, 'f1': 0.9}}\n"
    )
    text = "".join(line.format(epoch) for epoch in range(3))
    assert detected(text) == "huggingface"
    assert scores(text, "huggingface")[2] == (
        2,
        {"accuracy": (0.82, "fraction"), "f1": (0.9, "")},
    )


def test_llama_factory_without_a_rate_has_its_clock() -> None:
    line = '{{"current_steps": {}, "total_steps": 90, "loss": 1.5, "elapsed_time": "{}"}}\n'
    text = line.format(10, "0:00:25") + line.format(20, "1:00:25") + line.format(20, "1:00:25")
    durations = [i.duration for i in only(read(text, "llamafactory"), Iteration)]
    assert durations == [2.5, 360.0]  # the third is another process's


def test_two_processes_write_one_trainer_log() -> None:
    """The second is two steps after the first; both are resumed, and their clock begins again."""
    line = '{{"current_steps": {}, "total_steps": 1000, "loss": 1.5, "elapsed_time": "{}"}}\n'
    times = [(10, "0:01:00"), (20, "0:02:00"), (10, "0:02:02"), (30, "0:03:00"), (20, "0:03:04")]
    times += [(40, "0:04:00"), (30, "0:04:05"), (20, "0:01:10"), (20, "0:01:10")]
    times += [(30, "0:02:20"), (30, "0:02:20")]
    iterations = only(read("".join(line.format(*one) for one in times), "llamafactory"), Iteration)
    assert [one.step for one in iterations] == [10, 20, 30, 40, 20, 30]
    assert [one.duration for one in iterations] == [6.0, 6.0, 6.0, 6.0, None, 7.0]


def test_the_total_of_a_trainer_log_that_was_resumed_is_that_of_its_last_part() -> None:
    line = '{{"current_steps": {}, "total_steps": 60, {}"elapsed_time": "0:{}"}}\n'
    times = [(10, "01:00"), (20, "02:00"), (10, "01:59"), (30, "03:00"), (20, "02:58")]
    once = "".join(line.format(step, '"loss": 1.5, ', time) for step, time in times)
    resumed = line.format(30, '"loss": 1.5, ', "01:10") + line.format(60, "", "04:40")
    of_two = scored(once + line.format(60, "", "06:00"))
    assert (of_two["run_end"]["run_time_s"], of_two["run_end"]["clock"]) == (360, "printed total")
    assert not of_two["warnings"]  # a second process may be ahead of the first one's clock
    end = scored(once + resumed)["run_end"]
    assert (end["run_time_s"], end["clock"]) == (280, "printed total since the run was resumed")


@pytest.mark.parametrize(("last", "status"), [(991, "finished"), (990, "incomplete")])
def test_llama_factorys_end_is_a_record_without_figures(last: int, status: str) -> None:
    """Batches that are left over at the end are counted in the plan, but are no step."""
    line = '{{"current_steps": {}, "total_steps": 1000, {}"elapsed_time": "0:0{}:00"}}\n'
    text = line.format(980, '"loss": 2.5, ', 7) + line.format(990, '"loss": 1.5, ', 8)
    assert scored(text + line.format(last, "", 9))["status"] == status


@pytest.mark.parametrize("accuracy", ["", "(acc 1.234567) "])
def test_llm_cs_first_consoles(accuracy: str) -> None:
    line = f"step 3/74: train loss 4.367631 {accuracy}(80.500000 ms, 50000 tok/s)\n"
    assert detected(line * 3) == "llmc"
    (one,) = only(read(line, "llmc"), Iteration)
    assert (one.step, one.steps, one.loss, one.duration) == (3, 74, 4.367631, 0.0805)
    assert (one.throughput, one.unit, one.scope) == (50000, "tokens/s", Scope.JOB)


def test_llm_c_on_a_cpu() -> None:
    line = "step 3: train loss 4.367631 (took 1987.500000 ms)\n"
    assert detected("val loss 5.325529\n" + line * 3) == "llmc"
    (one,) = only(read(line, "llmc"), Iteration)
    assert (one.step, one.loss, one.duration) == (3, 4.367631, 1.9875)


def test_megatrons_test_set_is_not_its_validation() -> None:
    line = (
        "validation loss at iteration 6 on {} set | lm loss value: {}E+00 | "
        "lm loss PPL: 5.5E+00 |\n"
    )
    text = line.format("validation", 1.75) + line.format("test", 1.875)
    found = [
        (e.after_training, e.metrics[0].value) for e in only(read(text, "megatron"), Evaluation)
    ]
    assert found == [(False, 1.75), (True, 1.875)]


@pytest.mark.parametrize(
    ("line", "devices"),
    [
        ("Building 2-D device mesh with ['dp_shard', 'tp'], [16, 4]", 64),
        (
            "Building device mesh with parallelism: pp=2, dp_replicate=1, dp_shard=4, cp=1, tp=8, "
            "ep=4, etp=1",
            64,
        ),
    ],
)
def test_torchtitans_mesh_counts_the_devices(line: str, devices: int) -> None:
    assert facts(read(line + "\n", "torchtitan")) == {"devices": devices}


def test_bigsciences_seconds() -> None:
    line = (
        " iteration       10/  320000 | consumed samples:   2560 | elapsed time per iteration (s): "
        "5.50 | global batch size:   256 | lm loss: 9.500000E+00 | samples per second: 51.250 | "
        "tokens per gpu per second (tgs): 13107.500 | TFLOPs: 115.10 |\n"
    )
    assert detected(line * 3) == "megatron"
    (one,) = only(read(line, "megatron"), Iteration)
    assert (one.step, one.steps, one.loss, one.duration) == (10, 320000, 9.5, 5.5)
    assert (one.throughput, one.unit, one.scope) == (51.25, "samples/s", Scope.JOB)


def test_gpt_neox() -> None:
    line = (
        " samples/sec: 25.250 | iteration       10/  320000 | elapsed time per iteration (ms): "
        "5000.0 | learning rate: 1.2E-05 | approx flops per GPU: 41.2TFLOPS | "
        "lm_loss: 9.500000E+00 | loss scale: 65536.000 |\n"
    )
    tested = (
        " validation results at iteration 50 | lm_loss value: 8.5E+00 | lm_loss_ppl value: 4915 |\n"
    )
    assert detected(line * 3) == "megatron"
    (one,) = only(read(line, "megatron"), Iteration)
    assert (one.step, one.loss, one.duration, one.throughput) == (10, 9.5, 5.0, 25.25)
    assert scores(tested, "megatron") == [(None, {"loss": (8.5, ""), "perplexity": (4915, "")})]
