"""CSV of scripts and of Paddle's launcher: columns that name their figures count, others do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from sixdim.parsers.telemetry.draft import OF_ABSURD
from sixdim.parsers.telemetry.recorded import BadRecordingError, read_recording
from sixdim.parsers.telemetry.stamps import COUNTED, UNREAD, moment_of
from tests.support.telemetry import recorded


@pytest.mark.parametrize(
    ("header", "row", "figures"),
    [
        ("timestamp,power_draw_W", "2026-01-02T03:04:05.5+00:00,161.5", (161.5, None, None)),
        ("time;gpu_id;power_mw;vram_used_mb", "1767323045;3;161500;2048", (161.5, 2048.0, None)),
        ("timestamp\tGPU Util (%)\tGPU Memory Used (GiB)", "x\t97\t2.5", (None, 2560.0, 97.0)),
        (
            "timestamp,memory_used,memory_total,gpu_utilization",
            "1,2048,4096,97",
            (None, 2048.0, 97.0),
        ),
        ('"elapsed","gpu_power","gpu_mem_used"', '"0.5","161 W","1 GiB"', (161.0, 1024.0, None)),
        ("timestamp,gpu_power_w,cpu_power_w", "1,161,40", (161.0, None, None)),
        (
            "timestamp,gpu_power_w,total_power_w,gpu_power_limit_w",
            "1,161,300,400",
            (161, None, None),
        ),
        ("gpu_uuid,hostname,gpu_power_w", "GPU-a,node1,161", (161.0, None, None)),
        (",time,index,power.draw [W],memory.used [MiB]", "7,1,0,161 W,9 MiB", (161.0, 9.0, None)),
        ("gpu,gpu_memory_used_kb,gpu_power_mw", "0,2097152,161500", (161.5, 2048.0, None)),
        ("gpu_power_w,gpu_memory_used_tb", "161,0.03", (161.0, None, None)),
        ("gpu_temp_f,gpu_power_w", "113,161", (161.0, None, None)),
        (
            "gpu,power_usage,hotspot_temperature,gfx,vram_used",
            "0,161,50,97,41000",
            (161, 41000, None),
        ),
    ],
)
def test_columns_are_read_by_their_names(
    tmp_path: Path, header: str, row: str, figures: tuple[float | None, ...]
) -> None:
    one = recorded(tmp_path, f"{header}\n{row}\n").readings[0]
    assert (one.power_w, one.memory_mib, one.utilisation) == figures
    assert (one.temperature_c == 50) is ("hotspot" in header)


@pytest.mark.parametrize(
    "header",
    [
        "timestamp,power_w",  # of a wall socket, too
        "timestamp,cpu_power_w,power_w,gpu_util",
        "timestamp,memory_used_mb,cpu_percent,gpu_util",
        "timestamp,total_gpu_power_w,gpu_util",
        "timestamp,gpu_power_kw,gpu_util",
        "timestamp,gpu_power_wh,gpu_util",
        "timestamp,gpu_memory_percent,gpu_util",
        "timestamp,gpu_memory_free_mb,gpu_memory_total_mb,gpu_util",
        "timestamp,torch_gpu_memory_allocated_mb,gpu_util",
        "epoch,loss,gpu_memory_used_mb",
        "timestamp,project_name,emissions,gpu_power",
        "timestamp,pid,gpu_power",
        "gpu_id,duty,avg_power_W,avg_power_minus_idle_W,stddev_power_W,num_samples",
        "timestamp,gpu_power_smoothed_w,gpu_util",
    ],
)
def test_columns_in_doubt_are_no_recording(tmp_path: Path, header: str) -> None:
    with pytest.raises(BadRecordingError, match="no known shape"):
        recorded(tmp_path, header + "\n" + ",".join("1" * len(header.split(","))) + "\n")


def test_a_size_of_unknown_unit_is_no_figure(tmp_path: Path) -> None:
    row = recorded(tmp_path, "gpu,gpu_power_w,vram_used_gb\n0,161,2.5\n").readings[0]
    assert dict(row.missing) == {"memory_mib": "in GB, of 10^9 or of 2^30 bytes"}
    row = recorded(tmp_path, "gpu,gpu_power_w,vram_used\n0,161,2.5\n").readings[0]
    assert dict(row.missing) == {"memory_mib": "a fraction in a column that names no unit"}


@pytest.mark.parametrize(
    ("column", "mib"),
    [("gpu_memory_usage", None), ("gpu_memory_usage_mb", 45.0), ("gpu_memory_used", 45.0)],
)
def test_a_usage_without_a_unit_may_be_a_share(
    tmp_path: Path, column: str, mib: float | None
) -> None:
    row = recorded(tmp_path, f"gpu,gpu_power_w,{column}\n0,161,45\n").readings[0]
    assert (row.power_w, row.memory_mib) == (161, mib)
    reason = {} if mib else {"memory_mib": "MiB or percent: the column names no unit"}
    assert dict(row.missing) == reason


PADDLE = """\
index,uuid,driver_version,name,gpu_serial,display_active,display_mode
0,GPU-aa,525.1,Tesla T4,[N/A],Disabled,Enabled
1,GPU-bb,525.1,Tesla T4,[N/A],Disabled,Enabled

pid,process_name,gpu_uuid,gpu_name,used_memory
{processes}
index,utilization_gpu,memory_total,memory_used,memory_free,timestamp
0,5,15360,405,14955,2026/03/11 16:02:37.871
1,7,15360,505,14855,2026/03/11 16:02:37.875
0,95,15360,9405,5955,2026/03/11 16:03:07.871
"""


@pytest.mark.parametrize("processes", ["", "77,python,GPU-aa,Tesla T4,300\n"])
def test_paddles_launcher_writes_three_tables_in_one_file(tmp_path: Path, processes: str) -> None:
    recording = recorded(tmp_path, PADDLE.format(processes=processes))
    assert recording.format == "CSV with named columns"
    assert [(r.device, r.memory_mib, r.utilisation) for r in recording.readings] == [
        (0, 405.0, 5.0),
        (1, 505.0, 7.0),
        (0, 9405.0, 95.0),
    ]
    assert recording.readings[0].time_us == moment_of("2026-03-11 16:02:37.871")


@pytest.mark.parametrize(
    ("header", "row", "figures"),
    [
        (
            "time,gpu1_power_w,gpu0_power_w,gpu0_mem_used_mb",
            "1767323045,40,161,2048",
            [(1, 40, None), (0, 161, 2048)],
        ),
        ("time,GPU 0 power (W),GPU 12 power (W)", "1,161,40", [(0, 161, None), (12, 40, None)]),
        ("time,gpu3_power_w,gpu_mem_used_mb", "1,161,2048", [(3, 161, 2048)]),
        (
            "time,gpu0_power_w,gpu1_power_w,gpu_mem_used_mb",
            "1,161,40,2048",
            [(0, 161, None), (1, 40, None)],
        ),
    ],
)
def test_columns_may_be_named_after_devices(
    tmp_path: Path, header: str, row: str, figures: list[tuple[int, float, float | None]]
) -> None:
    recording = recorded(tmp_path, f"{header}\n{row}\n{row}\n")
    assert [(r.device, r.power_w, r.memory_mib) for r in recording.readings] == figures * 2
    assert [*recording.notes] == [COUNTED if "1767323045" in row else UNREAD]


@pytest.mark.parametrize(
    "header", ["timestamp,gpu,gpu_power_w", "timestamp, index, power.draw [W]"]
)
def test_times_of_a_zone_are_told(tmp_path: Path, header: str) -> None:
    recording = recorded(tmp_path, f"{header}\n2026-01-02T11:04:05+08:00, 0, 161 W\n")
    assert recording.readings[0].time_us == moment_of("2026-01-02 11:04:05")
    assert recording.notes == (
        "its times are of the zone +08:00: they are compared with the log's as they are printed",
    )


def test_a_time_with_its_unit_is_a_time(tmp_path: Path) -> None:
    text = "Timestamp (ns),Power Draw (W)\n1767323045250000000,13.5\n"
    (one,) = recorded(tmp_path, text).readings
    assert (one.time_us, one.power_w) == (1767323045250000, 13.5)


def test_lines_above_the_header_and_rows_of_another_width_are_left_out(tmp_path: Path) -> None:
    text = "=== monitor ===\n\ntime,gpu_power_w\n1,50\n1,2,3\ntime,gpu_power_w\n2,70\n"
    recording = recorded(tmp_path, "\ufeff" + text)
    assert [r.power_w for r in recording.readings] == [50, 70]
    assert "1 rows with another number of columns left out" in recording.notes


def test_times_in_seconds_are_of_utc(tmp_path: Path) -> None:
    """A log that prints the local clock of another zone would take them for other epochs."""
    for text in (
        "timestamp,gpu_power_w\n1767323045,9\n",
        "time,index,power.draw\n1767323045,0,9\n",
    ):
        assert COUNTED in recorded(tmp_path, text).notes


@pytest.mark.parametrize("time", ["25/04/2026 16:06:06", "16:06:06", "12.5"])
def test_times_that_are_not_understood_are_named(tmp_path: Path, time: str) -> None:
    """Without times the idle time around the training counts: nobody would see it in the mean."""
    for header in ("timestamp,gpu,gpu_power_w", "timestamp, index, power.draw [W]"):
        recording = recorded(tmp_path, f"{header}\n{time}, 0, 9 W\n")
        assert (recording.readings[0].time_us, recording.notes) == (None, (UNREAD,))
    known = recorded(tmp_path, "gpu,gpu_power_w\n0,9\n")
    assert known.notes == ()


def test_a_column_of_the_script_tells_the_devices_apart(tmp_path: Path) -> None:
    text = "timestamp,gpu,index,power.draw\n1767323045,{},0,{}\n"
    rows = "".join(f"1767323045,{gpu},0,{100 + gpu}\n" for gpu in range(3))
    readings = recorded(tmp_path, text.split("\n")[0] + "\n" + rows).readings
    assert [(r.device, r.power_w) for r in readings] == [(0, 100), (1, 101), (2, 102)]
    assert readings[0].time_us == 1767323045 * 10**6
    named = "time,gpu,index,power.draw\n1,Tesla T4,5,100\n"
    assert recorded(tmp_path, named).readings[0].device == 5


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1767323045", 1767323045.0),
        ("1767323045.25", 1767323045.25),
        ("1767323045250", 1767323045.25),
        ("1767323045250000", 1767323045.25),
        ("1767323045250000000", 1767323045.25),
        ("1000000000", 1e9),
        ("0999999999", None),
        ("3999999999", 3999999999.0),
        ("4000000000", None),
        ("12.5", None),
    ],
)
def test_moments_as_numbers(text: str, seconds: float | None) -> None:
    assert moment_of(text) == (None if seconds is None else round(seconds * 10**6))


def test_a_single_column_with_its_unit_is_known(tmp_path: Path) -> None:
    assert [r.power_w for r in recorded(tmp_path, "296.80 W\n300.19 W\n").readings] == [
        296.8,
        300.19,
    ]
    assert [r.memory_mib for r in recorded(tmp_path, "12 MiB\n13 MiB\n").readings] == [12, 13]
    with pytest.raises(BadRecordingError):
        recorded(tmp_path, "85 %\n100 %\n")


def test_a_header_of_processes_without_a_process_is_no_shape(tmp_path: Path) -> None:
    table = "{}0, 54 W, 250 W\n0, 55 W, 250 W\n"
    head = "index, power.draw [W], power.limit [W]\n"
    text = "pid, process_name, used_gpu_memory [MiB]\n" + table.format(head)
    assert [r.power_w for r in recorded(tmp_path, text).readings] == [54, 55]


def test_a_mark_of_degrees_in_another_encoding_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "gpus.csv"
    path.write_bytes(
        b"Time,GPU,Temp (\xb0C),Util (%),Memory Used (MB),Total Memory (MB)\r\n"
        b"2026-05-19 16:19:26,NVIDIA GeForce RTX 3070,40,55,909.8,8192.0\r\n"
    )
    (one,) = read_recording(path).readings
    assert (one.temperature_c, one.utilisation, one.memory_mib, one.memory_total_mib) == (
        40.0,
        55.0,
        909.8,
        8192.0,
    )


def test_mostly_absurd_figures_are_of_another_unit(tmp_path: Path) -> None:
    """Milliwatts under a name that says watts: 4.9 W of a Jetson are not 4900 W."""
    rows = ["4939,90", "6472,91", "6470,92"]
    read = recorded(tmp_path, "\n".join(["gpu_power_w,gpu_util", *rows, ""])).readings
    assert [one.power_w for one in read] == [None, None, None]
    assert [one.utilisation for one in read] == [90.0, 91.0, 92.0]
    assert dict(read[0].missing) == {"power_w": OF_ABSURD}
    spike = recorded(tmp_path, "gpu_power_w\tgpu_util\n161\t90\n9999\t91\n163\t92\n").readings
    assert [one.power_w for one in spike] == [161.0, None, 163.0]


def test_a_refused_header_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadRecordingError, match=r"of a GPU: timestamp,power_w,util_pct\)$"):
        recorded(tmp_path, "timestamp,power_w,util_pct\n2026/05/12 01:17:51.427,351.36,0\n")


def test_amd_smis_metric_has_lists_in_its_cells(tmp_path: Path) -> None:
    """Each list of 32 cells is one cell in quotes, and a header has more than a hundred names."""
    clocks = [f"gfx_{at}_{what}" for at in range(40) for what in ("clk", "min_clk", "max_clk")]
    names = ["timestamp", "gpu", "gfx_activity", "vcn_activity", "socket_power", *clocks, "hotspot"]
    lists = "\"['N/A', 'N/A', 'N/A']\""
    rows = [
        ",".join([time, gpu, "0", lists, watts, *["95"] * 120, "37"])
        for time, gpu, watts in (("1786553852", "0", "238"), ("1786553852", "1", "242"))
    ]
    recording = recorded(tmp_path, "\n".join([",".join(names), *rows, ""]))
    assert [(one.device, one.power_w) for one in recording.readings] == [(0, 238.0), (1, 242.0)]
    assert not any("left out" in note for note in recording.notes)


def test_devices_of_a_script_are_numbered_by_their_order(tmp_path: Path) -> None:
    rows = [
        f"2026-01-03 15:36:{second:02d}.{place}07,{100 * place + 50},90"
        for second in range(10)
        for place in (0, 1)
    ]
    recording = recorded(tmp_path, "\n".join(["time,gpu_power_w,gpu_util", *rows, ""]))
    assert [(one.device, one.power_w) for one in recording.readings] == [(0, 50), (1, 150)] * 10
