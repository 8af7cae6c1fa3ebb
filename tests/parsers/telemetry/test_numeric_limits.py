"""The numbers at which what a reading says changes, on both sides."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sixdim.parsers.telemetry.draft import Draft
from sixdim.parsers.telemetry.metric_names import Gathered, MetricSample, device_of, words_of
from sixdim.parsers.telemetry.recorded import read_recording


@pytest.mark.parametrize(
    ("name", "most", "above"),
    [
        ("power_w", 5_000.0, 5_001.0),
        ("power_limit_w", 5_000.0, 5_001.0),
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


def _power(*samples: MetricSample) -> float | None:
    gathered = Gathered("dcgm", 0)
    for sample in samples:
        gathered.add(sample, "node7")
    (draft,) = gathered.drafts.values()
    return draft.reading().power_w


@pytest.mark.parametrize(("value", "watts"), [(999.0, 999.0), (1000.0, 1.0)])
def test_an_ix_exporter_says_watts_below_a_thousand(value: float, watts: float) -> None:
    assert _power(MetricSample("ix_power_usage", {"gpu": "0"}, value)) == watts


def test_the_first_of_two_equal_names_counts() -> None:
    """An exporter prints the figure of a board for each of its containers."""
    name, labels = "DCGM_FI_DEV_POWER_USAGE", {"gpu": "0"}
    assert _power(MetricSample(name, labels, 161.0), MetricSample(name, labels, 162.0)) == 161.0


@pytest.mark.parametrize(("index", "device"), [("99999", 99_999), ("100000", None)])
def test_an_index_has_five_digits_at_most(index: str, device: int | None) -> None:
    assert device_of({"gpu": index}) == device


@pytest.mark.parametrize(
    ("bits", "words"), [(2.0**31 + 4, ("power cap",)), (2.0**32 + 4, ()), (-4.0, ())]
)
def test_reasons_are_bits_of_a_number_of_32(bits: float, words: tuple[str, ...]) -> None:
    assert words_of(bits) == words


def test_rocm_smis_bytes_and_microjoules_are_mib_and_joules(tmp_path: Path) -> None:
    card = {
        "VRAM Total Memory (B)": "34342961152",  # 32752 x 1024 x 1024
        "VRAM Total Used Memory (B)": "1073741824",
        "Accumulated Energy (uJ)": "2500000.0",
    }
    path = tmp_path / "rocm.json"
    path.write_text(json.dumps({"card0": card}) + "\n")
    (one,) = read_recording(path).readings
    assert (one.memory_mib, one.memory_total_mib, one.energy_j) == (1024.0, 32752.0, 2.5)


@pytest.mark.parametrize(
    ("total", "first", "second", "used"),
    [
        (1000, 400, 600, 400.0),
        (1000, 400, 500, 400.0),  # the driver holds a tenth
        (1000, 400, 499, None),
        (1000, 400, 601, None),
    ],
)
def test_of_three_columns_of_memory_two_are_nine_tenths_of_the_first(
    tmp_path: Path, total: int, first: int, second: int, used: float | None
) -> None:
    path = tmp_path / "gpu.csv"
    row = f"54 W, 97 %, {total} MiB, {first} MiB, {second} MiB\n"
    path.write_text(f"54 W, 0 %, {total} MiB, 0 MiB, {total} MiB\n" + row * 3)
    assert {one.memory_mib for one in read_recording(path).readings[1:]} == {used}


def test_rows_that_are_left_out_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "gpu.csv"
    rows = "index, power.draw [W]\n0, 54 W\n1, 55 W\n"
    path.write_text(rows)
    assert read_recording(path).notes == ()
    path.write_text(rows + "0, 5\n1, 55 W, 9\n0\n")
    assert read_recording(path).notes == ("2 rows with another number of columns left out",)


def test_the_reason_for_a_figure_that_lacks_is_not_given_beside_the_figure() -> None:
    draft = Draft(0, "nvidia-smi")
    draft.lack("power_w", "N/A")
    assert draft.missing["power_w"] == "N/A"
    draft.put("power_w", 54.0)
    draft.lack("power_w", "N/A")
    reading = draft.reading()
    assert (reading.power_w, reading.missing) == (54.0, ())
