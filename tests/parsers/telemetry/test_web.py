"""Metrics pages of exporters: several hosts, odd hosts, hostile hosts."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler

import pytest

from sixdim.parsers.telemetry.dcgm import DcgmSource
from sixdim.parsers.telemetry.metric_names import parse_page
from sixdim.parsers.telemetry.prometheus import PrometheusSource, Query, query_range
from sixdim.parsers.telemetry.source import Unavailable
from sixdim.parsers.telemetry.web import NoAnswerError, fetch, printable
from tests.support.processes.web import answering

PAGE = """\
# HELP DCGM_FI_DEV_POWER_USAGE Power draw (in W).
# TYPE DCGM_FI_DEV_POWER_USAGE gauge
DCGM_FI_DEV_POWER_USAGE{{gpu="0",UUID="GPU-a",modelName="H100",Hostname="{host}"}} {watts}
DCGM_FI_DEV_POWER_USAGE{{gpu="0",UUID="GPU-a",Hostname="{host}",pod="x{{}}"}} 999
DCGM_FI_DEV_POWER_USAGE_INSTANT{{gpu="0",UUID="GPU-a",Hostname="{host}"}} 888
DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{{gpu="0",Hostname="{host}"}} 1234500 1767454613507
DCGM_FI_DEV_FB_USED{{gpu="0",Hostname="{host}",GPU_I_ID="1"}} 100
DCGM_FI_DEV_FB_USED{{gpu="0",Hostname="{host}",GPU_I_ID="2"}} 50
DCGM_FI_DEV_CLOCK_THROTTLE_REASONS{{gpu="0",Hostname="{host}"}} 4
DCGM_FI_DEV_GPU_TEMP{{gpu="1",Hostname="{host}"}} 41
DCGM_FI_DEV_POWER_USAGE{{gpu="1",Hostname="{host}"}} NaN
other_metric{{gpu="0"}} 5
"""


class Pages:
    """Answers each path with what a test says."""

    def __init__(self) -> None:
        self.answers: dict[str, Callable[[BaseHTTPRequestHandler], None]] = {}
        self.seen: list[tuple[str, str | None]] = []
        self.address = ""

    @contextmanager
    def served(self) -> Iterator[Pages]:
        def answer(handler: BaseHTTPRequestHandler) -> None:
            self.seen.append((handler.path, handler.headers.get("Authorization")))
            self.answers[handler.path.partition("?")[0]](handler)

        with answering(answer) as self.address:
            yield self

    def say(self, path: str, text: str, status: int = 200, **headers: str) -> str:
        def answer(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(status)
            for name, value in headers.items():
                handler.send_header(name, value)
            handler.end_headers()
            handler.wfile.write(text.encode())

        self.answers[path] = answer
        return f"http://{self.address}{path}"


@pytest.fixture
def pages() -> Iterator[Pages]:
    with Pages().served() as served:
        yield served


def opened(address: str, deadline_s: float = 5.0) -> DcgmSource:
    source = DcgmSource.open(address, deadline_s)
    assert isinstance(source, DcgmSource), source
    return source


def test_several_hosts_at_once(pages: Pages) -> None:
    one = pages.say("/one", PAGE.format(host="n1", watts=500.5))
    two = pages.say("/two", PAGE.format(host="n2", watts=400))
    source = opened(f"{one},{two}")
    readings = {(r.host, r.device): r for r in source.read(7)}
    assert sorted(readings) == [("n1", 0), ("n1", 1), ("n2", 0), ("n2", 1)]
    first = readings["n1", 0]
    assert (first.power_w, first.energy_j, first.memory_mib) == (500.5, 1234.5, 150)
    assert (first.time_us, first.name, first.uuid) == (7, "H100", "GPU-a")
    assert first.throttle == ("power cap",)
    assert readings["n2", 0].power_w == 400
    assert readings["n1", 1].missing == (("power_w", "not a number"),)
    source.close()


def test_two_pages_of_one_host_name_stay_apart(pages: Pages) -> None:
    one = pages.say("/one", PAGE.format(host="same", watts=1))
    with Pages().served() as other:
        two = other.say("/two", PAGE.format(host="same", watts=2))
        source = opened(f"{one},{two}")
        powers = {(r.host, r.power_w) for r in source.read(0) if r.device == 0}
    assert powers == {("same", 1), (other.address, 2)}
    source.close()


def test_a_host_that_fails_in_mid_run_loses_only_its_own(pages: Pages) -> None:
    one = pages.say("/one", PAGE.format(host="n1", watts=500))
    two = pages.say("/two", PAGE.format(host="n2", watts=400))
    source = opened(f"{one},{two}")
    source.read(0)
    pages.say("/two", "\x1b[31mout of order", 503)
    readings = {(r.host, r.device): r for r in source.read(1)}
    assert readings["n1", 0].power_w == 500
    reason = dict(readings["n2", 0].missing)["power_w"]
    assert reason == f"{pages.address} answers 503: out of order"
    source.close()


def test_names_of_iluvatars_exporter_in_watts_and_milliwatts() -> None:
    from sixdim.parsers.telemetry.metric_names import Gathered

    gathered = Gathered("dcgm", None)
    page = (
        'ix_power_usage{gpu="0",name="Iluvatar BI-V100",uuid="GPU-a"} 54\n'
        'ix_power_usage{gpu="1",uuid="GPU-b"} 54000\nix_mem_used{gpu="0",uuid="GPU-a"} 513\n'
    )
    for sample in parse_page(page.split("\n")):
        gathered.add(sample, "h")
    first, second = (draft.reading() for draft in gathered.drafts.values())
    assert (first.power_w, first.memory_mib, first.name) == (54, 513, "Iluvatar BI-V100")
    assert second.power_w == 54


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("file:///etc/passwd", "no address such as"),
        ("ftp://host/x", "no address such as"),
        ("host:9400", "no address such as"),
        ("http://ho st/", "no address such as"),
        ("http://[::1", "no address such as"),
        ("", "no address such as"),
        ("http://127.0.0.1:1/metrics", "Connection refused"),
    ],
)
def test_addresses_that_are_none(address: str, words: str) -> None:
    found = DcgmSource.open(address)
    assert isinstance(found, Unavailable)
    assert words in found.reason


def test_no_detour_no_flood_no_drip_and_no_password_shown(pages: Pages) -> None:
    def drip(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        for _ in range(2000):
            handler.wfile.write(b"#\n")
            handler.wfile.flush()
            time.sleep(0.02)

    pages.answers["/drip"] = drip
    away = pages.say("/away", "", 302, Location="file:///etc/passwd")
    flood = pages.say("/flood", "#" * 3000)
    with pytest.raises(NoAnswerError, match="answers 302"):
        fetch(away, 5)
    with pytest.raises(NoAnswerError, match="larger than"):
        fetch(flood, 5, 1000)
    begun = time.monotonic()
    with pytest.raises(NoAnswerError, match="no whole answer within"):
        fetch(f"http://{pages.address}/drip", 0.2)
    assert time.monotonic() - begun < 4
    secret = pages.say("/secret", "no", 401).replace("://", "://user:p%40ss@")
    with pytest.raises(NoAnswerError) as caught:
        fetch(secret, 5)
    assert "p" + "%40ss" not in str(caught.value)
    assert "user" not in printable(secret)
    assert pages.seen[-1] == ("/secret", "Basic dXNlcjpwQHNz")


def test_a_page_without_gpus(pages: Pages) -> None:
    found = DcgmSource.open(pages.say("/m", "go_gc_duration_seconds 1\n"))
    assert found == Unavailable("dcgm", f"{pages.address} names no GPU metric that is known")


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("http://h:9090", "which job"),
        ("http://h:9090?job=a&start=yesterday", "is no time"),
        ("http://h:9090?job=a&zone=CET", "is none such as"),
        ("http://h:9090?job=a&b%22=c", "no label's name"),
    ],
)
def test_queries_that_are_none(address: str, words: str) -> None:
    found = PrometheusSource.open(address)
    assert isinstance(found, Unavailable)
    assert words in found.reason


@pytest.mark.parametrize("answer", ["", "[]", '{"data":{"result":5}}', '{"data":{"result":[{}]}}'])
def test_a_server_that_is_no_prometheus(pages: Pages, answer: str) -> None:
    pages.say("/api/v1/query", answer)
    query = Query.parse(f"http://{pages.address}?job=a")
    with pytest.raises(NoAnswerError, match="does not answer as Prometheus does"):
        query_range(query, 0, 10**6)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_one_deadline_over_headers_and_handshakes_too(scheme: str) -> None:
    """A server that sends a byte now and then is never late for a socket's own timeout."""
    listening = socket.create_server(("127.0.0.1", 0))
    over = threading.Event()

    def dribble() -> None:
        connection, _ = listening.accept()
        with connection:
            connection.sendall(
                b"HTTP/1.1 200 OK\r\nX-Slow: " if scheme == "http" else b"\x16\x03\x03"
            )
            while not over.wait(0.05):
                try:
                    connection.sendall(b"a" if scheme == "http" else b"\x00")
                except OSError:
                    return

    server = threading.Thread(target=dribble, daemon=True)
    server.start()
    address = f"{scheme}://127.0.0.1:{listening.getsockname()[1]}/metrics"
    begin = time.monotonic()
    with pytest.raises(NoAnswerError):
        fetch(address, 0.5)
    assert time.monotonic() - begin < 5
    over.set()
    server.join(5)
    listening.close()
