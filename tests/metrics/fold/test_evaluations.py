"""Evaluations that are taken back leave nothing behind."""

from __future__ import annotations

from bisect import bisect_left

import pytest

from sixdim.metrics.fold.epochs.evaluation import EvaluationRow
from sixdim.metrics.fold.epochs.evaluations import Evaluations
from sixdim.parsers.events import Metric, Origin


def row(epoch: int | None, name: str, value: float) -> EvaluationRow:
    at = Origin(line=10 + (epoch or 0), offset=500)
    return EvaluationRow(at, epoch, epoch, None, "raw", "", (Metric(name, value, "%"),))


def stored(rows: list[EvaluationRow]) -> Evaluations:
    evaluations = Evaluations()
    for one in rows:
        evaluations.append(one)
    return evaluations


def said(evaluations: Evaluations) -> tuple[object, ...]:
    ends = evaluations.ends("label")
    values = {name: evaluations.models(name) for name in ("acc1", "map")}
    return [*evaluations], ends, evaluations.metrics(), values, evaluations.column("label")


RISING = [(None, "acc1"), (1, "acc1"), (2, "map"), (2, "acc1"), (3, "f1")]
FALLING = [(3, "acc1"), (1, "map"), (2, "acc1")]


@pytest.mark.parametrize("below", range(5))
@pytest.mark.parametrize("epochs", [RISING, FALLING])
def test_the_evaluations_that_stay_are_those_of_a_run_that_had_no_others(
    epochs: list[tuple[int | None, str]], below: int
) -> None:
    rows = [row(epoch, name, place / 2) for place, (epoch, name) in enumerate(epochs)]
    stay = [one for one in rows if (one.epoch or 0) < below]
    evaluations = stored(rows)
    left = evaluations.chosen(evaluations.below(below))
    assert said(left) == said(stored(stay))
    again = row(4, "map", 71.5)
    left.append(again)
    assert said(left) == said(stored([*stay, again]))


def test_an_object_whose_rows_changed_is_another_one() -> None:
    evaluations = stored([row(epoch, "acc1", 70.0) for epoch in range(3)])
    assert evaluations.chosen(evaluations.below(9)) is evaluations
    assert evaluations.chosen(evaluations.below(2)) is not evaluations


def test_places_below_an_epoch_count_those_among_the_first_rows() -> None:
    places = stored([row(epoch, "acc1", 70.0) for epoch in range(8)]).below(5)
    assert [bisect_left(places, size) for size in (3, 5, 7)] == [3, 5, 5]
