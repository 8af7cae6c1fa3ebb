"""Clocks that show a day and no year: days and years follow one another as in a calendar."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise

import pytest

from sixdim.parsers.envelopes.prefix import Envelopes
from sixdim.parsers.text.lines import Line
from tests.support.logs import scored

PREFIXES = (
    "[%m/%d %H:%M:%S] d2.utils.events INFO: ",
    "%m/%d %H:%M:%S - mmengine - INFO - ",
    "I%m%d %H:%M:%S.000000 1234 train.py:12] ",
    "%b %d %H:%M:%S host python[12]: ",
)
DAY = 86_400


def seconds(times: list[datetime], prefix: str = PREFIXES[0]) -> list[float]:
    """The seconds between each line and the line before it."""
    envelopes = Envelopes()
    lines = [Line(n, n, one.strftime(prefix) + "loss 1") for n, one in enumerate(times)]
    read = [envelopes.strip(line).time_us for line in lines]
    assert None not in read
    return [(b - a) / 1e6 for a, b in pairwise(read)]  # type: ignore[operator]


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize(
    ("days", "passed"),
    [
        ([(2, 28), (3, 1)], [DAY]),
        ([(2, 28), (2, 29), (3, 1)], [DAY, DAY]),
        ([(12, 31), (1, 1), (2, 28), (3, 1)], [DAY, 58 * DAY, DAY]),
        ([(12, 31), (2, 29), (3, 1), (8, 1), (12, 31)], [60 * DAY, DAY, 153 * DAY, 152 * DAY]),
        ([(2, 29), (8, 1), (12, 31), (1, 1)], [154 * DAY, 152 * DAY, DAY]),
        ([(3, 1), (2, 28)], [-DAY]),  # another process's line, a second or a day late
        ([(1, 1), (12, 31), (1, 1)], [-DAY, DAY]),
        ([(1, 1), (7, 1)], [181 * DAY]),  # half a year at most
        ([(7, 3), (1, 1)], [182 * DAY]),
        ([(7, 2), (1, 1)], [-182 * DAY]),
    ],
)  # fmt: skip
def test_days_from_one_line_to_the_next(
    prefix: str, days: list[tuple[int, int]], passed: list[float]
) -> None:
    times = [datetime(1972, month, day, 23, 59, 59) for month, day in days]
    assert seconds(times, prefix) == pytest.approx(passed)


def test_two_clocks_of_a_line_do_not_choose_the_year_of_each_other() -> None:
    """The outer clock is half a year and more before the inner one, whose time counts."""
    inner = [datetime(1972, 11, 22, 17, 33, second) for second in (14, 15, 17)]
    envelopes = Envelopes()
    texts = [
        f"I0501 10:01:0{n}.000000 123 a.py:1] {one:{PREFIXES[1]}}x" for n, one in enumerate(inner)
    ]
    read = [envelopes.strip(Line(n, n, text)).time_us for n, text in enumerate(texts)]
    assert read == [(one - datetime(1970, 1, 1)).total_seconds() * 1e6 for one in inner]


def test_of_two_clocks_of_one_kind_each_keeps_its_year() -> None:
    """A logger writes lines of its own, and passes on those of another that writes its clock alike.

    Between 1 May and 22 November of a year are 205 days and 7.5 hours.
    """
    envelopes = Envelopes()
    texts = [
        f"[05/01 10:00:0{n}][INFO] a.py: 99: {text}"
        for n, text in enumerate(
            ("11/22 17:30:00 - a - INFO - x", "x", "11/22 17:30:04 - a - INFO - x")
        )
    ]
    times = [envelopes.strip(Line(n, n, text)).time_us or 0 for n, text in enumerate(texts)]
    day_us = 86_400_000_000
    assert times[2] - times[0] == 4_000_000
    assert times[0] - times[1] == 205 * day_us + (7 * 3600 + 1799) * 1_000_000


@pytest.mark.parametrize("year", [2023, 2024])
def test_the_time_of_a_run_over_the_end_of_february_or_of_the_year(year: int) -> None:
    """Four lines a day apart; 2024 has a 29 February, 2023 has none."""
    for month, day in ((2, 27), (12, 30)):
        begin = datetime(year, month, day, 12)
        log = "".join(
            (begin + timedelta(days=n)).strftime(PREFIXES[0])
            + f"Epoch: [0]  [{n}/9]  eta: 0:06:47  lr: 0.1  img/s: 5.0  loss: 7 (7)  time: 6.0\n"
            for n in range(4)
        )
        assert scored(log)["run_end"]["run_time_s"] == 3 * DAY
