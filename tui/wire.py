"""What is sent to the terminal for a partial update: the changed cells and little else.

Textual sends every row of an update from the left edge of its widget, and full colours with a
reset for each piece of it. Over SSH that is most of the traffic, so an update is written here:
the changed cells alone, and only what differs from the colours before.
"""

from __future__ import annotations

from functools import lru_cache

from rich.color import Color, ColorSystem
from rich.console import Console, ConsoleOptions, RenderResult
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate
from textual.strip import Strip

_PLAIN = Style.null()


class CellUpdate(CompositorUpdate):
    """Writes the same cells as the `ChopsUpdate` it is made from, in fewer bytes."""

    def __init__(self, update: ChopsUpdate) -> None:
        self._update = update

    def render_segments(self, console: Console) -> str:
        """The bytes for the terminal, as text."""
        colours = console._color_system or ColorSystem.TRUECOLOR
        out: list[str] = []
        style = _PLAIN
        for y, first, last in self._update.spans:
            column = -1
            for strip, x in self._pieces(y, first, last):
                if x != column:
                    out.append(f"\x1b[{y + 1};{x + 1}H")
                for text, ink, control in strip:
                    if control:
                        continue
                    ink = ink or _PLAIN
                    out.append(change_style(style, ink, colours))
                    out.append(text)
                    style = ink
                column = x + strip.cell_length
        if style != _PLAIN:
            out.append("\x1b[m")
        return "".join(out)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """As Textual writes it; only asked for where segments are wanted."""
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


@lru_cache(maxsize=4096)
def change_style(before: Style, after: Style, colours: ColorSystem) -> str:
    """The shortest SGR sequence that leads from one style to another."""
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
