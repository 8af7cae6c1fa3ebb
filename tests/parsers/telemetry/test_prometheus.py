"""A real Prometheus server that scrapes an exporter with DCGM's names, and a journal beside it."""

from __future__ import annotations

import json
import math
import queue
import re
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from sixdim import sample_logs
from sixdim.metrics.fold.devices.device import DeviceSums
from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry import prometheus
from sixdim.parsers.telemetry.dcgm import DcgmSource
from sixdim.parsers.telemetry.journal import Journal, JournalReader
from sixdim.parsers.telemetry.prometheus import PrometheusSource, Query, query_range
from sixdim.parsers.telemetry.web import NoAnswerError, fetch
from sixdim.tui.base.readings import named_readings
from sixdim.tui.cli import main
from sixdim.tui.session.live.feed import Frame
from sixdim.tui.session.replay.replay import ReplayFeed
from tests.support.processes.live import REQUEST
from tests.support.processes.web import answering
from tests.support.telemetry import folded

SERVER = shutil.which("prometheus")
pytestmark = pytest.mark.skipif(
    SERVER is None, reason="no prometheus here (Debian's package of that name has it)"
)

SCRAPE_S = 0.1
LASTS_S = 3.0
DEVICES = 2


def watts(device: int, second: float) -> float:
    """A steady load with a slow swing: what the boards play."""
    return 300.0 + 100 * device + 50 * math.sin(second * 2)


def joules(device: int, second: float) -> float:
    """The exact integral of `watts` from 0."""
    return (300.0 + 100 * device) * second + 25 * (1 - math.cos(second * 2))


BEGUN = time.monotonic()


def export(handler: BaseHTTPRequestHandler) -> None:
    second = time.monotonic() - BEGUN
    lines = []
    for device in range(DEVICES):
        labels = f'{{gpu="{device}",UUID="GPU-{device}",modelName="B100",Hostname="node7"}}'
        lines += [
            f"DCGM_FI_DEV_POWER_USAGE{labels} {watts(device, second)}",
            f"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{labels} {joules(device, second) * 1000}",
            f"DCGM_FI_DEV_FB_USED{labels} {1000 + device}",
        ]
    handler.send_response(200)
    handler.send_header("Content-Type", "text/plain; version=0.0.4")
    handler.end_headers()
    handler.wfile.write(("\n".join(lines) + "\n").encode())


class Cluster:
    """What the test asks of the server, and what a monitor journaled meanwhile."""

    def __init__(self, server: str, journal: Path, begin_us: int, end_us: int) -> None:
        self.server = server
        self.journal = journal
        self.begin_us = begin_us
        self.end_us = end_us

    def ask(self, more: str = "") -> list[Reading]:
        query = Query.parse(f"{self.server}?job=train-42{more}")
        return query_range(query, self.begin_us, self.end_us)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("prometheus")
    with answering(export) as page:
        yield from scraped(page, folder)


def scraped(page: str, folder: Path) -> Iterator[Cluster]:
    """The cluster, once a server scrapes the page."""
    assert SERVER is not None
    (folder / "prometheus.yml").write_text(
        f"global: {{scrape_interval: {SCRAPE_S * 1000:.0f}ms, scrape_timeout: 100ms}}\n"
        "scrape_configs:\n"
        f"  - {{job_name: train-42, static_configs: [{{targets: ['{page}']}}]}}\n"
    )
    address = f"127.0.0.1:{free_port()}"
    child = subprocess.Popen(
        [
            SERVER,
            f"--config.file={folder}/prometheus.yml",
            f"--storage.tsdb.path={folder}/data",
            f"--web.listen-address={address}",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _until_ready(f"http://{address}/-/ready", child)
        source = DcgmSource.open(f"http://{page}/metrics")
        assert isinstance(source, DcgmSource)
        journal = Journal.open(folder / "t.log.sixdim.jsonl", folder / "t.log")
        _until_scraped(Query.parse(f"http://{address}?job=train-42"))
        begin_us = time.time_ns() // 1000
        until = time.monotonic() + LASTS_S
        while time.monotonic() < until:
            journal.append(source.read(time.time_ns() // 1000))
            time.sleep(SCRAPE_S)
        end_us = time.time_ns() // 1000
        journal.close()
        source.close()
        time.sleep(3 * SCRAPE_S)
        yield Cluster(f"http://{address}", journal.path, begin_us, end_us)
    finally:
        child.terminate()
        child.wait(timeout=120)


def _until_ready(address: str, child: subprocess.Popen[bytes]) -> None:
    for _ in range(2400):
        try:
            with urllib.request.urlopen(address, timeout=1) as answer:
                if answer.status == 200:
                    return
        except OSError:
            assert child.poll() is None, "the server ended"
        time.sleep(0.05)
    pytest.fail("the server never became ready")


def _until_scraped(query: Query) -> None:
    """A server looks for its targets some seconds after it is ready."""
    for _ in range(2400):
        now_us = time.time_ns() // 1000
        if query_range(query, now_us - 10**6, now_us):
            return
        time.sleep(0.05)
    pytest.fail("the server never scraped the exporter")


def windows(readings: list[Reading]) -> tuple[DeviceSums, ...]:
    return folded(readings).window(None)


@pytest.mark.slow
def test_the_servers_energy_is_the_journals(cluster: Cluster) -> None:
    there = windows(cluster.ask())
    here = windows(list(JournalReader(cluster.journal).poll()))
    assert [(d.latest.host, d.latest.device, d.latest.name) for d in there] == [
        ("node7", 0, "B100"),
        ("node7", 1, "B100"),
    ]
    for far, near in zip(there, here, strict=True):
        assert (far.energy_method, near.energy_method) == ("counter", "counter")
        assert far.counter_j is not None
        assert near.counter_j is not None
        # Each side's first and last reading lie up to an interval inside the window.
        most = watts(far.latest.device, math.pi / 4)
        assert abs(far.counter_j - near.counter_j) <= most * 4 * SCRAPE_S
        for side in (far, near):
            assert side.span_s is not None
            power = side.quantities["power_w"].weighted()
            # Between two scrapes the swing bends by w'' t^2 / 12 = 200 t^2 / 12 W at most, and a
            # scrape's stamp is a few milliseconds beside the moment the figures were made.
            assert power.area == pytest.approx(side.counter_j, abs=most * 0.1)
            assert power.gaps == 0
    assert {r.memory_mib for r in cluster.ask()} == {1000, 1001}


@pytest.mark.slow
def test_pages_join_without_a_seam(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = cluster.ask()
    monkeypatch.setattr(prometheus, "PAGE_S", 1)
    assert cluster.ask() == whole
    assert len(whole) >= DEVICES * LASTS_S / SCRAPE_S / 2


@pytest.mark.slow
def test_an_answer_that_is_too_large_is_asked_for_in_halves(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = cluster.ask()
    lengths: list[int] = []

    def narrow(address: str, deadline_s: float) -> bytes:
        lengths.append(int(re.search(r"(\d+)ms", address)[1]))  # type: ignore[index]  # it matches
        return fetch(address, deadline_s, 5_000)

    monkeypatch.setattr(prometheus, "fetch", narrow)
    assert cluster.ask() == whole
    assert len(lengths) >= 3
    assert min(lengths) <= max(lengths) // 2


@pytest.mark.slow
def test_only_the_window_and_the_labels_asked_for(cluster: Cluster) -> None:
    times = [r.time_us for r in cluster.ask() if r.time_us is not None]
    assert cluster.begin_us <= min(times) + 1000
    assert max(times) <= cluster.end_us + 1000
    assert {r.device for r in cluster.ask("&gpu=1")} == {1}
    assert cluster.ask('&gpu=7"}') == []
    with pytest.raises(NoAnswerError, match="ends before it begins"):
        query_range(Query.parse(f"{cluster.server}?job=train-42"), 2, 1)


@pytest.mark.slow
def test_a_log_whose_clock_is_ahead_of_utc(cluster: Cluster) -> None:
    east = Query.parse(f"{cluster.server}?job=train-42&zone=%2B08:00")
    hours = 8 * 3600 * 10**6
    shifted = query_range(east, cluster.begin_us + hours, cluster.end_us + hours)
    assert [r.time_us for r in shifted] == [(r.time_us or 0) + hours for r in cluster.ask()]


@pytest.mark.slow
def test_asked_live_it_gives_each_scrape_once(cluster: Cluster) -> None:
    source = PrometheusSource.open(f"{cluster.server}?job=train-42")
    assert isinstance(source, PrometheusSource)
    seen: list[tuple[int, int | None]] = []
    until = time.monotonic() + 120
    while len(seen) < 8 and time.monotonic() < until:
        time.sleep(0.25)
        seen += [(r.device, r.time_us) for r in source.read(time.time_ns() // 1000)]
    assert len(seen) >= 8
    assert len(seen) == len(set(seen))


@pytest.mark.slow
def test_score_takes_its_readings_from_the_server(
    cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    window = f"&start={cluster.begin_us // 10**6}&end={cluster.end_us // 10**6}"
    log = str(sample_logs.path(sample_logs.RUN))
    source = f"prometheus:{cluster.server}?job=train-42{window}"
    assert main(["score", log, "--json", "-", "--telemetry", source]) == 0
    card = json.loads(capsys.readouterr().out)["dimensions"]
    assert card["power"]["devices"] == ["node7/0", "node7/1"]
    assert 250 <= card["power"]["value"] <= 450
    assert card["memory"]["value"] == 1000.5


def mmcv_log(folder: Path, begin_us: int, end_us: int, ahead_s: int = 0) -> str:
    """A log of two epochs and a line in the window, by a clock that is so far ahead of UTC."""
    lines = []
    for epoch, place in ((1, 0.0), (1, 0.45), (2, 0.55), (2, 0.95), (3, 1.0)):
        at_us = begin_us + round((end_us - begin_us) * place) + ahead_s * 10**6
        stamp = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(at_us // 10**6))
        lines.append(
            f"{stamp},{at_us // 1000 % 1000:03d} - mmdet - INFO - Epoch [{epoch}]"
            f"[{50 if place in (0.0, 0.55, 1.0) else 100}/100]\tlr: 2.000e-03, eta: 0:00:10, "
            "time: 0.512, data_time: 0.010, memory: 3800, loss: 1.9472"
        )
    path = folder / "mmdet.log"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def power_of(cluster: Cluster, log: str, capsys: pytest.CaptureFixture[str], more: str = "") -> Any:
    source = f"prometheus:{cluster.server}?job=train-42{more}"
    assert main(["score", log, "--json", "-", "--telemetry", source]) == 0
    return json.loads(capsys.readouterr().out)["dimensions"]["power"]


@pytest.mark.slow
def test_the_window_is_the_logs_own(
    cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begin_us, end_us = cluster.begin_us + 700_000, cluster.end_us - 700_000
    log = mmcv_log(tmp_path, begin_us, end_us)
    card = power_of(cluster, log, capsys)
    first_us, last_us = (moment // 1000 * 1000 for moment in (begin_us, end_us))
    inside = [r for r in cluster.ask() if first_us <= (r.time_us or 0) < last_us]
    assert card["readings"] == len(inside) < len(cluster.ask())
    assert card["window"] == "epochs 1-2"
    assert card["value"] == pytest.approx(math.fsum(r.power_w or 0 for r in inside) / len(inside))
    # Named times win, one or both.
    half = f"&start={(begin_us + end_us) / 2e6:.0f}"
    assert power_of(cluster, log, capsys, half)["readings"] < len(inside)


@pytest.mark.slow
def test_a_clock_ahead_of_utc_is_named_by_its_zone(
    cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = mmcv_log(tmp_path, cluster.begin_us, cluster.end_us, ahead_s=8 * 3600)
    east = power_of(cluster, log, capsys, "&zone=%2B08:00")
    assert east["readings"] >= DEVICES * LASTS_S / SCRAPE_S / 2
    assert main(["score", log, "--telemetry", f"prometheus:{cluster.server}?job=train-42"]) == 2
    said = capsys.readouterr().err
    assert "no sample of that job from" in said
    assert "&zone=+08:00" in said


@pytest.mark.slow
def test_a_log_without_a_clock_says_the_way_out(
    cluster: Cluster, capsys: pytest.CaptureFixture[str]
) -> None:
    log = str(sample_logs.path(sample_logs.RUN))
    assert main(["score", log, "--telemetry", f"prometheus:{cluster.server}?job=train-42"]) == 2
    said = capsys.readouterr().err.strip()
    assert said.endswith("the log has no time of day: name the window with &start=TIME&end=TIME")


@pytest.mark.slow
def test_two_logs_each_ask_for_their_own_window(
    cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    middle = (cluster.begin_us + cluster.end_us) // 2
    logs = []
    for name, begin, end in (("a", cluster.begin_us, middle), ("b", middle, cluster.end_us)):
        (tmp_path / name).mkdir()
        logs.append(mmcv_log(tmp_path / name, begin, end))
    source = f"prometheus:{cluster.server}?job=train-42"
    assert main(["score", *logs, "--json", "-", "--telemetry", source]) == 0
    first, second = json.loads(capsys.readouterr().out)
    means = [card["dimensions"]["power"]["value"] for card in (first, second)]
    assert means[0] != means[1]


@pytest.mark.slow
def test_a_server_may_speak_for_memory_alone(
    cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = mmcv_log(tmp_path, cluster.begin_us, cluster.end_us)
    source = f"memory=prometheus:{cluster.server}?job=train-42"
    assert main(["score", log, "--json", "-", "--telemetry", source]) == 0
    card = json.loads(capsys.readouterr().out)["dimensions"]
    assert card["memory"]["value"] == 1000.5
    assert card["power"]["value"] is None


@pytest.mark.slow
def test_a_replay_without_its_server_shows_the_log_and_the_reason(
    cluster: Cluster, tmp_path: Path
) -> None:
    log = mmcv_log(tmp_path, cluster.begin_us, cluster.end_us)
    request = REQUEST._replace(
        named=named_readings([f"prometheus:http://127.0.0.1:{free_port()}?job=train-42"])
    )
    frames: queue.SimpleQueue[Frame] = queue.SimpleQueue()
    feed = ReplayFeed(log, request, time.monotonic, speed=None)
    feed.start(frames.put)
    try:
        while not (frame := frames.get(timeout=60)).snapshot.ended:
            continue
    finally:
        feed.stop()
    assert "Connection refused" in frame.snapshot.card.dimensions["power"].reason
    assert "Connection refused" in frame.snapshot.telemetry_note
