"""Logs of language model training: what each trainer's lines say."""

from __future__ import annotations

from statistics import median

import pytest

from sixdim.parsers.events import (
    Evaluation,
    Event,
    Iteration,
    Problem,
    RunEnd,
    RunStart,
    Scope,
    Summary,
)
from tests.support.corpus import log, read, text
from tests.support.logs import facts, iterations, scored


def evaluations(events: list[Event]) -> list[tuple[int | None, dict[str, float]]]:
    return [
        (e.step, {m.name: m.value for m in e.metrics}) for e in events if isinstance(e, Evaluation)
    ]


def values(one: Iteration) -> dict[str, tuple[float, str]]:
    return {m.name: (m.value, m.unit) for m in one.values}


MEGATRON = (
    " iteration {step:8d}/{steps:8d} | consumed samples: {seen:12d} | elapsed time per iteration "
    "(ms): {ms:.1f} | learning rate: {lr:.3E} | global batch size: {batch:5d} | {loss}"
    "loss scale: 1.0 | grad norm: 1.204 | number of skipped iterations:   0 | "
    "number of nan iterations:   0 |"
)


def megatron(step: int, ms: float, loss: str = "lm loss: 2.500000E+00 | ") -> str:
    return MEGATRON.format(
        step=step, steps=1000, seen=64 * step, ms=ms, lr=1.5e-4, batch=64, loss=loss
    )


def test_megatron() -> None:
    name, events = text(
        "using world size: 32, data-parallel-size: 1, tensor-model-parallel size: 4 ",
        "  bf16 ............................................ True",
        "  micro_batch_size ................................ 4",
        "[before the start of training step] datetime: 2030-01-02 03:04:05 ",
        megatron(10, 1600.0, loss=""),
        megatron(20, 1618.0),
        " validation loss at iteration 20 | lm loss value: 2.750000E+00 | "
        "lm loss PPL: 1.564263E+01 | ",
        megatron(30, 1620.0, loss="lm-loss: nan | "),
        " [2030-01-02 03:05:05] " + megatron(40, 1630.0).strip(),
        "[after training is done] datetime: 2030-01-02 03:06:05 ",
    )
    assert name == "megatron"
    assert facts(events) == {
        "devices": 32,
        "precision": "bf16",
        "batch_per_device": 4,
        "global_batch": 64,
    }
    found = iterations(events)
    assert [(e.epoch, e.step, e.steps, e.duration) for e in found] == [
        (None, 10, 1000, 1.6),
        (None, 20, 1000, 1.618),
        (None, 30, 1000, 1.62),
        (None, 40, 1000, 1.63),
    ]
    assert [str(e.loss) for e in found] == ["None", "2.5", "nan", "2.5"]
    assert found[3].at.time_us == 1_893_553_505_000_000
    assert values(found[1])["grad norm"] == (1.204, "")
    assert evaluations(events) == [(20, {"loss": 2.75, "perplexity": 15.64263})]
    assert sum(isinstance(e, RunStart) for e in events) == 1
    assert [e.status for e in events if isinstance(e, RunEnd)] == ["finished"]


def test_megatron_rates_of_its_forks() -> None:
    whole = megatron(10, 500.0, "lm loss: 1.0E+00 | ") + " tokens per second: 131072.0 |"
    one = megatron(10, 500.0, "lm loss: 1.0E+00 | ") + " tokens per second per device: 16384.0 |"
    mega = megatron(10, 500.0) + " throughput per GPU (TFLOP/s/GPU): 412.3 |"
    rates = [
        (e.throughput, e.unit, e.scope)
        for line in (whole, one, mega)
        for e in iterations(text(line)[1])
    ]
    assert rates == [
        (131072.0, "tokens/s", Scope.JOB),
        (16384.0, "tokens/s", Scope.DEVICE),
        (None, "", Scope.UNKNOWN),
    ]
    tflops = values(iterations(text(mega)[1])[0])["throughput per GPU (TFLOP/s/GPU)"]
    assert tflops[0] == 412.3


def test_megatron_deepspeeds_own_world_size_is_not_the_jobs() -> None:
    """DeepSpeed prints its configuration too, where a world is the ranks of one model's part."""
    _name, events = text(
        "using world size: 64, data-parallel-size: 1, tensor-model-parallel size: 4 ",
        "  world_size ...................................... 64",
        "[2021-06-10 20:47:51,887] [INFO] [config.py:904:print]   world_size ............ 1",
        megatron(1, 1600.0),
        megatron(2, 1600.0),
    )
    assert facts(events)["devices"] == 64


def test_megatron_broken_number_is_a_warning_with_its_line() -> None:
    _, events = text(megatron(10, 1600.0), megatron(20, 1600.0).replace("1600.0", "16x0.0"))
    problems = [e for e in events if isinstance(e, Problem)]
    assert [(p.kind, p.at.line) for p in problems] == [("broken_number", 2)]
    assert [e.step for e in iterations(events)] == [10]


@pytest.mark.parametrize(
    ("file", "published", "digit", "records"),
    [
        ("bigscience_meg_30B_32gpu_base_n8.log", 1.618, 0.001, 20),
        ("bigscience_megds3d_52B_64gpu_dsoff.log", 126, 1, 62),
        ("bigscience_megds3d_52B_64gpu_dson.log", 137, 1, 49),
    ],
)
def test_megatron_published_seconds_per_iteration(
    file: str, published: float, digit: float, records: int
) -> None:
    name, events = read(log(f"corpus/megatron/{file}").read_bytes())
    found = [e.duration for e in iterations(events) if e.duration is not None]
    assert (name, len(found)) == ("megatron", records)
    # How it was rounded, and over which records, was not published: its last digit holds.
    assert abs(median(found) - published) < digit


def test_deepspeed() -> None:
    name, events = text(
        "***** Running training *****",
        "***** Evaluating perplexity, Epoch 0/2 *****",
        "ppl: 4998.25",
        "Beginning of Epoch 1/2, Total Micro Batches 460",
        "[2030-01-02 03:04:05,171] [INFO] [timer.py:199:stop] "
        "epoch=0/micro_step=10/global_step=10, RunningAvgSamplesPerSec=173.5, "
        "CurrSamplesPerSec=171.25, MemAllocated=3.96GB, MaxMemAllocated=22.95GB",
        "***** Evaluating perplexity, Epoch 1/2 *****",
        "ppl: 2.5",
        "[2030-01-02 03:05:05,171] [INFO] [launch.py:460:main] Process 11 exits successfully.",
        "[2030-01-02 03:05:05,172] [INFO] [launch.py:460:main] Process 12 exits successfully.",
    )
    assert name == "deepspeed"
    (one,) = iterations(events)
    assert (one.epoch, one.step, one.throughput, one.unit, one.scope) == (
        0,
        10,
        171.25,
        "samples/s",
        Scope.JOB,
    )
    assert one.at.time_us == 1_893_553_445_171_000
    assert values(one)["RunningAvgSamplesPerSec"] == (173.5, "")
    assert values(one)["MemAllocated"] == (3.96, "GB")
    assert [(e.epoch, e.step, e.metrics[0].value) for e in events if isinstance(e, Evaluation)] == [
        (None, 0, 4998.25),
        (0, None, 2.5),
    ]
    assert sum(isinstance(e, RunEnd) for e in events) == 1


def test_deepspeed_reinforcement_learning_counts_end_to_end() -> None:
    _, events = text(
        "epoch: 0|step: 0|ppo_ep: 1|act_loss: 0.25|cri_loss: 0.125|unsuper_loss: 0.0",
        "average reward score: 2.5",
        "|E2E latency=4.00s |Gather latency=0.00s (0.00%) |Generate time=2.50s (62.50%) "
        "|Training time=1.00s (25.00%) |Others=0.50 (12.50%)|CurSamplesPerSec=16.00 "
        "|AvgSamplesPerSec=15.50",
        "[2030-01-02 03:04:05,171] [INFO] [timer.py:199:stop] epoch=0/micro_step=1/global_step=1, "
        "RunningAvgSamplesPerSec=86.5, CurrSamplesPerSec=80.0, MemAllocated=1GB",
    )
    rates = [e.throughput for e in iterations(events) if e.throughput is not None]
    assert rates == [16.0]
    assert iterations(events)[0].loss == 0.25


def test_deepspeed_chat_corpus() -> None:
    name, events = read(log("corpus/deepspeed/dschat_step1_opt1.3b.log").read_bytes())
    perplexities = [e.metrics[0].value for e in events if isinstance(e, Evaluation)]
    rates = [v for e in iterations(events) for v in [values(e)["RunningAvgSamplesPerSec"][0]]]
    assert (name, len(perplexities)) == ("deepspeed", 17)
    assert perplexities[-1] == 1.8085135221481323
    assert round(rates[-1]) == 172


def test_nanogpt() -> None:
    name, events = text(
        "tokens per iteration will be: 491,520",
        "Initializing a new model from scratch",
        "step 0: train loss 10.9876, val loss 10.9865",
        "iter 0: loss 10.9877, time 2000.00ms, mfu -100.00%",
        "iter 10: loss 9.5000, time 500.00ms, mfu 41.25%",
    )
    assert name == "nanogpt"
    first, second = iterations(events)
    assert (first.throughput, first.values) == (245_760.0, ())
    assert (second.step, second.loss, second.duration) == (10, 9.5, 0.5)
    assert (second.throughput, second.unit, second.scope) == (983_040.0, "tokens/s", Scope.JOB)
    assert values(second) == {"mfu": (41.25, "%")}
    assert evaluations(events) == [(0, {"loss": 10.9865, "train loss": 10.9876})]


def test_nanogpt_plans_what_the_command_line_says() -> None:
    head = "max_iters = 5000\nlr_decay_iters = 5000 # make equal to max_iters usually\n"
    lines = "".join(f"iter {n}: loss 4.2, time 100.00ms, mfu 12.34%\n" for n in range(3))
    assert scored(head + lines)["run"]["steps_planned"] == 5000
    text = head + "Overriding: max_iters = 400\nOverriding: lr_decay_iters = 400\n" + lines
    run = scored(text)["run"]
    assert (run["steps_planned"], run["sources"]["steps_planned"]) == (400, "log line 3")


def test_nanogpt_with_a_unit_behind_its_losses() -> None:
    lines = "".join(
        f"step {n}: train loss 6.06 BPC, val loss 6.0{n} BPC\niter {n}: loss 6.0 BPC, time 100.00ms, mfu 8.9%\n"
        for n in range(4)
    )
    accuracy = scored(lines)["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("loss", 6.03)


def test_nanogpt_without_the_token_count_knows_no_throughput() -> None:
    (one,) = iterations(text("iter 10: loss 9.5000, time 500.00ms, mfu 41.25%")[1])
    assert (one.throughput, one.duration) == (None, 0.5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "step", "loss"),
    [
        ("innerfirexy_shakespeare_char.log", 5000, 1.7189),
        ("innerfirexy_gpt2_20241021.log", 600_000, 2.8537),
    ],
)
def test_nanogpt_corpus(file: str, step: int, loss: float) -> None:
    name, events = read(log(f"corpus/nanogpt/{file}").read_bytes())
    last = evaluations(events)[-1]
    assert (name, last[0], last[1]["loss"]) == ("nanogpt", step, loss)
    if step == 600_000:
        best = min(evaluations(events), key=lambda e: e[1]["loss"])
        assert (best[0], best[1]["loss"]) == (599_000, 2.8349)


def test_llmc_console() -> None:
    name, events = text(
        "| precision             | BF16                                               |",
        "| num_processes         | 8                                                  |",
        "val loss 11.007921",
        "step    1/19560 | loss 11.009662 (+nanz)| norm 15.0789 (+nanz)| lr 8.57e-07 | 430.25 ms "
        "| -100.0% bf16 MFU | 1239170 tok/s",
        "step    2/19560 | loss 10.956554 (-1.20z)| norm 15.2427 (+0.01z)| lr 1.71e-06 | 438.50 ms "
        "| 30.8% bf16 MFU | 1195370 tok/s",
        "evaluating HellaSwag: 10/1256\revaluating HellaSwag: 20/1256\r"
        "HellaSwag: 3059/10042 = 0.304621",
        "val loss 3.264775",
        "total average iteration time: 438.123456 ms",
    )
    assert name == "llmc"
    assert facts(events) == {"precision": "bf16", "devices": 8}
    first, second = iterations(events)
    assert "mfu" not in values(first)
    assert values(second)["mfu"] == (30.8, "%")
    assert (second.step, second.steps, second.loss, second.duration) == (
        2,
        19560,
        10.956554,
        0.4385,
    )
    assert (second.throughput, second.unit, second.scope) == (1195370.0, "tokens/s", Scope.JOB)
    assert evaluations(events) == [
        (0, {"loss": 11.007921}),
        (2, {"hellaswag": 0.304621}),
        (2, {"loss": 3.264775}),
    ]
    assert [e.metrics[0].value for e in events if isinstance(e, Summary)] == [438.123456]


def test_llmc_main_log() -> None:
    name, events = text(
        "s:0 tel:11.0092", "s:0 trl:11.0091 lr:0.000001 norm:15.37", "s:250 eval:0.3054"
    )
    assert name == "llmc"
    assert [(e.step, e.loss) for e in iterations(events)] == [(0, 11.0091)]
    assert evaluations(events) == [(0, {"loss": 11.0092}), (250, {"hellaswag": 0.3054})]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "step", "metric", "value"),
    [
        ("hector_gpt2_124M_stdout_CR.log", 19560, "loss", 3.264775),
        ("modded_llmc_baseline_main.log", 19560, "loss", 3.2722),
        ("siddanth_gpt2_124M_main.log", 19552, "loss", 3.2731),
        ("siddanth_gpt2_124M_main.log", 19552, "hellaswag", 0.3054),
    ],
)
def test_llmc_corpus(file: str, step: int, metric: str, value: float) -> None:
    name, events = read(log(f"corpus/llmc/{file}").read_bytes())
    last = [found for found in evaluations(events) if metric in found[1]][-1]
    assert (name, last[0], last[1][metric]) == ("llmc", step, value)


def test_modded_nanogpt_takes_durations_from_the_clock_that_counts_up() -> None:
    name, events = text(
        "step:0/1770 val_loss:10.8258 train_time:0ms step_avg:nanms",
        "step:1/1770 train_time:95ms step_avg:94.55ms",
        "step:2/1770 train_time:185ms step_avg:92.50ms",
        "step:4/1770 train_time:385ms step_avg:96.25ms",
        "step:10/1770 train_time:30ms step_avg:nanms",
        "step:125/1770 val_loss:4.6010 train_time:11873ms step_avg:94.98ms",
        "peak memory allocated: 31460 MiB reserved: 31746 MiB",
    )
    assert name == "modded_nanogpt"
    assert [(e.step, e.duration) for e in iterations(events)] == [
        (1, None),
        (2, 0.09),
        (4, 0.1),
        (10, None),
    ]
    assert evaluations(events) == [(0, {"loss": 10.8258}), (125, {"loss": 4.601})]


def test_torchtitan() -> None:
    step = (
        "step: {step:2}  loss: {loss:7.4f}  grad_norm: {norm:7.4f}  memory: 66.91GiB(84.48%)  "
        "tps: 10,007  tflops: 1,313.36  mfu: 31.68%"
    )
    clock = "[rank{rank}]:\x1b[36m[titan]\x1b[0m 2030-01-02 03:04:05,678 - root - INFO - "
    lines = [
        clock.format(rank=rank) + step.format(step=number, loss=7.07, norm=2.1)
        for number in (9, 10)
        for rank in (0, 1)
    ]
    validate = (
        "validate step: 10  loss:  6.5000  memory: 60.00GiB(75.00%)  tps: 20,014",
        "Training completed",
    )
    name, events = text(*lines, *(clock.format(rank=0) + line for line in validate))
    assert name == "torchtitan"
    found = iterations(events)
    assert [(e.step, e.loss, e.throughput) for e in found] == [
        (9, 7.07, 10007.0),
        (10, 7.07, 10007.0),
    ]
    assert (found[0].unit, found[0].scope, found[0].at.rank) == ("tokens/s", Scope.DEVICE, 0)
    assert found[0].at.time_us == 1_893_553_445_678_000
    assert values(found[0])["memory"] == (66.91, "GiB")
    assert values(found[0])["mfu"] == (31.68, "%")
    assert evaluations(events) == [(10, {"loss": 6.5})]
    assert [e.status for e in events if isinstance(e, RunEnd)] == ["finished"]


def test_torchtitan_corpus_reads_each_step_once() -> None:
    path = "corpus/torchtitan/excerpt_pr2389_interleaved_ranks.log"
    name, events = read(log(path).read_bytes())
    assert (name, [e.step for e in iterations(events)]) == ("torchtitan", [4, 5])


def test_nemo() -> None:
    head = "Training epoch 0, iteration {}/9 | lr: 0.0003 | consumed_samples: 64 | "
    tail = "global_batch_size: 32 | global_step: 1 | reduced_train_loss: {} | "
    timed = "train_step_timing in s: 0.5 | val_loss: 4.106"
    name, events = text(
        head.format(0) + tail.format(11.02).removesuffix(" | "),
        head.format(1) + tail.format(9.5) + timed,
        head.format(2) + tail.format(9.25) + timed,
    )
    assert name == "nemo"
    assert facts(events) == {"global_batch": 32}
    assert [(e.epoch, e.step, e.steps, e.loss, e.duration) for e in iterations(events)] == [
        (0, 0, 10, 11.02, None),
        (0, 1, 10, 9.5, 0.5),
        (0, 2, 10, 9.25, 0.5),
    ]
    assert evaluations(events) == [(1, {"loss": 4.106})]


def test_composer_gathers_a_block() -> None:
    name, events = text(
        "[epoch=1][batch=100/1251]:",
        "\t Train time/batch: 99",
        "\t Train loss/train/total: 6.5000",
        "\t Train throughput/samples_per_sec: 2048.5000",
        "[Eval batch=1/49] Eval on eval data",
        "[Eval batch=49/49] Eval on eval data:",
        "\t Eval metrics/eval/MulticlassAccuracy: 0.2500",
        "\t Eval metrics/eval/CrossEntropy: 4.5000",
    )
    assert name == "composer"
    (one,) = iterations(events)
    assert (one.epoch, one.step, one.steps, one.loss) == (1, 100, 1251, 6.5)
    assert (one.throughput, one.unit, one.scope) == (2048.5, "samples/s", Scope.JOB)
    assert evaluations(events) == [(100, {"acc1": 0.25, "loss": 4.5})]
