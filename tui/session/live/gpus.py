"""Polls the GPUs of this machine while a log grows; writes and folds the readings."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from sixdim.parsers.text.lines import label
from sixdim.tui.base.clock import Clock

if TYPE_CHECKING:
    from sixdim.metrics.fold.devices.telemetry import TelemetryFold
    from sixdim.parsers.telemetry.source import Source
    from sixdim.tui.session.live.sampler import Sampler
    from sixdim.tui.session.session import Session

    Opener = Callable[[], Source | str]


LOOKING = "looking for GPUs"
RETRY_S = (5.0, 300.0)
"""Seconds after which sources that gave no readings are tried again, at first and at most."""


class Gpus:
    """Readings of GPUs while a log grows; this base class has none, for the reason given."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def start(self, wake: Callable[[], None] = lambda: None) -> None:
        """Begins to poll; `wake` is called once there are readings to collect."""

    def collect(self, session: Session) -> None:
        """Folds new readings into the session, stamped with its current epoch."""
        session.telemetry_note = self._reason

    def finish(self, session: Session) -> None:
        """Folds the readings since the last call, before the final card is made."""

    def stop(self) -> None:
        """Ends polling."""


class PolledGpus(Gpus):
    """Polls a source and journals each reading beside the log (`tui.session.live.sampler.Sampler`).

    Args:
        log: The log whose journal it is.
        opener: Opens a source, or says why there is none; called on a thread of its own.
        clock: Time.
        retry_s: Seconds until sources without readings are tried again, at first and at most.
    """

    def __init__(
        self, log: str, opener: Opener, clock: Clock, retry_s: tuple[float, float] = RETRY_S
    ) -> None:
        self._log = log
        self._retry_s = retry_s
        self._opener = opener
        self._clock = clock
        self._folded: Session | None = None
        super().__init__(LOOKING)
        self._sampler: Sampler | None = None
        self._has_journal = False
        self._past: TelemetryFold | None = None  # the readings of that journal
        self._stopped = threading.Event()

    def start(self, wake: Callable[[], None] = lambda: None) -> None:
        """Opens the source on a thread of its own: a driver may take seconds, or hang."""
        threading.Thread(target=self._open, args=(wake,), name="sixdim-gpus", daemon=True).start()

    def collect(self, session: Session) -> None:
        """See `Gpus.collect`."""
        if self._folded is not None and session is not self._folded:
            self._past = None  # the path has another log now
        self._folded = session
        if self._sampler is not None:
            self._sampler.collect(session)
        else:
            self._read_journal()
            session.telemetry_note = self._reason
        self.finish(session)

    def finish(self, session: Session) -> None:
        """As `Gpus.finish`; no reading is new, but a long silence takes the epoch off the last."""
        if session is not self._folded:
            return
        from sixdim.metrics.dimensions.telemetry.telemetry_figures import Telemetry

        # The reason is only for the screen: a card does not depend on the machine.
        fold = self._past if self._sampler is None else self._sampler.fold
        session.telemetry = Telemetry(fold, fold) if fold and fold.readings else Telemetry()
        session.show_readings(fold.latest() if fold else ())

    def stop(self) -> None:
        """See `Gpus.stop`."""
        self._stopped.set()
        if self._sampler is not None:
            self._sampler.stop()

    def _open(self, wake: Callable[[], None]) -> None:
        """Opens a source; tries again at growing intervals while none gives readings.

        A driver may be reloaded, and a device may return.
        """
        wait, most = self._retry_s
        while isinstance(source := self._opener(), str):
            if self._reason == LOOKING:
                self._reason = f"no GPU readings, will try again: {source}"
            if self._stopped.wait(wait):
                return
            wait = min(2 * wait, most)
        from sixdim.tui.session.live.sampler import Sampler

        self._sampler = Sampler(self._log, source, self._clock, folds=True, wake=wake)
        wake()

    def _read_journal(self) -> None:
        """Reads the journal of an earlier monitor of this run, as there is no source now."""
        if self._has_journal or self._reason == LOOKING or not Path(self._log).is_file():
            return
        self._has_journal = True
        from sixdim.parsers.telemetry.journal import JournalReader
        from sixdim.parsers.telemetry.journal_places import find_journals

        journals = find_journals(Path(self._log), os.environ)
        if len(journals) > 1:
            names = ", ".join(label(path.name) for path in journals)
            self._reason = f"several journals fit this log: choose with --telemetry ({names})"
        elif journals:
            from sixdim.metrics.fold.devices.telemetry import TelemetryFold

            self._past = TelemetryFold()
            for reading in JournalReader(journals[0]).poll():
                self._past.apply(reading)
