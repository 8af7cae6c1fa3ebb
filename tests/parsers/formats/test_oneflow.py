"""OneFlow-Benchmark lines; DLPerf's rule over their clock."""

from __future__ import annotations

from sixdim.parsers.events import Evaluation, Iteration, Metric, RunInfo, RunStart, Scope
from tests.support.corpus import log, read, text


def test_resnet_lines_carry_their_clock() -> None:
    name, events = text(
        "train: epoch 0, iter 20, loss: 7.13, top_1: 0.001, top_k: 0.01, "
        "samples/s: 3988.891 1597933942.986",
        "train: epoch 0, iter 120, loss: 6.9, samples/s: 4000.000 1597933968.586",
        "validation: epoch 0, iter 195, top_1: 0.25, top_k: 0.5, samples/s: 1993.1 1597933999.0",
    )
    first, last = (e for e in events if isinstance(e, Iteration))
    assert name == "oneflow"
    assert (first.epoch, first.step, first.loss) == (0, 20, 7.13)
    assert (first.throughput, first.unit, first.scope) == (3988.891, "samples/s", Scope.JOB)
    assert first.at.time_us == 1_597_933_942_986_000
    # DLPerf: the global batch times a hundred steps, over their elapsed time.
    elapsed = ((last.at.time_us or 0) - (first.at.time_us or 0)) / 1e6
    assert 1024 * (120 - 20) / elapsed == 4000.0
    (evaluation,) = (e for e in events if isinstance(e, Evaluation))
    assert evaluation.metrics == (
        Metric("acc1", 0.25, "fraction"),
        Metric("acc5", 0.5, "fraction"),
    )


def test_bert_insightface_and_wide_and_deep() -> None:
    _, events = text(
        "step: 19, total_loss: 11.078, mlm_loss: 10.407, nsp_loss: 0.671, throughput: 52.257 "
        "1598056519.88",
        "train: iter 25, loss 42.5, throughput: 6000.25",
        "100 time 1602836839.64 loss 0.5",
    )
    bert, face, wide = (e for e in events if isinstance(e, Iteration))
    assert (bert.step, bert.loss, bert.throughput) == (19, 11.078, 52.257)
    assert bert.at.time_us == 1_598_056_519_880_000
    assert (face.step, face.loss, face.throughput) == (25, 42.5, 6000.25)
    assert (wide.step, wide.loss, wide.throughput) == (100, 0.5, None)


def test_lines_with_a_clock_may_follow_lines_without() -> None:
    bare = [f"step: {n}, total_loss: 11.078, throughput: 52.25" for n in range(8)]
    clocked = [f"step: {n}, total_loss: 11.078, throughput: 52.25 1598056519.88" for n in (8, 9)]
    _, events = text(*bare, *clocked)
    records = [e for e in events if isinstance(e, Iteration)]
    assert [(r.loss, r.throughput) for r in records] == [(11.078, 52.25)] * 10
    assert [r.at.time_us for r in records] == [None] * 8 + [1_598_056_519_880_000] * 2


def test_header() -> None:
    _, events = text(
        "model = resnet50",
        "batch_size_per_device = 128",
        "gpu_num_per_node = 8",
        "num_nodes = 4",
        "use_fp16 = True",
    )
    assert isinstance(events[0], RunStart)
    assert {e.name: e.value for e in events if isinstance(e, RunInfo)} == {
        "model": "resnet50",
        "batch_per_device": 128,
        "nodes": 4,
        "devices": 32,
        "precision": "fp16",
    }


def test_a_report_excerpt() -> None:
    data = log("corpus/oneflow/excerpt_bert_fp32_report.log").read_bytes()
    name, events = read(data)
    records = [e for e in events if isinstance(e, Iteration)]
    assert name == "oneflow"
    assert [r.step for r in records] == list(range(19, 200, 20))
    printed = [float(line.rpartition("throughput: ")[2]) for line in data.decode().splitlines()]
    assert [r.throughput for r in records] == printed
