"""Reads the lines of a notebook's file: what its cells printed is a log, their source is none."""

from __future__ import annotations

from sixdim.parsers.text.lines import Line, clean
from sixdim.parsers.text.patterns import pattern

_KEY = pattern(r'"([\w/.+-]{1,60})":')
_DRAWN = pattern(r"[\r\n]++")


class Notebook:
    r"""Follows the keys of a notebook, which stand on lines of their own.

    A cell's source and its output are lists of quoted texts, one on each line of the file: the
    source `"train_loss = 0.0\n",` is a statement and no figure, the output `"Epoch 1/5\n",` is
    the line `Epoch 1/5`.
    """

    def __init__(self) -> None:
        self._key = ""

    def read(self, line: Line, text: str) -> list[Line] | None:
        """Returns the lines in a text of an output; none for a text of a source.

        Args:
            line: The line of the file.
            text: Its text, which begins with a quotation mark.

        Returns:
            None for a line that is neither.
        """
        key = _KEY.match(text)
        if key is not None:
            self._key = key[1]
            return None
        if self._key == "source":
            return []
        if self._key not in ("text", "text/plain"):
            return None
        from json import loads  # only a notebook pays for it

        try:
            printed = loads(text.rstrip().removesuffix(","))
        except ValueError:
            return None
        if not isinstance(printed, str):
            return None
        return [line.with_text(clean(one)) for one in _DRAWN.split(printed) if one]
