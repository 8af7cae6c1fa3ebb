"""Rows that name no device: those of one sample are of several devices, in their order."""

from __future__ import annotations

from pathlib import Path

import pytest

from sixdim.parsers.telemetry.dialects.row_order import ORDERED, UNNAMED
from tests.support.telemetry import recorded

HEADER = "timestamp, power.draw [W], memory.used [MiB]\n"


def at(millis: int) -> str:
    return f"2026/01/03 15:36:{millis // 1000:02d}.{millis % 1000:03d}"


def rows(starts: range, delays: tuple[int, ...], late: int = 0) -> str:
    """Returns the rows of samples: of each device 100 W more than of the one before."""
    return "".join(
        f"{at(start + delay + (late if start == starts[3] and place else 0))}, "
        f"{100 * (place + 1)}.50 W, {1000 * (place + 1)} MiB\n"
        for start in starts
        for place, delay in enumerate(delays)
    )


@pytest.mark.parametrize(
    ("delays", "late"), [((0, 4), 0), ((0, 0, 1), 0), ((0, 4), 70), (tuple(range(8)), 0)]
)
def test_samples_show_the_number_of_devices(
    tmp_path: Path, delays: tuple[int, ...], late: int
) -> None:
    text = HEADER + rows(range(1000, 4000, 100), delays, late)
    recording = recorded(tmp_path, text)
    figures = [(one.device, one.power_w, one.memory_mib) for one in recording.readings]
    whole = [(i, 100 * (i + 1) + 0.5, 1000.0 * (i + 1)) for i in range(len(delays))]
    assert figures == whole * 30
    assert recording.notes == (ORDERED.format(count=len(delays)),)


@pytest.mark.parametrize(
    "text",
    [
        HEADER + rows(range(1000, 4000, 100), (0,)),
        HEADER + rows(range(1000, 1400, 100), (0, 4)),  # four samples show nothing
        HEADER + rows(range(1000, 4000, 100), (0, 50)),
        HEADER.replace("timestamp", "time")  # a script's own times, of one second
        + "".join(f"2026-01-03 15:36:{n // 2:02d}, {100 + n % 2} W, 1000 MiB\n" for n in range(40)),
    ],
    ids=["one", "few", "even", "seconds"],
)
def test_without_pauses_there_is_one_device(tmp_path: Path, text: str) -> None:
    recording = recorded(tmp_path, text)
    assert {one.device for one in recording.readings} == {0}
    assert recording.notes == (UNNAMED,)


def test_a_date_above_each_sample_shows_it_too(tmp_path: Path) -> None:
    sample = (
        "Wed Feb 26 13:50:{:02d} 2025\n0 %, {} MiB, 46068 MiB, 82.53 W\n"
        "0 %, 4 MiB, 46068 MiB, 32.1 W\n"
    )
    text = "".join(sample.format(n, 7000 + n) for n in range(6))
    recording = recorded(tmp_path, text)
    assert [one.device for one in recording.readings] == [0, 1] * 6
    assert ORDERED.format(count=2) in recording.notes
    once = recorded(tmp_path, sample.format(1, 7000) + "0 %, 5 MiB, 46068 MiB, 32.2 W\n" * 9)
    assert {one.device for one in once.readings} == {0}
