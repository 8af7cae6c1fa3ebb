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
