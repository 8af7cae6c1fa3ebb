"""pytorch/examples ImageNet and its relatives."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Evaluation, Iteration, Metric, RunInfo, Scope, Summary
from tests.support.corpus import log, read, text
from tests.support.inputs.published import figure
from tests.support.logs import scored

TRAIN = (
    "Epoch: [0][   5/5005]\tTime  0.363 ( 2.614)\tData  0.000 ( 1.234)\t"
    "Loss 7.0212e+00 (7.0514e+00)\tAcc@1   0.00 (  0.11)\tAcc@5   0.78 (  0.57)"
)


def test_progress_and_score() -> None:
    name, events = text(
        "=> creating model 'resnet50'",
        TRAIN,
        "Test: [  0/196]\tTime  3.1 ( 3.1)\tLoss 1.0 (1.0)\tAcc@1  76.00 ( 76.00)",
        " *   Acc@1 76.130 Acc@5 92.862",
    )
    (record,) = (e for e in events if isinstance(e, Iteration))
    (score,) = (e for e in events if isinstance(e, Evaluation))
    assert name == "ptimagenet"
    assert (record.epoch, record.step, record.steps) == (0, 5, 5005)
    assert (record.loss, record.duration) == (7.0212, 0.363)
    assert (record.throughput, record.scope) == (None, Scope.UNKNOWN)
    assert score.metrics == (Metric("acc1", 76.13, "%"), Metric("acc5", 92.862, "%"))
    assert [e.value for e in events if isinstance(e, RunInfo)] == ["resnet50"]


def test_older_spelling_and_one_score() -> None:
    _, events = text(
        "Epoch: [1][50/391]\tTime 13.508 (0.208)\tData 0.002 (0.015)\tLoss nan (nan)\t"
        "Prec@1 32.812 (22.718)",
        " * Prec@1 51.350",
    )
    (record,) = (e for e in events if isinstance(e, Iteration))
    (score,) = (e for e in events if isinstance(e, Evaluation))
    assert record.duration == 13.508
    assert record.loss is not None and record.loss != record.loss
    assert score.metrics == (Metric("acc1", 51.35, "%"),)


def test_a_printed_speed_is_the_jobs() -> None:
    _, events = text(
        "Epoch: [0][10/5004]\tTime 0.370 (1.234)\tSpeed 345.6 (234.5)\tLoss 6.9 (6.9)\t"
        "Prec@1 0.0 (0.1)\tPrec@5 0.5 (0.4)"
    )
    (record,) = (e for e in events if isinstance(e, Iteration))
    assert (record.throughput, record.unit, record.scope) == (345.6, "img/s", Scope.JOB)


def test_torchvisions_lines_are_left_to_it() -> None:
    name, _ = text(
        "Epoch: [3]  [ 10/334]  eta: 0:06:47  lr: 0.128  img/s: 5625.49  "
        "loss: 7.2926 (7.2497)  acc1: 0.1326 (0.1326)  time: 1.2591  data: 0.0019",
        " * Acc@1 77.360 Acc@5 93.500",
    )
    assert name == "torchvision"


@pytest.mark.parametrize("score", [" * Acc@1 {}.5 Acc@5 90.5", " * Prec@1 {}.5", " * Acc@1 {}.5"])
def test_the_scores_alone_do_not_show_the_format(score: str) -> None:
    """Many loops print the same line of scores: their own lines of training count."""
    training = "ep {} | it {} | loss 2.5 | 812.5 img/s\n"
    log = "".join(
        "".join(training.format(e, i) for i in range(5)) + score.format(e) + "\n" for e in range(9)
    )
    card = scored(log)
    speed = card["dimensions"]["speed"]
    assert card["run"]["format"] == "generic"
    assert (speed["value"], speed["unit"]) == (812.5, "img/s")


def test_a_complete_run() -> None:
    name, events = read(log("corpus/ptimagenet/zheng_cifar10_resnet20.log").read_bytes())
    scores = [e.metrics[0].value for e in events if isinstance(e, Evaluation)]
    records = [e for e in events if isinstance(e, Iteration)]
    assert name == "ptimagenet"
    assert (len(scores), scores[-1], max(scores), scores.index(max(scores))) == (
        200,
        92.0,
        92.09,
        174,
    )
    assert {r.epoch for r in records} == set(range(200))


@pytest.mark.slow
@pytest.mark.parametrize("precision", ["AMP", "FP32"])
def test_an_ai_rank_submission(precision: str) -> None:
    path = f"AI-Rank/result_v0.1/software/train/pytorch_samples/linux/tsm/log/GPUx8_{precision}.log"
    name, events = read(log(path).read_bytes())
    summaries = {m.name: m.value for e in events if isinstance(e, Summary) for m in e.metrics}
    assert name == "ptimagenet"
    assert str(summaries["target_quality_time"]) == figure(path, "Time2train")


@pytest.mark.parametrize("name", ["mAP", "model mAP"])
def test_the_precision_of_a_retrieval(name: str) -> None:
    """Person re-identification closes an epoch with it; the best so far stands last."""
    found, events = text(
        TRAIN,
        TRAIN.replace("Epoch: [0][   5", "Epoch: [0][  10"),
        f" * Finished epoch   7  {name}: 61.4%  best: 62.9%",
        f" * Finished epoch   8  {name}: 63.1%  best: 63.1% *",
    )
    assert found == "ptimagenet"
    scores = [(e.epoch, *e.metrics) for e in events if isinstance(e, Evaluation)]
    assert scores == [(7, Metric("map", 61.4, "%")), (8, Metric("map", 63.1, "%"))]


def test_the_precision_of_a_reidentification() -> None:
    """deep-person-reid tests after an epoch, under a heading of its own."""
    name, events = text(
        "Epoch: [1][10/482]\tTime 0.249 (0.467)\tData 0.0001 (0.0479)\tLoss 10.5126 (14.5393)\t",
        "Epoch: [1][20/482]\tTime 0.297 (0.367)\tData 0.0002 (0.0240)\tLoss 9.1967 (12.0092)\t",
        "Results ----------",
        "mAP: 20.5%",
        "CMC curve",
        "Rank-1  : 38.4%",
    )
    assert name == "ptimagenet"
    (evaluation,) = (e for e in events if isinstance(e, Evaluation))
    assert [(m.name, m.value, m.unit) for m in evaluation.metrics] == [("map", 20.5, "%")]


def test_lines_that_do_not_say_how_many_follow() -> None:
    """SwAV's: the mean of an epoch is that of its last line."""
    line = "Epoch: [{}][{}]\tTime {} ({})\tData 0.1 (0.2)\tLoss 3.5 (3.9)\tLr: 0.6\n"
    lines = ((0, 5.0, 5.0), (50, 0.5, 0.625), (100, 0.5, 0.5))
    log = "".join(line.format(epoch, *one) for epoch in range(12) for one in lines)
    card = scored(log)
    assert card["run"]["format"] == "ptimagenet"
    assert card["dimensions"]["speed"]["value"] == 2.0
    assert card["run"]["epochs"] == 12


def test_the_first_iteration_alone_gives_no_throughput_of_an_epoch() -> None:
    """It waits for the data. So it is printed where an epoch is shorter than the interval is."""
    line = "Epoch: [{}][{}/13]\tTime {} ({})\tData 3.9 (3.9)\tLoss 3.5 (3.9)\n"
    alone = "".join(line.format(e, " 0", 4.5, 4.5) + f" * Acc@1 {e}.5\n" for e in range(12))
    speed = scored(alone)["dimensions"]["speed"]
    assert (speed["value"], speed["state"]) == (None, "unknown")
    # With the last one the log's own mean is of all.
    both = "".join(
        line.format(e, " 0", 4.5, 4.5) + line.format(e, "12", 0.2, 0.5) + f" * Acc@1 {e}.5\n"
        for e in range(12)
    )
    assert scored(both)["dimensions"]["speed"]["value"] == 2.0


def test_an_epoch_with_the_number_of_all_and_the_score_of_a_prompt() -> None:
    """Visual prompting's: the score is that with the prompt, not that of the model alone."""
    line = "Epoch: [{}/9][{:>2}/13]\tTime {} ({})\tData 0.1 (0.2)\tLoss 3.5 (3.9)\tAcc@1 81.25 (82.5)\n"
    score = "FINAL * Prompt Acc@1 {} Original Acc@1 75.5\n"
    validating = "Validate: [10/31]\tTime 0.1 (0.9)\tLoss 2.9 (2.1)\tOriginal Acc@1 50.00 (80.75)\n"
    log = "".join(
        line.format(epoch, 0, 4.5, 4.5)
        + line.format(epoch, 12, 0.2, 0.5)
        + validating
        + score.format(70.5 + epoch)
        for epoch in range(3)
    )
    card = scored(log)
    assert (card["run"]["format"], card["run"]["epochs_planned"]) == ("ptimagenet", 9)
    assert card["run"]["epochs"] == 3
    assert card["dimensions"]["accuracy"]["value"] == 72.5
    assert card["status"] == "incomplete"
    halted = (
        "There's no improvement for 40 epochs.\nThe training halted by early stopping criterion.\n"
    )
    assert scored(log + halted)["status"] == "finished"


def looped(epoch: int, steps: int, seconds: float) -> str:
    return "".join(
        f"Epoch: [{epoch}][{step}/{steps}]\tTime {seconds:.3f} ({seconds:.3f})\t"
        f"Data 0.010 (0.012)\tLoss 2.5000 (2.6000)\tAcc 0.300 (0.290)\n"
        for step in range(1, steps + 1)
    )


@pytest.mark.parametrize(
    ("validation", "between", "speed"),
    [
        (4, 0, 2.5),
        (4, 19, 2.5),
        (4, 20, 5.0),  # so far apart, another training may have begun
        (9, 0, 5.0),
    ],
)
def test_an_evaluation_may_print_the_lines_of_the_training(
    validation: int, between: int, speed: float
) -> None:
    log_text = "".join(
        looped(epoch, 8, 0.4) + "validating\n" * between + looped(epoch, validation, 0.2)
        for epoch in (1, 2, 3)
    )
    card = scored(log_text)
    found = card["dimensions"]["speed"]
    assert (found["value"], found["unit"], card["run"]["epochs"]) == (speed, "it/s", 3)


def test_the_errors_of_cutmix() -> None:
    text = ""
    for epoch in (0, 1):
        text += (
            f"Epoch: [{epoch}/9][350/391]\t LR: 0.25\t Time 0.300 (0.320)\t Data 0.010 (0.012)\t "
        )
        text += "Loss 4.6 (4.7)\t Top 1-err 90.0 (91.0)\t Top 5-err 65.0 (66.0)\n"
        text += f"* Epoch: [{epoch}/9]\t Top 1-err 91.000  Top 5-err 66.000\t Train Loss 4.700\n"
        text += f"Test (on val set): [{epoch}/9][50/79]\t Time 0.100 (0.110)\t Loss 4.1 (4.2)\t "
        text += "Top 1-err 80.0 (80.5)\t Top 5-err 55.0 (55.5)\n"
        text += (
            f"* Epoch: [{epoch}/9]\t Top 1-err {80 - epoch}.500  Top 5-err 55.500\t Test Loss 4.2\n"
        )
        text += f"Current best accuracy (top-1 and 5 error): {80 - epoch}.5 55.5\n"
    card = scored(text)
    accuracy = card["dimensions"]["accuracy"]
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (2, 9)
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("top1_err", 79.5, 79.5)


SPEEDS = (
    "[npu id: 0 ] * FPS@all {}, TIME@all 0.850",
    "[gpu id: 0 ] batch_size: 4096 Time: 0.850 * FPS@all {}",
    " * FPS@all {}",
)


@pytest.mark.parametrize("speed", SPEEDS)
def test_the_scripts_of_ascends_model_zoo(speed: str) -> None:
    """They leave out the first iterations of each epoch, and say the speed of all devices."""
    lines = []
    for epoch, rate in enumerate((4800.0, 4816.0, 4820.0)):
        for step in range(0, 50, 10):
            mean = 0.0 if step < 10 else 0.85
            lines.append(
                f"Epoch: [{epoch}][{step:3}/50]\tTime  0.850 ({mean:6.3f})\tLoss 2.0 (2.5)"
            )
        lines += [
            speed.format(rate),
            f"[npu id: 0 ] [AVG-ACC] * Acc@1 {70 + epoch:.3f} Acc@5 {90 + epoch:.3f}",
        ]
    card = scored("\n".join([*lines, ""]))
    found, accuracy = card["dimensions"]["speed"], card["dimensions"]["accuracy"]
    assert (found["value"], found["unit"], found["scope"]) == (4816.0, "img/s", "job")
    assert (accuracy["metric"], accuracy["value"], accuracy["epoch"]) == ("acc1", 72.0, 2)


def test_the_evaluation_of_a_teacher_is_none_of_the_run() -> None:
    errors = "* Epoch: [{}/11]\t Top 1-err {:.3f}  Top 5-err 9.500\t Test Loss 0.000\n"
    log = "Teacher network performance\n" + errors.format(0, 26.7)
    log += "".join(errors.format(epoch, 60 - epoch) for epoch in range(12))
    accuracy = scored(log)["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("top1_err", 49.0, 49.0)


@pytest.mark.parametrize(
    "times",
    [
        "Batch Time 0.250 (0.250)\tData Load Time 0.001 (0.002)\tLoss 2.1 (2.1)",
        "Time 0.250 (0.250)\tData Time 0.001 (0.002)\tLoss 2.1 (2.1)",
        "Data Time 0.001 (0.002)\tBatch Time 0.250 (0.250)\tLoss 2.1 (2.1)",
        "Loss 2.1 (2.1)\tBatch Time 0.250 (0.250)\tData Time 0.001 (0.002)",
    ],
)
@pytest.mark.parametrize("planned", ["", "/3"])
def test_the_time_of_loading_is_not_that_of_the_iteration(times: str, planned: str) -> None:
    """Descendants name both of them a time: 0.25 s an iteration, 0.001 s of it for the data."""
    lines = "".join(
        f"Epoch: [{epoch}{planned}][{step}/40]\t{times}\tTop-5 Accuracy 60.000 (59.000)\n"
        for epoch in range(3)
        for step in range(0, 40, 10)
    )
    speed = scored(lines)["dimensions"]["speed"]
    assert speed.get("value") == 4.0
    assert speed["unit"] == "it/s"


def test_distillers_time_is_the_mean_of_the_epoch_and_its_batches_of_a_validation_are_none() -> (
    None
):
    """Epochs of 200 iterations take 8 s; the first half of each takes 3 s."""
    epochs = [
        f"Epoch: [{e}][  100/  200]    Overall Loss 1.8{e}    Objective Loss 1.8{e}  "
        "                  LR 0.010000    Time 0.030000    \n"
        f"Epoch: [{e}][  200/  200]    Overall Loss 1.7{e}    Objective Loss 1.7{e}    "
        "Top1 62.500000    Top5 96.000000    LR 0.010000    Time 0.040000    \n"
        f"--- validate (epoch={e})-----------\n10000 samples (100 per mini-batch)\n"
        f"Epoch: [{e}][  100/  100]    Loss 1.451096    Top1 5{e}.450000    Top5 92.270000    \n"
        f"==> Top1: 5{e}.450    Top5: 92.270    Loss: 1.451\n"
        for e in range(3)
    ]
    tested = "--- test ---------------------\n==> Top1: 51.930    Top5: 92.470    Loss: 1.432\n"
    card = scored("".join([*epochs, tested]))
    speed, accuracy = (card["dimensions"][name] for name in ("speed", "accuracy"))
    assert card["run"]["format"] == "ptimagenet"
    assert speed["value"] == pytest.approx(1 / 0.04)
    assert (accuracy["value"], accuracy["data"]) == (51.93, "test")
    assert all("not whole" not in w["text"] for w in card["warnings"])
