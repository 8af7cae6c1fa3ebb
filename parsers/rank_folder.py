"""A folder in which every process of one run writes a log of its own.

`rank0.log … rank7.log` (with any words before `rank`), or what `torchrun --log-dir` writes:
`<run>/attempt_0/<local rank>/stdout.log`. The first rank speaks for the run; how many there
are tells the devices, one process a device.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from parsers.lazy import pattern
from parsers.source import LogError
from parsers.text import label

_RANK = pattern(
    r"(?P<before>(?:.*[-_.])?)rank[-_.]?(?P<rank>\d{1,5})(?P<after>(?:\.[A-Za-z]\w*)*)", re.I
)
_ATTEMPT = pattern(r"attempt_(\d{1,6})")
_STREAMS = ("stdout.log", "stderr.log")
_DEEPEST = 3
_MOST = 20_000


class RankFolder(NamedTuple):
    """One run that logs rank by rank.

    Attributes:
        chief: The first rank's log.
        ranks: How many ranks there are.
        name: For showing and for the card: the folder, and which rank of how many is read.
    """

    chief: str
    ranks: int
    name: str


def rank_folder(path: str) -> RankFolder | None:
    """The run that a folder's logs are together; None where they are no ranks of one run.

    Raises:
        LogError: They are, and the first rank's log is missing, or a rank between.
    """
    root = Path(path)
    try:
        logs = _flat(root) or _launched(root)
    except OSError as error:
        raise LogError(f"cannot read {label(root.name)}: {label(error.strerror or error)}") from (
            error
        )
    if not logs:
        return None
    missing = next(rank for rank in range(len(logs) + 1) if rank not in logs)
    if missing < len(logs):
        raise LogError(
            f"{_shown(root)} has logs of {len(logs)} ranks and none of rank {missing}: "
            "name the log that speaks for the run"
        )
    name = f"{_shown(root)} (rank 0 of {len(logs)})"
    return RankFolder(str(logs[0]), len(logs), name)


def required(path: str) -> RankFolder:
    """As `rank_folder`, where a folder must be one run.

    Raises:
        LogError: It is not; the message says what to name instead.
    """
    found = rank_folder(path)
    if found is None:
        raise LogError(
            f"{_shown(Path(path))} is a folder: name the log inside it (rank0.log, rank1.log, … "
            "and torchrun --log-dir are read as one run; sixdim scaling reads many runs)"
        )
    return found


def _shown(root: Path) -> str:
    return label(root.resolve().name or root, 80)


def _flat(root: Path) -> dict[int, Path]:
    """Files named by rank, by rank; empty where they are of several runs."""
    logs: dict[tuple[str, str], dict[int, Path]] = {}
    for file in islice(root.iterdir(), _MOST):
        found = _RANK.fullmatch(file.name)
        if found is not None and file.is_file():
            kind = found["before"], found["after"]
            logs.setdefault(kind, {})[int(found["rank"])] = file
    return next(iter(logs.values())) if len(logs) == 1 else {}


def _launched(root: Path) -> dict[int, Path]:
    """Logs of torchrun's last attempt, by rank; empty where there are several runs."""
    attempts = {where.parent for where in _ranks(root, _DEEPEST)}
    runs = {where.parent if _ATTEMPT.fullmatch(where.name) else where for where in attempts}
    if len(runs) != 1:
        return {}
    last = max(attempts, key=_attempt)
    return {int(where.name): _stream(where) for where in _ranks(last, 0)}


def _ranks(root: Path, deeper: int) -> Iterator[Path]:
    """Folders named by a rank that hold its streams."""
    for one in islice(sorted(root.iterdir()), _MOST):
        if one.is_symlink() or not one.is_dir():
            continue
        if one.name.isdecimal() and len(one.name) < 6:
            if any((one / stream).is_file() for stream in _STREAMS):
                yield one
        elif deeper:
            yield from _ranks(one, deeper - 1)


def _attempt(where: Path) -> int:
    found = _ATTEMPT.fullmatch(where.name)
    return int(found[1]) if found else -1


def _stream(where: Path) -> Path:
    """The rank's standard output, or its standard error where that alone says anything."""
    there = [where / stream for stream in _STREAMS if (where / stream).is_file()]
    return next((file for file in there if file.stat().st_size), there[0])
