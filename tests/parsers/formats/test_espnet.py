"""ESPnet 2: lines of so many batches, and the results of an epoch."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd
from tests.support.logs import detected, facts, only, read, scored

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
            "time=1 minute and 44.19 seconds, total_count={total}, [valid] loss=1.8, acc=0.7{e:02d}, "
            "time=3.12 seconds, total_count=80, [att_plot] time=0.14 seconds, total_count=0\n"
        ).format(m=e, s=50, n=243, e=e, total=200 * e)
        for e in range(1, 13)
    )
    assert detected(text) == "espnet"
    assert facts(read(text, "espnet"))["epochs_planned"] == 12
    card = scored(text)
    speed, accuracy = card["dimensions"]["speed"], card["dimensions"]["accuracy"]
    # 200 batches took 104.19 s, whatever an update takes.
    assert (speed["value"], speed["unit"]) == (pytest.approx(200 / 104.19), "it/s")
    assert (accuracy["value"], accuracy["epoch"]) == (0.712, 12)
    assert card["run"]["epochs"] == 12


def test_the_speed_before_the_first_epoch_is_over_counts_batches() -> None:
    """Each update accumulates four batches and takes 2 s: 100 batches in 50 s."""
    line = CLOCK + "1epoch:train:{a}-{b}batch: iter_time=0.001, loss=1.5, train_time=2.000\n"
    text = "".join(
        line.format(m=b // 120, s=b // 2 % 60, n=486, a=b - 19, b=b) for b in range(20, 301, 20)
    )
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (2.0, "it/s")


EPOCH = (
    "{e}epoch results: [train] loss=1.6, train_time=0.4, time={time}, total_count={total}, "
    "gpu_max_cached_mem_GB=9.5, [valid] loss=1.8, acc=0.7, time=3.12 seconds, total_count=80\n"
)


@pytest.mark.parametrize(
    ("time", "seconds"),
    [
        ("40.05 seconds", 40.05),
        ("1 minute and 1 second", 61),
        ("2 hours, 3 minutes and 4.5 seconds", 7384.5),
        ("1 day, 2 hours and 3 minutes", 93780),
    ],
)
def test_the_time_of_an_epoch_in_words(time: str, seconds: float) -> None:
    text = "".join(EPOCH.format(e=e, time=time, total=400 * e) for e in (1, 2))
    ends = only(read(text, "espnet"), EpochEnd)
    assert [end.train_time for end in ends] == [seconds] * 2
    assert [end.iteration_time for end in ends] == [pytest.approx(seconds / 400)] * 2


def test_the_batches_of_the_first_epoch_of_a_resumed_run_are_unknown() -> None:
    text = "".join(EPOCH.format(e=e, time="40 seconds", total=400 * e) for e in (5, 6))
    ends = only(read(text, "espnet"), EpochEnd)
    assert [end.iteration_time for end in ends] == [None, 0.1]


def test_a_training_that_stops_early_is_over() -> None:
    text = "".join(EPOCH.format(e=e, time="40 seconds", total=400 * e) for e in (1, 2))
    assert scored(text)["status"] == "incomplete"
    stop = (
        "[Early stopping] valid.acc has not been improved 3 epochs continuously. "
        "The training was stopped at 2epoch\n"
    )
    assert scored(text + stop)["status"] == "finished"


def test_an_error_rate_that_was_not_computed_is_not_the_accuracy() -> None:
    """A transducer is judged by its character error rate, not by a loss with `cer` in its name."""
    text = "".join(
        f"{e}epoch results: [train] loss=1.{e}, train_time=0.25, time=9.5 seconds, "
        f"total_count={90 * e}, [valid] cer_ctc=nan, loss_transducer=6.{e}, "
        f"cer_transducer=0.0{9 - e}, wer_transducer=0.6, loss=8.5, time=3.5 seconds, total_count=8\n"
        for e in (1, 2, 3)
    )
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == (
        "cer_transducer",
        0.06,
        0.06,
    )
