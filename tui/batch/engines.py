"""Chooses where many logs are read: on the cores of this machine, or on a cluster."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError
from sixdim.tui.batch.log_figures import Engine, Figures, Job, Note, died, read_log
from sixdim.tui.batch.log_paths import find_logs, is_url

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

_FEW = 3
"""Most logs that are read without further processes."""


def engine_of(args: argparse.Namespace) -> Engine:
    """Returns the engine that the flags choose.

    Raises:
        UserError: Its packages are not installed.
    """
    if args.dask is None:
        return Cores()
    from sixdim.tui.batch.cluster import DaskCluster

    return DaskCluster(args.dask)


def read_logs(jobs: Sequence[Job], engine: Engine) -> list[Figures]:
    """Reads the logs; prints the progress on standard error.

    It is one changing line on a terminal, else a few lines.
    """
    total = len(jobs)
    live = sys.stderr.isatty() and total > _FEW
    every = 1 if live else max(1, total // 4)
    read: dict[int, Figures] = {}

    def note(text: str) -> None:
        print(f"{chr(10) if live else ''}sixdim: {text}", file=sys.stderr, flush=True)

    def say_progress() -> None:
        begin, end = "\r" if live else "", "" if live and len(read) < total else "\n"
        print(f"{begin}read {len(read)} of {total} logs", end=end, file=sys.stderr, flush=True)

    if live:
        say_progress()
    for number, figures in engine.read(jobs, note):
        read[number] = figures
        if total > _FEW and (len(read) == total or len(read) % every == 0):
            say_progress()
    return [read[number] for number in sorted(read)]


class Cores:
    """Reads logs on this machine, on all cores if there are more than a few logs."""

    def find(self, roots: Sequence[str]) -> list[str]:
        """See `Engine.find`."""
        for root in filter(is_url, roots):
            raise UserError(f"{label(root, 200)} is read by a cluster: --dask ADDRESS")
        return find_logs(roots)

    def read(self, jobs: Sequence[Job], note: Note) -> Iterator[tuple[int, Figures]]:
        """See `Engine.read`."""
        if len(jobs) <= _FEW:
            yield from enumerate(map(read_log, jobs))
            return
        from concurrent.futures.process import BrokenProcessPool

        left, cores = dict(enumerate(jobs)), len(os.sched_getaffinity(0))
        while left:
            try:
                for number, figures in _together(left, cores):
                    del left[number]
                    yield number, figures
            except BrokenProcessPool:
                # A log has killed its process. Each log in work is read by itself to find it.
                for number in list(left)[: 2 * cores + 1]:
                    yield number, _by_itself(left.pop(number))


def _together(jobs: Mapping[int, Job], cores: int) -> Iterator[tuple[int, Figures]]:
    from concurrent.futures import as_completed

    with _readers(min(cores, len(jobs))) as pool:
        with _uninterrupted():
            futures = {pool.submit(read_log, job): number for number, job in jobs.items()}
        for future in as_completed(futures):
            yield futures.pop(future), future.result()


def _by_itself(job: Job) -> Figures:
    from concurrent.futures.process import BrokenProcessPool

    try:
        ((_, figures),) = _together({0: job}, 1)
    except BrokenProcessPool:
        return died(job)
    return figures


@contextmanager
def _readers(count: int) -> Iterator[ProcessPoolExecutor]:
    """Starts `count` processes that read logs, and ends them if the reading ends early."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children, get_context

    before = active_children()
    # Forked also from Python 3.14 on: a fork server would import the caller's script again.
    pool = ProcessPoolExecutor(count, get_context("fork"), initializer=_begin_reader)
    try:
        yield pool
    except BaseException:  # an interrupt that they may not have received; their logs may never end
        for child in active_children():
            if child not in before:
                child.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Defers an interrupt while the processes start.

    Before a process has set its signal handlers, Python would raise KeyboardInterrupt in its
    start-up code, which may ignore it. The process would go on, and this one would wait for it.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_reader() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # ends silently; the command prints the message
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
