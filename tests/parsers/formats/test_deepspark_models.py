"""DeepSparkHub's own consoles: BERT, DLRM, ixpylogger, FairMOT, SSD, HRNet, TTSR."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Iteration,
    Problem,
    RunEnd,
    Scope,
    Summary,
    TargetReached,
)
from tests.support.logs import detected, only, read, real, score, scored

BERT = """\
{'training_steps': 400, 'average_loss': 7.1, 'step_loss': 7.0, 'learning_rate': 0.0003, 'seq/s': 214.1, 'global_steps': 400, 'max_loss': None}
{'global_steps': 400, 'eval_loss': 1.4, 'eval_mlm_accuracy': 0.7209}
0.720900 > 0.720000, Target MLM Accuracy reached at 400
{'e2e_time': 2000.5, 'training_sequences_per_second': 210.5, 'final_loss': 1.4, 'raw_train_time': 1950.25}
"""


def test_bert() -> None:
    events = read(BERT, "bert-mlperf")
    (iteration,), (evaluation,) = only(events, Iteration), only(events, Evaluation)
    assert (iteration.step, iteration.loss, iteration.throughput) == (400, 7.0, 214.1)
    assert (iteration.unit, iteration.scope) == ("sequences/s", Scope.JOB)
    assert (evaluation.step, score(evaluation, "mlm_acc")) == (400, 0.7209)
    assert [t.condition for t in only(events, TargetReached)] == ["mlm_acc>=0.72"]
    assert [e.duration for e in only(events, RunEnd)] == [1950.25]
    assert only(events, Summary)[0].metrics[1].value == 210.5
    assert detected(BERT) == "bert-mlperf"


DLRM = """\
Epoch:[0/1] [1000/64014]  eta: 0:10:00  step_time: 1.2345  loss: 0.1345  lr: 24.0000
Epoch 0 step 3200. auc 0.801234
Finished epoch 0 in 0:10:00. Average speed 793486.1 records/s.
Hit target accuracy AUC 0.75 at epoch 0.80 in 600.5s. Average speed 793000.5 records/s.
"""


def test_dlrm() -> None:
    events = read(DLRM, "dlrm")
    (iteration,), (evaluation,), (end,) = (
        only(events, Iteration),
        only(events, Evaluation),
        only(events, EpochEnd),
    )
    assert (iteration.epoch, iteration.step, iteration.steps) == (0, 1000, 64014)
    assert (iteration.loss, iteration.duration) == (0.1345, None)
    assert [(m.name, m.value, m.unit) for m in evaluation.metrics] == [
        ("auc", 0.801234, "fraction")
    ]
    assert (evaluation.epoch, evaluation.step) == (0, 3200)
    assert (end.throughput, end.unit, end.scope) == (793486.1, "samples/s", Scope.JOB)
    assert end.epoch_time == 600.0
    assert [t.condition for t in only(events, TargetReached)] == ["auc>0.75"]
    assert [e.duration for e in only(events, RunEnd)] == [600.5]
    assert detected(DLRM) == "dlrm"


@pytest.mark.parametrize(("time", "left"), [("0.250000", 250), ("250.0000", 250), ("0.2500", 2500)])
def test_the_remaining_time_tells_the_unit_of_the_time_of_a_step(time: str, left: int) -> None:
    """1000 steps are left: at 0.25 s they take 250 s; 2500 s fit neither s nor ms."""
    text = "".join(
        f"Epoch:[0/1] [{n}/{n + 1000}]  eta: {timedelta(seconds=left)}  step_time: {time}  "
        "loss: 0.1345  lr: 24.0000\n"
        for n in range(200, 1200, 200)
    )
    seconds = {one.duration for one in only(read(text, "dlrm"), Iteration)}
    assert seconds == ({0.25} if left == 250 else {None})


def test_dlrm_without_average_speeds() -> None:
    text = DLRM.replace("Average speed 793486.1 records/s.", "")
    events = read(text.replace("Average speed 793000.5 records/s.", ""), "dlrm")
    assert [(e.epoch, e.epoch_time, e.throughput) for e in only(events, EpochEnd)] == [
        (0, 600, None)
    ]
    assert [t.condition for t in only(events, TargetReached)] == ["auc>=0.75"]
    assert [e.duration for e in only(events, RunEnd)] == [600.5]


IXPYLOGGER = """\
26/03/01-12:00:00 [epoch: 0 step: 3      ] [learning_rate: 0.8     ] [loss_value: 0.9125                 ]
26/03/01-12:00:01 [epoch: 0 step: 4      ] [fps: 12.5                        ]
26/03/01-12:05:00 [epoch: 20 step: 84     ] [mean_dice: 0.9085 ] [l1_dice: 0.95 ]
26/03/01-12:06:00 [global_step: 84 ] [raw_train_time: 360.5 ] [tps: 380.1 ] [status: aborted ]
"""


def test_ixpylogger() -> None:
    events = read(IXPYLOGGER, "ixpylogger")
    first, second = only(events, Iteration)
    assert (first.epoch, first.step, first.loss) == (0, 3, 0.9125)
    assert first.at.time_us == 1_772_366_400_000_000
    assert (second.throughput, second.unit, second.scope) == (12.5, "samples/s", Scope.JOB)
    (evaluation,) = only(events, Evaluation)
    assert (evaluation.epoch, score(evaluation, "mean_dice")) == (20, 0.9085)
    (end,) = only(events, RunEnd)
    assert (end.duration, end.status) == (360.5, "aborted")
    assert detected(IXPYLOGGER) == "ixpylogger"


FAIRMOT = """\
mot/all_dla34| train: [1][10/500]|Tot: 0:00:10 |ETA: 0:10:00 |loss 12.3000 |hm_loss 2.1000 |Data 0.001s(0.002s) |Net 0.500s|Fps 6.500
mot/all_dla34| train: [1][11/500]|Tot: 0:00:10 |ETA: 0:10:00 |loss nan |hm_loss 2.1000 |Data 0.001s(0.002s) |Net 0.500s
           IDF1   IDP   IDR  Rcll  Prcn  GT  MT  PT  ML   FP   FN IDs   FM  MOTA  MOTP IDt IDa IDm
MOT16-02  60.0% 70.0% 50.0% 60.0% 80.0%  54  10  20  24 1000 2000  50  100 55.5% 0.250   1   2   3
OVERALL   72.8% 80.0% 70.0% 75.0% 90.0% 517 200 200 117 9000 9999 500  900 69.8% 0.230  10  20  30
"""


def test_fairmot() -> None:
    events = read(FAIRMOT, "fairmot")
    first, second = only(events, Iteration)
    assert (first.epoch, first.step, first.loss, first.duration) == (1, 10, 12.3, 0.5)
    assert (first.throughput, first.unit, first.scope) == (6.5, "img/s", Scope.DEVICE)
    assert (first.mean_duration, first.mean_throughput, second.throughput) == (0.5, 6.5, None)
    assert second.loss != second.loss
    (untimed, *_) = only(read(re.sub(r"Tot: \S+ \|ETA: \S+ \|", "", FAIRMOT), "fairmot"), Iteration)
    assert (untimed.epoch, untimed.step, untimed.steps, untimed.loss) == (1, 10, 500, 12.3)
    (evaluation,) = only(events, Evaluation)
    assert [(m.name, m.value, m.unit) for m in evaluation.metrics] == [
        ("mota", 69.8, "%"),
        ("idf1", 72.8, "%"),
    ]
    assert detected(FAIRMOT) == "fairmot"


def test_fairmots_file_has_the_minutes_of_an_epoch() -> None:
    rows = [
        f"2020-02-15-0{e}-43: epoch: {e} |loss {16 - e}.5 | hm_loss 0.9 | time 65.5{e} | "
        for e in range(1, 4)
    ]
    text = "\n".join([*rows[:2], rows[2] + "loss 14.0 | hm_loss 0.8 | time 2.5 | "]) + "\n"
    assert detected(text) == "fairmot"
    events = read(text, "fairmot")
    ends = only(events, EpochEnd)
    assert [end.epoch for end in ends] == [1, 2, 3]
    assert [end.train_time for end in ends] == pytest.approx([3930.6, 3931.2, 3931.8])
    assert {m.name: m.value for m in ends[2].values} == {"loss": 13.5, "hm_loss": 0.9}
    (evaluation,) = only(events, Evaluation)
    assert (evaluation.epoch, score(evaluation, "loss")) == (3, 14.0)


SSD = (
    "Iteration:   1000, Loss function: 4.12300000, Average Loss: 5.12300000, "
    "avg. samples / sec: 1234.56  lr: 0.002\n"
    " Average Precision  (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = 0.23125\n"
)


def test_ssd() -> None:
    events = read(SSD, "ssd")
    (iteration,), (evaluation,) = only(events, Iteration), only(events, Evaluation)
    assert (iteration.step, iteration.loss, iteration.throughput) == (1000, 4.123, 1234.56)
    assert (iteration.unit, iteration.scope) == ("samples/s", Scope.JOB)
    assert (evaluation.step, score(evaluation, "box")) == (1000, 0.23125)
    assert detected(SSD) == "ssd"


HRNET = """\
Epoch: [3][100/5004]\tTime 0.512s (0.600s)\tSpeed 62.5 samples/s\tData 0.001s (0.020s)\tLoss 6.90000 (6.95000)\tAccuracy 0.1
Epoch: [1/484] Iter:[10/371], Time: 1.20, lr: [0.0099, 0.1], Loss: 2.900000, FPS: 20.0
Loss: 0.123, MeanIU:  0.7811, Best_mIoU:  0.7900
"""


def test_hrnet_keeps_the_scopes_of_its_two_scripts_apart() -> None:
    events = read(HRNET, "hrnet")
    own, job = only(events, Iteration)
    assert (own.epoch, own.step, own.steps, own.loss) == (3, 100, 5004, 6.9)
    # One process has all devices in the original scripts, and one of them in later ones.
    assert (own.throughput, own.unit, own.scope) == (62.5, "samples/s", Scope.UNKNOWN)
    assert (job.epoch, job.step, job.steps, job.duration) == (1, 10, 371, 1.2)
    assert (job.throughput, job.unit, job.scope) == (20.0, "img/s", Scope.JOB)
    assert (own.mean_duration, job.mean_duration, job.mean_throughput) == (0.6, 1.2, 20.0)
    (evaluation,) = only(events, Evaluation)
    assert [(m.name, m.value) for m in evaluation.metrics] == [("loss", 0.123), ("miou", 0.7811)]
    assert detected(HRNET) == "hrnet"


def test_higher_hrnet_names_a_loss_for_each_stage() -> None:
    text = "".join(
        f"Epoch: [1][{n}/1000]\tTime: 0.500s (0.600s)\tSpeed: 64.0 samples/s\t"
        "Data: 0.001s (0.020s)\tStage0-heatmaps: 1.2e-03 (1.3e-03)\t\n"
        for n in range(0, 1000, 100)
    )
    assert detected(text) == "hrnet"
    found = only(read(text, "hrnet"), Iteration)
    assert {(i.epoch, i.duration, i.mean_duration, i.throughput) for i in found} == {
        (1, 0.5, 0.6, 64.0)
    }


def test_ttsr() -> None:
    name, events = real("deepspark/cv_super_resolution_ttsr_pytorch_checkpoints_train.log")
    assert name == "ttsr"
    assert [(i.epoch, i.step, i.throughput) for i in only(events, Iteration)] == [
        (1, 100, 41.24274159862805),
        (1, 200, 44.04433695749565),
    ]


def test_broken_numbers_are_warnings() -> None:
    for text, name, figure in (
        (DLRM, "dlrm", "0.1345"),
        (SSD, "ssd", "1234.56"),
        (HRNET, "hrnet", "1.20"),
        (BERT, "bert-mlperf", "214.1"),
    ):
        before = len(only(read(text, name), Iteration))
        events = read(text.replace(figure, "1.2.3"), name)
        assert [p.kind for p in only(events, Problem)] == ["broken_number"]
        assert len(only(events, Iteration)) == before - 1


def test_a_rate_that_includes_an_evaluation_is_not_the_trainings() -> None:
    """64 samples a second but for the lines whose seconds are those of an evaluation, too."""
    ssd = "Iteration: {n}, Loss function: 4.1, Average Loss: 5.1, avg. samples / sec: {r}  lr: 0.002\n"
    bert = "{{'training_steps': {n}, 'step_loss': 7.0, 'seq/s': {r}, 'global_steps': {n}}}\n"
    for line, evaluated in (
        (ssd, "Predicting Ended, total time: 3.50 s\n"),
        (bert, "{'global_steps': 80, 'eval_loss': 1.4, 'eval_mlm_accuracy': 0.7}\n"),
    ):
        text = "".join(
            (evaluated if n == 4 else "") + line.format(n=20 * n, r=40.0 if n == 4 else 64.0)
            for n in range(1, 6)
        )
        assert scored(text)["dimensions"]["speed"]["value"] == pytest.approx(64)
