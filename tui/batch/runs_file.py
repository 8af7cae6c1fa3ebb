"""Reads the speeds of runs from JSON whose innermost keys are cases such as `1n8g`."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sixdim.metrics.tables.scaling import Case, Speed, parse_case
from sixdim.parsers.input.source import base_name
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError
from sixdim.tui.base.log_name import facts_in_name
from sixdim.tui.base.safe_files import read_small
from sixdim.tui.base.untrusted_json import UntrustedJsonError, loads

_MOST_BYTES = 16 << 20
_DEPTH = 8
_RUNS = ("runs_in_print_order", "runs", "speeds", "median_speed", "median", "speed")


def read_runs(path: str) -> list[tuple[str, list[Speed]]]:
    """Returns (name, speeds) of every set of cases in the file, in its order.

    A case is a number, a list of numbers, or an object with one of `runs_in_print_order`,
    `runs`, `speeds`, `median_speed`, and perhaps a batch size.

    Raises:
        UserError: The file cannot be read, has no case, or has a speed that is not above 0.
    """
    name = base_name(path)
    content = read_small(Path(path), _MOST_BYTES, "file of speeds")
    try:
        data = loads(content)
    except UntrustedJsonError as error:
        raise UserError(f"{name}: {label(error, 80)}") from error
    found = list(_sets(data, (), name))
    if not found:
        raise UserError(f"{name} holds no case such as 1n8g")
    return found


def _sets(data: Any, path: tuple[str, ...], file: str) -> Iterator[tuple[str, list[Speed]]]:
    if not isinstance(data, dict) or len(path) > _DEPTH:
        return
    cases = {case: value for key, value in data.items() if (case := parse_case(str(key)))}
    if cases:
        names = [part for part in path[:-1] if part != "models"]
        speeds = [s for case, value in cases.items() for s in _case(case, value, path, file)]
        yield " ".join(names), speeds
        return
    for key, value in data.items():
        yield from _sets(value, (*path, label(key, 80)), file)


def _case(case: Case, value: Any, path: tuple[str, ...], file: str) -> Iterator[Speed]:
    where = " ".join((file, *path, str(case)))
    batch: int | None = None
    files: list[Any] = []
    if isinstance(value, dict):
        about = value.get("published")
        found = (about if isinstance(about, dict) else value).get("batch_size_per_device")
        batch = found if isinstance(found, int) and not isinstance(found, bool) else None
        listed_files = value.get("files")
        files = listed_files if isinstance(listed_files, list) else []
        key = next((k for k in _RUNS if k in value), None)
        value = value[key] if key else value
    listed = list(value.values()) if isinstance(value, dict) else value
    listed = listed if isinstance(listed, list) else [listed]
    precision = str(facts_in_name(str(files[0])).facts.get("precision", "")) if files else ""
    model = path[-1] if path else ""
    for number in listed:
        right = isinstance(number, int | float) and not isinstance(number, bool)
        if not right or not math.isfinite(number) or number <= 0:
            raise UserError(f"{where}: {label(repr(number), 40)} is no speed")
        yield Speed(case, float(number), model, precision, batch)
