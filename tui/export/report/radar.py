"""Draws the radar chart of ratios as SVG: outward is better on every axis.

Drawn as DeepSpark's: six axes, the reference as a ring, 1/power and 1/memory. An axis without a
ratio has no point and is labelled so; nothing is drawn through 0.
"""

import math
from collections.abc import Sequence

from sixdim.metrics.tables.compare import RADAR, Comparison, ratio_at_edge
from sixdim.tui.export.markup import Markup, element, joined
from sixdim.tui.export.report.svg import COLOURS, picture, shape
from sixdim.tui.export.wording import letter, times, title

_TURNED = {"power": "1/power", "memory": "1/memory"}
_WIDTH, _HEIGHT, _RADIUS = 400.0, 400.0, 112.0
_CENTRE = (_WIDTH / 2, 204.0)
_MOST = 4.0
"""Most that the outer ring stands for."""
_TITLE = "Ratios against the reference; outward is better"
_LISTED = 3
"""Most ratios that are printed at an axis."""
_ROW = 20.0
_LONGEST = 48
"""Most characters of a name in the legend."""


def point(axis: int, ratio: float, outer: float) -> tuple[float, float]:
    """Returns the place of a ratio on an axis; at most the outer ring."""
    angle = math.tau * axis / len(RADAR) - math.pi / 2
    length = _RADIUS * min(max(ratio, 0.0), outer) / outer
    return _CENTRE[0] + length * math.cos(angle), _CENTRE[1] + length * math.sin(angle)


def radar(comparison: Comparison) -> Markup:
    """Returns the radar chart as one `<svg>` of a page, without its legend."""
    return picture(_TITLE, _WIDTH, _HEIGHT, *_shapes(comparison), class_="radar")


def radar_alone(comparison: Comparison) -> Markup:
    """Returns the radar chart with its legend as one `<svg>`, for a file of its own."""
    runs = [comparison.reference, *comparison.others]
    rows: list[Markup] = []
    for order, run in enumerate(runs):
        y = _HEIGHT + _ROW * order + 8
        line = "reference" if run == comparison.reference else f"line{(order - 1) % COLOURS}"
        rows += [
            shape("line", line, x1=24, x2=60, y1=y - 4, y2=y - 4),
            shape("text", "axis", letter(run), x=70, y=y),
            shape("text", "label", _named(comparison, run), x=88, y=y),
        ]
    height = _HEIGHT + _ROW * len(runs) + 8
    return picture(_TITLE, _WIDTH, height, *_shapes(comparison), *rows, alone=True)


def _named(comparison: Comparison, run: int) -> str:
    """Returns the name of a run in the legend, shortened in its middle if it is too long."""
    name = comparison.names[run]
    if len(name) > _LONGEST:
        name = f"{name[: _LONGEST // 2]}…{name[1 - _LONGEST // 2 :]}"
    return f"{name} (reference)" if run == comparison.reference else name


def _shapes(comparison: Comparison) -> list[Markup]:
    outer = ratio_at_edge((r.value for name in RADAR for r in comparison.row(name).ratios), _MOST)
    others = comparison.others
    return [
        _grid(outer),
        *(_shape(comparison, run, order, outer) for order, run in enumerate(others)),
        *(_label(comparison, axis, others) for axis in range(len(RADAR))),
    ]


def _grid(outer: float) -> Markup:
    # The ring of the reference is always drawn, however near the outer one.
    rings = [*(r for r in (0.5, 1.0, 1.5, 2.0, 3.0) if r == 1 or r <= outer - 0.4), outer]
    axes, parts = range(len(RADAR)), []
    for x, y in (point(axis, outer, outer) for axis in axes):
        parts.append(shape("line", "grid", x1=_CENTRE[0], y1=_CENTRE[1], x2=x, y2=y))
    for ring in rings:
        corners = _points([point(axis, ring, outer) for axis in axes])
        parts.append(shape("polygon", "reference" if ring == 1 else "circle", points=corners))
    for ring in rings:
        x, y = point(0, ring, outer)
        parts.append(shape("text", "tick", f"{ring:g}", x=x + 3, y=y - 3))
    return joined(*parts)


def _shape(comparison: Comparison, run: int, order: int, outer: float) -> Markup:
    """Returns the shape of a run: known neighbours are joined, and filled if all are known."""
    found = [comparison.row(name).ratios[run].value for name in RADAR]
    spots = [None if r is None else point(i, r, outer) for i, r in enumerate(found)]
    number = order % COLOURS
    parts: list[Markup] = []
    known = [spot for spot in spots if spot is not None]
    if len(known) == len(spots):
        parts.append(shape("polygon", f"area{number}", points=_points(known)))
    else:
        for a, b in zip(spots, [*spots[1:], spots[0]], strict=True):
            if a is not None and b is not None:
                parts.append(shape("polyline", f"line{number}", points=_points([a, b])))
    for spot, ratio, name in zip(spots, found, RADAR, strict=True):
        if spot is not None:
            tooltip = element("title", f"{letter(run)} {title(name)}: {times(ratio)}")
            x, y = spot
            parts.append(shape("circle", f"dot{number}", tooltip, cx=x, cy=y, r=3.5))
    return joined(*parts)


def _label(comparison: Comparison, axis: int, others: Sequence[int]) -> Markup:
    name = RADAR[axis]
    x, y = point(axis, 1.0, 1.0)
    dx, dy = (x - _CENTRE[0]) / _RADIUS, (y - _CENTRE[1]) / _RADIUS
    anchor = "middle" if abs(dx) < 0.1 else "start" if dx > 0 else "end"
    ratios = [times(comparison.row(name).ratios[run].value) for run in others[:_LISTED]]
    if len(others) > 1:
        ratios = [f"{letter(run)} {text}" for run, text in zip(others, ratios, strict=False)]
    rows = [*ratios[:-1], f"{ratios[-1]}, …"] if len(others) > _LISTED else ratios
    x, y = x + 14 * dx, y + (26 if dy > 0.9 else 16) * dy + 4
    y -= 15 * len(rows) + 10 if dy < -0.9 else 0
    named = _TURNED.get(name, title(name).lower())
    return joined(
        shape("text", "axis", named, x=x, y=y, text_anchor=anchor),
        *(
            shape("text", "tick", row, x=x, y=y + 15 * number, text_anchor=anchor)
            for number, row in enumerate(rows, 1)
        ),
    )


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
