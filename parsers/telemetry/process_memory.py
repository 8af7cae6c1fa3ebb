"""Decides whose memory `process_mib` is: that of the run's own processes if they are known."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from sixdim.parsers.reading import NOT_OF_RUN, RUN_GONE
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
        self._owners: set[int] = set()  # every process that was found to be the run's

    def fill(
        self, listed: Sequence[tuple[Draft, Sequence[Held]]], now_us: int, *, complete: bool
    ) -> None:
        """Puts into each draft the sum over its own list.

        `complete` says that the lists are those of all devices. Only then the run can be known to
        have left the devices.
        """
        pids = {pid for _, held in listed for pid, _ in held}
        own = self._writers.of(pids, now_us) if self._writers is not None and pids else set()
        self._owners |= own
        gone = complete and not self._owners & pids
        for draft, held in listed:
            mine = [mib for pid, mib in held if pid in own]
            if not self._owners:
                draft.put_processes([mib for _, mib in held], "device")
            elif mine:
                draft.put_processes(mine, "run" if len(mine) == len(held) else "shared")
            else:
                draft.lack(*(RUN_GONE if gone else NOT_OF_RUN))
