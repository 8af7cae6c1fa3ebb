"""`--dask`: the same tables from a cluster, whatever happens to its workers."""

from __future__ import annotations

import gzip
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from sixdim.parsers.reader.registry import formats
from tests.support.extras import without
from tests.support.inputs.dlperf_logs import ngc_pytorch
from tests.support.pages import blocks
from tests.support.processes.cluster import Cluster
from tests.support.processes.fifo_log import PATIENCE_S, ROOT, FifoLog, ended, started

Sixdim = Callable[..., tuple[int, str, str]]
SPEEDS = {"1n1g": 360.0, "1n4g": 1400.0, "1n8g": 2750.0, "2n8g": 5300.0}
PROTOCOL = "--protocol", "dlperf-ngc-pytorch"
"""A log that can be read only once must not be asked for the protocol usual for it."""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    yield made.workers(2)
    made.close()


@pytest.fixture
def clusters(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Cluster]]:
    """Makes clusters of the test's own."""
    made: list[Cluster] = []

    def make(*given: Any, **named: Any) -> Cluster:
        made.append(Cluster(tmp_path_factory.mktemp("cluster"), *given, **named))
        return made[-1]

    yield make
    for one in made:
        one.close()


def tree(root: Path) -> Path:
    """Twelve runs, and what lies beside runs: packed, hidden, unknown, not text, a copy."""
    for case, speed in SPEEDS.items():
        nodes, cards = int(case[0]), int(case[2])
        for run in (1, 2, 3):
            path = root / case / f"rn50_b256_fp32_{run}.log"
            ngc_pytorch(path, speed * (1 + run / 100), nodes, cards, 256)
    first = root / "1n1g" / "rn50_b256_fp32_1.log"
    (root / "1n1g" / "rn50_b256_fp32_4.log.gz").write_bytes(gzip.compress(first.read_bytes()))
    (root / "1n1g" / "notes.txt").write_text("bring milk\n")
    (root / "1n1g" / "picture.log").write_bytes(b"\x7fELF" + bytes(500))
    (root / "1n1g" / ".hidden.log").write_text("x\n")
    (root / "1n1g" / "result.json").write_text("{}\n")
    (root / "README").write_text("runs\n")
    return root


@pytest.mark.parametrize(("command", "median"), [("scaling", "365.40"), ("airank", "367.2")])
def test_the_table_of_a_cluster_is_the_local_one(
    cluster: Cluster, sixdim: Sixdim, tmp_path: Path, command: str, median: str
) -> None:
    here = sixdim(command, tree(tmp_path))
    there = sixdim(command, tmp_path, "--dask", cluster.address)
    assert there == here
    assert here[0] == 0 and median in here[1] and "read 16 of 16 logs" in here[2]
    assert sixdim(command, tmp_path, "--dask", cluster.file) == here


@pytest.mark.parametrize("shape", ["table", "markdown", "csv", "json"])
def test_logs_by_url_give_the_same_table(
    cluster: Cluster, sixdim: Sixdim, tmp_path: Path, shape: str
) -> None:
    code, here, said = sixdim("scaling", tree(tmp_path), "--format", shape)
    by_url = sixdim("scaling", tmp_path.as_uri(), "--format", shape, "--dask", cluster.address)
    names = str(tmp_path), tmp_path.as_uri()
    assert by_url == (code, here.replace(*names), said.replace(*names))


def test_a_relative_path_is_found_by_workers_elsewhere(
    cluster: Cluster, sixdim: Sixdim, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tree(tmp_path))
    here = sixdim("scaling", "1n1g", "1n8g/rn50_b256_fp32_1.log")
    assert sixdim("scaling", "1n1g", "1n8g/rn50_b256_fp32_1.log", "--dask", cluster.file) == here
    assert "1n8g/rn50_b256_fp32_1.log  2777.5" in here[1]


def test_logs_that_only_the_workers_hold_are_read_there(
    clusters: Callable[..., Cluster], sixdim: Sixdim, tmp_path: Path
) -> None:
    """Each process has a `memory://` of its own: here it holds names alone."""
    fsspec = pytest.importorskip("fsspec")
    fill = tmp_path / "fill.py"
    fill.write_text(
        "import fsspec\nfs = fsspec.filesystem('memory')\n"
        f"fs.put('{tree(tmp_path / 'logs')}/', '/archive/', recursive=True)\n"
    )
    cluster = clusters().workers(2, "--preload", str(fill))
    memory = fsspec.filesystem("memory")
    memory.put(f"{tmp_path}/logs/", "/archive/", recursive=True)
    for path in memory.find("/archive"):
        memory.pipe(path, b"")
    memory.pipe("/archive/1n1g/rn50_b256_fp32_9.log", b"")
    try:
        there = sixdim("scaling", "memory://archive", "--dask", cluster.address)
    finally:
        memory.rm("/archive", recursive=True)
    _code, here, _said = sixdim("scaling", tmp_path / "logs")
    assert there[1] == here.replace(str(tmp_path / "logs"), "memory://archive")
    missing = "memory://archive/1n1g/rn50_b256_fp32_9.log"
    assert f"warning: {missing}: left out: no log {missing}" in there[2].splitlines()


def test_a_worker_killed_in_the_middle_changes_nothing(
    clusters: Callable[..., Cluster], sixdim: Sixdim, tmp_path: Path
) -> None:
    cluster = clusters().workers(2)
    held = tree(tmp_path) / "1n8g" / "rn50_b256_fp32_2.log"
    paths = [path for path in sorted(tmp_path.rglob("*_?.log")) if path != held]
    paths.insert(5, held)
    words = ("scaling", *paths, *PROTOCOL)
    here = sixdim(*words)
    text = held.read_bytes()
    held.unlink()
    log = FifoLog(held, text)
    command = started(*words, "--dask", cluster.address)
    log.wait()
    cluster.kill_reader(5)
    log.wait()  # the other worker tries it again
    log.give()
    assert ended(command) == here


def test_a_log_that_kills_its_readers_is_named_and_the_others_are_read(
    clusters: Callable[..., Cluster], sixdim: Sixdim, tmp_path: Path
) -> None:
    cluster = clusters(tries=1).workers(2)
    killer = tree(tmp_path) / "1n8g" / "rn50_b256_fp32_2.log"
    paths = [killer, *(path for path in sorted(tmp_path.rglob("*_?.log")) if path != killer)]
    here = sixdim("scaling", *paths[1:], *PROTOCOL)
    killer.unlink()
    log = FifoLog(killer, b"")
    command = started("scaling", *paths, *PROTOCOL, "--dask", cluster.address)
    while log.wait(lambda: command.poll() is not None):
        cluster.kill_reader(0)
        cluster.worker()
    code, out, err = ended(command)
    assert (code, out) == here[:2]
    assert f"{killer}: left out: the process that read it died: too little memory?" in err
    assert err.count("left out") == 1


def test_without_workers_it_waits_and_says_so(
    clusters: Callable[..., Cluster], sixdim: Sixdim, tmp_path: Path
) -> None:
    cluster = clusters()
    command = started("scaling", tree(tmp_path), "--dask", cluster.address)
    assert command.stderr is not None
    said = command.stderr.readline()
    assert (
        said
        == f"sixdim: --dask {cluster.address} has no worker: waiting for one (Ctrl-C ends it)\n"
    )
    cluster.worker()
    assert ended(command) == sixdim("scaling", tmp_path)


def test_an_interrupt_ends_it_and_leaves_the_cluster_at_work(
    clusters: Callable[..., Cluster], sixdim: Sixdim, tmp_path: Path
) -> None:
    cluster = clusters().workers(1)
    tree(tmp_path / "logs")
    log = FifoLog(tmp_path / "1n8g_b256.log", b"")
    command = started("scaling", log.path, tmp_path / "logs", *PROTOCOL, "--dask", cluster.address)
    log.wait()
    command.send_signal(signal.SIGINT)
    assert ended(command) == (130, "", "")
    log.forget()
    assert sixdim("scaling", tmp_path / "logs", "--dask", cluster.address)[0] == 0


def test_a_scheduler_that_goes_away_is_one_line(
    clusters: Callable[..., Cluster], tmp_path: Path
) -> None:
    cluster = clusters().workers(1)
    log = FifoLog(tmp_path / "1n8g_b256.log", b"")
    command = started("scaling", log.path, *PROTOCOL, "--dask", cluster.address)
    log.wait()
    cluster.scheduler.kill()
    said = f"sixdim: --dask {cluster.address}: the scheduler went away before all logs were read\n"
    assert ended(command) == (2, "", said)
    log.forget()


@pytest.mark.parametrize("where", ["scheme", "file", "closed port", "silent port"])
def test_no_scheduler_is_one_line(
    sixdim: Sixdim, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    pytest.importorskip("distributed", reason="the extra sixdim[cluster] is not installed")
    monkeypatch.setattr("sixdim.tui.batch.cluster.CONNECT_S", 0.3)
    (tmp_path / "empty.json").write_text("{}")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        if where == "closed port":
            server.close()
        address = {"scheme": "nothing://here", "file": f"{tmp_path}/empty.json"}.get(where, port)
        code, out, err = sixdim("scaling", tree(tmp_path / "logs"), "--dask", address)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert err.startswith(f"sixdim: --dask {address}: no scheduler answers there (")
    assert err.endswith("`dask scheduler` prints the address of one\n")


@pytest.mark.parametrize(
    ("source", "there"),
    [
        ("__version__ = '0.0.1'\n", "sixdim 0.0.1"),
        ("raise ModuleNotFoundError('no sixdim', name='sixdim')\n", "no sixdim"),
    ],
    ids=["another", "none"],
)
def test_workers_with_another_sixdim_or_none_are_named(
    clusters: Callable[..., Cluster], sixdim: Sixdim, tmp_path: Path, source: str, there: str
) -> None:
    (tmp_path / "sixdim").mkdir()
    (tmp_path / "sixdim" / "__init__.py").write_text(source)
    cluster = clusters(path=tmp_path).workers(1)
    code, out, err = sixdim("scaling", tree(tmp_path / "logs"), "--dask", cluster.address)
    (worker,) = cluster.client.nthreads()
    from sixdim import __version__

    assert (code, out) == (2, "")
    assert err.splitlines() == [
        f"sixdim: --dask {cluster.address}: worker {worker} has {there}: install sixdim "
        f"{__version__} on every worker"
    ]


def test_workers_with_other_formats_are_named(
    cluster: Cluster, sixdim: Sixdim, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = formats()
    house = type("House", (known[0],), {"name": "house"})
    monkeypatch.setattr("sixdim.tui.batch.cluster.formats", lambda: (*known, house))
    code, out, err = sixdim("scaling", tree(tmp_path), "--dask", cluster.address)
    assert (code, out) == (2, "")
    assert "has other format plugins: house: install the same on every worker" in err


def test_a_driver_that_only_the_workers_lack_is_one_line(
    cluster: Cluster, sixdim: Sixdim, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fsspec.implementations.local import LocalFileSystem

    class House(LocalFileSystem):  # type: ignore[misc]  # untyped where the extra is missing
        protocol = "house"

        @classmethod
        def _strip_protocol(cls, path: str) -> str:
            return path.removeprefix("house://")

    monkeypatch.setitem(import_module("fsspec.registry")._registry, "house", House)
    url = f"house://{tree(tmp_path)}"
    code, out, err = sixdim("scaling", url, "--dask", cluster.address)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert f"worker {os.uname().nodename}: no driver for house:// is known" in err


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nosuch://bucket/logs", "no driver for nosuch:// is known: Protocol not known: nosuch"),
        ("file:///no/such/folder", "no file or folder file:///no/such/folder"),
    ],
)
def test_a_url_that_cannot_be_listed_is_one_line(
    cluster: Cluster, sixdim: Sixdim, url: str, said: str
) -> None:
    assert sixdim("scaling", url, "--dask", cluster.address) == (2, "", f"sixdim: {said}\n")


def test_a_log_that_goes_before_it_is_read_is_left_out(
    clusters: Callable[..., Cluster], tmp_path: Path
) -> None:
    cluster = clusters().workers(1)
    first = tree(tmp_path / "logs") / "1n1g" / "rn50_b256_fp32_1.log"
    log = FifoLog(tmp_path / "1n8g_b256.log", b"")
    command = started("scaling", log.path, first, *PROTOCOL, "--dask", cluster.address)
    log.wait()
    first.unlink()
    log.forget()
    code, _out, err = ended(command)
    assert code == 1
    assert f"{first}: left out: worker {os.uname().nodename} does not see it: share the" in err


@pytest.mark.parametrize("library", ["distributed", "fsspec"])
def test_a_missing_extra_is_one_line(
    sixdim: Sixdim, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    without(library, monkeypatch)
    code, _out, err = sixdim("scaling", tree(tmp_path), "--dask", "tcp://nowhere:8786")
    assert (code, len(err.splitlines())) == (2, 1)
    assert err.startswith("sixdim: --dask needs ")
    assert err.endswith(", which is not installed: pip install 'sixdim[cluster]'\n")


def test_the_commands_of_the_page_give_the_local_table(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="the extra sixdim[cluster] is not installed")
    tree(tmp_path / "logs")
    (shown,) = blocks(ROOT / "docs" / "clusters.md", "sh")
    for kind in ("scheduler", "worker"):
        shown = shown.replace(f"dask {kind}", f"dask {kind} --no-dashboard --host 127.0.0.1")
    shown = shown.replace("dask scheduler", "dask scheduler --port 0")
    python = f'"{sys.executable}" -m'
    script = (
        f'sixdim() {{ {python} sixdim "$@"; }}; dask() {{ exec {python} dask "$@" 2>dask.err; }}\n'
        f"{shown}\ncode=$?; kill $(jobs -p); wait; exit $code"
    ).replace("sixdim scaling", "until [ -s cluster.json ]; do sleep 0.1; done; sixdim scaling")
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr
    local = subprocess.run(
        [sys.executable, "-m", "sixdim", "scaling", "logs/"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.stdout == local.stdout and "rn50" in local.stdout


def test_a_url_without_a_cluster_says_the_way_out(sixdim: Sixdim) -> None:
    said = "sixdim: s3://bucket/logs is read by a cluster: --dask ADDRESS\n"
    assert sixdim("scaling", "s3://bucket/logs") == (2, "", said)
