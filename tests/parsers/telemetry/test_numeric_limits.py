"""The numbers at which what a reading says changes, on both sides."""

from __future__ import annotations

from pathlib import Path

import pytest

from sixdim.parsers.telemetry.draft import Draft
from sixdim.parsers.telemetry.recorded import read_recording


@pytest.mark.parametrize(
    ("name", "most", "above"),
    [
        ("power_w", 10_000.0, 10_001.0),
        ("power_limit_w", 10_000.0, 10_001.0),
        ("memory_mib", 16_777_216.0, 16_777_217.0),
        ("memory_total_mib", 16_777_216.0, 16_777_217.0),
        ("process_mib", 16_777_216.0, 16_777_217.0),
        ("utilisation", 100.0, 101.0),
        ("temperature_c", 250.0, 251.0),
        ("energy_j", 1e13, 1.01e13),
    ],
)
def test_no_board_has_more(name: str, most: float, above: float) -> None:
    draft = Draft(0, "nvidia-smi")
    draft.put(name, above)
    assert name not in draft.values
    assert draft.missing[name].startswith("absurd")
    draft.put(name, most)
    assert draft.values[name] == most
    assert name not in draft.missing


@pytest.mark.parametrize(("value", "known"), [(-100.0, True), (-101.0, False)])
def test_no_board_is_colder(value: float, known: bool) -> None:
    draft = Draft(0, "nvidia-smi")
    draft.put("temperature_c", value)
    assert ("temperature_c" in draft.values) is known


@pytest.mark.parametrize(("second", "held"), [("050", [300.0]), ("051", [100.0, 200.0])])
def test_rows_of_processes_up_to_50_ms_apart_are_one_sample(
    tmp_path: Path, second: str, held: list[float]
) -> None:
    recording = tmp_path / "apps.csv"
    row = "2026/01/02 10:00:00.{}, GPU-01234567-89ab, {}, {} MiB\n"
    recording.write_text(
        "timestamp, gpu_uuid, pid, used_gpu_memory [MiB]\n"
        + row.format("000", 11, 100)
        + row.format(second, 12, 200)
    )
    assert [one.process_mib for one in read_recording(recording).readings] == held


@pytest.mark.parametrize(("free", "used"), [(852, 100.0), (853, None)])
def test_used_and_free_memory_may_move_by_two_mib_together(
    tmp_path: Path, free: int, used: float | None
) -> None:
    recording = tmp_path / "smi.csv"
    recording.write_text(f"150.0 W, 100 MiB, 900 MiB\n151.0 W, 150 MiB, {free} MiB\n")
    assert read_recording(recording).readings[0].memory_mib == used
