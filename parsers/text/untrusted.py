"""Makes untrusted text harmless: removes what a terminal would act on.

A log is untrusted: everything that could steer a terminal (escape sequences, control and
bidirectional-override characters) is removed here, and of marks piled upon one character all but
a few. Loads next to nothing, so that the first picture of a log can go through it, too.
"""

import re
from functools import cache
from typing import Any

from sixdim.parsers.text.patterns import pattern

MOST_VALUES = 200_000
"""Largest number of values of one JSON document."""
MOST_TEXT = 4000
"""Largest number of characters of one of its texts; the rest is cut off."""

# What begins an escape sequence, and the rest of it. Possessive quantifiers throughout: no
# text can make these backtrack. Every alternative begins with a character, so that the text
# between two sequences is skipped fast.
_SEQUENCES = (
    ((r"\x1b\[", r"\x9b"), r"[0-?]*+[ -/]*+[@-~]?"),  # CSI
    ((r"\x1b\]", r"\x9d"), r"[^\x07\x1b\x9c]*+(?:\x07|\x1b\\|\x9c)?"),  # OSC: titles, links
    ((r"\x1b[PX^_]", r"\x90", r"\x98", r"\x9e", r"\x9f"), r"[^\x1b\x9c]*+(?:\x1b\\|\x9c)?"),
    ((r"\x1b",), r"[ -/]*+[0-~]?"),  # two-byte sequences
)
_ESCAPES = pattern("|".join(begin + rest for begins, rest in _SEQUENCES for begin in begins))
_CONTROL = (
    r"[\x00-\x08\x0a-\x1f\x7f-\x9f"
    r"\u061c"  # Arabic letter mark
    r"\u200b-\u200f"  # zero-width characters and direction marks
    r"\u2028-\u202e"  # line separators, bidirectional embeddings and overrides
    r"\u2060-\u206f"  # word joiner, isolates
    r"\ufeff"  # byte order mark
    r"\ufff9-\ufffb"  # interlinear annotation
    r"\U000e0000-\U000e007f]"  # tag characters
)
_CONTROLS = pattern(f"{_CONTROL}{_CONTROL}*+")
MOST_MARKS = 8
"""Marks upon one character: no script needs as many, and a pile of them leaves its row."""
# The blocks of most non-ASCII text of logs (punctuation, arrows, bars, symbols, Chinese, Japanese,
# Korean syllables) have no such run; marks that are looked for one by one are rare.
_PILE = pattern(
    r"[^\x00-\u02ff\u2010-\u20cf\u2100-\u2cff\u3000-\u3029\u3030-\u3098\u309b-\ua66e\uac00-\ud7a3"
    rf"\uff00-\uffff]{{{MOST_MARKS + 1}}}"
)


def clean(text: str) -> str:
    """Removes all that a terminal would act on; keeps tabs and every printable character."""
    if not _is_clean(text):
        text = _ESCAPES.sub("", text)
        if not _is_clean(text):
            text = _CONTROLS.sub("", text)
    return _piles().sub(r"\1", text) if may_pile(text) else text


def may_pile(text: str) -> bool:
    """Returns whether more marks may stand upon one character than any script needs."""
    return not text.isascii() and _PILE.search(text) is not None


@cache
def _piles() -> re.Pattern[str]:
    """Returns the pattern of more marks than one character may have; made when needed."""
    import unicodedata

    marks = "".join(
        chr(code)
        for code in (*range(0x300, 0x20000), *range(0xE0100, 0xE01F0))  # elsewhere are none
        if unicodedata.category(chr(code)) in ("Mn", "Me") or 0x1160 <= code < 0x1200
    )
    return pattern(f"([{marks}]{{{MOST_MARKS}}})[{marks}]++")


def _is_clean(text: str) -> bool:
    return text.isprintable() or ("\t" in text and text.replace("\t", " ").isprintable())


def label(text: object, limit: int = 120) -> str:
    """Returns an untrusted name (file, GPU, host, metric) as one short clean line."""
    flat = " ".join(clean(str(text).encode("utf-8", "replace").decode("utf-8")).split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def cleaned(data: Any) -> Any:
    """Returns decoded JSON with clean texts and keys: JSON can spell escape sequences.

    Raises:
        ValueError: It holds more than `MOST_VALUES` values.
    """
    return _Cleaner().value(data)


class _Cleaner:
    """Walks decoded JSON, counting."""

    def __init__(self) -> None:
        self._left = MOST_VALUES

    def value(self, data: Any) -> Any:
        self._left -= 1
        if self._left < 0:
            raise ValueError(f"more than {MOST_VALUES} values")
        if isinstance(data, str):
            return _text(data)
        if isinstance(data, dict):
            return {_text(key): self.value(value) for key, value in data.items()}
        if isinstance(data, list):
            return [self.value(value) for value in data]
        return data


def _text(text: str) -> str:
    # A lone surrogate (`\ud800`) cannot be written anywhere: it becomes a question mark.
    return clean(text.encode("utf-8", "replace").decode("utf-8"))[:MOST_TEXT]
