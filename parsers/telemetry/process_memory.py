"""Decides whose memory `process_mib` is: that of the run's own processes if they are known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from sixdim.parsers.reading import NOT_OF_RUN
from sixdim.parsers.telemetry.draft import Draft
from sixdim.parsers.telemetry.writers import LogWriters

Held: TypeAlias = tuple[int, float | None]
"""A process id, and the MiB it holds; None if the driver does not report them."""


class ProcessMemory:
    """Sums the memory of processes, device by device.

    Once a process of the run was found on any device, only the run's own processes count. Until
    then every compute process on a device counts, and the reading says so.

    Args:
        log: The run's log: the processes that write it are the run's; None where unknown.
    """

    def __init__(self, log: Path | None) -> None:
        self._writers = LogWriters(log) if log is not None else None
        self._found_run = False

    def fill(self, listed: Sequence[tuple[Draft, Sequence[Held]]], now_us: int) -> None:
        """Puts into each draft the sum over its own list."""
        pids = {pid for _, held in listed for pid, _ in held}
        own = self._writers.of(pids, now_us) if self._writers is not None and pids else set()
        self._found_run = self._found_run or bool(own)
        for draft, held in listed:
            mine = [mib for pid, mib in held if pid in own]
            if not self._found_run:
                draft.put_processes([mib for _, mib in held], "device")
            elif mine:
                draft.put_processes(mine, "run")
            else:
                draft.lack(*NOT_OF_RUN)
