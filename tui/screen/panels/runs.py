"""The list of several runs: state, epoch, throughput as small bars, speed, accuracy."""

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size

from sixdim.tui.base import figures
from sixdim.tui.base.axis import can_show
from sixdim.tui.screen.panels.base import Panel
from sixdim.tui.screen.widgets.cells import Row, Span
from sixdim.tui.screen.widgets.palettes import Role, run_role
from sixdim.tui.screen.widgets.text import distinct_names, shorten
from sixdim.tui.session.live.feed import Frame

NAME_LEAST = 24
ALL_COLUMNS = 99
"""Cells of a row with all columns and a name of `NAME_LEAST` cells."""
BARS = "▁▂▃▄▅▆▇█"
MARKS = {
    "waiting": ("○", Role.DIM),
    "reading": ("◐", Role.DIM),
    "training": ("◐", Role.STRONG),
    "stalled": ("!", Role.WARN),
    "converged": ("●", Role.GOOD),
    "finished": ("■", Role.STRONG),
    "incomplete": ("◇", Role.WARN),
    "failed": ("✗", Role.BAD),
}


def sparkline(values: Sequence[float], width: int) -> str:
    """Returns the last values as bars between their lowest and highest."""
    latest = values[-width:]
    if not latest:
        return ""
    low, high = min(latest), max(latest)
    span = (high - low) or 1.0
    return "".join(BARS[round((value - low) / span * (len(BARS) - 1))] for value in latest)


def run_row(
    row: Frame, number: int, selected: bool, width: int, named: str, name: int = NAME_LEAST
) -> Row:
    """Returns the row of one run; columns at the right are left out if there is no space."""
    shot = row.snapshot
    mark, role = MARKS.get(row.state, ("?", Role.TEXT))
    speed, accuracy = shot.card.dimensions["speed"], shot.card.dimensions["accuracy"]
    epoch = "" if shot.progress.epoch is None else f"{shot.progress.epoch}"
    planned = f"/{shot.progress.epochs_planned}" if shot.progress.epochs_planned else ""
    trend = [p.throughput for p in shot.points if p.complete and can_show(p.throughput)]
    unit_of = figures.unit_beside(accuracy.unit)[:1]
    unit = shorten(speed.unit, 10) if speed.value is not None else ""
    columns = (
        (2, Span("▸ " if selected else "  ", Role.FOCUS)),
        (2, Span("⠤ ", run_role(number))),
        (name, Span(named, Role.STRONG if selected else Role.TEXT)),
        (12, Span(f"{mark} {row.state}", role)),
        (9, Span(f"{epoch}{planned}")),
        (20, Span(f"{figures.throughput(speed.value):>9} {unit}")),
        (10, Span(f"{figures.metric(accuracy.value, accuracy.unit):>7} {unit_of}")),
        (20, Span(sparkline(trend, 19), Role.SERIES)),
    )
    spans: list[Span] = []
    used = 0
    for size, span in columns:
        if used + size > width and used:
            break
        text = span.text if size <= 2 else set_cell_size(shorten(span.text, size), size)
        spans.append(Span(text, span.role, action=f"select_run({number})"))
        used += size
    return spans


class RunsPanel(Panel):
    """The panel with the list of runs."""

    NAME = "Runs"

    def title(self, frame: Frame) -> str:
        """Returns which of how many runs is displayed."""
        return (
            f"{self.NAME}, {frame.selected + 1} of {len(frame.runs)}" if frame.runs else self.NAME
        )

    def note(self, frame: Frame) -> str:
        """Returns the keys that choose a run."""
        return "[ and ] choose"

    def facts(self, frame: Frame) -> object:
        """Returns all runs, and which one is displayed."""
        return (frame.runs, frame.selected)

    def body(self, frame: Frame, width: int, height: int) -> list[Row]:
        """Returns the runs that fit, the selected one among them."""
        first = max(0, min(frame.selected - height // 2, len(frame.runs) - height))
        visible = list(enumerate(frame.runs))[first : first + height]
        # The names have the cells of the longest one, as far as there is space.
        longest = max((cell_len(row.snapshot.name) for row in frame.runs), default=0)
        name = max(NAME_LEAST, min(longest + 1, NAME_LEAST + width - ALL_COLUMNS))
        names = distinct_names([row.snapshot.name for row in frame.runs], name - 1)
        return [
            run_row(row, n, n == frame.selected, width, names[row.snapshot.name], name)
            for n, row in visible
        ]
