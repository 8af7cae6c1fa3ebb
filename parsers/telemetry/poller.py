"""Asks a source at a fixed pace from a separate thread, so that nothing waits for it."""

import queue
import threading
from collections.abc import Callable

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.source import Source, lost
from sixdim.parsers.text.lines import label


class Poller:
    """One source, asked every `interval_s`, with a deadline for each answer.

    `collect` never blocks: it returns the readings that arrived or, if there are none, starts one
    that is due. So a reading is written down before the next one begins. While the source hangs,
    every interval gives each known device a reading without figures that says so; an answer that
    comes after its deadline is dropped.

    Args:
        source: The source to ask.
        interval_s: Seconds between readings.
        deadline_s: Seconds an answer may take; None for the source's own patience.
        monotonic: Clock in seconds that never runs back.
        wake: Called by another thread once `collect` has something to return.

    Attributes:
        problem: What is wrong with the source now, in one sentence; empty while it answers.
    """

    def __init__(
        self,
        source: Source,
        *,
        interval_s: float = 1.0,
        deadline_s: float | None = None,
        monotonic: Callable[[], float],
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        self.source = source
        self.interval_s = interval_s
        self.problem = ""
        self._deadline_s = source.patience_s if deadline_s is None else deadline_s
        self._monotonic = monotonic
        self._wake = wake
        self._asked: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[tuple[float, list[Reading], str]] = queue.SimpleQueue()
        self._known: dict[tuple[str, int], Reading] = {}
        self._asked_at: float | None = None
        self._given_up = False
        self._next: float | None = None
        self._thread = threading.Thread(target=self._work, name="telemetry", daemon=True)
        self._thread.start()

    def collect(self, now_us: int) -> list[Reading]:
        """Returns the readings since the last call; if none, asks for one that is due."""
        now = self._monotonic()
        out = self._arrived()
        due = self._next is None or now >= self._next
        if due and out:
            self._wake()  # to be asked once these are written down
        elif due:
            # Missed readings are not made up for: a sleeping laptop leaves a gap.
            planned = now if self._next is None else self._next
            self._next = max(planned + self.interval_s, now + self.interval_s / 2)
            if self._asked_at is None:
                self._asked_at, self._given_up = now, False
                self._asked.put(now_us)
            elif now - self._asked_at > self._deadline_s:
                self._given_up = True
                out = self._hung(now_us)
        return out

    def close(self) -> None:
        """Lets the thread end; one that hangs in the source is left to the process's end."""
        self._asked.put(None)

    def _arrived(self) -> list[Reading]:
        out: list[Reading] = []
        while not self._answers.empty():
            took_s, readings, problem = self._answers.get_nowait()
            self._asked_at = None
            self.problem = problem
            if self._given_up or took_s > self._deadline_s:
                continue
            for reading in readings:
                self._known[reading.host, reading.device] = reading
            out += readings
        return out

    def _hung(self, now_us: int) -> list[Reading]:
        reason = f"{self.source.name} did not answer within {self._deadline_s:g} s"
        self.problem = reason
        return [lost(known, reason, now_us) for known in self._known.values()]

    def _work(self) -> None:
        while (now_us := self._asked.get()) is not None:
            begun = self._monotonic()
            readings: list[Reading] = []
            problem = ""
            try:
                readings = self.source.read(now_us)
            except Exception as error:  # noqa: BLE001 - a source's fault is reported, the run goes on
                problem = f"{self.source.name}: {label(error, 100) or type(error).__name__}"
            self._answers.put((self._monotonic() - begun, readings, problem))
            self._wake()
        self.source.close()
