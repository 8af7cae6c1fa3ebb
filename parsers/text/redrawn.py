"""Recognises the finished bars that a program draws again, as Rich does whenever it draws its bars.

It moves the cursor up to the first of its bars and draws all of them: those of earlier epochs, too.
"""

from collections import deque
from collections.abc import Iterator

from sixdim.parsers.text.patterns import pattern

_UPWARDS = pattern(r"(?:\x1b\[2K|\x1b\[\?25[hl])*+\x1b\[\d{0,3}+A")
"""Where a drawing begins again above the line on which the last one ended."""
_FINISHED = pattern(r"(?<![\w./-])(\d{1,18}+)/\1(?![\w./-])")
"""The count of a bar that is full."""
_NO_DIGITS = str.maketrans("", "", "0123456789")
_MOST = 256
"""Lines of a drawing that are remembered."""


class Redrawn:
    """Compares each drawing with the one before; it is given the lines with escape sequences."""

    def __init__(self) -> None:
        self._drawing = deque[str](maxlen=_MOST)
        self._before: frozenset[str] = frozenset()

    def repeats(self, raw: str, text: str) -> bool:
        """Returns whether a line is a finished bar of the drawing before.

        Args:
            raw: The line with its escape sequences.
            text: The clean line.
        """
        if _UPWARDS.match(raw):
            self._before = frozenset(map(_with_single_blanks, _unchanging(self._drawing)))
            self._drawing.clear()
        self._drawing.append(text)
        return bool(self._before) and _with_single_blanks(text) in self._before


def _unchanging(drawing: deque[str]) -> Iterator[str]:
    """Yields the finished bars of a drawing that show nothing else when they are drawn again.

    A bar that goes on in indented lines may get other figures there, until a bar below it begins
    with the same word, as that of the next epoch does. The last bar may go on in lines to come.
    An indented line with a count of its own is a bar whose spinner is gone.
    """
    goes_on, below = True, set[str]()
    for line in reversed(drawing):
        finished = _FINISHED.search(line) is not None
        if line[:1].isspace() and not finished:
            goes_on = True
            continue
        word = line.partition(" ")[0].translate(_NO_DIGITS)
        if finished and (not goes_on or word in below):
            yield line
        goes_on = False
        below.add(word)


def _with_single_blanks(text: str) -> str:
    """Returns a line with single blanks: a longer name in another bar moves its columns."""
    return " ".join(text.split())
