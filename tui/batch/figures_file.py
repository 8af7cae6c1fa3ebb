"""Reads a small file of published figures: a JSON list of objects, or CSV with a header."""

import csv
import io
import math
import re
from pathlib import Path
from typing import Any

from sixdim.metrics.tables.airank import Result
from sixdim.parsers.input.source import base_name
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError
from sixdim.tui.base.safe_files import read_small
from sixdim.tui.base.untrusted_json import loads

_MOST_BYTES = 4 << 20
_SEPARATED = re.compile(r"[-+]?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]*)?")
"""A number with thousands separators; `1,5` may be one and a half."""
_NUMBERS = ("throughput", "time2train", "run_time", "accuracy")
_COUNTS = ("devices", "batch")
_WORDS = ("framework", "precision", "model")


def is_figures_file(path: str) -> bool:
    """Returns whether the ending and the first bytes are those of such a file, not of a log."""
    file = Path(path)
    if file.suffix.lower() not in (".csv", ".json") or not file.is_file():
        return False
    with file.open("rb") as stream:
        head = stream.read(4096).lstrip()
    if file.suffix.lower() == ".csv":
        return b"throughput" in head.partition(b"\n")[0].lower()
    return head.startswith(b"[") and b'"throughput"' in head


def read_figures(path: str) -> list[Result]:
    """Returns all results of the file.

    Raises:
        UserError: The file cannot be read; the message names the file and the entry.
    """
    name, is_csv = base_name(path), path.lower().endswith(".csv")
    content = read_small(Path(path), _MOST_BYTES, "file of figures")
    try:
        text = content.decode("utf-8-sig")
        entries = list(csv.DictReader(io.StringIO(text))) if is_csv else loads(text)
    except (ValueError, csv.Error) as error:
        raise UserError(f"{name} cannot be read: {label(error, 80)}") from error
    first = 2 if is_csv else 1
    return [_result(entry, f"{name}, entry {i}") for i, entry in enumerate(entries, first)]


def _result(entry: Any, where: str) -> Result:
    if not isinstance(entry, dict):
        raise UserError(f"{where} is no object with framework, devices, precision, batch, …")
    fields: dict[str, Any] = {"source": where}
    for key, value in entry.items():
        word = str(key).strip().lower()
        if word in _WORDS:
            fields[word] = "" if value is None else label(value, 60)
        elif word in _COUNTS:
            number = _number(value, f"{where}: {word}")
            if number is not None and (number < 1 or number != int(number)):
                raise UserError(f"{where}: {word} {label(value, 20)} is no count")
            fields[word] = None if number is None else int(number)
        elif word in _NUMBERS:
            fields[word] = _number(value, f"{where}: {word}")
    fields.setdefault("framework", "")
    fields.setdefault("devices", None)
    return Result(**fields)


def _number(value: Any, where: str) -> float | None:
    """Returns a figure without thousands separators; None for an empty cell, `-` or null."""
    if value is None or str(value).strip() in ("", "-", "——"):
        return None
    text = str(value).strip()
    try:
        number = float(text.replace(",", "") if _SEPARATED.fullmatch(text) else text)
    except ValueError:
        number = math.nan
    if isinstance(value, bool) or not math.isfinite(number):
        raise UserError(f"{where} {label(value, 30)!r} is no number")
    return number
