"""The panel of the devices: a row of readings for each, then the means of the card."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sixdim.metrics.card.snapshot import Snapshot
from sixdim.metrics.fold.devices.device import FAULTS
from sixdim.parsers.reading import Reading
from sixdim.tui.base import figures
from sixdim.tui.base.figures import STATE_MARK
from sixdim.tui.screen.panels.base import Panel
from sixdim.tui.screen.panels.words import STATE_ROLE
from sixdim.tui.screen.widgets.cells import Row, Span
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.text import shorten, shorten_inside
from sixdim.tui.session.live.feed import Frame


class Column(NamedTuple):
    """One column: heading, width, text of a reading."""

    heading: str
    width: int
    text: Callable[[Reading], str]


def _whole(value: float | None, unit: str = "") -> str:
    return figures.UNKNOWN if value is None else f"{value:.0f}{unit}"


def _power(reading: Reading) -> str:
    if reading.power_w is None:
        return figures.UNKNOWN
    limit = "" if reading.power_limit_w is None else f"/{reading.power_limit_w:.0f}"
    return f"{reading.power_w:.0f}{limit} W"


COLUMNS = (
    Column("GPU", 3, lambda r: str(r.label)),
    Column("power", 9, _power),
    Column("memory", 8, lambda r: figures.gibibytes(r.memory_mib)),
    Column("util", 5, lambda r: _whole(r.utilisation, " %")),
    Column("temp", 5, lambda r: _whole(r.temperature_c, " °C")),
)
"""The columns; the last ones are left out if there is little space."""
_LONGEST = 16
"""Most cells of a device that is named with its host."""
_IN_COLUMNS = ("power_w", "memory_mib", "utilisation", "temperature_c")
"""The fields of a reading that have a column; the reason why one is missing stands in its row."""
BY_RUN = Column("by run", 8, lambda r: figures.gibibytes(r.process_mib))
BY_PROCESSES = BY_RUN._replace(heading="by procs")
_FOR_NAMES = 20
"""Cells after the figures that are enough for the names of products."""


def columns_for(width: int, readings: Sequence[Reading] = ()) -> list[Column]:
    """Returns the columns that fit whole; memory of processes only if it is read."""
    fitting: list[Column] = []
    used = 0
    longest = max((len(str(reading.label)) for reading in readings), default=0)
    device = COLUMNS[0]._replace(width=min(max(COLUMNS[0].width, longest), _LONGEST))
    scopes = {r.process_scope for r in readings if r.process_mib is not None}
    held = (BY_RUN if scopes <= {"run", "shared"} else BY_PROCESSES,) if scopes else ()
    for column in (device, *COLUMNS[1:], *held):
        used += column.width + (2 if fitting else 0)
        if used > width:
            break
        fitting.append(column)
    return fitting


def _joined(columns: Sequence[Column], text: Callable[[Column], str]) -> str:
    """Aligns the first column to the left, the others to the right."""
    device, *others = columns
    name = shorten_inside(text(device), device.width).ljust(device.width)
    return "  ".join([name, *(text(column).rjust(column.width) for column in others)])


def device_row(reading: Reading, columns: list[Column], width: int) -> Row:
    """Returns a device, with the reason for reduced clocks or missing readings, else its name."""
    if reading.missing and not any(
        column.text(reading) != figures.UNKNOWN for column in columns[1:]
    ):
        reasons = dict.fromkeys(reason for _, reason in reading.missing)
        why = f"{_joined(columns[:1], lambda one: one.text(reading))}  n/a: {'; '.join(reasons)}"
        return [Span(shorten(why, width), Role.BAD)]
    text = _joined(columns, lambda column: column.text(reading))
    spans = [Span(text)]
    free = width - len(text) - 2
    if reading.throttle:
        why, role = ", ".join(reading.throttle), Role.WARN
        if set(FAULTS).intersection(reading.throttle):
            role = Role.BAD
        spans.append(Span(f"  ! {shorten(why, free - 2)}" if free >= 8 else " !", role))
    elif free >= 8:
        lacking = (one for one in reading.missing if one[0] in _IN_COLUMNS)
        why = ", ".join(f"{field.partition('_')[0]}: {reason}" for field, reason in lacking)
        why = why or (reading.name if free >= _FOR_NAMES else "")
        spans.append(Span(f"  {shorten(why, free)}" if why else "", Role.DIM))
    return spans


def mean_rows(snapshot: Snapshot, width: int) -> list[Row]:
    """Returns mean power, mean memory and energy of the stable window, with state or reason."""
    rows: list[Row] = []
    for name in ("power", "memory"):
        figure = snapshot.card.dimensions[name]
        state = Span(f"  {STATE_MARK[figure.state]} {figure.state}", STATE_ROLE[figure.state])
        label = Span(f"mean {name}".ljust(12), Role.DIM)
        if figure.value is None:
            reason = shorten(figure.reason or str(figure.state), width - 12)
            rows.append([label, Span(reason, Role.DIM)])
        else:
            value = f"{figures.in_unit(figure.value, figure.unit).rjust(9)} {figure.unit:<3}"
            rows.append([label, Span(value, Role.STRONG), state])
    if energy := _energy(snapshot):
        rows.append([Span("energy".ljust(12), Role.DIM), Span(energy.rjust(13), Role.STRONG)])
    return rows


def short_means(snapshot: Snapshot) -> Row:
    """Returns means and energy in one row, as the other rows are needed for devices."""
    spans = [Span("mean", Role.DIM)]
    for name in ("power", "memory"):
        figure = snapshot.card.dimensions[name]
        unit = f" {figure.unit}" if figure.value is not None else ""
        spans += [
            Span(f"  {figures.in_unit(figure.value, figure.unit)}{unit} ", Role.STRONG),
            Span(STATE_MARK[figure.state], STATE_ROLE[figure.state]),
        ]
    energy = _energy(snapshot)
    return [*spans, Span(f"  {energy}", Role.STRONG)] if energy else spans


def _energy(snapshot: Snapshot) -> str:
    """Returns the energy of the stable window; empty if the readings give none."""
    joules = snapshot.card.dimensions["power"].details.get("energy_j")
    if joules is None:
        return ""
    return f"{joules / 3.6e6:.3f} kWh" if joules >= 3.6e5 else f"{joules:.0f} J"


def scrolled_rows(height: int) -> int:
    """Returns the devices that fit: heading, position and means take a row each."""
    return max(1, height - 3)


def telemetry_rows(frame: Frame, width: int, height: int, first: int = 0) -> list[Row]:
    """Returns the devices from `first` on that fit, then the means."""
    snapshot = frame.snapshot
    means = mean_rows(snapshot, width)
    if not snapshot.readings:
        why = snapshot.telemetry_note or "no telemetry"
        return [[Span(shorten(why, width), Role.DIM)], *means]
    throttled = any(reading.throttle for reading in snapshot.readings)
    columns = columns_for(width - 2 if throttled else width, snapshot.readings)
    heading = _joined(columns, lambda column: column.heading)
    count = len(snapshot.readings)
    gap: list[Row] = [()]
    if count + len(means) + 2 > height:
        gap, means = [], [short_means(snapshot)]
    free = max(1, height - len(means) - len(gap) - 1)
    rows: list[Row] = [[Span(heading, Role.DIM)]]
    if count == free + 1:
        rows, free = [], count  # every figure has its unit: the heading can be left out
    if count <= free:
        rows += [device_row(reading, columns, width) for reading in snapshot.readings]
        return [*rows, *gap, *means]
    free = scrolled_rows(height)
    first = max(0, min(first, count - free))
    visible = snapshot.readings[first : first + free]
    rows += [device_row(reading, columns, width) for reading in visible]
    rows.append([Span(f"{first + 1}–{first + len(visible)} of {count} devices, ↑↓", Role.DIM)])
    return [*rows, *gap, *means]


class TelemetryPanel(Panel):
    """The panel of the devices."""

    NAME = "Telemetry"
    about = "power"
    _first = 0
    _height = 0

    def scroll_by(self, lines: int) -> None:
        """Scrolls the devices, if there are more than rows."""
        if self.frame is None:
            return
        most = len(self.frame.snapshot.readings) - scrolled_rows(self._height)
        self._first = max(0, min(self._first + lines, most))
        self.repaint()

    def turn_wheel(self, step: int, shift: bool) -> None:
        """Scrolls by one device."""
        self.scroll_by(step)

    def note(self, frame: Frame) -> str:
        """Returns the source of the readings."""
        return frame.snapshot.readings[0].source if frame.snapshot.readings else ""

    def facts(self, frame: Frame) -> object:
        """Returns readings, the reason for none, and the two dimensions."""
        s = frame.snapshot
        dimensions = (s.card.dimensions["power"], s.card.dimensions["memory"])
        return (s.readings, s.telemetry_note, dimensions)

    def body(self, frame: Frame, width: int, height: int) -> list[Row]:
        """Returns the rows of devices and means."""
        self._height = height
        return telemetry_rows(frame, width, height, self._first)
