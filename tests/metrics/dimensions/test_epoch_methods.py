"""Which way leads to the throughput of an epoch, and that one serves the whole run."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest

from sixdim.metrics.values.card import dumps
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.session import Session


def session(text: str, **given: Any) -> Session:
    made = Session("train.log", Settings(given=given), formats())
    made.feed(text.encode())
    made.end()
    return made


def card(text: str, **given: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(dumps(session(text, **given).card()))
    return found


def epochs(text: str, **given: Any) -> list[float | None]:
    return [epoch.throughput for epoch in session(text, **given).snapshot().epochs]


TIMM = "".join(
    f"Train: {label} [{step:4}/18 ({100 * step // 17:3}%)]  Loss: 2.1 (2.1)  "
    f"Time: {time}s, {rate}/s  ({mean}s, {mean_rate}/s)  LR: 5.000e-02  Data: 0.2 (0.2)\n"
    for label in (0, 1, 2)
    for step, time, rate, mean, mean_rate in (
        (0, 0.624, 25.64, 0.624, 25.64),
        (8, 0.177, 90.22, 0.343, 46.61),
        (17, 0.265, 60.28, 0.354, 45.14 + label / 4),
    )
)


def test_timm_prints_the_mean_of_the_epoch_on_its_last_line() -> None:
    assert epochs(TIMM) == [45.14, 45.39, 45.64]
    cut = TIMM[: TIMM.rindex("Train:")]
    assert epochs(cut) == [45.14, 45.39, None]  # the last one is not over
    assert card(TIMM)["dimensions"]["speed"]["derived"] == "the log's own mean of the epoch"


def test_a_mean_by_the_fewer_samples_of_the_last_iteration_is_none() -> None:
    """timm divides by the mean time: 512 samples in 0.5 s, but 128 in the last iteration of five.

    The mean rate of that line would be 128 / 0.425 s. The epoch had 4 x 512 + 128 samples.
    """
    text = "".join(
        f"Train: {label} [{step:4}/5 ({20 * step + 20:3}%)]  Loss: 2.1 (2.1)  Time: {time}s, "
        f"{work / time:.2f}/s  ({mean}s, {work / mean:.2f}/s)  LR: 5.0e-02  Data: 0.2 (0.2)\n"
        for label in (0, 1, 2)
        for step, work, time, mean in (
            (0, 512, 0.5, 0.5),
            (2, 512, 0.5, 0.5),
            (4, 128, 0.125, 0.425),
        )
    )
    assert epochs(text) == [pytest.approx((4 * 512 + 128) / (5 * 0.425), rel=1e-4)] * 3


def test_samples_of_a_last_iteration_that_stands_for_many_are_not_those_of_each() -> None:
    """timm prints the first and the last of 51 iterations: 512 samples in 0.5 s each, then 128.

    Their mean time is (50 x 0.5 + 0.125) / 51 = 0.493 s.
    """
    text = "".join(
        f"Train: {label} [{step:4}/51 ({2 * step:3}%)]  Loss: 2.1 (2.1)  Time: {time}s, "
        f"{work / time:.2f}/s  ({mean}s, {work / mean:.2f}/s)  LR: 5.0e-02  Data: 0.2 (0.2)\n"
        for label in (0, 1, 2)
        for step, work, time, mean in ((0, 512, 0.5, 0.5), (50, 128, 0.125, 0.493))
    )
    assert epochs(text) == [pytest.approx((50 * 512 + 128) / (51 * 0.493), rel=1e-4)] * 3


EXAMPLES = "".join(
    f"Epoch: [{label}][{step:2}/18]\tTime  {time} ( {mean})\tData  0.02 ( 0.02)\t"
    f"Loss 6.8e+00 (6.8e+00)\tAcc@1   0.00 (  0.00)\tAcc@5   0.00 (  0.00)\n"
    for label in range(8)
    for step, time, mean in ((1, 2.24, 2.24), (6, 0.257, 0.559), (16, 0.178, 0.316))
)


def test_pytorch_examples_print_the_mean_time() -> None:
    """The same by the lines of a template, from the fourth on, as by those before."""
    assert epochs(EXAMPLES)[:-1] == [1 / 0.316] * 7
    assert epochs(EXAMPLES, global_batch=16)[:-1] == [pytest.approx(16 / 0.316)] * 7


def test_charts_have_the_unit_of_their_values() -> None:
    assert session(EXAMPLES).snapshot().unit == "it/s"
    assert session(EXAMPLES, global_batch=16).snapshot().unit == "samples/s"
    assert session(TIMM).snapshot().unit == "img/s"


TORCHVISION = (
    "Epoch: [0]  [ 0/65]  eta: 0:00:40  lr: 0.1  loss: 1.0 (1.0)  time: 2.0  data: 0.0\n"
    "Epoch: [0]  [64/65]  eta: 0:00:00  lr: 0.1  loss: 1.0 (1.0)  time: 0.5  data: 0.0\n"
    "Epoch: [0] Total time: 0:00:41 (0.6359 s / it)\n"
)


def test_torchvision_prints_the_seconds_of_an_iteration() -> None:
    assert epochs(TORCHVISION) == [1 / 0.6359]


@pytest.mark.parametrize(("seconds", "value"), [(19, 1 / 0.6359), (20, 60.0)])
def test_whole_seconds_of_a_short_epoch_say_too_little(seconds: int, value: float) -> None:
    """1200 samples in 20 s are 60 a second; 19 may be almost 20, and its mean says more."""
    text = TORCHVISION.replace("0:00:41", f"0:00:{seconds}")
    assert epochs(text, samples_per_epoch=1200) == [value]


@pytest.mark.parametrize(
    ("seconds", "state", "reason"),
    [
        (5, "short", "5 s and more: the speed is uncertain by 20 %"),
        (19, "short", "19 s and more: the speed is uncertain by 5 %"),
        (20, "final", ""),
    ],
)
def test_a_speed_by_few_whole_seconds_says_how_uncertain_it_is(
    seconds: int, state: str, reason: str
) -> None:
    """Keras without a bar prints 5 s also for 5.9 s: 1600 samples in it are 271 to 320 a second."""
    epoch = "Epoch {}/12\n{}s - loss: 0.5 - acc: 0.8\n"
    text = "".join(epoch.format(label, seconds) for label in range(1, 13))
    speed = session(text, samples_per_epoch=1600).card().dimensions["speed"]
    assert (speed.value, speed.state) == (1600 / seconds, state)
    said = "the log gives the times of epochs in whole seconds, "
    assert speed.reason.removeprefix(said) == reason


@pytest.mark.parametrize(
    ("seconds", "value", "state", "reason"),
    [
        (9, None, "unknown", "the log gives no throughput for any whole epoch: "
            "its clock has whole seconds, too few in such short epochs"),
        (10, 30.0, "short", "10 s and more: the speed is uncertain by 10 %"),
        (19, 300 / 19, "short", "19 s and more: the speed is uncertain by 5 %"),
        (20, 15.0, "final", ""),
    ],
)  # fmt: skip
def test_a_speed_by_few_whole_seconds_of_the_clock_says_how_uncertain_it_is(
    seconds: int, value: float | None, state: str, reason: str
) -> None:
    """300 iterations from the first line of an epoch to its last; the evaluation does not count."""
    start, lines = datetime(2026, 3, 1, 10), []
    for n in range(12):
        first = start + timedelta(seconds=n * (seconds + 7))
        last = first + timedelta(seconds=seconds)
        lines += [f"{first} INFO epoch {n} step 0 loss 0.5{n:02}"]
        lines += [f"{last} INFO epoch {n} step 300 loss 0.4{n:02}"]
        lines += [f"{last} INFO epoch {n} val loss 0.4 val acc 0.{50 + n}"]
    speed = session("\n".join([*lines, ""])).card().dimensions["speed"]
    assert (speed.value, speed.state) == (value, state)
    assert (
        speed.reason.removeprefix("the log gives the times of epochs in whole seconds, ") == reason
    )


@pytest.mark.parametrize(
    ("seconds", "rates"),
    [
        # a slow first epoch is not the speed of a run whose others take few whole seconds
        ((30, 10, 10, 12), [40.0, 120.0, 120.0, 100.0]),
        ((30, 30, 10, 12), [40.0, 40.0, 120.0, 100.0]),  # no more than half are long
        ((30, 30, 24, 12), [40.0, 40.0, 50.0, None]),  # more than half are
    ],
)
def test_few_long_epochs_do_not_stand_for_the_short_ones(
    seconds: tuple[int, ...], rates: list[float | None]
) -> None:
    """1200 samples an epoch."""
    epoch = "Epoch {}/4\n{}s - loss: 0.5 - acc: 0.8\n"
    text = "".join(epoch.format(label, each) for label, each in enumerate(seconds, 1))
    assert epochs(text, samples_per_epoch=1200) == rates


@pytest.mark.parametrize(
    ("times", "exact"),
    [
        (("6.1", "4.0", "4.2", "4.4"), True),
        (("4.0", "4.0", "4.0", "4.1"), True),  # a steady training
        (("4.0", "4.0", "4.0", "4.0"), True),
        (("4", "4", "4", "4"), False),
        (("4.0", "4.2"), True),  # the second shows how the first is printed
    ],
)
def test_a_whole_number_among_tenths_of_a_second_is_as_exact(
    times: tuple[str, ...], exact: bool
) -> None:
    """1200 samples an epoch. One of ten times in tenths of a second is a whole number."""
    epoch = "Epoch {}/9, train loss: 0.5, val acc: 0.8, epoch time: {}s\n"
    text = "".join(epoch.format(label, each) for label, each in enumerate(times, 1))
    assert epochs(text, samples_per_epoch=1200) == [1200 / float(each) for each in times]
    speed = session(text, samples_per_epoch=1200).card().dimensions["speed"]
    assert ("whole seconds" not in speed.reason) is exact


def _bar(epoch: int, step: int, clock: str, pace: str) -> str:
    return f"Epoch {epoch}/3: {step:3}%|##  | {step}/30 [{clock}<00:00, {pace}, loss=0.4]\r"


def test_a_bar_that_is_closed_prints_its_mean() -> None:
    """30 iterations within 1 to 2 s: the last pace lies between, the smoothed ones do not count."""
    drawn = [("00:00", "40.00it/s", 10), ("00:01", "25.00it/s", 29), ("00:01", "15.17it/s", 30)]
    text = "".join(_bar(e, step, clock, pace) for e in (1, 2, 3) for clock, pace, step in drawn)
    assert epochs(text) == [pytest.approx(15.17)] * 3


def test_a_pace_cannot_leave_what_count_and_time_say() -> None:
    """30 iterations in 60 to 61 s are at most 0.5 a second, whatever the last ones took."""
    text = "".join(
        _bar(e, s, c, "0.60it/s") for e in (1, 2) for s, c in ((10, "0:20"), (30, "1:00"))
    )
    assert epochs(text) == [0.5, 0.5]


def _lines(label: int, *, mean: bool) -> str:
    rated = "".join(
        f"Epoch: [{label}]  [{step:2}/20]  eta: 0:00:01  lr: 0.1  img/s: 100.0  loss: 1.0 (1.0)  "
        "time: 0.5  data: 0.0\n"
        for step in (0, 10, 19)
    )
    return rated + (f"Epoch: [{label}] Avg img/s: 90.0\n" if mean else "")


def test_an_epoch_without_the_printed_figure_of_the_others_has_none() -> None:
    text = "".join(_lines(label, mean=label < 3) for label in range(4)) + "Training time 0:01:00\n"
    assert epochs(text) == [90.0, 90.0, 90.0, None]
    speed = card(text)["dimensions"]["speed"]
    assert (speed["value"], speed["window"], speed.get("derived")) == (90.0, [0, 1, 2], None)


def test_lines_that_carry_nothing_but_a_clock() -> None:
    """40 iterations in 80 s of training; the evaluation between them takes 100 s."""
    text = "".join(
        f"2024-01-01 00:{second // 60:02}:{second % 60:02} epoch 0 step {step} loss {1 / step}\n"
        for step, second in ((10, 0), (20, 20), (30, 40))
    )
    text += "2024-01-01 00:02:00 epoch 0 valid: acc 61.5 %\n"
    text += "".join(
        f"2024-01-01 00:{second // 60:02}:{second % 60:02} epoch 0 step {step} loss {1 / step}\n"
        for step, second in ((40, 140), (50, 160), (60, 180))
    )
    text += "2024-01-01 00:03:10 epoch 0 valid: acc 62.5 %\n"
    assert epochs(text) == [0.5]
    speed = card(text)["dimensions"]["speed"]
    assert speed["derived"] == "iterations / time by the log's clock"
    assert speed["unit"] == "it/s"


NANOGPT = "".join(
    (f"step {step}: train loss 2.0, val loss 2.5\n" if step % 100 == 0 else "")
    + f"iter {step}: loss 2.0, time {30_000.0 if step % 100 == 0 else 250.0:.2f}ms, mfu 9.0%\n"
    for step in range(0, 1000, 10)
)


def test_nanogpt_evaluates_in_one_iteration_of_a_hundred() -> None:
    """Training takes 0.25 s an iteration, and one of a hundred 30 s."""
    speed = card(NANOGPT)["dimensions"]["speed"]
    assert speed["value"] == pytest.approx(4.0)
    assert speed["with_evaluations"] == pytest.approx(100 / (99 * 0.25 + 30))


RESUMED = (
    "".join(_lines(label, mean=True) for label in range(4))
    + "Start training\n"
    + "".join(_lines(label, mean=True) for label in range(3, 9))
    + "Training time 0:00:20\n"
)


def test_end_to_end_is_of_the_part_whose_time_is_printed() -> None:
    """Epochs 3 to 8 took 20 s; the first three are of another part."""
    whole = card(RESUMED, samples_per_epoch=300)
    figure = whole["end_to_end"]
    assert (figure["epochs"], figure["value"], figure["state"]) == (6, 90.0, "final")
    end = whole["run_end"]
    assert (end["run_time_s"], end["clock"]) == (20.0, "printed total since the run was resumed")


def test_the_pause_before_a_resume_is_no_part_of_the_time() -> None:
    """Epochs 3 to 8 begin five hours later, one a minute, each of 50 s from its first line on."""
    line = "2026-01-05 {h:02}:{e:02}:{s:02} epoch {e} step {step}/100 loss 0.5\n"

    def epochs(hour: int, first: int, last: int) -> str:
        places = ((e, step) for e in range(first, last + 1) for step in range(0, 101, 20))
        return "".join(line.format(h=hour, e=e, s=step // 2, step=step) for e, step in places)

    resumed = card(epochs(1, 1, 4) + epochs(6, 3, 8), samples_per_epoch=3500)
    end, whole = resumed["run_end"], resumed["end_to_end"]
    assert end["run_time_s"] == 5 * 60 + 50
    assert end["clock"] == "log timestamps since the run was resumed"
    assert (whole["epochs"], whole["value"], end["epochs"]) == (6, 60.0, 8)
    assert whole["state"] == "short"
    assert whole["reason"] == f"the log prints no total training time: {end['clock']}"
    # Without a resume the clock goes from the first line on.
    assert card(epochs(6, 1, 8), samples_per_epoch=1)["run_end"]["clock"] == "log timestamps"


@pytest.mark.parametrize(("last", "share"), [(9, 0.5), (18, 1.0)])
def test_end_to_end_counts_the_share_of_an_epoch_that_was_cut(last: int, share: float) -> None:
    """Lines come every tenth step of 20: after step 18 none is missing."""
    text = _lines(0, mean=False) + "".join(
        f"Epoch: [1]  [{step:2}/20]  eta: 0:00:01  lr: 0.1  img/s: 100.0  loss: 1.0 (1.0)  "
        "time: 0.5  data: 0.0\n"
        for step in (0, last)
    )
    figure = card(text + "Training time 0:00:30\n", samples_per_epoch=300)["end_to_end"]
    assert (figure["epochs"], figure["value"]) == (1 + share, 300 * (1 + share) / 30)


def test_an_end_to_end_above_every_epoch_is_a_warning() -> None:
    text = "".join(_lines(label, mean=True) for label in range(9)) + "Training time 0:00:20\n"
    kinds = {warning["kind"] for warning in card(text, samples_per_epoch=300)["warnings"]}
    assert "end_to_end_faster" in kinds
    kinds = {warning["kind"] for warning in card(text, samples_per_epoch=200)["warnings"]}
    assert "end_to_end_faster" not in kinds


@pytest.mark.parametrize(("printed", "speed"), [(2, 300.0), (3, 250.0)])
def test_a_printed_throughput_serves_a_run_in_which_most_epochs_have_one(
    printed: int, speed: float
) -> None:
    text = "".join(
        f"INFO:root:Epoch[{label}] Batch [{step}]\tSpeed: 300.00 samples/sec\taccuracy=0.5\n"
        + f"INFO:root:Epoch[{label}] Speed: 250.00 samples/sec\n" * (step == 60 and label < printed)
        for label in range(4)
        for step in (20, 40, 60)
    )
    assert card(text)["dimensions"]["speed"]["value"] == speed


def _timed_loop(last: int, *, first: int = 0, every: int = 10, global_steps: bool = False) -> str:
    """Three epochs of 60 iterations in 12.5 s; a line at each so many of them up to the last."""
    out = []
    for epoch in (1, 2, 3):
        begin, total = ((epoch - 1) * 60, 180) if global_steps else (0, 60)
        out += [
            f"Epoch {epoch} | step {begin + step}/{total} | loss {1 / epoch:.3f}\n"
            for step in range(first, last + 1, every)
        ]
        out.append(f"Epoch {epoch} done in 12.50 seconds, val accuracy {60 + epoch}.5%\n")
    return "".join(out)


@pytest.mark.parametrize(("first", "last"), [(0, 50), (1, 51), (10, 60)])
def test_iterations_by_the_printed_time_of_the_epoch(first: int, last: int) -> None:
    """60 iterations in 12.5 s, whether its lines count from 0 or 1."""
    text = _timed_loop(last, first=first)
    assert epochs(text) == [4.8, 4.8, 4.8]
    speed = card(text)["dimensions"]["speed"]
    assert speed["derived"] == "iterations / printed duration, evaluation included"
    assert speed["unit"] == "it/s"
    # The samples of an epoch say more.
    assert epochs(text, samples_per_epoch=1200) == [96.0, 96.0, 96.0]


def test_steps_of_the_whole_run_are_not_those_of_the_epoch() -> None:
    """60 of 180 iterations are trained in each: none counts from the beginning to the end."""
    assert epochs(_timed_loop(50, global_steps=True)) == [None, None, None]


@pytest.mark.parametrize(("last", "whole"), [(49, False), (50, True)])
def test_an_epoch_whose_lines_stop_before_its_end_has_no_iterations(last: int, whole: bool) -> None:
    """Lines come every tenth step: after step 50 of 60 none is missing, after step 40 one is."""
    assert epochs(_timed_loop(last)) == [4.8 if whole else None] * 3


@pytest.mark.parametrize(("first", "own"), [(10, True), (20, False)])
def test_an_epoch_whose_lines_begin_late_has_no_iterations(first: int, own: bool) -> None:
    """The first of lines at every tenth step is at step 10 at the latest."""
    assert epochs(_timed_loop(60, first=first)) == [4.8 if own else None] * 3


@pytest.mark.parametrize(
    ("steps", "begins", "own"),
    [((10, 20, 25), 0, True), ((15, 25), 0, False), ((10, 20, 25), 25, False)],
)
def test_the_last_line_of_an_epoch_may_come_after_fewer_iterations(
    steps: tuple[int, ...], begins: int, own: bool
) -> None:
    """25 iterations in 12.5 s, every tenth one printed and the last; two lines may show a part."""
    total = begins + 25
    text = "".join(
        "".join(f"Epoch {e} | step {begins + n}/{total} | loss 0.{e}\n" for n in steps)
        + f"Epoch {e} done in 12.50 seconds, val accuracy 6{e}.5%\n"
        for e in (1, 2, 3)
    )
    assert epochs(text) == [2.0 if own else None] * 3


def test_an_epoch_with_nothing_but_a_time_says_what_it_needs() -> None:
    text = "".join(f"Epoch {n} took 12.5s, val accuracy 6{n}.5%\n" for n in (1, 2, 3))
    assert card(text)["dimensions"]["speed"]["reason"].endswith(
        "only its time: --samples-per-epoch N"
    )
    assert card(text, samples_per_epoch=1000)["dimensions"]["speed"]["value"] == 80.0
    untimed = text.replace(" took 12.5s", "")
    assert "--samples" not in card(untimed)["dimensions"]["speed"]["reason"]
    late = "".join(f"Epoch {n}, val accuracy 6{n}.5%\n" for n in range(1, 30))
    late += "Epoch 30 took 12.5s, val accuracy 70.5%\n"
    assert "--samples-per-epoch" in card(late)["dimensions"]["speed"]["reason"]


@pytest.mark.parametrize(
    ("every", "counted"), [(1, True), (15, True), (16, False), (100, True), (101, False)]
)
def test_steps_that_grow_as_samples_do_are_not_taken_for_iterations(
    every: int, counted: bool
) -> None:
    """`[640/60000]` may count samples: the time of the epoch then says no iterations a second."""
    steps = 10 * every
    text = "".join(
        "".join(f"Epoch {e} [{n}/{steps}] loss 0.{e}\n" for n in range(0, steps, every))
        + f"Epoch {e} took 12.5 s, val acc 6{e}.5%\n"
        for e in (1, 2, 3)
    )
    assert epochs(text) == [steps / 12.5 if counted else None] * 3


def test_iterations_per_second_weigh_the_tokens_per_second_beside_them() -> None:
    """500 tokens in 5 s and 1,000 tokens in 1 s are 1,500 tokens in 6 s."""
    log = "".join(
        f"Epoch {label} iter {step}: loss 2.5, {its} it/s, {tokens} tokens/s\n"
        for label in (1, 2, 3)
        for step, its, tokens in ((10, 2.0, 100.0), (20, 10.0, 1000.0))
    )
    assert epochs(log)[:-1] == [pytest.approx(250)] * 2
