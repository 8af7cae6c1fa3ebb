"""JSON records of the Trainer's kin: LLaMA-Factory's trainer log, ms-swift's log, trainer_state.json."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from sixdim.parsers.events import Evaluation, Iteration, RunEnd
from tests.support.inputs.huggingface_logs import STATE
from tests.support.logs import detected, facts, only, read, score, scored


def test_trainer_log_of_llama_factory() -> None:
    text = (
        '{"current_steps": 5, "total_steps": 17, "loss": 2.25, "lr": 2.5e-06, "epoch": 0.29, '
        '"percentage": 29.4, "elapsed_time": "0:01:10", "remaining_time": "0:02:50", '
        '"throughput": 1234.5, "total_tokens": 86415}\n'
        '{"current_steps": 10, "total_steps": 17, "eval_loss": 1.5, "epoch": 0.58}\n'
    )
    events = read(text, "llamafactory")
    (iteration,), (evaluation,) = only(events, Iteration), only(events, Evaluation)
    assert (iteration.step, iteration.steps, iteration.loss) == (5, 17, 2.25)
    assert (iteration.throughput, iteration.unit) == (1234.5, "tokens/s")
    assert (evaluation.step, score(evaluation, "loss")) == (10, 1.5)
    assert detected(text * 2) == "llamafactory"


@pytest.mark.parametrize("before", [0, 40_000])
def test_the_rate_of_a_trainer_log_is_that_between_its_records(before: int) -> None:
    """A step of 4000 tokens takes 0.5 s after a slow first one; `before` were trained earlier.

    The mean since the program began would be 4000 tokens/s or less, and with the earlier tokens
    up to 10000. An evaluation of 30 s after step 20 is no part of a step.
    """
    line = (
        '{{"current_steps": {step}, "total_steps": 90, "{loss}": 2.0, "elapsed_time": "{clock}", '
        '"throughput": {mean:.2f}, "total_tokens": {tokens}}}\n'
    )

    def record(step: int, seconds: float, loss: str = "loss") -> str:
        tokens = before + 4000 * step
        clock = str(timedelta(seconds=int(seconds)))
        return line.format(step=step, loss=loss, clock=clock, mean=tokens / seconds, tokens=tokens)

    text = "".join(record(n, 20.25 + 0.5 * n) for n in (10, 20))
    text += record(20, 60.25, "eval_loss") + record(30, 65.25) + record(40, 70.25)
    found = only(read(text, "llamafactory"), Iteration)[1:]
    assert [one.throughput for one in found] == pytest.approx([8000] * 3, rel=1e-3)
    assert [one.duration for one in found] == pytest.approx([0.5] * 3, rel=1e-3)


def test_a_trainer_log_goes_on_from_a_checkpoint() -> None:
    """The program began again: its 10 s are those of the last ten steps alone."""
    line = '{{"current_steps": {}, "total_steps": 90, "loss": 2, "elapsed_time": "0:00:{}", '
    text = (
        line.format(10, 20) + '"throughput": 200, "total_tokens": 4000}\n'
        + line.format(20, 10) + '"throughput": 800, "total_tokens": 8000}\n'
    )  # fmt: skip
    text = text.replace("{{", "{")
    assert [i.throughput for i in only(read(text, "llamafactory"), Iteration)] == [200, None]


def test_the_last_record_of_a_trainer_log_has_the_time_of_the_whole() -> None:
    report = '{"current_steps": 17, "total_steps": 17, "loss": 2.0, "elapsed_time": "0:03:50"}\n'
    scores = '{"current_steps": 17, "total_steps": 17, "eval_loss": 1.5, "epoch": 1.0}\n'
    last = '{"current_steps": 17, "total_steps": 17, "epoch": 1.0, "elapsed_time": "0:03:55"}\n'
    card = scored(report + scores + last)
    assert (card["status"], card["run_end"]["run_time_s"]) == ("finished", 235)
    assert card["dimensions"]["accuracy"]["value"] == 1.5
    assert scored(report)["run_end"]["run_time_s"] == 230  # older versions write no other record


def test_steps_of_one_second_share_the_time_of_the_next_record() -> None:
    line = '{{"current_steps": {}, "total_steps": 17, "loss": 2.0, "elapsed_time": "0:00:0{}"}}\n'
    times = {1: 1, 2: 2, 3: 2, 4: 3}  # steps: seconds
    text = "".join(line.format(step, seconds) for step, seconds in times.items())
    durations = [i.duration for i in only(read(text, "llamafactory"), Iteration)]
    assert durations == [1.0, 1.0, None, 0.5]


def test_trainer_state_indented_and_on_one_line() -> None:
    for indent in (2, None):
        text = json.dumps(STATE, indent=indent) + "\n"
        events = read(text, "trainer-state")
        assert [(i.step, i.loss) for i in only(events, Iteration)] == [(10, 2.5)]
        (evaluation,) = only(events, Evaluation)
        assert (evaluation.step, score(evaluation, "accuracy")) == (20, 0.75)
        assert [e.duration for e in only(events, RunEnd)] == [84.1]
        assert facts(events)["epochs_planned"] == 1
        assert detected(text) == "trainer-state"


def swift(step: int, time: str, **more: object) -> str:
    place = {"epoch": step / 20, "global_step/max_steps": f"{step}/20", "elapsed_time": time}
    return json.dumps({**more, **place, "percentage": f"{step * 5}%"}) + "\n"


def test_the_records_of_ms_swift_are_those_of_the_state_that_it_ends_with() -> None:
    """Its times are whole seconds: several steps of one second share the next record's time."""
    times = {1: "59s", 2: "59s", 3: "59s", 4: "1m 5s", 5: "1h 1m 5s"}
    reports = "".join(swift(step, time, loss=2.5) for step, time in times.items())
    paused = swift(5, "1h 2m 5s", eval_loss=1.5, eval_token_acc=0.75) + swift(
        6, "1h 2m 7s", loss=2.25
    )
    events = read(reports + paused, "trainer-state")
    assert facts(events)["steps_planned"] == 20
    assert [(i.step, i.duration) for i in only(events, Iteration)] == [
        (1, None),
        (2, None),
        (3, None),
        (4, 2.0),  # 3 steps in 6 s
        (5, 3600.0),
        (6, 2.0),  # without the evaluation's 60 s
    ]
    card = scored(reports + paused)
    assert (card["run"]["format"], card["status"]) == ("trainer-state", "incomplete")
    rates = {"train_samples_per_second": 2.5, "train_steps_per_second": 0.005}
    last = swift(20, "1h 5m 0s", train_runtime=3900.5, train_loss=2.0, **rates)
    card = scored(reports + paused + last + json.dumps(STATE) + "\n")
    assert (card["status"], card["run"]["epochs"]) == ("finished", 1)
    assert card["run_end"]["run_time_s"] == 3900.5
    dimensions = card["dimensions"]
    assert (dimensions["accuracy"]["metric"], dimensions["accuracy"]["value"]) == (
        "token_acc",
        0.75,
    )
    assert (dimensions["speed"]["value"], dimensions["speed"]["unit"]) == (2.5, "samples/s")


def test_records_of_ms_swift_2() -> None:
    """Its `train_speed` is the mean since the start: 20 steps in 50 s, then 40 in 60 s."""
    text = (
        '{"loss": 2.5, "acc": 0.5, "train_speed(iter/s)": 0.4, "epoch": 0.5, "global_step": 20}\n'
        '{"loss": 1.5, "acc": 0.6, "train_speed(iter/s)": 0.66666667, "epoch": 1.0, '
        '"global_step": 40}\n'
        '{"eval_loss": 1.75, "eval_acc": 0.55, "eval_runtime": 2.5, "epoch": 1.0, '
        '"global_step": 40}\n'
    )
    assert detected(text) == "trainer-state"
    events = read(text, "trainer-state")
    assert [(i.step, i.loss) for i in only(events, Iteration)] == [(20, 2.5), (40, 1.5)]
    assert only(events, Iteration)[1].duration == pytest.approx((60 - 50) / 20)
    (tested,) = only(events, Evaluation)
    assert [(m.name, m.value) for m in tested.metrics] == [("loss", 1.75), ("acc", 0.55)]
    closing = (
        '{"train_runtime": 62.5, "train_samples_per_second": 5.12, "train_loss": 2.0, '
        '"epoch": 1.0, "global_step": 40}\n'
    )
    card = scored(text + closing)
    assert (card["status"], card["run_end"]["run_time_s"]) == ("finished", 62.5)


def test_ms_swifts_training_of_half_an_epoch_has_completed_none() -> None:
    half = {"epoch": 0.5, "train_runtime": 40.0, "train_loss": 2.0}
    last = json.dumps({**half, "global_step/max_steps": "10/10", "elapsed_time": "40s"}) + "\n"
    card = scored(swift(9, "9s", loss=2.5) + last)
    assert (card["status"], card["run"]["epochs"]) == ("finished", 0)


@pytest.mark.parametrize(
    ("step", "epoch", "status", "epochs"),
    [(20, 0.97, "finished", 1), (20, 0.9, "finished", 0), (19, 0.97, "incomplete", 0)],
)
def test_the_state_of_the_last_step_is_that_of_a_finished_training(
    step: int, epoch: float, status: str, epochs: int
) -> None:
    """The last checkpoint has no closing report; the last report may miss the epoch's end."""
    history = [{"epoch": 0.5, "loss": 2.5, "step": 10}, {"epoch": epoch, "loss": 2.0, "step": 19}]
    state = STATE | {"epoch": epoch, "log_history": history, "global_step": step}
    for indent in (2, None):
        card = scored(json.dumps(state, indent=indent) + "\n")
        assert (card["status"], card["run"]["epochs"]) == (status, epochs)
