"""timm's console: what its training script prints becomes these events."""

from __future__ import annotations

from sixdim.parsers.events import (
    BY_NAME,
    Evaluation,
    Iteration,
    Problem,
    RunEnd,
    RunStart,
    Scope,
    Summary,
)
from tests.support.logs import detected, facts, only, read, real, score

HEADER = """\
Training in distributed mode with multiple processes, 1 GPU per process. Process 1, total 8.
Training in distributed mode with multiple processes, 1 GPU per process. Process 0, total 8.
Model resmlp_12_224 created, param count:15350872
Using native Torch AMP. Training in mixed precision.
Scheduled epochs: 310. LR stepped per epoch.
"""
TRAIN = (
    "Train: 7 [ 150/1251 ( 12%)]  Loss: 5.125 (5.50)  Time: 0.256s,  999.75/s  "
    "(0.300s,  853.33/s)  LR: 5.033e-06  Data: 0.040 (0.047)\n"
)


def test_header_tells_devices_precision_and_epochs() -> None:
    events = read(HEADER, "timm")
    assert facts(events) == {
        "devices": 8,
        "model": "resmlp_12_224",
        "precision": "amp",
        "epochs_planned": 310,
    }
    assert (
        len(only(events, RunStart)) == 2
    )  # the ranks' lines open the run once, its schedule twice


def test_devices_of_later_versions() -> None:
    one = "Training with a single process on 1 GPUs.\n"
    new = (
        "Training in distributed mode with multiple processes, 1 device per process."
        "Process 0, total 4, device cuda:0.\n"
    )
    assert facts(read(one, "timm")) == {"devices": 1}
    assert facts(read(new, "timm")) == {"devices": 4}


def test_training_line() -> None:
    (iteration,) = only(read(TRAIN, "timm"), Iteration)
    assert (iteration.epoch, iteration.step, iteration.steps) == (7, 150, 1251)
    assert (iteration.throughput, iteration.unit) == (999.75, "img/s")
    assert iteration.scope is Scope.JOB
    assert (iteration.loss, iteration.duration) == (5.125, 0.256)


def test_batch_accuracy_of_a_training_step_is_no_evaluation() -> None:
    line = (
        "Train: 0 [   0/1251 (  0%)]  Loss:  6.9123 (6.9123)  Acc@1:  50.0000 ( 50.0000)  "
        "Acc@5: 75.0000 (75.0000)  Time: 0.500s, 1024.00/s  (0.500s, 1024.00/s)  "
        "LR: 1.000e-06  Data: 0.1 (0.1)\n"
        "Train: 0 [  50/1251 (  4%)]  Loss:  6.9 (6.9)  Time: 0.5s, 1024.00/s  "
        "(0.5s, 1024.00/s)  LR: 1.0e-06  Data: 0.1 (0.1)  Acc@1: 12.5 (12.5)\n"
    )
    events = read(line, "timm")
    assert [i.throughput for i in only(events, Iteration)] == [1024.0, 1024.0]
    assert only(events, Evaluation) == []


def test_only_the_last_line_of_an_evaluation_counts_and_the_averaged_model_is_distinguished() -> (
    None
):
    tests = "".join(
        f"Test{suffix}: [{step:>4}/48]  Time: 0.1 (0.2)  Loss:  0.6 (0.9)  "
        f"Acc@1: 84.9057 ({top1})  Acc@5: 97.8 (94.8)\n"
        for suffix, top1 in (("", "79.8860"), (" (EMA)", "80.0160"))
        for step in (0, 48)
    )
    raw, averaged = only(read(TRAIN + tests, "timm"), Evaluation)
    assert (raw.model, raw.epoch, score(raw, "acc1")) == ("raw", 7, 79.886)
    assert (averaged.model, averaged.epoch, score(averaged, "acc1")) == ("averaged", 7, 80.016)
    assert raw.metrics[0].unit == "%"


def test_best_metric_ends_the_run() -> None:
    events = read("*** Best metric: 80.01600003417968 (epoch 305)\n", "timm")
    assert only(events, Summary)[0].metrics[0].value == 80.01600003417968
    assert only(events, RunEnd)[0].duration is None


def test_swin_style_logger_prefix_gives_the_clock() -> None:
    line = "[2022-01-05 09:32:34 ViTAEv2_S] (main.py 789): INFO " + TRAIN
    (iteration,) = only(read(line, "timm"), Iteration)
    assert iteration.at.time_us == 1_641_375_154_000_000
    assert detected(line * 4) == "timm"


def test_broken_number_is_a_warning_and_no_figure() -> None:
    events = read(TRAIN.replace("999.75", "99x.75"), "timm")
    assert only(events, Iteration) == []
    cut = read(TRAIN[:60] + "\n", "timm")
    assert only(cut, Iteration) == []
    (problem,) = only(read(TRAIN.replace("5.125", "5.1.25"), "timm"), Problem)
    assert problem.kind == "broken_number"


def test_published_accuracy_of_vitaev2_s_is_the_averaged_models() -> None:
    name, events = real("corpus/timm/vitaev2_s.log")
    assert name == "timm"
    best = {
        model: max(
            (score(e, "acc1"), e.epoch) for e in only(events, Evaluation) if e.model == model
        )
        for model in ("raw", "averaged")
    }
    assert best == {"raw": (82.51, 290), "averaged": (82.63, 274)}


def test_best_metric_of_nat() -> None:
    name, events = real("corpus/timm/nat_vit_small_imagenet_nohup.log")
    assert name == "timm"
    # W&B repeats the last one after the end, which only counts where the format reads none.
    evaluations = [one for one in only(events, Evaluation) if one.model != BY_NAME]
    assert score(evaluations[-1], "acc1") == 79.996
    assert max((score(e, "acc1"), e.epoch) for e in evaluations) == (80.016, 305)
    assert facts(events)["devices"] == 8


def test_the_planned_epochs_in_the_words_of_all_versions() -> None:
    for rest in (
        "",
        ". LR stepped per epoch.",
        " (epochs + cooldown_epochs). Warmup within epochs.",
    ):
        text = f"Scheduled epochs: 8{rest}\n"
        assert facts(read(text, "timm")) == {"epochs_planned": 8}


def test_a_fork_that_prints_no_time() -> None:
    events = read(
        "Train: 7 [ 200/390 ( 51%)]  Loss: 13.39 (13.5)  Loss_gt: 6.788 (6.89)  LR: 1.000e-04\n",
        "timm",
    )
    (iteration,) = only(events, Iteration)
    assert (iteration.epoch, iteration.step, iteration.steps) == (7, 200, 390)
    assert (iteration.loss, iteration.duration, iteration.throughput) == (13.39, None, None)


def test_the_precision_of_a_training_without_mixed_precision() -> None:
    for kind, precision in (("bfloat16", "bf16"), ("float16", "fp16"), ("float32", "fp32")):
        text = f"AMP not enabled. Training in torch.{kind}.\n"
        assert facts(read(text, "timm")) == {"precision": precision}
    assert facts(read("AMP not enabled. Training in float32.\n", "timm"))["precision"] == "fp32"
