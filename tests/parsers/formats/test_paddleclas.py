"""PaddleClas: one line of every generation, and the published throughputs of real logs."""

from __future__ import annotations

from statistics import fmean

import pytest

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Metric,
    Problem,
    RunInfo,
    Scope,
)
from tests.support.corpus import log, read, text
from tests.support.inputs.published import digits, figure, speeds, tipc
from tests.support.logs import iterations, scored

STATIC_1 = (
    "2021-05-19 18:01:31 INFO: epoch:0   train step:177  loss:  6.9342 top1: 0.0000 "
    "top5: 0.0048 lr: 0.400000 elapse: 0.140s ips: 916.73001 images/sec."
)
DYNAMIC_2_0 = (
    "2021-02-01 10:00:00 INFO: epoch:3  , train step:10  , top1: 0.01250, top5: 0.04, "
    "loss: 6.5, lr: 0.1, batch_cost: 0.25382 s, reader_cost: 0.00072 s, ips: 378.22571 images/sec."
)
DYNAMIC_2_1 = (
    "[2021/06/01 10:00:00] root INFO: epoch:103, train step:1000, top1: 0.5, loss: 2.5, "
    "lr: 0.1, batch_cost: 0.25 s, reader_cost: 0.1 s, ips: 378.5 images/sec, eta: 0:12:34"
)
ENGINE = (
    "[2023/01/01 12:00:00] ppcls INFO: [Train][Epoch 2/120][Iter: 10/626]"
    "lr(PiecewiseDecay): 0.10000000, top1: 0.25, CELoss: 6.25, loss: 6.25, batch_cost: 0.36s, "
    "reader_cost: 0.1, ips: 710.5 samples/s, eta: 1 day, 3:00:00, max_mem_reserved: 900 MB"
)
STATIC_2_3 = (
    "[2023/07/28 06:44:43] ppcls INFO: epoch:0   train step:190  lr: 0.100000, loss:  6.9213 "
    "top1: -0.1602 top5:  0.0039 batch_cost: 0.65014 s, reader_cost: 0.00057 s, "
    "ips: 393.76120 samples/sec."
)
PADDLECV = "[Pass 0, train batch 119] \tloss 7.01234, lr 0.10000, elapse 0.3456 sec"


@pytest.mark.parametrize(
    ("line", "place", "loss", "speed", "unit", "seconds"),
    [
        (STATIC_1, (0, 177, None), 6.9342, 916.73001, "img/s", 0.140),
        (DYNAMIC_2_0, (3, 10, None), 6.5, 378.22571, "img/s", 0.25382),
        (DYNAMIC_2_1, (103, 1000, None), 2.5, 378.5, "img/s", 0.25),
        (ENGINE, (2, 10, 626), 6.25, 710.5, "samples/s", 0.36),
        (STATIC_2_3, (0, 190, None), 6.9213, 393.76120, "samples/s", 0.65014),
        (PADDLECV, (0, 119, None), 7.01234, None, "", 0.3456),
    ],
)
def test_every_generation_gives_an_iteration(
    line: str,
    place: tuple[int, int, int | None],
    loss: float,
    speed: float | None,
    unit: str,
    seconds: float,
) -> None:
    name, events = text(line)
    (record,) = iterations(events)
    assert name == "paddleclas"
    assert (record.epoch, record.step, record.steps) == place
    assert (record.loss, record.throughput, record.unit) == (loss, speed, unit)
    assert record.duration == seconds
    assert record.scope is (Scope.DEVICE if speed else Scope.UNKNOWN)


def test_further_figures_keep_their_names_signs_and_units() -> None:
    (record,) = iterations(text(STATIC_2_3)[1])
    assert Metric("top1", -0.1602) in record.values
    assert Metric("reader_cost", 0.00057, "s", higher_is_better=False) in record.values


def test_epoch_ends_and_evaluations() -> None:
    _, events = text(
        ENGINE,
        "ppcls INFO: x",
        "END epoch:4   train loss:  6.9776 top1: 0.0014  elapse_sum: 139.853s ips: 1137.7 images/sec.",
        "END epoch:5   train  loss:  6.2 top1:  0.01 batch_cost: 0.7 s, batch_cost_sum: 46.96211 s,",
        "END epoch:5   valid  loss:  3.2 top1:  0.25 top5:  0.5 batch_cost: 0.7 s, ips: 9 images/sec.",
        "[Eval][Epoch 6][Iter: 0/391]CELoss: 0.9, top1: 0.7, ips: 256.0 images/sec",
        "[Eval][Epoch 6][Avg]CELoss: 0.95, loss: 0.95, top1: 0.7651, top5: 0.93",
        "[Eval][Epoch 6][best metric: 0.7651]",
    )
    ends = [e for e in events if isinstance(e, EpochEnd)]
    assert [(e.epoch, e.train_time, e.throughput, e.scope) for e in ends] == [
        (4, 139.853, 1137.7, Scope.DEVICE),
        (5, 46.96211, None, Scope.UNKNOWN),
    ]
    older, newer = (e for e in events if isinstance(e, Evaluation))
    assert older.epoch == 5
    assert Metric("acc1", 0.25, "fraction") in older.metrics
    assert not {m.name for m in older.metrics} & {"ips", "batch_cost"}
    assert newer.metrics[-2:] == (
        Metric("acc1", 0.7651, "fraction"),
        Metric("acc5", 0.93, "fraction"),
    )


def test_facts_come_from_the_printed_configuration_and_the_launcher() -> None:
    head = "[2023/08/02 21:04:23] ppcls INFO:"
    _, events = text(
        "LAUNCH INFO 2023-08-02 21:04:20,871 devices: 0,1,2,3",
        "LAUNCH INFO 2023-08-02 21:04:20,872 ips: None",
        "LAUNCH INFO 2023-08-02 21:04:20,873 nnodes: 2",
        "==        PaddleClas is powered by PaddlePaddle !        ==",
        f"{head}     epochs : 8",
        f"{head} AMP : ",
        f"{head}     use_amp : True",
        f"{head} Arch : ",
        f"{head}     name : ResNet50",
        f"{head} Optimizer : ",
        f"{head}     name : Momentum",
        f"{head} DataLoader : ",
        f"{head}     Train : ",
        f"{head}             batch_size : 256",
        f"{head}     Eval : ",
        f"{head}             batch_size : 64",
    )
    facts = {e.name: e.value for e in events if isinstance(e, RunInfo)}
    assert facts == {
        "devices": 8,
        "nodes": 2,
        "framework": "PaddlePaddle",
        "epochs_planned": 8,
        "precision": "amp",
        "model": "ResNet50",
        "batch_per_device": 256,
    }


@pytest.mark.parametrize("ips", ["ips: 127.0.0.1", "ips: None", "ips: ", "--ips:0,1,2,3"])
def test_a_launchers_ips_is_no_speed(ips: str) -> None:
    _, events = text(STATIC_2_3, ips, f"LAUNCH INFO 2023-08-02 21:04:20,872 {ips}")
    assert len(iterations(events)) == 1
    assert not [e for e in events if isinstance(e, Problem)]


@pytest.mark.parametrize("bad", ["1,393.76 samples/sec.", "39x.7 samples/sec.", "127.0.0.1"])
def test_a_broken_speed_is_a_warning_with_its_line(bad: str) -> None:
    _, events = text(STATIC_2_3, STATIC_2_3.replace("393.76120 samples/sec.", bad))
    assert len(iterations(events)) == 1
    (problem,) = (e for e in events if isinstance(e, Problem))
    assert (problem.kind, problem.at.line) == ("broken_number", 2)


@pytest.mark.parametrize(
    ("path", "cards"),
    [
        ("Perf/ResNet50V1.5/logs/V100-LOG/PaddleClas_ResNet50_bs256_fp32_DP_N1C1_log", 1),
        ("Perf/ResNet50V1.5/logs/V100-LOG/PaddleClas_ResNet50_bs256_fp32_DP_N1C8_log", 8),
        ("Perf/ResNet50V1.5/logs/A100-LOG/PaddleClas_ResNet50_bs256_pure_fp16_DP_N1C8_log", 8),
    ],
)
def test_published_throughput(path: str, cards: int) -> None:
    name, events = read(log(path).read_bytes())
    assert name == "paddleclas"
    assert str(tipc(speeds(events), 10, cards)) == figure(path)


@pytest.mark.parametrize(
    ("path", "first", "last", "cards"),
    [
        ("Perf/ResNet50V1.5/logs/V100-LOG/paddle_gpu32_fp32_bs256.txt", 10, None, 32),
        ("Perf/ResNet50V1.5/logs/V100-LOG/paddle_gpu32_pure_fp16_bs256.txt", 10, None, 32),
        ("Perf-2021-01/ResNet50V1.5/logs/paddle_gpu32_amp_bs128.txt", 100, None, 32),
        ("Perf-2021-01/ResNet50V1.5/logs/paddle_gpu8_amp_bs208.txt", 10, -7, 8),
    ],
)
def test_published_throughput_of_whole_windows(
    path: str, first: int, last: int | None, cards: int
) -> None:
    name, events = read(log(path).read_bytes())
    published = figure(path)
    assert name == "paddleclas"
    assert digits(fmean(speeds(events)[first:last]) * cards, published) == published


def test_device_counts_of_real_launches() -> None:
    for path, devices in (
        ("Perf/ResNet50V1.5/logs/V100-LOG/paddle_gpu32_fp32_bs256.txt", 32),
        ("Perf/ResNet50V1.5/logs/A100-LOG/PaddleClas_ResNet50_bs256_pure_fp16_DP_N1C8_log", 8),
    ):
        facts = [e for e in read(log(path).read_bytes())[1] if isinstance(e, RunInfo)]
        assert [f.value for f in facts if f.name == "devices"][-1] == devices


@pytest.mark.parametrize("cut", [1, 3, 8, 11])
def test_a_rate_that_was_cut_short_counts_nowhere_in_a_log_with_units(cut: int) -> None:
    lines = [STATIC_2_3.replace("step:190", f"step:{step}") for step in range(12)]
    whole = "samples/sec."
    lines[cut] = lines[cut][: lines[cut].index(whole) - 4]
    events = text(*lines)[1]
    records = iterations(events)
    assert [r.throughput is None for r in records] == [step == cut for step in range(12)]
    assert {r.unit for r in records if r.step != cut} == {"samples/s"}
    kinds = [e.kind for e in events if isinstance(e, Problem)]
    assert kinds.count("cut_line") == 1


def test_a_log_that_prints_no_unit_has_every_rate() -> None:
    end = " samples/sec."
    lines = [STATIC_2_3.replace("step:190", f"step:{step}") for step in range(12)]
    events = text(*(line[: line.index(end)] for line in lines))[1]
    rates = [(r.throughput, r.unit) for r in iterations(events)]
    assert rates == [(float(STATIC_2_3[: -len(end)].split()[-1]), "")] * 12
    assert not [e for e in events if isinstance(e, Problem)]


def test_planned_epochs_are_said_once_and_when_they_change() -> None:
    lines = [ENGINE.replace("Iter: 10", f"Iter: {step}") for step in range(12)]
    lines[9:] = [line.replace("/120]", "/90]") for line in lines[9:]]
    facts = [e for e in text(*lines)[1] if isinstance(e, RunInfo)]
    planned = [(f.at.line, f.value) for f in facts if f.name == "epochs_planned"]
    assert planned == [(1, 120), (10, 90)]


def test_the_cost_of_a_batch_is_a_mean_since_the_fifth_iteration_of_the_epoch() -> None:
    """40 iterations take a second each, 60 half a second: 95 are counted, in 35 + 30 s."""

    def line(epoch: int, step: int) -> str:
        passed = [1.0 if i < 40 else 0.5 for i in range(5 if step > 4 else 0, step + 1)]
        mean = sum(passed) / len(passed)
        return (
            f"[2023/01/01 12:00:00] ppcls INFO: [Train][Epoch {epoch}/2][Iter: {step}/100]"
            f"lr(Cosine): 0.1, loss: 6.25, batch_cost: {mean:.5f}s, reader_cost: 0.1, "
            f"ips: {64 / mean:.5f} samples/s, eta: 0:01:00\n"
        )

    steps = (0, 20, 40, 60, 80, 99)
    log = "".join(
        "".join(line(epoch, step) for step in steps)
        + f"[2023/01/01 12:02:00] ppcls INFO: [Train][Epoch {epoch}/2][Avg]loss: 6.25\n"
        for epoch in (1, 2)
    )
    assert scored(log)["dimensions"]["speed"]["value"] == pytest.approx(64 * 95 / 65, rel=1e-5)


def test_the_second_evaluation_of_an_epoch_is_of_the_averaged_model() -> None:
    """With `EMA` the engine evaluates the model, then its average, and prints both alike."""

    def epoch(label: int, raw: float, averaged: float) -> str:
        head = f"[2023/07/28 06:4{label}:45] ppcls INFO: "
        return (
            f"{head}[Train][Epoch {label}/3][Iter: 9/10]lr(Piecewise): 0.1, top1: 0.10000, "
            "loss: 2.00000, batch_cost: 0.50000s, reader_cost: 0.00100, ips: 128.00000 samples/s\n"
            f"{head}[Eval][Epoch {label}][Avg]loss: 0.95, top1: {raw}, top5: 0.90000\n"
            f"{head}[Eval][Epoch {label}][Avg]loss: 0.90, top1: {averaged}, top5: 0.95000\n"
            f"{head}[Eval][Epoch {label}][best metric ema: {averaged}]\n"
        )

    accuracy = scored(epoch(1, 0.5, 0.8) + epoch(2, 0.6, 0.7))["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"]) == (0.6, 0.6)
    alone = epoch(1, 0.5, 0.8).splitlines(keepends=True)[1]
    assert scored(alone)["dimensions"]["accuracy"]["value"] == 0.5


@pytest.mark.parametrize(
    ("version", "speed"),
    [
        ("2.6.1", 64 / 1.0),
        ("3.0.0", 64 * 21 / (1 * 0.5 + 10 * 0.5 + 10 * 1.0)),
        ("10.1.0", 64 * 21 / (1 * 0.5 + 10 * 0.5 + 10 * 1.0)),
    ],
)
def test_programs_for_paddle_3_print_means_since_the_line_before(
    version: str, speed: float
) -> None:
    """Before, the mean of a line was that of its epoch since iteration 5."""
    head = "[2025/07/28 06:40:45] ppcls INFO: "
    lines = [
        f"{head}[Train][Epoch {epoch}/3][Iter: {step}/21]lr(Piecewise): 0.1, top1: 0.10000, "
        f"loss: 2.00000, batch_cost: {cost:.5f}s, reader_cost: 0.00100, "
        f"ips: {64 / cost:.5f} samples/s, eta: 0:01:00\n"
        for epoch in (1, 2, 3)
        for step, cost in ((0, 0.5), (10, 0.5), (20, 1.0))
    ]
    header = f"{head}train with paddle {version} and device Place(gpu:0)\n"
    card = scored("".join([header, *lines]))
    assert card["dimensions"]["speed"]["value"] == pytest.approx(speed)
    later = header.replace(version, "2.6.1")  # a second program is read as what it is
    second = scored("".join([header, *lines, later, *lines]))["dimensions"]["speed"]
    assert second["value"] == pytest.approx(64)
