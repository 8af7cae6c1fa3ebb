"""Lines after a progress bar: an unfinished bar has no newline, so the next line follows it."""

from __future__ import annotations

from sixdim.parsers.text.patterns import pattern

COUNTER = " task/s, elapsed: "
"""Part of the progress bar that mmcv draws in evaluations."""
AFTER_BAR = pattern(
    r"(?:\| {0,8}+\d{1,12}+/\d[^\[|]{0,16}\[\d[^\]]{0,120}\]"
    rf"|{COUNTER}\d{{1,9}}+s, ETA: {{0,8}}+\d{{1,9}}+s)"
    r"(?=[A-Za-z]| {2,80}+[A-Za-z]|\[?\d\d(?:\d\d-\d\d-\d\d|/\d\d(?:/\d{4})?+)[ T]\d\d:)"
)
"""The end of a progress bar with another line after it; blanks overwrite a longer bar."""
