"""`sixdim watch --serve`: scraped by a client, and by a real Prometheus server."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sixdim import sample_logs
from sixdim.tui.base.errors import UserError
from sixdim.tui.export.serve import parse_address

ROOT = Path(__file__).parents[3]
DEPLOY = ROOT / "deploy"
RUN = sample_logs.path(sample_logs.RUN)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


@contextmanager
def watching(*words: object) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "sixdim", "watch", *map(str, words), "--plain", "--no-gpus"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
            process.wait(60)


def until(ask: Callable[[], str], seen: Callable[[str], bool], seconds: float = 60) -> str:
    end = time.monotonic() + seconds
    answer = ""
    while time.monotonic() < end:
        try:
            answer = ask()
        except OSError:
            answer = ""
        if seen(answer):
            return answer
        time.sleep(0.1)
    raise AssertionError(f"never seen; the last answer was {answer[:2000]}")


def page(address: str) -> str:
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=10) as answer:
        text: str = answer.read().decode()
        return text


def test_a_run_is_scraped_while_it_grows_and_after_its_end(tmp_path: Path) -> None:
    pytest.importorskip("prometheus_client")
    log, port = tmp_path / "train.log", free_port()
    data = RUN.read_bytes()
    log.write_bytes(data[: data.index(b"Epoch: [12]")])
    with watching(log, "--serve", port) as process:
        address = f"127.0.0.1:{port}"
        early = until(lambda: page(address), lambda text: "sixdim_epoch{" in text)
        labels = '{format="torchvision",log="train.log"}'
        assert f"sixdim_epoch{labels} 11.0" in early
        assert f"sixdim_converged{labels} 0.0" in early
        log.write_bytes(data)
        late = until(lambda: page(address), lambda text: f"sixdim_epoch{labels} 64.0" in text)
        assert re.search(r'sixdim_speed{.*unit="img/s"} 4938\.9237984045', late)
        assert 'status="converged"} 1.0' in late
        assert process.poll() is None
        with pytest.raises(OSError):
            socket.create_connection(("127.0.0.2", port), 2)


def test_a_log_of_unknown_lines_has_no_figures(tmp_path: Path) -> None:
    pytest.importorskip("prometheus_client")
    log, port = tmp_path / "prose.log", free_port()
    log.write_text("to be or not to be\n" * 50)
    with watching(log, "--serve", port):
        text = until(lambda: page(f"127.0.0.1:{port}"), lambda text: "sixdim_lines" in text)
    assert "sixdim_speed{" not in text
    assert 'sixdim_figure_known{figure="speed",format="",log="prose.log"} 0.0' in text


def test_a_port_that_is_taken_is_one_line(tmp_path: Path) -> None:
    pytest.importorskip("prometheus_client")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with watching(tmp_path / "x.log", "--serve", port) as process:
            out, _ = process.communicate(timeout=60)
    assert process.returncode == 2
    assert out.startswith(f"sixdim: cannot serve at 127.0.0.1 port {port}: ")
    assert len(out.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("9101", ("127.0.0.1", 9101)),
        ("127.0.0.1:9101", ("127.0.0.1", 9101)),
        ("0.0.0.0:65535", ("0.0.0.0", 65535)),
        ("[::1]:1", ("::1", 1)),
    ],
)
def test_addresses(text: str, address: tuple[str, int]) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize(
    "text",
    [":9101", "*:9101", "host:9101", "9101:", "0", "65536", "-1", "127.0.0.1", "1.2.3:9", "٣"],
)
def test_an_address_that_is_not_given_in_full_is_refused(text: str) -> None:
    with pytest.raises(UserError):
        parse_address(text)


@pytest.mark.slow
def test_a_real_prometheus_scrapes_it(tmp_path: Path) -> None:
    pytest.importorskip("prometheus_client")
    program = shutil.which("prometheus")
    if program is None:
        pytest.skip("no prometheus on this machine")
    port, own = free_port(), free_port()
    config = (DEPLOY / "prometheus.yml").read_text()
    assert "127.0.0.1:9101" in config
    config = config.replace("9101", str(port)).replace("15s", "1s")
    (tmp_path / "prometheus.yml").write_text(config)

    def query(text: str) -> str:
        words = urllib.parse.urlencode({"query": text})
        address = f"http://127.0.0.1:{own}/api/v1/query?{words}"
        with urllib.request.urlopen(address, timeout=10) as answer:
            found: str = answer.read().decode()
            return found

    command = [
        *(program, f"--config.file={tmp_path}/prometheus.yml", f"--storage.tsdb.path={tmp_path}/d"),
        f"--web.listen-address=127.0.0.1:{own}",
    ]
    with (
        watching(RUN, "--serve", port),
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server,
    ):
        try:
            found = until(lambda: query("sixdim_speed"), lambda text: "4938.9237984" in text, 120)
            assert json.loads(found)["data"]["result"][0]["metric"]["log"] == RUN.name
            for one in queries():
                assert json.loads(query(one))["status"] == "success", one
            status = json.loads(query('sixdim_status{log=~".*"} == 1'))["data"]["result"]
            assert [one["metric"]["status"] for one in status] == ["converged"]
        finally:
            server.terminate()
            server.wait(60)


def queries() -> list[str]:
    """Every query of the dashboard, for all logs."""
    dashboard = json.loads((DEPLOY / "grafana-dashboard.json").read_text())
    found = [t["expr"] for panel in dashboard["panels"] for t in panel["targets"]]
    return [one.replace("$log", ".*") for one in found]


def test_each_query_of_the_dashboard_names_a_metric_that_is_served() -> None:
    source = (ROOT / "tui" / "export" / "prometheus.py").read_text()
    served = set(re.findall(r'"(sixdim_\w+)"', source))
    asked = {name for query in queries() for name in re.findall(r"sixdim_\w+", query)}
    assert len(asked) > 10
    assert asked <= served
