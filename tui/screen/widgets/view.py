"""The view of a chart: the displayed part, the scale, and the cursor."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

ZOOM = 2.0
LEAST_WIDTH = 2.0
"""Least epochs (or steps) that a chart shows."""


class XAxis(StrEnum):
    """What a horizontal axis counts."""

    EPOCH = "epochs"
    STEP = "steps"
    TIME = "minutes"
    LINE = "lines"

    def following(self) -> XAxis:
        """Returns the next axis; after the last, the first."""
        every = list(XAxis)
        return every[(every.index(self) + 1) % len(every)]


class View(NamedTuple):
    """The view of a chart.

    Attributes:
        x_range: The displayed part; None for all of it, also as the run grows.
        cursor: x of the inspected point; None without a cursor.
        log_scale: Whether the vertical axis is logarithmic.
        axis: What the horizontal axis counts, if the chart has several.
        smooth: Whether a smoothed line is drawn over each series.
    """

    x_range: tuple[float, float] | None = None
    cursor: float | None = None
    log_scale: bool = False
    axis: XAxis = XAxis.EPOCH
    smooth: bool = False

    @property
    def by_time(self) -> bool:
        """Whether the horizontal axis is the log's time instead of epochs."""
        return self.axis is XAxis.TIME

    def moved(self, xs: Sequence[float], step: int) -> View:
        """Returns the view with the cursor moved by a number of points; without one, at the last.

        Args:
            xs: The places of the points, ascending.
            step: Points to the right; negative to the left.
        """
        if not xs:
            return self
        if self.cursor is None:
            return self.at(xs, xs[-1])
        here = bisect_left(xs, self.cursor)
        if step < 0 or (here < len(xs) and xs[here] == self.cursor):
            here += step
        return self.at(xs, xs[max(0, min(here, len(xs) - 1))])

    def at(self, xs: Sequence[float], x: float) -> View:
        """Returns the view with the cursor on the point nearest to `x`."""
        if not xs:
            return self
        cursor = min(xs, key=lambda known: abs(known - x))
        return self._replace(cursor=cursor).following()

    def following(self) -> View:
        """Returns the view, moved sideways if the cursor is outside of it."""
        if self.x_range is None or self.cursor is None:
            return self
        low, high = self.x_range
        shift = min(0.0, self.cursor - low) + max(0.0, self.cursor - high)
        return self._replace(x_range=(low + shift, high + shift))

    def zoomed(self, whole: tuple[float, float], factor: float) -> View:
        """Returns the view zoomed by a factor, around the cursor, else around the right end."""
        low, high = self.x_range or whole
        width = (high - low) / factor
        if width >= whole[1] - whole[0]:
            return self._replace(x_range=None)
        width = max(width, LEAST_WIDTH)
        centre = high if self.cursor is None else self.cursor
        share = (centre - low) / (high - low)
        return self._within(whole, centre - share * width, width)

    def panned(self, whole: tuple[float, float], share: float) -> View:
        """Returns the view moved sideways by a share of its width."""
        if self.x_range is None:
            return self
        low, high = self.x_range
        moved = self._within(whole, low + share * (high - low), high - low)
        return moved._replace(cursor=self.cursor)

    def _within(self, whole: tuple[float, float], low: float, width: float) -> View:
        low = max(whole[0], min(low, whole[1] - width))
        return self._replace(x_range=(low, low + width))
