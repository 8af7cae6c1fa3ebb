"""Recorded readings of devices as series beside those of the log."""

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.fold.sums.series import Place
from sixdim.metrics.fold.sums.series_fold import SeriesFold
from sixdim.metrics.values.series import COLUMNS, SeriesView
from sixdim.parsers.reading import Reading

_NAN = math.nan


def device_series(readings: Sequence[Reading], run: Run) -> tuple[SeriesView, ...]:
    """Returns power, memory, utilisation and temperature of each device over the run.

    The place of a reading in its epoch follows from the log's clock, else from its number among the
    readings of the epoch; its time is counted from the log's first stamp, else from the first
    reading. Where any reading has an epoch, those before and after training are left out.
    """
    placed = [*zip(readings, _places(readings, run), strict=True)]
    if any(place.epoch == place.epoch for _, place in placed):
        placed = [(reading, place) for reading, place in placed if place.epoch == place.epoch]
        placed.sort(key=lambda pair: pair[1].epoch)
    fold = SeriesFold()
    several = len({reading.host for reading in readings}) > 1
    for reading, place in placed:
        fold.reading(reading, place, several_hosts=several)
    return fold.views()


def until(series: Iterable[SeriesView], epoch: float) -> Iterator[SeriesView]:
    """Yields the series as they were at an epoch's label, with the share of it that is done.

    Before the first epoch, of which the label is nan, they are empty.
    """
    for one in series:
        known = bool(one.epochs) and one.epochs[0] == one.epochs[0]
        count = bisect_right(one.epochs, epoch) if known and not math.isnan(epoch) else 0
        yield one if epoch == math.inf else _first(one, count)


def _first(series: SeriesView, count: int) -> SeriesView:
    columns = {name: getattr(series, name)[:count] for name in COLUMNS}
    latest = columns["lasts"][-1] if count else _NAN
    return replace(series, **columns, count=count, latest=latest, version=count)


def _places(readings: Sequence[Reading], run: Run) -> Iterator[Place]:
    spans = {
        epoch.label: (epoch.start_us, epoch.end_us)
        for epoch in run.epochs.values()
        if epoch.start_us is not None and epoch.end_us is not None
    }
    times = [reading.time_us for reading in readings if reading.time_us is not None]
    begin = run.clocked[0] if run.clocked is not None else min(times, default=0)
    of_epoch = Counter((r.host, r.device, r.epoch) for r in readings)
    seen: Counter[tuple[str, int, int | None]] = Counter()
    numbers: Counter[tuple[str, int]] = Counter()
    for reading in readings:
        key = (reading.host, reading.device, reading.epoch)
        share = (seen[key] + 0.5) / of_epoch[key]
        seen[key] += 1
        numbers[key[:2]] += 1
        time, epoch = reading.time_us, _NAN
        if reading.epoch is not None:
            first, last = spans.get(reading.epoch, (None, None))
            if time is not None and first is not None and last is not None and last > first:
                share = min(1.0, max(0.0, (time - first) / (last - first)))
            epoch = reading.epoch + share
        seconds = _NAN if time is None else (time - begin) / 1e6
        yield Place(float(numbers[key[:2]]), epoch, seconds)
