"""Searching a whole log on a real terminal, while it grows, is rotated or is written anew."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from tests.support.processes.pty_session import Session, Terminal

WATCH = """
import sys
from sixdim.tui.cli import main
sys.exit(main({arguments!r}))
"""
SIZES = [
    pytest.param((80, 24), id="80x24"),
    pytest.param((160, 48), id="160x48", marks=pytest.mark.slow),
]


def line(number: int) -> str:
    """A line of a log in the shape of torchvision's scripts; each thousandth has a mark."""
    epoch, step = divmod(number - 1, 100)
    mark = "  RARE" if number % 1000 == 0 else ""
    return (
        f"Epoch: [{epoch}]  [{step:3d}/100]  eta: 0:00:10  lr: 0.1  img/s: {4000 + number % 90}.5  "
        f"loss: {5 - number / 5000:.4f}  time: 0.0250  data: 0.001{mark}\n"
    )


class Watching:
    """`sixdim watch` on a terminal over a log of 6,000 lines."""

    def __init__(self, log: Path, columns: int, rows: int) -> None:
        self.log = log
        arguments = ["watch", str(log), "--no-gpus", "--no-bell"]
        env = {"XDG_STATE_HOME": str(log.parent), "HOME": str(log.parent)}
        self.session = Session(WATCH.format(arguments=arguments), columns, rows, env)
        self.terminal = Terminal(self.session)

    def type(self, keys: str) -> None:
        self.session.send(keys)

    def sees(self, text: str) -> None:
        """Waits until a text is on the screen."""
        seen = partial(self.terminal.shows, text)
        assert self.session.wait_for(seen), (text, "\n".join(self.terminal.rows()))

    def sees_not(self, text: str) -> None:
        gone = self.session.wait_for(lambda: not self.terminal.shows(text))
        assert gone, (text, "\n".join(self.terminal.rows()))

    def seconds_for_help(self) -> float:
        """The longest of three times from the key for help to its page."""
        slowest = 0.0
        for _ in range(3):
            begin = time.monotonic()
            self.type("?")
            self.sees("Pause the replay")
            slowest = max(slowest, time.monotonic() - begin)
            self.type("\x1b")
            self.sees_not("Pause the replay")
        return slowest

    def write(self, text: str) -> None:
        with self.log.open("a") as file:
            file.write(text)


@pytest.fixture(params=SIZES)
def watching(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Watching]:
    log = tmp_path / "train.log"
    log.write_text("".join(map(line, range(1, 6001))))
    watching = Watching(log, *request.param)
    watching.sees("epoch 59")
    yield watching
    assert watching.session.quit() == 0


def test_a_search_reads_the_whole_log_and_goes_on_while_it_grows(watching: Watching) -> None:
    watching.type("/rar")
    watching.sees("search the log: rar")
    watching.type("e\r")
    watching.sees("6 of 6")
    watching.sees("  6000> ")
    watching.type("N")
    watching.sees("5 of 6")
    watching.sees("  5000> ")
    watching.sees("  4999  ")
    watching.sees("  5001  ")
    watching.write("".join(map(line, range(6001, 7001))))
    watching.sees("5 of 7")
    watching.sees("  5000> ")
    watching.sees("epoch 69")  # the panels show the run as it goes on
    watching.type("nn")
    watching.sees("7 of 7")
    watching.sees("  7000> ")
    watching.type("n")
    watching.sees("1 of 7")
    watching.sees("  1000> ")
    watching.type("\x1b")
    watching.sees_not("1 of 7")
    watching.sees("  1000  ")
    watching.type("\x1b[F")
    watching.sees("  7000  ")


def test_a_filter_shows_its_lines_alone_and_follows_the_log(watching: Watching) -> None:
    watching.type("&RARE")
    watching.sees("only lines with: RARE")
    watching.type("\r")
    watching.sees("Log, only lines with RARE")
    watching.sees("6 of 6,000 lines")
    for number in range(1000, 7000, 1000):
        watching.sees(f"  {number}  ")
    watching.sees_not("  5999  ")
    watching.write("".join(map(line, range(6001, 7001))))
    watching.sees("7 of 7,000 lines")
    watching.sees("  7000  ")
    watching.type("&\r")
    watching.sees_not("only lines with RARE")
    watching.sees("  6999  ")


@pytest.mark.slow
def test_a_log_that_is_written_anew_or_rotated_is_searched_anew(watching: Watching) -> None:
    watching.type("/RARE\r")
    watching.sees("6 of 6")
    watching.log.write_text("".join(map(line, range(1, 2101))))
    watching.sees("2 matches")
    watching.type("N")
    watching.sees("  2000> ")
    watching.log.rename(watching.log.with_suffix(".log.1"))
    watching.write("".join(map(line, range(6001, 9001))))
    watching.sees("since it was rotated")
    watching.sees("3 matches")
    watching.type("N")
    watching.sees("  5100> ")  # the lines of both files are counted
    watching.type("N")
    watching.sees("  4100> ")


@pytest.mark.slow
def test_an_expression_that_takes_for_ever_holds_no_key(watching: Watching) -> None:
    watching.write("a" * 60 + "b\n")
    usual = watching.seconds_for_help()
    watching.type("//(a|aa)+$/")
    watching.sees("search the log: /(a|aa)+$/")
    watching.type("\r")
    watching.sees_not("search the log:")
    slowest = watching.seconds_for_help()
    assert slowest < 2.0 + 3 * usual, "a busy machine, but not one that waits for the expression"
    watching.sees_not("/(a|aa)+$/")
    watching.type("//(a|aa)+$/")
    watching.sees("search the log: /(a|aa)+$/")
    watching.type("\r")
    watching.sees("the expression takes too long near line ")


@pytest.mark.slow
def test_lines_before_the_latest_are_reached_by_scrolling_and_from_a_chart(
    watching: Watching,
) -> None:
    watching.type("l" if watching.session.columns == 80 else "")
    watching.sees("  6000  ")
    for _ in range(45):
        watching.type("\x1b[5~")
    watching.sees("  5550  ")
    watching.type("\x1b[F")
    watching.sees("  6000  ")
    if watching.session.columns == 80:
        watching.type("2")
        watching.sees("[2 Charts]")
    watching.type("i\x1b[D\x1b[D")
    watching.sees("epoch 56: ")
    watching.type("L")
    watching.sees("  5601> ")
    watching.sees("  5602> ")
    watching.sees("  5600  ")
    watching.sees("L goes back")
    watching.type("\x1b")
    watching.sees_not("  5601> ")
    watching.sees("epoch 56: ")
    watching.type("\x1b[D")
    watching.sees("epoch 55: ")


@pytest.mark.slow
def test_a_search_costs_nothing_once_it_is_done_and_no_process_stays(watching: Watching) -> None:
    assert not processes_of(watching.session.pid)
    watching.type("/RARE\r")
    watching.sees("6 of 6")
    assert watching.session.settle(1.0), "nothing is sent while nothing changes"
    (searching,) = processes_of(watching.session.pid)
    used = ticks(searching)
    time.sleep(1.0)
    assert ticks(searching) == used
    watching.type("\x1b\x1b[F")
    assert watching.session.wait_for(lambda: not processes_of(watching.session.pid))


def processes_of(pid: int) -> list[str]:
    """Processes that any thread of a process started."""
    found: list[str] = []
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(FileNotFoundError):  # the thread has ended meanwhile
            found += (thread / "children").read_text().split()
    return found


def ticks(pid: str) -> int:
    """What a process has computed so far."""
    user, system = Path(f"/proc/{pid}/stat").read_text().split()[13:15]
    return int(user) + int(system)
