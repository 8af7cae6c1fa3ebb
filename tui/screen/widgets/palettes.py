"""Colours by meaning; every state has a word or a shape, too."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Role(StrEnum):
    """The meaning of a text; the theme gives its colour."""

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
    RUN_1 = "run1"
    RUN_2 = "run2"
    RUN_3 = "run3"
    RUN_4 = "run4"
    RUN_5 = "run5"
    RUN_6 = "run6"
    RUN_7 = "run7"
    RUN_8 = "run8"


RUNS = tuple(role for role in Role if role.startswith("run"))
"""Roles of the runs of a list, in its order; they repeat."""


def run_role(number: int) -> Role:
    """Returns the role of a run, by its place in the list."""
    return RUNS[number % len(RUNS)]


def _runs(colours: str) -> dict[str, str]:
    """Returns the colours of the runs of a palette."""
    return dict(zip(RUNS, colours.split(), strict=True))


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
    **_runs("#6cb6ff #f0b45a #7ee0a1 #ff7b72 #c9a2f7 #5fd7d7 #e6e08a #f59ac0"),
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
    **_runs("#0a5fb0 #8f5d00 #15702f #b3261e #7a3fd1 #006a75 #665c00 #a03074"),
}
# Okabe and Ito's palette ("Color Universal Design", 2008): distinct with every common form of
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
    **_runs("#56b4e9 #e69f00 #00b488 #f0e442 #cc79a7 #ff7e2e #ffffff #a0a8b0"),
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
    **_runs("#005f94 #8a5a00 #006b4e #9c3f76 #a84300 #6b6200 #000000 #5f6975"),
}

# For terminals of 16 colours: exactly the colours that these have, so that none is rounded to one
# that cannot be read on the shaded band.
_DARK_16 = {
    "background": "#000000",
    "band": "#0000aa",
    Role.TEXT: "#ffffff",
    Role.STRONG: "#ffffff",
    Role.DIM: "#aaaaaa",
    Role.FRAME: "#aaaaaa",
    Role.FOCUS: "#55ffff",
    Role.TITLE: "#ffffff",
    Role.KEY: "#55ffff",
    Role.SERIES: "#55ffff",
    Role.SECOND: "#55ff55",
    Role.OTHER: "#aaaaaa",
    Role.THRESHOLD: "#ffff55",
    Role.PROJECTION: "#ff55ff",
    Role.GOOD: "#55ff55",
    Role.WARN: "#ffff55",
    Role.BAD: "#ff5555",
    Role.MATCH: "#ffff55",
    Role.BADGE: "#55ff55",
    **_runs("#55ffff #ffff55 #55ff55 #ff5555 #ff55ff #ffffff #aaaaaa #00aaaa"),
}
_LIGHT_16 = {
    "background": "#ffffff",
    "band": "#aaaaaa",
    Role.TEXT: "#000000",
    Role.STRONG: "#000000",
    Role.DIM: "#555555",
    Role.FRAME: "#555555",
    Role.FOCUS: "#0000aa",
    Role.TITLE: "#000000",
    Role.KEY: "#0000aa",
    Role.SERIES: "#0000aa",
    Role.SECOND: "#000000",
    Role.OTHER: "#555555",
    Role.THRESHOLD: "#aa0000",
    Role.PROJECTION: "#0000aa",
    Role.GOOD: "#0000aa",
    Role.WARN: "#aa0000",
    Role.BAD: "#aa0000",
    Role.MATCH: "#aa0000",
    Role.BADGE: "#0000aa",
    **_runs("#0000aa #aa0000 #000000 #555555 #0000aa #aa0000 #000000 #555555"),
}
_UNIVERSAL_16 = {
    **_DARK_16,
    Role.FOCUS: "#ffff55",
    Role.SECOND: "#ffff55",
    Role.GOOD: "#55ffff",
    Role.BADGE: "#55ffff",
}

PALETTES: Mapping[str, Mapping[str, str]] = {
    "dark": _DARK,
    "light": _LIGHT,
    "colour-blind": _UNIVERSAL,
    "colour-blind-light": _UNIVERSAL_LIGHT,
}
SIXTEEN: Mapping[str, Mapping[str, str]] = {
    "dark": _DARK_16,
    "light": _LIGHT_16,
    "colour-blind": _UNIVERSAL_16,
    "colour-blind-light": _LIGHT_16,
}
"""The palette that replaces each on a terminal of 16 colours."""
THEMES = tuple(PALETTES)
"""Names, in the order of the theme key."""
