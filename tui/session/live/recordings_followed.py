"""Follows the recordings that `watch --telemetry FILE` names: they are read again as they grow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sixdim.tui.base.errors import UserError
from sixdim.tui.base.readings import NO_READINGS, Readings, named_readings, role_and_path
from sixdim.tui.session.live.gpus import Gpus

if TYPE_CHECKING:
    from sixdim.tui.session.session import Session

PERIOD_S = 2.0
"""Least seconds between two checks of the files."""
SHARE = 20.0
"""A check is followed by a pause of that many times its duration."""


class FollowedRecordings(Gpus):
    """Recordings that are read again as they grow; a missing file may appear later.

    Args:
        flags: Values of `--telemetry` that name recordings.
        monotonic: Seconds that never jump.

    Raises:
        UserError: A file exists and is not a recording.
    """

    def __init__(self, flags: Sequence[str], monotonic: Callable[[], float]) -> None:
        super().__init__("")
        self._flags = [(flag, Path(role_and_path(flag)[1])) for flag in flags]
        self._monotonic = monotonic
        self._next = -PERIOD_S
        self._files: tuple[object, ...] = ()
        self._state: tuple[object, ...] = ()
        self._readings: Readings = NO_READINGS
        self._waits = ""
        self._read(self._signature())

    def collect(self, session: Session) -> None:
        """Folds the present content of the files, every few seconds."""
        begin = self._monotonic()
        if begin >= self._next:
            self.finish(session)
            now = self._monotonic()
            self._next = now + max(PERIOD_S, SHARE * (now - begin))
        said = (self._reason,) if self._reason else (self._readings.source, self._waits)
        session.telemetry_note = "; ".join(filter(None, said))

    def finish(self, session: Session) -> None:
        """Folds the present content of the files, before the final card is made."""
        files = self._signature()
        state = (files, id(session), session.interpreter.size, session.ended)
        if state == self._state:
            return
        self._state = state
        try:
            if files != self._files:
                self._read(files)
            session.telemetry = self._readings.telemetry(session.run)
            session.readings = session.telemetry.latest()
            self._reason = ""
        except UserError as error:  # a half-written line, or a server that does not answer
            self._reason = str(error)

    def _read(self, files: tuple[object, ...]) -> None:
        pairs = [*zip(self._flags, files, strict=True)]
        there = [flag for (flag, _), file in pairs if file]
        missing = [path.name for (_, path), file in pairs if not file]
        self._readings = named_readings(there) or NO_READINGS
        self._files = files
        self._waits = f"waiting for {', '.join(missing)}" if missing else ""

    def _signature(self) -> tuple[object, ...]:
        """Returns size and time of each file, None for a missing one, and the flag of a server."""
        return tuple(_stat(flag, path) for flag, path in self._flags)


def _stat(flag: str, path: Path) -> object:
    if "prometheus:" in flag:
        return flag
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
