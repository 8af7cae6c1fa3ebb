"""`sixdim.watch`: snapshots of a log that grows, as an iterator or an asynchronous one."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Unpack

from sixdim.metrics.values.card import Status
from sixdim.metrics.values.points import EvaluationPoint
from sixdim.tui.api.card import Card
from sixdim.tui.api.errors import OptionError, typed_errors
from sixdim.tui.api.options import Options, Path, named_logs, named_paths, request_of
from sixdim.tui.base.card_file import check_growing
from sixdim.tui.base.clock import Clock
from sixdim.tui.session.live.feed import Frame
from sixdim.tui.session.live.gpus import Gpus
from sixdim.tui.session.live.monitor import LiveFeed

if TYPE_CHECKING:
    from sixdim.tui.session.request import Request

_LOOK_S = 0.5
"""Longest wait in seconds, so that Python can handle an interrupt."""


@dataclass(frozen=True)
class Snapshot:
    """One moment of a run that is watched.

    Attributes:
        card: The card as of now; every figure has a state that says how final it is.
        provisional: Whether another format may still turn out to be the log's.
        message: One line about the log itself, such as `waiting for train.log`.
        over: Whether the run's closing line, or the end of the input, was read.
        status: The status of the run.
        epoch: Label of the current epoch; None before the first, and in a run counted in steps.
        epochs_planned: Epochs that are planned, if the log says so.
        step: Step within the epoch, or of the run.
        steps: Steps in the epoch, or of the run; None if unknown.
        elapsed_s: Seconds of training so far, by the log's own clock.
        throughput: Throughput of the last progress line, in `unit`.
        unit: Unit of `throughput`; may be empty.
        loss: Training loss of the last progress line.
        lines: Lines read so far.
    """

    card: Card
    provisional: bool
    message: str
    over: bool
    status: Status
    epoch: int | None
    epochs_planned: int | None
    step: int | None
    steps: int | None
    elapsed_s: float | None
    throughput: float | None
    unit: str
    loss: float | None
    lines: int
    _evaluations: tuple[EvaluationPoint, ...]

    @cached_property
    def accuracies(self) -> tuple[tuple[int | None, float], ...]:
        """(epoch, value) of the accuracy metric at each evaluation so far."""
        return tuple((point.epoch, point.value) for point in self._evaluations)

    def __repr__(self) -> str:
        """Returns one line with the status of the run."""
        at = f" epoch {self.epoch}" if self.epoch is not None else ""
        at += f" step {self.step}" if self.step is not None else ""
        return f"<sixdim.Snapshot {self.card.provenance['log']}: {self.status}{at}>"

    def _repr_html_(self) -> str:
        """Returns the card's table for notebooks."""
        return self.card._repr_html_()


class Watch:
    """Snapshots of a growing log, until its run is over: `for`, or `async for`.

    A consumer that is slower than the log gets the newest snapshot; none are queued. Reading
    happens on a thread of its own, which ends with the loop, with `close`, or with a `with` block.
    """

    def __init__(self, log: str, request: Request, gpus: Gpus) -> None:
        clock = Clock()
        self._feed = LiveFeed(log, request, clock, gpus, keep=0)
        self._changed = threading.Condition()
        self._frame: Frame | None = None
        self._state = "new"

    def __iter__(self) -> Iterator[Snapshot]:
        """Yields each snapshot that differs from the one before; the last one is `over`."""
        self._start()
        try:
            while True:
                with self._changed:
                    while self._frame is None and self._state == "open" and not self._feed.fault:
                        self._changed.wait(_LOOK_S)
                    frame, self._frame = self._frame, None
                if self._feed.fault is not None:
                    raise self._feed.fault
                if frame is None:
                    return
                yield _snapshot(frame)
                if frame.over:
                    return
        finally:
            self.close()

    async def __aiter__(self) -> AsyncIterator[Snapshot]:
        """Yields the same snapshots without blocking the event loop."""
        import asyncio

        loop = asyncio.get_running_loop()
        snapshots = iter(self)
        ended = object()
        try:
            while (found := await loop.run_in_executor(None, next, snapshots, ended)) is not ended:
                assert isinstance(found, Snapshot)
                yield found
        finally:
            self.close()

    def close(self) -> None:
        """Ends reading; a loop over the snapshots ends, too. A second call does nothing."""
        with self._changed:
            before, self._state = self._state, "closed"
            self._changed.notify_all()
        if before == "open":
            self._feed.stop()

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _start(self) -> None:
        with self._changed:
            if self._state != "new":
                raise RuntimeError("a watch can be looped over once")
            self._state = "open"
        self._feed.start(self._publish)

    def _publish(self, frame: Frame) -> None:
        with self._changed:
            self._frame = frame
            self._changed.notify_all()


def watch(log: str | os.PathLike[str], **options: Unpack[Options]) -> Watch:
    """Follows a log that grows, or does not exist yet, until its run is over.

    No GPU is polled and nothing is written; `telemetry=` names recordings that grow beside the log.
    A run that ends without a closing line is never over: leave the loop, or look at `message`.

    Args:
        log: A log, or a folder of ranks that log by themselves.
        **options: As `score` takes them.

    Raises:
        LogError: A file that is named cannot be read.
        OptionError: An option cannot be read.
    """
    recorded = options.pop("telemetry", ())
    with typed_errors():
        (path,), request = request_of(options).of_logs(named_logs([log]))
        check_growing([path])
        return Watch(path, request, _gpus(recorded))


def _gpus(recorded: Path | Sequence[Path]) -> Gpus:
    from sixdim.parsers.telemetry.choose import is_live
    from sixdim.tui.session.live.recordings_followed import FollowedRecordings

    named = named_paths(recorded)
    if not named:
        return Gpus("GPUs are not polled")
    if any(map(is_live, named)):
        raise OptionError("telemetry: name recordings; a source is polled by sixdim watch")
    return FollowedRecordings(named, time.monotonic)


def _snapshot(frame: Frame) -> Snapshot:
    shot, progress = frame.snapshot, frame.snapshot.progress
    return Snapshot(
        card=Card(shot.card),
        provisional=shot.provisional,
        message=frame.message,
        over=frame.over,
        status=shot.card.status,
        epoch=progress.epoch,
        epochs_planned=progress.epochs_planned,
        step=progress.step,
        steps=progress.steps,
        elapsed_s=progress.elapsed,
        throughput=progress.throughput,
        unit=shot.card.run["unit"],
        loss=progress.loss,
        lines=shot.lines,
        _evaluations=shot.evaluations,
    )
