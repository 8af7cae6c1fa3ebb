"""Polls a source of readings beside a growing log; stamps them with the epoch and journals them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from sixdim.metrics.fold.devices.telemetry import TelemetryFold
from sixdim.parsers.reading import RUN_GONE, Reading
from sixdim.parsers.telemetry.journal import Journal, JournalBusyError, JournalReader
from sixdim.parsers.telemetry.journal_places import open_journal
from sixdim.parsers.telemetry.logkey import KEY_BYTES, MOST_KEY_BYTES, LogKey
from sixdim.parsers.telemetry.poller import Poller
from sixdim.parsers.text.lines import label
from sixdim.tui.base.clock import Clock
from sixdim.tui.session.live.provisional_readings import ProvisionalReadings
from sixdim.tui.session.live.silence import Silence
from sixdim.tui.session.session import Session

if TYPE_CHECKING:
    from sixdim.parsers.telemetry.source import Source

KEY_S = 60.0
"""Most seconds between two notes of how much of the log was read."""
RETRY_S = 2.0
"""Seconds between two tries to open a journal that another monitor writes, or that failed."""


class Sampler:
    """Polls one source; see `tui.session.live.gpus.Gpus`.

    The first monitor of a run writes its journal; every other reads what that one writes and
    takes over where it ends.

    Args:
        log: The log; it need not exist yet.
        source: Where readings come from.
        clock: Time.
        interval_s: Seconds between readings.
        folds: Whether all readings of this run are folded, the journal's earlier ones included.
        wake: Called by another thread once there are readings to collect.

    Attributes:
        problem: What is wrong now, in one sentence; empty while all is well.
        journal: The journal being written; None while another monitor writes it.
        written: Readings in the journal by this monitor.
        fold: All readings of this run so far; None where they are not folded.
    """

    def __init__(
        self,
        log: str,
        source: Source,
        clock: Clock,
        interval_s: float = 1.0,
        folds: bool = False,
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        self.fold = TelemetryFold() if folds else None
        self.problem = ""
        self.journal: Journal | None = None
        self.written = 0
        self.lost = 0
        self._log = Path(log)
        self._clock = clock
        self._provisional = ProvisionalReadings()
        self._silence = Silence(clock.monotonic)
        self._size = 0  # of the log, when it last grew
        self._unconfirmed = 0  # readings with an epoch that were written since then
        self._poller = Poller(source, interval_s=interval_s, monotonic=clock.monotonic, wake=wake)
        self._past: JournalReader | None = None
        self._session: Session | None = None
        self._replaced = False
        self._try_again = -RETRY_S
        self._trouble = ""
        self._came: list[Reading] = []
        self._noted_at = 0.0
        self._noted = 0
        self._same_bytes: bool | None = None

    def poll(self) -> bool:
        """Polls the source when it is time; returns whether there are readings to collect."""
        if self.journal is not None and not self._came:
            self._came = self._poller.collect(self._clock.wall_us())
        return bool(self._came)

    def collect(self, session: Session) -> None:
        """Stamps new readings with the current epoch of the session, and journals them."""
        if self._session is not None and session is not self._session:
            self._close_journal()  # the path has another log now, with a journal of its own
            self._replaced = True
            self._provisional = ProvisionalReadings()
            self._size = self._unconfirmed = 0
            self._forget()
        self._session = session
        now_us = self._clock.wall_us()
        if self.journal is None:
            self._try_to_write(session)
        if self.journal is None and self._past is not None:
            self._read_past()
        else:
            epoch = current_epoch(session)
            came, self._came = self._came or self._poller.collect(now_us), []
            if self._is_over(session):
                self._take_back_epochs()
                epoch = None
            fresh = [one if RUN_GONE in one.missing else one._replace(epoch=epoch) for one in came]
            self._restamp(session)
            written = self._write(fresh)
            self._unconfirmed += written if epoch is not None else 0
            self._provisional.add(session, fresh)
            self._give(fresh)
        self.problem = self._trouble or self._poller.problem
        session.telemetry_note = self.note()

    def note(self) -> str:
        """Returns what a panel says of the source: its problem, else its name and interval."""
        if self.problem:
            return self.problem
        if self.journal is None:
            return ""
        return f"{self._poller.source.name}, every {self._poller.interval_s:g} s"

    def stop(self) -> None:
        """Ends polling, writes what was answered, and closes the journal."""
        self._poller.close()
        if self._session is not None:
            self.collect(self._session)
        self._close_journal()

    def _is_over(self, session: Session) -> bool:
        """Whether the log is silent for so long that a training without a closing line is over."""
        self._note_growth(session)
        return self._silence.long()

    def _note_growth(self, session: Session) -> None:
        """Begins the silence anew if the log has grown: the readings so far are of the training."""
        size = session.interpreter.size
        if size == self._size:
            return
        self._silence.note_growth(0.0)
        if not self._size:
            self._silence.begin_again()  # the time before the first line is no pause of it
        self._size, self._unconfirmed = size, 0

    def _take_back_epochs(self) -> None:
        """Takes the epoch off the readings since the log last grew: the devices were idle."""
        count, self._unconfirmed = self._unconfirmed, 0
        if not count or self.journal is None:
            return
        self._change_last(count, lambda latest: [one._replace(epoch=None) for one in latest])

    def _write(self, readings: list[Reading]) -> int:
        """Returns how many of them are in the journal now."""
        if self.journal is None or not readings:
            return 0
        before = self.journal.lost
        self.journal.append(readings)
        failed = self.journal.lost - before
        written = len(readings) - failed
        self.written += written
        self.lost += failed
        self._trouble = self.journal.problem
        size = self._session.interpreter.size if self._session is not None else 0
        if size >= 2 * self._noted or self._clock.monotonic() - self._noted_at >= KEY_S:
            self._note_log()
        return written

    def _restamp(self, session: Session) -> None:
        """Corrects the epochs of earlier readings if another format reads the log now."""
        restamped = self._provisional.restamped(session)
        if not restamped or self.journal is None or self.journal.lost:
            return
        self._change_last(len(restamped), lambda latest: restamped[-len(latest) :])

    def _change_last(self, count: int, change: Callable[[list[Reading]], list[Reading]]) -> None:
        """Gives the last readings of the journal another epoch; then folds all of them again."""
        assert self.journal is not None
        if self.journal.change_last(count, change) and self.fold is not None:
            self._forget()
            self._give(JournalReader(self.journal.path).poll())

    def _forget(self) -> None:
        if self.fold is not None:
            self.fold = TelemetryFold()

    def _note_log(self) -> None:
        """Writes into the journal how many bytes of the log were read, and their hash.

        Runs of one script begin alike: the first 4 KiB do not identify a run's journal.
        """
        self._noted_at = self._clock.monotonic()
        if self.journal is None or self._session is None or self._same_bytes is False:
            return
        read = self._session.interpreter
        if not KEY_BYTES < read.size <= MOST_KEY_BYTES or read.size == self._noted:
            return
        key = LogKey(read.size, read.sha256)
        if self._same_bytes is None:  # of an archive, other bytes are read than the file's
            self._same_bytes = key.fits(self._log)
            if not self._same_bytes:
                return
        self.journal.extend_key(key)
        self._noted = read.size

    def _try_to_write(self, session: Session) -> None:
        if self._replaced and session.interpreter.size < KEY_BYTES:
            return  # its first bytes do not yet differ from those of the log before it
        now = self._clock.monotonic()
        if now - self._try_again < RETRY_S:
            return
        self._try_again = now
        try:
            self.journal = open_journal(self._log, os.environ)
        except JournalBusyError as busy:
            self._trouble = str(busy)
            if self._past is None or self._past.path != busy.path:
                self._past = JournalReader(busy.path)
            return
        except OSError as error:
            self._trouble = f"no journal: {label(error.strerror or error)}"
            return
        self._trouble = ""
        if self._past is None or self._past.path != self.journal.path:
            self._past = JournalReader(self.journal.path)
        self._read_past()
        self._past = None

    def _read_past(self) -> None:
        """Takes the readings of the journal: of earlier, or of the monitor that writes it."""
        if self._past is None or self.fold is None:
            return
        try:
            self._give(self._past.poll())
        except OSError as error:
            self._trouble = f"{label(self._past.path.name)}: {label(error.strerror or error)}"

    def _give(self, readings: Iterable[Reading]) -> None:
        if self.fold is not None:
            for reading in readings:
                self.fold.apply(reading)

    def _close_journal(self) -> None:
        if self.journal is not None:
            self._note_log()
            self.journal.close()
        self.journal, self._past = None, None
        self._noted, self._same_bytes = 0, None
        self._try_again = -RETRY_S


def current_epoch(session: Session) -> int | None:
    """Returns the epoch of a reading made now; None before the first and after training.

    The power of idle devices belongs to no epoch: not after the closing line of the run, and not
    between the evaluation that met the target and the next epoch, if there is one.
    """
    run = session.visible_run
    met = run.freeze.met
    of_met = met is not None and met.epoch == run.current
    return None if of_met or session.closed() else run.current
