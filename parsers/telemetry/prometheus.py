"""Reads the samples that a cluster's Prometheus server already has, by job and time.

The samples are asked for as they were scraped (a range selector), not resampled to a step:
`query_range` would repeat a lost board's last figure for five minutes as if it were measured.
"""

from __future__ import annotations

import json
import urllib.parse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.metric_names import (
    NAMES,
    Gathered,
    MetricSample,
    NoSeriesError,
    points_of,
)
from sixdim.parsers.telemetry.source import Unavailable
from sixdim.parsers.telemetry.stamps import time_of
from sixdim.parsers.telemetry.web import NoAnswerError, TooLargeError, checked, fetch, printable
from sixdim.parsers.text.lines import label
from sixdim.parsers.text.patterns import pattern

PATIENCE_S = 30.0
"""Seconds within which the server answers a request."""
PAGE_S = 3600
"""Seconds of samples in one request; halved while the answer is too large."""
LEAST_PAGE_MS = 50
MAX_WINDOW_S = 400 * 86400
MAX_READINGS = 20_000_000

_LABEL = pattern(r"[A-Za-z_]\w{0,99}")
_ZONE = pattern(r"(?P<sign>[-+])(?P<hours>\d\d):?(?P<minutes>\d\d)")


@dataclass(frozen=True, slots=True)
class Query:
    """A request to a server.

    Attributes:
        server: Its address without the query.
        selector: The metrics and labels wanted, as PromQL.
        start_us: First moment wanted, on the server's clock (UTC); None for the log's own.
        end_us: Last moment wanted; None likewise.
        zone_us: Microseconds the log's clock is ahead of UTC: added to every sample's time.
    """

    server: str
    selector: str
    start_us: int | None = None
    end_us: int | None = None
    zone_us: int = 0

    @classmethod
    def parse(cls, address: str) -> Query:
        """Reads `http://host:9090?job=…[&label=…][&start=…][&end=…][&zone=+08:00]`.

        Raises:
            NoAnswerError: It is no such address.
        """
        parts = urllib.parse.urlsplit(checked(address))
        wanted = dict(urllib.parse.parse_qsl(parts.query))
        start, end = (_moment(wanted.pop(name, None), name) for name in ("start", "end"))
        zone_us = _zone(wanted.pop("zone", "+00:00"))
        for name in wanted:
            if not _LABEL.fullmatch(name):
                raise NoAnswerError(f"{label(name, 40)} is no label's name")
        if not wanted:
            raise NoAnswerError("which job? http://host:9090?job=NAME")
        names = f'__name__=~"{"|".join(NAMES)}"'
        matchers = [names, *(f"{name}={json.dumps(value)}" for name, value in wanted.items())]
        server = urllib.parse.urlunsplit(parts._replace(query="", fragment=""))
        return cls(server.rstrip("/"), "{" + ",".join(matchers) + "}", start, end, zone_us)


def _moment(text: str | None, name: str) -> int | None:
    if text is None:
        return None
    if text.isascii() and text.isdigit() and len(text) < 12:
        return int(text) * 10**6
    found = time_of(text)
    if found is None:
        raise NoAnswerError(f"{name}={label(text, 40)} is no time such as 2026-01-31T09:00:00")
    return found


def _zone(text: str) -> int:
    found = _ZONE.fullmatch(text.replace(" ", "+"))
    if found is None:
        raise NoAnswerError(f"zone={label(text, 20)} is none such as +08:00")
    minutes = int(found["hours"]) * 60 + int(found["minutes"])
    return (-minutes if found["sign"] == "-" else minutes) * 60 * 10**6


def query_range(query: Query, start_us: int, end_us: int) -> list[Reading]:
    """Returns every sample scraped in a window, as readings in the order of time.

    Args:
        query: The request; its own start and end take precedence.
        start_us: First moment on the log's clock, included.
        end_us: Last moment on the log's clock, included.

    Raises:
        NoAnswerError: The server does not answer, or the window is invalid.
    """
    first = query.start_us if query.start_us is not None else start_us - query.zone_us
    last = query.end_us if query.end_us is not None else end_us - query.zone_us
    if not 0 <= last - first <= MAX_WINDOW_S * 10**6:
        raise NoAnswerError("the window ends before it begins, or is longer than 400 days")
    moments: dict[int, Gathered] = {}
    for time_us, host, sample in _pages(query, first, last):
        if len(moments) >= MAX_READINGS:
            raise NoAnswerError("more than 20 million samples: name a shorter window")
        at = time_us + query.zone_us
        moments.setdefault(at, Gathered("prometheus", at)).add(sample, host)
    return [reading for _, one in sorted(moments.items()) for reading in one.readings()]


def _pages(query: Query, first_us: int, last_us: int) -> Iterator[tuple[int, str, MetricSample]]:
    """Requests page after page, oldest first; splits a page that is too large into halves."""
    page_ms = PAGE_S * 1000
    begin, last = first_us // 1000, -(-last_us // 1000)
    seen_until = begin - 1
    while seen_until < last:
        end = min(last, seen_until + page_ms)
        try:
            data = _ask(query, end, end - seen_until)
        except TooLargeError:
            page_ms = (end - seen_until) // 2
            if page_ms < LEAST_PAGE_MS:
                raise
            continue
        for series in data:
            yield from _points(series, query, seen_until, end)
        seen_until = end


def _ask(query: Query, end_ms: int, length_ms: int) -> list[Any]:
    words = {
        "query": f"{query.selector}[{length_ms}ms]",
        "time": f"{end_ms // 1000}.{end_ms % 1000:03d}",
    }
    address = f"{query.server}/api/v1/query?{urllib.parse.urlencode(words)}"
    try:
        answer = json.loads(fetch(address, PATIENCE_S))
        data = answer["data"]["result"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise _not_prometheus(query) from error
    if not isinstance(data, list):
        raise _not_prometheus(query)
    return data


def _not_prometheus(query: Query) -> NoAnswerError:
    return NoAnswerError(f"{printable(query.server)} does not answer as Prometheus does")


def _points(
    series: Any, query: Query, after_ms: int, end_ms: int
) -> Iterator[tuple[int, str, MetricSample]]:
    """Yields the points of one series; older servers include a range's start, newer do not."""
    try:
        for point in points_of(series):
            if after_ms * 1000 < point[0] <= end_ms * 1000:
                yield point
    except NoSeriesError as error:
        raise _not_prometheus(query) from error


class PrometheusSource:
    """Asks a server at each reading for the samples since the last one."""

    name = "prometheus"
    patience_s = PATIENCE_S

    def __init__(self, query: Query) -> None:
        self.query = query
        self.notes: tuple[str, ...] = ("sampled at the server's own interval",)
        self._until_us: int | None = None

    @classmethod
    def open(cls, address: str) -> PrometheusSource | Unavailable:
        """Asks the server for its version, so that a wrong address is reported at the start."""
        try:
            query = Query.parse(address)
            fetch(f"{query.server}/api/v1/status/buildinfo", PATIENCE_S)
        except NoAnswerError as error:
            return Unavailable(cls.name, str(error))
        return cls(replace(query, start_us=None, end_us=None))  # live, the window is now

    def read(self, now_us: int) -> list[Reading]:
        """Returns the samples scraped since the last call, with the times of the scrapes.

        Raises:
            NoAnswerError: The server does not answer; the next call asks for the same again.
        """
        since = now_us - 10**6 if self._until_us is None else self._until_us + 1
        found = query_range(self.query, since, now_us)
        self._until_us = now_us
        return found

    def close(self) -> None:
        """Nothing is held between readings."""
