"""What is left of a large log, read with a second process, gives what one process gives."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from sixdim.metrics.values.settings import Settings
from sixdim.parsers.input.source import LogFile
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.large import read_rest
from sixdim.tui.session.reading import read_whole
from sixdim.tui.session.session import Session
from tests.support.inputs.generated import dllogger, state, torchvision

FIRST = 60_000


class Killing(LogFile):
    """A log that ends all child processes when it has been read from a few times."""

    left = 5

    def readinto(self, buffer: memoryview) -> int:
        self.left -= 1
        if self.left == 0:
            children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
            for child in children:
                os.kill(int(child), signal.SIGKILL)
        return super().readinto(buffer)


def both(path: Path, log: LogFile, size: int) -> tuple[Session, Session]:
    """Sessions that read a log with a second process, and line by line."""
    made = [Session("train.log", Settings(), formats()) for _ in range(2)]
    two, one = made
    two.by_blocks(least=1, together=3)
    assert two.interpreter.blocks is not None
    for _ in range(3):
        two.feed(log.read(FIRST))
    read_rest(two, two.interpreter.blocks, log, size)
    one.feed(path.read_bytes())
    for session in made:
        session.end()
    return two, one


@pytest.mark.parametrize(
    ("end", "kind"),
    [
        *((end, LogFile) for end in ("\n", "", "x" * 80_000 + "\n", "\n\n")),
        ("\n", Killing),
    ],
)
@pytest.mark.parametrize("lines", [torchvision(40, 100), dllogger(40, 100)])
def test_two_processes_give_what_one_gives(
    tmp_path: Path, lines: list[str], end: str, kind: type[LogFile]
) -> None:
    path = tmp_path / "train.log"
    half = len(lines) // 2
    path.write_text("\n".join(lines[:half]) + "\n" + end + "\n".join(lines[half:]) + end)
    two, one = both(path, kind(str(path)), 1 << 15)
    assert two.interpreter.sha256 == one.interpreter.sha256
    assert state(two) == state(one)


def test_the_second_process_ends_with_the_log(tmp_path: Path) -> None:
    path = tmp_path / "train.log"
    path.write_text("\n".join(torchvision(40, 100)))
    before = processes()
    both(path, LogFile(str(path)), 1 << 15)
    assert processes() <= before


def test_one_process_does_not_start_its_hashing_thread_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIXDIM_BLOCKS", "alone")
    path = tmp_path / "train.log"
    path.write_text("\n".join(torchvision(60, 300)))
    ended: list[Session] = []
    session = Session("train.log", Settings(), formats())
    session.expect(32 << 20)
    monkeypatch.setattr(session, "end_threads", lambda: ended.append(session))
    read_whole(session, LogFile(str(path)))
    assert session.interpreter.blocks is not None
    assert session.interpreter.blocks.has_forms
    assert not ended


def processes() -> set[str]:
    """Those that this process started and that are not over."""
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    return set(children.read_text().split()) if children.exists() else set()
