"""Every shape in which a vendor's tool prints readings, real and hostile."""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sixdim.metrics.dimensions.memory import memory
from sixdim.metrics.dimensions.power import power
from sixdim.metrics.fold.telemetry import TelemetryFold
from sixdim.metrics.values.card import Dimension
from sixdim.parsers.telemetry.journal_line import decode, encode
from sixdim.parsers.telemetry.recorded import BadRecordingError, Recording, read_recording
from sixdim.parsers.telemetry.stamps import time_of
from tests.support.telemetry import folded

CORPUS = Path(os.environ.get("SIXDIM_CORPUS", "/nonexistent"))
needs_corpus = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="SIXDIM_CORPUS names no folder of real logs"
)


def read(tmp_path: Path, text: str) -> Recording:
    path = tmp_path / "recording.txt"
    path.write_text(text)
    return read_recording(path)


def fold(recording: Recording) -> TelemetryFold:
    return folded(recording.readings)


def watts(recording: Recording) -> Dimension:
    return power(fold(recording))


@dataclass(frozen=True)
class Known:
    """What a recording holds, counted and averaged with awk, grep and date.

    Figures are means over devices of their means; times are microseconds since 1970.
    """

    file: str
    shape: str
    readings: int
    devices: int
    power: float | None = None
    memory: float | None = None
    first_us: int | None = None
    last_us: int | None = None


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
        None,
        1730949837 * 10**6,
    ),
    Known("telemetry/excerpt_npu_smi_flagperf.txt", "npu-smi table", 1, 1, None, 861.0),
    Known(
        "telemetry/ixsmi_q_x.txt",
        "smi -q -x XML",
        2,
        2,
        38.0,
        27748.0,
        1747768884 * 10**6,
        1747768884 * 10**6,
    ),
    Known(
        "telemetry/mx_smi_metax.txt",
        "mx-smi log",
        1,
        1,
        None,
        61215720 / 1024,
        1757499335 * 10**6,
        1757499335 * 10**6,
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
        1730313753189000,
        1730313756813000,
    ),
    Known(
        "telemetry/nvidia_smi_q_x_a100_v12.txt",
        "smi -q -x XML",
        1,
        1,
        67.03,
        50.0,
        1691149470 * 10**6,
        1691149470 * 10**6,
    ),
    Known(
        "telemetry/nvidia_smi_query_csv_noheader_5s.csv",
        "smi --query-gpu CSV without header",
        1923,
        1,
        16.520946437858,
        1516.814872594904,
        1777133166780000,
        1777142803733000,
    ),
    Known(
        "telemetry/nvidia_smi_query_csv_rtx4090_1s.csv",
        "smi --query-gpu CSV",
        2619,
        1,
        280.092012218404,
        17602.467353951892,
        1767454613507000,
        1767457493961000,
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
        1745510337879000,
        1745510344304000,
    ),
    Known("telemetry/rocm_smi_mi100_rocm602.json", "rocm-smi JSON", 4, 4, 40.5, 6.4375),
    Known(
        "deepspark/ixsmi/bi-v100_driver3.0.1_ixsmi-table.txt",
        "smi table",
        3,
        3,
        55.0,
        513.0,
        1684051467 * 10**6,
        1684051467 * 10**6,
    ),
    Known("deepspark/ixsmi/bi-v150_driver4.3.8_ixsmi-table.txt", "smi table", 2, 2, 104.0, 64.0),
    Known(
        "deepspark/ixsmi/bi-v150s-2gpu_driver4.4.0_ixsmi-q-x.xml",
        "smi -q -x XML",
        2,
        2,
        13.0,
        68.0,
        1788291522 * 10**6,
        1788291522 * 10**6,
    ),
    Known(
        "deepspark/ixsmi/flagperf_iluvatar_monitor_sample.txt",
        "flagperf monitor",
        8,
        8,
        51.75,
        513.0,
        1679652828 * 10**6,
        1679652828 * 10**6,
    ),
    Known(
        "deepspark/ixsmi/mr-v100-2gpu_driver4.2.0_ixsmi-q-x.xml",
        "smi -q -x XML",
        2,
        2,
        38.0,
        27748.0,
        1747768884 * 10**6,
        1747768884 * 10**6,
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
    whole = fold(recording)
    for figure, wanted in (
        (power(whole), known.power),
        (memory(whole), known.memory),
    ):
        assert figure.value == (None if wanted is None else pytest.approx(wanted, rel=1e-12))
    if known.last_us is not None:
        assert recording.readings[0].time_us == known.first_us
        assert recording.readings[-1].time_us == known.last_us


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
    assert watts(recording).details["energy_j"] == pytest.approx(79.820330, abs=1e-6)


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
    recording = read(tmp_path, section(name, title))
    assert recording.format == shape
    (one,) = recording.readings
    assert (one.power_w, one.memory_mib, one.temperature_c, one.power_limit_w) == figures
    assert one.time_us is not None


@needs_corpus
def test_rows_of_dmon_and_no_rows_of_pmon(tmp_path: Path) -> None:
    recording = read(tmp_path, section("rtx4080", "idle :: dmon"))
    assert [r.power_w for r in recording.readings] == [27, 26, 25, 26, 26]
    with pytest.raises(BadRecordingError):
        read(tmp_path, section("rtx4080", "idle :: pmon"))


GPU_TEXT = """\

==============NVSMI LOG==============

Timestamp                                 : Fri Jul  3 22:10:{second:02d} 2026
Attached GPUs                             : 2
GPU 00000000:83:00.0
    Product Name                          : NVIDIA B100
    GPU UUID                              : GPU-aaaa
    Clocks Event Reasons
        SW Power Cap                      : Active
        HW Slowdown                       : Not Active
            HW Thermal Slowdown           : Active
    FB Memory Usage
        Total                             : 1000 MiB
        Used                              : 10 MiB
    BAR1 Memory Usage
        Used                              : 999 MiB
    GPU Power Readings
        Average Power Draw                : {watts} W
        Instantaneous Power Draw          : 500 W
        Current Power Limit               : 700 W
    GPU Memory Power Readings
        Average Power Draw                : 46 W
GPU 00000000:84:00.0
    GPU Power Readings
        Average Power Draw                : N/A
        Instantaneous Power Draw          : 300 W
"""


def test_text_in_a_loop_gives_one_reading_a_device_and_sample(tmp_path: Path) -> None:
    samples = [GPU_TEXT.format(second=s, watts=100 + s) for s in (1, 2, 3)]
    recording = read(tmp_path, "".join(samples))
    assert [(r.device, r.power_w) for r in recording.readings] == [
        (0, 101),
        (1, 300),
        (0, 102),
        (1, 300),
        (0, 103),
        (1, 300),
    ]
    first = recording.readings[0]
    assert (first.memory_mib, first.power_limit_w, first.name) == (10, 700, "NVIDIA B100")
    assert first.throttle == ("power cap", "thermal (hardware)")
    assert first.time_us == time_of("2026-07-03 22:10:01")


def test_a_board_that_falls_off_the_bus_does_not_rename_the_others(tmp_path: Path) -> None:
    whole = GPU_TEXT.format(second=1, watts=100)
    without = re.sub(r"GPU 00000000:83.*?(?=GPU 00000000:84)", "", whole, flags=re.DOTALL)
    recording = read(tmp_path, whole + without)
    assert [r.device for r in recording.readings] == [0, 1, 1]


def xml(gpus: str, root: str = "ixsmi_log", head: str = "") -> str:
    return (
        f'<?xml version="1.0" ?>\n<!DOCTYPE {root} SYSTEM "x.dtd">\n{head}<{root}>\n'
        f"<timestamp>Tue May 20 19:21:24 2025</timestamp>\n{gpus}\n</{root}>\n"
    )


def die(minor: int, serial: str, own: str, board: str) -> str:
    return (
        f'<gpu id="0000:0{minor}:00.0"><product_name>Iluvatar BI-V150</product_name>'
        f"<serial>{serial}</serial><minor_number>{minor}</minor_number><power_readings>"
        f"<gpu_power_draw>{own}</gpu_power_draw><board_power_draw>{board}</board_power_draw>"
        "</power_readings></gpu>"
    )


def test_a_boards_power_repeated_on_both_dies_is_counted_once(tmp_path: Path) -> None:
    dies = [die(m, f"S{m // 2}", "N/A", f"{104 + m // 2} W") for m in range(4)]
    recording = read(tmp_path, xml("\n".join(dies)) * 2)
    assert [r.power_w for r in recording.readings] == [104, None, 105, None] * 2
    assert recording.readings[3].missing == (("power_w", "the board's power stands at device 2"),)
    assert recording.notes == ("power is the board's, counted once at its first GPU",)


def test_a_dies_own_power_wins_over_the_boards(tmp_path: Path) -> None:
    recording = read(tmp_path, xml(die(0, "S", "13 W", "53 W") + die(1, "S", "N/A", "N/A")))
    assert [r.power_w for r in recording.readings] == [13, None]


LAUGHS = '<!DOCTYPE ixsmi_log [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f'<?xml version="1.0"?>\n{LAUGHS}<ixsmi_log><gpu id="&b;"/></ixsmi_log>', "own markup"),
        (
            '<?xml version="1.0"?>\n<!DOCTYPE ixsmi_log [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n'
            '<ixsmi_log><gpu id="1"><uuid>&x;</uuid></gpu></ixsmi_log>',
            "own markup",
        ),
        ("<ixsmi_log>" + "<a>" * 40, "nested deeper"),
        ("<ixsmi_log><gpu></wrong></ixsmi_log>", "mismatched tag"),
        ("<ixsmi_log>\n" + ("<a>" + "x" * 200_000 + "</a>\n") * 90, "larger than 16 MiB"),
    ],
)
def test_hostile_xml_is_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "evil.xml"
    path.write_text(text)
    with pytest.raises(BadRecordingError) as caught:
        read_recording(path)
    assert words in str(caught.value)


def test_a_document_cut_off_keeps_what_was_whole(tmp_path: Path) -> None:
    whole = xml(die(0, "S", "13 W", "N/A"))
    recording = read(tmp_path, whole + xml(die(0, "S", "14 W", "N/A")).split("</ixsmi_log>")[0])
    assert [r.power_w for r in recording.readings] == [13, 14]
    recording = read(tmp_path, whole.removesuffix("</ixsmi_log>\n") + whole)
    assert [r.power_w for r in recording.readings] == [13, 13]
    assert recording.notes == ("documents cut off in the middle: what was whole in them counts",)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("index, gpu.power.draw [W]\n0, 54 W\n1, 65535 W\n", [(0, 54), (1, None)]),
        ("index, power.draw [W]\n0, 54\n1, [N/A]\n", [(0, 54), (1, None)]),
        (
            "gpu_uuid, power.draw\nGPU-b, 2.50 W\nGPU-a, 3 W\nGPU-b, 4 W\n",
            [(0, 2.5), (1, 3), (0, 4)],
        ),
        ("power.draw.average [W], power.draw.instant [W]\n10 W, 20 W\n", [(0, 10)]),
        ("power.draw [W]\n10.00 W\nbroken, row\n\npower.draw [W]\n11.00 W\n", [(0, 10), (0, 11)]),
        ("0, 54 W, 250 W\n1, 55 W, 250 W\n0, 56 W, 250 W\n", [(0, 54), (1, 55), (0, 56)]),
    ],
)
def test_dialects_of_csv(tmp_path: Path, text: str, wanted: list[tuple[int, float | None]]) -> None:
    assert [(r.device, r.power_w) for r in read(tmp_path, text).readings] == wanted


@pytest.mark.parametrize(
    ("rows", "used"),
    [
        ("1 W, 5 MiB, 100 MiB\n1 W, 7 MiB, 100 MiB\n", [5, 7]),
        ("1 W, 100 MiB, 5 MiB\n1 W, 100 MiB, 7 MiB\n", [5, 7]),
        ("1 W, 5 MiB, 95 MiB\n1 W, 60 MiB, 40 MiB\n", [5, 60]),
        ("1 W, 100 MiB, 5 MiB, 95 MiB\n1 W, 100 MiB, 60 MiB, 40 MiB\n", [5, 60]),
        ("1 W, 5 MiB, 8 MiB\n1 W, 19 MiB, 3 MiB\n", [None, None]),
    ],
)
def test_without_a_header_memory_is_what_the_figures_prove(
    tmp_path: Path, rows: str, used: list[float | None]
) -> None:
    assert [r.memory_mib for r in read(tmp_path, rows).readings] == used


def test_numbers_without_header_and_units_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadRecordingError, match="no known shape"):
        read(tmp_path, "2026/04/25 16:06:06.780, 0, 2, 11.64\n")


def test_dmon_with_date_and_a_field_that_is_none(tmp_path: Path) -> None:
    head = "#Date       Time        gpu    pwr  gtemp     sm     fb\n#YYYYMMDD   HH:MM:SS    Idx\n"
    rows = " 20240101   10:11:12      0     77     28      -    512\n"
    (one,) = read(tmp_path, head + rows).readings
    assert (one.time_us, one.power_w, one.memory_mib) == (1704103872 * 10**6, 77, 512)
    assert one.missing == (("utilisation", "N/A"),)


def test_dcgmi_dmon(tmp_path: Path) -> None:
    head = "#Entity   POWER                    TOTEC                FBUSD\nID\n"
    rows = (
        "GPU 0     70.535                   1500                 12\nGPU 1     N/A    2500    13\n"
    )
    first, second = read(tmp_path, head + rows + head + rows).readings[:2]
    assert (first.power_w, first.energy_j, first.memory_mib) == (70.535, 1.5, 12)
    assert (second.device, second.power_w, second.energy_j) == (1, None, 2.5)


def test_tables_in_a_loop_take_the_date_above_them(tmp_path: Path) -> None:
    table = (
        "{when}\n| NVIDIA-SMI 495.44   Driver Version: 495.44   CUDA Version: 11.5 |\n"
        "|   0  Tesla V100-SXM2...  On   | 00000000:16:00.0 Off |                    0 |\n"
        "| N/A   30C    P0    {watts} / 300W |      5MiB / 32510MiB |      0%      Default |\n"
        "|                               |                      |                  N/A |\n"
        "| Processes:                                                                  |\n"
        "|    0   N/A  N/A      1234      C   python                          1000MiB |\n"
    )
    recording = read(
        tmp_path,
        table.format(when="Wed Jan  5 15:09:50 2022       ", watts="42W")
        + table.format(when="Wed Jan  5 15:09:55 CET 2022", watts="ERR!")
        + table.format(when="", watts="43W"),
    )
    assert [(r.device, r.power_w, r.time_us) for r in recording.readings] == [
        (0, 42, 1641395390 * 10**6),
        (0, None, 1641395395 * 10**6),
        (0, 43, None),
    ]


def test_grepped_pairs_are_one_reading_each(tmp_path: Path) -> None:
    sample = (
        "        Average Power Draw                : {} W\n"
        "        Instantaneous Power Draw          : 77 W\n"
        "        Average Power Draw                : 46 W\n"
        "        Instantaneous Power Draw          : N/A\n"
    )
    recording = read(tmp_path, sample.format(70) + sample.format(80))
    assert [r.power_w for r in recording.readings] == [70, 80]


def test_rocm_samples_one_after_the_other_and_a_cut_one(tmp_path: Path) -> None:
    sample = '{"card0": {"Average Graphics Package Power (W)": "36.5", "GPU use (%)": "N/A"}}\n'
    above = "WARNING: AMD GPU device(s) is/are in a low-power state.\n"
    recording = read(tmp_path, above + sample * 2 + sample[:20] + "\n" + sample + sample[:20])
    assert [r.power_w for r in recording.readings] == [36.5] * 3
    assert recording.notes == ("objects cut off or broken: left out",)
    with pytest.raises(BadRecordingError):
        read(tmp_path, '{"card0":\n' + "[" * 100_000)


def test_what_is_no_number_in_json_is_no_figure(tmp_path: Path) -> None:
    (one,) = read(
        tmp_path, '{"card0": {"Average Graphics Package Power (W)": true, "GPU use (%)": "7"}}'
    ).readings
    assert (one.power_w, one.utilisation) == (None, 7.0)


def test_a_header_that_comes_again_does_not_rename_the_devices(tmp_path: Path) -> None:
    head = "uuid, power.draw [W]\n"
    text = head + "GPU-a, 100 W\nGPU-b, 200 W\n" + head + "GPU-b, 201 W\nGPU-a, 101 W\n"
    found = [(r.device, r.uuid, r.power_w) for r in read(tmp_path, text).readings]
    assert found == [
        (0, "GPU-a", 100.0),
        (1, "GPU-b", 200.0),
        (1, "GPU-b", 201.0),
        (0, "GPU-a", 101.0),
    ]


def test_a_figure_that_was_cut_off_is_none(tmp_path: Path) -> None:
    last = read(tmp_path, "index, power.draw [W]\n0, 100.50 W\n0, 10").readings[-1]
    assert dict(last.missing) == {"power_w": "10 without its unit: cut off"}
    gpu = "GPU 00000000:83:00.0\n    Power Readings\n        Power Draw      : {}\n"
    cut, whole = read(tmp_path, gpu.format("10") + gpu.format("100 W")).readings
    assert dict(cut.missing) == {"power_w": "10 without its unit: cut off"}
    assert whole.power_w == 100.0
    bare = read(tmp_path, "index, power.draw [W]\n0, [N/A]\n0, 100.50\n0, 101\n").readings
    assert [r.power_w for r in bare] == [None, 100.5, 101.0]


MIG_TABLE = """\
| NVIDIA-SMI 525.60.13    Driver Version: 525.60.13    CUDA Version: 12.0     |
|   0  NVIDIA A100-SXM...  On   | 00000000:07:00.0 Off |                   On |
| N/A   33C    P0    54W / 400W |    1MiB / 40960MiB   |     N/A      Default |
|                               |                      |              Enabled |
|   1  NVIDIA A100-SXM...  On   | 00000000:0F:00.0 Off |                    0 |
| N/A   30C    P0    50W / 400W |    2MiB / 40960MiB   |      0%      Default |
|                               |                      |             Disabled |
| MIG devices:                                                                |
| GPU  GI  CI  MIG |         Memory-Usage |        Vol|         Shared        |
|  0    1   0   0  |     11MiB / 20096MiB | 42      0 |  3   0    2    0    0 |
|                  |      0MiB / 32767MiB |           |                       |
| Processes:                                                                  |
|    0    1    0      21039      C   python3                         5000MiB  |
"""


def test_a_board_in_slices_is_marked_and_its_slices_are_no_boards(tmp_path: Path) -> None:
    sliced, plain = read(tmp_path, MIG_TABLE).readings
    assert (sliced.name, sliced.power_w, sliced.memory_mib) == (
        "NVIDIA A100-SXM... (MIG on)",
        54,
        1,
    )
    assert (plain.name, plain.power_w) == ("NVIDIA A100-SXM...", 50)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2026/01/03 15:36:53.507", 1767454613.507),
        ("2023-03-24-10:13:48", 1679652828),
        ("20240101 10:11:12", 1704103872),
        ("Fri Jul  3 22:11:09 2026", 1783116669),
        ("Fri Jul  3 22:11:09 CST 2026", 1783116669),
        ("Fri Jul  3 10:11:09 PM CST 2026", 1783116669),
        ("Fri Jul  3 10:11:09 AM CST 2026", 1783116669 - 12 * 3600),
        ("Fri Jul  3 12:11:09 AM CST 2026", 1783116669 - 22 * 3600),
        ("Fri Jul  3 12:11:09 PM 2026", 1783116669 - 10 * 3600),
        ("Fri Jul  3 22:11:09 PM CST 2026", None),
        ("2026-07-03T22:11:09Z", 1783116669),
        ("2026/13/03 15:36:53", None),
        ("2026/01/03 25:36:53", None),
        ("Fri Foo  3 22:11:09 2026", None),
        ("2026-12-31 23:59:59", 1798761599),
        ("2026-13-01 00:00:00", None),
        ("2026-12-31 23:60:00", None),
        ("2026-12-31 24:00:00", None),
        ("Thu Dec 31 23:59:59 2026", 1798761599),
        ("Thu Jan  1 00:00:00 1970", 0),
        ("12", None),
        ("9" * 100_000, None),
    ],
)
def test_times_as_the_tools_print_them(text: str, seconds: float | None) -> None:
    assert time_of(text) == (None if seconds is None else round(seconds * 10**6))


SHREDS = st.sampled_from(
    [
        "GPU 00000000:83:00.0",
        "    Power Draw : 161 W",
        "Timestamp : Fri Jul  3 22:10:45 2026",
        "index, power.draw [W]",
        "0, 54 W",
        "gpu_uuid, pid, used_memory [MiB]",
        "GPU-a, 7, 54 MiB",
        "    Processes",
        "        Process ID : 7",
        "            Used GPU Memory : 61 MiB",
        "<processes><process_info><type>C</type><used_memory>x</used_memory></process_info>",
        "0, 54 W, 5 MiB, 7 MiB",
        "# gpu   pwr  sm",
        "# Idx W %",
        "    0   77    1",
        "| NVIDIA-SMI 495.44   x   |",
        "|   0  Tesla   On   | 0:16:00.0 Off |  0 |",
        "| N/A   30C    P0    42W / 300W |  0MiB / 32510MiB |  0%  Default |",
        '<?xml version="1.0"?>',
        "<ixsmi_log>",
        '<gpu id="1">',
        "</gpu>",
        "</ixsmi_log>",
        "<uuid>x",
        '{"card0": {"GPU use (%)": "1"}}',
        '{"card0":',
        "| npu-smi 1 |",
        "| 4  910A | OK | NA 43 0 / 9 |",
        "| 0  0 | 0:81 | 0 8 / 2 |",
        "\tNPU ID : 2944",
        "\tPower Dissipation(W) : 42.9",
        "GPU#0  MXN260  0000:0f:00.0",
        "    Memory",
        "        vram used : 1 KB",
        "DEV ID 0",
        "26C 50W 513MiB 32768MiB 0%",
        "#Entity POWER",
        "GPU 0 70.5",
        "GPUId,TimeStampUs,Field,Values",
        "0,1718783836956328,power_usage,71.20",
        "N/A",
        "9" * 22,
    ]
)


@pytest.mark.slow
@given(st.lists(SHREDS | st.text(max_size=20), max_size=12).map("\n".join))
@settings(max_examples=300, deadline=None)
def test_any_mixture_is_a_recording_or_a_sentence(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            recording = read(Path(folder), text)
        except BadRecordingError as refused:
            assert str(refused).isprintable()
            return
    for reading in recording.readings:
        assert decode(encode(reading).decode()) == reading


@pytest.mark.parametrize(
    "line",
    [
        "a: " * 60_000,
        " " * 200_000 + "x",
        "0, " * 60_000,
        "# gpu " + "a " * 90_000,
        "|" + " " * 200_000 + "| NVIDIA-SMI",
        "| NVIDIA-SMI 1" + " " * 200_000,
        "GPU#0 " + "x " * 90_000,
        "[" * 200_000,
        "Timestamp : " + "1" * 200_000,
        "#Entity " + "A " * 90_000,
        "NPU ID" + " " * 200_000,
    ],
    ids=lambda line: line[:12],
)
def test_long_lines_do_not_make_the_patterns_run_wild(tmp_path: Path, line: str) -> None:
    with pytest.raises(BadRecordingError):
        read(tmp_path, line + "\n" + line)


ONE_OF_SIXTEEN = """\
Timestamp                                   : Mon Nov 22 10:00:0{second} 2026
Attached GPUs                               : 16
GPU 00000000:C3:00.0
    Product Name                            : {name}
    Minor Number                            : 5
    Power Readings
        Power Draw                          : 10{second} W
"""


@pytest.mark.parametrize("name", ["Iluvatar BI-V150", "NVIDIA A100"])
def test_one_of_many_devices_has_its_own_index(tmp_path: Path, name: str) -> None:
    samples = [ONE_OF_SIXTEEN.format(second=second, name=name) for second in (1, 2)]
    recording = read(tmp_path, "".join(samples))
    assert [(r.device, r.power_w) for r in recording.readings] == [(5, 101), (5, 102)]
    assert recording.notes == ()


def test_an_index_that_is_not_told_comes_from_the_command_or_is_said_to_lack(
    tmp_path: Path,
) -> None:
    text = re.sub(r".*Minor.*\n", "", ONE_OF_SIXTEEN.format(second=1, name="Iluvatar BI-V150"))
    assert [r.device for r in read(tmp_path, "$ ixsmi -q -i 5\n" + text).readings] == [5]
    recording = read(tmp_path, "$ ixsmi -q -i 5,6\n" + text)
    assert [r.device for r in recording.readings] == [0]
    assert recording.notes == ("1 of 16 devices, and no index: numbered by their order",)


def test_one_of_many_devices_in_xml_has_its_own_index(tmp_path: Path) -> None:
    gpu = (
        '<gpu id="0000:C3:00.0"><minor_number>5</minor_number>'
        "<power_readings><power_draw>100 W</power_draw></power_readings></gpu>"
    )
    for attached, index in ((16, 5), (1, 0)):
        head = f"<attached_gpus>{attached}</attached_gpus>"
        recording = read(tmp_path, xml(head + gpu, "nvidia_smi_log"))
        assert [r.device for r in recording.readings] == [index]
