"""Recordings that are named together: of several hosts, of several parts, of several quantities."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sixdim.metrics.dimensions.telemetry.power import power
from sixdim.tui.base.readings import named_readings
from tests.support.telemetry import folded

Sixdim = Callable[..., tuple[int, str, str]]
HEADER = "timestamp, index, power.draw [W]\n"


def recording(folder: Path, name: str, watts: int, begin: int = 0) -> str:
    """A minute of two devices, a reading every second."""
    path = folder / name
    rows = (
        f"2026/01/02 03:{begin:02d}:{second:02d}.000, {device}, {watts} W\n"
        for second in range(60)
        for device in (0, 1)
    )
    path.write_text(HEADER + "".join(rows))
    return str(path)


def test_recordings_of_several_hosts_are_of_different_devices(tmp_path: Path) -> None:
    """Two devices at 100 W and two at 300 W for 59 s: 200 W a device, 47.2 kJ in all."""
    files = [recording(tmp_path, "n1.csv", 100), recording(tmp_path, "n2.csv", 300)]
    readings = named_readings(files)
    assert readings is not None
    assert readings.memory is readings.power
    figure = power(folded(readings.power))
    assert figure.details["devices"] == ["n1.csv/0", "n1.csv/1", "n2.csv/0", "n2.csv/1"]
    assert (figure.value, figure.details["energy_j"]) == (200.0, 47_200.0)


def test_a_card_of_devices_of_several_hosts_is_printed(sixdim: Sixdim, tmp_path: Path) -> None:
    """One epoch of a minute, beside two devices at 100 W and two at 300 W."""
    log = tmp_path / "train.log"
    log.write_text(
        "".join(
            f"2026-01-02 03:00:{second:02d} INFO Epoch: [0][{second}/60]\tTime 1.000 (1.000)\t"
            "Data 0.000 (0.000)\tLoss 2.0e+00 (2.0e+00)\tAcc@1 10.00 (10.00)\tAcc@5 20.00 (20.00)\n"
            for second in range(60)
        )
    )
    files = [recording(tmp_path, "n1.csv", 100), recording(tmp_path, "n2.csv", 300)]
    code, out, err = sixdim("score", log, "--telemetry", files[0], "--telemetry", files[1])
    assert code == 0, err
    (row,) = (line for line in out.splitlines() if line.startswith("  power"))
    assert "200.0 W" in row and "of GPU n1.csv/0, n1.csv/1, n2.csv/0, n2.csv/1" in row


@pytest.mark.parametrize(("begin", "devices"), [(0, 4), (1, 2)])
def test_a_recording_may_be_in_several_parts(tmp_path: Path, begin: int, devices: int) -> None:
    files = [recording(tmp_path, "a.csv", 100), recording(tmp_path, "b.csv", 100, begin)]
    readings = named_readings([f"power={file}" for file in files])
    assert readings is not None
    assert len({(r.host, r.device) for r in readings.power}) == devices


def test_power_and_memory_of_two_files_are_of_the_same_devices(tmp_path: Path) -> None:
    memory = tmp_path / "memory.csv"
    memory.write_text(
        "timestamp, index, memory.used [MiB]\n"
        "2026/01/02 03:00:00.000, 0, 5 MiB\n2026/01/02 03:00:59.000, 0, 7 MiB\n"
    )
    readings = named_readings([recording(tmp_path, "power.csv", 100), str(memory)])
    assert readings is not None
    assert {(r.host, r.device) for r in readings.power} == {("", 0), ("", 1)}
