"""Exports: figures that read back exactly, and one clear line where an extra is missing."""

from __future__ import annotations

import builtins
import csv
import io
import json
import re
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sixdim import sample_logs

Sixdim = Callable[..., tuple[int, str, str]]
RUN = sample_logs.path(sample_logs.RUN)
REPEAT = sample_logs.path(sample_logs.REPEATS[0])


def printed_epochs() -> dict[int, str]:
    """Label to throughput, by a search of its own."""
    found = re.findall(r"^Epoch: \[(\d+)\] Avg img/s: (\S+)$", RUN.read_text(), re.MULTILINE)
    return {int(label): value for label, value in found}


def test_csv_has_every_epoch_with_the_digits_of_the_log(sixdim: Sixdim) -> None:
    code, out, _err = sixdim("score", RUN, "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert {int(r["epoch"]): float(r["throughput"]) for r in rows} == {
        label: float(value) for label, value in printed_epochs().items()
    }
    assert [int(r["epoch"]) for r in rows if r["in_window"] == "1"] == [6, 7, 8, 9, 10]
    assert [int(r["epoch"]) for r in rows if r["dropped"] == "1"] == [8, 10]
    last = rows[-1]
    assert (last["metric"], float(last["value"])) == ("acc1", 77.36)
    lines = RUN.read_text().split("\n")
    assert lines[int(last["last_line"]) - 1].strip().startswith(("Epoch time", "* Acc@1"))


def test_csv_of_several_logs_is_one_table(sixdim: Sixdim, tmp_path: Path) -> None:
    sixdim("score", RUN, REPEAT, "--csv", tmp_path / "epochs.csv")
    rows = list(csv.DictReader((tmp_path / "epochs.csv").open()))
    assert {r["log"] for r in rows} == {RUN.name, REPEAT.name}


def test_csv_is_no_spreadsheet_formula(sixdim: Sixdim, tmp_path: Path) -> None:
    log = tmp_path / "=cmd.log"
    log.write_bytes(RUN.read_bytes())
    _code, out, _err = sixdim("score", log, "--csv", "-")
    assert out.splitlines()[1].startswith("'=cmd.log,0,")


SAMPLE = re.compile(r'([a-z_]+)\{((?:[a-z]+="(?:[^"\\]|\\.)*",?)+)\} (\S+)')


def test_prometheus_text_reads_back(sixdim: Sixdim, tmp_path: Path) -> None:
    prom = tmp_path / "sixdim.prom"
    power = f"power={sample_logs.path(sample_logs.POWER)}"
    memory = f"memory={sample_logs.path(sample_logs.MEMORY)}"
    sixdim("score", RUN, "--prometheus", prom, "--telemetry", power, "--telemetry", memory)
    typed: list[str] = []
    found: dict[str, float] = {}
    for line in prom.read_text().splitlines():
        if line.startswith("# TYPE"):
            typed.append(line.split()[2])
        elif not line.startswith("#"):
            sample = SAMPLE.fullmatch(line)
            assert sample is not None, line
            assert sample[1] == typed[-1]  # a family's samples stand together
            if 'figure="' not in sample[2]:
                found[sample[1]] = float(sample[3])
    assert found == {
        "sixdim_speed": 4938.923798404513,
        "sixdim_accuracy": 77.36,
        "sixdim_power_watts": 165.6,
        "sixdim_memory_bytes": 30670.6 * 1024 * 1024,
        "sixdim_end_to_end": 4534.980939933562,
        "sixdim_time_to_train_seconds": 18330.0,
        "sixdim_converged": 1.0,
        "sixdim_epochs": 65.0,
    }
    assert len(typed) == len(set(typed))


def test_two_logs_of_one_name_are_two_series(sixdim: Sixdim, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "train.log").write_bytes(RUN.read_bytes())
    logs = (tmp_path / "a" / "train.log", tmp_path / "b" / "train.log")
    _code, out, _err = sixdim("score", *logs, "--prometheus", "-")
    samples = [line.rpartition(" ")[0] for line in out.splitlines() if not line.startswith("#")]
    assert len(samples) == len(set(samples)) > 10


@pytest.mark.parametrize(
    "words",
    [
        ("score", "LOG", "--json", "LOG"),
        ("score", "LOG", "--csv", "LOG"),
        ("score", "LOG", "--require", "speed>=1", "--junit", "LOG"),
        ("report", "LOG", "-o", "LOG"),
        ("compare", "LOG", "LOG", "--html", "LOG"),
    ],
    ids=lambda words: f"{words[0]} {words[-2]}",
)
def test_a_log_is_never_written_over(
    sixdim: Sixdim, tmp_path: Path, words: tuple[str, ...]
) -> None:
    log = tmp_path / "train.log"
    log.write_bytes(RUN.read_bytes())
    code, _out, err = sixdim(*(log if word == "LOG" else word for word in words))
    assert code == 2
    assert "is what is read" in err and len(err.splitlines()) == 1
    assert log.read_bytes() == RUN.read_bytes()


def test_markdown_names_every_dimension(sixdim: Sixdim) -> None:
    code, out, _err = sixdim("score", RUN, "--markdown", "-")
    assert code == 0
    assert out.startswith("## resnet50\\_amp\\_8card.log\n")
    rows = [line.split(" | ")[0].strip("| ") for line in out.splitlines() if line.startswith("|")]
    assert rows[2:] == [
        "Speed", "Accuracy", "Linearity", "Power", "Memory", "Stability", "End to end",
    ]  # fmt: skip
    assert (
        len({line.replace("\\|", "").count("|") for line in out.splitlines() if "|" in line}) == 1
    )


def test_two_exports_cannot_share_standard_output(sixdim: Sixdim) -> None:
    code, out, err = sixdim("score", RUN, "--csv", "-", "--json", "-")
    assert (code, out) == (2, "")
    assert "cannot share standard output" in err


@pytest.mark.parametrize(
    ("flag", "library"), [("tensorboard", "tensorboardX"), ("mlflow", "mlflow")]
)
def test_a_missing_extra_is_one_line(
    sixdim: Sixdim, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flag: str, library: str
) -> None:
    real = builtins.__import__

    def absent(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] == library:
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", absent)
    code, _out, err = sixdim("score", RUN, f"--{flag}", tmp_path / "out")
    assert code == 2
    assert err.splitlines() == [
        f"sixdim: --{flag} needs {'mlflow-skinny' if flag == 'mlflow' else library}, "
        f"which is not installed: pip install 'sixdim[{flag}]'"
    ]


def test_tensorboard_events_hold_the_epochs(sixdim: Sixdim, tmp_path: Path) -> None:
    pytest.importorskip("tensorboardX", reason="the extra sixdim[tensorboard] is not installed")
    from tensorboardX.proto.event_pb2 import Event

    assert sixdim("score", RUN, REPEAT, "--tensorboard", tmp_path)[0] == 0
    assert {p.name for p in tmp_path.iterdir()} == {RUN.name, REPEAT.name}
    (file,) = (tmp_path / RUN.name).iterdir()
    data, at, found = file.read_bytes(), 0, {}
    while at < len(data):  # TFRecord: length, its checksum, the record, its checksum
        (length,) = struct.unpack_from("<Q", data, at)
        event = Event.FromString(data[at + 12 : at + 12 + length])
        at += 16 + length
        for value in event.summary.value:
            found[value.tag, event.step] = (value.simple_value, event.wall_time)
    single = struct.Struct("<f")
    for label, text in printed_epochs().items():
        expected = single.unpack(single.pack(float(text)))[0]
        assert found["epoch/throughput", label][0] == expected
    assert found["eval/acc1", 64] == (single.unpack(single.pack(77.36))[0], 18330.0)


def test_mlflow_holds_the_run(sixdim: Sixdim, tmp_path: Path) -> None:
    pytest.importorskip("mlflow", reason="the extra sixdim[mlflow] is not installed")
    from mlflow.tracking import MlflowClient

    store = tmp_path / "mlruns"
    code, _out, err = sixdim("score", RUN, "--mlflow", store)
    assert code == 0, err
    client = MlflowClient(tracking_uri=store.as_uri())
    experiment = client.get_experiment_by_name("sixdim")
    (run,) = client.search_runs([experiment.experiment_id])
    assert run.info.run_name == RUN.name
    assert run.data.metrics["sixdim/speed"] == 4938.923798404513
    history = client.get_metric_history(run.info.run_id, "epoch/throughput")
    assert {m.step: m.value for m in history} == {
        label: float(text) for label, text in printed_epochs().items()
    }
    card = json.loads(Path(client.download_artifacts(run.info.run_id, "card.json")).read_text())
    assert card["status"] == "converged"
