"""The forecast of when a target is met: a band, or nothing with a reason."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from sixdim import sample_logs
from sixdim.metrics.card.forecast import learning_curve
from sixdim.metrics.card.forecast.forecast import (
    FURTHEST,
    LATEST,
    LEAST,
    WIDEST,
    Forecast,
    forecast,
    has_step,
)
from sixdim.metrics.card.forecast.learning_curve import Crossing, fit
from sixdim.metrics.card.forecast.remaining import remaining
from sixdim.metrics.card.forecast.run_forecast import run_forecast
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.convergence import parse_target
from sixdim.metrics.values.points import EvaluationPoint
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import Iteration, Origin
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.session import Session


def curve(law: Callable[[int], float], count: int, noise: float, seed: int = 1) -> list[float]:
    """Values of a law at 1, 2, … with normal noise."""
    random = np.random.default_rng(seed)
    return [law(n) + noise * float(random.normal()) for n in range(1, count + 1)]


def at_epochs(values: Sequence[float], first: int = 0, every: int = 1) -> list[EvaluationPoint]:
    return [
        EvaluationPoint(first + every * n, None, value, 10 + n) for n, value in enumerate(values)
    ]


def rising(n: int) -> float:
    return 80.0 - 60.0 * math.exp(-n / 8.0)


def falling(n: int) -> float:
    return 2.0 + 4.0 / n


def first_met(values: Sequence[float], goal: float, minimise: bool) -> int:
    return next(n for n, v in enumerate(values) if (v <= goal if minimise else v >= goal))


@pytest.mark.parametrize(
    ("law", "noise", "goal", "minimise", "seen"),
    [(rising, 0.3, 72.0, False, 12), (falling, 0.004, 2.29, True, 10)],
    ids=["exponential", "power law, lower is better"],
)
def test_the_band_holds_the_truth_of_a_known_law(
    law: Callable[[int], float], noise: float, goal: float, minimise: bool, seen: int
) -> None:
    spoke = held = 0
    for seed in range(40):
        values = curve(law, 60, noise, seed)
        ahead = first_met(values, goal, minimise) - (seen - 1)
        said = forecast(at_epochs(values[:seen]), goal, minimise).band
        if said is None:
            continue
        spoke += 1
        assert 1 <= said.low <= said.median <= said.high <= WIDEST * said.low
        held += said.low <= ahead <= said.high
    assert spoke >= 10
    assert held >= 0.8 * spoke


def test_a_loss_and_its_mirror_are_forecast_alike() -> None:
    values = curve(rising, 12, 0.3)
    mirrored = [-value for value in values]
    assert forecast(at_epochs(values), 72, False) == forecast(at_epochs(mirrored), -72, True)


def test_neither_scale_nor_first_label_nor_spacing_changes_the_number_of_evaluations() -> None:
    values = curve(rising, 12, 0.3)
    plain = forecast(at_epochs(values), 72, False)
    percent = forecast(at_epochs([v / 100 for v in values], first=1), 0.72, False)
    sparse = forecast(at_epochs(values, first=4, every=4), 72, False)
    assert plain.band is not None and sparse.band is not None
    assert percent.band == plain.band
    assert sparse.band == plain.band.times(4)
    assert sparse.epoch == 48 + 4 * round(plain.band.median)


def test_nothing_is_said_before_enough_evaluations() -> None:
    values = curve(rising, 40, 0.05)
    assert forecast(at_epochs(values[: LEAST - 1]), 60.0, False).reason == "needs 6 evaluations"
    assert forecast(at_epochs(values[:LEAST]), 60.0, False).band is not None


def test_values_that_are_no_numbers_do_not_count() -> None:
    values = [*curve(rising, LEAST - 1, 0.05), math.nan, math.inf]
    assert forecast(at_epochs(values), 60.0, False).reason == "needs 6 evaluations"


@pytest.mark.parametrize("goal", [84.0, 90.0])
def test_a_curve_that_levels_off_below_the_target_says_nothing(goal: float) -> None:
    said = forecast(at_epochs(curve(rising, 40, 0.05)), goal, False)
    assert said.band is None
    assert "before the target" in said.reason
    assert forecast(at_epochs(curve(rising, 24, 0.05)), 78.5, False).band is not None


def test_a_target_out_of_all_proportion_says_nothing() -> None:
    said = forecast(at_epochs(curve(rising, 40, 0.05)), 1e308, False)
    assert said.band is None and said.reason


def test_a_run_that_gets_worse_says_nothing() -> None:
    said = forecast(at_epochs([70.0 - n for n in range(12)]), 75.0, False)
    assert said.reason == "the evaluations do not move towards the target"


@pytest.mark.parametrize(
    "values", [[5.0] * 12, [1e308, -1e308] * 6, [0.0] * 12, [75.0 - 1e-300] * 12]
)
def test_values_without_a_curve_say_nothing(values: list[float]) -> None:
    said = forecast(at_epochs(values), 75.0, False)
    assert said.band is None and said.reason


def test_what_is_further_ahead_than_twice_the_run_so_far_is_not_said() -> None:
    straight = [float(n) for n in range(1, 21)]
    near = forecast(at_epochs(straight), 30.0, False)
    assert near.band is not None and near.band.high <= FURTHEST * 20
    assert forecast(at_epochs(straight), 60.0, False).band is None


def test_a_cut_of_the_learning_rate_is_a_step_and_noise_is_none() -> None:
    before = curve(rising, 20, 0.3)
    assert not has_step(before)
    assert has_step([*before, before[-1] + 9.0])
    usual = max(abs(b - a) for a, b in zip(before[-6:], before[-5:], strict=False))
    assert not has_step([*before, before[-1] + 2.9 * usual])
    assert has_step([*before, before[-1] + 4.0 * max(usual, 1.0)])
    assert not has_step([10.0, 50.0, 55.0, 58.0, 60.0])  # the first epochs of any run


def test_the_built_in_run_is_not_promised_its_target_early() -> None:
    """Its learning rate is cut in steps; 75.9 is met at epoch 64, right after the last cut."""
    session = Session("run.log", Settings(), formats())
    text = sample_logs.path(sample_logs.RUN).read_text()
    for part in text.splitlines(keepends=True):
        session.feed(part.encode())
        if "Acc@1" not in part:
            continue
        said = run_forecast(session.run)
        if said.band is not None and said.epoch is not None:
            assert said.last + said.band.low <= 64 <= said.last + said.band.high
    assert run_forecast(session.run).reason == "the target is met"


def test_a_target_of_two_metrics_waits_for_the_later() -> None:
    lines = "".join(
        f"Epoch: [{n}]  [0/2]  eta: 0:00:01  lr: 0.1  img/s: 10.0  loss: 1.5 (1.5)  "
        "acc1: 10.0 (10.0)  acc5: 20.0 (20.0)  time: 0.3  data: 0.001\n"
        f"Epoch: [{n}] Total time: 0:01:00\n"
        f" * Acc@1 {rising(n + 1):.3f} Acc@5 {rising(n + 2) + 10:.3f}\n"
        for n in range(12)
    )

    def said(target: str) -> Forecast:
        wanted = Settings(target=parse_target(target, "--target"))
        session = Session("run.log", wanted, formats())
        session.feed(("Start training\n" + lines).encode())
        return session.snapshot().forecast

    first, second, both = said("acc1>=73"), said("acc5>=81"), said("acc1>=73,acc5>=81")
    assert first.band is not None and second.band is not None and both.band is not None
    assert both.band.high == max(first.band.high, second.band.high)
    assert both.seconds is not None and both.seconds.low == 60.0 * both.band.low
    assert said("acc1>=73,acc5>=20").band == first.band  # the second is met already


def test_runs_counted_in_steps_and_several_evaluations_in_an_epoch() -> None:
    values = curve(falling, 12, 0.002)
    steps = [EvaluationPoint(None, 250 * n, value, n) for n, value in enumerate(values)]
    by_step = forecast(steps, 2.25, True)
    assert by_step.unit == "step" and by_step.epoch is None
    assert by_step.band is not None and by_step.band.low % 250 == 0
    twice = [point for p in at_epochs(values) for point in (p._replace(value=p.value + 9), p)]
    assert forecast(twice, 2.25, True) == forecast(at_epochs(values), 2.25, True)
    one_epoch = [EvaluationPoint(1, None, value, n) for n, value in enumerate(values)]
    assert forecast(one_epoch, 2.25, True).unit == "evaluation"


def test_only_the_latest_evaluations_count() -> None:
    values = curve(lambda n: 80.0 - 60.0 * math.exp(-n / 400.0), LATEST + 40, 0.05)
    assert forecast(at_epochs(values), 70.0, False) == forecast(
        at_epochs(values)[-LATEST:], 70.0, False
    )


def stood_in(monkeypatch: pytest.MonkeyPatch, found: Crossing) -> Forecast:
    """The forecast of twelve rising evaluations whose curves cross the target like this."""
    monkeypatch.setattr(learning_curve, "crossing", lambda *_: found)
    return forecast(at_epochs([float(n) for n in range(12)]), 30.0, False)


def crossed(low: int, middle: int, high: int, above: float = 1.0) -> Crossing:
    """The chances reach 0.2, 0.5 and 0.9 after so many evaluations, and grow nowhere else."""
    counts = np.arange(1.0, 31.0)
    chance = 0.19 + 0.01 * (counts >= low) + 0.3 * (counts >= middle) + 0.4 * (counts >= high)
    return Crossing(counts, chance, np.full(30, above))


@pytest.mark.parametrize(
    ("found", "band", "reason"),
    [
        (crossed(2, 5, 12), (2, 5, 12), ""),
        (crossed(2, 5, 13), None, "the evaluations do not yet say when"),
        (crossed(8, 20, 24), (8, 20, 24), ""),
        (crossed(8, 20, 25), None, "the target is too far away"),
        (crossed(2, 5, 12, 0.5), (2, 5, 12), ""),
        (crossed(2, 5, 12, 0.49), None, "the curve may level off before the target"),
        (crossed(2, 5, 30), None, "the evaluations do not yet say when"),
        (crossed(2, 5, 31), None, "the curve may level off before the target"),
        (crossed(2, 31, 31), None, "the curve levels off before the target"),
    ],
)
def test_a_band_ends_by_six_times_its_beginning_and_twice_the_evaluations_so_far(
    monkeypatch: pytest.MonkeyPatch,
    found: Crossing,
    band: tuple[float, float, float] | None,
    reason: str,
) -> None:
    said = stood_in(monkeypatch, found)
    assert (said.band, said.reason) == (band, reason)


@pytest.mark.parametrize(
    ("heights", "step"),
    [
        # Three times the change before it is none, and neither is the fourth change of a run.
        ([0.0, 1.0, 2.0, 3.0, 4.0, 7.0], False),
        ([0.0, 1.0, 2.0, 3.0, 4.0, 7.25], True),
        ([0.0, 1.0, 2.0, 3.0, 6.25], False),
        # Only the five changes before it count.
        ([0.0, 9.0, 10.0, 11.0, 12.0, 13.0, 17.0], False),
        ([0.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 18.0], True),
        # From 0 to 100 were gained: a twenty-fifth of that is none.
        ([0.0, *[96.0] * 6, 100.0], False),
        ([0.0, *[95.75] * 6, 100.0], True),
    ],
)
def test_the_limits_of_a_step(heights: list[float], step: bool) -> None:
    assert has_step(heights) == step


@pytest.mark.parametrize(("count", "seen"), [(513, True), (514, False)])
def test_the_513th_evaluation_from_the_end_does_not_count(count: int, seen: bool) -> None:
    """The sixth change is a step where it is the fifth, at least, of those that count."""
    values = [n * 0.001 + 9.0 * (n >= 6) for n in range(count)]
    reason = "the curve has a step, and may have another"
    assert (forecast(at_epochs(values), 12.0, False).reason == reason) == seen


@pytest.mark.parametrize("power", [True, False])
def test_a_curve_of_either_family_is_fitted_without_an_error(power: bool) -> None:
    """The steepest power law, and the exponential of the shortest time: 0.3 of 12 evaluations."""
    places = np.arange(1.0, 13.0)
    curves = fit(places, -np.power(places, -3.0) if power else -np.exp(-(places - 1.0) / 3.6))
    assert curves is not None
    best = int(np.argmax(curves.likelihood))
    assert bool(curves.power[best]) == power
    assert curves.rate[best] == pytest.approx(3.0 if power else 1 / 3.6)
    assert curves.noise[best] < 1e-6


@pytest.mark.parametrize(("step", "left"), [(99, None), (100, 9900.0)])
def test_the_pace_of_a_run_without_epochs_is_known_after_a_hundredth_of_its_steps(
    step: int, left: float | None
) -> None:
    """A step takes a second; 10,000 are planned."""
    run = Run()
    for n in range(step + 1):
        run.apply(
            Iteration(Origin(n + 1, 90 * n, 1_700_000_000_000_000 + n * 10**6), None, n, 10_000)
        )
    assert remaining(run, Facts(run, Settings())).seconds == left
