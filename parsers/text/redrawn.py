"""Recognises the finished bars that a program draws again, as Rich does whenever it draws its bars.

It moves the cursor up to the first of its bars and draws all of them: those of earlier epochs, too.
"""

from __future__ import annotations

from collections import deque

from sixdim.parsers.text.patterns import pattern

_UPWARDS = pattern(r"(?:\x1b\[2K|\x1b\[\?25[hl])*+\x1b\[\d{0,3}+A")
"""Where a drawing begins again above the line on which the last one ended."""
_FINISHED = pattern(r"(?<![\w./-])(\d{1,18}+)/\1(?![\w./-])")
"""The count of a bar that is full."""
_MOST = 256
"""Lines of a drawing that are remembered."""


class Redrawn:
    """Compares each drawing with the one before; it is given the lines with escape sequences."""

    def __init__(self) -> None:
        self._drawing = deque[str](maxlen=_MOST)
        self._before: frozenset[str] = frozenset()

    def repeats(self, raw: str, text: str) -> bool:
        """Returns whether a line is a finished bar of the drawing before.

        The last line of a drawing is none: it may go on in the indented line below it.

        Args:
            raw: The line with its escape sequences.
            text: The clean line.
        """
        if _UPWARDS.match(raw):
            bars = [line for line in self._drawing if not line[:1].isspace()]
            self._before = frozenset(map(_spaced, filter(_FINISHED.search, bars[:-1])))
            self._drawing.clear()
        self._drawing.append(text)
        return bool(self._before) and _spaced(text) in self._before


def _spaced(text: str) -> str:
    """Returns a line with single blanks: a longer name in another bar moves its columns."""
    return " ".join(text.split())
