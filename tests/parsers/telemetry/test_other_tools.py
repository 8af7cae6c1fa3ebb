"""Recordings of gpustat, rocm-smi, tegrastats, cnmon, xpu-smi, exporters: lines written here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sixdim.metrics.dimensions.telemetry.averages import Selection
from sixdim.metrics.dimensions.telemetry.memory import memory
from sixdim.metrics.dimensions.telemetry.power import power
from sixdim.metrics.values.card import State
from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.recorded import BadRecordingError
from sixdim.parsers.telemetry.stamps import time_of
from tests.support.telemetry import folded, recorded


def figures(reading: Reading) -> tuple[float | None, ...]:
    return (
        reading.power_w,
        reading.power_limit_w,
        reading.memory_mib,
        reading.utilisation,
        reading.temperature_c,
    )


GPUSTAT = """\
gpu07                     Wed Mar  4 05:06:07 2026  535.104.05
[0] NVIDIA A30    | 45°C,  30 %,  97 % (E:   3 %  D:   0 %),  151 / 165 W | 20480 / 24576 MB | a(9M)
[1] NVIDIA A30           | 31'C,  ?? %,   ?? / 165 W |     0 / 24576 MB | (Not Supported)
[2] ((GPU is lost))      | ??°C,  ?? % |    ?? /    ?? MB |
gpu07                     Wed 04 Mar 2026 05:06:17 PM CET
[0] NVIDIA A30           | 46°C,   0 % | 10240 / 24576 MB
"""


def test_gpustat_with_and_without_power(tmp_path: Path) -> None:
    recording = recorded(tmp_path, GPUSTAT)
    assert recording.format == "gpustat"
    first, second, lost, later = recording.readings
    assert figures(first) == (151, 165, 20480, 97, 45)
    assert (first.host, first.name) == ("gpu07", "NVIDIA A30")
    assert first.time_us == time_of("2026-03-04 05:06:07")
    assert figures(second) == (None, 165, 0, None, 31)
    assert figures(lost) == (None, None, None, None, None)
    assert figures(later) == (None, None, 10240, 0, 46)
    assert later.time_us == time_of("2026-03-04 17:06:17")


def test_gpustat_as_json(tmp_path: Path) -> None:
    gpu = {
        "index": 3,
        "uuid": "GPU-01",
        "name": "NVIDIA A30",
        "temperature.gpu": 45,
        "fan.speed": None,
        "utilization.gpu": 97,
        "power.draw": 151,
        "enforced.power.limit": 165,
        "memory.used": 20480,
        "memory.total": 24576,
        "processes": [{"pid": 7, "gpu_memory_usage": 20470}],
    }
    samples = [
        {
            "hostname": "gpu07",
            "driver_version": "535.104.05",
            "query_time": f"2026-03-04T05:06:{second:02d}.250000",
            "gpus": [gpu | {"power.draw": watts}],
        }
        for second, watts in ((7, 151), (8, None))
    ]
    recording = recorded(tmp_path, "\n".join(json.dumps(one, indent=4) for one in samples))
    assert recording.format == "gpustat JSON"
    first, second = recording.readings
    assert figures(first) == (151, 165, 20480, 97, 45)
    assert (first.device, first.host, first.uuid) == (3, "gpu07", "GPU-01")
    assert first.time_us == time_of("2026-03-04 05:06:07.25")
    assert second.power_w is None


def test_gpustat_with_power_and_without_its_limit(tmp_path: Path) -> None:
    rows = "[0] NVIDIA A30 | 45°C,  97 %,  151 | 20480 / 24576 MB | a(9M)\n"
    (one,) = recorded(tmp_path, GPUSTAT.split("\n")[0] + "\n" + rows).readings
    assert figures(one) == (151, None, 20480, 97, 45)


ROCM_5 = """\
Wed Mar  4 05:06:07 2026
======================= ROCm System Management Interface =======================
================================= Concise Info =================================
GPU  Temp (DieEdge)  AvgPwr  SCLK     MCLK     Fan  Perf  PwrCap  VRAM%  GPU%
0    61.0c           480.0W  1700Mhz  1600Mhz  0%   auto  560.0W   62%   99%
1    58.0c           N/A     800Mhz   1600Mhz  0%   auto  0.0W      0%   0%
================================================================================
============================= End of ROCm SMI Log ==============================
"""
ROCM_6 = """\
Device  Node  IDs            Temp    Power   Partitions    SCLK     MCLK  PwrCap  VRAM%  GPU%
              (DID,   GUID)  (Junc)  (Sock)  (Mem, Comp)
===========================================================================================
3       2     0x74a1, 28851  61.0°C  702.0W  NPS1, SPX, 0  2100Mhz  900Mhz  750.0W  81%  100%
"""


def test_rocm_smis_table_of_two_versions(tmp_path: Path) -> None:
    recording = recorded(tmp_path, ROCM_5 * 2)
    assert recording.format == "rocm-smi table"
    assert [r.device for r in recording.readings] == [0, 1, 0, 1]
    assert figures(recording.readings[0]) == (480, 560, None, 99, 61)
    assert figures(recording.readings[1]) == (None, 0, None, 0, 58)
    assert recording.readings[0].time_us == time_of("2026-03-04 05:06:07")
    assert dict(recording.readings[0].missing) == {
        "memory_mib": "memory is reported in whole percent only"
    }
    (one,) = recorded(tmp_path, ROCM_6).readings
    assert (one.device, *figures(one)) == (3, 702, 750, None, 100, 61)


@pytest.mark.parametrize(
    ("columns", "cells", "use"),
    [
        (
            "DCU     Temp     AvgPwr     Perf     PwrCap     VRAM%      DCU%      Mode",
            "74%  Normal",
            74,
        ),
        ("HCU     Temp     AvgPwr     Perf     PwrCap     VRAM%      HCU%", "74.5%", 74.5),
        ("HCU   Temp   AvgPwr   Perf  PwrCap  VRAM%  HCU%  Dec%", "74.5%  0.0%", 74.5),
    ],
)
def test_hygons_table(tmp_path: Path, columns: str, cells: str, use: float) -> None:
    row = f"2       67.0C    308.0W     manual   600.0W     87%        {cells}\n"
    recording = recorded(tmp_path, (columns + "\n" + row) * 2)
    first, second = recording.readings
    assert (first.device, first.source, *figures(first)) == (2, "hy-smi", 308, 600, None, use, 67)
    assert second == first


def test_rocm_smis_lists_end_a_sample_where_a_figure_comes_again(tmp_path: Path) -> None:
    sample = (
        "{}\n=============== Power Consumption ===============\n"
        "GPU[0]\t\t: Average Graphics Package Power (W): {}\n"
        "GPU[1]\t\t: Average Graphics Package Power (W): N/A\n"
        "GPU[0]\t\t: GPU use (%): 98\n"
        "GPU[0]\t\t: VRAM Total Used Memory (B): 1073741824\n"
    )
    recording = recorded(tmp_path, sample.format("", 480.0) + sample.format("", 470.5))
    assert recording.format == "rocm-smi lists"
    assert [(r.device, r.power_w, r.memory_mib) for r in recording.readings] == [
        (0, 480.0, 1024),
        (1, None, None),
        (0, 470.5, 1024),
        (1, None, None),
    ]
    dated = recorded(tmp_path, sample.format("Wed Mar  4 05:06:07 UTC 2026", 480.0)).readings
    assert {r.time_us for r in dated} == {time_of("2026-03-04 05:06:07")}


def test_rocm_smis_csv_is_read_by_its_own_names(tmp_path: Path) -> None:
    text = (
        "\ndevice,GPU use (%),Average Graphics Package Power (W),VRAM Total Memory (B),"
        "VRAM Total Used Memory (B)\ncard0,98,480.0,68702699520,1073741824\n"
        "card1,0,N/A,68702699520,10977280\ncard2,7\n\n"
    )
    recording = recorded(tmp_path, "Wed Mar  4 05:06:07 UTC 2026\r\n" + text)
    assert recording.format == "rocm-smi CSV"
    assert [(r.device, r.power_w, r.memory_mib) for r in recording.readings] == [
        (0, 480.0, 1024),
        (1, None, 10977280 / 2**20),
    ]
    assert recording.readings[0].time_us == time_of("2026-03-04 05:06:07")
    assert recording.notes == ("1 rows with another number of columns left out",)


AMD_MONITOR = """\
WARNING: User is missing the following required groups: render.
 TIMESTAMP  GPU  XCP  POWER   GPU_T   MEM_T   GFX_CLK   GFX%   MEM%   ENC%   DEC%      VRAM_USAGE
1767323045    0    0  702 W   69 °C   50 °C  1278 MHz  100 %    1 %    N/A    0 %   64.5/192.0 GB
1767323045    0    1    N/A     N/A     N/A       N/A    N/A    N/A    N/A    N/A   64.5/192.0 GB
1767323045    1    0    N/A   47 °C   38 °C  2105 MHz    0 %    0 %    N/A    0 %    0.3/192.0 GB
"""
AMD_MONITOR_6 = """\
GPU  POWER  GPU_TEMP  MEM_TEMP  GFX_UTIL  MEM_CLOCK     THROTTLE  VRAM_USED  VRAM_TOTAL   PCIE_BW
  3  199 W    103 °C     84 °C      99 %   1000 MHz  UNTHROTTLED    1235 MB    16335 MB  N/A Mb/s

PROCESS INFO:
GPU                  NAME      PID  GTT_MEM  CPU_MEM  VRAM_MEM  MEM_USAGE     GFX     ENC
  3                   run  1564865    0.0 B    0.0 B    1.1 GB      0.0 B    0 ns    0 ns
"""


def test_amd_smis_monitor_of_two_versions(tmp_path: Path) -> None:
    """Tenths of a GB are of 2^30 bytes: 192.0 GB is what other versions print as 196592 MB."""
    recording = recorded(tmp_path, AMD_MONITOR)
    assert recording.format == "amd-smi monitor"
    first, second = recording.readings
    assert (first.device, *figures(first)) == (0, 702, None, 64.5 * 1024, 100, 69)
    assert (second.device, second.power_w, second.utilisation) == (1, None, 0)
    assert first.time_us == 1767323045 * 10**6
    assert "rows of further partitions of a GPU (XCP above 0) are left out" in recording.notes
    recording = recorded(tmp_path, ("Wed Mar  4 05:06:07 UTC 2026\n" + AMD_MONITOR_6) * 2)
    assert [figures(one) for one in recording.readings] == [(199, None, 1235, 99, 103)] * 2
    assert recording.readings[1].memory_total_mib == 16335
    assert recording.readings[1].time_us == time_of("2026-03-04 05:06:07")
    assert recording.notes == ()


AMD_METRIC = """\
GPU: 0
    USAGE:
        GFX_ACTIVITY: 97 %
        VCN_ACTIVITY: [N/A, N/A]
    POWER:
        SOCKET_POWER: {watts} W
        GFX_VOLTAGE: 780 mV
    TEMPERATURE:
        EDGE: N/A
        HOTSPOT: 61 °C
    MEM_USAGE:
        TOTAL_VRAM: 196592 MB
        USED_VRAM: 150000 MB
        FREE_VRAM: 46592 MB
        USED_VISIBLE_VRAM: 7 MB
"""


def test_amd_smis_metric_is_a_tree(tmp_path: Path) -> None:
    text = "".join(AMD_METRIC.format(watts=watts) for watts in (702, 704, "N/A"))
    recording = recorded(tmp_path, text + AMD_METRIC.format(watts=300).replace("U: 0", "U: 1"))
    assert recording.format == "amd-smi metric"
    assert [(r.device, r.power_w) for r in recording.readings] == [
        (0, 702),
        (0, 704),
        (0, None),
        (1, 300),
    ]
    assert figures(recording.readings[0]) == (702, None, 150000, 97, 61)


NANO = (
    "RAM 2100/3964MB (lfb 2x4MB) SWAP 0/1982MB (cached 0MB) CPU [30%@1479,off] EMC_FREQ 0% "
    "GR3D_FREQ {use}% PLL@31C CPU@33.5C GPU@32C thermal@33C POM_5V_IN 4021/4000 "
    "POM_5V_GPU {mw}/500 POM_5V_CPU 900/800\n"
)


@pytest.mark.parametrize(("mw", "watts"), [(0, 0.0), (1, 0.001), (999_999, 999.999)])
def test_a_rail_that_is_switched_off_draws_nothing(tmp_path: Path, mw: int, watts: float) -> None:
    recording = recorded(tmp_path, NANO.format(use=0, mw=mw))
    (one,) = recording.readings
    assert (recording.format, one.power_w, one.utilisation) == ("tegrastats", watts, 0)
    assert (one.temperature_c, one.memory_mib) == (32, None)
    assert "POM_5V_GPU" in recording.notes[0]


@pytest.mark.parametrize(
    ("rails", "watts", "reason"),
    [
        ("VDD_SYS_GPU 152/152 VDD_SYS_SOC 457/457 VDD_IN 3001/3001", 0.152, ""),
        ("GPU 2000/1500 CPU 700/700 SOC 900/900 SYS5V 1600/1600", 2.0, ""),
        ("VDD_GPU 9001mW/9000mW/9100mW VIN 40000mW/40000mW/41000mW", 9.001, ""),
        ("VDD_IN 5000mW/5000mW VDD_CPU_GPU_CV 900mW/900mW VDD_SOC 1500mW/1500mW", None, "_CPU_GPU"),
        ("VDD_GPU_SOC 2801mW/2801mW VDD_CPU_CV 400mW/400mW", None, "VDD_GPU_SOC"),
        ("VDD_IN 5000mW/5000mW", None, "no rail of the GPU"),
        ("", None, "no rail of the GPU"),
    ],
)
def test_only_a_rail_of_the_gpu_alone_is_its_power(
    tmp_path: Path, rails: str, watts: float | None, reason: str
) -> None:
    line = "03-14-2026 09:08:07 RAM 6879/62841MB (lfb 3x4MB) GR3D_FREQ 12%@[305,305] "
    (one,) = recorded(tmp_path, f"{line}cpu@47.6C gpu@43.218C tj@47.6C {rails}\n").readings
    assert (one.power_w, one.utilisation, one.temperature_c) == (watts, 12, 43.218)
    assert one.time_us == time_of("2026-03-14 09:08:07")
    assert reason in dict(one.missing).get("power_w", "")


CNMON = """\
Wed Mar  4 05:06:07 2026
+------------------------------------------------------------------------------+
| CNMON v5.10.13                                               Driver v5.10.13 |
+-------------------------------+----------------------+-----------------------+
| Card  VF  Name       Firmware |               Bus-Id | Util        Ecc-Error |
| Fan   Temp      Pwr:Usage/Cap |         Memory-Usage | SR-IOV   Compute-Mode |
|===============================+======================+=======================|
| 4     /   MLU370-M8    v1.1.6 |         0000:39:00.0 | 93%               N/A |
|  0%   52C        206 W/ 300 W | 21001 MiB/ 42396 MiB | N/A           Default |
+-------------------------------+----------------------+-----------------------+
| Processes:                                                                   |
|  4     /   77         python                                        21000 MiB |
"""


def test_cambricons_table(tmp_path: Path) -> None:
    (one,) = recorded(tmp_path, CNMON).readings
    assert (one.device, one.source, one.name) == (4, "cnmon", "MLU370-M8")
    assert (*figures(one), one.memory_total_mib) == (206, 300, 21001, 93, 52, 42396)
    assert one.time_us == time_of("2026-03-04 05:06:07")


GAUDI = """\
+-----------------------------------------------------------------------------+
| HL-SMI Version:                              hl-1.15.1-fw-49.0.0.0          |
|-------------------------------+----------------------+----------------------+
| AIP  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | AIP-Util  Compute M. |
|===============================+======================+======================|
|   3  HL-225              N/A  | 0000:b3:00.0     N/A |                   0  |
| N/A   28C   N/A    98W / 600W |    768MiB / 98304MiB |     3%           N/A |
|===============================+======================+======================|
"""


def test_habanas_table_and_csv(tmp_path: Path) -> None:
    (one,) = recorded(tmp_path, GAUDI).readings
    assert (one.device, one.source, one.name) == (3, "hl-smi", "HL-225")
    assert figures(one) == (98, 600, 768, 3, 28)
    names = "timestamp, index, name, temperature.aip, utilization.aip [%], power.draw [W], "
    row = "Sat Jan  3 15:36:53 UTC 2026, 3, HL-225, 36, 15 %, 103 W, 512 MiB\n"
    (one,) = recorded(tmp_path, names + "memory.used [MiB]\n" + row).readings
    assert (one.device, one.source, one.time_us) == (3, "hl-smi", time_of("2026-01-03 15:36:53"))
    assert figures(one) == (103, None, 512, 15, 36)


def test_intels_csv_names_its_devices_and_its_time_of_day_is_not_used(tmp_path: Path) -> None:
    text = (
        "Timestamp, DeviceId, GPU Utilization (%), GPU Power (W), GPU Core Temperature (Celsius "
        "Degree), GPU Memory Utilization (%), GPU Memory Used (MiB)\n"
        "05:06:07.000,    0, 35.00, 120.50, 55, 40.00, 4096.50\n"
        "05:06:07.000,    1,  N/A, 80.25,  N/A,  N/A, 27.99\n"
    )
    first, second = recorded(tmp_path, text).readings
    assert (first.device, *figures(first)) == (0, 120.5, None, 4096.5, 35, 55)
    assert (second.device, *figures(second)) == (1, 80.25, None, 27.99, None, None)
    assert (first.time_us, second.time_us) == (None, None)


PAGE = """\
# HELP DCGM_FI_DEV_POWER_USAGE Power draw (in W).
# TYPE DCGM_FI_DEV_POWER_USAGE gauge
DCGM_FI_DEV_POWER_USAGE{{gpu="0",UUID="GPU-a",modelName="NVIDIA A30",Hostname="n1"}} {watts}
DCGM_FI_DEV_POWER_USAGE{{gpu="1",UUID="GPU-b",modelName="NVIDIA A30",Hostname="n1"}} 30.5
DCGM_FI_DEV_FB_USED{{gpu="0",UUID="GPU-a",modelName="NVIDIA A30",Hostname="n1"}} 20480
"""


@pytest.mark.parametrize("between", ["", "Wed Mar  4 05:06:07 UTC 2026\n"])
def test_pages_of_an_exporter_one_after_the_other(tmp_path: Path, between: str) -> None:
    text = "".join(between + PAGE.format(watts=watts) for watts in (150, 160))
    recording = recorded(tmp_path, text)
    assert recording.format == "exporter pages"
    assert [(r.host, r.device, r.power_w, r.memory_mib) for r in recording.readings] == [
        ("n1", 0, 150, 20480),
        ("n1", 1, 30.5, None),
        ("n1", 0, 160, 20480),
        ("n1", 1, 30.5, None),
    ]
    stamp = time_of("2026-03-04 05:06:07") if between else None
    assert {r.time_us for r in recording.readings} == {stamp}


def test_pages_with_the_newer_names_of_dcgm(tmp_path: Path) -> None:
    text = (
        'DCGM_FI_DEV_BOARD_POWER_RAW_WATTS{gpu="0"} 99\n'
        'DCGM_FI_DEV_BOARD_POWER_WATTS{gpu="0"} 150\n'
        'DCGM_FI_DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS{gpu="0"} 165\n'
        'DCGM_FI_DEV_GPU_TEMP_CELSIUS{gpu="0"} 45\n'
    )
    (one,) = recorded(tmp_path, text).readings
    assert figures(one) == (150, 165, None, None, 45)


def test_the_memory_of_a_slice_that_containers_share_counts_once(tmp_path: Path) -> None:
    """Slices of 1000 and 500 MiB; the power is the board's, at each of them."""
    text = "".join(
        f'DCGM_FI_DEV_FB_USED{{gpu="0",GPU_I_ID="{one}",pod="{pod}"}} {mib}\n'
        f'DCGM_FI_DEV_POWER_USAGE{{gpu="0",GPU_I_ID="{one}",pod="{pod}"}} 150\n'
        for one, pod, mib in ((1, "a", 1000), (1, "b", 1000), (2, "c", 500))
    )
    (board,) = recorded(tmp_path, text).readings
    assert (board.memory_mib, board.power_w) == (1500, 150)


def series(name: str, gpu: str, *values: tuple[float, str]) -> dict[str, object]:
    metric = {"__name__": name, "gpu": gpu, "Hostname": "n1", "UUID": f"GPU-{gpu}"}
    return {"metric": metric, "values": [list(value) for value in values]}


@pytest.mark.parametrize("indent", [None, 2])
def test_what_a_prometheus_server_answered(tmp_path: Path, indent: int | None) -> None:
    result = [
        series("DCGM_FI_DEV_POWER_USAGE", "0", (1772600767.25, "150.5"), (1772600777.25, "NaN")),
        series("DCGM_FI_DEV_FB_USED", "0", (1772600767.25, "20480")),
        series("node_load1", "0", (1772600767.25, "3")),
        {"metric": {}, "values": [[1772600767.25, "7"]]},
    ]
    answer = {"status": "success", "data": {"resultType": "matrix", "result": result}}
    recording = recorded(tmp_path, json.dumps(answer, indent=indent))
    assert recording.format == "Prometheus series"
    first, second = recording.readings
    assert (first.time_us, first.power_w, first.memory_mib) == (1772600767250000, 150.5, 20480)
    assert (second.time_us, second.power_w) == (1772600777250000, None)
    assert recording.notes == ("series that name no metric left out",)


def test_a_servers_answer_without_a_gpu_is_no_recording(tmp_path: Path) -> None:
    answer = {"data": {"resultType": "matrix", "result": [series("node_load1", "0", (1.0, "3"))]}}
    with pytest.raises(BadRecordingError, match="holds no reading"):
        recorded(tmp_path, json.dumps(answer))


@pytest.mark.parametrize("cell", ["7.1%", "385%", "47C", "512MiB", "12W"])
def test_units_without_a_blank_are_of_a_script_whose_watts_may_be_a_processors(
    tmp_path: Path, cell: str
) -> None:
    with pytest.raises(BadRecordingError, match="no known shape"):
        recorded(tmp_path, f"2026-03-04 05:06:07, {cell}, 394, 47.2, 1.08 W\n")
    theirs = cell.rstrip("%CMiBW") + " " + cell.lstrip(".0123456789")
    (one,) = recorded(tmp_path, f"2026-03-04 05:06:07, {theirs}, 394, 47.2, 1.08 W\n").readings
    assert one.time_us == time_of("2026-03-04 05:06:07")


ASCEND = """\
| npu-smi 25.3.rc1                 Version: 25.3.rc1                           |
| NPU   Name      | Health        | Power(W)    Temp(C)  Hugepages-Usage(page) |
| Chip  Phy-ID    | Bus-Id        | AICore(%)   Memory-Usage(MB) HBM-Usage(MB) |
| 0     Ascend910 | OK            | 400.5       36       0    / 0              |
| 0     0         | 0000:9D:00.0  | 97          0    / 0 50000/ 65536          |
| 0     Ascend910 | OK            | -           36       0    / 0              |
| 1     1         | 0000:9F:00.0  | 98          0    / 0 50002/ 65536          |
| 1     Ascend910 | OK            | 600.5       35       0    / 0              |
| 0     2         | 0000:99:00.0  | 96          0    / 0 50000/ 65536          |
| 1     Ascend910 | OK            | -           35       0    / 0              |
| 1     3         | 0000:9B:00.0  | 95          0    / 0 50002/ 65536          |
"""


def test_the_power_of_a_board_of_two_chips_is_that_of_both(tmp_path: Path) -> None:
    """Two boards draw 400.5 and 600.5 W: 500.5 W a board, and the four chips 1001 W."""
    recording = recorded(tmp_path, ASCEND)
    assert [r.power_w for r in recording.readings] == [400.5, None, 600.5, None]
    fold = folded(recording.readings)
    figure = power(fold, Selection(devices_in_job=4))
    assert (figure.value, figure.state, figure.reason) == (500.5, State.FINAL, "")
    assert figure.details["job_total"] == 1001.0
    assert figure.details["scope"] == "mean per board"
    assert power(fold, Selection(devices_in_job=8)).details["job_total"] == 2002.0
    assert memory(fold, Selection(devices_in_job=4)).value == 50001.0
    refused = power(fold, Selection(devices_in_job=3))
    assert refused.reason == "4 devices were read and 3 train: --gpus says which"
    half = power(fold, Selection(devices=(1,), devices_in_job=4))
    assert half.reason == "device 1: the board's power stands at device 0"
    lost = power(folded(r for r in recording.readings if r.device != 3), Selection())
    assert lost.value == 500.5


def test_ascends_list_of_a_board_with_two_chips(tmp_path: Path) -> None:
    lines = ["NPU ID : 3", "Chip Count : 2"]
    lines += ["Temperature(C) : 41", "Aicore Usage Rate(%) : 97", "Chip ID : 0"]
    lines += ["Temperature(C) : 43", "Aicore Usage Rate(%) : 95", "Chip ID : 1"]
    recording = recorded(tmp_path, "".join(f"        {line}\n" for line in lines))
    assert recording.format == "npu-smi list"
    assert [(r.device, *figures(r)) for r in recording.readings] == [
        (3, None, None, None, 97, 41),
        (4, None, None, None, 95, 43),
    ]
    assert [*recording.notes] == ["a board's further chips are numbered on from its NPU ID"]


def test_ascends_watch_of_boards_with_one_chip(tmp_path: Path) -> None:
    head = "NpuID(Idx)  ChipId(Idx) Pwr(W)      Temp(C)     AI Core(%)  AI Cpu(%)   Memory(%)\n"
    rows = "2           0           {}        34          97          0           5           \n"
    recording = recorded(tmp_path, head + rows.format(90.1) + rows.format(90.3) + head)
    assert recording.format == "npu-smi watch"
    assert [(r.device, *figures(r)) for r in recording.readings] == [
        (2, 90.1, None, None, 97, 34),
        (2, 90.3, None, None, 97, 34),
    ]
    assert recording.notes == ()
    newer = "NpuID(Idx)  Pwr(W)      Temp(C)     AI Core(%)  NPU Util(%)\n1  290.4  51  7  8\n"
    (one,) = recorded(tmp_path, newer).readings
    assert (one.device, *figures(one)) == (1, 290.4, None, None, 7, 51)


def test_ascends_watch_of_boards_with_two_chips(tmp_path: Path) -> None:
    rows = "0 0 400 34\n0 1 - 34\n1 0 600 35\n1 1 - 35\n"
    text = "NpuID(Idx)  ChipId(Idx) Pwr(W)      Temp(C)\n" + rows * 2
    readings = recorded(tmp_path, text).readings
    assert [r.device for r in readings] == [0, 1, 2, 3] * 2
    assert power(folded(readings), Selection(devices_in_job=4)).details["job_total"] == 1000.0


def test_chips_of_neighbouring_boards_are_different_devices(tmp_path: Path) -> None:
    text = "".join(
        f"\tNPU ID : {board}\n\tAicore Usage Rate(%) : {board}{chip}\n\tChip ID : {chip}\n"
        for board in (1, 2)
        for chip in (0, 1)
    )
    readings = recorded(tmp_path, text * 2).readings
    assert [(r.device, r.utilisation) for r in readings] == [(1, 10), (2, 11), (3, 20), (4, 21)] * 2


def test_the_power_of_a_module_of_two_dies_stands_at_one_of_them(tmp_path: Path) -> None:
    own, other = "Current Socket Graphics Package Power (W)", "Average Graphics Package Power (W)"
    cards: dict[str, object] = {f"card{at}": {own: 300 + at} for at in (0, 2)}
    cards |= {f"card{at}": {other: "N/A (Secondary die)"} for at in (1, 3)}
    recording = recorded(tmp_path, json.dumps(cards))
    figure = power(folded(recording.readings), Selection(devices_in_job=4))
    assert (figure.value, figure.details["job_total"]) == (301.0, 602.0)
    rows = "card0,,300.0\ncard1,N/A (Secondary die),\n"
    recording = recorded(tmp_path, f"device,{other},{own}\n{rows}")
    figure = power(folded(recording.readings), Selection(devices_in_job=2))
    assert (figure.value, figure.details["job_total"]) == (300.0, 300.0)
