"""Formats numbers for people, so that a figure looks the same on the screen and in print.

Figures are not rounded before. An unknown figure is `n/a`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sixdim.metrics.values.card import State

if TYPE_CHECKING:
    from sixdim.metrics.card.forecast.forecast import Forecast
    from sixdim.metrics.values.remaining import Remaining

UNKNOWN = "n/a"
STATE_MARK = {
    State.WAITING: "○",
    State.RUNNING: "◐",
    State.SHORT: "◇",
    State.FINAL: "●",
    State.UNKNOWN: "–",
}
"""A mark for each state of a figure, so that it does not depend on colour alone."""


def fixed(value: float | None, decimals: int) -> str:
    """Returns a number with fixed decimals; from 1e9 on in exponent form."""
    if value is None:
        return UNKNOWN
    if not math.isfinite(value):
        return str(value)
    if abs(value) >= 1e9:
        return f"{value:.3g}"
    return f"{value:.{decimals}f}"


def throughput(value: float | None) -> str:
    """Formats samples per second: `4938.9`, `12.31`, `0.482`, `793486`, `0.00838`."""
    if value is None or not math.isfinite(value):
        return fixed(value, 1)
    size = abs(value)
    if 0 < size < 0.1:
        return f"{value:.3g}"
    return fixed(value, 0 if size >= 1e5 else 1 if size >= 100 else 2 if size >= 1 else 3)


def gibibytes(mebi: float | None) -> str:
    """Formats MiB as GiB: `30.0 GiB`."""
    return UNKNOWN if mebi is None else f"{fixed(mebi / 1024, 1)} GiB"


def metric(value: float | None, unit: str = "") -> str:
    """Formats a target metric: percentages with two decimals, fractions and losses with four.

    One too small for four decimals keeps three digits: `0.00235`, `4.61e-05`.
    """
    if unit == "%" or (value is not None and abs(value) > 1.5):
        return fixed(value, 2)
    if value and abs(value) < 0.01:
        return f"{value:.3g}"
    return fixed(value, 4)


def in_unit(value: float | None, unit: str) -> str:
    """Returns a figure of the card with the decimals that suit its unit; a ratio has none."""
    if unit in ("%", ""):
        return fixed(value, 2 if unit else 3)
    if unit in ("W", "MiB"):
        return fixed(value, 1)
    return throughput(value)


def of_dimension(name: str, value: float | None, unit: str) -> str:
    """Returns the figure of a dimension without its unit."""
    return metric(value, unit) if name == "accuracy" else in_unit(value, unit)


def unit_beside(unit: str) -> str:
    """Returns the unit to print beside a figure; empty for a fraction."""
    return "" if unit == "fraction" else unit


def duration(seconds: float | None) -> str:
    """Formats seconds: `2:41:07`, from a day on `4d 3:12:05`."""
    if seconds is None or not math.isfinite(seconds):
        return UNKNOWN
    sign = "-" if seconds < 0 else ""
    minutes, second = divmod(int(abs(seconds)), 60)
    hours, minute = divmod(minutes, 60)
    days, hour = divmod(hours, 24)
    clock = f"{hour}:{minute:02}:{second:02}"
    return f"{sign}{days}d {clock}" if days else f"{sign}{clock}"


def forecast(found: Forecast, *, short: bool = False) -> str:
    """Returns `target in 12 (9–17) epochs, 1:10–2:05 h`, short `target in 1:10–2:05 h`.

    Returns an empty text if there is no forecast.
    """
    band = found.band
    if band is None:
        return ""
    median, low, high = (f"{number:.0f}" for number in (band.median, band.low, band.high))
    time = found.seconds and approximate_time(found.seconds.low, found.seconds.high)
    if short and time:
        return f"target in {time}"
    count = low if low == high else f"{low}–{high}" if short else f"{median} ({low}–{high})"
    unit = found.unit if count == "1" else f"{found.unit}s"
    return ", ".join(filter(None, (f"target in {count} {unit}", time)))


def planned_end(remaining: Remaining) -> str:
    """Returns `ends in ~1:02:05`, with `>` if evaluations come on top; empty if it is unknown.

    A time that the log states itself is named so: `ends in 1:02:05 by its line 812`.

    It is unknown as well once all planned steps are done: what follows, such as the last
    evaluation, is in no plan.
    """
    if remaining.seconds is None or remaining.seconds < 1:
        return ""
    if remaining.line:
        return f"ends in {duration(remaining.seconds)} by its line {remaining.line}"
    return f"ends in {'>' if remaining.at_least else '~'}{duration(remaining.seconds)}"


def approximate_time(*seconds: float) -> str:
    """Formats one or two times in the unit that suits the last: `35 s`, `4–12 min`, `1:10 h`."""
    longest = seconds[-1]
    if longest < 120:
        texts, unit = [f"{one:.3g}" if one < 10 else f"{one:.0f}" for one in seconds], "s"
    elif longest < 3600:
        texts, unit = [f"{one / 60:.0f}" for one in seconds], "min"
    elif longest < 48 * 3600:
        minutes = [round(one / 60) for one in seconds]
        texts, unit = [f"{one // 60}:{one % 60:02}" for one in minutes], "h"
    else:
        texts, unit = [f"{one / 86400:.1f}" for one in seconds], "days"
    return f"{'–'.join(texts)} {unit}"


def labels(found: Sequence[int | str]) -> str:
    """Returns labels of epochs or devices as text, consecutive numbers as a range.

    `6–10`, `0, 3, 4`, `node1/0, node2/0`.
    """
    first = next(iter(found), "")
    if (
        len(found) > 2
        and isinstance(first, int)
        and [*found] == [*range(first, first + len(found))]
    ):
        return f"{first}–{found[-1]}"
    return ", ".join(map(str, found))


def pace(speed: float | None) -> str:
    """Formats the speed of a replay: `60x`, `0.5x`, `max`."""
    return "max" if speed is None else f"{speed:g}x"
