"""Finds the processes of a run: those that write its log, and those that work beside them.

A run is found by what it leaves open, not by its name. A process belongs to it when it or one
of its ancestors holds the log open for writing (`train > log`, a logger's file), feeds the
standard input of one that does (`train | tee log`), or is one rank of many of which another
does (the same command line under the same parent).
"""

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

RENEW_US = 10_000_000
"""Microseconds after which open files are examined again; at once for a new process."""

_RANK = re.compile(rb"(local[-_]rank[=\0]|pipe_handle=|tracker_fd=)\d+")
"""The part of a command line that differs between ranks (torch's launchers, multiprocessing)."""

Inode: TypeAlias = tuple[int, int]


@dataclass(slots=True)
class _Open:
    """The open files of one process, as far as they concern a log."""

    log: bool = False
    fed: set[Inode] = field(default_factory=set)
    drained: set[Inode] = field(default_factory=set)


class LogWriters:
    """Finds the processes of the run that writes a log; ignores processes it may not examine.

    The log need not exist yet. `proc` is where the system lists its processes.
    """

    def __init__(self, log: Path, proc: Path = Path("/proc")) -> None:
        self._log = log
        self._proc = proc
        self._looked_us: int | None = None
        self._seen: set[int] = set()
        self._owners: set[int] = set()
        self._ranks: set[tuple[int, bytes]] = set()

    def of(self, pids: set[int], now_us: int) -> set[int]:
        """Returns the processes that belong to the run; `now_us` may be of any clock."""
        late = self._looked_us is None or not 0 <= now_us - self._looked_us < RENEW_US
        if late or not pids <= self._seen:
            self._look()
            self._looked_us, self._seen = now_us, set(pids)
        return {pid for pid in pids if any(self._is_one(one) for one in self._line(pid))}

    def _look(self) -> None:
        """Finds who holds the log, who feeds those processes, and how to recognise other ranks."""
        self._owners, self._ranks = set(), set()
        try:
            facts = self._log.stat()
        except OSError:
            return
        found = {pid: self._open(pid, (facts.st_dev, facts.st_ino)) for pid in self._pids()}
        more = {pid for pid, held in found.items() if held.log}
        while more:  # a filter may stand between the run and the process that writes the log
            self._owners |= more
            pipes = {pipe for pid in more for pipe in found[pid].drained}
            more = {pid for pid, held in found.items() if held.fed & pipes} - self._owners
        self._ranks = {self._likeness(pid) for pid in self._owners} - {(0, b"")}

    def _pids(self) -> Iterator[int]:
        try:
            names = [path.name for path in self._proc.iterdir()]
        except OSError:
            return  # a system without /proc
        yield from (int(name) for name in names if name.isascii() and name.isdigit())

    def _open(self, pid: int, log: Inode) -> _Open:
        held = _Open()
        folder = self._proc / str(pid)
        try:
            files = list((folder / "fd").iterdir())
        except OSError:
            return held  # another user's, or gone
        for file in files:
            try:
                facts = file.stat()
                inode = (facts.st_dev, facts.st_ino)
                pipe = stat.S_ISFIFO(facts.st_mode)
                if not pipe and inode != log:
                    continue
                writes = _writes((folder / "fdinfo" / file.name).read_text())
            except (OSError, ValueError):
                continue  # closed meanwhile
            if not pipe:
                held.log = held.log or writes
            elif writes:
                held.fed.add(inode)
            elif file.name == "0":  # other pipes (make's, a loader's) carry no log
                held.drained.add(inode)
        return held

    def _is_one(self, pid: int) -> bool:
        return pid in self._owners or (bool(self._ranks) and self._likeness(pid) in self._ranks)

    def _line(self, pid: int) -> Iterator[int]:
        """Yields the process and its ancestors, without process 1, which belongs to no run."""
        for _ in range(64):
            if pid <= 1:
                return
            yield pid
            pid = self._parent(pid)

    def _parent(self, pid: int) -> int:
        try:
            # The name in parentheses may hold anything, parentheses too.
            after = (self._proc / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()
            return int(after[1])
        except (OSError, ValueError, IndexError):
            return 0

    def _likeness(self, pid: int) -> tuple[int, bytes]:
        """Returns parent and command line without the rank; (0, b"") if they are unknown."""
        parent = self._parent(pid)
        try:
            line = (self._proc / str(pid) / "cmdline").read_bytes()
        except OSError:
            line = b""
        return (parent, _RANK.sub(rb"\1", line)) if parent > 1 and line else (0, b"")


def _writes(fdinfo: str) -> bool:
    flags = next(line.split()[1] for line in fdinfo.splitlines() if line.startswith("flags:"))
    return int(flags, 8) & os.O_ACCMODE != os.O_RDONLY
