"""A log that is large when the watch begins: read in large pieces, and right between any two."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import count
from pathlib import Path
from types import FrameType

import pytest

from sixdim.metrics.values.card import dumps
from sixdim.parsers.input.follow import Piece
from sixdim.tui.base.clock import Clock
from sixdim.tui.session.live.feed import Frame
from sixdim.tui.session.live.gpus import Gpus
from sixdim.tui.session.live.monitor import LiveFeed
from tests.support.processes.live import REQUEST, Live, card_of

_STEPS = 400


def _epochs(numbers: Iterator[int], size: int, rate: float = 1000.0) -> bytes:
    """So many bytes of whole epochs at least."""
    out: list[str] = ["Namespace(batch_size=256, epochs=9000, model='resnet50', world_size=8)\n"]
    length = 0
    for epoch in numbers:
        lines = [
            f"Epoch: [{epoch}]  [{step:>3}/{_STEPS}]  eta: 0:00:01  lr: 0.1  "
            f"img/s: {rate + step / 7}  loss: {7 - epoch / 1000:.4f} (1.5)  acc1: 0.1 (0.1)  "
            "acc5: 0.2 (0.2)  time: 0.3121  data: 0.001\n"
            for step in range(_STEPS)
        ]
        ending = f"Epoch: [{epoch}] Total time: 0:01:00\n * Acc@1 {epoch / 10:.3f} Acc@5 60.000\n"
        out += [*lines, ending]
        length += sum(map(len, lines))
        if length > size:
            break
    return "".join(out).encode()


@cache
def first_log() -> bytes:
    """The log that is caught up with; written for the processes that need it."""
    return _epochs(count(), 4 << 20)


@cache
def other_log() -> bytes:
    """The log of another run."""
    return _epochs(count(), 3 << 20, rate=500.0)


def _hasty() -> Clock:
    """A clock by which every budget is spent at once: a frame follows every piece."""
    seconds = count(0, 10)
    return Clock(lambda: float(next(seconds)), lambda: time.time_ns() // 1000)


class _Watched(Live):
    """As `Live`, and does something in the middle of the catching up, on the feed's thread."""

    def __init__(self, path: Path, meanwhile: Callable[[], object] = lambda: None) -> None:
        self._meanwhile: Callable[[], object] | None = meanwhile
        super().__init__(path, clock=_hasty())

    def _take(self, frame: Frame) -> None:
        super()._take(frame)
        half = frame.snapshot.bytes > len(first_log()) // 4
        if frame.catching_up is not None and half and self._meanwhile is not None:
            meanwhile, self._meanwhile = self._meanwhile, None
            meanwhile()

    @property
    def interfered(self) -> bool:
        return self._meanwhile is None


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "train.log"
    path.write_bytes(first_log())
    return path


@pytest.mark.slow
def test_every_frame_tells_the_hash_of_the_bytes_it_rests_on(log: Path) -> None:
    with Live(log, clock=_hasty()) as live:
        live.wait_for_bytes(len(first_log()))
        assert live.card() == card_of(first_log())
        frames = [frame for frame in live.frames if frame.snapshot.bytes]
    assert sum(frame.catching_up is not None for frame in frames) >= 2
    for frame in frames:
        read = first_log()[: frame.snapshot.bytes]
        provenance = frame.snapshot.card.provenance
        assert provenance["sha256"] == hashlib.sha256(read).hexdigest()
        assert frame.snapshot.lines == read.count(b"\n")
    shares = [frame.catching_up for frame in frames if frame.catching_up is not None]
    assert shares == sorted(shares)
    assert shares[-1] <= 1


def test_an_old_log_is_not_stalled_while_it_is_read(log: Path) -> None:
    """The pause after its last line says nothing about the lines before."""
    os.utime(log, (time.time() - 1200,) * 2)
    with Live(log, clock=_hasty()) as live:
        live.wait_for_bytes(len(first_log()))
        way = [frame for frame in live.frames if frame.catching_up is not None]
    assert way
    assert {(frame.message, frame.stalled, frame.broken) for frame in way} == {("", False, False)}


@pytest.mark.slow
def test_frames_on_the_way_show_the_card_of_their_bytes(log: Path) -> None:
    with Live(log, clock=_hasty()) as live:
        live.wait_for_bytes(len(first_log()))
        way = [frame for frame in live.frames if frame.catching_up is not None][-2:]
    for frame in way:
        with Live(log.with_name("part.log"), clock=_hasty()) as part:
            log.with_name("part.log").write_bytes(first_log()[: frame.snapshot.bytes])
            seen = part.wait_for_bytes(frame.snapshot.bytes).snapshot
        assert frame.snapshot.epochs == seen.epochs
        assert frame.snapshot.evaluations == seen.evaluations
        assert frame.snapshot.card.dimensions == seen.card.dimensions


@pytest.mark.slow
def test_reading_gives_way_to_the_screen_for_as_long_as_asked(log: Path) -> None:
    feed = LiveFeed(str(log), REQUEST, Clock(), Gpus("none"))
    level = threading.Event()
    begin = time.monotonic()
    feed.pause_reading(0.8)
    feed.start(lambda frame: level.set() if frame.snapshot.bytes == len(first_log()) else None)
    assert level.wait(120)
    assert time.monotonic() - begin >= 0.8
    feed.stop()


@pytest.mark.slow
def test_the_log_grows_meanwhile(log: Path) -> None:
    more = _epochs(count(5000), 1 << 20)

    def write() -> None:
        with log.open("ab") as end:
            end.write(more)

    with _Watched(log, write) as live:
        live.wait_for_bytes(len(first_log() + more))
        assert live.interfered
        assert live.card() == card_of(first_log() + more)


@pytest.mark.slow
def test_a_line_is_cut_where_the_log_ends_for_now(log: Path) -> None:
    cut = len(first_log()) - 1234
    os.truncate(log, cut)
    with _Watched(log) as live:
        live.wait_for_bytes(cut)
        with log.open("ab") as end:
            end.write(first_log()[cut:])
        live.wait_for_bytes(len(first_log()))
        assert live.card() == card_of(first_log())


@pytest.mark.slow
def test_what_was_written_just_before_the_watch_ends_is_on_its_card(log: Path) -> None:
    """As where a script ends the watch in the line after the training."""
    head = first_log().rindex(b" * Acc@1")
    os.truncate(log, head)
    with Live(log, events=False) as live:
        live.wait_for_bytes(head)
        with log.open("ab") as end:
            end.write(first_log()[head:])
        assert live.card() == card_of(first_log())
        assert live.frames[-1].snapshot.bytes == len(first_log())


@pytest.mark.slow
@pytest.mark.parametrize("way", ["replaced", "truncated", "rewritten"])
def test_another_run_takes_its_place_meanwhile(log: Path, way: str) -> None:
    def change() -> None:
        if way == "replaced":
            new = log.with_name("new.log")
            new.write_bytes(other_log())
            new.replace(log)
            return
        if way == "truncated":
            os.truncate(log, 0)
        with log.open("r+b") as begin:
            begin.write(other_log())
            begin.truncate()

    with _Watched(log, change) as live:
        live.wait_for_bytes(len(other_log()))
        assert live.interfered
        assert live.frames[-1].restarts == 1
        assert live.card() == card_of(other_log())


def test_to_quit_meanwhile_leaves_the_card_of_what_was_read(log: Path) -> None:
    with Live(log, clock=_hasty()) as live:
        live.wait(lambda frame: frame.snapshot.bytes > 3 << 20)
        card = json.loads(live.card())
    size = card["provenance"]["bytes"]
    assert 0 < size <= len(first_log())
    assert card["provenance"]["sha256"] == hashlib.sha256(first_log()[:size]).hexdigest()
    assert json.dumps(card) == json.dumps(json.loads(card_of(first_log()[:size])))


def _calls(work: Callable[[], None]) -> int:
    """How many Python functions are called by `work`."""
    calls = 0

    def count_call(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count_call)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


def test_lines_of_a_fast_log_cost_little_however_few_come_at_once() -> None:
    """Pieces of 110 lines, once 3 MiB have come: line by line, a line calls 12 functions."""
    data, size, session = first_log(), 16_384, REQUEST.session("train.log")
    pieces = [Piece(data[begin : begin + size]) for begin in range(0, len(data), size)]
    first, rest = pieces[: (3 << 20) // size], pieces[(3 << 20) // size :]

    def follow(some: list[Piece]) -> None:
        for piece in some:
            session.follow(piece)

    follow(first)
    assert _calls(partial(follow, rest)) < 6 * sum(piece.data.count(b"\n") for piece in rest)
    session.end()
    assert dumps(session.card()) == card_of(data)
