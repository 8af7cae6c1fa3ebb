"""Converts an epoch that is over to a row of numbers, and back without loss."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.sums.number_table import ColumnType, Number
from sixdim.metrics.values.exact import expansion

_INT, _COUNT = ColumnType(int), ColumnType(int, 0)
_FLOAT, _FLAG = ColumnType(float), ColumnType(bool, False)
_NUMBERS = {
    **dict.fromkeys(("first_line", "last_line", "offset", "start_us", "end_us"), _INT),
    **dict.fromkeys(("stated", "train_time", "epoch_time", "loss"), _FLOAT),
    **dict.fromkeys(("mean_throughput", "mean_duration"), _FLOAT),
    **dict.fromkeys(("whole_mean", "ended", "is_left"), _FLAG),
    **dict.fromkeys(("stated_line", "records", "clocked_us", "clocked_steps"), _COUNT),
    **dict.fromkeys(("step", "steps", "first_step", "clock_us", "clock_step", "over_at"), _INT),
    **dict.fromkeys(("lines.first_step", "lines.step"), _INT),
    **dict.fromkeys(("lines.last_rate", "lines.last_time"), _FLOAT),
    **dict.fromkeys(("lines.weight", "lines.evaluations", "lines.unprinted"), _COUNT),
    "lines.evaluations_s": ColumnType(float, 0.0),
    **dict.fromkeys(("lines.sums.timed", "lines.sums.both", "lines.sums.alone"), _COUNT),
    **dict.fromkeys(("lines.sums.growth.first", "lines.sums.growth.last"), _FLOAT),
    "lines.sums.growth.steps": _INT,
}
"""Attributes of an epoch, of its line sums and of their parts."""
_PLACES = {path: path.rpartition(".")[::2] for path in _NUMBERS}
"""For each, the path of the object that has it, and its name there."""
_SUMS = ("time", "work", "inverse", "grown")
_PARTS = range(3)
"""An exact sum is a few numbers; most epochs need no more than so many."""
_PARTS_OF = {name: [f"{name} {part}" for part in _PARTS] for name in _SUMS}
_OF_LINES = [path for path in _NUMBERS if path.startswith("lines.")]
_OWN = [path for path in _NUMBERS if path not in _OF_LINES]
KINDS = {
    **{path: _NUMBERS[path] for path in _OWN},
    "evaluated": _COUNT,
    "evaluated at": _INT,
    **{path: _NUMBERS[path] for path in _OF_LINES},
    **{part: _FLOAT for parts in _PARTS_OF.values() for part in parts},
}
"""The columns; those of progress lines come last, because many epochs have no such lines."""
TIMES = frozenset(
    {
        *("stated", "train_time", "epoch_time", "mean_throughput", "mean_duration", "clocked_us"),
        *("lines.last_rate", "lines.last_time", "lines.sums.growth.first"),
        *("lines.sums.timed", "lines.sums.both", "lines.sums.alone"),
    }
)
"""An epoch without a number in any of these columns has no throughput."""
_own = attrgetter(*_OWN)
_of_lines = attrgetter(*_OF_LINES)
_sums = attrgetter(*_SUMS)


def row_of(epoch: Epoch) -> list[Number] | None:
    """The row of an epoch, which ends early where it has no progress lines.

    Returns:
        None where a row cannot hold all of the epoch, or it is not over.
    """
    lines = epoch.lines
    if not epoch.complete or epoch.cut or epoch.utilisation is not None or lines.buffer:
        return None
    waiting = [step for step, place in lines.waiting if not place]
    if len(waiting) < len(lines.waiting):
        return None
    row: list[Number] = [*_own(epoch), len(waiting), waiting[0] if waiting else None]
    if lines.weight:
        row += _of_lines(epoch)
        for numbers in _sums(lines.sums):
            parts = numbers if len(numbers) <= len(_PARTS) else expansion(numbers)
            if parts is None or len(parts) > len(_PARTS):
                return None
            row += [*parts, *[None] * (len(_PARTS) - len(parts))]
    return row


def epoch_of(label: int, row: Mapping[str, Any]) -> Epoch:
    """The epoch of a row, given by its unusual numbers; see `NumberTable.unusual`."""
    epoch = Epoch(label, 0)
    epoch.complete = True
    lines = epoch.lines
    sums = lines.sums
    if "lines.weight" in row:
        sums.growth.steps = None
    holders = {"": epoch, "lines": lines, "lines.sums": sums, "lines.sums.growth": sums.growth}
    for path in row.keys() & _PLACES.keys():
        holder, name = _PLACES[path]
        setattr(holders[holder], name, row[path])
    for name, parts in _PARTS_OF.items():
        setattr(sums, name, [row[part] for part in parts if part in row])
    lines.waiting = [(row.get("evaluated at"), 0)] * row.get("evaluated", 0)
    return epoch
