"""Converts palettes to styles of the terminal and themes of Textual."""

from functools import lru_cache

from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.theme import Theme

from sixdim.tui.screen.widgets.palettes import BOLD, PALETTES, REVERSED, SIXTEEN, THEMES, Role


def textual_theme(name: str, *, few: bool = False) -> Theme:
    """Returns a palette as a Textual theme, for Textual's own widgets."""
    palette = (SIXTEEN if few else PALETTES)[name]
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
    """Removes every colour, but not bold and reverse."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Returns the segments without colours."""
        return [
            Segment(text, style.without_color if style else Style.null(), control)
            for text, style, control in segments
        ]


def has_few_colours(console: Console) -> bool:
    """Returns whether a terminal has only 16 colours."""
    return console.color_system == "standard"


@lru_cache(maxsize=256)
def style_of(theme: str, role: Role, band: bool = False, few: bool = False) -> Style:
    """Returns the style of a role.

    Args:
        theme: One of `palettes.THEMES`; an unknown one gets the dark palette.
        role: What is written.
        band: Whether it stands on the shaded band of a chart.
        few: Whether the terminal has 16 colours.
    """
    palettes = SIXTEEN if few else PALETTES
    palette = palettes.get(theme, palettes[THEMES[0]])
    return Style(
        color=palette[role],
        bgcolor=palette["band" if band else "background"],
        bold=role in BOLD or None,
        reverse=role in REVERSED or None,
    )
