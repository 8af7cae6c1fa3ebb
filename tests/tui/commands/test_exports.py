"""Exports: figures that read back exactly, and one clear line where an extra is missing."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import struct
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest

from sixdim import sample_logs
from sixdim.metrics.values.settings import Settings
from sixdim.tui.base.tables import harmless
from sixdim.tui.export.tracking.mlflow import accepted
from sixdim.tui.export.tracking.series import series
from sixdim.tui.export.tracking.wall_time import COUNTED, DATED, WallTime
from sixdim.tui.session.cards import read_one
from sixdim.tui.session.request import Request
from tests.support.extras import without
from tests.support.inputs.torchvision_log import epoch

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


def test_csv_has_no_row_of_an_epoch_that_was_cut(sixdim: Sixdim, tmp_path: Path) -> None:
    log = tmp_path / "t.log"
    whole = "".join(epoch(label, 100.0, 70.0) for label in range(4))
    log.write_text(whole.partition("Epoch: [3] Avg")[0])
    _code, out, _err = sixdim("score", log, "--csv", "-")
    assert [row["epoch"] for row in csv.DictReader(io.StringIO(out))] == ["0", "1", "2"]


def test_csv_of_several_logs_is_one_table(sixdim: Sixdim, tmp_path: Path) -> None:
    sixdim("score", RUN, REPEAT, "--csv", tmp_path / "epochs.csv")
    rows = list(csv.DictReader((tmp_path / "epochs.csv").open()))
    assert {r["log"] for r in rows} == {RUN.name, REPEAT.name}


@pytest.mark.parametrize("name", ["=cmd.log", "-2+3+cmd.log", "+1-cmd.log", "@cmd.log", "-cmd.log"])
def test_csv_is_no_spreadsheet_formula(sixdim: Sixdim, tmp_path: Path, name: str) -> None:
    log = tmp_path / name
    log.write_bytes(RUN.read_bytes())
    _code, out, _err = sixdim("score", log, "--csv", "-")
    assert out.splitlines()[1].startswith(f"'{name},0,")


@pytest.mark.parametrize("figure", ["-", "-5.25", "+3.1 %", "-1,024", "-1.2e-05", "12"])
def test_a_figure_in_csv_stays_a_number(figure: str) -> None:
    assert harmless(figure) == figure


@pytest.mark.parametrize("name", ["eval/mAP@0.5", "eval/recall@5", "train/loss"])
def test_mlflow_accepts_the_name_of_each_series(name: str) -> None:
    """Its rule, as its error message states it."""
    assert re.fullmatch(r"[\w\-. :/]+", accepted(name))


def test_the_result_of_a_gate_on_standard_output(sixdim: Sixdim, tmp_path: Path) -> None:
    words = ("score", RUN, "--require", "speed>=4000")
    for flag, begin in (("--junit", "<?xml "), ("--summary", f"# {RUN.name}")):
        code, out, _err = sixdim(*words, flag, "-")
        assert code == 0 and out.startswith(begin), out
    code, _out, err = sixdim(*words, "--junit", "-", "--json", "-")
    assert (code, err) == (
        2,
        "sixdim: --json and --junit cannot share standard output: name a file for one\n",
    )


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


def _two_of_one_name(folder: Path) -> tuple[Path, Path]:
    for name in ("a", "b"):
        (folder / name).mkdir()
        (folder / name / "train.log").write_bytes(RUN.read_bytes())
    return folder / "a" / "train.log", folder / "b" / "train.log"


@pytest.mark.parametrize("words", [("score",), ("score", "--markdown", "-"), ("compare",)])
def test_two_logs_of_one_name_have_their_paths(
    sixdim: Sixdim, tmp_path: Path, words: tuple[str, ...]
) -> None:
    logs = _two_of_one_name(tmp_path)
    command, *flags = words
    _code, out, _err = sixdim(command, *logs, *flags)
    assert re.findall(r"\S+train\.log", out.replace("\\", "")) == [*map(str, logs)]


def test_the_results_of_two_logs_of_one_name_have_their_paths(
    sixdim: Sixdim, tmp_path: Path
) -> None:
    logs, csv_file, gate = _two_of_one_name(tmp_path), tmp_path / "e.csv", tmp_path / "g.xml"
    words = ("--require", "speed>=9999", "--csv", csv_file, "--junit", gate)
    code, _out, err = sixdim("score", *logs, *words)
    assert code == 1
    assert [line.split(": ")[1] for line in err.splitlines()] == [*map(str, logs)]
    assert [*dict.fromkeys(re.findall(r'classname="sixdim\.([^"]+)"', gate.read_text()))] == [
        *map(str, logs)
    ]
    rows = csv.DictReader(csv_file.read_text().splitlines())
    assert [*dict.fromkeys(row["log"] for row in rows)] == [*map(str, logs)]


def test_one_log_has_its_base_name(sixdim: Sixdim, tmp_path: Path) -> None:
    logs = _two_of_one_name(tmp_path)
    assert sixdim("score", logs[0])[1].startswith("train.log ")


def test_runs_of_one_name_are_different_series(sixdim: Sixdim, tmp_path: Path) -> None:
    """Of logs their paths tell them apart, of cards a number; a textfile may repeat no labels."""
    logs, card = _two_of_one_name(tmp_path), tmp_path / "card.json"
    sixdim("score", logs[0], "--json", card)
    odd = tmp_path / "train.log#2"
    odd.write_bytes(RUN.read_bytes())
    _code, out, _err = sixdim("score", *logs, card, card, odd, "--prometheus", "-")
    samples = [line.rpartition(" ")[0] for line in out.splitlines() if not line.startswith("#")]
    assert len(samples) == len(set(samples)) > 10
    assert {label for text in samples for label in re.findall('log="([^"]*)"', text)} == {
        *map(str, logs),
        "train.log",
        "train.log#2",
        "train.log#3",
    }


@pytest.mark.parametrize(
    "words",
    [
        ("score", "LOG", "--json", "LOG"),
        ("score", "LOG", "--csv", "LOG"),
        ("score", "LOG", "--require", "speed>=1", "--junit", "LOG"),
        ("report", "LOG", "-o", "LOG"),
        ("compare", "LOG", "LOG", "--html", "LOG"),
        ("watch", "LOG", "--plain", "--no-gpus", "--json", "LOG"),
        ("watch", RUN, "--plain", "--no-gpus", "--repeat", "LOG", "--json", "LOG"),
        ("replay", RUN, "--plain", "--against", "LOG", "--json", "LOG"),
        ("score", RUN, "--telemetry", "power=LOG", "--json", "LOG"),
        ("score", RUN, "--config", "LOG", "--json", "LOG"),
    ],
    ids=lambda words: " ".join(word for word in words if isinstance(word, str)),
)
def test_a_log_is_never_written_over(
    sixdim: Sixdim, tmp_path: Path, words: tuple[str, ...]
) -> None:
    log = tmp_path / "train.log"
    log.write_bytes(RUN.read_bytes())
    code, _out, err = sixdim(*(str(word).replace("LOG", str(log)) for word in words))
    assert code == 2
    if "--config" not in words:  # a log is no settings file
        assert "is what is read" in err
    assert len(err.splitlines()) == 1
    assert log.read_bytes() == RUN.read_bytes()


@pytest.mark.parametrize(
    "words",
    [
        ("score", RUN, "--json", "out", "--markdown", "./out"),
        ("score", RUN, "--require", "speed>=1", "--junit", "out", "--csv", "out"),
        ("compare", RUN, RUN, "--svg", "out", "--html", "out"),
    ],
    ids=lambda words: f"{words[0]} {words[-2]}",
)
def test_two_results_are_not_written_to_one_file(
    sixdim: Sixdim, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _out, err = sixdim(*words)
    assert code == 2
    assert err == "sixdim: two results would be written to out: name another for one\n"
    assert not (tmp_path / "out").exists()
    assert sixdim("score", RUN, "--json", "/dev/null", "--csv", "/dev/null")[0] == 0
    assert sixdim("score", RUN, "--json", "a", "--csv", "b")[0] == 0


def test_markdown_names_every_dimension(sixdim: Sixdim) -> None:
    code, out, _err = sixdim("score", RUN, "--markdown", "-")
    assert code == 0
    assert out.startswith("## resnet50_amp_8card.log\n")
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
    without(library, monkeypatch)
    code, out, err = sixdim("score", RUN, f"--{flag}", tmp_path / "out")
    assert (code, out) == (2, ""), "before the log is read"
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
    value, at = found["eval/acc1", 64]
    assert value == single.unpack(single.pack(77.36))[0]
    changed = RUN.stat().st_mtime  # the log has no clock: its end is the last change of its file
    assert changed - 60 <= at <= changed + 1
    first = found["train/loss", 0]
    assert first[0] == single.unpack(single.pack(6.9906))[0]
    assert at - first[1] == pytest.approx(18330.0, abs=60)
    assert found["train/loss", 334 + 10][1] - first[1] == pytest.approx(292, abs=30)
    assert min(time for _, time in found.values()) > 1e9  # nothing is in 1970


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


def test_times_are_those_of_the_log_where_it_has_dates(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_text(
        "".join(
            f"2020-07-09 23:{n // 2:02}:{30 * (n % 2):02},500\tINFO\tx.y\tEpoch: [{n // 4}]  "
            f"[{n % 4}/4]  eta: 0:00:01  lr: 0.1  img/s: {100 + n}  loss: {9 - n} (1.0)  "
            "time: 0.5  data: 0.0\n"
            + (
                ""
                if n % 4 < 3
                else f"2020-07-09 23:{n // 2:02}:31,500\tINFO\tx.y\t * Acc@1 {n}.0 Acc@5 9.0\n"
            )
            for n in range(8)
        )
    )
    scored = read_one(str(log), Request(Settings()), curves=True)
    clock = WallTime(scored)
    every = [*series(scored, clock)]
    samples = [sample for sample in every if sample.name == "train/loss"]
    begin = datetime(2020, 7, 9, 23, 0, 0, 500_000, UTC).timestamp()
    assert [(s.step, s.value, s.seconds) for s in samples] == [
        (n, 9.0 - n, begin + 30 * n) for n in range(8)
    ]
    assert clock.source == DATED
    evaluated = [(s.step, s.value, s.seconds) for s in every if s.name == "eval/acc1"]
    assert evaluated == [(0, 3.0, begin + 91), (1, 7.0, begin + 211)]
    assert {begin + 91, begin + 211} == {s.seconds for s in every if s.name == "epoch/loss"}


def test_the_steps_of_a_first_epoch_that_is_called_1_begin_at_1(tmp_path: Path) -> None:
    log = tmp_path / "own.log"
    lines = (
        f"epoch {1 + n // 4}/2 step {1 + n % 4}/4 loss {9 - n}.5 throughput {100 + n}.5 img/s\n"
        for n in range(8)
    )
    log.write_text("".join(lines))
    scored = read_one(str(log), Request(Settings()), curves=True)
    found = [s for s in series(scored, WallTime(scored)) if s.name == "train/loss"]
    assert [(s.step, s.value) for s in found] == [(1 + n, 9.5 - n) for n in range(8)]


def test_the_pieces_of_a_rotated_log_are_one_series(sixdim: Sixdim, tmp_path: Path) -> None:
    pytest.importorskip("tensorboardX", reason="the extra sixdim[tensorboard] is not installed")
    data = RUN.read_bytes()
    (tmp_path / "a.log.1").write_bytes(data[:200_000])
    (tmp_path / "a.log").write_bytes(data[200_000:])
    pieces = (tmp_path / "a.log.1", tmp_path / "a.log", "--join")
    assert sixdim("score", *pieces, "--tensorboard", tmp_path / "joined")[0] == 0
    assert sixdim("score", RUN, "--tensorboard", tmp_path / "whole")[0] == 0
    (joined,) = (tmp_path / "joined").rglob("events*")
    (whole,) = (tmp_path / "whole").rglob("events*")
    assert abs(joined.stat().st_size - whole.stat().st_size) < 200


def test_a_log_with_the_times_of_steps_alone_is_counted_back_by_them(tmp_path: Path) -> None:
    log = tmp_path / "gpt.log"
    lines = (
        f"iter {n}: loss {9 - n / 100:.4f}, time 250.00ms, mfu 30.00%" for n in range(0, 99, 10)
    )
    log.write_text("".join(f"{line}\n" for line in lines))
    os.utime(log, (1.6e9, 1.6e9))
    scored = read_one(str(log), Request(Settings()), curves=True)
    clock = WallTime(scored)
    found = [s for s in series(scored, clock) if s.name == "train/loss"]
    assert clock.source == COUNTED
    assert [s.step for s in found] == [*range(0, 99, 10)]
    assert found[-1].seconds == pytest.approx(1.6e9)
    assert {round(b.seconds - a.seconds, 6) for a, b in pairwise(found)} == {2.5}
