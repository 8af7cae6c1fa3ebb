"""A log read by two processes gives what one gives, also where the second one dies."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from io import BytesIO
from mmap import mmap
from typing import Any

import pytest

from metrics.settings import Settings
from parsers import interpret, ring, scan
from parsers.registry import formats
from parsers.scan import ahead
from parsers.scan.block import Examined, Scanner
from tests.test_scan_equality import dllogger, drawn, eager, read, state, stated, torchvision
from tui.session import Session

SIZE = 16 << 10


@pytest.fixture(autouse=True)
def _scanning(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways are compared here, whichever way the suite runs."""
    monkeypatch.delenv(scan.SWITCH, raising=False)


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bool]]:
    """Lets two processes share small logs; tells of each block whether the second one did it."""
    monkeypatch.setattr(interpret, "TWO_FROM", 0)
    monkeypatch.setattr(ring, "SIZE", SIZE)
    monkeypatch.setattr(scan, "shared", lambda: True)
    said: list[bool] = []
    take = ahead.Ahead.take

    def told(self: ahead.Ahead, offset: int, size: int) -> Examined | None:
        found = take(self, offset, size)
        said.append(found is not None)
        return found

    monkeypatch.setattr(ahead.Ahead, "take", told)
    with eager(SIZE):
        yield said


def shared(data: bytes) -> Session:
    session = Session("train.log", Settings(), formats(), keep=7)
    return session.read(BytesIO(data))


def text(lines: list[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()


@pytest.mark.parametrize("rest", [b"E", b"Epoch: [3]  [ 10", b"x" * (SIZE + 9)])
def test_a_last_line_without_its_end_gives_the_same(rest: bytes, taken: list[bool]) -> None:
    data = text(torchvision(9, 100))
    data = data[: len(data) // SIZE * SIZE]  # the rest is a piece of its own
    data = data[: data.rfind(b"\n") + 1] + rest
    for _ in range(5):
        assert state(shared(data)) == state(read(data, False))
    assert any(taken)


@pytest.mark.parametrize(
    "lines",
    [
        torchvision(12, 120),
        torchvision(9, 100, noise=True),
        dllogger(10, 300),
        drawn("lightning", 1500, 60),
        stated("caffe", 1500, 60),
        stated("timm-csv", 3000, 60),
        stated("perflog", 900, 60),
    ],
    ids=["torchvision", "noisy", "dllogger", "redrawn", "quiet", "table", "clock in JSON"],
)
def test_two_processes_give_what_one_gives(lines: list[str], taken: list[bool]) -> None:
    chance = random.Random(7)
    for _ in range(20):
        lines[chance.randrange(len(lines))] += chance.choice([" é", "\r", "\x1b[0m", " 1", ""])
    data = text(lines)
    assert state(shared(data)) == state(read(data, False))
    assert sum(taken) > len(taken) // 2, "the second process did nothing"


def test_a_second_process_that_dies_is_done_without(
    taken: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    work, parent = Scanner.examine, os.getpid()
    count = 0

    def mortal(self: Scanner, data: memoryview, room: mmap | None = None) -> Examined:
        nonlocal count
        count += 1
        if os.getpid() != parent and count > 9:
            os.kill(os.getpid(), signal.SIGKILL)
        return work(self, data, room)

    monkeypatch.setattr(Scanner, "examine", mortal)
    # The first process leaves all to the second: else it may do every room while that starts.
    monkeypatch.setattr(ahead.Ahead, "_examine_one", lambda self: False)
    data = text(torchvision(20, 120))
    assert state(shared(data)) == state(read(data, False))
    assert any(taken)
    assert not all(taken)


def test_no_process_is_left_behind(taken: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []
    fork = os.fork

    def counted() -> int:
        begun.append(fork())
        return begun[-1]

    monkeypatch.setattr(os, "fork", counted)

    class Cut(BytesIO):
        def readinto(self, room: Any, /) -> int:
            if self.tell() > len(self.getvalue()) // 2:
                raise OSError("the disk is gone")
            return super().readinto(room)

    with pytest.raises(OSError, match="gone"):
        Session("train.log", Settings(), formats()).read(Cut(text(dllogger(10, 300))))
    shared(text(dllogger(10, 300)))
    assert any(taken)
    assert len(begun) >= 2
    for child in begun:
        with pytest.raises(ProcessLookupError):
            os.kill(child, 0)
