"""Each limit of a warning, and of a note, on both of its sides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sixdim.metrics.card.curves import RunCurves
from sixdim.metrics.card.forecast.forecast import Band, Forecast
from sixdim.metrics.card.forecast.run_forecast import with_times
from sixdim.metrics.card.notes import ThroughputDrops
from sixdim.metrics.card.scorecard import score
from sixdim.metrics.dimensions.telemetry.telemetry_figures import Telemetry
from sixdim.metrics.fold.runs.log_fold import LogFold
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.fold.sums.series import Place, Series
from sixdim.metrics.values.card import State
from sixdim.metrics.values.convergence import parse_target
from sixdim.metrics.values.points import EpochPoint
from sixdim.metrics.values.series import Kind
from sixdim.metrics.values.settings import Reference, Settings
from sixdim.parsers.events import EndOfInput, Evaluation, Metric, Origin
from tests.support.inputs.checked_logs import HEAD, iteration, line, mllog, mlperf
from tests.support.inputs.generated import read
from tests.support.inputs.torchvision_log import epoch, kinds
from tests.support.inputs.torchvision_log import read as card_of
from tests.support.logs import scored


def _kinds(lines: list[str], target: str = "") -> set[str]:
    card = read("".join(f"{text}\n" for text in lines).encode(), target=target).card()
    return {warning.kind for warning in card.warnings}


@pytest.mark.parametrize(
    ("closing", "warns"), [(230.4, False), (230.3, True), (281.6, False), (281.7, True)]
)
def test_a_closing_figure_may_be_a_tenth_beyond_the_lines(closing: float, warns: bool) -> None:
    lines = [iteration(i, i, 256.0) for i in range(1, 40)]
    lines.append(line(41, f"Summary: train.total_ips : {closing} images/s"))
    assert ("summary_disagrees" in _kinds(lines)) == warns


@pytest.mark.parametrize(
    ("closing", "warns"), [("1200.0", False), ("1200.5", True), ("300.0", False), ("299.5", True)]
)
def test_a_computed_speed_may_be_twice_or_half_of_the_printed_rates(
    closing: str, warns: bool
) -> None:
    """59,400 samples in 99 s are 600 a second."""
    lines = mlperf(59_400, f', "status": "success", "throughput": "{closing}"')
    assert ("rates_disagree" in _kinds(lines)) == warns


@pytest.mark.parametrize(("spread", "warns"), [(0.09, True), (0.11, False)])
def test_pairs_that_scatter_by_more_than_a_tenth_contradict_no_batch(
    spread: float, warns: bool
) -> None:
    """The middle half of the samples an iteration: from 4096 down to a spread below it."""
    rates = [10240.0 * (1 - spread * (i % 4 in (1, 2))) for i in range(80)]
    lines = [iteration(i * 0.4, i, rates[i]) for i in range(1, 80)]
    assert (
        "batch_disagrees" in _kinds([f"{HEAD}world_size : 16  batch_size : 128", *lines])
    ) == warns


@pytest.mark.parametrize(
    ("target", "accuracy", "warns"),
    [("acc1>1", 0.5, True), ("acc1>1.5", 0.5, False)],
)
def test_a_target_of_one_or_less_is_no_percentage(
    target: str, accuracy: float, warns: bool
) -> None:
    card = read(epoch(0, 100, accuracy).encode(), target=target).card()
    assert ("target_unit" in {warning.kind for warning in card.warnings}) == warns


@pytest.mark.parametrize(("accuracy", "warns"), [(100.0, False), (100.001, True)])
def test_an_accuracy_above_a_hundred_percent_is_impossible(accuracy: float, warns: bool) -> None:
    assert ("impossible_accuracy" in kinds(card_of(epoch(0, 100, accuracy)))) == warns


@pytest.mark.parametrize(
    ("throughput", "drops"), [(85.0, 0), (84.9, 1)], ids=["at 85 %", "below 85 %"]
)
def test_a_drop_is_below_85_percent_of_the_median_of_three_epochs(
    throughput: float, drops: int
) -> None:
    def point(label: int, rate: float) -> EpochPoint:
        return EpochPoint(label, rate, False, None, None, 1, label + 1, label + 1, True)

    two, three = ThroughputDrops(), ThroughputDrops()
    two.add([point(0, 100.0), point(1, 100.0), point(2, throughput)])
    three.add([*(point(n, 100.0) for n in range(3)), point(3, throughput)])
    assert (len(two.notes), len(three.notes)) == (0, drops)


@pytest.mark.parametrize(("speed", "warns"), [(800.0, False), (800.5, True)])
def test_eight_devices_may_be_eight_times_as_fast_as_one(speed: float, warns: bool) -> None:
    one = Reference("one", 100.0, "img/s", "job", 1, state=State.FINAL)
    epochs = "".join(epoch(label, speed, 70.0) for label in range(6, 11))
    card = card_of(epochs, baseline=one, given={"devices": 8})
    assert card["dimensions"]["linearity"]["value"] == speed / 800
    assert ("super_linear" in kinds(card)) == warns


@pytest.mark.parametrize(("samples", "warns"), [(204, False), (205, True)])
def test_a_whole_run_may_be_two_percent_faster_than_its_fastest_epoch(
    samples: int, warns: bool
) -> None:
    """Nine epochs in 20 s are 91.8 or 92.25 samples a second; each epoch prints 90."""
    log = "".join(epoch(label, 90.0, 70.0) for label in range(9)) + "Training time 0:00:20\n"
    card = card_of(log, given={"samples_per_epoch": samples})
    assert ("end_to_end_faster" in kinds(card)) == warns
    assert card["end_to_end"]["value"] == (None if warns else samples * 9 / 20)


def test_a_whole_run_may_be_faster_than_the_epochs_of_the_window() -> None:
    """Epochs 6 to 10 print 90 samples a second, those in front of them 200."""
    rates = [200.0] * 6 + [90.0] * 5
    log = "".join(epoch(label, rate, 70.0) for label, rate in enumerate(rates))
    card = card_of(log + "Training time 0:00:20\n", given={"samples_per_epoch": 250})
    assert card["dimensions"]["speed"]["value"] == 90.0
    assert card["end_to_end"]["value"] == 250 * 11 / 20
    assert "end_to_end_faster" not in kinds(card)


@pytest.mark.parametrize(("met_ms", "warns"), [(1_201_100, False), (1_201_101, True)])
def test_a_target_may_be_met_a_second_after_the_run_is_over(met_ms: int, warns: bool) -> None:
    """The closing line stands at 1200.1 s."""
    lines = mlperf(60_000, ', "status": "success"')
    lines[-2] = mllog(met_ms, "eval_accuracy", "0.76", ', "epoch_num": 11')
    assert ("clocks_disagree" in _kinds(lines)) == warns


@pytest.mark.parametrize(("target", "warns"), [("mlm_acc>1", False), ("mlm_acc>1.01", True)])
def test_a_target_above_one_is_no_fraction(target: str, warns: bool) -> None:
    run = LogFold(Settings(target=parse_target(target, "--target")))
    run.apply(Evaluation(Origin(1, 0), (Metric("mlm_acc", 0.5, "fraction"),), 0))
    run.apply(EndOfInput(Origin(2, 90)))
    card = score(run, run.chosen(), run.settings, Telemetry(), None, {"log": "a", "sha256": ""})
    assert ("target_unit" in {warning.kind for warning in card.warnings}) == warns


@pytest.mark.parametrize(
    ("steps", "over"),
    [
        (1, (0.0, 10.0)),
        (2, (10.0, 20.0)),
        (15, (140.0, 150.0)),
        (16, (140.0, 160.0)),
        (23, (210.0, 230.0)),
        (24, (210.0, 240.0)),
    ],
)
def test_series_are_compared_over_the_last_eighth_of_the_steps_and_one_at_least(
    steps: int, over: tuple[float, float]
) -> None:
    def made(value: float) -> RunCurves:
        series = Series("loss", "", Kind.LOSS)
        for n in range(1, steps + 1):
            series.add(value * n, Place(10.0 * n))
        return RunCurves(
            replace(read(epoch(0, 100, 50.0).encode()).snapshot(), series=(series.view(),))
        )

    own, other = made(1.0), made(3.0)
    gap = own.series_gap(own.snapshot.series[0], other)
    mean = {1: 1.0, 2: 2.0, 15: 15.0, 16: 15.5, 23: 22.5, 24: 23.0}[steps]
    assert (gap.over, gap.own, gap.other) == (over, mean, 3 * mean)


@pytest.mark.parametrize(("older", "pace"), [(0, 1.0), (1, 9.0)])
def test_the_clock_of_twenty_evaluations_gives_the_usual_time(older: int, pace: float) -> None:
    """Of the 19 times between them, ten are a second; one of these is no longer among them."""
    seconds = [9.0] * 5 + [1.0] + [9.0] * (9 + older) + [1.0] * 9
    events = [
        Evaluation(Origin(n, 90 * n, int(sum(seconds[:n]) * 1e6) + 1), (Metric("acc1", 0.5),))
        for n in range(len(seconds) + 1)
    ]
    run = Run()
    for event in events:
        run.apply(event)
    said = with_times(run, Forecast(Band(1.0, 2.0, 3.0), "evaluation"))
    assert said.seconds == (pace, 2 * pace, 3 * pace)


@pytest.mark.parametrize(
    ("printed_ms", "between_s", "warns"),
    [
        (100, 20, False),
        (100, 21, True),
        (200, 10, False),
        (200, 9, True),
        (100, 4, True),
        (100, 3, False),
    ],
)
def test_printed_times_are_compared_with_the_clock_between_their_lines(
    printed_ms: int, between_s: int, warns: bool
) -> None:
    """Lines every 100 steps: 21 s between two of them are 0.21 s a step.

    Five times 4 s are the 20 s from which on a clock of whole seconds is exact enough.
    """
    lines = "".join(
        f"2024-05-01 10:0{n * between_s // 60}:{n * between_s % 60:02} "
        f"step {n * 100}/1000, loss 0.{9 - n}, {printed_ms} ms/step\n"
        for n in range(6)
    )
    card = scored(lines)
    assert card["dimensions"]["speed"]["value"] == pytest.approx(1000 / printed_ms)
    assert ("times_disagree" in [one["kind"] for one in card["warnings"]]) == warns


def test_printed_times_that_give_no_speed_are_not_compared_with_the_clock() -> None:
    """As the lines above, 0.21 s a step by the clock, but the speed is a rate that they print."""
    lines = "".join(
        f"2024-05-01 10:0{n * 21 // 60}:{n * 21 % 60:02} "
        f"step {n * 100}/1000, loss 0.{9 - n}, 100 ms/step, 152.5 samples/sec\n"
        for n in range(6)
    )
    card = scored(lines)
    assert card["dimensions"]["speed"]["value"] == 152.5
    assert "times_disagree" not in [one["kind"] for one in card["warnings"]]
