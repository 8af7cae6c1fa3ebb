"""HugeCTR's lines in its three spellings, and DLPerf's latency from them and from OneFlow's."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sixdim.parsers.events import Evaluation, Iteration, Metric, RunEnd, RunInfo
from tests.support.corpus import text
from tests.support.logs import scored

Sixdim = Callable[..., tuple[int, str, str]]
Cards = Callable[..., dict[str, Any]]
PREFIXES = (
    "[HUGECTR][02:51:59][INFO][RANK0]: ",
    "[03d16h06m36s][HUGECTR][INFO]: ",
    "[HCTR][02:51:59.123][INFO][RK0][main]: ",
)


@pytest.mark.parametrize("prefix", PREFIXES)
def test_its_lines(prefix: str) -> None:
    name, events = text(
        f"{prefix}Training batchsize: 16384, evaluation batchsize: 2048",
        f"{prefix}Iter: 100 Time(100 iters): 0.315066s Loss: 0.125152 lr:0.001000",
        f"{prefix}Evaluation, AUC: 0.759263",
        f"{prefix}Eval Time for 70 iters: 17.218921s",
        f"{prefix}Finish 1200 iterations with batchsize: 65536 in 879.05s.",
    )
    assert name == "hugectr"
    (step,) = (e for e in events if isinstance(e, Iteration))
    assert (step.step, step.loss, step.duration) == (100, 0.125152, 0.00315066)
    (seen,) = (e for e in events if isinstance(e, Evaluation))
    assert seen.metrics == (Metric("AUC", 0.759263, "fraction"),)
    (end,) = (e for e in events if isinstance(e, RunEnd))
    assert end.duration == 879.05
    said = [(e.name, e.value) for e in events if isinstance(e, RunInfo)]
    assert said == [("global_batch", 16384), ("global_batch", 65536)]


@pytest.mark.parametrize("prefix", PREFIXES)
def test_the_time_of_iterations_is_printed_with_that_of_the_evaluations_between_them(
    prefix: str,
) -> None:
    _name, events = text(
        f"{prefix}Iter: 100 Time(100 iters): 3.0s Loss: 0.12 lr:0.001",
        f"{prefix}Evaluation, AUC: 0.75",
        f"{prefix}Eval Time for 70 iters: 1.25s",
        f"{prefix}Iter: 200 Time(100 iters): 4.25s Loss: 0.12 lr:0.001",
        f"{prefix}Iter: 300 Time(100 iters): 3.0s Loss: 0.12 lr:0.001",
        f"{prefix}Finish 2 epochs 300 global iterations with batchsize 64 in 10.25s.",
    )
    assert [e.duration for e in events if isinstance(e, Iteration)] == [0.03, 0.03, 0.03]
    assert [e.duration for e in events if isinstance(e, RunEnd)] == [10.25]


def test_several_classes_and_a_target() -> None:
    prefix = PREFIXES[2]
    _name, events = text(
        f"{prefix}Iter: 200 Time(100 iters): 0.3s Loss: 0.12 lr:0.001",
        f"{prefix}Evaluation, AUC: {{0.482141, 0.440781}}, macro-averaging AUC: 0.46146124601364136",
        f"{prefix}Hit target accuracy AUC 0.802500 at 68274 / 75868 iterations with batchsize 55296 "
        "in 111.25s. Average speed 33935543.2 records/s.",
    )
    (seen,) = (e for e in events if isinstance(e, Evaluation))
    assert seen.metrics == (Metric("AUC", 0.46146124601364136, "fraction"),)
    assert [e.duration for e in events if isinstance(e, RunEnd)] == [111.25]


def hugectr(path: Path, cards: int, seconds: list[float]) -> None:
    path.parent.mkdir(exist_ok=True)
    lines = [
        "loss_print_every_n_iter = 100",
        f"gpu_num_per_node = {cards}",
        "num_nodes = 1",
        "batch_size = 16384",
        *(
            f"{PREFIXES[0]}Iter: {100 * n} Time(100 iters): {each:.6f}s Loss: 0.1 lr:0.001000"
            for n, each in enumerate(seconds, 1)
        ),
    ]
    path.write_text("\n".join(lines) + "\n")


def test_the_latency_leaves_out_the_line_of_iteration_100(tmp_path: Path, card_of: Cards) -> None:
    seconds = [9.0, 0.213347, 0.222373, 0.219]
    hugectr(tmp_path / "wdl.log", 8, seconds)
    figure = card_of(tmp_path / "wdl.log", "--protocol", "dlperf-hugectr")["dimensions"]["speed"]
    assert figure["value"] == pytest.approx(1000 * statistics.fmean(seconds[1:]) / 100)
    assert (figure["unit"], figure["printed"], figure["scope"]) == ("ms", "2.182", "job")


def test_latencies_are_tabled_as_times(tmp_path: Path, sixdim: Sixdim) -> None:
    for cards, latency in ((1, 0.4), (8, 0.2)):
        for run, more in enumerate((0.0, 0.1, 0.05), 1):
            log = tmp_path / f"1n{cards}g" / f"wdl_b16384_fp32_{run}.log"
            hugectr(log, cards, [9.0, latency + more, latency + more])
    code, out, err = sixdim("scaling", tmp_path, "--format", "csv")
    assert code == 0
    assert out.splitlines() == ["node_num,gpu_num,ms,speedup", "1,1,4.500,-", "1,8,2.500,-"]
    assert "no run on one device" not in err
    _code, out, _err = sixdim("scaling", tmp_path, "--format", "json")
    assert json.loads(out)["wdl"]["1n8g"]["speedup"] is None


def test_a_latency_is_no_throughput_of_ai_rank(tmp_path: Path, sixdim: Sixdim) -> None:
    hugectr(tmp_path / "wdl.log", 8, [9.0, 0.4, 0.4])
    _code, out, _err = sixdim("airank", tmp_path / "wdl.log", "--format", "json")
    assert json.loads(out)[0]["throughput"] is None


def test_less_latency_compares_as_better(tmp_path: Path, sixdim: Sixdim) -> None:
    hugectr(tmp_path / "slow.log", 8, [9.0, 0.4, 0.4])
    hugectr(tmp_path / "fast.log", 8, [9.0, 0.2, 0.2])
    words = ("compare", tmp_path / "slow.log", tmp_path / "fast.log", "--json", "-")
    _code, out, _err = sixdim(*words, "--protocol", "dlperf-hugectr")
    speed = json.loads(out)["figures"]["speed"]
    assert (speed["better"], speed["ratios"][1]["value"]) == ("lower", pytest.approx(2.0))


def test_wide_and_deep_of_oneflow(tmp_path: Path, card_of: Cards) -> None:
    clocks = {100: 1602836839.6445205, 200: 1602836842.5530608, 1100: 1602836869.3806155}
    clocks[1200] = 1602836999.0
    lines = [f"{step} time {clock} loss 0.5471092355251312 " for step, clock in clocks.items()]
    log = tmp_path / "wdl.log"
    log.write_text("\n".join(["model = wdl", *lines]) + "\n")
    figure = card_of(log, "--protocol", "dlperf-oneflow-wdl")["dimensions"]["speed"]
    # Over 1000 iterations, seconds are milliseconds of one.
    assert figure["value"] == pytest.approx(clocks[1100] - clocks[100], abs=1e-5)
    assert figure["printed"] == "29.736"
    assert figure["state"] == "final"


def test_wide_and_deep_of_oneflow_needs_the_line_1000_iterations_later(
    tmp_path: Path, card_of: Cards
) -> None:
    clocks = {100: 1602836800, 200: 1602836802, 1099: 1602836810}
    log = tmp_path / "wdl.log"
    lines = [f"{step} time {clock}.5 loss 0.5471092355251312 " for step, clock in clocks.items()]
    log.write_text("\n".join(["model = wdl", *lines]) + "\n")
    figure = card_of(log, "--protocol", "dlperf-oneflow-wdl")["dimensions"]["speed"]
    assert (figure["value"], figure["state"]) == (pytest.approx(1000 * 10 / 999), "short")
    assert figure["reason"] == "2 records where the protocol takes 1000 steps"


def test_wide_and_deep_of_oneflow_models(tmp_path: Path, card_of: Cards) -> None:
    latencies = [81.5818255022168159, 2.2327776625752449, 2.25, 2.3108293302357197]
    lines = [
        f"[rank:0] iter: {100 * n}/1200, loss: 0.0831875279545784, latency(ms): {latency} | "
        f"2021-12-01 13:19:0{n}.625"
        for n, latency in enumerate(latencies, 1)
    ]
    log = tmp_path / "wdl.log"
    log.write_text("\n".join(lines) + "\n")
    card = card_of(log, "--protocol", "dlperf-oneflow-wdl-models")
    assert card["run"]["format"] == "oneflow"
    assert card["dimensions"]["speed"]["value"] == pytest.approx((2.2327776625752449 + 2.25) / 2)
    assert card["run_end"]["run_time_s"] is None  # the first 100 of 400 iterations are before it


def test_a_target_that_was_hit() -> None:
    prefix = PREFIXES[2]
    lines = "".join(
        f"{prefix}Iter: {n}00 Time(100 iters): 0.3s Loss: 0.12 lr:0.001\n"
        f"{prefix}Evaluation, AUC: 0.80{n}6\n{prefix}Eval Time for 10 iters: 0.1s\n"
        for n in range(1, 4)
    )
    hit = (
        f"{prefix}Hit target accuracy AUC 0.803500 at 1 / 2 epochs 299 global iterations with "
        "batchsize 512 in 1.25s. Average speed 122470.4 records/s.\n"
    )
    card = scored(lines + hit)
    assert (card["status"], card["run_end"]["run_time_s"]) == ("converged", 1.25)
    assert card["dimensions"]["accuracy"]["value"] == 0.8036
    claims = [
        one for one in scored(lines.replace("0.8036", "0.8034") + hit)["warnings"]
        if one["kind"] == "claim"
    ]  # fmt: skip
    assert len(claims) == 1  # no evaluation is above the target
