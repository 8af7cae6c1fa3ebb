"""Every shape in which a vendor's tool prints readings, and what only looks like one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sixdim.metrics.dimensions.telemetry.power import power
from sixdim.parsers.telemetry.recorded import BadRecordingError
from sixdim.parsers.telemetry.stamps import time_of
from tests.support.telemetry import folded, recorded

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
    recording = recorded(tmp_path, "".join(samples))
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
    recording = recorded(tmp_path, whole + without)
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
    recording = recorded(tmp_path, xml("\n".join(dies)) * 2)
    assert [r.power_w for r in recording.readings] == [104, None, 105, None] * 2
    assert recording.readings[3].missing == (("power_w", "the board's power stands at device 2"),)
    assert recording.notes == ("power is the board's, counted once at its first GPU",)


def test_a_dies_own_power_wins_over_the_boards(tmp_path: Path) -> None:
    recording = recorded(tmp_path, xml(die(0, "S", "13 W", "53 W") + die(1, "S", "N/A", "N/A")))
    assert [r.power_w for r in recording.readings] == [13, None]
    assert {r.time_us for r in recording.readings} == {time_of("2025-05-20 19:21:24")}


def test_a_document_cut_off_keeps_what_was_whole(tmp_path: Path) -> None:
    whole = xml(die(0, "S", "13 W", "N/A"))
    recording = recorded(tmp_path, whole + xml(die(0, "S", "14 W", "N/A")).split("</ixsmi_log>")[0])
    assert [r.power_w for r in recording.readings] == [13, 14]
    recording = recorded(tmp_path, whole.removesuffix("</ixsmi_log>\n") + whole)
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
        ("power.draw.average [W], power.draw.instant [W]\n[N/A], 20 W\n", [(0, 20)]),
        ("power.draw [W]\n30 %\n31 MiB\n32 C\n33 mW\n", [*[(0, None)] * 3, (0, 0.033)]),
        ("power.draw [W]\n10.00 W\nbroken, row\n\npower.draw [W]\n11.00 W\n", [(0, 10), (0, 11)]),
        ("0, 54 W, 250 W\n1, 55 W, 250 W\n0, 56 W, 250 W\n", [(0, 54), (1, 55), (0, 56)]),
    ],
)
def test_dialects_of_csv(tmp_path: Path, text: str, wanted: list[tuple[int, float | None]]) -> None:
    assert [(r.device, r.power_w) for r in recorded(tmp_path, text).readings] == wanted


@pytest.mark.parametrize(
    ("rows", "used"),
    [
        ("1 W, 5 MiB, 100 MiB\n1 W, 7 MiB, 100 MiB\n", [5, 7]),
        ("1 W, 100 MiB, 5 MiB\n1 W, 100 MiB, 7 MiB\n", [5, 7]),
        ("1 W, 5 MiB, 95 MiB\n1 W, 60 MiB, 40 MiB\n", [5, 60]),
        ("1 W, 100 MiB, 5 MiB, 95 MiB\n1 W, 100 MiB, 60 MiB, 40 MiB\n", [None, None]),
        ("0 %, 100 MiB, 5 MiB, 95 MiB\n9 %, 100 MiB, 60 MiB, 40 MiB\n", [5, 60]),
        ("0 %, 100 MiB, 95 MiB, 5 MiB\n9 %, 100 MiB, 40 MiB, 60 MiB\n", [5, 60]),
        ("0 %, 100 MiB, 94 MiB, 6 MiB\n9 %, 100 MiB, 40 MiB, 60 MiB\n", [None, None]),
        ("9 %, 100 MiB, 95 MiB, 5 MiB\n9 %, 100 MiB, 40 MiB, 60 MiB\n", [None, None]),
        ("0 %, 95 MiB, 5 MiB\n9 %, 40 MiB, 60 MiB\n", [5, 60]),
        ("0 %, 100 MiB, 95 MiB\n9 %, 100 MiB, 40 MiB\n", [None, None]),
        ("0 %, 100 MiB, 94 MiB\n9 %, 100 MiB, 40 MiB\n", [94, 40]),
        ("1 W, 5 MiB, 8 MiB\n1 W, 19 MiB, 3 MiB\n", [None, None]),
    ],
)
def test_without_a_header_memory_is_what_the_figures_prove(
    tmp_path: Path, rows: str, used: list[float | None]
) -> None:
    assert [r.memory_mib for r in recorded(tmp_path, rows).readings] == used


@pytest.mark.parametrize(
    ("rows", "watts", "limit"),
    [
        ("0, 400.00 W, 90.10 W\n0, 400.00 W, 91.20 W\n", [90.1, 91.2], 400),
        ("0, 400 W, 90 W\n1, 350 W, 90 W\n0, 400 W, 9 W\n1, 350 W, 9 W\n", [90, 90, 9, 9], 400),
        ("0, 90.10 W, 400.00 W\n0, 91.20 W, 400.00 W\n", [90.1, 91.2], 400),
        ("0, 90.10 W, 400.00 W\n", [90.1], 400),
        ("0, 400.00 W, 90.10 W\n", [None], None),
        ("0, 90.10 W, 95.20 W\n0, 91.30 W, 90.40 W\n", [90.1, 91.3], None),
    ],
)
def test_without_a_header_power_is_the_figure_that_moves(
    tmp_path: Path, rows: str, watts: list[float | None], limit: float | None
) -> None:
    readings = recorded(tmp_path, rows).readings
    assert [r.power_w for r in readings] == watts
    assert readings[0].power_limit_w == limit


def test_a_temperature_that_is_missing_is_no_index(tmp_path: Path) -> None:
    readings = recorded(tmp_path, "30, 54 W\n[N/A], 55 W\n").readings
    assert [(r.device, r.power_w) for r in readings] == [(0, 54), (0, 55)]


@pytest.mark.parametrize("text", ["[Unknown Error]", "[GPU is lost]", "[N/A]", "ERR!"])
def test_a_device_that_is_lost_leaves_the_rows_of_the_others(tmp_path: Path, text: str) -> None:
    rows = "0, 0 %, 100 MiB, 5 MiB, 95 MiB, 54 W\n1, {0}, {0}, {0}, {0}, {0}\n"
    readings = recorded(
        tmp_path, (rows + "0, 9 %, 100 MiB, 60 MiB, 40 MiB, 55 W\n").format(text)
    ).readings
    assert [(r.device, r.power_w, r.memory_mib) for r in readings[::2]] == [(0, 54, 5), (0, 55, 60)]
    assert (readings[1].power_w, readings[1].memory_mib) == (None, None)


@pytest.mark.parametrize(
    "column", ["clocks_event_reasons.active", "clocks_throttle_reasons.active"]
)
def test_the_bits_of_a_csv_say_what_holds_the_clocks_down(tmp_path: Path, column: str) -> None:
    bits = ("0x0000000000000000", "0x0000000000000001", "0x0000000000000044", "[N/A]")
    rows = "".join(f"0, 543.21 W, {text}\n" for text in bits)
    found = recorded(tmp_path, f"index, power.draw [W], {column}\n{rows}")
    held = [reading.throttle for reading in found.readings]
    assert held == [(), (), ("power cap", "thermal (hardware)"), ()]
    assert {reading.power_w for reading in found.readings} == {543.21}


def test_a_column_of_hosts_tells_their_devices_apart(tmp_path: Path) -> None:
    """A node at 100 and 120 W beside one at 300 W: 110 W and 300 W, 205 W a device."""
    rows = "n1, 0, 100 W\nn2, 0, 300 W\nn1, 0, 120 W\n"
    recording = recorded(tmp_path, "hostname, index, power.draw [W]\n" + rows)
    assert [(r.host, r.device) for r in recording.readings] == [("n1", 0), ("n2", 0), ("n1", 0)]
    assert power(folded(recording.readings)).value == 205.0


@pytest.mark.parametrize(
    "date",
    [
        "Sun Mar  1 10:00:0{} UTC 2026",
        "Sun 01 Mar 2026 10:00:0{} AM CET",
        "2026-03-01 10:00:0{}",
    ],
)
@pytest.mark.parametrize("header", ["", "index, power.draw [W], memory.used [MiB]\n"])
def test_rows_take_the_date_that_a_loop_prints_above_them(
    tmp_path: Path, date: str, header: str
) -> None:
    """`date; nvidia-smi --query-gpu=…` in a loop: no column says when."""
    samples = [
        f"{date.format(second)}\n{header}0, 30{second}.50 W, 900 MiB\n1, 20{second}.50 W, 800 MiB\n"
        for second in range(3)
    ]
    recording = recorded(tmp_path, "".join(samples))
    begin = time_of("2026-03-01 10:00:00")
    assert begin is not None
    assert [(r.device, r.power_w, r.memory_mib, r.time_us) for r in recording.readings] == [
        (device, watts + second, mib, begin + second * 1_000_000)
        for second in range(3)
        for device, watts, mib in ((0, 300.5, 900.0), (1, 200.5, 800.0))
    ]
    assert not any("left out" in note for note in recording.notes)


def test_numbers_without_header_and_units_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadRecordingError, match="no known shape"):
        recorded(tmp_path, "2026/04/25 16:06:06.780, 0, 2, 11.64\n")


def test_dmon_with_date_and_a_field_that_is_none(tmp_path: Path) -> None:
    head = "#Date       Time        gpu    pwr  gtemp     sm     fb\n#YYYYMMDD   HH:MM:SS    Idx\n"
    rows = " 20240101   10:11:12      0     77     28      -    512\n"
    recording = recorded(tmp_path, head + rows)
    (one,) = recording.readings
    assert (one.time_us, one.power_w, one.memory_mib) == (1704103872 * 10**6, 77, 512)
    assert recording.notes == ()
    assert one.missing == (("utilisation", "N/A"),)


def test_dmon_as_csv(tmp_path: Path) -> None:
    text = "# gpu, pwr, gtemp, mtemp, sm, fb\n# Idx, W, C, C, %, MB\n1, 77, 28, -, 97, 512\n"
    (one,) = recorded(tmp_path, text).readings
    assert (one.device, one.power_w, one.utilisation, one.memory_mib) == (1, 77, 97, 512)
    with pytest.raises(BadRecordingError):
        recorded(tmp_path, "# gpu, pid, type, sm, mem\n0, 77, C, 97, 40\n")


def test_a_line_of_commas_above_the_header_of_dmon_is_no_row(tmp_path: Path) -> None:
    text = ",\n# gpu, pwr, gtemp, mtemp, sm, fb\n1, 77, 28, -, 97, 512\n"
    recording = recorded(tmp_path, text)
    assert [one.power_w for one in recording.readings] == [77]
    assert recording.notes == ("1 lines that are no row left out",)


def test_dcgmi_dmon(tmp_path: Path) -> None:
    head = "#Entity   POWER                    TOTEC                FBUSD\nID\n"
    rows = (
        "GPU 0     70.535                   1500                 12\nGPU 1     N/A    2500    13\n"
    )
    first, second = recorded(tmp_path, head + rows + head + rows).readings[:2]
    assert (first.power_w, first.energy_j, first.memory_mib) == (70.535, 1.5, 12)
    assert (second.device, second.power_w, second.energy_j) == (1, None, 2.5)


def test_dcgmi_rows_of_one_field_are_readings_of_a_device_and_a_moment(tmp_path: Path) -> None:
    rows = ["0,1700000000000000,power_usage,70.5", "1,1700000000000000,power_usage,N/A"]
    rows += ["0,1700000001000000,power_usage,71.5", "0,1700000000000000,fb_used,12"]
    rows += ["1,1700000000000000,total_energy_consumption,2500", "0,1700000001000000,sm_clock,9"]
    head = "GPUId,TimeStampUs,Field,Values\n"
    recording = recorded(tmp_path, head + "\n".join([*rows, "0,1700000001000000,fb_used", ""]))
    assert [(r.device, r.time_us) for r in recording.readings] == [
        (0, 1700000000 * 10**6),
        (1, 1700000000 * 10**6),
        (0, 1700000001 * 10**6),
    ]
    assert [(r.power_w, r.memory_mib, r.energy_j) for r in recording.readings] == [
        (70.5, 12.0, None),
        (None, None, 2.5),  # it counts millijoules
        (71.5, None, None),
    ]
    assert any("1 lines that are no row" in note for note in recording.notes), recording.notes


def test_flagperfs_monitor_names_devices_by_their_order_after_each_time(tmp_path: Path) -> None:
    rows = "26C 50W 513MiB 32768MiB 0%\n27C N/A 514MiB 32768MiB 98%\n"
    text = f"2023-05-15 22:50:00\n{rows}2023-05-15 22:50:05\n{rows.replace('50W', '60W')}"
    recording = recorded(tmp_path, text)
    assert recording.format == "flagperf monitor"
    assert [(r.device, r.power_w, r.memory_mib, r.utilisation) for r in recording.readings] == [
        (0, 50.0, 513.0, 0.0),
        (1, None, 514.0, 98.0),
        (0, 60.0, 513.0, 0.0),
        (1, None, 514.0, 98.0),
    ]
    first, last = recording.readings[0].time_us, recording.readings[-1].time_us
    assert first is not None and last == first + 5_000_000


def test_tables_in_a_loop_take_the_date_above_them(tmp_path: Path) -> None:
    table = (
        "{when}\n| NVIDIA-SMI 495.44   Driver Version: 495.44   CUDA Version: 11.5 |\n"
        "|   0  Tesla V100-SXM2...  On   | 00000000:16:00.0 Off |                    0 |\n"
        "| N/A   30C    P0    {watts} / 300W |      5MiB / 32510MiB |      0%      Default |\n"
        "|                               |                      |                  N/A |\n"
        "| Processes:                                                                  |\n"
        "|    0   N/A  N/A      1234      C   python                          1000MiB |\n"
    )
    recording = recorded(
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
    recording = recorded(tmp_path, sample.format(70) + sample.format(80))
    assert [r.power_w for r in recording.readings] == [70, 80]


PAIR = "        Average Power Draw       : {}\n        Instantaneous Power Draw : {}\n"
GPU, MEMORY, MODULE = (
    PAIR.format(*two) for two in (("300 W", "9 W"), ("46 W", "N/A"), ("7 W", "8 W"))
)
NONE = PAIR.format("N/A", "N/A")


@pytest.mark.parametrize(
    ("text", "watts"),
    [
        ((GPU + MEMORY + MODULE) * 2, [300, 300]),  # Grace
        (GPU + MEMORY + MODULE + GPU, [300, 300]),
        ((GPU + MEMORY + NONE) * 2, [300, 300]),  # H100
        ((GPU + NONE + NONE) * 2, [300, 300]),
        (PAIR.format("N/A", "310 W") * 2, [310, 310]),
    ],
)
def test_grepped_pairs_of_the_memory_and_the_module_are_no_gpu(
    tmp_path: Path, text: str, watts: list[float]
) -> None:
    assert [r.power_w for r in recorded(tmp_path, text).readings] == watts


def test_rocm_samples_one_after_the_other_and_a_cut_one(tmp_path: Path) -> None:
    sample = '{"card0": {"Average Graphics Package Power (W)": "36.5", "GPU use (%)": "N/A"}}\n'
    above = "WARNING: AMD GPU device(s) is/are in a low-power state.\n"
    recording = recorded(tmp_path, above + sample * 2 + sample[:20] + "\n" + sample + sample[:20])
    assert [r.power_w for r in recording.readings] == [36.5] * 3
    assert recording.notes == ("objects cut off or broken: left out",)
    with pytest.raises(BadRecordingError):
        recorded(tmp_path, '{"card0":\n' + "[" * 100_000)


def test_what_is_no_number_in_json_is_no_figure(tmp_path: Path) -> None:
    (one,) = recorded(
        tmp_path, '{"card0": {"Average Graphics Package Power (W)": true, "GPU use (%)": "7"}}'
    ).readings
    assert (one.power_w, one.utilisation) == (None, 7.0)


def test_a_header_that_comes_again_does_not_rename_the_devices(tmp_path: Path) -> None:
    head = "uuid, power.draw [W]\n"
    text = head + "GPU-a, 100 W\nGPU-b, 200 W\n" + head + "GPU-b, 201 W\nGPU-a, 101 W\n"
    found = [(r.device, r.uuid, r.power_w) for r in recorded(tmp_path, text).readings]
    assert found == [
        (0, "GPU-a", 100.0),
        (1, "GPU-b", 200.0),
        (1, "GPU-b", 201.0),
        (0, "GPU-a", 101.0),
    ]


def test_a_figure_that_was_cut_off_is_none(tmp_path: Path) -> None:
    last = recorded(tmp_path, "index, power.draw [W]\n0, 100.50 W\n0, 10").readings[-1]
    assert dict(last.missing) == {"power_w": "10 without its unit: cut off"}
    gpu = "GPU 00000000:83:00.0\n    Power Readings\n        Power Draw      : {}\n"
    cut, whole = recorded(tmp_path, gpu.format("10") + gpu.format("100 W")).readings
    assert dict(cut.missing) == {"power_w": "10 without its unit: cut off"}
    assert whole.power_w == 100.0
    bare = recorded(tmp_path, "index, power.draw [W]\n0, [N/A]\n0, 100.50\n0, 101\n").readings
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
    sliced, plain = recorded(tmp_path, MIG_TABLE).readings
    assert (sliced.name, sliced.power_w, sliced.memory_mib) == (
        "NVIDIA A100-SXM... (MIG on)",
        54,
        1,
    )
    assert (plain.name, plain.power_w) == ("NVIDIA A100-SXM...", 50)


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
    recording = recorded(tmp_path, "".join(samples))
    assert [(r.device, r.power_w) for r in recording.readings] == [(5, 101), (5, 102)]
    assert recording.notes == ()


def test_an_index_that_is_not_told_comes_from_the_command_or_is_said_to_lack(
    tmp_path: Path,
) -> None:
    text = re.sub(r".*Minor.*\n", "", ONE_OF_SIXTEEN.format(second=1, name="Iluvatar BI-V150"))
    assert [r.device for r in recorded(tmp_path, "$ ixsmi -q -i 5\n" + text).readings] == [5]
    recording = recorded(tmp_path, "$ ixsmi -q -i 5,6\n" + text)
    assert [r.device for r in recording.readings] == [0]
    assert recording.notes == ("1 of 16 devices, and no index: numbered by their order",)


def test_one_of_many_devices_in_xml_has_its_own_index(tmp_path: Path) -> None:
    gpu = (
        '<gpu id="0000:C3:00.0"><minor_number>5</minor_number>'
        "<power_readings><power_draw>100 W</power_draw></power_readings></gpu>"
    )
    for attached, index in ((16, 5), (1, 0)):
        head = f"<attached_gpus>{attached}</attached_gpus>"
        recording = recorded(tmp_path, xml(head + gpu, "nvidia_smi_log"))
        assert [r.device for r in recording.readings] == [index]
