"""What has been done to terminals and screens through text: one library for every door."""

from __future__ import annotations

import unicodedata

MARK = "pwn"
"""Stands in every payload, so that a test can tell a payload's bytes from the screen's own."""

ATTACKS = {
    "CSI colour": "\x1b[31mpwn",
    "CSI clear": "\x1b[2J\x1b[Hpwn",
    "CSI alternate screen": "\x1b[?1049lpwn",
    "CSI mouse": "\x1b[?1003hpwn",
    "CSI paste": "\x1b[?2004lpwn",
    "CSI report": "\x1b[6npwn",
    "CSI window title report": "\x1b[21tpwn",
    "CSI unfinished": "pwn\x1b[",
    "OSC title": "\x1b]0;pwn\x07",
    "OSC title by ST": "\x1b]2;pwn\x1b\\",
    "OSC link": "\x1b]8;;http://pwn.example/\x1b\\click\x1b]8;;\x1b\\",
    "OSC clipboard": "\x1b]52;c;cHduCg==\x07pwn",
    "OSC notification": "\x1b]9;pwn\x07",
    "OSC unfinished": "pwn\x1b]0;",
    "DCS": "\x1bPpwn\x1b\\",
    "DCS sixel": '\x1bPq"1;1;9;9#0pwn\x1b\\',
    "DCS request": "\x1bP$qpwn\x1b\\",
    "APC": "\x1b_Gpwn\x1b\\",
    "PM": "\x1b^pwn\x1b\\",
    "SOS": "\x1bXpwn\x1b\\",
    "reset": "\x1bcpwn",
    "character set": "\x1b(0pwn",
    "C1 CSI": "\x9b31mpwn",
    "C1 OSC": "\x9d0;pwn\x9c",
    "C1 DCS": "\x90pwn\x9c",
    "C1 index": "\x84\x85\x8dpwn",
    "nested": "\x1b\x1b[\x1b]0;pwn\x07[31m",
    "split by a sequence": "\x1b\x1b[0m[31mpwn",
    "bell and backspace": "\x07\x08\x08pwn",
    "vertical tab and form feed": "\x0b\x0cpwn",
    "delete": "\x7fpwn",
    "shift out": "\x0epwn\x0f",
    "bidi override": "\u202epwn\u202c",
    "bidi isolate": "\u2066pwn\u2069",
    "bidi marks": "\u200f\u061cpwn\u200e",
    "zero width": "p\u200bw\u200dn\ufeffpwn",
    "line separators": "pwn\u2028pwn\u2029",
    "tag characters": "pwn\U000e0070\U000e0077",
    "pile of marks": "p" + "\u0301" * 100 + "wn",
    "pile of many marks": "pwn" + "\u0e31\u20dd\ufe0f\u034f" * 15,
    "interlinear": "\ufff9pwn\ufffa\ufffb",
    "markup": "[bold red]pwn[/bold red]",
    "markup unbalanced": "[/]pwn[/b][",
    "markup action": "[@click=app.quit]pwn[/]",
    "markup link": "[link=http://pwn.example]pwn[/link]",
    "markup escape": "\\[@click=app.quit]pwn\\[/]",
    "HTML": "<script>pwn()</script><img src=x onerror=pwn()>",
    "SVG": "</text><script>pwn</script>",
    "Markdown": "![pwn](http://pwn.example/x.png)|`",
    "format": "%s%n{0.__class__}pwn",
    "shell": "$(pwn);`pwn`|pwn",
    "path": "..-..-pwn",
}
"""By what they are; each would do something where text is passed on as it came."""

ONE_OF_EACH_KIND = (
    *("CSI clear", "OSC title", "DCS", "reset", "C1 CSI", "nested", "bell and backspace"),
    *("bidi override", "line separators", "pile of marks", "markup action", "HTML", "format"),
    "shell",
)
"""Those that stand for the others at a way in: all texts are cleaned by one function."""

STEERING = {
    name: text
    for name, text in ATTACKS.items()
    if not text.isprintable() or name.startswith("pile")
}
"""Those that act on a terminal by themselves."""

_DIRECTIONS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def escapes_in(text: str) -> list[str]:
    """Every character of a text that a terminal would act on, but tabs and line ends.

    A ninth mark upon one character counts, too: it leaves the character's row.
    """
    marks = "".join("M" if unicodedata.category(char) in ("Mn", "Me") else " " for char in text)
    return ["marks"] * marks.count("M" * 9) + [
        f"U+{ord(char):04X}"
        for char in text
        if (unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") and char not in "\n\t")
        or unicodedata.bidirectional(char) in _DIRECTIONS
        or char in "\u200e\u200f\u061c"
    ]
