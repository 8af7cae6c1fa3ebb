"""A folder in which every process of one run writes a log of its own.

`rank0.log … rank7.log` (with any words before `rank`; those of several nodes may lie in a
folder each), or what `torchrun --log-dir` writes, once for every node:
`<run id>_<random>/attempt_<restarts>/<local rank>/stdout.log`. The log of one rank is read;
the number of ranks is the number of devices. Of a run that was restarted the last
attempt is read, with the ranks that took part in it.
"""

import re
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path
from typing import NamedTuple

from sixdim.parsers.input.source import LogError
from sixdim.parsers.text.lines import label
from sixdim.parsers.text.patterns import pattern

_RANK = pattern(
    r"(?P<before>(?:.*[-_.])?)rank[-_.]?(?P<rank>\d{1,5})(?P<after>(?:\.[A-Za-z]\w*)*)", re.I
)
_ATTEMPT = pattern(r"attempt_(\d{1,6})")
# What torchrun puts after the run's id, and what people call the folder of a node.
_OWN_RUN = pattern(r"(?P<id>.+?)_(?:[a-z0-9_]{8}|[^_]*)")
_OWN_NODE = pattern(r"(?:node|host|worker|machine)[-_.]?\d{1,6}", re.I)
_STREAMS = ("stdout.log", "stderr.log")
_DEEPEST = 3
_MOST = 20_000
_APART = 60.0
"""Two runs of one id that are more seconds apart than this are not nodes of one run."""


class RankFolder(NamedTuple):
    """One run that logs rank by rank.

    Attributes:
        chief: The log that is read: the first rank's; of several nodes, that of the first
            whose log has at least half the size of the largest.
        ranks: How many ranks there are, on all nodes.
        name: For showing and for the card: the folder, and which rank of how many is read.
        nodes: How many nodes they are on; None where the folder does not say.
    """

    chief: str
    ranks: int
    name: str
    nodes: int | None = None


def rank_folder(path: str) -> RankFolder | None:
    """Returns the run that a folder's logs belong to; None if they are not of one run's ranks.

    Raises:
        LogError: The log of the first rank or of one between is missing, or cannot be read.
    """
    root = Path(path)
    try:
        flat = _flat(root) or _flat_by_node(root)
        return _one_node(root, flat) if flat else _launched(root)
    except OSError as error:
        where = label(error.filename or root, 200)
        raise LogError(f"cannot read {where}: {label(error.strerror or error)}") from error


def _one_node(root: Path, logs: dict[int, Path], restarts: int = 0) -> RankFolder:
    _complete(root, logs)
    again = f", after {restarts} restart{'s' * (restarts > 1)}" if restarts else ""
    return RankFolder(str(logs[0]), len(logs), f"{_printable(root)} (rank 0 of {len(logs)}{again})")


def _complete(root: Path, logs: dict[int, Path]) -> None:
    """Checks that the ranks count from 0 without a gap.

    Raises:
        LogError: They do not.
    """
    missing = next(rank for rank in range(len(logs) + 1) if rank not in logs)
    if missing < len(logs):
        raise LogError(
            f"{_printable(root)} has logs of {len(logs)} ranks and none of rank {missing}: "
            "name the log to read"
        )


def required(path: str) -> RankFolder:
    """As `rank_folder`, for a folder that must be one run.

    Raises:
        LogError: It is not; the message says what to name instead.
    """
    found = rank_folder(path)
    if found is None:
        raise LogError(
            f"{_printable(Path(path))} is a folder: name the log in it (rank0.log, rank1.log, … "
            "and torchrun --log-dir are read as one run; sixdim scaling reads many runs)"
        )
    return found


def _printable(root: Path) -> str:
    return label(root.resolve().name or root, 80)


def _flat(root: Path) -> dict[int, Path]:
    """Returns the files that are named by rank; empty if they are of several runs."""
    logs: dict[tuple[str, str], dict[int, Path]] = {}
    for file in islice(root.iterdir(), _MOST):
        found = _RANK.fullmatch(file.name)
        if found is not None and file.is_file():
            kind = found["before"], found["after"]
            logs.setdefault(kind, {})[int(found["rank"])] = file
    return next(iter(logs.values())) if len(logs) == 1 else {}


def _flat_by_node(root: Path) -> dict[int, Path]:
    """As `_flat`, for one folder per node; empty if two nodes have a log of the same rank."""
    logs: dict[int, Path] = {}
    for node in _folders(root):
        ranks = _flat(node)
        if not _OWN_NODE.fullmatch(node.name) or logs.keys() & ranks.keys():
            return {}
        logs |= ranks
    return logs


def _launched(root: Path) -> RankFolder | None:
    """Returns the run that torchrun's nodes logged, in its last attempt; None if not one run."""
    attempts = {where.parent for where in _ranks(root, _DEEPEST)}
    runs: dict[Path, list[Path]] = {}
    for where in attempts:
        runs.setdefault(where.parent if _ATTEMPT.fullmatch(where.name) else where, []).append(where)
    if not runs or not _one_run(runs):
        return None
    last = max(_attempt(where) for where in attempts)
    # A node that was lost does not take part in the attempts after it.
    ended = [where for where in sorted(attempts, key=_natural) if _attempt(where) == last]
    nodes = [{int(one.name): _stream(one) for one in _ranks(where, 0)} for where in ended]
    if len(nodes) == 1:
        return _one_node(root, nodes[0], max(last, 0))
    for where, logs in zip(ended, nodes, strict=True):
        _complete(where, logs)
    ranks = sum(len(logs) for logs in nodes)
    sizes = [logs[0].stat().st_size for logs in nodes]
    # torchrun's names do not tell the order of nodes; only the first rank logs much.
    chief = next(i for i, size in enumerate(sizes) if 2 * size >= max(sizes))
    again = f", after {last} restart{'s' * (last > 1)}" if last > 0 else ""
    name = f"{_printable(root)} (one of {ranks} ranks on {len(nodes)} nodes{again})"
    return RankFolder(str(nodes[chief][0]), ranks, name, len(nodes))


def _one_run(runs: dict[Path, list[Path]]) -> bool:
    """Returns whether these are the nodes of one run: of one id, and not one after another."""
    if len(runs) == 1:
        return True
    if len({_run_id(run) for run in runs}) > 1 or len({run.parent for run in runs}) not in (
        1,
        len(runs),
    ):
        return False
    times = sorted(
        (
            min(where.stat().st_mtime for where in attempts),
            max(_stream(one).stat().st_mtime for where in attempts for one in _ranks(where, 0)),
        )
        for attempts in runs.values()
    )
    return all(begin <= end + _APART for (_, end), (begin, _) in pairwise(times))


def _run_id(run: Path) -> str:
    """Returns the id before torchrun's random letters; empty for a folder named as a node."""
    if _OWN_NODE.fullmatch(run.name):
        return ""
    found = _OWN_RUN.fullmatch(run.name)
    return found["id"] if found else run.name


def _natural(path: Path) -> list[tuple[int, str]]:
    """Returns a key that sorts node2 before node10."""
    return [(int(p or 0) if p.isdecimal() else -1, p) for p in re.split(r"(\d{1,9})", str(path))]


def _folders(root: Path) -> list[Path]:
    return [
        one
        for one in islice(sorted(root.iterdir()), _MOST)
        if not one.is_symlink() and one.is_dir()
    ]


def _ranks(root: Path, deeper: int) -> Iterator[Path]:
    """Yields the folders that are named by a rank and hold its streams."""
    for one in _folders(root):
        named = one.name.isdecimal() and len(one.name) < 6
        if named and any((one / stream).is_file() for stream in _STREAMS):
            yield one
        elif deeper:
            yield from _ranks(one, deeper - 1)


def _attempt(where: Path) -> int:
    found = _ATTEMPT.fullmatch(where.name)
    return int(found[1]) if found else -1


def _stream(where: Path) -> Path:
    """Returns the rank's standard output, or its standard error if only that is not empty."""
    there = [where / stream for stream in _STREAMS if (where / stream).is_file()]
    return next((file for file in there if file.stat().st_size), there[0])
