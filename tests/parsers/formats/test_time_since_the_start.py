"""Times beside an epoch's label: its own, or those since the start of the run."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd
from tests.support.logs import only, read


@pytest.mark.parametrize(
    ("minutes", "seconds"),
    [
        ([2.0, 4.0, 6.0, 8.0], [120.0, None, None, None]),  # the first is right in both cases
        ([2.0, 3.625, 5.25, 6.875], [120.0, None, None, None]),
        ([2.0, 3.5, 5.0, 6.5], [120.0, 210.0, 300.0, 390.0]),  # each grows by 75 % of the first
        ([2.0, 4.0, 2.0, 4.0], [120.0, None, 120.0, 240.0]),  # it did not grow once
        ([2.0, 2.125, 2.0, 2.25], [120.0, 127.5, 120.0, 135.0]),
    ],
)
def test_a_time_that_grows_with_each_epoch_counts_from_the_start(
    minutes: list[float], seconds: list[float | None]
) -> None:
    text = "".join(
        f"epoch= {epoch} \t time= {minute} min \t loss= 0.5\n"
        for epoch, minute in enumerate(minutes)
    )
    assert [end.epoch_time for end in only(read(text, "generic"), EpochEnd)] == seconds


@pytest.mark.parametrize(
    ("growth", "known"),
    [
        ([1.0] * 12, 9),  # a ninth growth by as much as the eight before: it counts from the start
        ([1.0, 2.0] * 6, 9),
        ([1.0, 2.125] * 6, 13),  # unequal ones may be those of epochs that become slower
        ([1.0] * 8 + [-1.0] + [1.0] * 3, 13),
        ([0.0] * 12, 13),
    ],
)
def test_a_time_that_grows_evenly_counts_from_a_start_that_the_log_lacks(
    growth: list[float], known: int
) -> None:
    times = [600.0 + sum(growth[:n]) for n in range(len(growth) + 1)]
    text = "".join(
        f"epoch= {epoch} \t time= {time} s \t loss= 0.5\n" for epoch, time in enumerate(times, 121)
    )
    found = [end.epoch_time for end in only(read(text, "generic"), EpochEnd)]
    assert found == [*times[:known], *[None] * (13 - known)]
