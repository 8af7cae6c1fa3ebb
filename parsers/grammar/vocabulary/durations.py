"""Reads durations that are printed in parts: `1m 21s`, `0:01:21`, `2 hours and 5 seconds`."""

import re

from sixdim.parsers.grammar.vocabulary.forms import LONGEST
from sixdim.parsers.grammar.vocabulary.units import SECONDS
from sixdim.parsers.text.patterns import pattern

_TIME_IN_PARTS = pattern(
    r"(?i)((?<![a-z])(?:time|in|took|duration|per epoch)[\s:=]{1,4}|[|,;([]\s?)"
    r"(?:(\d{1,4})\s?h(?:ours?|rs?)?[,\s]{1,2})?"
    r"(\d{1,6})\s?m(?:in(?:ute)?s?)?(?:[,\s]{0,2}|,? and )"
    r"(\d{1,2}(?:\.\d{1,6})?)\s?s(?:ec(?:ond)?s?)?(?!\w)"
)
"""A time in hours, minutes and seconds: `Epoch Time: 0m 14s`, `done in 1m 21s`, `| 1m 21s`."""
_MAY_BE_IN_PARTS = pattern(r"\d\s?[mM]")
"""What every such time contains, found in a tenth of the time."""
_CLOCK_OF_EPOCH = pattern(
    r"(?i)(\b(?:time|duration|elapsed)(?: taken| elapsed)?(?: for| of| per)(?: this| the| one)?"
    r" epoch(?: \d{1,6})?[\s:=]{1,4}(?:is )?"
    r"|\bepoch(?: \d{1,6}(?:/\d{1,6})?)?[ _]"
    r"(?:time|duration|took|(?:finished|completed?|done) in)[\s:=]{1,4})"
    r"(\d{1,3}):(\d\d):(\d\d(?:\.\d{1,6})?)(?![\w:])"
)
"""The time of an epoch as a clock: `Epoch took: 0:01:10`, `time elapsed for epoch: 00:03:04`."""
_CLOCK = pattern(r"(?:(\d{1,4}+):)?+(\d{1,2}+):(\d{2}(?:\.\d{1,9})?+)")
_DAYS = pattern(r"(\d{1,4}+) days?, {1,4}")
_PART = pattern(
    r"(\d{1,9}+(?:\.\d{1,18}+)?+)\s?(w|[Dd]|h|ms|m|s)"
    r"(?:eeks?|ays?|ours?|rs?|inutes?|ins?|econds?|ecs?)?+(?![a-z])[, ]{0,4}(?:and )?+"
)
_OF_A_PART = SECONDS | {"d": SECONDS["D"], "w": 7 * SECONDS["D"]}


def in_seconds(text: str) -> str:
    """Returns the text with each time in parts as one number of seconds; itself without any."""
    if _MAY_BE_IN_PARTS.search(text) is not None:
        text = _TIME_IN_PARTS.sub(_seconds, text)
    return (_CLOCK_OF_EPOCH.sub(_seconds, text) if "poch" in text else text)[:LONGEST]


def _seconds(time: re.Match[str]) -> str:
    hours, minutes, seconds = (float(part or 0) for part in time.groups()[1:])
    return f"{time[1]}{3600 * hours + 60 * minutes + seconds:.6f} s"


def spoken_seconds(text: str) -> float | None:
    """Returns the seconds of `1m 54s`, `0:41:12`, `43s169ms` or `12.5 seconds`; None otherwise."""
    days = _DAYS.match(text)
    clock = _CLOCK.fullmatch(text, days.end() if days else 0)
    if clock:
        hours = float(clock[1] or 0) + (24 * float(days[1]) if days else 0)
        return hours * 3600 + float(clock[2]) * 60 + float(clock[3])
    seconds, end = 0.0, 0
    while part := _PART.match(text, end):
        seconds, end = seconds + float(part[1]) * _OF_A_PART[part[2]], part.end()
    return seconds if end and end == len(text) else None
