"""The radar of ratios, as SVG: outward is better on every axis.

After DeepSpark's own: six axes, the reference a constant ring, 1/power and 1/memory. An axis
without a ratio has no point and says so; nothing is drawn through 0 in its place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from sixdim.metrics.tables.compare import RADAR, Comparison
from sixdim.tui.export.markup import Markup, element, joined
from sixdim.tui.export.wording import TITLES, letter, times

_TURNED = {"power": "1/power", "memory": "1/memory"}
_WIDTH, _HEIGHT, _RADIUS = 400.0, 340.0, 112.0
_CENTRE = (_WIDTH / 2, _HEIGHT / 2)
_LEAST, _MOST = 1.25, 4.0
SERIES = 6
"""Styles there are for the runs beside the reference; more of them begin again."""


def scale(comparison: Comparison) -> float:
    """The ratio at the outer ring: the largest there is, between 1.25 and 4."""
    found = [r.value for name in RADAR for r in comparison.row(name).ratios if r.value is not None]
    return min(_MOST, max(_LEAST, math.ceil(max(found, default=1.0) * 4) / 4))


def point(axis: int, ratio: float, outer: float) -> tuple[float, float]:
    """Where a ratio lies on an axis; beyond the outer ring it lies on it."""
    angle = math.tau * axis / len(RADAR) - math.pi / 2
    length = _RADIUS * min(max(ratio, 0.0), outer) / outer
    return _CENTRE[0] + length * math.cos(angle), _CENTRE[1] + length * math.sin(angle)


def radar(comparison: Comparison) -> Markup:
    """The radar as one `<svg>`, styled by the classes of `tui.export.report.style`."""
    outer = scale(comparison)
    others = [i for i in range(len(comparison.names)) if i != comparison.reference]
    return element(
        "svg",
        element("title", "Ratios against the reference; outward is better"),
        _grid(outer),
        *(_shape(comparison, run, order, outer) for order, run in enumerate(others)),
        *(_label(comparison, axis, others) for axis in range(len(RADAR))),
        class_="radar",
        viewBox=f"0 0 {_WIDTH:.0f} {_HEIGHT:.0f}",
        role="img",
        xmlns="http://www.w3.org/2000/svg",
    )


def _grid(outer: float) -> Markup:
    # The reference's own ring is always there, however near the outer one.
    rings = [*(r for r in (0.5, 1.0, 1.5, 2.0, 3.0) if r == 1 or r <= outer - 0.4), outer]
    axes = range(len(RADAR))
    return joined(
        [
            *(element("line", class_="grid", **_from_centre(point(a, outer, outer))) for a in axes),
            *(
                element(
                    "polygon",
                    class_="ring one" if ring == 1 else "ring",
                    points=_points([point(axis, ring, outer) for axis in axes]),
                )
                for ring in rings
            ),
            *(
                element("text", f"{ring:g}", class_="tick", x=x + 3, y=y - 3)
                for ring in rings
                for x, y in [point(0, ring, outer)]
            ),
        ]
    )


def _shape(comparison: Comparison, run: int, order: int, outer: float) -> Markup:
    """One run: the known points, joined where neighbours are known, filled where all are."""
    found = [comparison.row(name).ratios[run].value for name in RADAR]
    spots = [None if r is None else point(i, r, outer) for i, r in enumerate(found)]
    style = f"s{order % SERIES}"
    parts: list[Markup] = []
    known = [spot for spot in spots if spot is not None]
    if len(known) == len(spots):
        parts.append(element("polygon", class_=f"area {style}", points=_points(known)))
    else:
        for a, b in zip(spots, [*spots[1:], spots[0]], strict=True):
            if a is not None and b is not None:
                parts.append(element("polyline", class_=f"line {style}", points=_points([a, b])))
    for spot, ratio, name in zip(spots, found, RADAR, strict=True):
        if spot is not None:
            tooltip = element("title", f"{letter(run)} {TITLES[name]}: {times(ratio)}")
            x, y = spot
            parts.append(element("circle", tooltip, class_=f"dot {style}", cx=x, cy=y, r=3.5))
    return joined(parts)


def _label(comparison: Comparison, axis: int, others: Sequence[int]) -> Markup:
    name = RADAR[axis]
    x, y = point(axis, 1.0, 1.0)
    dx, dy = (x - _CENTRE[0]) / _RADIUS, (y - _CENTRE[1]) / _RADIUS
    anchor = "middle" if abs(dx) < 0.1 else "start" if dx > 0 else "end"
    x, y = x + 14 * dx, y + (26 if dy > 0.9 else 16) * dy + (0 if dy < -0.9 else 4)
    ratios = [times(comparison.row(name).ratios[i].value) for i in others]
    listed = ", ".join(ratios[:3]) + (", …" if len(ratios) > 3 else "")
    up = -16 if dy < -0.9 else 0
    return joined(
        [
            element(
                "text",
                _TURNED.get(name, TITLES[name].lower()),
                class_="axis",
                x=x,
                y=y + up,
                text_anchor=anchor,
            ),
            element("text", listed, class_="tick", x=x, y=y + 15 + up, text_anchor=anchor),
        ]
    )


def _from_centre(to: tuple[float, float]) -> dict[str, float]:
    return {"x1": _CENTRE[0], "y1": _CENTRE[1], "x2": to[0], "y2": to[1]}


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
