"""Recordings of the vendors' tools as they were found, against what awk, grep and date say."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from sixdim.metrics.dimensions.telemetry.memory import memory
from sixdim.metrics.dimensions.telemetry.power import power
from sixdim.parsers.telemetry.recorded import BadRecordingError, read_recording
from tests.support.telemetry import folded, recorded

CORPUS = Path(os.environ.get("SIXDIM_CORPUS", "/nonexistent"))

needs_corpus = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="SIXDIM_CORPUS names no folder of real logs"
)


@dataclass(frozen=True)
class Known:
    """What a recording holds, counted and averaged with awk, grep and date.

    Figures are means over devices of their means; times are those of the first and the last reading
    in seconds since 1970.
    """

    file: str
    shape: str
    readings: int
    devices: int
    power: float | None = None
    memory: float | None = None
    times: tuple[float | None, float] | None = None


KNOWN = [
    Known("telemetry/dcgm_dmon_power_csv.csv", "dcgm field CSV", 57, 8, 71.057142857143),
    Known("telemetry/efsmi_enflame.txt", "efsmi log", 2, 2, None, 8684.0),
    Known("telemetry/excerpt_ixsmi_q_l_grep.txt", "smi -q lines", 10, 1, 165.6, 30670.6),
    Known(
        "telemetry/excerpt_ixsmi_table.txt",
        "smi table",
        3,
        1,
        56.0,
        (114 + 114 + 9) / 3,
        (None, 1730949837),
    ),
    Known("telemetry/excerpt_npu_smi_flagperf.txt", "npu-smi table", 1, 1, None, 861.0),
    Known(
        "telemetry/ixsmi_q_x.txt", "smi -q -x XML", 2, 2, 38.0, 27748.0, (1747768884, 1747768884)
    ),
    Known(
        "telemetry/mx_smi_metax.txt",
        "mx-smi log",
        1,
        1,
        None,
        61215720 / 1024,
        (1757499335, 1757499335),
    ),
    Known("telemetry/npu_smi_info_multi.txt", "npu-smi table", 2, 2, None, 1363.5),
    Known("telemetry/npu_smi_info_single.txt", "npu-smi table", 1, 1, 65.5, 2200.0),
    Known("telemetry/npu_smi_power.txt", "npu-smi list", 1, 1, 42.9),
    Known("telemetry/npu_smi_usages.txt", "npu-smi list", 2, 2),
    Known("telemetry/nvidia_smi_dmon_util_short.log", "smi dmon", 10, 1),
    Known(
        "telemetry/nvidia_smi_power_csv_50ms.csv",
        "smi --query-gpu CSV",
        73,
        1,
        1608.56 / 73,
        None,
        (1730313753.189, 1730313756.813),
    ),
    Known(
        "telemetry/nvidia_smi_q_x_a100_v12.txt",
        "smi -q -x XML",
        1,
        1,
        67.03,
        50.0,
        (1691149470, 1691149470),
    ),
    Known(
        "telemetry/nvidia_smi_query_csv_noheader_5s.csv",
        "smi --query-gpu CSV without header",
        1923,
        1,
        16.520946437858,
        1516.814872594904,
        (1777133166.78, 1777142803.733),
    ),
    Known(
        "telemetry/nvidia_smi_query_csv_rtx4090_1s.csv",
        "smi --query-gpu CSV",
        2619,
        1,
        280.092012218404,
        17602.46735395189,
        (1767454613.507, 1767457493.961),
    ),
    Known(
        "telemetry/nvidia_smi_query_one.txt",
        "smi --query-gpu CSV without header",
        4,
        4,
        None,
        146.5,
    ),
    Known(
        "telemetry/nvidia_smi_torch_csv.csv",
        "smi --query-gpu CSV",
        65,
        1,
        49.814923076923,
        None,
        (1745510337.879, 1745510344.304),
    ),
    Known("telemetry/rocm_smi_mi100_rocm602.json", "rocm-smi JSON", 4, 4, 40.5, 6.4375),
    Known(
        "deepspark/ixsmi/bi-v100_driver3.0.1_ixsmi-table.txt",
        "smi table",
        3,
        3,
        55.0,
        513.0,
        (1684051467, 1684051467),
    ),
    Known("deepspark/ixsmi/bi-v150_driver4.3.8_ixsmi-table.txt", "smi table", 2, 2, 104.0, 64.0),
    Known(
        "deepspark/ixsmi/bi-v150s-2gpu_driver4.4.0_ixsmi-q-x.xml",
        "smi -q -x XML",
        2,
        2,
        13.0,
        68.0,
        (1788291522, 1788291522),
    ),
    Known(
        "deepspark/ixsmi/flagperf_iluvatar_monitor_sample.txt",
        "flagperf monitor",
        8,
        8,
        51.75,
        513.0,
        (1679652828, 1679652828),
    ),
    Known(
        "deepspark/ixsmi/mr-v100-2gpu_driver4.2.0_ixsmi-q-x.xml",
        "smi -q -x XML",
        2,
        2,
        38.0,
        27748.0,
        (1747768884, 1747768884),
    ),
]


REFUSED = {
    "telemetry/nvidia_smi_capture_h200_multi_command.txt": "several shapes of readings in one file",
    "telemetry/nvidia_smi_capture_rtx4080_multi_command.txt": "several shapes of readings",
    "telemetry/nvidia_smi_table_loop_seizure.log": "several shapes of readings in one file",
    "deepspark/ixsmi/ixsmi-query-gpu-csv_samples.txt": "the output of several commands",
}


@needs_corpus
def test_no_recording_is_forgotten() -> None:
    there = {
        f"{folder}/{path.name}"
        for folder in ("telemetry", "deepspark/ixsmi")
        for path in (CORPUS / folder).iterdir()
    }
    assert there == {known.file for known in KNOWN} | set(REFUSED)


@needs_corpus
@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.file)
def test_a_real_recording(known: Known) -> None:
    recording = read_recording(CORPUS / known.file)
    assert recording.format == known.shape
    assert len(recording.readings) == known.readings
    assert len({(r.host, r.device) for r in recording.readings}) == known.devices
    whole = folded(recording.readings)
    for figure, wanted in (
        (power(whole), known.power),
        (memory(whole), known.memory),
    ):
        assert figure.value == (None if wanted is None else pytest.approx(wanted, rel=1e-12))
    ends = (recording.readings[0].time_us, recording.readings[-1].time_us)
    if known.times is not None:
        assert ends == tuple(None if t is None else round(t * 10**6) for t in known.times)


@needs_corpus
@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_cannot_be_one_recording_says_why(name: str) -> None:
    with pytest.raises(BadRecordingError) as caught:
        read_recording(CORPUS / name)
    assert REFUSED[name] in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@needs_corpus
def test_energy_of_a_real_recording_is_the_trapezoid_that_awk_adds_up() -> None:
    recording = read_recording(CORPUS / "telemetry" / "nvidia_smi_power_csv_50ms.csv")
    assert power(folded(recording.readings)).details["energy_j"] == pytest.approx(
        79.820330, abs=1e-6
    )


def section(name: str, title: str) -> str:
    """One command's output out of a capture of many."""
    text = (CORPUS / "telemetry" / f"nvidia_smi_capture_{name}_multi_command.txt").read_text()
    _, _, rest = text.partition(f"# {title}")
    body = rest.split("#" * 80 + "\n", 1)[1]
    return body.split("#" * 80, 1)[0]


@needs_corpus
@pytest.mark.parametrize(
    ("name", "title", "shape", "figures"),
    [
        ("h200", "load :: query (-q)", "smi -q text", (627.32, 32362.0, 52.0, 700.0)),
        ("h200", "load :: query-gpu (csv", "smi --query-gpu CSV", (627.4, 32362.0, 52.0, 700.0)),
        ("h200", "load :: nvidia-smi (def", "smi table", (628.0, 32362.0, 52.0, 700.0)),
        ("rtx4080", "load :: query (-q)", "smi -q text", (84.03, 1474.0, 45.0, 320.0)),
        ("rtx4080", "load :: query-gpu (csv", "smi --query-gpu CSV", (84.24, 1474.0, 46.0, 320.0)),
        ("rtx4080", "load :: nvidia-smi (def", "smi table", (83.0, 1474.0, 45.0, 320.0)),
    ],
)
def test_one_moment_of_one_board_in_three_shapes(
    tmp_path: Path, name: str, title: str, shape: str, figures: tuple[float, ...]
) -> None:
    recording = recorded(tmp_path, section(name, title))
    assert recording.format == shape
    (one,) = recording.readings
    assert (one.power_w, one.memory_mib, one.temperature_c, one.power_limit_w) == figures
    assert one.time_us is not None


@needs_corpus
def test_rows_of_dmon_and_no_rows_of_pmon(tmp_path: Path) -> None:
    recording = recorded(tmp_path, section("rtx4080", "idle :: dmon"))
    assert [r.power_w for r in recording.readings] == [27, 26, 25, 26, 26]
    with pytest.raises(BadRecordingError):
        recorded(tmp_path, section("rtx4080", "idle :: pmon"))
