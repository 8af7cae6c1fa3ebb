"""ESPnet 2: lines of so many batches, and the results of an epoch."""

from __future__ import annotations

import pytest

from tests.support.logs import detected, facts, read, scored

CLOCK = "[node1] 2024-05-01 10:{m:02d}:{s:02d},123 (trainer:{n}) INFO: "


def test_a_run() -> None:
    text = "".join(
        (CLOCK + "{e}/12epoch started. Estimated time to finish: 2 hours\n").format(
            m=e, s=0, n=184, e=e
        )
        + "".join(
            (
                CLOCK + "{e}epoch:train:{a}-{b}batch: iter_time=0.001, loss=1.5, acc=0.9, "
                "lr_0=0.1, train_time=0.{t}\n"
            ).format(m=e, s=b // 20, n=486, e=e, a=b - 99, b=b, t=250)
            for b in (100, 200)
        )
        + (
            CLOCK
            + "{e}epoch results: [train] iter_time=0.001, loss=1.6, acc=0.8, train_time=0.25, "
            "time=1 minute and 44.19 seconds, total_count=200, [valid] loss=1.8, acc=0.7{e:02d}, "
            "time=3.12 seconds, total_count=80, [att_plot] time=0.14 seconds, total_count=0\n"
        ).format(m=e, s=50, n=243, e=e)
        for e in range(1, 13)
    )
    assert detected(text) == "espnet"
    assert facts(read(text, "espnet"))["epochs_planned"] == 12
    card = scored(text)
    speed, accuracy = card["dimensions"]["speed"], card["dimensions"]["accuracy"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(4), "it/s")
    assert (accuracy["value"], accuracy["epoch"]) == (0.712, 12)
    assert card["run"]["epochs"] == 12
