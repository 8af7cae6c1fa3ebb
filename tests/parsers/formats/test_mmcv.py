"""OpenMMLab's text logs, MMCV 1.x and MMEngine."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, Evaluation, Iteration, Problem, RunStart, Scope, Summary
from tests.support.logs import detected, facts, only, read, real, score, scored

PREFIX = "2021-10-04 12:22:55,853 - mmdet - INFO - "
EPOCH = (
    PREFIX + "Epoch [1][50/7330]\tlr: 2.000e-03, eta: 1 day, 2:00:00, time: 0.512, "
    "data_time: 0.010, memory: 3800, loss_cls: 0.5, loss: 1.9472\n"
)


def test_line_of_a_run_by_epochs() -> None:
    (iteration,) = only(read(EPOCH, "mmcv"), Iteration)
    assert (iteration.epoch, iteration.step, iteration.steps) == (1, 50, 7330)
    assert (iteration.duration, iteration.loss) == (0.512, 1.9472)
    # Seconds an iteration are printed, no throughput: none is claimed.
    assert (iteration.throughput, iteration.scope) == (None, Scope.UNKNOWN)
    assert iteration.at.time_us == 1_633_350_175_853_000
    named = {m.name: m.value for m in iteration.values}
    assert named == {"lr": 0.002, "data_time": 0.01, "memory": 3800.0, "loss_cls": 0.5}


def test_line_of_a_run_by_iterations_has_no_epoch() -> None:
    line = "Iter [50/80000]\tlr: 9.995e-03, eta: 17:49:18, time: 0.802, data_time: 0.017, loss: nan"
    (iteration,) = only(read(line + "\n", "mmcv"), Iteration)
    assert (iteration.epoch, iteration.step, iteration.steps) == (None, 50, 80000)
    assert iteration.loss is not None
    assert iteration.loss != iteration.loss


def test_learning_rates_of_several_groups_do_not_break_the_line() -> None:
    line = EPOCH.replace("lr: 2.000e-03", "lr: backbone_lr: 1.0e-04 head_lr: 1.0e-03")
    events = read(line, "mmcv")
    assert only(events, Problem) == []
    assert only(events, Iteration)[0].duration == 0.512


def test_validation_by_epochs() -> None:
    line = (
        "Epoch(val) [4][975]\tbbox_mAP: 0.3540, bbox_mAP_50: 0.5520, bbox_mAP_s: -1.0000, "
        "bbox_mAP_copypaste: 0.354 0.552 -1.000, segm_mAP: 0.3300\n"
    )
    (evaluation,) = only(read(line, "mmcv"), Evaluation)
    assert evaluation.epoch == 4
    assert [(m.name, m.value, m.unit) for m in evaluation.metrics] == [
        ("box", 0.354, "fraction"),
        ("bbox_mAP_50", 0.552, "fraction"),
        ("mask", 0.33, "fraction"),  # COCO's -1 is "nothing to evaluate", not a figure
    ]


def test_the_number_of_a_validation_may_be_that_of_its_batches() -> None:
    """Since MMCV 1.3, `Iter(val) [500]` counts 500 batches of the evaluation at 4000."""
    training = "Iter [4000/80000]\tlr: 9.995e-03, eta: 17:49:18, time: 0.802, data_time: 0.017\n"
    (evaluation,) = only(read(training + "Iter(val) [500]\tmIoU: 0.7811\n", "mmcv"), Evaluation)
    assert evaluation.step == 4000


@pytest.mark.parametrize(
    "line",
    [
        "Epoch(val) [3][40/40]    multi-label/mAP: 90.4000  data_time: 0.0046  time: 0.0263",
        "Epoch(val) [3][40]\tmAP: 90.4000, CP: 81.0, CR: 75.0, CF1: 78.0, OP: 85.0, OR: 80.0",
    ],
)
def test_the_mean_precision_of_several_labels_is_in_percent(line: str) -> None:
    (evaluation,) = only(read(line + "\n", "mmcv"), Evaluation)
    assert evaluation.metrics[0][:3] == ("map", 90.4, "%")


def test_validation_by_iterations_leaves_the_classes_out() -> None:
    line = "Iter(val) [16000]\tmIoU: 0.7811, mAcc: 0.8600, aAcc: 0.9643, IoU.road: 0.98\n"
    (evaluation,) = only(read(line, "mmcv"), Evaluation)
    assert evaluation.step == 16000
    assert [(m.name, m.unit) for m in evaluation.metrics] == [
        ("miou", "fraction"),
        ("mAcc", "fraction"),
        ("aAcc", "fraction"),
    ]


def test_mmengine() -> None:
    text = """\
2023/01/01 12:00:10 - mmengine - INFO - Epoch(train)   [1][ 100/5005]  lr: 1.0000e-01  \
eta: 1 day, 0:00:00  time: 0.5000  data_time: 0.1000  memory: 1234  loss: 6.9000
01/01 12:00:20 - mmengine - INFO - Epoch(val)   [1][ 50/196]    eta: 0:00:10  time: 0.2  data_time: 0.1  memory: 99
01/01 12:00:30 - mmengine - INFO - Epoch(val) [1][196/196]    accuracy/top1: 76.1300  data_time: 0.0100  time: 0.0200
"""
    events = read(text, "mmcv")
    (iteration,), (evaluation,) = only(events, Iteration), only(events, Evaluation)
    assert (iteration.epoch, iteration.step, iteration.duration) == (1, 100, 0.5)
    assert evaluation.epoch == 1
    assert [(m.name, m.value, m.unit) for m in evaluation.metrics] == [("acc1", 76.13, "%")]
    assert detected(text) == "mmcv"


def test_mmengine_by_iterations_prints_percent() -> None:
    text = (
        "Iter(train) [  8000/160000]  base_lr: 9.5e-03 lr: 9.5e-03  eta: 1:00:00  time: 0.25  "
        "data_time: 0.01  memory: 99  loss: 1.5\n"
        "Iter(val) [2000/2000]    aAcc: 80.1000  mIoU: 39.5000  mAcc: 50.0000  time: 0.1\n"
    )
    (evaluation,) = only(read(text, "mmcv"), Evaluation)
    assert (evaluation.step, score(evaluation, "miou")) == (8000, 39.5)
    assert {m.unit for m in evaluation.metrics} == {"%"}


def test_facts_of_the_configuration() -> None:
    text = """\
2021-04-03 11:59:57,723 - mmseg - INFO - Environment info:
2021-04-03 11:59:57,724 - mmseg - INFO - Distributed training: True
    samples_per_gpu=2,
gpu_ids = range(0, 8)
2021-04-03 11:59:59,397 - mmseg - INFO - Start running, host: a@b, work_dir: /w
2021-04-03 11:59:59,397 - mmseg - INFO - workflow: [('train', 1)], max: 48 epochs
"""
    events = read(text, "mmcv")
    assert facts(events) == {"batch_per_device": 2, "devices": 8, "epochs_planned": 48}
    assert len(only(events, RunStart)) == 2


def test_clock_starts_with_the_run_unless_it_is_resumed() -> None:
    start = "Start running, host: a@b, work_dir: /w\n"
    text = start + "resumed epoch 3, iter 999\nresumed epoch: 3, iter 999\n" + start + start
    assert [s.timed for s in only(read(text, "mmcv"), RunStart)] == [True, False, True]


def test_one_gpu_of_a_distributed_run_is_not_believed() -> None:
    text = "Distributed training: True\ngpu_ids = range(0, 1)\n"
    assert "devices" not in facts(read(text, "mmcv"))
    assert facts(read("Distributed training: False\n", "mmcv")) == {"devices": 1}


def test_throughput_that_every_rank_prints_is_read_once_per_epoch() -> None:
    text = EPOCH + "Avgfps img/s: 630.1\nAvgfps img/s: 630.4\n" + EPOCH + "Avgfps img/s: 640.0\n"
    ends = only(read(text, "mmcv"), EpochEnd)
    assert [(e.throughput, e.unit, e.scope) for e in ends] == [
        (630.1, "img/s", Scope.JOB),
        (640.0, "img/s", Scope.JOB),
    ]


def test_best_so_far_is_a_summary() -> None:
    (summary,) = only(read("Best bbox_mAP is 0.3520 at 4 epoch.\n", "mmcv"), Summary)
    assert [(m.name, m.value, m.unit) for m in summary.metrics] == [("best box", 0.352, "fraction")]


def test_blanks_that_a_redrawn_bar_left_in_front_are_no_obstacle() -> None:
    (iteration,) = only(read(" " * 200 + EPOCH, "mmcv"), Iteration)
    assert iteration.at.time_us == 1_633_350_175_853_000


def test_cut_and_broken_lines() -> None:
    (problem,) = only(read(EPOCH.replace("0.512", "0.5.12"), "mmcv"), Problem)
    assert (problem.kind, "time" in problem.text) == ("broken_number", True)
    for length in range(len(PREFIX), len(EPOCH) - 1):
        for iteration in only(read(EPOCH[:length] + "\n", "mmcv"), Iteration):
            assert (iteration.epoch, iteration.step) == (1, 50)


def test_time_to_train_of_ai_rank_hrnet() -> None:
    name, events = real(
        "AI-Rank/result_v0.1/software/train/pytorch_samples/linux/HRNet_W18/log/"
        "GPUx8_time2train_ips.log"
    )
    start = only(events, RunStart)[-1].at.time_us
    reached = next(e for e in only(events, Evaluation) if score(e, "miou") >= 0.78)
    assert name == "mmcv"
    assert start is not None
    assert reached.at.time_us is not None
    assert (reached.at.time_us - start) / 1e6 == 57574.088
    assert score(reached, "miou") == 0.7811
    assert max(score(e, "miou") for e in only(events, Evaluation)) == 0.7991


@pytest.mark.parametrize(
    ("log", "batch", "skip", "published"),
    [
        ("HRNetW18/OtherReports/PyTorch/logs/hrnet_torch_bs8_fp32_gpu1", 8, 5, "15.490"),
        ("HRNetW18/OtherReports/PyTorch/logs/hrnet_torch_bs8_fp32_gpu8", 64, 5, "60.299"),
        ("DeepLabV3P/OtherReports/PyTorch/logs/pytorch/deeplabv3p_c1_fp32.log", 4, 2, "4.252"),
        ("DeepLabV3P/OtherReports/PyTorch/logs/pytorch/deeplabv3p_c8_fp32.log", 32, 2, "25.648"),
    ],
)
def test_published_throughput_from_seconds_an_iteration(
    log: str, batch: int, skip: int, published: str
) -> None:
    name, events = real("Perf/" + log)
    times = [i.duration for i in only(events, Iteration) if i.duration is not None][skip:]
    assert name == "mmcv"
    assert f"{batch / (sum(times) / len(times)):.3f}" == published


def test_several_runs_appended_to_one_file() -> None:
    name, events = real("corpus/mmcv_text/boostcamp_trash_mmdet_nohup.log")
    best = only(events, Summary)[-1].metrics[0]
    assert name == "mmcv"
    assert (best.name, best.value) == ("best bbox_mAP_50", 0.358)


def test_the_planned_epochs_of_the_configuration() -> None:
    for text in (
        "train_cfg = dict(by_epoch=True, max_epochs=12, val_interval=1)\n",
        "train_cfg = dict(\n    max_epochs=12,\n    type='EpochBasedTrainLoop')\n",
    ):
        assert facts(read(text, "mmcv")) == {"epochs_planned": 12}


def test_a_second_run_has_its_planned_epochs_again() -> None:
    start = PREFIX + "Start running, host: me@node, work_dir: /work\n"
    plan = PREFIX + "workflow: [('train', 1)], max: 2 epochs\n"
    line = "Epoch [{}][{}/100]\tlr: 2.0e-03, eta: 0:10:00, time: 0.5, data_time: 0.01, loss: 1.5\n"
    run = start + plan + "".join(PREFIX + line.format(e, i) for e in (1, 2) for i in (50, 100))
    card = scored(run + run)
    assert any(one["kind"] == "several_runs" for one in card["warnings"])
    assert card["run"]["epochs_planned"] == 2


def test_the_checkpoint_of_an_epoch_follows_its_last_iteration() -> None:
    """Of 105 iterations every 50th is printed; without an evaluation nothing else ends the epoch."""
    line = "Epoch [1][{}/105]\tlr: 2.0e-03, eta: 0:10:00, time: 0.5, data_time: 0.01, loss: 1.5\n"
    lines = "".join(PREFIX + line.format(step) for step in (50, 100))
    assert scored(lines)["run"]["epochs"] == 0
    assert scored(lines + PREFIX + "Saving checkpoint at 1 epochs\n")["run"]["epochs"] == 1
    assert scored(lines + PREFIX + "Saving checkpoint at 100 iterations\n")["run"]["epochs"] == 0


def test_epochs_that_are_shorter_than_the_interval_of_the_lines_are_counted() -> None:
    start = PREFIX + "workflow: [('train', 1)], max: 3 epochs\n"
    saved = "".join(f"{PREFIX}Saving checkpoint at {epoch} epochs\n" for epoch in (1, 2, 3))
    assert scored(start + saved)["run"]["epochs"] == 3


@pytest.mark.parametrize(
    ("scores", "metric", "unit"),
    [
        ("cityscapes/AP: 0.3650  cityscapes/AP@50: 0.6230", "ap", "fraction"),
        ("openimages/AP50: 0.3650", "map50", "fraction"),
        ("lvis/bbox_AP: 0.3650  lvis/bbox_APr: 0.1230", "box", "fraction"),
        ("aAcc: 98.1000  mDice: 0.3650  mAcc: 91.2000", "dice", "%"),
    ],
)
def test_the_main_score_of_other_data_sets_is_the_accuracy(
    scores: str, metric: str, unit: str
) -> None:
    head = "2023/01/01 12:00:10 - mmengine - INFO - "
    card = scored(
        f"{head}Epoch(train) [1][20/20]  lr: 1.0e-03  eta: 0:01:00  time: 0.3  loss: 1.2\n"
        f"{head}Epoch(val) [1][20/20]    {scores}  data_time: 0.0010  time: 0.0500\n"
    )
    found = card["dimensions"]["accuracy"]
    assert (found["metric"], found["value"], found["unit"]) == (metric, 0.365, unit)


def test_det3d_prints_the_planned_epochs_beside_the_epoch() -> None:
    """CenterPoint's line has more times than MMCV's, and its losses follow on other lines."""
    lines = [
        f"2021-05-11 09:52:{step:02d},123 - INFO - Epoch [1/20][{step}/10]\tlr: 0.00010, "
        "eta: 1:00:00, time: 0.400, data_time: 0.010, transfer_time: 0.010, forward_time: 0.100, "
        "loss_parse_time: 0.001 memory: 3000, \n"
        f"2021-05-11 09:52:{step:02d},123 - INFO - task : ['car'], loss: 2.5000, hm_loss: 1.2\n"
        for step in (5, 10)
    ]
    text = "".join(lines)
    assert detected(text) == "mmcv"
    (iteration, _) = only(read(text, "mmcv"), Iteration)
    assert (iteration.epoch, iteration.step, iteration.steps) == (1, 5, 10)
    assert iteration.duration == 0.4
    assert scored(text)["run"]["epochs_planned"] == 20


@pytest.mark.parametrize("engine", [False, True])
def test_mmcv_times_an_evaluation_with_the_iteration_after_it(engine: bool) -> None:
    """An evaluation of 10 s each 100 iterations, by iterations; MMEngine leaves its time out."""
    line = "Iter(train) [{n}/2000]  time: {t}  loss: 1.5\n"
    line = line if engine else "Iter [{n}/2000]\teta: 0:01:00, time: {t}, loss: 1.5\n"
    result = "Iter(val) [50/50]    mIoU: 50.0\n" if engine else "Iter(val) [50]\tmIoU: 0.5\n"
    text = ""
    for n in range(50, 2001, 50):
        text += line.format(n=n, t="0.500" if engine or n % 100 == 0 or n == 50 else "0.700")
        text += result if n % 100 == 0 else ""
    times = [one.duration for one in only(read(text, "mmcv"), Iteration)]
    assert {*times} == ({0.5} if engine else {0.5, None})
    assert scored(text)["dimensions"]["speed"]["value"] == pytest.approx(2.0)


def test_mmcv_times_an_evaluation_in_json_logs_too() -> None:
    train = '{{"mode": "train", "epoch": {e}, "iter": {n}, "loss": 2.1, "time": {t}}}\n'
    val = '{{"mode": "val", "epoch": {e}, "iter": {n}, "mIoU": 0.5}}\n'
    for e, after in ((1, None), (2, 0.7)):  # by epochs, the next one begins after the evaluation
        text = (
            train.format(e=1, n=50, t=0.5) + val.format(e=1, n=50) + train.format(e=e, n=9, t=0.7)
        )
        times = [one.duration for one in only(read(text, "mmcv-json"), Iteration)]
        assert times == [0.5, after]


def test_a_checkpoint_at_the_end_of_a_run_by_iterations_is_no_epoch() -> None:
    """0.1 s an iteration, but of the first one; MMEngine names a pass over the data there."""
    lines = [
        f"Iter(train) [{step:3}/200]  lr: 1.0e-01  eta: 0:00:18  time: {1.0 if step == 10 else 0.1}"
        f"  data_time: 0.0005  loss: 0.{990 - step}\n"
        for step in range(10, 210, 10)
    ]
    text = "".join([*lines, "Saving checkpoint at 1 epochs\n"])
    assert not only(read(text, "mmcv"), EpochEnd)
    assert scored(text)["dimensions"]["speed"]["value"] == pytest.approx(10.0)
    by_epoch = [line.replace("Iter(train) [", "Epoch(train) [1][") for line in lines]
    (end,) = only(read("".join([*by_epoch, "Saving checkpoint at 1 epochs\n"]), "mmcv"), EpochEnd)
    assert end.epoch == 1
