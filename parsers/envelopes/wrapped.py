r"""A line inside a JSON object: docker's log files, and what log collectors write.

`{"log":"Epoch: [0] …\n","stream":"stdout","time":"2024-05-01T10:00:00.123456789Z"}`. The object
is an envelope where one of its texts is the line and nothing else in it is a figure: a record of
a training's own figures is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from sixdim.parsers.grammar.shapes.holes import moment
from sixdim.parsers.grammar.vocabulary.names import meaning
from sixdim.parsers.text.lines import Line, clean, label
from sixdim.parsers.text.patterns import pattern

_BODIES = (
    *("log", "message", "msg", "textPayload", "MESSAGE", "line", "text", "@message", "body"),
    *("short_message", "event", "content", "data", "_raw"),
)
"""Keys under which the line stands, the surest first."""
_NESTED = ("jsonPayload", "log", "result", "record", "attributes")
_SIGN = pattern(r'"(?:' + "|".join(_BODIES) + r')"\s*+:\s*+"')
_TIMES = ("time", "timestamp", "@timestamp", "ts", "asctime", "date", "__REALTIME_TIMESTAMP", "t")
_SINCE = ((1e17, 1e-3), (1e14, 1.0), (1e11, 1e3), (1e8, 1e6))
"""For each unit of a time since 1970, the least number and the microseconds of the unit."""
_FIGURES = frozenset({"loss", "quality", "rate", "epoch", "epochs", "step", "steps"})
AFTER = " \t\r\n,]"
"""What may stand after an object."""


def unwrap(line: Line, text: str) -> list[str] | None:
    """Returns the lines in an object, several if a bar redraws itself; None if it holds none.

    Args:
        line: Gets the time that the object names, and the rank and the host if it holds lines.
        text: Begins with the object's brace, or a comma or bracket before that.
    """
    if _SIGN.search(text) is None:
        return None
    try:
        found, end = _decoder()(text, text.index("{"))
    except (ValueError, RecursionError):
        return None
    if text[end:].strip(AFTER):
        return None
    body = _body(found)
    if body is None:
        return None
    time_us = next((_time_us(found[key]) for key in _TIMES if key in found), None)
    if time_us is not None:
        line.time_us = time_us
    others = (one for one in found.items() if type(one[1]) is not str)
    try:
        if any(_is_figure(*one) for one in others):
            return None
    except RecursionError:
        return None
    rank, host = found.get("rank"), found.get("hostname", found.get("host"))
    if isinstance(rank, int) and 0 <= rank < 1_000_000:
        line.rank = rank
    if isinstance(host, str) and host:
        line.host = label(host, 64)
    return [clean(piece) for piece in body.replace("\r", "\n").split("\n") if piece.strip()] or [""]


@cache
def _decoder() -> Callable[[str, int], tuple[dict[str, Any], int]]:
    """Returns a function that reads the object at a place and says where it ends."""
    from json import JSONDecoder  # only a log of objects pays for it

    return JSONDecoder().raw_decode


def _time_us(given: object) -> int | None:
    """Returns the microseconds since 1970 of a date, or of s, ms, us or ns; None without."""
    try:
        if isinstance(given, str) and not given.isdigit():
            return moment(given)
        if isinstance(given, str | int | float) and not isinstance(given, bool):
            since = float(given)
            return next((int(since * us) for least, us in _SINCE if since >= least), None)
    except (ValueError, OverflowError):
        pass
    return None


def _body(found: Mapping[str, Any]) -> str | None:
    """Returns the line's text, perhaps from an object inside the object; None without one."""
    for key in _BODIES:
        value = found.get(key)
        if isinstance(value, str):
            return value
    for key in _NESTED:
        value = found.get(key)
        if isinstance(value, dict):
            return _body({key: inner for key, inner in value.items() if key in _BODIES})
    return None


def _is_figure(key: str, value: object) -> bool:
    """Whether this is a figure of the training rather than of the collector."""
    if isinstance(value, dict):
        return any(_is_figure(inner, one) for inner, one in value.items())
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    named = meaning(key, repr(value), "")
    return named is not None and named.role in _FIGURES
