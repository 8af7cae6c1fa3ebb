"""The panel of the speed window: its epochs, those that trimming drops, and the figure so far."""

import math
from statistics import median

from sixdim.metrics.card.snapshot import Snapshot, SpeedRow
from sixdim.metrics.values.card import State, Status
from sixdim.tui.base import figures
from sixdim.tui.base.figures import STATE_MARK
from sixdim.tui.screen.panels.base import Panel
from sixdim.tui.screen.panels.words import STATE_ROLE, fact
from sixdim.tui.screen.widgets.cells import Row, Span
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.text import shorten, wrap
from sixdim.tui.session.live.feed import Frame

LEAST_LINES = 8
"""Least buckets of rates of which a median is displayed."""
SLOW = 80.0
"""Percent of the median below which the current throughput is a warning."""
MARKS = {
    "highest": "▲ highest",
    "lowest": "▼ lowest",
    "waiting": "○ waiting",
    "missing": "– missing",
}


def speed_rows(frame: Frame, width: int, height: int) -> list[Row]:
    """Returns a row for each epoch, then the figure, its state and the reason."""
    snapshot = frame.snapshot
    speed = snapshot.card.dimensions["speed"]
    tag = max((len(f"[{row.label}]") for row in snapshot.speed), default=4)
    mark = STATE_MARK[speed.state]
    tail: list[Row] = [
        _figure_row(tag, speed.value, speed.unit, width, Role.STRONG),
        [Span(" " * (tag + 3)), Span(f"{mark} {speed.state}", STATE_ROLE[speed.state])],
    ]
    now = None if _is_over_or_failed(snapshot) else snapshot.progress.throughput
    early = snapshot.early_speed
    if speed.value is None and early is not None:
        tail = [
            _figure_row(tag, early.value, snapshot.unit, width, Role.TEXT),
            [Span(f"provisional: {_epochs(early.labels)}", Role.WARN)],
        ]
    # The rows of the window come first: a longer reason must not displace them.
    spare = max(1, height - len(snapshot.speed) - len(tail) - (now is not None))
    # Of a window that still fills, the rows say as much as a reason that has to be cut.
    fills = speed.state is State.RUNNING
    reason = wrap(speed.reason, width, 3 if fills else min(3, spare))
    tail += [[Span(line, Role.DIM)] for line in reason if not (fills and len(reason) > spare)]
    if now is not None:
        value = figures.throughput(now).rjust(8)
        tail.append([Span("now".ljust(tag + 1), Role.DIM), Span(value)])
        if height > len(snapshot.speed) + len(tail):
            tail += against_usual(snapshot)
    free = max(1, height - len(tail))
    awaited = speed.value is None and not snapshot.is_over
    rows = window_rows(snapshot.speed, tag, free, awaited=awaited)
    return [*rows, *([()] if len(rows) < free else []), *tail]


def _figure_row(tag: int, value: float | None, unit: str, width: int, role: Role) -> Row:
    """Returns the figure of the window, below its epochs, with its unit if it is known."""
    unit = f" {shorten(unit, width - tag - 10)}" if value is not None else ""
    figure = figures.throughput(value).rjust(8)
    return [Span("=".ljust(tag + 1), Role.DIM), Span(figure, role), Span(unit)]


def _epochs(labels: tuple[int, ...]) -> str:
    return f"epoch{'s' if len(labels) > 1 else ''} {figures.labels([*labels])}"


def _is_over_or_failed(snapshot: Snapshot) -> bool:
    return snapshot.is_over or snapshot.card.status is Status.FAILED


def against_usual(snapshot: Snapshot) -> list[Row]:
    """Returns the current throughput in percent of the median of the run's progress lines."""
    rates = next((view for view in snapshot.series if view.name == "throughput"), None)
    now = snapshot.progress.throughput
    means = [] if rates is None else [mean for mean in rates.means if math.isfinite(mean)]
    if now is None or len(means) < LEAST_LINES:
        return []
    usual = median(means)
    if not usual > 0 or not math.isfinite(now):
        return []
    share = 100 * now / usual
    role = Role.WARN if share < SLOW else Role.DIM
    return [[Span(f"{share:.0f} % of the median", role)]]


def window_rows(window: tuple[SpeedRow, ...], tag: int, free: int, *, awaited: bool) -> list[Row]:
    """Returns a row for each epoch; those that trimming drops are marked by shape and word."""
    if not window:
        return [[Span("the window has not begun", Role.DIM)]] if awaited else []
    visible = window if len(window) <= free else window[: free - 1]
    rows: list[Row] = []
    for row in visible:
        dropped = row.mark in ("highest", "lowest")
        value = "" if row.value is None else figures.throughput(row.value)
        label = Span(f"[{row.label}]".ljust(tag + 1), Role.DIM)
        figure = Span(value.rjust(8), Role.DIM if dropped else Role.TEXT)
        rows.append([label, figure, Span("  "), Span(MARKS.get(row.mark, row.mark), Role.DIM)])
    if len(visible) < len(window):
        rows.append([Span(f"and {len(window) - len(visible)} more", Role.DIM)])
    return rows


class SpeedPanel(Panel):
    """The panel of the speed window."""

    NAME = "Speed"
    about = "speed"

    def title(self, frame: Frame) -> str:
        """Returns the title with the protocol's name."""
        protocol = fact(frame.snapshot.card.dimensions["speed"].details, "protocol")
        return f"Speed: {protocol}" if protocol else "Speed"

    def note(self, frame: Frame) -> str:
        """Returns the scope of the throughput, unless it is of the whole job."""
        scope = fact(frame.snapshot.card.run, "scope")
        return "" if scope in ("", "job", "unknown") else scope

    def facts(self, frame: Frame) -> object:
        """Returns the window, the figure, and the current throughput."""
        s = frame.snapshot
        speed = s.card.dimensions["speed"]
        over = _is_over_or_failed(s), s.is_over
        said = self.title(frame), self.note(frame)
        return (s.speed, speed, s.progress.throughput, over, said, s.early_speed)

    def body(self, frame: Frame, width: int, height: int) -> list[Row]:
        """Returns the rows of the window."""
        return speed_rows(frame, width, height)
