"""modded-nanogpt: durations from a clock that counts up."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import RunEnd
from tests.support.corpus import text
from tests.support.logs import iterations, only, scored, scores_by_step


def test_modded_nanogpt_takes_durations_from_the_clock_that_counts_up() -> None:
    name, events = text(
        "step:0/1770 val_loss:10.8258 train_time:0ms step_avg:nanms",
        "step:1/1770 train_time:95ms step_avg:94.55ms",
        "step:2/1770 train_time:185ms step_avg:92.50ms",
        "step:4/1770 train_time:385ms step_avg:96.25ms",
        "step:10/1770 train_time:30ms step_avg:nanms",
        "step:125/1770 val_loss:4.6010 train_time:11873ms step_avg:94.98ms",
        "peak memory allocated: 31460 MiB reserved: 31746 MiB",
    )
    assert name == "modded_nanogpt"
    assert [(e.step, e.duration) for e in iterations(events)] == [
        (1, None),
        (2, 0.09),
        (4, 0.1),
        (10, None),
    ]
    assert scores_by_step(events) == [(0, {"loss": 10.8258}), (125, {"loss": 4.601})]


@pytest.mark.parametrize(
    ("step", "time", "ends"),
    [
        (1765, "118234ms", []),
        (1770, "118534ms", [118.534]),
        (1770, "118.534s", []),  # a spelling whose logs may hold several trainings
    ],
)
def test_the_last_evaluation_has_the_time_of_the_training(
    step: int, time: str, ends: list[float]
) -> None:
    name, events = text(
        "step:0/1770 val_loss:10.8258 train_time:0ms step_avg:nanms",
        "step:1/1770 train_time:95ms step_avg:94.55ms",
        "step:2/1770 train_time:185ms step_avg:92.50ms",
        f"step:{step}/1770 val_loss:3.2781 train_time:{time} step_avg:66.97ms",
    )
    assert name == "modded_nanogpt"
    assert [e.duration for e in only(events, RunEnd)] == ends
    assert scores_by_step(events)[-1] == (step, {"loss": 3.2781})


def test_evaluations_alone_have_the_time_of_the_steps_between_them() -> None:
    _, events = text(
        "step:0/3125 val_loss:10.82580 train_time:0.000s step_avg:0.00ms",
        "step:125/3125 val_loss:4.88567 train_time:50.000s step_avg:400.00ms",
        "step:250/3125 val_loss:4.25000 train_time:112.500s step_avg:450.00ms",
    )
    assert [(e.step, e.steps, e.duration) for e in iterations(events)] == [
        (125, 3125, 0.4),
        (250, 3125, 0.5),
    ]


def test_a_training_after_another_is_its_own() -> None:
    def training(loss: float) -> str:
        return (
            "step:0/4 val_loss:10.8258 train_time:0ms step_avg:nanms\n"
            "step:1/4 train_time:100ms step_avg:100.00ms\n"
            "step:3/4 train_time:300ms step_avg:100.00ms\n"
            f"step:4/4 val_loss:{loss} train_time:{round(100 * loss)}ms step_avg:100.00ms\n"
        )

    card = scored(training(3.25) + training(3.5))
    assert card["dimensions"]["accuracy"]["value"] == 3.5
    assert (card["status"], card["run_end"]["run_time_s"]) == ("finished", 0.35)
    assert "several_runs" in [one["kind"] for one in card["warnings"]]


def test_a_run_may_be_as_long_as_its_time_allows() -> None:
    log = (
        "step:0/20000 val_loss:6.9 train_time:0ms step_avg:0.02ms\n"
        "step:100/20000 train_loss:3.5 train_time:5000ms step_avg:50.00ms\n"
        "step:200/20000 train_loss:3.0 train_time:10000ms step_avg:50.00ms\n"
        "step:240/20000 val_loss:2.5 train_time:12001ms step_avg:50.00ms\n"
    )
    cut, whole = (
        scored(one)
        for one in (log, log + "stopping_early: wallclock_cap train_time:12001ms step:240/20000\n")
    )
    assert (cut["status"], whole["status"]) == ("incomplete", "finished")
    assert whole["run_end"]["run_time_s"] == 12.001
    assert whole["dimensions"]["accuracy"]["value"] == 2.5
