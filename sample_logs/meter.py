"""The torchvision references' MetricLogger, as far as it can be seen in a log."""

from __future__ import annotations

import math
from collections import deque
from datetime import timedelta

WINDOW = 20
"""Iterations that a printed median or windowed mean looks back on."""


def clock(seconds: float) -> str:
    """Whole seconds the way the scripts print a duration: `0:04:38`, `1 day, 2:03:04`."""
    return str(timedelta(seconds=int(seconds)))


class Meter:
    """One metric: its last values, and its mean over the whole epoch."""

    def __init__(self) -> None:
        self._window: deque[float] = deque(maxlen=WINDOW)
        self._total = 0.0
        self._count = 0

    def update(self, value: float) -> None:
        """Takes the next iteration's value."""
        self._window.append(value)
        self._total += value
        self._count += 1

    @property
    def median(self) -> float:
        """PyTorch's median: the lower of two middle values, nan where there is one."""
        if any(math.isnan(value) for value in self._window):
            return math.nan
        return sorted(self._window)[(len(self._window) - 1) // 2]

    @property
    def recent(self) -> float:
        """The mean over the window."""
        return math.fsum(self._window) / len(self._window)

    @property
    def mean(self) -> float:
        """The mean over everything since the epoch began."""
        return self._total / self._count

    def __str__(self) -> str:
        return f"{self.median:.4f} ({self.mean:.4f})"


class MetricLogger:
    """The iteration lines of one epoch or one evaluation."""

    def __init__(self, header: str, steps: int) -> None:
        self._header = header
        self._steps = steps
        self._loss, self._acc1, self._acc5 = Meter(), Meter(), Meter()
        self._time, self._data = Meter(), Meter()

    def update(
        self, *, loss: float, acc1: float, acc5: float, seconds: float, data_s: float
    ) -> None:
        """Takes what one iteration measured (accuracies in %, durations in s)."""
        self._loss.update(loss)
        self._acc1.update(acc1)
        self._acc5.update(acc5)
        self._time.update(seconds)
        self._data.update(data_s)

    def line(self, step: int, rate: str = "") -> str:
        """The line printed at iteration `step`; `rate` holds the `lr` and `img/s` fields."""
        width = len(str(self._steps))
        fields = [
            self._header,
            f"[{step:{width}d}/{self._steps}]",
            f"eta: {clock(self._time.mean * (self._steps - step))}",
            *([rate] if rate else []),
            f"loss: {self._loss}",
            f"acc1: {self._acc1}",
            f"acc5: {self._acc5}",
            f"time: {self._time.recent:.4f}",
            f"data: {self._data.recent:.4f}",
        ]
        return "  ".join(fields)
