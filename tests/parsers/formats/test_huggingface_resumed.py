"""Trainings of Hugging Face's Trainer that begin again, or go on from a checkpoint."""

from __future__ import annotations

import json

import pytest

from sixdim.parsers.events import RunEnd
from tests.support.inputs.huggingface_logs import STATE, console
from tests.support.logs import only, read, scored


def test_a_training_that_begins_again_without_a_header_is_another_run() -> None:
    whole, cut = console(epochs=4), console(epochs=4, stop=6).replace("/6 [", "/16 [")
    cut = cut[: cut.index("\n{'train_runtime'")] + "\n"
    for first in (whole, cut):
        again = scored(first + cut)
        assert again["status"] == "incomplete"
        assert (again["run"]["epochs"], again["run"]["epochs_planned"]) == (1, 4)
        assert again["end_to_end"]["value"] is None
        assert again["dimensions"]["accuracy"]["epoch"] == 1
        assert "the log holds 2 runs; this is run 2" in [w["text"] for w in again["warnings"]]
    assert scored(cut + whole)["dimensions"]["speed"]["value"] == 114.7


def test_a_training_that_begins_again_with_smaller_batches_is_another_run() -> None:
    def drawn(step: int, steps: int) -> str:
        left = f"{step}/{steps} [00:{step:02}<00:{steps - step:02},  1.00it/s]"
        return f"\r{100 * step // steps:3}%|██        | {left}"

    def report(epoch: float, loss: str = "'loss': '0.5'") -> str:
        return f"\n{{{loss}, 'grad_norm': '1.5', 'learning_rate': '0.1', 'epoch': '{epoch:g}'}}\n"

    log = drawn(0, 4) + drawn(1, 4) + report(0.5) + drawn(2, 4) + report(1) + drawn(0, 6)
    for step in range(9):
        log += drawn(step, 8) + (report(step / 4) + drawn(step, 8) if step % 4 == 2 else "")
        if step % 4 == 0 and step:  # a bar of the evaluation is drawn to its end
            scores = f"'eval_loss': '0.{step}', 'eval_runtime': '0.1', 'epoch': '{step // 4}'"
            log += drawn(0, 3) + drawn(3, 3) + f"\n{{{scores}}}\n"
    card = scored(log)
    assert "the log holds 2 runs; this is run 2" in [w["text"] for w in card["warnings"]]
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (2, 2)
    assert card["dimensions"]["speed"]["value"] == pytest.approx(1.0)


def test_a_report_that_another_rank_prints_late_begins_no_run() -> None:
    late = "{'loss': '0.5', 'learning_rate': '0.1', 'epoch': '1.5'}\n"
    found = scored(console() + late)
    assert (found["status"], found["run"]["epochs"], found["warnings"]) == ("finished", 2, [])


def test_the_rate_of_a_resumed_run_is_not_stated() -> None:
    """Older versions count all samples over the time of the last part."""
    log = "".join(line + "\n" for line in console(epochs=3).splitlines() if "{" in line)
    assert scored(log)["dimensions"]["speed"]["value"] == 114.7
    later = "".join(line + "\n" for line in log.splitlines()[3:])
    assert "'epoch': '1.5'" in later.splitlines()[0]
    assert scored(later)["dimensions"]["speed"]["value"] is None


def _part(first: int, last: int, *, bars: bool = True) -> str:
    """Two epochs of 40 steps each, with a report every 10 steps; resumed if `first` is no 0."""
    out = "  0%|          | 0/80 [00:00<?, ?it/s]\r" * bars
    for step in range(first + 1, last + 1):
        bar = f" 12%|█▎        | {step}/80 [00:{(step - first) // 4:02}<00:40,  4.00it/s]\r"
        out += bar * bars
        if step % 10 == 0:
            out += f"\n{{'loss': '0.5', 'learning_rate': '0.1', 'epoch': '{step / 40:.4g}'}}\n"
            out += bar * bars
    return out


@pytest.mark.parametrize("bars", [True, False])
def test_the_time_of_the_last_part_is_not_that_of_a_run_whose_parts_share_a_log(bars: bool) -> None:
    """The first part was killed at step 47; the second goes on from the checkpoint of step 25."""
    second = _part(25, 80, bars=bars) + (
        "\n{'train_runtime': '13.75', 'train_samples_per_second': '64.0', "
        "'train_steps_per_second': '4.0', 'train_loss': '0.5', 'epoch': '2'}\n"
    )
    whole = scored(_part(0, 47, bars=bars) + second)
    assert (whole["run"]["epochs"], whole["run_end"]["run_time_s"]) == (2, None)
    alone = scored(second)
    assert alone["run_end"]["run_time_s"] == 13.75


LOSSES = [2.8, 2.6, 2.4, 2.2, 2.0, 1.8, 1.6, 1.4, 1.2, 1.0]
"""Means of 50 steps of 16 samples each: 500 steps, 8000 samples, 2 epochs."""


def closing_report(part: list[float], seconds: float) -> dict[str, float]:
    """The closing report of a training, or of its part with these losses."""
    return {
        "train_runtime": seconds,
        "train_samples_per_second": 8000 / seconds,
        "train_steps_per_second": 500 / seconds,
        "train_loss": sum(part) / 10,  # over all steps: those of the other part count as 0
        "epoch": 2.0,
    }


@pytest.mark.parametrize(
    ("since", "seconds", "speed"), [(0, 1000, 8.0), (1, 900, None), (5, 500, None)]
)
def test_a_history_of_several_parts_has_no_speed_and_no_time_of_the_last_part(
    since: int, seconds: float, speed: float | None
) -> None:
    reports = [
        {"epoch": n / 5, "loss": loss, "learning_rate": 1e-5, "step": 50 * n}
        for n, loss in enumerate(LOSSES, 1)
    ]
    last = {**closing_report(LOSSES[since:], seconds), "step": 500}
    whole = {"epoch": 2.0, "global_step": 500, "max_steps": 500, "num_train_epochs": 2}
    text = json.dumps({**STATE, **whole, "log_history": [*reports, last]}, indent=2) + "\n"
    (end,) = only(read(text, "trainer-state"), RunEnd)
    assert (end.throughput, end.duration) == (speed, seconds if speed else None)
    card = scored(text)
    assert card["dimensions"]["speed"]["value"] == speed
    assert card["run_end"]["run_time_s"] == (seconds if speed else None)


@pytest.mark.parametrize("stopped", [5, 7])  # at its checkpoint, and two reports after it
def test_a_console_of_two_parts_has_no_speed_and_no_time_of_the_last_part(stopped: int) -> None:
    reports = [
        f"{{'loss': {loss}, 'grad_norm': 1.5, 'learning_rate': 1e-05, 'epoch': {n / 5}}}\n"
        for n, loss in enumerate(LOSSES, 1)
    ]
    whole = "".join(reports) + f"{closing_report(LOSSES, 1000)}\n"
    parts = "".join(reports[:stopped] + reports[5:]) + f"{closing_report(LOSSES[5:], 500)}\n"
    for text, speed, seconds in ((whole, 8.0, 1000.0), (parts, None, None)):
        card = scored(text)
        assert card["run"]["format"] == "huggingface"
        assert card["dimensions"]["speed"]["value"] == speed
        assert card["run_end"]["run_time_s"] == seconds
