"""A line chart as SVG: one series over epochs, a shaded window, a level, marked points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from sixdim.tui.export.markup import Markup, element, joined
from sixdim.tui.export.report.axis import Axis, around, ticks, written

_LEFT, _RIGHT, _TOP, _BOTTOM = 58.0, 16.0, 22.0, 34.0
_MOST_DOTS = 120
_MOST_POINTS = 1500


@dataclass(frozen=True, slots=True)
class Level:
    """A horizontal line with its name: a threshold, a mean."""

    value: float
    label: str = ""
    style: str = "level"


@dataclass(frozen=True, slots=True)
class Chart:
    """What is drawn.

    Attributes:
        title: For readers that do not see it.
        points: (x, y) by x; y may be nan, which is a gap.
        x_title: Below the axis.
        band: First and last x of the shaded window; None for none.
        band_label: Its name.
        levels: Horizontal lines.
        hollow: x of points drawn hollow (left out of a mean).
        ring: x of the point that is singled out; None for none.
        decimals: Of the values in tooltips.
    """

    title: str
    points: tuple[tuple[float, float], ...]
    x_title: str = "epoch"
    band: tuple[float, float] | None = None
    band_label: str = ""
    levels: tuple[Level, ...] = ()
    hollow: frozenset[float] = field(default_factory=frozenset)
    ring: float | None = None
    decimals: int = 2


def thinned(points: Sequence[tuple[float, float]], most: int) -> list[tuple[float, float]]:
    """At most `most` points that keep every bucket's lowest and highest, in order."""
    if len(points) <= most:
        return list(points)
    size = math.ceil(len(points) / (most // 2))
    out: list[tuple[float, float]] = []
    for begin in range(0, len(points), size):
        bucket = [p for p in points[begin : begin + size] if math.isfinite(p[1])]
        if bucket:
            low, high = min(bucket, key=_height), max(bucket, key=_height)
            out += sorted({low, high})
        else:
            out.append(points[begin])
    return out


def _height(point: tuple[float, float]) -> float:
    return point[1]


def draw(chart: Chart, width: int, height: int) -> Markup:
    """The chart as one `<svg>` of that size in CSS pixels (it scales with its box)."""
    known = [y for _, y in chart.points if math.isfinite(y)]
    xs = [x for x, _ in chart.points]
    if not known:
        return element("p", "nothing to draw", class_="none")
    low, high = around([*known, *(level.value for level in chart.levels)])
    x = Axis(min(xs), max(xs), _LEFT, width - _RIGHT)
    y = Axis(low, high, height - _BOTTOM, _TOP)
    return element(
        "svg",
        element("title", chart.title),
        _band(chart, x, height),
        _grid(x, y, width, height, chart.x_title),
        *(_level(level, y, width) for level in chart.levels),
        _line(chart, x, y),
        _dots(chart, x, y),
        *(_level_label(level, chart, y, width) for level in chart.levels),
        class_=f"chart {'wide' if width > 500 else 'narrow'}",
        viewBox=f"0 0 {width} {height}",
        role="img",
        xmlns="http://www.w3.org/2000/svg",
    )


def _band(chart: Chart, x: Axis, height: float) -> Markup | None:
    if chart.band is None:
        return None
    half = (x.end - x.start) / max(x.high - x.low, 1.0) / 2
    first = max(x.start, x.at(max(chart.band[0], x.low)) - half)
    last = min(x.end, x.at(min(chart.band[1], x.high)) + half)
    if last <= first:
        return None
    on_the_left = first + last < x.start + x.end
    return joined(
        [
            element(
                "rect",
                class_="band",
                x=first,
                y=_TOP,
                width=last - first,
                height=height - _TOP - _BOTTOM,
            ),
            element(
                "text",
                chart.band_label,
                class_="tick",
                x=first if on_the_left else last,
                y=_TOP - 7,
                text_anchor="start" if on_the_left else "end",
            ),
        ]
    )


def _grid(x: Axis, y: Axis, width: float, height: float, x_title: str) -> Markup:
    base = height - _BOTTOM
    parts: list[Markup] = []
    rows = ticks(y.low, y.high, max(3, int(height / 60)))
    for value, label in zip(rows, written(rows), strict=True):
        at = y.at(value)
        parts.append(element("line", class_="grid", x1=x.start, x2=x.end, y1=at, y2=at))
        parts.append(
            element("text", label, class_="tick", x=x.start - 8, y=at + 4, text_anchor="end")
        )
    columns = ticks(x.low, x.high, max(3, int(width / 80)), whole=True)
    for value, label in zip(columns, written(columns), strict=True):
        at = x.at(value)
        parts.append(element("line", class_="grid", x1=at, x2=at, y1=base, y2=base + 4))
        parts.append(element("text", label, class_="tick", x=at, y=base + 17, text_anchor="middle"))
    parts.append(element("line", class_="base", x1=x.start, x2=x.end, y1=base, y2=base))
    middle = (x.start + x.end) / 2
    parts.append(
        element("text", x_title, class_="tick", x=middle, y=height - 3, text_anchor="middle")
    )
    return joined(parts)


def _level(level: Level, y: Axis, width: float) -> Markup:
    at = y.at(level.value)
    return element("line", class_=level.style, x1=_LEFT, x2=width - _RIGHT, y1=at, y2=at)


def _level_label(level: Level, chart: Chart, y: Axis, width: float) -> Markup:
    """The level's name at the end where the line of the chart runs farther away from it."""
    known = [py for _, py in chart.points if math.isfinite(py)]
    share = max(1, len(known) // 4)
    early = min(abs(v - level.value) for v in known[:share])
    late = min(abs(v - level.value) for v in known[-share:])
    x, anchor = (_LEFT + 4, "start") if early > late else (width - _RIGHT, "end")
    at = y.at(level.value) - 6
    return element("text", level.label, class_="tick halo", x=x, y=at, text_anchor=anchor)


def _line(chart: Chart, x: Axis, y: Axis) -> Markup:
    """One path; a point without a value lifts the pen."""
    path: list[str] = []
    down = False
    for px, py in thinned(chart.points, _MOST_POINTS):
        if math.isfinite(py):
            path.append(f"{'L' if down else 'M'}{x.at(px):.1f} {y.at(py):.1f}")
        down = math.isfinite(py)
    return element("path", class_="line s0", d="".join(path))


def _dots(chart: Chart, x: Axis, y: Axis) -> Markup:
    every = len(chart.points) <= _MOST_DOTS
    parts: list[Markup] = []
    for px, py in chart.points:
        if not math.isfinite(py):
            continue
        hollow, ring = px in chart.hollow, px == chart.ring
        if not (every or hollow or ring):
            continue
        tooltip = element("title", f"{chart.x_title} {px:g}: {py:.{chart.decimals}f}")
        style = "dot hollow" if hollow else "dot ring" if ring else "dot s0"
        parts.append(
            element(
                "circle",
                tooltip,
                class_=style,
                cx=x.at(px),
                cy=y.at(py),
                r=5.0 if ring else 4.0 if hollow else 2.4,
            )
        )
    return joined(parts)
