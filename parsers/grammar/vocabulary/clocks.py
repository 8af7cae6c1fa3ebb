"""Times that are printed in parts, `1m 21s` or `0:01:21`, as one number of seconds."""

from __future__ import annotations

import re

from sixdim.parsers.grammar.vocabulary.forms import LONGEST
from sixdim.parsers.text.patterns import pattern

_TIME_IN_PARTS = pattern(
    r"(?i)(\b(?:time|in|took)[\s:=]{1,4}|[|,;([]\s?)(?:(\d{1,4})\s?h(?:ours?|rs?)?[,\s]{1,2})?"
    r"(\d{1,6})\s?m(?:in(?:ute)?s?)?[,\s]{0,2}(\d{1,2}(?:\.\d{1,6})?)\s?s(?:ec(?:ond)?s?)?(?!\w)"
)
"""A time in hours, minutes and seconds: `Epoch Time: 0m 14s`, `done in 1m 21s`, `| 1m 21s`."""
_CLOCK_OF_EPOCH = pattern(
    r"(?i)(\b(?:time|duration|elapsed)(?: taken| elapsed)?(?: for| of| per)(?: this| the| one)?"
    r" epoch(?: \d{1,6})?[\s:=]{1,4}(?:is )?"
    r"|\bepoch(?: \d{1,6})?[ _](?:time|duration|took|(?:finished|completed?|done) in)[\s:=]{1,4})"
    r"(\d{1,3}):(\d\d):(\d\d(?:\.\d{1,6})?)(?![\w:])"
)
"""The time of an epoch as a clock: `Epoch took: 0:01:10`, `time elapsed for epoch: 00:03:04`."""


def in_seconds(text: str) -> str:
    """Returns the text with each time in parts as one number of seconds; itself without any."""
    text = _TIME_IN_PARTS.sub(_seconds, text)
    return (_CLOCK_OF_EPOCH.sub(_seconds, text) if "poch" in text else text)[:LONGEST]


def _seconds(time: re.Match[str]) -> str:
    hours, minutes, seconds = (float(part or 0) for part in time.groups()[1:])
    return f"{time[1]}{3600 * hours + 60 * minutes + seconds:.6f} s"
