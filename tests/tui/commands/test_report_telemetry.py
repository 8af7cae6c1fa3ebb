"""Recorded readings as curves: in the report, and in a replay up to where it stands."""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from sixdim import sample_logs
from sixdim.metrics.values.series import Kind
from sixdim.tui.base.settings.card_flags import add_card_options
from sixdim.tui.session.live.feed import Frame
from sixdim.tui.session.options import read_request
from sixdim.tui.session.replay.replay import ReplayFeed
from tests.support.processes.browser import Browser, browser

__all__ = ["browser"]

Sixdim = Callable[..., tuple[int, str, str]]
BEGIN = datetime(2026, 1, 5, 10, 0, 0)
DEVICES = 8


class Recorded(NamedTuple):
    """A log whose lines have stamps, and readings of its time.

    Attributes:
        log: 7 seconds a line.
        readings: Each 200 seconds of eight devices; device D draws 100 + 10 D + epoch watts.
        epochs: The epoch of each reading of a device; None before training.
    """

    log: Path
    readings: Path
    epochs: list[int | None]


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    lines = sample_logs.path(sample_logs.RUN).read_text().splitlines()
    times = [BEGIN + timedelta(seconds=7 * n) for n in range(len(lines))]
    log, readings = tmp_path / "stamped.log", tmp_path / "gpus.csv"
    stamped = zip(times, lines, strict=True)
    log.write_text("".join(f"{at:%Y-%m-%d %H:%M:%S},000 INFO {line}\n" for at, line in stamped))
    now: int | None = None
    epochs: list[int | None] = []
    rows = [
        "timestamp, index, name, power.draw [W], memory.used [MiB], memory.total [MiB], "
        "utilization.gpu [%], temperature.gpu"
    ]
    due = BEGIN
    for at, line in zip(times, lines, strict=True):
        if found := re.match(r"Epoch: \[(\d+)\]  \[", line):
            now = int(found[1])
        if at < due:
            continue
        due += timedelta(seconds=200)
        epochs.append(now)
        for device in range(DEVICES):
            watts = 100 + 10 * device + (now or 0)
            rows.append(
                f"{at:%Y/%m/%d %H:%M:%S}.000, {device}, Tesla V100, {watts}.00 W, "
                f"{20000 + device} MiB, 32768 MiB, {90 + device} %, {60 + device}"
            )
    readings.write_text("\n".join(rows) + "\n")
    return Recorded(log, readings, epochs)


@pytest.fixture(scope="module")
def _made() -> list[bytes]:
    return []


@pytest.fixture
def report(sixdim: Sixdim, recorded: Recorded, tmp_path: Path, _made: list[bytes]) -> Path:
    """The report of the recorded run, written once for all tests of this module."""
    out = tmp_path / "report.html"
    if _made:
        out.write_bytes(_made[0])
        return out
    repeats = [sample_logs.path(name) for name in sample_logs.REPEATS]
    code, said, err = sixdim(
        *("report", recorded.log, "--telemetry", recorded.readings, "--repeat", *repeats),
        *("--reference", repeats[0], "-o", out),
    )
    assert (code, said) == (0, ""), err
    _made.append(out.read_bytes())
    return out


def test_each_figure_of_the_devices_is_a_chart_over_the_epochs(
    report: Path, recorded: Recorded
) -> None:
    charts = re.findall(r'class="chart wide".*?</svg>', report.read_text(), re.DOTALL)
    titled = {re.findall("<title>(.*?)</title>", chart)[0]: chart for chart in charts}
    for figure in ("Power", "Memory", "Utilisation", "Temperature"):
        (chart,) = (chart for title, chart in titled.items() if title.startswith(f"{figure} of"))
        assert len(re.findall("<path", chart)) == DEVICES
    drawn = re.findall(r"<title>epoch ([\d.]+): ([\d.]+)</title>", titled["Power of each GPU, W"])
    known = [epoch for epoch in recorded.epochs if epoch is not None]
    assert len(known) - 2 <= len(drawn) <= len(known), "those after the last epoch are left out"
    found = [(int(float(x)), float(y)) for x, y in drawn]
    # A reading at the very end of an epoch stands where the next one begins.
    for (label, watts), epoch in zip(found, known, strict=False):
        assert watts == 100 + epoch and label in (epoch, epoch + 1)


@pytest.mark.slow
def test_it_fits_phone_and_desk(browser: Browser, report: Path) -> None:
    phone, desk = browser.scroll_widths(report, 390, 1280)
    assert phone <= 390 and desk <= 1280


@pytest.mark.slow
def test_it_is_printed_on_five_pages_at_most(browser: Browser, report: Path) -> None:
    assert 1 < browser.printed_pages(report) <= 5


def test_a_replay_has_the_readings_up_to_where_it_stands(recorded: Recorded) -> None:
    frames: list[Frame] = []
    parser = argparse.ArgumentParser()
    add_card_options(parser)
    request = read_request(parser.parse_args(["--telemetry", str(recorded.readings)]))
    feed = ReplayFeed(str(recorded.log), request, time.monotonic, speed=None)
    feed.start(frames.append)

    def wait(seen: Callable[[Frame], bool]) -> Frame:
        until = time.monotonic() + 120
        while not (frames and seen(frames[-1])) and time.monotonic() < until:
            time.sleep(0.02)
        assert seen(frames[-1])
        return frames[-1]

    def power(frame: Frame) -> list[float]:
        series = {one.name: one for one in frame.snapshot.series if one.kind is Kind.DEVICE}
        return [*series["GPU3 power"].means]

    whole = power(wait(lambda frame: frame.snapshot.ended))
    feed.go_to_epoch(20)
    feed.toggle_pause()
    part = power(wait(lambda frame: not frame.snapshot.ended and frame.paused))
    feed.step(-100)
    begin = power(wait(lambda frame: frame.snapshot.progress.epoch is None))
    feed.stop()
    assert begin == []
    assert part == whole[: len(part)] and 0 < len(part) < len(whole)
    assert 149 <= part[-1] <= 151 and whole[-1] > 190
