"""Metrics pages of DCGM's or Iluvatar's exporter, and series that a Prometheus server answered."""

from collections.abc import Iterable, Iterator
from typing import Any

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes, any_line
from sixdim.parsers.telemetry.dialects.json_objects import objects
from sixdim.parsers.telemetry.metric_names import (
    Gathered,
    NoSeriesError,
    host_of,
    parse_page,
    points_of,
)
from sixdim.parsers.telemetry.stamps import time_of
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_SERIES = pattern(r'.{0,2000}"resultType"\s*+:\s*+"matrix".*+')


def _read(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    """Yields the readings of each page, which ends where one of its metrics comes again."""
    page = Gathered("dcgm", None)
    seen: set[tuple[str, ...]] = set()
    for line in lines:
        if (stamp := time_of(line.text)) is not None:
            yield from page.readings()
            page, seen = Gathered("dcgm", stamp), set()
        for sample in parse_page([line.text]):
            key = (sample.name, *(f"{k}={v}" for k, v in sorted(sample.labels.items())))
            if key in seen:
                yield from page.readings()
                page, seen = Gathered("dcgm", None), set()
            seen.add(key)
            page.add(sample, host_of(sample.labels, ""))
    yield from page.readings()


def _is_metric(text: str) -> bool:
    return next(parse_page([text]), None) is not None


PAGES = Dialect("exporter pages", any_line(_is_metric), _read)


def _read_series(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    moments: dict[int, Gathered] = {}
    for answer in objects(lines, notes):
        for series in _result(answer):
            try:
                for time_us, host, sample in points_of(series):
                    moments.setdefault(time_us, Gathered("prometheus", time_us)).add(sample, host)
            except NoSeriesError:
                notes.add("series that name no metric left out")
    for _, gathered in sorted(moments.items()):
        yield from gathered.readings()


def _result(answer: dict[str, Any]) -> list[Any]:
    data = answer.get("data")
    result = data.get("result") if isinstance(data, dict) else None
    return result if isinstance(result, list) else []


SERIES = Dialect("Prometheus series", any_line(_SERIES.match), _read_series)
