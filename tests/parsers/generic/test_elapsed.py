"""Times that count from the start of an epoch or of the run, on progress lines and after the end."""

from __future__ import annotations

import pytest

from tests.support.logs import scored


def speed(said: str, *, seconds: list[float], steps: int = 50) -> float | None:
    """The speed of an epoch whose progress lines have these elapsed times."""
    lines = [
        f"epoch 1 step {steps * n} loss {2 / (n + 1):.3f} {said.format(*parts(time), time=time)}"
        for n, time in enumerate(seconds, 1)
    ]
    value: float | None = scored("\n".join(lines) + "\n")["dimensions"]["speed"]["value"]
    return value if value is None else round(value, 3)


def parts(seconds: float) -> tuple[int, int, int]:
    """Hours, minutes and seconds."""
    return int(seconds) // 3600, int(seconds) // 60 % 60, int(seconds) % 60


STEADY = [1240.0, 1265.0, 1290.0, 1315.0, 1340.0]
"""50 steps in 25 s, after something that took 20 minutes."""


@pytest.mark.parametrize(
    "said",
    [
        "elapsed={time:.0f}s",
        "elapsed time: {time:.2f} sec",
        "Elapsed {1}m {2}s (remain 8m 28s)",
        "time elapsed: {0}h {1}m {2}s",
        "| elapsed {0}:{1:02}:{2:02}",
        "Elapsed [{0}:{1:02}:{2:02}]",
        "total used time {time:.4f} (s), avg loss so far is 0.1",
        "time so far: {time:.1f} s",
        "elapsed_sec: {time:.2f}",
        "elapsed_time_s={time:.2f}",
        "wall_time_sec: {time:.4f}",
        "wall clock (s): {time:.1f}",
    ],
)
def test_the_growth_of_the_elapsed_time_is_that_of_the_steps(said: str) -> None:
    assert speed(said, seconds=STEADY) == 2.0


@pytest.mark.parametrize(
    "said",
    [
        "elapsed: {time:.2f}",  # maybe minutes
        "elapsed_min: {time:.2f}",
        "wall_time: {time:.2f}",  # maybe a moment
        "data_elapsed_sec: {time:.2f}",
        "remaining_time_sec: {time:.2f}",
        "elapsed: {time:.1f} min",
        "elapsed {1}m{2:02}s",
        "elapsed {1}:{2:02}",  # hours and minutes, or minutes and seconds
        "elapsed 1 day, {0}:{1:02}:{2:02}",
        "eta {time:.0f}s",
    ],
)
def test_a_time_in_unknown_or_coarse_units_gives_no_speed(said: str) -> None:
    assert speed(said, seconds=STEADY) is None


@pytest.mark.parametrize(("each", "expected"), [(5, 10.0), (4, 10.0), (1, 10.0), (0.5, 10.0)])
def test_short_times_are_added_up_until_whole_seconds_are_exact(
    each: float, expected: float
) -> None:
    times = [100 + each * n for n in range(41)]
    assert speed("elapsed={time:.1f}s", seconds=times, steps=int(10 * each)) == expected


def test_less_than_five_seconds_are_not_enough() -> None:
    assert speed("elapsed={time:.1f}s", seconds=[1.5, 3.0, 6.4]) is None
    assert speed("elapsed={time:.1f}s", seconds=[1.5, 3.0, 6.5], steps=10) == 4.0


def test_less_than_twenty_whole_seconds_are_not_enough() -> None:
    """40 steps in 5.3 s are 7.5 it/s; by `0m 5s` they would be 8."""
    assert speed("Elapsed {1}m {2}s", seconds=[0.0, 2.0, 5.0], steps=20) is None
    assert speed("Elapsed {1}m {2}s", seconds=[1.0, 3.0, 20.0], steps=10) is None
    assert speed("Elapsed {1}m {2}s", seconds=[1.0, 3.0, 21.0], steps=10) == 1.0


def test_a_time_that_begins_anew_with_each_epoch_is_not_compared_with_the_last_one() -> None:
    lines = [
        f"Epoch: [{e}][{s}/300] Elapsed {s // 100}m {s % 60}s (remain 0m 10s) Loss: 0.5(0.6)"
        for e in range(1, 9)
        for s in (60, 160, 260)
    ]
    # 60, 160 and 260 steps at 0:00, 1:40 and 2:20
    value = scored("\n".join(lines) + "\n")["dimensions"]["speed"]["value"]
    assert value == pytest.approx(200 / 140)


def test_an_evaluations_elapsed_time_is_no_time_of_training() -> None:
    lines = [f"EVAL: [{s}/300] Elapsed 1m {s}s (remain 0m 1s) Loss: 0.5(0.6)" for s in (10, 20, 30)]
    assert scored("\n".join(lines) + "\n")["dimensions"]["speed"]["value"] is None


TRAINED = "".join(f"Epoch {n}/9 train loss 0.5 val acc 0.{n}2\n" for n in (1, 2, 3))


def run_time(*closing: str) -> float | None:
    """The run time of a training with these closing lines."""
    value: float | None = scored(TRAINED + "\n".join(closing) + "\n")["run_end"]["run_time_s"]
    return value


@pytest.mark.parametrize(
    ("closing", "seconds"),
    [
        (["Training complete!", "Best val acc: 0.32", "Total time: 33.5 min"], 2010.0),
        (["Training complete!", "Total elapsed time: 1:02:03"], 3723.0),
        (["Early stopping triggered after 3 epochs", "Total Time = 12.5s"], 12.5),
        (["Early stopping triggered after 3 epochs", "Training completed in 75.5s (1.3m)"], 75.5),
        (["Training complete in 40 s", "Total time: 50 s"], 40.0),
        (["Total time: 33.5 min"], None),  # of an epoch, maybe
        (["Training complete!", *["-"] * 19, "Total time: 33.5 min"], 2010.0),
        (["Training complete!", *["-"] * 20, "Total time: 33.5 min"], None),
        (["Training complete!", "Total time for data: 33.5 min"], None),
    ],
)
def test_the_total_time_stands_after_the_end(closing: list[str], seconds: float | None) -> None:
    assert run_time(*closing) == seconds


def test_a_total_time_after_several_trainings_may_be_that_of_all() -> None:
    each = TRAINED + "Training complete!\n"
    for between in ("", "Starting training for 9 epochs\n"):
        card = scored(each + between + each + "Total time: 33.5 min\n")
        assert (card["status"], card["run_end"]["run_time_s"]) == ("finished", None)


@pytest.mark.parametrize(
    ("lines", "start", "expected"),
    [
        (9, 0, 2.0),  # 10 steps in 5 s; the 60 s between the epochs are an evaluation's
        (8, 0, None),  # too few lines to know that the time only grows
        (9, 300, None),  # from 305 s to 345 s: such are times of iterations, too
    ],
)
def test_a_time_that_grows_on_in_the_next_epoch_counts_from_the_start_of_the_run(
    lines: int, start: int, expected: float | None
) -> None:
    text = "".join(
        f"Epoch {epoch} [{10 * n}/{10 * lines}] loss {1 / n:.3f} time {passed:.1f}s\n"
        for epoch in (1, 2, 3)
        for n in range(1, lines + 1)
        for passed in [start + (epoch - 1) * (5 * lines + 60) + 5 * n]
    )
    assert scored(text)["dimensions"]["speed"]["value"] == expected


def test_a_time_of_an_iteration_that_fell_once_is_not_elapsed() -> None:
    times = [1.0, 2.0, 3.0, 4.0, 5.0, 4.9, 6.0, 7.0, 8.0, 9.0]
    text = "".join(
        f"Epoch {epoch} [{n}/10] loss {1 / n:.3f} time {time + 10 * epoch:.1f}s\n"
        for epoch in (0, 1, 2)
        for n, time in enumerate(times, 1)
    )
    assert scored(text)["dimensions"]["speed"]["value"] is None


def test_an_evaluation_between_two_lines_is_in_no_time_of_the_training() -> None:
    """A minute of evaluation after each 120 steps of 3 s, in a log without epochs."""
    text, seconds = "", 0
    for step in range(5, 1201, 5):
        seconds += 15
        clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        text += f"[step {step}]: loss: {3 - step / 1000:.4f} lr=0.001 elapsed: {clock}\n"
        if step % 120 == 0:
            seconds += 60
            text += f"Validation | loss: 1.5 | accuracy: 0.{700 + step // 120}\n"
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(1 / 3), "it/s")


def test_the_elapsed_seconds_of_each_update_are_not_those_since_the_start() -> None:
    """They rise on three lines in turn, and fall then."""
    lines = [
        f'{{"update": {n}, "loss": {9 / n:.3f}, "elapsed_seconds": {took}}}'
        for n, took in enumerate((20.5, 31.5, 44.5, 58.25, 26.5, 39.5, 24.5, 36.5, 27.5), 1)
    ]
    assert scored("\n".join([*lines, ""]))["dimensions"]["speed"]["value"] is None


def test_the_elapsed_seconds_of_json_records_leave_out_the_evaluations() -> None:
    """20 steps take 10 s; after each 100 steps an evaluation takes 30 s."""
    lines = []
    for step in range(20, 801, 20):
        passed = step / 2 + (step - 1) // 100 * 30
        lines.append(f'{{"step": {step}, "train_loss": {9 / step:.4f}, "wall_time_sec": {passed}}}')
        if step % 100 == 0:
            lines.append(f'{{"step": {step}, "val_loss": {10 / step:.4f}}}')
    speed = scored("\n".join([*lines, ""]))["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (2.0, "it/s")
