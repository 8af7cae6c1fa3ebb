"""One line of a journal: a reading, or the header that identifies the log of the readings.

The text of a file is untrusted: every field is checked, and nothing raises.
"""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.draft import MOST, implausible
from sixdim.parsers.telemetry.logkey import LogKey
from sixdim.parsers.text.lines import label

VERSION = 1
MAX_RECORD = 16 * 1024
"""The most bytes of one line; sixdim writes no longer ones."""
MAX_LIST = 32
_BIG = 2**53

_TEXTS = ("host", "source", "name", "uuid", "process_scope")
_DEFAULTS = Reading._field_defaults


@dataclass(frozen=True, slots=True)
class Header:
    """The header line of a journal.

    Attributes:
        log: Base name of the log, sanitised.
        key: Identifies the log by its content; None if the log was still empty.
    """

    log: str
    key: LogKey | None


def encode_header(log: str, key: LogKey | None) -> bytes:
    """Returns the header as a line, newline included."""
    data: dict[str, Any] = {"sixdim": "telemetry", "version": VERSION, "log": label(log)}
    if key is not None:
        data |= {"log_bytes": key.length, "log_sha256": key.sha256}
    return _line(data)


def encode(reading: Reading) -> bytes:
    """Returns one reading as a line, newline included; leaves out unknown fields."""
    data: dict[str, Any] = {"device": reading.device}
    for name, default in _DEFAULTS.items():
        value = getattr(reading, name)
        if value != default:
            data[name] = [list(pair) for pair in value] if name == "missing" else value
    return _line(data)


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode() + (
        b"\n"
    )


def decode(line: str) -> Header | Reading | None:
    """Returns the record of a line; None for any text that is no record."""
    if len(line) > MAX_RECORD:
        return None
    try:
        data = json.loads(line, parse_constant=_refuse)
        if not isinstance(data, dict):
            return None
        return _header(data) if "sixdim" in data else _reading(data)
    except (ValueError, RecursionError):
        return None


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def _header(data: dict[str, Any]) -> Header:
    if data["sixdim"] != "telemetry" or data.get("version") != VERSION:
        raise ValueError("a journal of another version")
    name = _text(data, "log")
    length, sha256 = data.get("log_bytes"), data.get("log_sha256")
    if length is None or sha256 is None:
        return Header(name, None)
    key = LogKey.checked(length, sha256)
    if key is None:
        raise ValueError("a log key that is none")
    return Header(name, key)


def _reading(data: dict[str, Any]) -> Reading:
    out: dict[str, Any] = {name: _text(data, name) for name in _TEXTS}
    device = _integer(data, "device")
    if device is None or not 0 <= device < 2**20:
        raise ValueError("no device index")
    for name in ("time_us", "epoch"):
        out[name] = _integer(data, name)
    for name in MOST:
        out[name] = _figure(data, name)
    out["throttle"] = tuple(_words(data.get("throttle", [])))
    out["missing"] = tuple(_pairs(data.get("missing", [])))
    return Reading(device=device, **out)


def _text(data: dict[str, Any], name: str) -> str:
    value = data.get(name, "")
    if not isinstance(value, str):
        raise ValueError(f"{name} is no text")
    return label(value)


def _integer(data: dict[str, Any], name: str) -> int | None:
    value = data.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _BIG:
        raise ValueError(f"{name} is no integer")
    return value


def _figure(data: dict[str, Any], name: str) -> float | None:
    value = data.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{name} is no number")
    if abs(value) > _BIG or not math.isfinite(value) or implausible(name, value):
        raise ValueError(f"{name} cannot be true")
    return float(value)


def _list(value: object) -> list[Any]:
    if not isinstance(value, list) or len(value) > MAX_LIST:
        raise ValueError("a list that is none")
    return value


def _words(value: object) -> Iterator[str]:
    for word in _list(value):
        if not isinstance(word, str):
            raise ValueError("a list that holds no text")
        yield label(word)


def _pairs(value: object) -> Iterator[tuple[str, str]]:
    for pair in _list(value):
        if not isinstance(pair, list) or len(pair) != 2:
            raise ValueError("a reason that is none")
        name, reason = _words(pair)
        yield name, reason
