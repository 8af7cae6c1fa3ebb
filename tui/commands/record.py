"""`sixdim record`: writes GPU readings to the log's journal until it is interrupted."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from sixdim.metrics.values.settings import Settings
from sixdim.parsers.input.follow import Tail
from sixdim.parsers.input.source import base_name
from sixdim.parsers.input.waker import Waker
from sixdim.parsers.telemetry.choose import FORMS, choose, is_live
from sixdim.parsers.telemetry.source import Source
from sixdim.parsers.text.lines import label
from sixdim.tui.base.clock import Clock
from sixdim.tui.base.errors import DONE, UserError
from sixdim.tui.base.pacing import FLOOD_LINES, FLOOD_PERIOD
from sixdim.tui.base.plugins import known_formats, named_format, say_problems
from sixdim.tui.base.settings.card_flags import add_config_option
from sixdim.tui.session.live.sampler import Sampler
from sixdim.tui.session.session import Session

EXAMPLES = """examples:
  sixdim record train.log                  all GPUs, every second, until Ctrl-C
  sixdim record train.log --interval 5 &   as often as DeepSpark's method asks
  sixdim record train.log --telemetry dcgm:http://node1:9400/metrics

The readings are written to a journal beside the log, which watch, replay and
score find by themselves.
"""

LOOK_S = 0.25
"""Longest pause in seconds before the source, and a log that grows slowly, are read again."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the flags of `sixdim record`."""
    parser.add_argument("log", metavar="LOG", help="log file of the run (it need not exist yet)")
    parser.add_argument(
        "--interval",
        type=_seconds,
        default=1.0,
        metavar="S",
        help="seconds between readings (default: 1)",
    )
    parser.add_argument(
        "--telemetry", type=_live, action="append", default=[], metavar="SOURCE", help=FORMS
    )
    add_config_option(parser)
    parser.add_argument("--format", metavar="NAME", help="log format, instead of detecting it")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.05 <= seconds <= 3600:
        raise argparse.ArgumentTypeError(f"{label(text, 20)!r} is not 0.05 to 3600 seconds")
    return seconds


def _live(text: str) -> str:
    if not is_live(text):
        raise argparse.ArgumentTypeError(
            f"{label(text, 60)} is no source to poll; sources are {FORMS}"
        )
    return text


def run(args: argparse.Namespace) -> int:
    """Records until a signal ends it; returns the exit code."""
    say_problems()
    known = known_formats(args)
    forced = named_format(args.format, known)

    def fresh() -> Session:
        return Session(base_name(args.log), Settings(), known, forced)

    source = _source(args.telemetry, Path(args.log))
    clock = Clock()
    recorder = Recorder(args.log, source, clock, args.interval)
    stop = _ended_by_signal(recorder)
    recorder.run(fresh, stop)
    return DONE


def _source(specs: list[str], log: Path) -> Source:
    # A settings file may also name recordings, which other commands read.
    live = [spec for spec in specs if is_live(spec)]
    if len(live) > 1:
        raise UserError("--telemetry: one source to poll")
    spec = live[0] if live else None
    found = choose(spec, os.environ, log)
    if isinstance(found, str):
        raise UserError(f"nothing to record ({found}); sixdim doctor says more")
    return found


def _ended_by_signal(recorder: Recorder) -> threading.Event:
    stop = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        stop.set()
        recorder.wake()

    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, end)
    return stop


class Recorder:
    """Writes the readings of a source to a journal, with the epochs of the log that it follows."""

    def __init__(
        self, log: str, source: Source, clock: Clock, interval_s: float, events: bool = True
    ) -> None:
        self._tail = Tail(log, clock.monotonic)
        self._waker = Waker(log, clock.monotonic, events=events)
        self._monotonic = clock.monotonic
        self._sampler = Sampler(log, source, clock, interval_s, wake=self._waker.wake)
        self._source = source
        self._interval_s = interval_s
        self._last_message = ""

    def wake(self) -> None:
        """Ends the current pause."""
        self._waker.wake()

    def run(self, fresh: Callable[[], Session], stop: threading.Event) -> None:
        """Records until `stop` is set.

        The log is needed only for the epochs of the readings. So a log that grows fast is read when
        there are new readings, and otherwise rarely.
        """
        session = fresh()
        pause = min(LOOK_S, self._interval_s / 4)
        due, grew = self._monotonic(), False
        self._waker.start()
        try:
            while not stop.is_set():
                now = self._monotonic()
                if now >= due or self._sampler.poll():
                    piece = self._tail.look()
                    if piece.restarted:
                        session = fresh()
                    before = session.interpreter.lines
                    session.follow(piece)
                    if piece.behind:
                        continue  # lines that exist already are older than any reading
                    self._sampler.collect(session)
                    self._say()
                    flood = session.interpreter.lines - before >= FLOOD_LINES
                    due, grew = now + FLOOD_PERIOD * flood, bool(piece.data)
                self._waker.wait(grew, pause, pause)
        finally:
            self._waker.stop()
            path = self._sampler.journal.path if self._sampler.journal else None
            self._sampler.stop()
            self._tail.close()
            if path is not None:
                lost = f", {self._sampler.lost} could not be" if self._sampler.lost else ""
                _report(f"{self._sampler.written} readings written to {label(path)}{lost}")

    def _say(self) -> None:
        """Prints each change once."""
        journal = self._sampler.journal
        pace = f"{self._source.name} every {self._interval_s:g} s"
        where = f"{pace} into {label(journal.path)}" if journal else ""
        now = self._sampler.problem or where
        if now and now != self._last_message:
            self._last_message = now
            _report(now)


def _report(message: str) -> None:
    print(f"sixdim: {message}", file=sys.stderr, flush=True)
