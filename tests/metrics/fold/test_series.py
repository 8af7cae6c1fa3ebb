"""Series: every named number that repeats, in bounded memory, whatever way the log came."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sixdim.metrics.fold.sums.series import MOST, Place, Series
from sixdim.metrics.fold.sums.series_fold import SeriesFold
from sixdim.metrics.values.series import Kind, kind_of
from sixdim.parsers.events import Evaluation, Iteration, Metric, Origin
from sixdim.parsers.reading import Reading


def series_of(values: list[float]) -> Series:
    series = Series("loss", "", Kind.LOSS)
    for number, value in enumerate(values):
        series.add(value, Place(float(number)))
    return series


@given(st.integers(1, 5 * MOST))
def test_a_series_is_bounded_and_its_buckets_are_those_of_a_plain_list(count: int) -> None:
    values = [math.sin(n) * n for n in range(count)]
    series = series_of(values)
    view = series.view()
    size = series.size
    whole = [values[begin : begin + size] for begin in range(0, count - size + 1, size)]
    assert len(view.lows) == len(whole) <= MOST
    assert count < MOST or len(view.lows) >= MOST // 2
    assert list(view.lows) == [min(part) for part in whole]
    assert list(view.highs) == [max(part) for part in whole]
    assert list(view.lasts) == [part[-1] for part in whole]
    assert list(view.means) == pytest.approx([sum(part) / size for part in whole])
    assert list(view.steps) == [
        float(begin + size - 1) for begin in range(0, count - size + 1, size)
    ]
    assert (view.count, view.latest) == (count, values[-1])


@pytest.mark.parametrize("count", [MOST - 1, MOST, MOST + 1])
def test_buckets_double_when_the_next_would_be_one_too_many(count: int) -> None:
    assert series_of([1.0] * count).size == (1 if count <= MOST else 2)


def test_nan_and_infinity_are_gaps_and_the_newest_value_says_them() -> None:
    values = [1.0, math.nan, 3.0, math.inf]
    view = series_of(values).view()
    assert [*map(math.isnan, view.lows)] == [False, True, False, True]
    assert view.latest == math.inf
    long = series_of([math.nan if n % 2 else float(n) for n in range(MOST + 2)]).view()
    assert list(long.lows[:3]) == [0.0, 2.0, 4.0], "of a pair with one nan the other stays"


def line(step: int, loss: float, *, epoch: int | None = None, **more: float) -> Iteration:
    values = tuple(Metric(name, value) for name, value in more.items())
    steps = None if epoch is None else 100
    return Iteration(Origin(step + 1, 0), epoch, step, steps, loss=loss, values=values)


def named(fold: SeriesFold) -> dict[str, tuple[int, float]]:
    return {view.name: (view.count, view.latest) for view in fold.views()}


def test_training_and_validation_are_distinct_names_and_stand_where_they_were_made() -> None:
    fold = SeriesFold()
    fold.iteration(line(99, 2.5, epoch=3, lr=0.1))
    metrics = (Metric("val_loss", 2.75, "", False), Metric("acc1", 61.5, "%"))
    fold.evaluation(Evaluation(Origin(9, 0), metrics, epoch=3))
    assert named(fold) == {
        "loss": (1, 2.5),
        "val loss": (1, 2.75),
        "val acc1": (1, 61.5),
        "lr": (1, 0.1),
    }
    assert {view.epochs[0] for view in fold.views()} == {3.99}


def test_what_is_trained_again_takes_the_place_of_what_was() -> None:
    fold = SeriesFold()
    for epoch in (0, 1, 2):
        fold.iteration(line(50, float(epoch), epoch=epoch))
    fold.iteration(line(50, 9.0, epoch=1))
    loss = fold.views()[0]
    assert list(loss.lasts) == [0.0, 9.0]
    assert list(loss.epochs) == [0.5, 1.5]


def test_steps_without_epochs_go_on_where_each_pass_counts_anew_and_back_at_a_resume() -> None:
    fold = SeriesFold()
    for step in (1, 2, 3, 1, 2, 3):
        fold.iteration(line(step, 0.0))
    assert list(fold.views()[0].steps) == [1, 2, 3, 4, 5, 6]
    fold.iteration(line(2, 7.0))
    assert list(fold.views()[0].steps) == [1, 2, 3, 4, 5]
    assert fold.views()[0].latest == 7.0


@pytest.mark.parametrize(
    ("lines", "counted"),
    [
        ([(0, 50, 100), (0, 100, 100), (1, 50, 100)], [50, 100, 150]),
        ([(1, 50, 100), (1, 100, 100), (2, 50, 100)], [50, 100, 150]),
        ([(1, 100, 100), (2, 100, 100)], [100, 200]),
        ([(4, 50, 100), (5, 50, 100)], [350, 450]),
        ([(1, 50, 300), (2, 150, 300), (3, 200, 300)], [50, 150, 200]),
        ([(3, 250, 100), (3, 300, 100), (4, 350, 100)], [250, 300, 350]),
        ([(0, 50, None), (0, 80, None), (1, 50, None)], [50, 80, 130]),
        ([(7, 50, None), (7, 80, None), (8, 50, None)], [50, 80, 130]),
    ],
    ids=[
        *("first epoch 0", "first epoch 1", "one line an epoch", "resumed"),
        *("steps of the run", "more steps than an epoch has", "size unknown", "and resumed"),
    ],
)
def test_steps_count_over_the_epochs(
    lines: list[tuple[int, int, int | None]], counted: list[int]
) -> None:
    fold = SeriesFold()
    for number, (epoch, step, steps) in enumerate(lines, 1):
        fold.iteration(Iteration(Origin(number, 0), epoch, step, steps, loss=1.0))
    assert list(fold.views()[0].steps) == counted


def test_a_name_for_every_line_does_not_fill_the_memory() -> None:
    fold = SeriesFold()
    for step in range(600):
        made_up = (Metric(f"x{step}", 1.0),)
        fold.iteration(line(step, 1.0)._replace(values=made_up))
    assert len(fold.views()) == 200
    assert named(fold)["loss"][0] == 600


def test_steps_that_no_double_holds_are_unknown_places() -> None:
    fold = SeriesFold()
    fold.iteration(Iteration(Origin(1, 0), 10**400, 10**400, 7, loss=1.0))
    view = fold.views()[0]
    assert math.isnan(view.epochs[0]) and math.isnan(view.steps[0])


@pytest.mark.parametrize(("step", "place"), [(2**53 - 1, 2.0**53 - 1), (2**53, math.nan)])
def test_a_double_tells_each_number_below_two_to_the_53_from_the_next(
    step: int, place: float
) -> None:
    fold = SeriesFold()
    fold.iteration(Iteration(Origin(1, 0), None, step, loss=1.0))
    assert fold.views()[0].steps[0] == pytest.approx(place, rel=0, nan_ok=True)


def test_the_series_of_many_devices_leave_as_many_for_those_of_the_log() -> None:
    fold = SeriesFold()
    for gpu in range(250):
        reading = Reading(gpu, power_w=100.0, memory_mib=1000.0)
        fold.reading(reading, fold.here, several_hosts=False)
    for number in range(250):
        figures = (Metric(f"figure {number}", 1.0),)
        fold.iteration(Iteration(Origin(number + 1, 0), None, number, loss=1.0, values=figures))
    kinds = [view.kind for view in fold.views()]
    assert (kinds.count(Kind.DEVICE), len(kinds)) == (200, 400)
    assert kinds[0] is Kind.LOSS


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("lm loss", Kind.LOSS),
        ("lr", Kind.LEARNING_RATE),
        ("learning rate", Kind.LEARNING_RATE),
        ("grad_norm", Kind.GRADIENT),
        ("mfu", Kind.UTILISATION),
        ("tflops", Kind.UTILISATION),
        ("max mem", Kind.MEMORY),
        ("tokens/s", Kind.RATE),
        ("data_time", Kind.TIME),
        ("consumed samples", Kind.OTHER),
    ],
)
def test_the_kind_of_a_series(name: str, kind: Kind) -> None:
    assert kind_of(name) is kind


def test_what_an_evaluation_says_is_a_loss_or_an_accuracy_or_the_like() -> None:
    assert kind_of("acc1", evaluated=True) is Kind.ACCURACY
    assert kind_of("mAP", evaluated=True) is Kind.ACCURACY
    assert kind_of("val loss", evaluated=True) is Kind.LOSS


@pytest.mark.parametrize("gap", [None, pytest.param(200_001, marks=pytest.mark.slow)])
def test_columns_of_any_length_make_the_buckets_of_their_values(gap: int | None) -> None:
    noise = random.Random(1)
    values = [noise.uniform(-1, 9) for _ in range(260_000)]
    if gap is not None:
        values[gap] = math.inf
    one_by_one, columns = series_of(values), Series("loss", "", Kind.LOSS)
    begin = 0
    while begin < len(values):
        part = values[begin : begin + noise.randrange(1, 900)]

        def place(index: int, begin: int = begin) -> Place:
            return Place(float(begin + index))

        columns.extend(np.array(part), place)
        begin += len(part)
    one, other = one_by_one.view(), columns.view()
    assert one == other and one.steps == other.steps
    for mine, its in ((one.lows, other.lows), (one.means, other.means), (one.lasts, other.lasts)):
        assert mine == its
    size = one_by_one.size
    assert size > 256
    assert list(one.means[:50]) == pytest.approx(
        [sum(values[n * size : (n + 1) * size]) / size for n in range(50)], rel=1e-12
    )
