"""Draws a line chart as SVG: curves, a shaded window, a level, marked points."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from sixdim.tui.base.axis import SMALLEST, Axis, can_show, nice_steps
from sixdim.tui.export.markup import Markup, element, joined
from sixdim.tui.export.report.svg import COLOURS, picture, shape

_LEFT, _RIGHT, _TOP, _BOTTOM = 58.0, 16.0, 22.0, 34.0
_MARGIN = 0.08
_MOST_DOTS = 120
_MOST_POINTS = 1500
_LONGEST = 16
"""Most characters of a name in a legend."""


Points: TypeAlias = tuple[tuple[float, float], ...]
"""Points (x, y) in the order of x; a y that `can_show` refuses is a gap."""


class Curve(NamedTuple):
    """A further line of a chart, with its name in the legend."""

    name: str
    points: Points


@dataclass(frozen=True, slots=True)
class Level:
    """A horizontal line with its name: a threshold, a mean."""

    value: float
    label: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """The data of a chart.

    Attributes:
        title: For readers that do not see it.
        points: Its first curve.
        name: What that is called in the legend, where there are more.
        more: Further curves.
        x_title: Below the axis.
        band: First and last x of the shaded window; None for none.
        band_label: Its name.
        levels: Horizontal lines.
        hollow: x of points drawn hollow (left out of a mean).
        ring: x of the point that is singled out; None for none.
        decimals: Of the values in tooltips.
    """

    title: str
    points: Points
    name: str = ""
    more: tuple[Curve, ...] = ()
    x_title: str = "epoch"
    band: tuple[float, float] | None = None
    band_label: str = ""
    levels: tuple[Level, ...] = ()
    hollow: frozenset[float] = field(default_factory=frozenset)
    ring: float | None = None
    decimals: int = 2


def thinned(points: Sequence[tuple[float, float]], most: int) -> list[tuple[float, float]]:
    """Returns at most `most` points: the lowest and highest of each bucket, in order."""
    if len(points) <= most:
        return list(points)
    size = math.ceil(len(points) / (most // 2))
    out: list[tuple[float, float]] = []
    for begin in range(0, len(points), size):
        bucket = [p for p in points[begin : begin + size] if can_show(p[1])]
        if bucket:
            out += sorted({min(bucket, key=itemgetter(1)), max(bucket, key=itemgetter(1))})
        else:
            out.append(points[begin])
    return out


@dataclass(frozen=True, slots=True)
class Pixels:
    """Maps a range of values to a range of pixels."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Returns the pixel of a value; the middle if the range has no width."""
        if self.high == self.low:
            return (self.start + self.end) / 2
        share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self, most: int, *, whole: bool = False) -> list[tuple[float, str]]:
        """Returns (pixel, label) of round values, about `most` of them; whole numbers if asked."""
        if self.high <= self.low:
            return [(self.at(self.low), f"{self.low:g}")]
        step = nice_steps(self.high - self.low, most)[0]
        axis = Axis(self.low, self.high, max(1.0, step) if whole else step)
        return [(self.at(value), axis.label(value)) for value in axis.ticks()]


def around(values: Sequence[float]) -> tuple[float, float]:
    """Returns a range that contains all values with a margin."""
    low, high = min(values), max(values)
    pads = ((high - low) * _MARGIN, abs(high) * 0.05, 1.0)
    pad = next(pad for pad in pads if pad > SMALLEST)
    return low - pad, high + pad


def draw(chart: Chart, width: int, height: int) -> Markup:
    """Returns the chart as one `<svg>` of a size in CSS pixels, which scales with its box."""
    curves = (chart.points, *(curve.points for curve in chart.more))
    known = [(x, y) for points in curves for x, y in points if can_show(y)]
    if not known:
        return element("p", "nothing to draw", class_="none")
    levels = [level for level in chart.levels if can_show(level.value)]
    low, high = around([*(y for _, y in known), *(level.value for level in levels)])
    xs = [x for points in curves for x, _ in points]
    x = Pixels(min(xs), max(xs), _LEFT, width - _RIGHT)
    y = Pixels(low, high, height - _BOTTOM, _TOP)
    return picture(
        chart.title,
        width,
        height,
        _band(chart, x, height),
        _grid(x, y, width, height, chart.x_title),
        *(_level(level, y, width) for level in levels),
        *(_line(points, number, x, y) for number, points in enumerate(curves)),
        _dots(chart, x, y),
        *(_level_label(level, chart, y, width) for level in levels),
        _legend(chart, width - _RIGHT) if chart.more else None,
        class_=f"chart {'wide' if width > 500 else 'narrow'}",
    )


def _legend(chart: Chart, end: float) -> Markup:
    """Returns the names of the curves above the chart, and how many do not fit."""
    names = [chart.name, *(curve.name for curve in chart.more)]
    parts: list[Markup] = []
    at = _LEFT
    for number, name in enumerate(names):
        name = name[:_LONGEST]
        size = 37 + 7.0 * len(name)
        if at + size > end - (40 if number + 1 < len(names) else 0):
            parts.append(shape("text", "tick", f"+{len(names) - number}", x=at, y=12))
            break
        line = f"line{number % COLOURS}"
        parts.append(shape("line", line, x1=at, x2=at + 20, y1=8, y2=8))
        parts.append(shape("text", "tick", name, x=at + 25, y=12))
        at += size
    return joined(*parts)


def _band(chart: Chart, x: Pixels, height: float) -> Markup | None:
    if chart.band is None:
        return None
    half = (x.end - x.start) / max(x.high - x.low, 1.0) / 2
    first = max(x.start, x.at(max(chart.band[0], x.low)) - half)
    last = min(x.end, x.at(min(chart.band[1], x.high)) + half)
    if last <= first:
        return None
    on_the_left = first + last < x.start + x.end
    x_label, anchor = (first, "start") if on_the_left else (last, "end")
    down = height - _TOP - _BOTTOM
    return joined(
        shape("rect", "band", x=first, y=_TOP, width=last - first, height=down),
        shape("text", "tick", chart.band_label, x=x_label, y=_TOP - 7, text_anchor=anchor),
    )


def _grid(x: Pixels, y: Pixels, width: float, height: float, x_title: str) -> Markup:
    base = height - _BOTTOM
    parts: list[Markup] = []
    for at, label in y.ticks(max(3, int(height / 50))):
        parts.append(shape("line", "grid", x1=x.start, x2=x.end, y1=at, y2=at))
        parts.append(shape("text", "tick", label, x=x.start - 8, y=at + 4, text_anchor="end"))
    for at, label in x.ticks(max(3, int(width / 80)), whole=True):
        parts.append(shape("line", "grid", x1=at, x2=at, y1=base, y2=base + 4))
        parts.append(shape("text", "tick", label, x=at, y=base + 17, text_anchor="middle"))
    parts.append(shape("line", "base", x1=x.start, x2=x.end, y1=base, y2=base))
    middle = (x.start + x.end) / 2
    parts.append(shape("text", "tick", x_title, x=middle, y=height - 3, text_anchor="middle"))
    return joined(*parts)


def _level(level: Level, y: Pixels, width: float) -> Markup:
    at = y.at(level.value)
    return shape("line", "level", x1=_LEFT, x2=width - _RIGHT, y1=at, y2=at)


def _level_label(level: Level, chart: Chart, y: Pixels, width: float) -> Markup:
    """Returns the name of the level, at the end that is farther from the line of the chart."""
    known = [py for _, py in chart.points if can_show(py)]
    share = max(1, len(known) // 4)
    early = min(abs(v - level.value) for v in known[:share])
    late = min(abs(v - level.value) for v in known[-share:])
    x, anchor = (_LEFT + 4, "start") if early > late else (width - _RIGHT, "end")
    at = y.at(level.value) - 6
    return joined(
        shape("text", "under", level.label, x=x, y=at, text_anchor=anchor, aria_hidden="true"),
        shape("text", "label", level.label, x=x, y=at, text_anchor=anchor),
    )


def _line(points: Points, number: int, x: Pixels, y: Pixels) -> Markup:
    """Returns one path with gaps at points without a value."""
    path: list[str] = []
    down = False
    for px, py in thinned(points, _MOST_POINTS):
        if can_show(py):
            path.append(f"{'L' if down else 'M'}{x.at(px):.1f} {y.at(py):.1f}")
        down = can_show(py)
    return shape("path", f"line{number % COLOURS}", d="".join(path))


def _dots(chart: Chart, x: Pixels, y: Pixels) -> Markup:
    every = len(chart.points) <= _MOST_DOTS
    parts: list[Markup] = []
    for px, py in chart.points:
        if not can_show(py):
            continue
        hollow, ring = px in chart.hollow, px == chart.ring
        if not (every or hollow or ring):
            continue
        tooltip = element("title", f"{chart.x_title} {px:g}: {py:.{chart.decimals}f}")
        paint = "hollow" if hollow else "chosen" if ring else "dot0"
        radius = 5.0 if ring else 4.0 if hollow else 2.4
        parts.append(shape("circle", paint, tooltip, cx=x.at(px), cy=y.at(py), r=radius))
    return joined(*parts)
