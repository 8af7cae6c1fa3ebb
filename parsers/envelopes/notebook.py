"""Finds the lines of a notebook's file that are the source of its cells, and no output."""

from __future__ import annotations

from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_KEY = pattern(r'"([\w/.+-]{1,60})":')


class Notebook:
    """Follows the keys of a notebook, which stand on lines of their own.

    The source of a cell is a list of texts: `"train_loss = 0.0",` is a statement, and no figure.
    """

    def __init__(self) -> None:
        self._in_source = False

    def hides(self, line: Line, text: str) -> bool:
        """Empties a line that is a statement of a cell; returns whether it is one.

        Args:
            line: The line.
            text: Its text, which begins with a quotation mark.
        """
        key = _KEY.match(text)
        if key is not None:
            self._in_source = key[1] == "source"
            return False
        if self._in_source:
            line.text = ""
        return self._in_source
