"""All series of one run: the named numbers of its progress lines, evaluations and devices."""

import math
import re
from collections.abc import Callable
from functools import lru_cache

from sixdim.metrics.fold.sums.run_steps import RunSteps
from sixdim.metrics.fold.sums.series import Place, Series
from sixdim.metrics.values.series import Kind, SeriesView, kind_of
from sixdim.parsers.events import EpochEnd, Evaluation, Iteration, Metric
from sixdim.parsers.reading import Reading
from sixdim.parsers.spans import LineSpan, SpanFigures

MOST_SERIES = 200
"""Series of a log, and of devices: a log with a new name in each line must not fill the memory."""
LOSS, THROUGHPUT, STEP_TIME = "loss", "throughput", "step time"
VALIDATION = "val "
_EVALUATED = re.compile(r"(?i:val(?:id(?:ation)?)?|eval(?:uation)?|test)[ _./-]+")
_NAN = math.nan
_MOST_EXACT = 1 << 53


class SeriesFold:
    """Folds the figures of a run into series.

    The place of an evaluation is that of the last progress line, unless it names its step.

    Attributes:
        here: The place of the last progress line.
    """

    def __init__(self) -> None:
        self._series: dict[str, Series] = {}
        self._count = {False: 0, True: 0}  # series of the log, and of devices
        self.here = Place()
        self._label = _NAN
        self._steps = RunSteps()
        self._first_us: int | None = None
        self._elapsed = 0.0

    def iteration(self, record: Iteration) -> None:
        """Adds the figures of a progress line."""
        place = self.here = self._place(record)
        if record.loss is not None:
            self._add(LOSS, "", record.loss, place, Kind.LOSS)
        if record.throughput is not None:
            self._add(THROUGHPUT, record.unit, record.throughput, place, Kind.RATE)
        if record.duration is not None:
            self._add(STEP_TIME, "s", record.duration, place, Kind.TIME)
        for name, value, unit, _ in record.values:
            if name not in (LOSS, THROUGHPUT, STEP_TIME):
                self._add(name, unit, value, place)

    def extend(self, span: LineSpan) -> None:
        """Adds the figures of lines that follow another line of their epoch, as `iteration` does.

        That line had the same names, so each name has a series, unless there are too many.
        """
        last, figures = span.last, span.figures
        assert figures is not None
        place = self._places(last, figures, last.at.line - span.lines + 1)
        self.here = place(span.lines - 1)
        named: list[tuple[str, str | int, float | None]] = [
            (LOSS, "loss", last.loss),
            (THROUGHPUT, "throughput", last.throughput),
            (STEP_TIME, "duration", last.duration),
        ]
        for number, metric in enumerate(last.values):
            if metric.name not in (LOSS, THROUGHPUT, STEP_TIME):
                named.append((metric.name, number, metric.value))
        for name, field, value in named:
            series = self._series.get(name)
            if series is not None and value is not None:
                series.extend(figures.column(field, value, span.lines), place)

    def _places(self, last: Iteration, figures: SpanFigures, first: int) -> Callable[[int], Place]:
        """Returns a function that gives a line's place by index; the first has number `first`."""
        steps, before = figures.steps, self._steps.before
        label, total = _exact(last.epoch), _exact(last.steps)
        seconds = self._seconds(figures)

        @lru_cache(maxsize=2)
        def place(index: int) -> Place:
            step = _NAN if steps is None else _exact(int(steps[index]))
            counted = _NAN if steps is None else _exact(before + int(steps[index]))
            epoch = label + min(step / total, 1.0) if step >= 0 < total else label
            return Place(counted, epoch, seconds(index), float(first + index))

        self._steps.count(last)
        return place

    def _seconds(self, figures: SpanFigures) -> Callable[[int], float]:
        """Returns a function that gives the seconds of lines by index, as `_clock` does."""
        first_us, times_us = self._first_us, figures.times_us
        durations = figures.columns.get("duration")
        if times_us is not None and first_us is not None:
            return lambda index: (int(times_us[index]) - first_us) / 1e6
        if durations is not None and first_us is None:
            import numpy as np  # it is loaded where lines come in columns

            weights = np.ones(len(durations))
            if figures.steps is not None:
                exact = np.where(figures.steps < _MOST_EXACT, figures.steps, _NAN)
                steps = np.concatenate(([_exact(self._steps.last)], exact))
                weights = np.fmax(1.0, steps[1:] - steps[:-1])
            passed = np.add.accumulate(np.concatenate(([self._elapsed], durations * weights)))
            self._elapsed = float(passed[-1])
            return lambda index: float(passed[index + 1]) or _NAN
        elapsed = self._elapsed or _NAN
        return lambda _: elapsed

    def evaluation(self, event: Evaluation) -> None:
        """Adds the figures of an evaluation during training."""
        if event.after_training or event.model == "teacher":
            return
        place = self.here._replace(line=float(event.at.line))
        if event.step is not None and self._label != self._label:
            place = place._replace(step=_exact(self._steps.before + event.step))
        if place.epoch != place.epoch and event.epoch is not None:
            place = place._replace(epoch=_exact(event.epoch))
        for metric in event.metrics:
            name = _evaluated(metric)
            self._add(name, metric.unit, metric.value, place, kind_of(metric.name, evaluated=True))

    def epoch_end(self, event: EpochEnd) -> None:
        """Adds the figures that the log prints for an epoch."""
        label, place = _exact(event.epoch), self.here._replace(line=float(event.at.line))
        if event.epoch is not None and not place.epoch >= label:
            place = place._replace(epoch=label)
        if event.throughput is not None:
            self._add(f"epoch {THROUGHPUT}", event.unit, event.throughput, place, Kind.RATE)
        for name, value, unit, _ in event.values:
            self._add(f"epoch {name}", unit, value, place)

    def reading(self, reading: Reading, place: Place, *, several_hosts: bool) -> None:
        """Adds a reading of a device at a place of the run."""
        gpu = f"GPU{reading.device}" + (f" {reading.host}" if several_hosts else "")
        for name, unit, value in (
            ("power", "W", reading.power_w),
            ("memory", "MiB", reading.memory_mib),
            ("utilisation", "%", reading.utilisation),
            ("temperature", "°C", reading.temperature_c),
        ):
            if value is not None:
                self._add(f"{gpu} {name}", unit, value, place, Kind.DEVICE)

    def views(self) -> tuple[SeriesView, ...]:
        """Returns all series as of now, by kind, then as they came."""
        order = {kind: number for number, kind in enumerate(Kind)}
        return tuple(
            one.view() for one in sorted(self._series.values(), key=lambda s: order[s.kind])
        )

    def _add(
        self, name: str, unit: str, value: float, place: Place, kind: Kind | None = None
    ) -> None:
        series = self._series.get(name)
        if series is None:
            of_device = kind is Kind.DEVICE
            if self._count[of_device] == MOST_SERIES:
                return
            self._count[of_device] += 1
            series = self._series[name] = Series(name, unit, kind or kind_of(name))
        series.add(value, place)

    def _place(self, record: Iteration) -> Place:
        label, step, steps = _exact(record.epoch), _exact(record.step), _exact(record.steps)
        epoch = label + min(step / steps, 1.0) if step >= 0 < steps else label
        seconds = self._clock(record.at.time_us, record.duration, step)
        counted = _exact(self._steps.count(record))
        if label < self._label:
            self._cut(lambda place: place.epoch < label)
        elif record.epoch is None and counted < self.here.step:
            self._cut(lambda place: place.step < counted)
        self._label = label
        return Place(counted, epoch, seconds, float(record.at.line))

    def _clock(self, time_us: int | None, duration: float | None, step: float) -> float:
        if time_us is not None:
            if self._first_us is None:
                self._first_us = time_us
            return (time_us - self._first_us) / 1e6
        if duration is not None and self._first_us is None:
            self._elapsed += duration * max(1.0, step - _exact(self._steps.last))
        return self._elapsed or _NAN

    def _cut(self, is_before: Callable[[Place], bool]) -> None:
        for series in self._series.values():
            series.cut(is_before)


def _evaluated(metric: Metric) -> str:
    """Returns the name of an evaluation's figure among the series of the run."""
    bare = _EVALUATED.sub("", metric.name, count=1)
    return bare if bare.lower().startswith("train") else f"{VALIDATION}{bare}"


def _exact(number: int | None) -> float:
    """Returns the number, where a double can hold it; nan for an unknown one."""
    return float(number) if number is not None and abs(number) < _MOST_EXACT else _NAN
