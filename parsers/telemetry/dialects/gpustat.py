"""`gpustat`, also with `-P`: `[0] Tesla T4 | 60°C,  68 %,  70 / 70 W |  3712 / 15109 MB |`.

`gpustat --json` has the same figures under nvidia-smi's names. Its MB are 2^20 bytes.
`-P draw` prints the watts without their unit.
"""

import re
from collections.abc import Iterable, Iterator

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes, any_line
from sixdim.parsers.telemetry.dialects.json_objects import objects
from sixdim.parsers.telemetry.dialects.smi_csv import SmiTable
from sixdim.parsers.telemetry.draft import Draft
from sixdim.parsers.telemetry.stamps import time_of
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_ROW = pattern(
    r"\s*+\[(?P<index>\d{1,4})\]\s(?P<name>[^|]{1,80})\|\s*+(?P<heat>\d{1,3}|\?\?)\s?[°']C,"
    r"(?P<shares>[^|]{1,80})\|\s*+(?P<used>\d{1,7}|\?\?)\s*+/\s*+(?P<total>\d{1,7}|\?\?)\sMB(?!\w).*+"
)
_SHARE = pattern(r"\s*+(?P<percent>\d{1,3}|\?\?) %(?:\s\(.{0,60}\))?+\s*+")
_POWER = pattern(r"\s*+(?P<used>\d{1,5}|\?\?)(?:\s*+/\s*+(?P<of>\d{1,5}|\?\?)\s?W)?+\s*+")
_UNKNOWN = "??"


def _read(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    host, time_us = "", None
    for line in lines:
        if row := _ROW.fullmatch(line.text):
            draft = Draft(int(row["index"]), "gpustat", host, row["name"].strip(), "", time_us)
            _put_row(draft, row)
            yield draft.reading()
        elif found := _head(line.text):
            host, time_us = found


def _put_row(draft: Draft, row: re.Match[str]) -> None:
    _put(draft, "temperature_c", row["heat"])
    _put(draft, "memory_mib", row["used"])
    _put(draft, "memory_total_mib", row["total"])
    for part in row["shares"].split(","):
        if share := _SHARE.fullmatch(part):
            _put(draft, "utilisation", share["percent"])  # the last one: after the fan's
        elif power := _POWER.fullmatch(part):
            _put(draft, "power_w", power["used"])
            if power["of"]:
                _put(draft, "power_limit_w", power["of"])


def _put(draft: Draft, field: str, text: str) -> None:
    draft.values.pop(field, None)
    draft.put_text(field, "N/A" if text == _UNKNOWN else text)


def _head(text: str) -> tuple[str, int] | None:
    """Returns host and time of the line above the rows, which ends with the driver's version."""
    host, _, rest = text.strip().partition(" ")
    if len(rest) > 200:
        return None
    stamps = (time_of(part) for part in (rest, rest.strip().rpartition("  ")[0]))
    return next(((host, stamp) for stamp in stamps if stamp is not None), None)


DIALECT = Dialect("gpustat", any_line(_ROW.fullmatch), _read)

_GPUS = pattern(r'\s*+\{?\s*+"query_time"\s*+:.*+')


def _read_json(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    for sample in objects(lines, notes):
        gpus = sample.get("gpus")
        time = str(sample.get("query_time", ""))
        for gpu in gpus if isinstance(gpus, list) else ():
            if isinstance(gpu, dict):
                row = {"timestamp": time} | {name: _text(value) for name, value in gpu.items()}
                one = SmiTable([*row], [""] * len(row)).reading([*row.values()], notes)
                yield one._replace(source="gpustat", host=_text(sample.get("hostname")))


def _text(value: object) -> str:
    return "" if value is None or isinstance(value, bool | dict | list) else str(value)


JSON = Dialect("gpustat JSON", any_line(_GPUS.match), _read_json)
