"""Writes partial updates to the terminal: the changed cells alone.

Textual sends every row of an update from the left edge of its widget, and full colours with a
reset for each piece of it. Over SSH that is most of the traffic, so an update is written here:
the changed cells alone, and only what differs from the colours before.

To find them, Textual renders every line of every widget on the screen and puts all of them over
each other. A panel that nothing covers knows its cells, so they are written from here.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache

from rich.color import ColorSystem
from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate
from textual.app import App
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from sixdim.tui.screen.widgets.cells import CellPanel
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.text import cells_of
from sixdim.tui.screen.widgets.theme import has_few_colours, style_of

_PLAIN = Style.null()
_ERASE = b"\x1b[%p1%dX"
FEW_BLANKS = 6
"""Blanks that take no more bytes than the sequence that erases them."""


class TerminalWriter:
    """Writes the changed cells of panels that nothing covers, all of a frame together."""

    def __init__(self, app: App[int]) -> None:
        self._app = app
        self._open = False
        self._pieces: list[tuple[int, int, list[Segment]]] = []
        self._known: dict[Widget, tuple[Region, Region]] = {}
        self._places: dict[Widget, Region] = {}
        self._styles: dict[tuple[str, Role, bool], Style | None] = {}

    @contextmanager
    def together(self) -> Iterator[None]:
        """Writes at the end of the context what panels hand over within it."""
        self._open = self._places_known()
        try:
            yield
        finally:
            self._open = False
            pieces, self._pieces = self._pieces, []
        if pieces:
            self._app._display(self._app.screen, PanelUpdate(pieces))

    def take(self, panel: CellPanel, regions: Sequence[Region]) -> bool:
        """Takes the changed cells of a panel; returns false where Textual must paint them."""
        place = self._places.get(panel) if self._open else None
        if place is None or place.size != panel.size:
            return False
        panel._styles_cache.set_dirty(*regions)  # for when Textual paints the panel next
        for x, y, width, _height in regions:
            runs = panel.runs(y, x, x + width)
            segments = [Segment(text, self._style(role, band)) for text, role, band in runs]
            self._pieces.append((place.y + y, place.x + x, segments))
        return True

    def _style(self, role: Role, band: bool) -> Style | None:
        """Returns the style that Textual would send, without colours under NO_COLOR."""
        key = (self._app.theme, role, band)
        if key not in self._styles:
            few = has_few_colours(self._app.console)
            segments = [Segment(" ", style_of(*key, few))]
            for line_filter in self._app.get_line_filters():
                segments = line_filter.apply(segments, self._app.screen.background_colors[1])
            self._styles[key] = segments[0].style
        return self._styles[key]

    def _places_known(self) -> bool:
        """Returns whether the places of the panels are known and will not change now."""
        app = self._app
        if app.is_inline or app._batch_count:
            return False
        if app.screen._layout_required:
            return False
        visible = app.screen._compositor.visible_widgets
        if visible is not self._known:  # made anew with each layout
            self._known, self._places = visible, dict(_in_full_sight(visible))
        return True


def _in_full_sight(visible: dict[Widget, tuple[Region, Region]]) -> Iterator[tuple[Widget, Region]]:
    """Yields the panels that nothing cuts off or covers, and their regions."""
    before: list[Region] = []
    for widget, (region, clip) in visible.items():
        whole = isinstance(widget, CellPanel) and clip.contains_region(region)
        if whole and not any(region.overlaps(other) for other in before):
            yield widget, region
        before.append(region)


class PanelUpdate(CompositorUpdate):
    """An update of runs of cells.

    Args:
        pieces: (row, column, segments) of each run of changed cells.
    """

    def __init__(self, pieces: Iterable[tuple[int, int, Iterable[Segment]]]) -> None:
        self._pieces = pieces

    def render_segments(self, console: Console) -> str:
        """Returns the bytes for the terminal, as text."""
        return written(self._pieces, console)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yields the cells without their places."""
        for _y, _x, segments in self._pieces:
            yield from segments


class CellUpdate(PanelUpdate):
    """An update of the same cells as a `ChopsUpdate`, in fewer bytes."""

    def __init__(self, update: ChopsUpdate) -> None:
        super().__init__(_pieces(update))


def _pieces(update: ChopsUpdate) -> Iterator[tuple[int, int, Strip]]:
    for y, first, last in update.spans:
        for end, (x, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=False):
            left, right = max(x, first), min(end, last)
            if strip is not None and left < right:
                yield y, left, strip.crop(left - x, right - x)


@lru_cache(maxsize=1)
def erases_in_colour() -> bool:
    """Returns whether the terminal erases a number of cells (ECH) in the background colour."""
    try:
        import _curses

        _curses.setupterm(os.environ.get("TERM", "dumb"), 1)
    except Exception:  # noqa: BLE001 - no such library, or an unknown terminal (`_curses.error`)
        return False
    return _curses.tigetflag("bce") == 1 and _curses.tigetstr("ech") == _ERASE


def written(pieces: Iterable[tuple[int, int, Iterable[Segment]]], console: Console) -> str:
    """Returns the escape sequences and text that write runs of cells.

    Runs of one style are written together: moving the cursor takes fewer bytes than two colours,
    and the terminal paints a frame as a whole.

    Args:
        pieces: Row, column and segments of each run.
        console: The console whose colour system is used.
    """
    colours = console._color_system or ColorSystem.TRUECOLOR
    by_style: dict[Style, list[tuple[int, int, str]]] = {}
    for y, x, segments in pieces:
        for text, wanted, control in segments:
            if not control:
                by_style.setdefault(wanted or _PLAIN, []).append((y, x, text))
                x += cells_of(text)
    out: list[str] = []
    style = _PLAIN
    row, column = -1, -1
    for wanted, runs in by_style.items():
        for y, x, text in runs:
            if y != row:
                out.append(f"\x1b[{y + 1};{x + 1}H")
            elif x != column:
                out.append(f"\x1b[{x + 1}G")
            out.append(change_style(style, wanted, colours))
            style, row, column = wanted, y, x
            blank = len(text) > FEW_BLANKS and text.isspace() and not _attributes(wanted)
            if blank and erases_in_colour():
                out.append(f"\x1b[{len(text)}X")  # leaves the cursor where it is
            else:
                out.append(text)
                column += cells_of(text)
    if style != _PLAIN:
        out.append("\x1b[m")
    return "".join(out)


@lru_cache(maxsize=4096)
def change_style(before: Style, after: Style, colours: ColorSystem) -> str:
    """Returns the shortest SGR sequence that changes one style to another."""
    if before is after or before == after:
        return ""
    codes: list[str] = []
    loses_colour = (before.color and after.color is None) or (
        before.bgcolor and after.bgcolor is None
    )
    if loses_colour or _attributes(before) - _attributes(after):
        codes.append("0")
        before = _PLAIN
    codes.extend(sorted(_attributes(after) - _attributes(before)))
    paints = ((before.color, after.color, True), (before.bgcolor, after.bgcolor, False))
    for old, new, foreground in paints:
        if new is not None and new != old:
            codes.extend(new.downgrade(colours).get_ansi_codes(foreground))
    return f"\x1b[{';'.join(codes)}m" if codes else ""


_NAMES = ("bold", "dim", "italic", "underline", "blink", "blink2", "reverse", "conceal", "strike")
_SGR = {name: str(code) for code, name in enumerate(_NAMES, 1)}
_SGR |= {"underline2": "21", "frame": "51", "encircle": "52", "overline": "53"}


@lru_cache(maxsize=1024)
def _attributes(style: Style) -> frozenset[str]:
    return frozenset(code for name, code in _SGR.items() if getattr(style, name))
