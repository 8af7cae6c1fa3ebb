"""Lines after a progress bar: an unfinished bar has no newline, so the next line follows it."""

from __future__ import annotations

from sixdim.parsers.grammar.vocabulary.forms import DRAWN_BAR
from sixdim.parsers.text.patterns import pattern

COUNTER = " task/s, elapsed: "
"""Part of the progress bar that mmcv draws in evaluations."""
_BAR_END = pattern(
    r"(?:\| {0,8}+\d{1,12}+/\d[^\[|]{0,16}\[\d[^\]]{0,120}\]"
    rf"|{COUNTER}\d{{1,9}}+s, ETA: {{0,8}}+\d{{1,9}}+s)"
    r"(?=[A-Za-z]| {2,80}+[A-Za-z]|\[?\d\d(?:\d\d-\d\d-\d\d|/\d\d(?:/\d{4})?+)[ T]\d\d:)"
)
"""The end of a progress bar that another line follows; blanks overwrite a longer bar."""


def cut_after_bars(text: str) -> list[str]:
    """Cuts a text after each progress bar that another line follows; other texts are one part."""
    parts, begin = [], 0
    if DRAWN_BAR in text or COUNTER in text:
        last = max(text.rfind(DRAWN_BAR), text.rfind(COUNTER))
        for bar in _BAR_END.finditer(text):
            if begin > last:
                break
            parts.append(text[begin : bar.end()])
            begin = bar.end()
    return [*parts, text[begin:]]
