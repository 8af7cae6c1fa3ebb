"""Foreign text made harmless: the one place that knows what a terminal would act on.

A log is untrusted: everything that could steer a terminal (escape sequences, control and
bidirectional-override characters) is removed here. Loads next to nothing, so that the first
picture of a log can go through it, too.
"""

from __future__ import annotations

from typing import Any

from sixdim.parsers.text.patterns import pattern

MOST_VALUES = 200_000
"""Values of one document."""
MOST_TEXT = 4000
"""Characters of one of its texts."""

# Possessive quantifiers throughout: hostile text cannot make these backtrack.
_ESCAPES = pattern(
    r"(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]?"  # CSI
    r"|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*+(?:\x07|\x1b\\|\x9c)?"  # OSC: titles, links, clipboard
    r"|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x9c]*+(?:\x1b\\|\x9c)?"  # DCS, SOS, PM, APC
    r"|\x1b[ -/]*+[0-~]?"  # two-byte sequences
)
_CONTROLS = dict.fromkeys(
    (
        *range(0x09),
        *range(0x0A, 0x20),
        *range(0x7F, 0xA0),
        0x061C,  # Arabic letter mark
        *range(0x200B, 0x2010),  # zero-width characters and direction marks
        *range(0x2028, 0x202F),  # line separators, bidirectional embeddings and overrides
        *range(0x2060, 0x2070),  # word joiner, isolates
        0xFEFF,  # byte order mark
        *range(0xFFF9, 0xFFFC),  # interlinear annotation
        *range(0xE0000, 0xE0080),  # tag characters
    )
)


def clean(text: str) -> str:
    """Removes all that a terminal would act on; keeps tabs and every printable character."""
    if text.isprintable():
        return text
    if "\t" in text and text.replace("\t", " ").isprintable():
        return text
    return _ESCAPES.sub("", text).translate(_CONTROLS)


def label(text: object, limit: int = 120) -> str:
    """A foreign name (file, GPU, host, metric) as one short clean line."""
    flat = " ".join(clean(str(text).encode("utf-8", "replace").decode("utf-8")).split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def cleaned(data: Any) -> Any:
    """Decoded JSON with every text and key clean: it spells escape sequences in letters.

    Raises:
        ValueError: It holds more values than can be meant.
    """
    return _Cleaner(MOST_VALUES).value(data)


class _Cleaner:
    """Walks decoded JSON, counting."""

    def __init__(self, most: int) -> None:
        self._left = most

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
