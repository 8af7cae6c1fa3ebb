"""Clocks without a date give the durations that the same clocks with dates give."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from sixdim.parsers.text.partial_clocks import TimeOfDay
from tests.support.logs import scored

BEGIN = datetime(2024, 5, 1, 23, 50)
DATED = "%Y-%m-%d %H:%M:%S,123 - INFO - "
Stamp = Callable[[datetime], str]


def training(stamp: Stamp, apart: float = 20.0, evaluation: float = 30.0) -> str:
    """Six epochs of five lines, so many seconds apart, and an evaluation of so many."""
    now, lines = BEGIN, []
    for epoch in range(6):
        for step in range(0, 50, 10):
            lines.append(
                f"{stamp(now)}Epoch: [{epoch}][{step:3d}/50]\tTime  0.250 ( 0.260)\t"
                f"Data  0.010 ( 0.012)\tLoss {2.5 - epoch / 4:.4e} (2.6e+00)\tAcc@1  40.0 ( 41.0)"
            )
            now += timedelta(seconds=apart)
        lines.append(f"{stamp(now)} * Acc@1 {60 + epoch}.500 Acc@5 90.000")
        now += timedelta(seconds=evaluation)
    return "".join(f"{line}\n" for line in lines)


def figures(log: str) -> list[Any]:
    card = scored(log)
    warnings = [one["kind"] for one in card["warnings"]]
    assert card["run"]["format"] == "ptimagenet"
    end, speed = card["run_end"], card["dimensions"]["speed"]
    return [end["run_time_s"], end["clock"], speed["value"], card["end_to_end"]["value"], warnings]


@pytest.mark.parametrize("apart", [20.0, 6 * 3600.0, 22.9 * 3600])
@pytest.mark.parametrize(
    "form",
    [
        "[%H:%M:%S] ",
        "%H:%M:%S ",
        "%H:%M:%S.123 | INFO | ",
        "%H:%M:%S - train - INFO - ",
        "%m/%d %H:%M:%S ",
        "%d/%m %H:%M:%S.123 | INFO | ",
    ],
)
def test_a_clock_without_a_date_gives_what_one_with_a_date_gives(form: str, apart: float) -> None:
    found = figures(training(lambda now: now.strftime(form), apart))
    assert found == figures(training(lambda now: now.strftime(DATED), apart))
    assert found[0] == 30 * apart + 5 * 30


def test_a_time_since_the_start_needs_no_day() -> None:
    def since(now: datetime) -> str:
        minutes, seconds = divmod((now - BEGIN).seconds + 86_400 * (now - BEGIN).days, 60)
        return f"[{minutes // 60:02}:{minutes % 60:02}:{seconds:02}] "

    assert figures(training(since, 7200.0))[0] == 30 * 7200 + 150


@pytest.mark.parametrize(("back", "seconds"), [(3600, 750), (3601, 750 + 86_400)])
def test_a_line_may_be_an_hour_older_than_the_one_before_it(back: int, seconds: int) -> None:
    log = training(lambda now: now.strftime("[%H:%M:%S] ")).splitlines()
    older = (BEGIN + timedelta(seconds=100 - back)).strftime("[%H:%M:%S] written late")
    log.insert(6, older)
    assert figures("".join(f"{line}\n" for line in log))[0] == seconds


def test_no_such_minute_is_no_time() -> None:
    log = training(lambda now: now.strftime("[%H:60:%S] "))
    assert figures(log)[:2] == [None, "no time was read from the log"]


def test_a_date_anywhere_counts_before_it() -> None:
    """A container's stamp in front, an hour later than the program's clock."""

    def both(now: datetime) -> str:
        outer = now + timedelta(hours=1)
        return outer.strftime("%Y-%m-%dT%H:%M:%S.123456789Z ") + now.strftime("[%H:%M:%S] ")

    assert figures(training(both))[0] == 750
    assert figures(training(both)) == figures(training(lambda now: now.strftime(DATED)))


def test_its_day_is_shown_nowhere() -> None:
    card = scored(training(lambda now: now.strftime("[%H:%M:%S] ")))
    assert "1972" not in str(card) and "1970" not in str(card)


def seconds(*clocks: str) -> list[int | None]:
    """The times of lines with these clocks, in seconds since the first day began."""
    day, form = TimeOfDay(), re.compile(r"(?P<h>\d\d):(?P<m>\d\d):(?P<s>\d\d)")
    begin = int(datetime(1972, 1, 1, tzinfo=UTC).timestamp())
    times = [day.time_us(found) for clock in clocks if (found := form.match(clock))]
    return [None if time is None else time // 1_000_000 - begin for time in times]


@pytest.mark.parametrize(
    ("clock", "second"),
    [("00:59:59", 3599), ("00:59:60", 3600), ("00:59:61", None), ("00:60:00", None)],
)
def test_a_minute_ends_with_59_or_with_a_leap_second(clock: str, second: int | None) -> None:
    assert seconds(clock) == [second]


@pytest.mark.parametrize(("later", "hours"), [("23:00:00", 24 + 23), ("24:00:00", 24)])
def test_hours_from_24_on_need_no_day(later: str, hours: int) -> None:
    assert seconds("25:30:00", later) == [91_800, 3600 * hours]
