"""Writes partial updates to the terminal: the changed cells alone.

Textual sends every row of an update from the left edge of its widget, and full colours with a
reset for each piece of it. Over SSH that is most of the traffic, so an update is written here:
the changed cells alone, and only what differs from the colours before.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache

from rich.color import Color, ColorSystem
from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate
from textual.strip import Strip

from sixdim.tui.screen.widgets.text import cells_of

_PLAIN = Style.null()
_ERASE = b"\x1b[%p1%dX"
FEW_BLANKS = 6
"""Blanks that take no more bytes than the sequence that erases them."""


class CellUpdate(CompositorUpdate):
    """An update of the same cells as a `ChopsUpdate`, in fewer bytes."""

    def __init__(self, update: ChopsUpdate) -> None:
        self._update = update

    def render_segments(self, console: Console) -> str:
        """Returns the bytes for the terminal, as text."""
        pieces = (
            (y, x, strip)
            for y, first, last in self._update.spans
            for strip, x in self._pieces(y, first, last)
        )
        return written(pieces, console)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yields the segments as Textual does."""
        yield from self._update.__rich_console__(console, options)

    def _pieces(self, y: int, first: int, last: int) -> list[tuple[Strip, int]]:
        pieces = []
        for end, (x, strip) in zip(
            self._update.chop_ends[y], self._update.chops[y].items(), strict=False
        ):
            left, right = max(x, first), min(end, last)
            if strip is not None and left < right:
                pieces.append((strip.crop(left - x, right - x), left))
        return pieces


@lru_cache(maxsize=1)
def erases_in_colour() -> bool:
    """Returns whether the terminal erases a number of cells (ECH) in the background colour."""
    try:
        import _curses

        _curses.setupterm(os.environ.get("TERM", "dumb"), 1)
    except (ImportError, _curses.error):  # no such library, or an unknown terminal
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
    if _attributes(before) - _attributes(after) or _loses_colour(before, after):
        codes.append("0")
        before = _PLAIN
    codes.extend(sorted(_attributes(after) - _attributes(before)))
    if after.color is not None and after.color != before.color:
        codes.extend(_codes(after.color, colours, foreground=True))
    if after.bgcolor is not None and after.bgcolor != before.bgcolor:
        codes.extend(_codes(after.bgcolor, colours, foreground=False))
    return f"\x1b[{';'.join(codes)}m" if codes else ""


def _codes(colour: Color, colours: ColorSystem, *, foreground: bool) -> tuple[str, ...]:
    return colour.downgrade(colours).get_ansi_codes(foreground)


def _loses_colour(before: Style, after: Style) -> bool:
    return (before.color is not None and after.color is None) or (
        before.bgcolor is not None and after.bgcolor is None
    )


_SGR = {
    "bold": "1",
    "dim": "2",
    "italic": "3",
    "underline": "4",
    "blink": "5",
    "blink2": "6",
    "reverse": "7",
    "conceal": "8",
    "strike": "9",
    "underline2": "21",
    "frame": "51",
    "encircle": "52",
    "overline": "53",
}


@lru_cache(maxsize=1024)
def _attributes(style: Style) -> frozenset[str]:
    return frozenset(code for name, code in _SGR.items() if getattr(style, name))
