"""Finds lines that stand inside a line: after a progress bar, or in the file of a notebook."""

from sixdim.parsers.grammar.vocabulary.forms import DRAWN_BAR
from sixdim.parsers.text.lines import Line, clean
from sixdim.parsers.text.patterns import pattern

COUNTER = " task/s, elapsed: "
"""Part of the progress bar that mmcv draws in evaluations."""
_BAR_END = pattern(
    r"(?:\| {0,8}+\d{1,12}+/\d[^\[|]{0,16}\[\d[^\]]{0,120}\]"
    rf"|{COUNTER}\d{{1,9}}+s, ETA: {{0,8}}+\d{{1,9}}+s)"
    r"(?=[A-Za-z]| {2,80}+[A-Za-z]|\[?\d\d(?:\d\d-\d\d-\d\d|/\d\d(?:/\d{4})?+)[ T]\d\d:)"
)
"""The end of a progress bar that another line follows; blanks overwrite a longer bar."""
_LEFT_OVER = pattern(r"(?:[\d.:<,? ]{0,24}+(?:(?:(?:i?t)?/)?s|(?:(?:s?/)?i)?t)?\]){1,4}\s*+\Z")
"""After a bar, the end of a longer one: of a captured terminal whose row was drawn over."""
_KEY = pattern(r'"([\w/.+-]{1,60})":')
_DRAWN = pattern(r"[\r\n]++")


def cut_after_bars(text: str) -> list[str]:
    """Cuts a text after each progress bar that another line follows; other texts are one part.

    What is left of a longer bar after a bar is no part.
    """
    parts, begin = [], 0
    if DRAWN_BAR in text or COUNTER in text:
        end = text.find("]") + 1
        if _LEFT_OVER.match(text, end) and text.count("[", 0, end) == 1:  # `loss=[0.1, 0.2]]`
            return [text[:end]]
        for bar in _BAR_END.finditer(text):
            parts.append(text[begin : bar.end()])
            begin = bar.end()
    return [*parts, text[begin:]]


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
            printed: str = loads(text.rstrip().removesuffix(","))
        except ValueError:
            return None
        return [line.with_text(clean(one)) for one in _DRAWN.split(printed) if one]
