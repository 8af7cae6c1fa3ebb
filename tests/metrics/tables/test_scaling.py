"""Tables over repeated runs: from logs in DLPerf's layout, and from per-run speeds alone."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sixdim.metrics.protocols.window_result import of_runs
from sixdim.metrics.values.protocol import OverRuns
from sixdim.tui.base.log_name import facts_in_name
from tests.support.inputs.dlperf_logs import mindspore, ngc_pytorch
from tests.support.processes.fifo_log import FifoLog, ended, kill, started, until

Sixdim = Callable[..., tuple[int, str, str]]
MINDSPORE_FP32 = {
    "1n1g": (369.81, [369.81, 371.31, 369.02, 371.01, 369.0]),
    "1n8g": (2773.82, [2788.99, 2762.27, 2778.1, 2768.28, 2773.82]),
    "4n8g": (10731.78, [10724.0, 10716.94, 10731.78, 10758.88, 10757.37]),
}
MEDIANS = (
    # MindSpore FP16, NGC PyTorch FP32, and the same with a static loss scale.
    (
        {"1n1g": 1116, "1n2g": 2061.08, "1n4g": 4067.95}
        | {"1n8g": 6867.34, "2n8g": 12057.38, "4n8g": 24183.95},
        [1.0, 1.85, 3.65, 6.15, 10.80, 21.67],
    ),
    (
        {"1n1g": 367.29, "1n4g": 1449.48, "1n8g": 2887.65, "2n8g": 5716.79, "4n8g": 10917.09},
        [1.0, 3.95, 7.86, 15.56, 29.72],
    ),
    ({"1n1g": 827.86, "1n4g": 3253.68, "1n8g": 6446.74}, [1.0, 3.93, 7.79]),
)


def tree(root: Path, name: str = "rn50_b128_fp32") -> None:
    for case, (_median, runs) in MINDSPORE_FP32.items():
        nodes, cards = int(case[0]), int(case[2])
        for number, speed in enumerate(runs, 1):
            mindspore(root / case / f"{name}_{number}.log", speed, nodes, cards, 128)


def test_a_folder_of_logs_becomes_the_published_table(tmp_path: Path, sixdim: Sixdim) -> None:
    tree(tmp_path)
    code, out, err = sixdim("scaling", tmp_path, "--format", "markdown")
    assert code == 0
    assert out.splitlines() == [
        "| node_num | gpu_num | samples/s | speedup |",
        "| -------- | ------- | --------- | ------- |",
        "| 1        | 1       | 369.81    | 1.00    |",
        "| 1        | 8       | 2773.82   | 7.50    |",
        "| 4        | 32      | 10731.78  | 29.02   |",
    ]
    assert "read 15 of 15 logs" in err and "warning" not in err
    _code, out, _err = sixdim("scaling", tmp_path, "--columns", "per-node", "--format", "csv")
    assert out.splitlines()[0] == (
        "node_num,gpu_num_per_node,batch_size_per_device,samples/s(MindSpore),speedup"
    )
    assert out.splitlines()[3] == "4,8,128,10731.78,29.02"


def test_the_json_is_the_result_file_of_the_source(tmp_path: Path, sixdim: Sixdim) -> None:
    tree(tmp_path)
    _code, out, _err = sixdim("scaling", tmp_path, "--format", "json")
    data = json.loads(out)
    assert data["rn50"]["1n1g"] == {
        "average_speed": 370.03,
        "batch_size_per_device": 128,
        "median_speed": 369.81,
        "speedup": 1.0,
    }
    assert list(data["rn50"]) == ["1n1g", "1n8g", "4n8g"]
    assert data["rn50"]["4n8g"]["average_speed"] == 10737.79


def test_where_each_fact_comes_from_is_shown(tmp_path: Path, sixdim: Sixdim) -> None:
    ngc_pytorch(tmp_path / "1n1g" / "r50_b256_fp32_1.log", 360.0, 1, 1, 256)
    _code, out, _err = sixdim("scaling", tmp_path, "--framework", "NGC PyTorch")
    assert "r50_b256_fp32_1.log  360 by dlperf-ngc-pytorch: framework NGC PyTorch (flag), " in out
    assert "devices 1 (name), precision fp32 (name), batch per device 256 (name)" in out


def test_a_folder_never_says_the_framework(tmp_path: Path, sixdim: Sixdim) -> None:
    ngc_pytorch(tmp_path / "mxnet" / "1n1g" / "r50_b256_fp32_1.log", 360.0, 1, 1, 256)
    _code, out, _err = sixdim("scaling", tmp_path)
    assert "framework PyTorch (its lines)" in out


def test_fp16_and_amp_are_one_precision_unless_a_case_holds_both(
    tmp_path: Path, sixdim: Sixdim
) -> None:
    ngc_pytorch(tmp_path / "1n1g" / "r50_b256_fp16_1.log", 800.0, 1, 1, 256)
    ngc_pytorch(tmp_path / "2n8g" / "r50_b256_amp_1.log", 12000.0, 2, 8, 256)
    _code, out, err = sixdim("scaling", tmp_path, "--format", "csv")
    assert out.splitlines()[1:] == ["1,1,800.00,1.00", "2,16,12000.00,15.00"]
    assert "two tables" not in err
    ngc_pytorch(tmp_path / "1n1g" / "r50_b256_amp_1.log", 900.0, 1, 1, 256)
    _code, out, err = sixdim("scaling", tmp_path, "--format", "json")
    assert "1n1g holds runs named fp16 and runs named amp: they are two tables" in err
    data = json.loads(out)
    assert data["r50_b256_amp"]["2n8g"]["speedup"] == 13.33
    assert data["r50_b256_fp16"]["1n1g"]["median_speed"] == 800.0


def test_any_node_and_card_count(tmp_path: Path, sixdim: Sixdim) -> None:
    ngc_pytorch(tmp_path / "1n1g" / "r50_b64_fp32_1.log", 300.0, 1, 1, 64)
    ngc_pytorch(tmp_path / "16n16g" / "r50_b64_fp32_1.log", 38400.0, 16, 16, 64)
    _code, out, _err = sixdim("scaling", tmp_path, "--format", "csv")
    assert out.splitlines()[2] == "16,256,38400.00,128.00"


def test_what_is_wrong_in_a_folder_is_said_with_file_and_line(
    tmp_path: Path, sixdim: Sixdim
) -> None:
    ngc_pytorch(tmp_path / "1n1g" / "r50_b256_fp32_1.log", 360.0, 1, 1, 256)
    ngc_pytorch(tmp_path / "1n2g" / "r50_b256_fp32_1.log", 900.0, 1, 2, 256)
    same = (tmp_path / "1n1g" / "r50_b256_fp32_1.log").read_bytes()
    (tmp_path / "1n1g" / "r50_b256_fp32_2.log").write_bytes(same)
    (tmp_path / "1n1g" / "notes.txt").write_text("bring milk\n")
    (tmp_path / "1n1g" / "picture.log").write_bytes(b"\x7fELF" + bytes(500))
    (tmp_path / "1n4g").mkdir()
    (tmp_path / "1n4g" / "r50_b256_fp32_1.log").write_bytes(same[:3000])
    header = (
        b"DLL 2021-01-05 23:59:39.000000 - PARAMETER arch : resnet50  epochs : 1  "
        b"world_size : 4  batch_size : 256\n"
    )
    (tmp_path / "1n8g").mkdir()
    ngc_pytorch(tmp_path / "1n8g" / "r50_b256_fp32_1.log", 2800.0, 1, 8, 256)
    eight = tmp_path / "1n8g" / "r50_b256_fp32_1.log"
    eight.write_bytes(header + eight.read_bytes())
    code, out, err = sixdim("scaling", tmp_path, "--format", "csv")
    assert code == 0
    rows = dict(line.split(",", 2)[1:] for line in out.splitlines()[1:])
    assert rows["4"] == "-,-"
    assert re.search(r"byte-identical logs: .*_1\.log, .*_2\.log", err)
    assert "notes.txt: left out: no known log format" in err
    assert "picture.log: left out" in err
    assert "1n4g has no run with a speed" in err
    assert re.search(
        r"1n8g/r50_b256_fp32_1\.log: its name says devices 8, and log line 1 says 4", err
    )
    assert re.search(r"1n8g/r50_b256_fp32_1\.log, line \d+: throughput x time between lines", err)
    assert "1n2g is 2.5 times as fast as one device with 2 of them" in err


def test_a_table_without_one_device_has_no_speedup(tmp_path: Path, sixdim: Sixdim) -> None:
    ngc_pytorch(tmp_path / "1n8g" / "r50_b64_fp32_1.log", 2400.0, 1, 8, 64)
    _code, out, err = sixdim("scaling", tmp_path, "--format", "csv")
    assert out.splitlines()[1] == "1,8,2400.00,-"
    assert "no run on one device, so no speedup" in err
    _code, out, err = sixdim("scaling", tmp_path, "--format", "json")
    # DLPerf's scripts begin with 1.0 and divide only where there is something to divide by.
    assert json.loads(out)["r50"]["1n8g"]["speedup"] == 1.0
    assert "1.0 is DLPerf's word for none" in err


@pytest.mark.parametrize(("medians", "speedups"), MEDIANS)
def test_published_medians_give_the_published_speedups(
    tmp_path: Path, sixdim: Sixdim, medians: dict[str, float], speedups: list[float]
) -> None:
    file = tmp_path / "medians.json"
    file.write_text(json.dumps({"rn50": medians}))
    _code, out, _err = sixdim("scaling", "--runs", file, "--format", "json")
    assert [row["speedup"] for row in json.loads(out)["rn50"].values()] == speedups


def test_every_published_group_of_runs(corpus: Path, sixdim: Sixdim) -> None:
    file = corpus / "dlperf-runs.json"
    if not file.is_file():
        pytest.skip("dlperf-runs.json is not in the corpus")
    _code, out, _err = sixdim("scaling", "--runs", file, "--format", "json")
    ours, groups = json.loads(out), 0
    for framework, about in json.loads(file.read_text()).items():
        for model, cases in about["models"].items():
            for case, group in cases.items():
                groups += 1
                got: dict[str, Any] = ours[framework][model][case]
                for name in ("average_speed", "median_speed", "speedup"):
                    # Ties were rounded both ways by what made the tables.
                    assert got[name] == pytest.approx(group["published"][name], abs=0.0100001)
    assert groups == 90


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "sixdim: runs.json: not JSON: Expecting"),
        ("{}", "holds no case such as 1n8g"),
        ('{"1n1g": ["fast"]}', "1n1g: 'fast' is no speed"),
        ('{"1n1g": [NaN]}', "NaN is no figure"),
        ('{"1n1g": 0}', "0 is no speed"),
        ("[" * 100_000, "sixdim: runs.json: nests deeper than 16"),
    ],
)
def test_a_file_of_speeds_that_cannot_be_read(
    tmp_path: Path, sixdim: Sixdim, text: str, message: str
) -> None:
    file = tmp_path / "runs.json"
    file.write_text(text)
    code, out, err = sixdim("scaling", "--runs", file)
    assert (code, out) == (2, "")
    assert message in err


def test_an_empty_folder_and_one_that_is_not_there(tmp_path: Path, sixdim: Sixdim) -> None:
    assert sixdim("scaling", tmp_path)[0] == 2
    code, _out, err = sixdim("scaling", tmp_path / "nowhere")
    assert code == 2 and "no file or folder" in err
    assert sixdim("scaling")[0] == 2


@pytest.mark.parametrize(
    ("path", "facts", "case", "run"),
    [
        (
            "logs/2n8g/rn50_b128_fp32_3.log",
            {"nodes": 2, "devices": 16, "batch_per_device": 128, "precision": "fp32"}
            | {"model": "rn50"},
            "2n8g",
            3,
        ),
        ("GPUx8_AMP.log", {"devices": 8, "precision": "amp"}, "", None),
        (
            "PaddleClas_ResNet50_bs256_pure_fp16_DP_N1C8_log",
            {"nodes": 1, "devices": 8, "batch_per_device": 256, "precision": "pure_fp16"},
            "",
            None,
        ),
        ("gpu32_amp_bs256", {"devices": 32, "precision": "amp", "batch_per_device": 256}, "", None),
        ("WideDeep_16Thread_4Node", {"nodes": 4}, "", None),
        ("mxnet_gpu1_gpu8_fp32_bs96", {"precision": "fp32", "batch_per_device": 96}, "", None),
        ("0n0g/train.log", {}, "0n0g", None),
        ("train.log", {}, "", None),
        ("", {}, "", None),
    ],
)  # fmt: skip
def test_what_a_name_tells(path: str, facts: dict[str, object], case: str, run: int | None) -> None:
    found = facts_in_name(path)
    assert (found.facts, found.case, found.run) == (facts, case, run)


def test_the_olympic_mean_counts_one_aborted_run_as_the_slowest() -> None:
    assert of_runs([3.0, None, 1.0, 2.0, 4.0], OverRuns.OLYMPIC).value == 3.0
    assert of_runs([3.0, None, 1.0, None, 4.0], OverRuns.OLYMPIC).value is None
    assert of_runs([3.0, None, 1.0, 2.0], OverRuns.OLYMPIC).dropped == (2, 1)
    assert of_runs([3.0, 1.0], OverRuns.OLYMPIC).value is None
    assert of_runs([3.0, None, 1.0], OverRuns.MEDIAN).value == 2.0


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("v2.0_Azure_a100x8_mxnet_resnet_*.log", "mlperf over 5 runs: 29.3742 min"),
        ("v5.0_GigaComputing_b200x8_pytorch_retinanet_*.log", "22.5600 min"),
        ("v2.0_Azure_a100x8_hugectr_dlrm_*.log", "1.8491 min"),
        # The third run was aborted, and is the slowest that is left out.
        ("v2.0_NVIDIA_dgxa100_mxnet_resnet_*.log", "resnet_2.log no time"),
    ],
)
def test_the_published_score_of_a_set(
    corpus: Path, sixdim: Sixdim, pattern: str, message: str
) -> None:
    logs = sorted((corpus / "corpus" / "mlperf_mllog").glob(pattern))
    if len(logs) != 5:
        pytest.skip("the set is not in the corpus")
    _code, out, _err = sixdim("score", "--protocol", "mlperf", *logs)
    assert message in out.splitlines()[-1]


def test_a_log_that_kills_its_reader_is_named_and_the_others_are_read(
    tmp_path: Path, sixdim: Sixdim
) -> None:
    tree(tmp_path)
    logs = sorted(tmp_path.rglob("*.log"))
    _code, table, _said = sixdim("scaling", *logs, "--protocol", "dlperf-mindspore")
    killer = FifoLog(tmp_path / "killer.log", b"")
    words = (*logs[:3], killer.path, *logs[3:], "--protocol", "dlperf-mindspore")
    command = started("scaling", *words)
    children = Path(f"/proc/{command.pid}/task/{command.pid}/children")
    while killer.wait(lambda: command.poll() is not None):
        for child in children.read_text().split():
            kill(int(child))
    code, out, err = ended(command)
    assert (code, out) == (0, table)
    assert f"{killer.path}: left out: the process that read it died: too little memory?" in err
    assert err.count("left out") == 1


def test_an_interrupt_ends_readers_at_work_and_idle_without_a_word(tmp_path: Path) -> None:
    tree(tmp_path)
    held = FifoLog(tmp_path / "held.log", b"")
    logs = sorted(tmp_path.rglob("1n1g/*.log"))
    command = started("scaling", *logs, held.path, "--protocol", "dlperf-mindspore")
    assert command.stderr is not None
    read = [command.stderr.readline() for _ in logs]
    os.killpg(command.pid, signal.SIGINT)
    assert ended(command) == (130, "", "")
    assert read[-1] == "read 5 of 6 logs\n"


def test_an_interrupt_while_readers_begin_ends_all_of_them(tmp_path: Path) -> None:
    for number in range(6):
        os.mkfifo(tmp_path / f"{number}.log")
    moments = random.Random(6)
    for _ in range(int(os.environ.get("SIXDIM_SIGNALS", "4"))):
        command = started("scaling", *sorted(tmp_path.glob("*.log")))
        until(lambda: children(command.pid), "a reader")  # noqa: B023 - called before the next round
        time.sleep(moments.random() / 50)
        os.killpg(command.pid, signal.SIGINT)
        assert ended(command) == (130, "", "")


def test_an_interrupt_of_the_command_alone_ends_its_readers(tmp_path: Path) -> None:
    logs = [FifoLog(tmp_path / f"{number}.log", b"") for number in range(6)]
    command = started("scaling", *(log.path for log in logs))
    logs[0].wait()
    command.send_signal(signal.SIGINT)
    assert ended(command) == (130, "", "")


def children(pid: int) -> str:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text()
