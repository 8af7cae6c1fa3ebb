"""detectron2's text log and metrics.json."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Evaluation, Iteration, Problem, RunEnd, RunStart, Summary
from tests.support.logs import detected, facts, only, read, real, score, scored

STEP = (
    "[04/01 15:04:20 d2.utils.events]:  eta: 1 day, 6:39:53  iter: 19  total_loss: 2.054  "
    "loss_cls: 0.5801  time: 0.2800{last}  data_time: 1.2356  lr: 0.00039962  max_mem: 2723M\n"
)


def test_training_line() -> None:
    (iteration,) = only(read(STEP.format(last=""), "detectron2"), Iteration)
    assert (iteration.epoch, iteration.step) == (None, 19)
    assert (iteration.loss, iteration.duration) == (2.054, 0.28)
    named = {m.name: m.value for m in iteration.values}
    assert named == {
        "loss_cls": 0.5801,
        "time": 0.28,
        "data_time": 1.2356,
        "lr": 0.00039962,
        "max_mem": 2723.0,
    }


def test_latest_time_goes_before_the_mean_where_it_is_printed() -> None:
    (iteration,) = only(read(STEP.format(last="  last_time: 0.2500"), "detectron2"), Iteration)
    assert iteration.duration == 0.25
    assert {m.name: m.value for m in iteration.values}["time"] == 0.28


def test_fastreid_prints_the_epoch_before_the_iteration_of_the_whole_run() -> None:
    line = (
        "[03/01 10:{minute:02}:00 fastreid.utils.events]:  {eta}epoch/iter: {epoch}/{step}  "
        "total_loss: 5.1  loss_cls: 3.1  time: 0.3000  data_time: 0.001  lr: 3.5e-04  "
        "max_mem: 9000M\n"
    )
    etas = ["", *["eta: 0:10:00  "] * 5]
    text = "".join(
        line.format(minute=i, eta=eta, epoch=i // 2, step=200 * i + 199)
        for i, eta in enumerate(etas)
    )
    assert detected(text) == "detectron2"
    found = only(read(text, "detectron2"), Iteration)
    assert [(i.epoch, i.step) for i in found] == [(None, 200 * i + 199) for i in range(6)]
    assert [i.values[-1].value for i in found] == [0, 0, 1, 1, 2, 2]
    # 200 iterations a minute by the clock, too
    assert "times_disagree" not in [w["kind"] for w in scored(text)["warnings"]]


def test_ancestors_line() -> None:
    line = (
        "2020-01-01 10:00:00,123 fcos_core.trainer INFO: eta: 5:00:00  iter: 20  "
        "loss: 2.3000 (2.5000)  time: 0.3500 (0.3600)  lr: 0.0033  max mem: 5000\n"
    )
    (iteration,) = only(read(line, "detectron2"), Iteration)
    assert (iteration.step, iteration.loss, iteration.duration) == (20, 2.3, 0.35)


def test_all_tasks_of_an_evaluation_are_one_event_in_percent() -> None:
    text = STEP.format(last="") + "".join(
        f"[04/01 15:40:00] d2.evaluation.testing INFO: copypaste: {body}\n"
        for body in (
            "Task: bbox",
            "AP,AP50,AP75,APs,APm,APl",
            "37.8281,58.5000,nan,22.5,41.8,49.9",
            "Task: segm",
            "AP,AP50,AP75,APs,APm,APl",
            "34.4788,56.4,37.9,17.0,37.6,50.5",
        )
    )
    (evaluation,) = only(read(text, "detectron2"), Evaluation)
    assert (evaluation.step, evaluation.at.line) == (19, 4)
    assert (score(evaluation, "box"), score(evaluation, "mask")) == (37.8281, 34.4788)
    assert {m.unit for m in evaluation.metrics} == {"%"}
    assert len(evaluation.metrics) == 12


def test_beginning_and_end() -> None:
    text = """\
[04/01 15:03:49] detectron2 INFO: Rank of current process: 0. World size: 8
  IMS_PER_BATCH: 16
[04/01 15:03:50] d2.engine.train_loop INFO: Starting training from iteration 0
[04/01 22:41:30] d2.engine.hooks INFO: Overall training speed: 89998 iterations in 7:14:12 (0.2895 s / it)
[04/01 22:41:30] d2.engine.hooks INFO: Total training time: 7:37:38 (0:23:26 on hooks)
"""
    events = read(text, "detectron2")
    assert facts(events) == {"devices": 8, "global_batch": 16, "means_since": 1}
    assert [s.at.line for s in only(events, RunStart)] == [1, 3]
    assert only(events, Summary)[0].metrics[0].value == 0.2895
    assert only(events, RunEnd)[0].duration == 7 * 3600 + 37 * 60 + 38
    assert detected(text) == "detectron2"


@pytest.mark.parametrize(
    ("settings", "last", "status"),
    [
        ("SOLVER:\n  MAX_ITER: 400\n", 395, "finished"),
        ("SOLVER:\n  MAX_ITER: 400\n", 394, "aborted"),
        (
            "  MAX_ITER: 400\nAuto-scaling the config to batch_size=32, "
            "learning_rate=0.02, max_iter=200, warmup=500.\n",
            199,
            "finished",
        ),
        ("", 19, "finished"),
    ],
)
def test_its_closing_line_follows_an_interruption_too(
    settings: str, last: int, status: str
) -> None:
    """It is printed `finally`: 396 of 400 iterations are nearly all, 395 are not."""
    end = "Total training time: 0:00:26 (0:00:00 on hooks)\n"
    steps = [STEP.format(last="").replace("iter: 19", f"iter: {n}") for n in (9, last)]
    text = settings + "Starting training from iteration 0\n" + "".join(steps) + end
    (closing,) = only(read(text, "detectron2"), RunEnd)
    assert (closing.duration, closing.status) == (26.0, status)
    warned = [one for one in scored(text)["warnings"] if one["kind"] == "run_status"]
    assert bool(warned) == (status == "aborted")


def test_the_batch_of_tests_is_not_that_of_the_training() -> None:
    solver, tests = "SOLVER:\n  IMS_PER_BATCH: 12\n", "TEST:\n  IMS_PER_BATCH: 2\n"
    for text in (solver + tests, tests + solver):
        assert facts(read(text, "detectron2")) == {"global_batch": 12}


def _ancestor(*, begin: int, end: int) -> str:
    """A start of maskrcnn-benchmark, from one iteration to another."""
    header = "maskrcnn_benchmark INFO: Using 4 GPUs\nSOLVER:\n  IMS_PER_BATCH: 8\n"
    return header + "".join(
        f"maskrcnn_benchmark INFO: eta: 1:00:00  iter: {step}  loss: 1.5 (1.6)  "
        "time: 0.5000 (0.5000)  data: 0.01 (0.02)  lr: 0.001  max mem: 4000\n"
        for step in range(begin, end + 1, 20)
    )


def test_the_total_of_a_resumed_run_without_epochs_is_that_of_its_last_part() -> None:
    closing = "maskrcnn_benchmark INFO: Total training time: 0:10:00.500000 (0.0741 s / it)\n"
    whole = scored(_ancestor(begin=20, end=200) + closing)
    assert whole["run_end"]["clock"] == "printed total"
    resumed = scored(_ancestor(begin=20, end=160) + _ancestor(begin=120, end=200) + closing)
    assert resumed["run_end"]["run_time_s"] == 600.5
    assert resumed["run_end"]["clock"] == "printed total since the run was resumed"
    assert (resumed["run"]["devices"], resumed["run"]["global_batch"]) == (4, 8)
    assert resumed["dimensions"]["speed"]["value"] == 16.0


def test_each_start_of_the_ancestor_states_its_settings() -> None:
    """A second training in one file begins with the same words as the first."""
    card = scored(_ancestor(begin=20, end=160) + _ancestor(begin=20, end=200))
    assert (card["run"]["devices"], card["run"]["global_batch"]) == (4, 8)


def test_resumed_run_does_not_start_the_clock() -> None:
    text = "Starting training from iteration 0\nStarting training from iteration 5000\n"
    assert [s.timed for s in only(read(text, "detectron2"), RunStart)] == [True, False]


def test_run_that_ended_before_its_first_figure() -> None:
    events = read(
        "[03/11 14:25:26] d2.utils.events INFO:  iter: 0    lr: N/A  max_mem: 3873M\n", "detectron2"
    )
    assert only(events, Iteration) == []
    assert only(events, Problem) == []


def test_broken_number() -> None:
    (problem,) = only(read(STEP.format(last="").replace("2.054", "2.0O4"), "detectron2"), Problem)
    assert problem.kind == "broken_number"


def test_ai_rank_mask_rcnn() -> None:
    name, events = real(
        "AI-Rank/result_v0.1/software/train/pytorch_samples/linux/mask_rcnn/log/"
        "GPUx8_time2train_ips.log"
    )
    assert name == "detectron2"
    start = only(events, RunStart)[-1].at.time_us
    reached = next(
        e for e in only(events, Evaluation) if score(e, "box") >= 37.7 and score(e, "mask") >= 33.9
    )
    assert (score(reached, "box"), score(reached, "mask")) == (37.8281, 34.4788)
    assert start is not None
    assert reached.at.time_us is not None
    assert (reached.at.time_us - start) / 1e6 == 22859
    last = only(events, Iteration)[-1].duration
    assert last is not None
    assert f"{16 / last:.3f}" == "55.268"  # published as 55.26, cut off


@pytest.mark.parametrize(("steps", "counts"), [(0, False), (1, True)])
def test_the_evaluation_after_the_end_is_the_runs_if_it_was_trained_since_the_last(
    steps: int, counts: bool
) -> None:
    """Its hook evaluates the last step after the line with the total time."""

    def evaluated(step: int, box: float) -> str:
        scores = ("Task: bbox", "AP,AP50", f"{box},58.5000")
        lines = [f"copypaste: {score}" for score in scores]
        return STEP.format(last="").replace("iter: 19", f"iter: {step}") + "\n".join(lines) + "\n"

    end = "Total training time: 6:04:38 (0:11:25 on hooks)\n"
    last = STEP.format(last="").replace("iter: 19", f"iter: {39 + steps}")
    scores = "copypaste: Task: bbox\ncopypaste: AP,AP50\ncopypaste: 33.5,58.5000\n"
    accuracy = scored(evaluated(39, 33.25) + last + end + scores)["dimensions"]["accuracy"]
    assert accuracy["value"] == (33.5 if counts else 33.25)


def test_failed_runs_have_no_figures() -> None:
    name, events = real("corpus/detectron2/ngowilliam_d2_log.log")
    assert name == "detectron2"
    assert only(events, Iteration) == []
    assert {p.kind for p in only(events, Problem)} == {"traceback", "out_of_memory"}


def test_metrics_json() -> None:
    text = (
        '{"data_time": 0.1, "eta_seconds": 40.5, "iteration": 19, "lr": 0.1, "time": 0.25, '
        '"total_loss": 3.5}\n'
        '{"bbox/AP": 38.5, "bbox/AP50": 59.0, "segm/AP": NaN, "iteration": 19}\n'
    )
    events = read(text, "detectron2-json")
    (iteration,), (evaluation,) = only(events, Iteration), only(events, Evaluation)
    assert (iteration.step, iteration.loss, iteration.duration) == (19, 3.5, 0.25)
    assert (evaluation.step, score(evaluation, "box")) == (19, 38.5)
    assert detected(text) == "detectron2-json"


def test_complete_metrics_json() -> None:
    name, events = real("corpus/detectron2/nicojany_roof_metrics.json")
    iterations = only(events, Iteration)
    assert (name, len(iterations), iterations[-1].step) == ("detectron2-json", 25, 499)


def test_a_loop_that_counts_to_a_total_is_none_of_detectron2s() -> None:
    lines = [
        f"epoch: {e}\titer: {s}/120\tlr: 0.05\tloss: 0.8{s} (1.2)\n"
        for e in (1, 2, 3)
        for s in range(1, 121, 10)
    ]
    card = scored("".join(lines))
    assert (card["run"]["format"], card["run"]["epochs"]) == ("generic", 3)


def test_each_of_several_tested_data_sets_has_a_best_of_its_own() -> None:
    """The second data set, on which every score is lower, is the last that is evaluated."""

    def scores(step: int, first: float, second: float) -> str:
        tested = "".join(
            f"Evaluation results for {name} in csv format:\n"
            f"copypaste: Task: bbox\ncopypaste: AP,AP50\ncopypaste: {score},58.5000\n"
            for name, score in (("coco_val", first), ("coco_hard", second))
        )
        return f"{tested}eta: 0:01:00  iter: {step}  total_loss: 0.9  time: 0.3  lr: 0.01\n"

    found = scored(scores(99, 41.5, 12.5) + scores(199, 43.5, 11.5))["dimensions"]["accuracy"]
    assert (found["value"], found["best"], found["data"]) == (11.5, 12.5, "coco_hard")
