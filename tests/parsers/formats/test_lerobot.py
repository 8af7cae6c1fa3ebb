"""LeRobot: rounded counts, episodes that are no epochs, times of an update and of its data."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Iteration
from tests.support.logs import detected, only, read, scored


def log(lines: int) -> str:
    def step(n: int) -> str:
        return f"{n / 1000:.0f}K" if n >= 1000 else str(n)

    return (
        "INFO 2026-01-02 10:00:00 ot_train.py:267 cfg.steps=5000 (5K)\n"
        "INFO 2026-01-02 10:00:00 ot_train.py:272 Effective batch size: 8 x 4 = 32\n"
        "INFO 2026-01-02 10:00:00 ot_train.py:330 Start offline training on a fixed dataset\n"
        + "".join(
            f"INFO 2026-01-02 10:{n:02d}:00 ot_train.py:357 step:{step(200 * n)} smpl:6K ep:{9 * n} "
            f"epch:{n / 4:.2f} loss:0.5 grdn:9.1 lr:1.0e-05 updt_s:0.490 data_s:0.010\n"
            for n in range(1, lines + 1)
        )
    )


def test_steps_go_on_where_they_are_rounded() -> None:
    text = log(25) + "INFO 2026-01-02 10:30:00 ot_train.py:438 End of training\n"
    assert detected(text) == "lerobot"
    steps = [i.step for i in only(read(text, "lerobot"), Iteration)]
    assert steps == [200 * n for n in range(1, 26)]
    card = scored(text)
    assert card["status"] == "finished"
    assert card["run"]["epochs"] is None
    assert card["dimensions"]["speed"]["value"] == pytest.approx(32 / 0.5)


def test_a_resumed_run_keeps_its_rounded_steps() -> None:
    text = log(25).replace("step:200 ", "step:10K ").replace("step:400 ", "step:11K ")
    assert [i.step for i in only(read(text, "lerobot"), Iteration)][:2] == [10_000, 11_000]


def test_the_time_of_a_step_has_more_parts_than_its_update() -> None:
    text = log(25).replace("updt_s:0.490 data_s:0.010", "data_s:0.010 prep_s:0.300 updt_s:0.490")
    assert scored(text)["dimensions"]["speed"]["value"] == pytest.approx(32 / 0.8)
    whole = text.replace("updt_s:0.490", "updt_s:0.490 step_s:1.000 smp/s:32 mem_gb:4.95")
    assert scored(whole)["dimensions"]["speed"]["value"] == pytest.approx(32)


def test_evaluations() -> None:
    at = "INFO 2026-01-02 11:00:00 ot_train.py:380 "
    tested = "step:5K smpl:160K ep:225 epch:6.25 ∑rwrd:10.250 success:62.5 eval_s:31.250\n"
    accuracy = scored(log(25) + at + tested)["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("success_rate", 62.5)
    loss = scored(log(25) + at + "step 5000: eval_loss=0.2125\n")["dimensions"]["accuracy"]
    assert (loss["metric"], loss["value"], loss["lower_is_better"]) == ("loss", 0.2125, True)


def test_the_batch_of_a_step_is_a_part_of_the_accumulated_batch() -> None:
    text = log(25).replace(
        "8 x 4 = 32",
        "8 x 4 dp workers x 2 grad accum = 64 (topology: dp_replicate=4, dp_shard=1)",
    )
    text = text.replace("dataset\n", "dataset, with effective batch size: 64\n")
    assert scored(text)["dimensions"]["speed"]["value"] == pytest.approx(32 / 0.5)


def test_the_printed_rate_counts_where_the_log_does_not_state_the_batch() -> None:
    text = log(25).replace("data_s:0.010\n", "data_s:0.010 step_s:0.500 smp/s:63\n")
    assert scored(text)["dimensions"]["speed"]["value"] == pytest.approx(64)
    speed = scored(text.replace("Effective", "The"))["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (63, "samples/s")
