"""A sixdim.toml that came with somebody's logs reaches nothing outside of its folder."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from sixdim import sample_logs

Cli = Callable[..., tuple[int, str, str]]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "logs"
    folder.mkdir()
    monkeypatch.chdir(folder)
    shutil.copy(sample_logs.path(sample_logs.RUN), folder / "train.log")
    shutil.copy(sample_logs.path(sample_logs.BASELINE), folder / "base.log")
    shutil.copy(sample_logs.path(sample_logs.POWER), folder / "power.txt")
    shutil.copy(sample_logs.path(sample_logs.BASELINE), tmp_path / "other.log")
    os.mkfifo(folder / "pipe")
    return folder


@pytest.fixture
def server() -> tuple[socket.socket, str]:
    listening = socket.create_server(("127.0.0.1", 0))
    listening.settimeout(0.2)
    return listening, f"127.0.0.1:{listening.getsockname()[1]}"


@pytest.mark.parametrize(
    "setting",
    [
        "telemetry = 'prometheus:http://{server}?job=a'",
        "telemetry = ['power=power.txt', 'dcgm:http://{server}/metrics']",
        "telemetry = 'ixsmi'",
        "telemetry = 'power=../other.log'",
        "baseline = '../other.log'",
        "baseline = '{folder}/../other.log'",
        "baseline = 'http://{server}/base.log'",
        "baseline = 's3://bucket/base.log'",
        "baseline = 'pipe'",
        "baseline = '/dev/urandom'",
        "scaled = '/dev/stdin'",
        "repeat = ['base.log', '/etc/hostname']",
    ],
)
def test_what_lies_outside_is_refused_and_never_touched(
    here: Path, sixdim: Cli, server: tuple[socket.socket, str], setting: str
) -> None:
    listening, address = server
    (here / "sixdim.toml").write_text(setting.format(server=address, folder=here))
    for words in (("score", "train.log"), ("watch", "train.log", "--plain", "--no-gpus")):
        code, out, err = sixdim(*words)
        assert (code, out) == (2, "")
        assert "is outside of its folder" in err and "sixdim trust ." in err
    with pytest.raises(TimeoutError):
        listening.accept()
    listening.close()


def test_a_link_leads_outside_too(here: Path, sixdim: Cli) -> None:
    (here / "link.log").symlink_to("../other.log")
    (here / "sixdim.toml").write_text("baseline = 'link.log'")
    assert sixdim("score", "train.log")[0] == 2


def test_what_lies_inside_is_taken(here: Path, sixdim: Cli) -> None:
    (here / "sixdim.toml").write_text(
        "baseline = 'base.log'\ntelemetry = ['power=power.txt']\ndevices = 8\n"
    )
    code, out, err = sixdim("score", "train.log")
    assert code == 0, err
    assert "mean of 5 readings" in out


def test_trust_is_given_to_a_file_as_it_is(here: Path, sixdim: Cli) -> None:
    settings = here / "sixdim.toml"
    settings.write_text("baseline = '../other.log'")
    assert sixdim("score", "train.log")[0] == 2
    assert sixdim("score", "train.log", "--config", settings)[0] == 0
    assert sixdim("score", "train.log", "--baseline", "base.log")[0] == 0
    assert sixdim("trust")[0] == 0
    assert sixdim("score", "train.log")[0] == 0
    settings.write_text("baseline = '../other.log'\n# and more")
    assert sixdim("score", "train.log")[0] == 2
    elsewhere = here.parent / "copy"
    shutil.copytree(here, elsewhere, ignore=shutil.ignore_patterns("pipe"))
    settings.write_text("baseline = '../other.log'")
    os.chdir(elsewhere)
    assert sixdim("score", "train.log")[0] == 2


def test_a_folder_without_settings_is_one_line(here: Path, sixdim: Cli) -> None:
    code, _out, err = sixdim("trust", here)
    assert code == 2 and err.startswith("sixdim: no sixdim.toml in ")


@pytest.mark.parametrize(("patterns", "code"), [(64, 0), (65, 2)])
def test_a_format_of_very_many_patterns_is_refused(
    here: Path, sixdim: Cli, patterns: int, code: int
) -> None:
    listed = ", ".join(f"'w{n} {{step:int}} {{throughput:float}} img/s'" for n in range(patterns))
    (here / "sixdim.toml").write_text(f"[format]\nname = 'many'\niteration = [{listed}]\n")
    assert sixdim("score", "train.log")[0] == code


def test_a_list_of_trusted_files_that_cannot_be_written_is_named(
    sixdim: Cli, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "sixdim.toml").write_text('target = "acc1>75.9"\n')
    monkeypatch.setenv("XDG_STATE_HOME", str(here / "train.log"))
    code, _, err = sixdim("trust")
    assert code == 2
    assert f"cannot write {here}/train.log/sixdim/trusted: " in err
    assert "XDG_STATE_HOME" in err
