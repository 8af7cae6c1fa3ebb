"""Colours by meaning. Colour is never the only carrier: every state has a word or a shape too."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.theme import Theme


class Role(StrEnum):
    """What a piece of text is; the theme decides how it looks."""

    TEXT = "text"
    STRONG = "strong"
    DIM = "dim"
    FRAME = "frame"
    FOCUS = "focus"
    TITLE = "title"
    KEY = "key"
    SERIES = "series"
    SECOND = "second"
    OTHER = "other"
    THRESHOLD = "threshold"
    PROJECTION = "projection"
    GOOD = "good"
    WARN = "warn"
    BAD = "bad"
    MATCH = "match"
    BADGE = "badge"


BOLD = frozenset({Role.STRONG, Role.TITLE, Role.KEY, Role.FOCUS, Role.BADGE})
REVERSED = frozenset({Role.MATCH, Role.BADGE})

_DARK = {
    "background": "#0f1318",
    "band": "#1f2c3a",
    Role.TEXT: "#d5dbe3",
    Role.STRONG: "#f2f5f8",
    Role.DIM: "#8792a0",
    Role.FRAME: "#3d4855",
    Role.FOCUS: "#6cb6ff",
    Role.TITLE: "#b8c4d2",
    Role.KEY: "#6cb6ff",
    Role.SERIES: "#6cb6ff",
    Role.SECOND: "#7ee0a1",
    Role.OTHER: "#8792a0",
    Role.THRESHOLD: "#f0b45a",
    Role.PROJECTION: "#c9a2f7",
    Role.GOOD: "#7ee0a1",
    Role.WARN: "#f0b45a",
    Role.BAD: "#ff7b72",
    Role.MATCH: "#f0b45a",
    Role.BADGE: "#7ee0a1",
}
_LIGHT = {
    "background": "#fbfbf8",
    "band": "#dfeaf6",
    Role.TEXT: "#24292f",
    Role.STRONG: "#0b0f14",
    Role.DIM: "#5f6975",
    Role.FRAME: "#b4bcc6",
    Role.FOCUS: "#0a5fb0",
    Role.TITLE: "#3b4653",
    Role.KEY: "#0a5fb0",
    Role.SERIES: "#0a5fb0",
    Role.SECOND: "#15702f",
    Role.OTHER: "#5f6975",
    Role.THRESHOLD: "#8f5d00",
    Role.PROJECTION: "#7a3fd1",
    Role.GOOD: "#15702f",
    Role.WARN: "#8f5d00",
    Role.BAD: "#b3261e",
    Role.MATCH: "#8f5d00",
    Role.BADGE: "#15702f",
}
# Okabe and Ito's palette ("Color Universal Design", 2008): told apart with every common form of
# colour blindness. Good and bad are blue and vermilion, never green and red.
_UNIVERSAL = {
    **_DARK,
    Role.FOCUS: "#f0e442",
    Role.KEY: "#56b4e9",
    Role.SERIES: "#56b4e9",
    Role.SECOND: "#f0e442",
    Role.THRESHOLD: "#e69f00",
    Role.PROJECTION: "#cc79a7",
    Role.GOOD: "#56b4e9",
    Role.WARN: "#e69f00",
    Role.BAD: "#ff7e2e",
    Role.MATCH: "#e69f00",
    Role.BADGE: "#56b4e9",
}
_UNIVERSAL_LIGHT = {
    **_LIGHT,
    Role.FOCUS: "#005f94",
    Role.KEY: "#005f94",
    Role.SERIES: "#005f94",
    Role.SECOND: "#006b4e",
    Role.THRESHOLD: "#8a5a00",
    Role.PROJECTION: "#9c3f76",
    Role.GOOD: "#005f94",
    Role.WARN: "#8a5a00",
    Role.BAD: "#a84300",
    Role.MATCH: "#8a5a00",
    Role.BADGE: "#005f94",
}

PALETTES: Mapping[str, Mapping[str, str]] = {
    "dark": _DARK,
    "light": _LIGHT,
    "colour-blind": _UNIVERSAL,
    "colour-blind-light": _UNIVERSAL_LIGHT,
}
THEMES = tuple(PALETTES)
"""Names, in the order in which the theme key goes through them."""


def textual_theme(name: str) -> Theme:
    """The palette as a Textual theme, for what Textual draws itself (input, palette, toasts)."""
    palette = PALETTES[name]
    return Theme(
        name=name,
        primary=palette[Role.KEY],
        secondary=palette[Role.TITLE],
        accent=palette[Role.PROJECTION],
        warning=palette[Role.WARN],
        error=palette[Role.BAD],
        success=palette[Role.GOOD],
        foreground=palette[Role.TEXT],
        background=palette["background"],
        surface=palette["background"],
        panel=palette["band"],
        dark=not name.endswith("light"),
    )


class Colourless(LineFilter):
    """Takes every colour away and leaves bold and reverse."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same text without colours."""
        return [
            Segment(text, style.without_color if style else Style.null(), control)
            for text, style, control in segments
        ]


@lru_cache(maxsize=256)
def ink(theme: str, role: Role, band: bool = False) -> Style:
    """The style of a role under a theme; an unknown theme gets the dark palette."""
    palette = PALETTES.get(theme, _DARK)
    return Style(
        color=palette[role],
        bgcolor=palette["band" if band else "background"],
        bold=role in BOLD or None,
        reverse=role in REVERSED or None,
    )
