"""The radar chart of the six dimensions: ratios to a reference, of which larger is better."""

import math
from collections.abc import Mapping

from sixdim.metrics.tables.compare import figure_of, ratio, ratio_at_edge
from sixdim.metrics.values.card import DIMENSIONS, Card
from sixdim.tui.base import figures
from sixdim.tui.screen.widgets.canvas import Canvas
from sixdim.tui.screen.widgets.cells import Row, Span
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.text import shorten

LIMIT = 2.0
"""Ratios beyond this are drawn at the edge, beside their numbers."""
LEAST_CORNERS = 3
"""Least known ratios of a radar chart."""
TOO_FEW = "no radar: it compares three figures or more of several runs"


def ratios(card: Card, reference: Card | None) -> dict[str, float | None]:
    """Returns the ratio of each dimension to a reference, such that above 1 is better.

    Without a reference, linearity and stability are shares of their ideal 1. None where there is
    nothing to divide by.
    """
    if reference is None:
        return {
            name: card.dimensions[name].value if name in ("linearity", "stability") else None
            for name in DIMENSIONS
        }
    return {
        name: ratio(figure_of(card, name), figure_of(reference, name)).value for name in DIMENSIONS
    }


def has_corners(card: Card, reference: Card | None) -> bool:
    """Returns whether there are enough ratios: a figure of one or two corners would be none."""
    known = sum(length is not None for length in ratios(card, reference).values())
    return known >= LEAST_CORNERS


def radar_rows(card: Card, reference: Card | None, width: int, height: int) -> list[Row]:
    """Returns the radar chart at the left, with the ratios and a legend at the right."""
    axes = ratios(card, reference)
    table_width = 24
    across = min(width - table_width, height * 2 + 4)
    legend = [_table_row(name, length) for name, length in axes.items()]
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
    """Returns the legend of the radar chart."""
    ring = "the ideal" if reference is None else _name(reference)
    return [
        [Span(shorten(f"⠤ {_name(card)}", width), Role.SERIES)],
        [Span(shorten(f"⠒ 1.00 = {ring}", width), Role.FRAME)],
    ]


def _name(card: Card) -> str:
    return str(card.provenance.get("log") or "reference")


def _tag(name: str) -> str:
    """Returns two letters for the end of an axis."""
    return name[:2].capitalize()


def _table_row(name: str, length: float | None) -> Row:
    return [
        Span(f"{_tag(name)} ", Role.TITLE),
        Span(name.capitalize().ljust(10)),
        Span(figures.fixed(length, 2).rjust(6), Role.STRONG if length else Role.DIM),
    ]


def corner(number: int, ratio: float, edge: float, canvas: Canvas) -> tuple[int, int]:
    """Returns the dot of a ratio; the first axis points up, the others follow clockwise."""
    radius = (min(canvas.dots_across, canvas.dots_down) - 1) / 2
    angle = math.tau * number / len(DIMENSIONS) - math.pi / 2
    length = radius * max(0.0, min(ratio, edge)) / edge
    x = (canvas.dots_across - 1) / 2 + length * math.cos(angle)
    y = (canvas.dots_down - 1) / 2 + length * math.sin(angle)
    return round(x), round(y)


def draw_radar(axes: Mapping[str, float | None], width: int, height: int) -> Canvas:
    """Draws the reference as a dotted ring and the run as a line with gaps at unknown axes."""
    canvas = Canvas(width, height)
    edge, lengths = ratio_at_edge(axes.values(), LIMIT), [*axes.values()]

    def at(number: int, ratio: float) -> tuple[int, int]:
        return corner(number % len(axes), ratio, edge, canvas)

    for number, name in enumerate(axes):
        canvas.line(*at(number, 1.0), *at(number + 1, 1.0), Role.FRAME, every=2)
        canvas.line(*at(number, 0.0), *at(number, edge), Role.FRAME, every=4)
        x, y = at(number, edge)
        canvas.write(x // 2 - 1, y // 4, _tag(name))
    for number, length in enumerate(lengths):
        if length is None:
            continue
        here = at(number, length)
        after = lengths[(number + 1) % len(lengths)]
        canvas.line(*here, *(here if after is None else at(number + 1, after)), Role.SERIES)
    return canvas
