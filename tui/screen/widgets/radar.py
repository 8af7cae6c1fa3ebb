"""The six dimensions as a radar of ratios to a reference, outward always better."""

from __future__ import annotations

import math
from typing import NamedTuple

from sixdim.metrics.values.card import DIMENSIONS, Card
from sixdim.tui.base import figures
from sixdim.tui.screen.widgets.canvas import Canvas
from sixdim.tui.screen.widgets.cells import Row, Span
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.text import shorten, wrap

LIMIT = 2.0
"""Ratios beyond this are drawn at the rim; their number still says what they are."""
LEAST_RIM = 1.25
"""Ratio at the rim where all are near 1."""
LEAST_CORNERS = 3
"""Known ratios from which a radar is drawn."""
TOO_FEW = "fewer than three figures to compare: watch several runs, or sixdim compare --html"
LESS_IS_BETTER = frozenset({"power", "memory"})
"""DeepSpark draws 1/power and 1/memory, so that outward is better on every axis."""


class Spoke(NamedTuple):
    """One axis: the ratio to the reference, or why there is none."""

    name: str
    ratio: float | None
    reason: str = ""

    @property
    def tag(self) -> str:
        """Two letters for the end of the axis."""
        return self.name[:2].capitalize()


def spokes(card: Card, reference: Card | None) -> list[Spoke]:
    """Ratios of a card to a reference card.

    Without a reference, linearity and stability are shares of their ideal 1, and a metric to be
    maximised is a share of its target; the other axes need a reference.
    """
    if reference is not None:
        return [_against(name, card, reference) for name in DIMENSIONS]
    return [_against_ideal(name, card) for name in DIMENSIONS]


def _against(name: str, card: Card, reference: Card) -> Spoke:
    own, other = card.dimensions[name], reference.dimensions[name]
    if own.value is None:
        return Spoke(name, None, own.reason)
    if other.value is None:
        return Spoke(name, None, "the reference has none")
    if own.unit != other.unit:
        return Spoke(name, None, f"{own.unit} against {other.unit}")
    inverted = name in LESS_IS_BETTER or (name == "accuracy" and _minimised(card))
    above, below = (other.value, own.value) if inverted else (own.value, other.value)
    return Spoke(name, above / below) if below else Spoke(name, None, "division by zero")


def _against_ideal(name: str, card: Card) -> Spoke:
    figure = card.dimensions[name]
    if figure.value is None:
        return Spoke(name, None, figure.reason)
    if name in ("linearity", "stability"):
        return Spoke(name, figure.value)
    return Spoke(name, None, "needs a reference card")


def _minimised(card: Card) -> bool:
    condition = card.target.get("condition") if card.target else None
    return isinstance(condition, str) and "<" in condition


def radar_rows(card: Card, reference: Card | None, width: int, height: int) -> list[Row]:
    """Radar at the left, at the right the ratios as numbers and which line is which run.

    A figure of one or two corners would be none: then there are the ratios alone.
    """
    axes = spokes(card, reference)
    known = sum(axis.ratio is not None for axis in axes)
    table_width = 24
    across = min(width - table_width, height * 2 + 4)
    legend = [_table_row(axis) for axis in axes]
    if known < LEAST_CORNERS:
        return [*legend, *([Span(line, Role.DIM)] for line in wrap(TOO_FEW, width, 2))][:height]
    legend += [(), *_runs_of(card, reference, table_width)]
    if across < 10 or height < 5:
        return legend[:height]
    picture = draw_radar(axes, across, height)
    rows: list[Row] = []
    for y in range(height):
        text = legend[y] if y < len(legend) else ()
        rows.append([*picture.row(y), Span("  "), *text])
    return rows


def _runs_of(card: Card, reference: Card | None, width: int) -> list[Row]:
    """Which line of the radar is which run."""
    ring = "the ideal" if reference is None else _name(reference)
    return [
        [Span(shorten(f"⠤ {_name(card)}", width), Role.SERIES)],
        [Span(shorten(f"⠒ 1.00 = {ring}", width), Role.FRAME)],
    ]


def _name(card: Card) -> str:
    return str(card.provenance.get("log") or "reference")


def _table_row(axis: Spoke) -> Row:
    return [
        Span(f"{axis.tag} ", Role.TITLE),
        Span(axis.name.capitalize().ljust(10)),
        Span(figures.fixed(axis.ratio, 2).rjust(6), Role.STRONG if axis.ratio else Role.DIM),
    ]


def rim(axes: list[Spoke]) -> float:
    """The ratio at the end of the axes: the largest one in quarters, within limits."""
    largest = max((axis.ratio for axis in axes if axis.ratio is not None), default=1.0)
    return min(LIMIT, max(LEAST_RIM, math.ceil(largest * 4) / 4))


def corner(number: int, ratio: float, rim: float, canvas: Canvas) -> tuple[int, int]:
    """Dot of a ratio on an axis; the first axis points up, the others follow clockwise."""
    radius = (min(canvas.dots_across, canvas.dots_down) - 1) / 2
    angle = math.tau * number / len(DIMENSIONS) - math.pi / 2
    length = radius * max(0.0, min(ratio, rim)) / rim
    x = (canvas.dots_across - 1) / 2 + length * math.cos(angle)
    y = (canvas.dots_down - 1) / 2 + length * math.sin(angle)
    return round(x), round(y)


def draw_radar(axes: list[Spoke], width: int, height: int) -> Canvas:
    """The reference as a dotted ring, the run as a closed line; an unknown axis breaks it."""
    canvas = Canvas(width, height)
    edge = rim(axes)

    def at(number: int, ratio: float) -> tuple[int, int]:
        return corner(number % len(axes), ratio, edge, canvas)

    for number in range(len(axes)):
        canvas.line(*at(number, 1.0), *at(number + 1, 1.0), Role.FRAME, every=2)
        canvas.line(*at(number, 0.0), *at(number, edge), Role.FRAME, every=4)
        x, y = at(number, edge)
        canvas.write(x // 2 - 1, y // 4, axes[number].tag)
    for number, axis in enumerate(axes):
        if axis.ratio is None:
            continue
        here = at(number, axis.ratio)
        after = axes[(number + 1) % len(axes)].ratio
        canvas.line(*here, *(here if after is None else at(number + 1, after)), Role.SERIES)
    return canvas
