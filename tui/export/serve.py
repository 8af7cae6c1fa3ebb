"""`--serve ADDRESS`: serves the metrics of watched runs to Prometheus."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError, missing
from sixdim.tui.export.prometheus import live_families

if TYPE_CHECKING:
    from prometheus_client.core import Metric

    from sixdim.tui.session.live.feed import Frame

LOOPBACK = "127.0.0.1"


def parse_address(text: str) -> tuple[str, int]:
    """Reads `9101` (this machine alone), `127.0.0.1:9101`, `0.0.0.0:9101` or `[::1]:9101`.

    Other machines can connect only if an IP address is given. A host name or an empty host is an
    error.

    Raises:
        UserError: It is not a port, or an IP address with a port.
    """
    host, colon, port = text.rpartition(":")
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    try:
        if colon:
            ipaddress.ip_address(bare)
        number = int(port) if port.isascii() and port.isdigit() else 0
        if not 0 < number < 65536:
            raise ValueError
    except ValueError as error:
        wanted = f"a port, or an IP address with one: 9101, {LOOPBACK}:9101"
        raise UserError(f"--serve {label(text, 40)!r} is not {wanted}") from error
    return bare if colon else LOOPBACK, number


class _Collector:
    """Computes the metrics for each scrape."""

    def __init__(self, frames: Callable[[], Sequence[Frame]]) -> None:
        self._frames = frames

    def collect(self) -> Iterator[Metric]:
        """Yields the current metrics."""
        from prometheus_client.core import Metric

        for family in live_families(self._frames()):
            metric = Metric(family.name, family.help, "gauge")
            for labels, value in family.samples:
                metric.add_sample(family.name, dict(labels), value)
            yield metric


@contextmanager
def serving(address: tuple[str, int], frames: Callable[[], Sequence[Frame]]) -> Iterator[None]:
    """Serves the metrics of the newest frame of each run while the block runs.

    Raises:
        UserError: The extra is not installed, or the address cannot be used.
    """
    try:
        from prometheus_client import CollectorRegistry, start_http_server
    except ImportError as error:
        raise missing("--serve", "prometheus_client", "prometheus") from error
    registry = CollectorRegistry()
    registry.register(_Collector(frames))
    host, port = address
    try:
        server, thread = start_http_server(port, addr=host, registry=registry)
    except OSError as error:
        reason = label(error.strerror or error)
        raise UserError(f"cannot serve at {host} port {port}: {reason}") from error
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=5.0)
