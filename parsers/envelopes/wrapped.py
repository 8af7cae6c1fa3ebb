r"""A line inside a JSON object: docker's log files, and what log collectors write.

`{"log":"Epoch: [0] …\n","stream":"stdout","time":"2024-05-01T10:00:00.123456789Z"}`. The object
is an envelope where one of its texts is the line and nothing else in it is a figure: a record of
a training's own figures is left alone, but for the time that it names.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from sixdim.parsers.grammar.shapes.holes import moment
from sixdim.parsers.grammar.vocabulary.names import meaning
from sixdim.parsers.text.lines import Line, clean, label
from sixdim.parsers.text.patterns import compiled, pattern

_BODIES = (
    *("log", "message", "msg", "textPayload", "MESSAGE", "line", "text", "@message", "body"),
    *("short_message", "event", "content", "data", "_raw"),
)
"""Keys under which the line stands, the surest first."""
_NESTED = ("jsonPayload", "log", "result", "record", "attributes")
_SIGN = pattern(r'"(?:' + "|".join(_BODIES) + r')"\s*+:\s*+"')
_TIMES = ("time", "timestamp", "@timestamp", "ts", "asctime", "date", "__REALTIME_TIMESTAMP", "t")
_STAMP = pattern(
    r'"(?:_?timestamp|wall_?time|ts|time|datetime)"\s?:\s?'
    r'(?:(?P<since>\d{10,19}(?:\.\d{1,9})?)(?![\d.eE])|"(?P<date>[^"\\]{8,40})")'
)
_SINCE = ((1e17, 1e-3), (1e14, 1.0), (1e11, 1e3), (1e8, 1e6))
"""For each unit of a time since 1970, the least number and the microseconds of the unit."""
_FIGURES = frozenset({"loss", "quality", "rate", "epoch", "epochs", "step", "steps"})
_MOST_KEYS = 16
AFTER = " \t\r\n,]"
"""What may stand after an object."""
_TEXT = r'[^"\\\x00-\x1f]*+'
_LINE = rf'"(?P<body>(?=\s*+[^\s"\\]){_TEXT})(?:\\[rn])*+"'
"""A text that is one line, with the escaped end of the line."""
_VALUES = {str: f'"{_TEXT}"', int: r"-?+(?:0|[1-9]\d{0,17}+)(?![\d.eE])"}
"""By their type, the expressions of values that are left out."""
_WRITER = frozenset({"rank", "host", "hostname"})


class Objects:
    """Takes the lines of one log out of the objects around them.

    Most objects of a log have the same keys in the same order, and texts for all values: one
    regular expression reads them in a third of the time.
    """

    def __init__(self) -> None:
        self._keys: tuple[str, ...] = ()
        self._alike: re.Pattern[str] | None = None  # matches an object with these keys

    def unwrap(self, line: Line, text: str) -> list[str] | None:
        """Returns the lines in an object, several if a bar redraws itself; None without one.

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
        stamp = next((key for key in _TIMES if key in found), "")
        time_us = _time_us(found[stamp]) if stamp else None
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
        if (*found,) != self._keys:
            self._keys, self._alike = (*found,), None
        elif self._alike is None:  # the second in a row: where objects take turns, none is made
            self._alike = _expression(found, stamp)
        body = body.replace("\r", "\n")
        return [clean(piece) for piece in body.split("\n") if piece.strip()] or [""]

    def line_in(self, text: str) -> tuple[str, int | None] | None:
        """Returns the line in an object and the time beside it, as `unwrap`.

        Returns:
            None unless the object has the keys of the last one, and one line without escapes.
        """
        found = None if self._alike is None else self._alike.match(text)
        if found is None:
            return None
        return found["body"], _time_us(found["time"]) if "time" in found.re.groupindex else None


def stamp_in(text: str) -> int | None:
    """Returns the time that an object of figures names, in microseconds since 1970; else None."""
    found = _STAMP.search(text)
    if found is None:
        return None
    return _time_us(found["date"] if found["since"] is None else float(found["since"]))


def _expression(found: Mapping[str, Any], stamp: str) -> re.Pattern[str] | None:
    """Returns the expression of objects with the same keys; None unless it is sure to read them.

    Args:
        found: The object: its line and its time are texts, the others texts or whole numbers.
        stamp: The key of its time; empty without one.
    """
    key = next((key for key in _BODIES if type(found.get(key)) is str), "")
    if not key or key == stamp or len(found) > _MOST_KEYS or not _WRITER.isdisjoint(found):
        return None
    values = {name: _VALUES.get(type(value), "") for name, value in found.items()}
    if "" in values.values() or (stamp and type(found[stamp]) is not str):
        return None
    values[key] = _LINE
    if stamp:
        values[stamp] = f'"(?P<time>{_TEXT})"'
    pairs = (f'"{re.escape(name)}": ?{value}' for name, value in values.items())
    return compiled(rf"\{{{', ?'.join(pairs)}\}}[{re.escape(AFTER)}]*+\Z")


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
    """Returns whether this is a figure of the training rather than of the collector."""
    if isinstance(value, dict):
        return any(_is_figure(inner, one) for inner, one in value.items())
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    named = meaning(key, repr(value), "")
    return named is not None and named.role in _FIGURES
