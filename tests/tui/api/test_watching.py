"""`sixdim.watch` from Python, over real files that grow."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

import pytest

import sixdim
from sixdim import sample_logs

RUN = sample_logs.path(sample_logs.RUN)


def grow(path: Path, pieces: int = 6, pause: float = 0.15) -> threading.Thread:
    """Writes the sample into a log piece by piece, on a thread of its own."""
    data = RUN.read_bytes()
    size = len(data) // pieces + 1

    def write() -> None:
        with path.open("wb") as log:
            for begin in range(0, len(data), size):
                log.write(data[begin : begin + size])
                log.flush()
                time.sleep(pause)

    writer = threading.Thread(target=write)
    writer.start()
    return writer


def left_over(before: set[threading.Thread]) -> set[str]:
    """Threads of sixdim that were not there before."""
    now = set(threading.enumerate()) - before
    return {one.name for one in now if one.name.startswith("sixdim")}


@pytest.fixture
def before() -> set[threading.Thread]:
    return set(threading.enumerate())


def test_a_growing_log_is_followed_to_its_end(
    tmp_path: Path, before: set[threading.Thread]
) -> None:
    log = tmp_path / "train.log"
    writer = grow(log)
    moments = [*sixdim.watch(log)]
    writer.join()
    assert len(moments) > 1
    assert [moment.over for moment in moments] == [False] * (len(moments) - 1) + [True]
    lines = [moment.lines for moment in moments]
    assert lines == sorted(lines)
    last = moments[-1]
    assert (last.epoch, last.status) == (64, sixdim.Status.CONVERGED)
    assert last.accuracies[-1] == (64, 77.36)
    assert last.card.dimensions == sixdim.score(log).dimensions
    assert left_over(before) == set()


def test_an_event_loop_goes_on_meanwhile(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.01)

    async def follow() -> sixdim.Snapshot:
        beside = asyncio.create_task(tick())
        async for moment in sixdim.watch(log):
            last = moment
        beside.cancel()
        return last

    writer = grow(log)
    last = asyncio.run(follow())
    writer.join()
    assert last.over
    assert last.epoch == 64
    assert ticks > 20


def test_leaving_the_loop_ends_the_thread(tmp_path: Path, before: set[threading.Thread]) -> None:
    log = tmp_path / "train.log"
    log.write_bytes(RUN.read_bytes()[:50_000])
    for moment in sixdim.watch(log):
        assert not moment.over
        break
    assert left_over(before) == set()


def test_closing_from_elsewhere_ends_a_loop_that_waits(tmp_path: Path) -> None:
    watch = sixdim.watch(tmp_path / "never.log")
    threading.Timer(0.5, watch.close).start()
    begin = time.monotonic()
    moments = [*watch]
    assert time.monotonic() - begin < 30
    assert "waiting for never.log" in moments[0].message


def test_a_cancelled_task_leaves_no_thread(tmp_path: Path, before: set[threading.Thread]) -> None:
    async def follow() -> None:
        async for _moment in sixdim.watch(tmp_path / "never.log"):
            pass

    async def both() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(follow(), 0.5)

    asyncio.run(both())
    assert left_over(before) == set()


def test_a_watch_is_looped_over_once(tmp_path: Path) -> None:
    watch = sixdim.watch(tmp_path / "never.log")
    watch.close()
    with pytest.raises(RuntimeError):
        next(iter(watch))


def test_a_source_to_be_polled_is_no_option(tmp_path: Path) -> None:
    with pytest.raises(sixdim.OptionError):
        sixdim.watch(tmp_path / "x.log", telemetry="dcgm:http://127.0.0.1:1/metrics")
