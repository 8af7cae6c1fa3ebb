"""`sixdim watch --plain`: prints watched logs as lines instead of a screen."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING

from sixdim.tui.base.errors import DONE, FAULT, UserError
from sixdim.tui.screen.show import failing_threads

if TYPE_CHECKING:
    from sixdim.tui.export.epoch_lines import PrintedRuns
    from sixdim.tui.export.patient_output import PatientOutput, WaitingFrames
    from sixdim.tui.session.live.feed import Frame
    from sixdim.tui.session.live.many_logs import ManyFeed
    from sixdim.tui.session.live.monitor import LiveFeed

ENDINGS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGUSR1)

QUIET_S = 60.0
"""Seconds without a line after which the epoch that is being trained is printed."""


def print_lines(feed: LiveFeed | ManyFeed, printed_messages: set[str], stays: bool) -> int:
    """Prints epochs as they are read, until an interrupt or, unless it stays, all runs are over.

    Adds the messages among these lines to `printed_messages`.

    Raises:
        UserError: sixdim itself failed.
    """
    from sixdim.tui.export.epoch_lines import PrintedRuns
    from sixdim.tui.export.patient_output import PatientOutput, WaitingFrames
    from sixdim.tui.export.printed import printed

    frames = WaitingFrames()
    ended_by: list[int] = []

    def end(number: int, frame: FrameType | None) -> None:
        ended_by.append(number)
        frames.end()

    for ending in ENDINGS:
        signal.signal(ending, end)
    plain, output = PrintedRuns(), PatientOutput(lambda: bool(ended_by))
    with failing_threads(frames.end) as failures:
        try:
            feed.start(frames.put)
            latest = _follow(feed, frames, plain, output, printed_messages, stays)
        finally:
            feed.stop()  # also if the reader of our output has ended: the card is still written
    if failures and not ended_by:
        fault = next((one.fault for one in feed.feeds if one.fault is not None), None)
        raise fault or UserError(f"a fault inside sixdim: {failures[0]}", FAULT)
    if ended_by:
        frames.end()
        latest = _follow(feed, frames, plain, output, printed_messages, stays) or latest
    if ended_by and latest is not None:
        for row in plain.unfinished(latest):
            output.print(row)
    for one in feed.feeds:
        if one.no_card:
            continue
        output.print(printed(one.visible_card(), one.name).removesuffix("\n"))
    return 128 + ended_by[0] if ended_by else DONE


def _follow(
    feed: LiveFeed | ManyFeed,
    frames: WaitingFrames,
    plain: PrintedRuns,
    output: PatientOutput,
    printed_messages: set[str],
    stays: bool,
    monotonic: Callable[[], float] = time.monotonic,
) -> Frame | None:
    """Prints the lines of all frames; returns the last one."""
    latest: Frame | None = None
    printed_s = monotonic()
    while (frame := frames.get()) is not None and not any(one.fault for one in feed.feeds):
        latest = frame
        rows = [*plain.lines(frame)]
        if rows or monotonic() - printed_s >= QUIET_S:
            printed_s = monotonic()
            rows = rows or [*plain.unfinished(frame, goes_on=True)]
        for row in rows:
            output.print(row)
            messages = (run.message for run in frame.each_run())
            printed_messages |= {text for text in messages if row.endswith(text)}
        if not stays and all(run.over for run in frame.each_run()):
            break
    return latest
