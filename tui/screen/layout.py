"""Which panels a screen of a given size has room for."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TypeAlias

from sixdim.tui.screen.panels.base import Panel

TALL = 44
"""Rows from which the log is shown unasked."""

INLINE_ROWS = 24
"""Rows below the prompt that an inline screen takes."""

Pages: TypeAlias = tuple[tuple[Panel, ...], ...]
"""Panels that are seen together, page by page."""


class Layout(Enum):
    """What fits; the value is the least (columns, rows)."""

    WHOLE = (117, 30)
    """All panels side by side."""
    PAGES = (80, 24)
    """A few related panels to a tab."""
    TABS = (60, 15)
    """One panel to a tab."""
    TINY = (0, 0)
    """One line a fact."""


PAGE_NAMES = ("Figures", "Charts", "Log", "Runs")
_PAGE_SIZES = (3, 2, 2)


def layout_for(width: int, height: int) -> Layout:
    """The first layout that fits."""
    return next(
        layout for layout in Layout if width >= layout.value[0] and height >= layout.value[1]
    )


def pages(panels: Sequence[Panel], layout: Layout, *, enlarged: bool) -> Pages:
    """The panels by page."""
    if enlarged or layout is Layout.TABS:
        return tuple((panel,) for panel in panels)
    if layout is Layout.PAGES:
        first, second, third = _PAGE_SIZES
        rest = tuple(panels[first + second + third :])
        return (
            tuple(panels[:first]),
            tuple(panels[first : first + second]),
            tuple(panels[first + second : first + second + third]),
            *((rest,) if rest else ()),
        )
    return (tuple(panels),)


def tab_names(pages: Pages) -> Sequence[str]:
    """One name a page."""
    paged = len(pages) > 1 and len(pages[0]) > 1
    return PAGE_NAMES[: len(pages)] if paged else [page[0].NAME for page in pages]
