"""Colours by meaning; every state has a word or a shape, too."""

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


BOLD = frozenset({Role.STRONG, Role.TITLE, Role.KEY, Role.FOCUS, Role.BADGE})
REVERSED = frozenset({Role.MATCH, Role.BADGE})
# One column a palette: dark, light, colour-blind, colour-blind-light; then, with exactly the
# colours that a terminal of 16 has, so that none is rounded to one that cannot be read on the
# band: dark, light, colour-blind.
# Colour-blind is Okabe and Ito's palette ("Color Universal Design", 2008): distinct with every
# common form of colour blindness. Good and bad are blue and vermilion, never green and red.
_COLOURS = """
background #0f1318  #fbfbf8  #0f1318  #fbfbf8  #000000  #ffffff  #000000
band       #1f2c3a  #dfeaf6  #1f2c3a  #dfeaf6  #0000aa  #aaaaaa  #0000aa
text       #d5dbe3  #24292f  #d5dbe3  #24292f  #ffffff  #000000  #ffffff
strong     #f2f5f8  #0b0f14  #f2f5f8  #0b0f14  #ffffff  #000000  #ffffff
dim        #8792a0  #5f6975  #8792a0  #5f6975  #aaaaaa  #555555  #aaaaaa
frame      #3d4855  #b4bcc6  #3d4855  #b4bcc6  #aaaaaa  #555555  #aaaaaa
focus      #6cb6ff  #0a5fb0  #f0e442  #005f94  #55ffff  #0000aa  #ffff55
title      #b8c4d2  #3b4653  #b8c4d2  #3b4653  #ffffff  #000000  #ffffff
key        #6cb6ff  #0a5fb0  #56b4e9  #005f94  #55ffff  #0000aa  #55ffff
series     #6cb6ff  #0a5fb0  #56b4e9  #005f94  #55ffff  #0000aa  #55ffff
second     #7ee0a1  #15702f  #f0e442  #006b4e  #55ff55  #000000  #ffff55
other      #8792a0  #5f6975  #8792a0  #5f6975  #aaaaaa  #555555  #aaaaaa
threshold  #f0b45a  #8f5d00  #e69f00  #8a5a00  #ffff55  #aa0000  #ffff55
projection #c9a2f7  #7a3fd1  #cc79a7  #9c3f76  #ff55ff  #0000aa  #ff55ff
good       #7ee0a1  #15702f  #56b4e9  #005f94  #55ff55  #0000aa  #55ffff
warn       #f0b45a  #8f5d00  #e69f00  #8a5a00  #ffff55  #aa0000  #ffff55
bad        #ff7b72  #b3261e  #ff7e2e  #a84300  #ff5555  #aa0000  #ff5555
match      #f0b45a  #8f5d00  #e69f00  #8a5a00  #ffff55  #aa0000  #ffff55
badge      #7ee0a1  #15702f  #56b4e9  #005f94  #55ff55  #0000aa  #55ffff
run1       #6cb6ff  #0a5fb0  #56b4e9  #005f94  #55ffff  #0000aa  #55ffff
run2       #f0b45a  #8f5d00  #e69f00  #8a5a00  #ffff55  #aa0000  #ffff55
run3       #7ee0a1  #15702f  #00b488  #006b4e  #55ff55  #000000  #55ff55
run4       #ff7b72  #b3261e  #f0e442  #9c3f76  #ff5555  #555555  #ff5555
run5       #c9a2f7  #7a3fd1  #cc79a7  #a84300  #ff55ff  #0000aa  #ff55ff
run6       #5fd7d7  #006a75  #ff7e2e  #6b6200  #ffffff  #aa0000  #ffffff
run7       #e6e08a  #665c00  #ffffff  #000000  #aaaaaa  #000000  #aaaaaa
run8       #f59ac0  #a03074  #a0a8b0  #5f6975  #00aaaa  #555555  #00aaaa
"""
THEMES = ("dark", "light", "colour-blind", "colour-blind-light")
"""Names, in the order of the theme key."""
_NAMES, *_COLUMNS = zip(*map(str.split, _COLOURS.strip().split("\n")), strict=True)
_PALETTES = [dict(zip(_NAMES, colours, strict=True)) for colours in _COLUMNS]
PALETTES = dict(zip(THEMES, _PALETTES[:4], strict=True))
"""Each theme's colours by role, and of the background and of the shaded band of a chart."""
SIXTEEN = dict(zip(THEMES, (*_PALETTES[4:], _PALETTES[5]), strict=True))
"""The palette that replaces each on a terminal of 16 colours."""
