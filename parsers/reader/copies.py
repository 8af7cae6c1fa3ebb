"""Finds lines that a second handler of a program's logger writes once more."""

from __future__ import annotations

from sixdim.parsers.envelopes.inferred import kind
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_FIGURE = pattern(r"\d")


def is_copy(line: Line, whole: str, last: Line, last_whole: str) -> bool:
    """Whether a line is the one before it, after another envelope: `INFO:root:` or none.

    The two envelopes differ in more than digits, and name the same rank and host.

    Args:
        line: The line without its envelopes.
        whole: The line as it stands in the log.
        last: The line before, without its envelopes.
        last_whole: That line as it stands in the log.
    """
    text = line.text
    if text != last.text or (line.rank, line.host) != (last.rank, last.host):
        return False
    envelope, before = kind(whole.replace(text, "", 1)), kind(last_whole.replace(text, "", 1))
    return envelope != before and _FIGURE.search(text) is not None
