"""Which panels fit on a screen of a given size."""

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple, TypeAlias

from sixdim.tui.screen.panels.base import Panel

TALL = 44
"""Rows from which the log is displayed by default."""

INLINE_ROWS = 24
"""Rows below the prompt that an inline screen takes."""


class Page(NamedTuple):
    """Panels that are displayed together, under the name of their tab."""

    name: str
    panels: tuple[Panel, ...]


Pages: TypeAlias = tuple[Page, ...]


class Available(NamedTuple):
    """What there is to show: readings of devices, series, and so many runs in a list."""

    devices: bool = False
    curves: bool = False
    runs: int = 0


class Layout(Enum):
    """How panels are arranged; the value is the least size, in columns and rows."""

    WHOLE = (117, 30)
    """All panels side by side."""
    PAGES = (80, 24)
    """A few related panels in each tab."""
    TABS = (60, 15)
    """One panel in each tab."""
    TINY = (0, 0)
    """One line for each fact, and no panels."""


OVERVIEW = "Overview"
_PAGES = (
    (OVERVIEW, ("Accuracy", "Speed", "Scorecard")),
    ("Charts", ("Throughput", "Accuracy")),
    ("GPUs", ("Telemetry", "Series")),
    ("Log", ("Log", "Events")),
    ("Runs", ("Runs",)),
)
"""The tabs of `Layout.PAGES`, each with the names of its panels."""


def layout_for(width: int, height: int) -> Layout:
    """Returns the first layout that fits."""
    return next(
        layout for layout in Layout if width >= layout.value[0] and height >= layout.value[1]
    )


def pages(panels: Sequence[Panel], layout: Layout, *, enlarged: bool) -> Pages:
    """Returns the pages; a panel may be on several."""
    if enlarged or layout is Layout.TABS:
        return tuple(Page(panel.NAME, (panel,)) for panel in panels)
    if layout is Layout.PAGES:
        named = {panel.NAME: panel for panel in panels}
        made = (
            Page(name, tuple(named[member] for member in members if member in named))
            for name, members in _PAGES
        )
        return tuple(page for page in made if page.panels)
    return (Page(OVERVIEW, tuple(panels)),)


def list_rows(runs: int, height: int) -> int:
    """Returns the rows of the list of runs, with its frame: all runs, or a quarter of a screen."""
    return min(runs + 2, max(7, height // 4))
