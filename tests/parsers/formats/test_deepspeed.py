"""DeepSpeed: engine lines, chat stages, configurations."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import (
    Evaluation,
    RunEnd,
    Scope,
)
from tests.support import logs
from tests.support.corpus import log, read, text
from tests.support.logs import detected, iterations, scored, values


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


def test_settings_printed_by_several_engines_are_no_trainer_state() -> None:
    """They stand hundreds of lines in front of the first step, once for each model."""
    settings = (
        '    "train_batch_size": 64, \n    "train_micro_batch_size_per_gpu": 4, \n'
        '    "num_train_epochs": 3\n'
    )
    other = "".join(f"module {number} is ready\n" for number in range(420))
    clock = "[2024-03-01 10:00:{:02},000] [INFO] [timer.py:260:stop] "
    steps = "".join(
        clock.format(step) + f"epoch=0/micro_step={20 * step}/global_step={10 * step}, "
        "RunningAvgSamplesPerSec=48.25, CurrSamplesPerSec=48.5, "
        "MemAllocated=5.1GB, MaxMemAllocated=9.6GB\n"
        for step in range(1, 5)
    )
    assert detected(settings + settings + other + steps) == "deepspeed"


def test_the_pipeline_s_lines_with_and_without_further_losses() -> None:
    for more in ("", "aux_loss: 0.0110 "):
        lines = "".join(
            f"steps: {n} loss: 2.{n} {more}iter time (s): 0.500 samples/sec: 64.000\n"
            for n in range(10, 40, 10)
        )
        assert detected(lines) == "deepspeed"
        found = iterations(logs.read(lines, "deepspeed"))
        assert [(i.step, i.loss, i.duration, i.throughput) for i in found] == [
            (10, 2.1, 0.5, 64),
            (20, 2.2, 0.5, 64),
            (30, 2.3, 0.5, 64),
        ]


def test_the_timer_of_version_0_6() -> None:
    """Its lines have the place of the older ones, and the rates of the newer ones."""
    lines = "".join(
        f"[2022-05-02 10:00:{n},123] [INFO] [timer.py:193:stop] 0/{n}, RunningAvgSamplesPerSec=60.5, "
        f"CurrSamplesPerSec=64.{n}, MemAllocated=3.9GB, MaxMemAllocated=22.9GB\n"
        for n in range(10, 60, 10)
    )
    assert detected(lines) == "deepspeed"
    found = iterations(logs.read(lines, "deepspeed"))
    assert [(i.step, i.throughput) for i in found] == [(n, 64 + n / 100) for n in range(10, 60, 10)]


def test_the_mean_since_the_beginning_is_that_of_the_first_epoch_alone() -> None:
    """The rate of a line is that of a single step: a slow one in ten says nothing of the others."""
    line = (
        "[2026-01-02 10:00:{n},123] [INFO] [timer.py:264:stop] epoch={epoch}/micro_step={n}/"
        "global_step={n}, RunningAvgSamplesPerSec=64.{n}, CurrSamplesPerSec=32.0, "
        "MemAllocated=3.96GB, MaxMemAllocated=22.95GB\n"
    )
    first = "".join(line.format(n=n, epoch=0) for n in range(10, 60, 10))
    assert logs.scored(first)["dimensions"]["speed"]["value"] == 64.5
    later = "".join(line.format(n=n, epoch=1) for n in range(10, 60, 10))
    assert logs.scored(later)["dimensions"]["speed"]["value"] == 32
    older = "".join(f"[timer.py:154:stop] 0/{n}, SamplesPerSec={n}.5\n" for n in range(10, 60, 10))
    assert logs.scored(older)["dimensions"]["speed"]["value"] == 50.5


def test_reinforcement_learning_as_later_versions_print_it() -> None:
    """Two epochs of 24 steps, 4 s each with 32 samples; the timers of two models say epoch 0."""
    timer = (
        "[2024-03-09 21:40:00,123] [INFO] [timer.py:199:stop] epoch=0/micro_step={n}/global_step={n}, "
        "RunningAvgSamplesPerSec=60.5, CurrSamplesPerSec=61.5, MemAllocated=4GB, MaxMemAllocated=9GB\n"
    )
    text = ""
    for n in range(1, 49):
        epoch, step = divmod(n - 1, 24)
        if step == 0:
            text += f"Beginning of Epoch {epoch + 1}/2, Total Generation Batches 24\n"
        text += (
            f"Epoch: {epoch} | Step: {step} | PPO Epoch: 1 | Actor Loss: 0.5 | Critic Loss: 0.25 | "
            "Unsupervised Loss: 0.0\n"
            "End-to-End => Latency: 4.00s, TFLOPs: 12.30, Samples/sec: 8.00, Time/seq 0.12s, "
            "Batch Size: 32, Total Seq. Length: 512\n"
            "Generation => Latency: 3.00s, Per-token Latency 11.72 ms, TFLOPs: 3.10, "
            "BW: 120.10 GB/sec, Answer Seq. Length: 256\n"
            f"Average reward score: {0.0625 * n} | EMA reward score: {0.05 * n}\n"
        )
        text += 2 * timer.format(n=n) if n % 10 == 0 else ""
    assert detected(text) == "deepspeed"
    card = scored(text)
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(8), "samples/s")
    assert card["run"]["epochs_planned"] == 2
    assert [one["kind"] for one in card["warnings"]] == []
