"""AI-Rank's rows and the two grids, from a file of figures and from logs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.inputs.dlperf_logs import ngc_pytorch

Sixdim = Callable[..., tuple[int, str, str]]
REPORT = """framework,devices,precision,batch,throughput
NGC TensorFlow 1.15,1,fp32,128,398.257
NGC TensorFlow 1.15,1,amp,256,985.466
NGC PyTorch,1,fp32,128,355.69
NGC PyTorch,1,amp,256,797.38
NGC MXNet,1,fp32,128,376.18
NGC MXNet,1,amp,256,1398.8
"""


def table(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_the_comparison_of_frameworks_as_published(tmp_path: Path, sixdim: Sixdim) -> None:
    file = tmp_path / "report.csv"
    file.write_text(REPORT)
    code, out, err = sixdim("airank", file, "--table", "frameworks", "--format", "csv")
    assert (code, err) == (0, "")
    assert table(out) == [
        ["setting", "NGC TensorFlow 1.15", "NGC PyTorch", "NGC MXNet"],
        ["FP32 GPU=1,BS=128", "398.257", "355.69", "376.18"],
        ["AMP GPU=1,BS=256", "985.466", "797.38", "1398.8"],
        ["FP32 GPU=8,BS=128", "-", "-", "-"],
        ["AMP GPU=8,BS=256", "-", "-", "-"],
        ["FP32 GPU=32,BS=128", "-", "-", "-"],
        ["AMP GPU=32,BS=256", "-", "-", "-"],
    ]


def test_the_grid_of_device_counts(tmp_path: Path, sixdim: Sixdim) -> None:
    file = tmp_path / "paddle.json"
    figures = [
        {"framework": "Paddle", "devices": d, "precision": p, "batch": 256, "throughput": t}
        for d, p, t in ((1, "fp32", 393.561), (8, "fp32", "3,019.361"), (8, "amp", 10936.815))
    ]
    file.write_text(json.dumps(figures))
    _code, out, _err = sixdim("airank", file, "--table", "devices", "--format", "csv")
    assert table(out) == [
        ["devices", "FP32(BS=256)", "AMP(BS=256)"],
        ["1", "393.561", "-"],
        ["8", "3019.361", "10936.815"],
        ["32", "-", "-"],
    ]


def test_each_model_has_grids_of_its_own(tmp_path: Path, sixdim: Sixdim) -> None:
    """One cell for two models would give the figure of one without its name."""
    file = tmp_path / "two.csv"
    file.write_text(
        "model,framework,devices,precision,batch,throughput\n"
        "resnet50,Paddle,8,amp,64,9000\n"
        "bert,Paddle,8,amp,64,700\n"
    )
    code, out, err = sixdim("airank", file, "--table", "frameworks", "--format", "csv")
    assert (code, err) == (0, "")
    assert ["resnet50, samples/s by setting", "AMP GPU=8,BS=64", "9000"] in table(out)
    assert ["bert, samples/s by setting", "AMP GPU=8,BS=64", "700"] in table(out)


def test_a_cell_has_the_first_result_with_a_figure(tmp_path: Path, sixdim: Sixdim) -> None:
    file = tmp_path / "three.csv"
    file.write_text(
        "framework,devices,precision,batch,throughput\n"
        "Paddle,8,amp,64,-\nPaddle,8,amp,64,9000\nPaddle,8,amp,64,9100\n"
    )
    _code, out, err = sixdim("airank", file, "--table", "devices", "--format", "csv")
    assert ["8", "9000"] in table(out)
    assert err.splitlines() == [
        "warning: three.csv, entry 2: no throughput",
        "warning: three.csv, entry 4: the same cell as three.csv, entry 3: the first one is shown",
    ]


def test_logs_without_a_speed_are_named_once(tmp_path: Path, sixdim: Sixdim) -> None:
    for number in range(1, 6):
        (tmp_path / f"GPUx1_{number}.log").write_text(
            f"Epoch: [0]  [10/20]  eta: 0:00:10  img/s: {number}00.0  loss: 1.0 (1.0)\n" * 30
        )
    _code, _out, err = sixdim("airank", tmp_path, "--table", "rows")
    said = [line for line in err.splitlines() if "speed" in line or "throughput" in line]
    names = ", ".join(str(tmp_path / f"GPUx1_{number}.log") for number in (1, 2, 3))
    assert len(said) == 1, said
    assert said[0].startswith(f"warning: {names} and 2 more: no speed: ")
    assert "warning: --protocol custom gives the mean of the progress lines instead" in err


def test_both_speedups_of_the_published_rows(tmp_path: Path, sixdim: Sixdim) -> None:
    file = tmp_path / "rows.csv"
    file.write_text(
        "framework,devices,precision,batch,throughput,time2train,accuracy\n"
        'PyTorch,1,amp,256,859.24,"137,335",77.90\n'
        "PyTorch,8,amp,256,6244.87,17501,76.20\n"
        "PyTorch,32,amp,256,22710.21,5237,75.90\n"
    )
    _code, out, _err = sixdim("airank", file, "--table", "rows", "--format", "csv")
    rows = table(out)[1:]
    assert [row[3] for row in rows] == ["1", "8", "32"]
    assert [row[8] for row in rows] == ["-", "7.27", "26.43"]  # as published: of throughputs
    assert [row[9] for row in rows] == ["-", "7.85", "26.22"]  # as defined: of times


def test_rows_from_the_log_of_the_report(corpus: Path, sixdim: Sixdim) -> None:
    log = corpus / (
        "AI-Rank/result_v0.1/software/train/pytorch_samples/linux/resnet50/log/"
        "GPUx1_time2train_ips.log"
    )
    if not log.is_file():
        pytest.skip("the report's log is not in the corpus")
    _code, out, _err = sixdim(
        "airank", log, "--target", "acc1>=75.9", "--table", "rows", "--format", "csv"
    )
    row = dict(zip(*table(out), strict=True))
    assert row["Time2train(s)"] == "126696.97"
    assert row["run time(s)"] == "137335.29"
    assert row["throughput(samples/s)"] == "859.24"
    assert row["accuracy(%)"] == "76.63"
    assert row["devices"] == "1"


def test_logs_without_a_summary_take_the_rule_of_their_format(
    tmp_path: Path, sixdim: Sixdim
) -> None:
    ngc_pytorch(tmp_path / "1n1g" / "r50_b256_amp_1.log", 800.0, 1, 1, 256)
    ngc_pytorch(tmp_path / "1n8g" / "r50_b256_amp_1.log", 6000.0, 1, 8, 256)
    (tmp_path / "readme.txt").write_text("stray\n")
    code, out, err = sixdim("airank", tmp_path, "--format", "json")
    assert code == 0
    assert {r["devices"]: r["throughput"] for r in json.loads(out)} == {1: 800.0, 8: 6000.0}
    assert "readme.txt: left out: no known log format" in err


def test_a_loss_is_no_accuracy(tmp_path: Path, sixdim: Sixdim) -> None:
    log = tmp_path / "gpt.log"
    log.write_text(
        "".join(
            f"step {i}: train loss {4.0 - i / 1e3:.4f}, val loss {4.2 - i / 1e3:.4f}\n"
            f"iter {i}: loss {4.0 - i / 1e3:.4f}, time 250.00ms, mfu 9.50%\n"
            for i in range(0, 1000, 100)
        )
    )
    _code, out, _err = sixdim("airank", log, "--table", "rows", "--format", "csv")
    row = dict(zip(*table(out), strict=True))
    assert row["accuracy(%)"] == "-"


def test_a_rule_that_miscounts_the_batch_is_said(tmp_path: Path, sixdim: Sixdim) -> None:
    """Accumulated gradients: 8192 samples an iteration, where batch and devices make 256."""
    log = tmp_path / "1n1g" / "r50_b256_amp_1.log"
    ngc_pytorch(log, 800.0, 1, 1, 256)
    assert "the rule gives" not in sixdim("airank", tmp_path)[2]
    ngc_pytorch(log, 800.0, 1, 1, 8192)
    _code, _out, err = sixdim("airank", tmp_path)
    assert "the rule gives 25 samples/s, and the progress lines of the log 80 to 800" in err


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "framework,devices,throughput\nX,1,fast\n", "entry 2: throughput 'fast'"),
        ("a.csv", "framework,devices,throughput\nX,1.5,3\n", "entry 2: devices 1.5 is no count"),
        ("a.csv", 'devices,throughput\n1,"1,5"\n', "entry 2: throughput '1,5' is no number"),
        ("a.csv", 'devices,throughput\n1,"1,2345"\n', "throughput '1,2345' is no number"),
        ("a.json", '[{"framework": "X", "throughput": NaN}]', "NaN is no figure"),
        ("a.json", '[1, "throughput"]', "entry 1 is no object"),
        ("a.json", '[{"throughput": 1}', "a.json cannot be read"),
    ],
)
def test_figures_that_cannot_be_read(
    tmp_path: Path, sixdim: Sixdim, name: str, text: str, message: str
) -> None:
    file = tmp_path / name
    file.write_text(text)
    code, out, err = sixdim("airank", file)
    assert (code, out) == (2, "")
    assert message in err


def test_thousands_may_be_separated(tmp_path: Path, sixdim: Sixdim) -> None:
    file = tmp_path / "large.csv"
    file.write_text('framework,devices,throughput\nX,1,"1,234.5"\nX,8,"12,345,678"\n')
    code, out, _ = sixdim("airank", file, "--table", "rows", "--format", "csv")
    head, *rows = table(out)
    assert code == 0
    assert [row[head.index("throughput(samples/s)")] for row in rows] == ["1234.5", "12345678"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("short.csv", "framework,devices,throughput,model\nX,8,100\n"),
        ("null.json", '[{"framework":"X","devices":8,"throughput":100,"model":null}]'),
    ],
)
def test_a_name_that_is_not_given_is_no_word(
    tmp_path: Path, name: str, text: str, sixdim: Sixdim
) -> None:
    file = tmp_path / name
    file.write_text(text)
    code, out, _ = sixdim("airank", file, "--table", "rows", "--format", "csv")
    assert (code, table(out)[1][:2]) == (0, ["-", "X"])


def test_two_logs_for_one_cell_are_said(tmp_path: Path, sixdim: Sixdim) -> None:
    file = tmp_path / "twice.csv"
    file.write_text(REPORT + "NGC MXNet,1,amp,256,1400\n")
    _code, out, err = sixdim("airank", file, "--table", "frameworks", "--format", "csv")
    assert "twice.csv, entry 8: the same cell as twice.csv, entry 7: the first one is shown" in err
    assert "1398.8" in out and "1400" not in out


def _summed(path: Path, devices: int, total: float, compute: float) -> Path:
    path.write_text(
        "DLL 2021-03-23 09:24:42.127408 - PARAMETER arch : resnet50  batch_size : 256  "
        f"num_gpus : {devices}  world_size : {devices}  amp : True\n"
        "DLL 2021-03-23 09:25:16.839000 - Epoch: 0 Iteration: 100  train.loss : 7.0  "
        f"train.total_ips : {total} img/s\n"
        f"DLL 2021-03-24 23:34:12.118776 - Summary: train.total_ips : {total} img/s\n"
        f"DLL 2021-03-24 23:34:12.127151 - Summary: train.compute_ips : {compute} img/s\n"
    )
    return path


def test_the_speed_up_as_published(tmp_path: Path, sixdim: Sixdim) -> None:
    """AI-Rank's NGC PyTorch ResNet50: 859.24, 6244.87 (7.27), 22710.21 (26.43)."""
    logs = [
        _summed(tmp_path / "a.log", 1, 854.37, 859.24),
        _summed(tmp_path / "b.log", 8, 6244.87, 6300.5),
        _summed(tmp_path / "c.log", 32, 22710.21, 22999.5),
    ]
    _code, out, err = sixdim("airank", *logs, "--table", "rows", "--format", "csv")
    found = [(row[3], row[6], row[8]) for row in table(out)[1:]]
    assert found == [
        ("1", "859.24", "-"),
        ("8", "6244.87", "7.27"),
        ("32", "22710.21", "26.43"),
    ], err
    # A metric that is asked for is that of every row.
    words = ("airank", *logs, "--metric", "train.total_ips", "--table", "rows", "--format", "csv")
    assert [row[6] for row in table(sixdim(*words)[1])[1:]] == ["854.37", "6244.87", "22710.21"]


def test_all_tables_are_one_csv(tmp_path: Path, sixdim: Sixdim) -> None:
    file = tmp_path / "report.csv"
    file.write_text(
        "framework,devices,precision,batch,throughput\n"
        "=cmd(),1,fp32,64,100\n=cmd(),8,fp32,64,700\nX,8,fp32,64,650\n"
    )
    _code, out, _err = sixdim("airank", file, "--format", "csv")
    head, *rows = table(out)
    assert {len(row) for row in rows} == {len(head)}
    assert head[0] == "table" and len(set(head)) == len(head)
    named = [dict(zip(head, row, strict=True)) for row in rows]
    assert list(dict.fromkeys(row["table"] for row in named)) == [
        "AI-Rank",
        "'=cmd(): samples/s",
        "X: samples/s",
        "samples/s by setting",
    ]
    eight = [row for row in named if row["devices"] == "8"]
    assert [row["throughput(samples/s)"] or row["FP32(BS=64)"] for row in eight] == [
        *("700", "650"),
        *("700", "650"),
    ]
