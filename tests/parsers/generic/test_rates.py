"""Rates that are the mean since the epoch began, and those of the last iterations."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate

import pytest

from sixdim.parsers.events import EpochEnd, Iteration
from tests.support.logs import only, read, scored

SECONDS = [1.0, 1.5, 4.0, 1.2, 2.3]
"""Of five iterations each, with 16 samples in one."""


def log(rate: Callable[[int, float], float]) -> str:
    """Ten epochs whose lines say how long the epoch goes on; the rate is a function of a line."""
    lines = []
    for epoch in range(1, 11):
        for at, passed in enumerate(accumulate(SECONDS)):
            lines.append(
                f"epoch {epoch} - iter {5 * at + 5}/25 - loss 0.5 - time (sec): {passed:.2f} - "
                f"samples/sec: {rate(at, passed):.2f} - lr: 0.5"
            )
    return "".join(f"{line}\n" for line in lines)


def test_a_rate_that_is_all_work_over_all_time_is_the_mean_of_the_epoch() -> None:
    speed = scored(log(lambda at, passed: 80 * (at + 1) / passed))["dimensions"]["speed"]
    assert speed["value"] == pytest.approx(25 * 16 / sum(SECONDS), rel=1e-3)
    assert "the log's own mean of the epoch" in speed["derived"]


def test_a_rate_of_the_last_iterations_is_none() -> None:
    text = log(lambda at, _: 80 / SECONDS[at])
    assert {e.mean_throughput for e in only(read(text, "generic"), Iteration)} == {None}


@pytest.mark.parametrize(("factor", "same"), [(1.02, True), (1.04, False)])
def test_the_work_of_an_iteration_is_the_same_but_for_rounding(factor: float, same: bool) -> None:
    text = log(lambda at, passed: (factor if at == 2 else 1) * 80 * (at + 1) / passed)
    third = only(read(text, "generic"), Iteration)[2]
    assert (third.mean_throughput is not None) == same


def test_a_bar_without_words_or_end_counts_no_iterations() -> None:
    before = "0it [00:00, ?it/s]\n800it [00:00, 18273.55it/s]\n"
    text = log(lambda at, passed: 80 * (at + 1) / passed)
    assert [e.epoch for e in only(read(before + text, "generic"), Iteration)][:2] == [1, 1]


METERS = "epoch [{e}/12] batch [{b}/100] time {t:.3f} ({m:.3f}) data 0.000 (0.106) loss 2.5 (2.6)"


def test_a_time_beside_that_of_the_data_is_an_iterations_with_its_mean() -> None:
    """The meters of torch's example, in a loop that names its figures otherwise."""
    lines = [
        METERS.format(e=epoch, b=batch, t=time, m=mean)
        for epoch in range(1, 11)
        for batch, time, mean in ((50, 0.5, 0.75), (100, 0.2, 0.25 + 0.01 * epoch))
    ]
    text = "\n".join(lines) + "\n"
    first = only(read(text, "generic"), Iteration)[0]
    assert (first.step, first.duration, first.mean_duration) == (50, 0.5, 0.75)
    speed = scored(text)["dimensions"]["speed"]
    # Of the epochs 6 to 10 those with the highest and the lowest are left out.
    assert speed["value"] == pytest.approx((1 / 0.32 + 1 / 0.33 + 1 / 0.34) / 3)
    alone = text.replace("data", "memory")
    assert scored(alone)["dimensions"]["speed"]["value"] is None


def test_a_rate_of_other_work_beside_the_training_is_no_throughput() -> None:
    text = "".join(
        f"Epoch {epoch} loss 0.{9 - epoch}\n"
        f"PTBTokenizer tokenized 46{epoch} tokens at 192466.{epoch} tokens per second.\n"
        for epoch in range(1, 9)
    )
    assert scored(text)["dimensions"]["speed"]["value"] is None


def test_a_rate_of_a_training_that_is_distributed_is_one() -> None:
    text = "".join(f"step {n}: distributed loss 0.{n}, 12{n} tokens/s\n" for n in range(1, 9))
    assert {e.throughput for e in only(read(text, "generic"), Iteration)} >= {121.0, 128.0}


def test_of_several_rates_the_total_one_is_the_trainings() -> None:
    """As rl_games prints them: of the environments alone, with the policy, of the whole loop."""
    text = "".join(
        f"fps step: 70000.{n} fps step and policy inference: 42000.5  fps total: 26000.5 "
        f"epoch: {n}/100\n"
        for n in range(1, 13)
    )
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(26000.5), "frames/s")


def test_the_validation_of_icefall_inside_an_epoch() -> None:
    clock, figures = (
        "2022-05-10 10:{m:02}:00,100 INFO [train.py:812] Epoch 1, ",
        "over 90.5 frames.",
    )
    lines = [
        clock.format(m=batch // 50) + f"batch {batch}, loss[ctc_loss=1.0, loss=0.9, {figures}], "
        f"tot_loss[ctc_loss=1.1, loss=0.95, {figures}], batch size: 18, lr: 3.00e-03"
        for batch in range(0, 300, 50)
    ]
    tested = (
        clock.format(m=6) + f"validation: ctc_loss=1.524, att_loss=0.946, loss=1.062, {figures}"
    )
    card = scored("\n".join([*lines, tested, ""]))
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("loss", 1.062)
    assert card["dimensions"]["speed"]["value"] == pytest.approx(50 / 60)


def test_the_rate_of_a_bar_that_counts_images_is_its_mean() -> None:
    """Each of 8 epochs: 60,000 images in 6 s, drawn four times with the pace of the moment."""
    drawn = ((600, 2, 300.0), (20000, 4, 9000.5), (40000, 5, 19000.0), (60000, 6, 19990.5))
    lines = [
        f"Epoch {epoch}: {step / 600:3.0f}%|{'#' * (step // 6000):10}| {step}/60000 "
        f"[00:0{seconds}<00:0{6 - seconds}, {pace:.2f}img/s, loss={5 / epoch:.3f}]"
        for epoch in range(1, 9)
        for step, seconds, pace in drawn
    ]
    card = scored("\n".join(lines) + "\n")
    assert card["run"]["format"] == "generic"  # Lightning's bars count iterations
    speed = card["dimensions"]["speed"]
    assert speed["unit"] == "img/s"
    assert 60000 / 7 < speed["value"] <= 60000 / 6


def summed_up(after: str = "") -> str:
    """Three epochs whose lines have the rate of a batch, and a last line with the epoch's own."""
    return "".join(
        "".join(f"epoch {e} step {s} loss 0.5 speed {100 * s} images/s\n" for s in range(1, 6))
        + f"epoch {e} loss 0.4 speed {250 + e} images/s\n{after}"
        for e in range(1, 4)
    )


def test_a_rate_without_a_step_after_rates_of_steps_is_the_epochs() -> None:
    """The harmonic mean of the batches' rates, 5 / (1/100 + … + 1/500) = 219, is not it."""
    speed = scored(summed_up())["dimensions"]["speed"]
    assert (speed["values"], speed["value"]) == ([251.0, 252.0, 253.0], 252.0)


def test_a_further_rate_after_the_epochs_does_not_replace_it() -> None:
    speed = scored(summed_up("total loss 0.4 speed 900 images/s\n"))["dimensions"]["speed"]
    assert speed["values"] == [251.0, 252.0, 253.0]


def test_a_rate_without_a_step_in_the_middle_of_an_epoch_is_not_the_epochs() -> None:
    text = "".join(
        f"epoch {e} step {s} loss 0.5 speed 200 images/s\nepoch {e} loss 0.4 speed 900 images/s\n"
        for e in range(1, 4)
        for s in range(1, 4)
    )
    ends = only(read(text, "generic"), EpochEnd)
    assert [e.epoch for e in ends if e.throughput is not None] == [1]


def test_a_rate_of_an_inference_is_not_the_trainings() -> None:
    steps = "".join(f"step {n} loss 0.{n}\n" for n in range(10, 90, 10))
    timed = "Total inference time: 0:00:16.25 (0.029920 s / iter per device, on 1 devices)\n"
    assert scored(steps + timed)["dimensions"]["speed"]["value"] is None
    trained = timed.replace("inference", "training")
    assert scored(steps + trained)["dimensions"]["speed"]["value"] == pytest.approx(33.42, abs=0.01)


def test_a_rate_of_the_computation_alone_is_none() -> None:
    text = "".join(f"step {n} loss 0.5 compute_ips: 95{n} images/s\n" for n in range(1, 9))
    assert scored(text)["dimensions"]["speed"]["value"] is None
    both = text.replace(" images/s", " images/s total_ips: 80 images/s")
    assert scored(both)["dimensions"]["speed"]["value"] == pytest.approx(80)


@pytest.mark.parametrize(("printed", "known"), [("4ms/step", False), ("5ms/step", True)])
def test_a_time_of_a_step_below_five_of_its_unit_is_too_coarse(printed: str, known: bool) -> None:
    text = "".join(f"step {n} loss 0.{n} {printed}\n" for n in range(1, 9))
    assert (scored(text)["dimensions"]["speed"]["value"] is not None) == known


@pytest.mark.parametrize(("printed", "known"), [("4ms/step", False), ("1s/step", True)])
def test_times_of_a_step_are_not_the_speed_beside_those_that_are_too_coarse(
    printed: str, known: bool
) -> None:
    """Else the slow steps would be the speed; in another unit, it was a single slow step."""
    text = "".join(f"step {n} loss 0.{n} {n}ms/step\n" for n in range(11, 19))
    before = f"step 10 loss 0.9 {printed}\n"
    assert (scored(before + text)["dimensions"]["speed"]["value"] is not None) == known


def test_lines_of_unequal_work_count_by_their_updates_per_second() -> None:
    """1000 tokens in 10 s, then 200 in 20 s: 40 tokens/s; the rates' harmonic mean is 18.2."""
    text = "".join(
        f"epoch 1 step {n}/900 loss=9.2, wps={wps}, ups={ups}, lr=0.1\n"
        for n, (wps, ups) in zip(range(100, 900, 100), [(100, 0.1), (10, 0.05)] * 4, strict=True)
    )
    assert scored(text)["dimensions"]["speed"]["value"] == pytest.approx(40)


def test_the_steps_a_second_of_a_monitor_beside_the_seconds_of_each_step() -> None:
    """TF-Slim prints both, and begins with 0 steps/s: the seconds of each step are the speed."""
    rate = "INFO:tensorflow:global_step/sec: {}\n"
    text = rate.format(0) + "".join(
        f"INFO:tensorflow:global step {step}: loss = {9 - step / 100:.4f} (0.500 sec/step)\n"
        + (rate.format(1.25) if step % 50 == 0 else "")
        for step in range(1, 121)
    )
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (2.0, "it/s")


@pytest.mark.parametrize(
    ("time", "rate"),
    [
        ("Batch time 2.5 (2.0)", 0.5),  # the mean since the epoch began
        ("batch_time: 2.5 (2.0)", 0.5),
        ("BatchTime: 2.500 (2.000)", 0.5),
        ("Wait time 2.5 (2.0)", None),
        ("Batch size 2.5 (2.0)", None),
    ],
)
def test_the_time_of_a_batch_beside_its_mean_is_in_seconds(time: str, rate: float | None) -> None:
    lines = [
        f"Epoch: [{epoch}][{step}/100]\t{time}\tLoss 0.5{epoch} (0.6{epoch})\n"
        for epoch in range(3)
        for step in (0, 50, 99)
    ]
    assert scored("".join(lines))["dimensions"]["speed"]["value"] == rate


@pytest.mark.parametrize("device", ["gpu", "npu"])
@pytest.mark.parametrize("between", [" ", ","])
def test_a_rate_whose_unit_names_the_device_before_the_second(device: str, between: str) -> None:
    """InternEvo prints the rate of the last iteration beside means of several."""
    pairs = "tflops=180.5 step={n} loss={n}.5 tgs (tokens/{device}/second)={rate} tgs/tgs_avg=9.5 "
    log = "".join(
        pairs.format(n=n, device=device, rate=4000 + n).replace(" tgs/", f"{between}tgs/") + "\n"
        for n in range(1, 9)
    )
    speed = scored(log)["dimensions"]["speed"]
    assert (speed["unit"], speed["scope"]) == ("tokens/s", "per device")
    assert 4001 <= speed["value"] <= 4008


@pytest.mark.parametrize("collection", ["", "collection=train "])
def test_the_steps_per_second_of_clu_on_the_line_of_the_loss(collection: str) -> None:
    """Flax's examples: 100 steps in 25 s between two lines."""
    log = "".join(
        f"I0309 21:{n * 25 // 60:02}:{n * 25 % 60:02}.000000 140737350 logging_writer.py:48] "
        f"[{n}00] {collection}learning_rate=0.1, steps_per_second=4.0, train_loss={9 / n:.6g}\n"
        for n in range(1, 13)
    )
    card = scored(log)
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (4, "it/s")
    # Without a rate the label may be that of an epoch.
    bare = scored(log.replace("steps_per_second=4.0, ", ""))["dimensions"]["speed"]
    assert bare["value"] is None


def test_a_second_rate_of_a_step_on_a_line_of_another_form_is_none() -> None:
    """T5X evaluates after each 100 steps, and prints the rate of that under the same name."""
    train = "[{n}00] learning_rate=0.1, loss={loss}, timing/seqs_per_second=64.0, timing/steps_per_second=0.5"
    other = "[{n}00] loss={loss}, timing/seqs_per_second=400.0, timing/steps_per_second=3.125"
    log = "".join(
        f"{line.format(n=n, loss=9.5 - n / 4)}\n" for n in range(1, 13) for line in (train, other)
    )
    speed = scored(log)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (64, "sequences/s")


def test_the_heading_of_an_epoch_is_no_line_that_lost_its_rate() -> None:
    """As WaveGlow's script prints it."""
    lines = []
    for epoch in range(12):
        lines.append(f"Epoch: {epoch}")
        lines += [
            f"{80 * epoch + at}:\tloss:-5.{at}; \tdur_time:0.5s; \tthroughput:1600.0;"
            for at in range(80)
        ]
    card = scored("\n".join([*lines, "Training finished", ""]))
    assert (card["dimensions"]["speed"]["value"], card["warnings"]) == (1600.0, [])


def test_the_steps_that_follow_a_heading_of_an_evaluation_are_not_the_trainings() -> None:
    """They have no loss, begin again, and are three times as fast."""
    text = ""
    for epoch in (1, 2, 3):
        text += f"Epoch {epoch}/3\n"
        text += "".join(f"step {s}: loss 0.{s}{epoch} 120.0 samples/s\n" for s in (20, 40, 60))
        text += "evaluating...\n"
        text += "".join(f"step {s}: 360.0 samples/s\n" for s in (1, 2, 3, 4))
        text += f"val loss 0.5{epoch} acc 0.7{epoch}\n"
    card = scored(text)
    assert card["dimensions"]["speed"]["value"] == 120.0
    assert not [w for w in card["warnings"] if w["kind"] == "resume"]


def test_steps_go_on_after_the_heading_of_an_evaluation() -> None:
    steps = [[f"step {s}: 120.0 samples/s" for s in range(at, at + 50, 10)] for at in (0, 50, 100)]
    lines = [line for part in steps for line in (*part, "Evaluating...", "val acc: 0.71")]
    assert len(only(read("\n".join([*lines, ""]), "generic"), Iteration)) == 15


def test_a_bar_that_is_drawn_again_with_its_first_figures_has_its_speed() -> None:
    """Of tqdm in images, whose loss is drawn beside the first count after the bar was updated."""
    bars = "".join(
        f"\rEpoch {epoch}/3: 0%|  | 0/640 [00:00<?, ?img/s]"
        + "".join(
            f"\rEpoch {epoch}/3: {done / 6.4:.0f}%|##| {done}/640 [00:0{done // 160}<00:04, "
            f"160.{epoch}img/s{figures}]"
            for done in range(16, 656, 16)
            for figures in (f", loss={1 - (done - 16) / 999:.3f}" * (done > 16), ", loss=0.5")
        )
        + f"\nval_acc: 0.{4 + epoch}\n"
        for epoch in (1, 2, 3)
    )
    rates = {e.throughput for e in only(read(bars, "generic"), Iteration)}
    assert rates == {160.1, 160.2, 160.3}
    assert scored(bars)["warnings"] == []


@pytest.mark.parametrize(
    "line", ["progress {}/90 tokens | 120 tok/s | eta 5 min", "file {}/90: 12.5 images/s"]
)
def test_a_rate_beside_a_count_of_anything_is_the_trainings_once_there_is_one(line: str) -> None:
    lines = [line.format(n) for n in range(10, 91, 10)]
    assert scored("\n".join([*lines, ""]))["dimensions"]["speed"]["value"] is None
    epochs = [text for epoch in range(1, 4) for text in (f"Epoch {epoch}/3", *lines)]
    assert scored("\n".join([*epochs, ""]))["dimensions"]["speed"]["value"] in (120.0, 12.5)


def test_the_throughput_of_a_server_is_no_trainings() -> None:
    line = "Avg prompt throughput: 339.5 tokens/s, Avg generation throughput: 4{}.5 tokens/s\n"
    text = "".join(line.format(n % 10) for n in range(30)) + "Epoch 1 loss 0.5\n"
    assert scored(text)["dimensions"]["speed"]["value"] is None


@pytest.mark.parametrize(
    "line", ["Epoch {e}: loss 0.5, {r} it/s", "Epoch {e} done, {r} batches/s", "epoch {e} {s} s/it"]
)
def test_the_only_line_of_an_epoch_may_have_its_pace_alone(line: str) -> None:
    """Epochs 6 to 10 at 86 to 90 iterations a second, of which the lowest and highest are left."""
    text = "".join(f"{line.format(e=e, r=80 + e, s=1 / (80 + e))}\n" for e in range(1, 13))
    speed = scored(text)["dimensions"]["speed"]
    assert speed["value"] == pytest.approx(88, rel=1e-3) and speed["unit"] == "it/s"
