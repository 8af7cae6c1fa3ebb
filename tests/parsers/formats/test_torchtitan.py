"""torchtitan: steps, devices of the mesh."""

from __future__ import annotations

from sixdim.parsers.events import (
    RunEnd,
    RunStart,
    Scope,
)
from tests.support.corpus import log, read, text
from tests.support.logs import facts, iterations, scores_by_step, values


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
    assert scores_by_step(events) == [(10, {"loss": 6.5})]
    assert [e.status for e in events if isinstance(e, RunEnd)] == ["finished"]


def test_the_header_of_newer_versions() -> None:
    clock = "2030-01-02 03:04:05,678 - root - INFO - "
    _, events = text(
        f"{clock}torchtitan version: 0.3.0 (0.0.0 means __version__ is not defined correctly).",
        f"{clock}Trainer is initialized with 16384 tokens per DP rank, 131072 tokens per train "
        "step, gradient accumulation steps 1, maximum context length 8192, total steps 60 "
        "(warmup 20)",
        f"{clock}step:  1  loss: 11.90000  grad_norm:  2.1243  memory: 66.91GiB(84.48%)  "
        "tps: 1,250  tflops: 55.00  mfu: N/A",
    )
    assert facts(events) == {"steps_planned": 60}
    assert sum(isinstance(e, RunStart) for e in events) == 1
    assert [(e.throughput, "mfu" in values(e)) for e in iterations(events)] == [(1250.0, False)]
    older = (
        f"{clock}Trainer is initialized with local batch size 2, global batch size 16, gradient "
        "accumulation steps 1, sequence length 8192, total steps 60 (warmup 20)"
    )
    found = facts(text(older, older)[1])
    assert found == {"batch_per_device": 2, "global_batch": 16, "steps_planned": 60}


def test_torchtitan_corpus_reads_each_step_once() -> None:
    path = "corpus/torchtitan/excerpt_pr2389_interleaved_ranks.log"
    name, events = read(log(path).read_bytes())
    assert (name, [e.step for e in iterations(events)]) == ("torchtitan", [4, 5])
