"""A look through a log, from another process: counts, pages, expressions that take for ever."""

from __future__ import annotations

import os
import queue
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sixdim.tui.search.lookup import Lookup
from sixdim.tui.search.page import PageRow, SearchPage
from sixdim.tui.search.query import Query
from sixdim.tui.search.text import FileText, LatestText, LogText

PATIENCE = 60.0


class Looking:
    """A look, and what came of it."""

    def __init__(self, open_text: Callable[[], LogText], query: Query, height: int = 5) -> None:
        self.pages: queue.Queue[SearchPage] = queue.Queue()
        self.rows: tuple[PageRow, ...] = ()
        self.page = SearchPage()
        self.lookup = Lookup(open_text, query, self.pages.put)
        self.lookup.order("resize", height)

    def wait(self, seen: Callable[[SearchPage], bool]) -> SearchPage:
        until = time.monotonic() + PATIENCE
        while not seen(self.page):
            self.page = self.pages.get(timeout=max(0.01, until - time.monotonic()))
            if self.page.rows is not None:
                self.rows = self.page.rows
        return self.page

    def numbers(self) -> list[int]:
        return [row.number for row in self.rows]

    def current(self) -> list[int]:
        return [row.number for row in self.rows if row.current]


@contextmanager
def looking(path: Path, only: str = "", wanted: str = "") -> Iterator[Looking]:
    look = Looking(lambda: FileText(os.open(path, os.O_RDONLY)), Query(only, wanted))
    look.lookup.grow(path.stat().st_size, (), ended=True)
    try:
        yield look
    finally:
        look.lookup.close()


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A thousand lines; each hundredth has a mark."""
    lines = [f"line {n}{' MARK' if n % 100 == 0 else ''} of it\n" for n in range(1, 1001)]
    path = tmp_path / "train.log"
    path.write_text("".join(lines))
    return path


def test_matches_one_by_one_with_the_lines_around_them(log: Path) -> None:
    with looking(log, wanted="mark") as look:
        look.lookup.order("find", -1)
        assert look.wait(lambda page: page.rank == 10).hits == 10
        assert look.current() == [1000]
        look.lookup.order("find", -1)
        look.wait(lambda page: page.rank == 9)
        assert look.current() == [900] and look.numbers() == [899, 900, 901, 902, 903]
        look.lookup.order("find", 1)
        look.lookup.order("find", 1)
        assert look.wait(lambda page: page.rank == 1).wrapped
        assert look.current() == [100]
        look.lookup.order("find", -1)
        assert look.wait(lambda page: page.rank == 10).wrapped


def test_a_search_goes_on_from_what_was_scrolled_to(log: Path) -> None:
    with looking(log, wanted="mark") as look:
        look.lookup.order("show_from", 350)
        look.wait(lambda page: page.rows is not None and not page.at_end)
        assert look.numbers() == [350, 351, 352, 353, 354]
        look.lookup.order("find", 1)
        look.wait(lambda page: page.rank == 4)
        look.lookup.order("move", -30)
        look.wait(lambda page: look.numbers()[0] == 369)
        look.lookup.order("find", -1)
        look.wait(lambda page: page.rank == 3)


def test_lines_stay_above_a_requested_one_when_the_panel_gets_its_height(log: Path) -> None:
    with looking(log, wanted="mark") as look:
        look.lookup.order("resize", 1)
        look.lookup.order("go_to", 601)
        look.wait(lambda page: look.numbers() == [601])
        look.lookup.order("resize", 6)
        look.wait(lambda page: look.numbers() == [599, 600, 601, 602, 603, 604])
        assert look.current() == [601]
        look.lookup.order("find", 1)
        look.wait(lambda page: look.current() == [600, 601])
        look.lookup.order("find", 1)
        look.wait(lambda page: look.current() == [700])
        look.lookup.order("resize", 3)
        look.wait(lambda page: look.numbers() == [699, 700, 701])
        assert look.current() == [700]
        look.lookup.order("move", 10)
        look.wait(lambda page: look.numbers() == [709, 710, 711])
        look.lookup.order("resize", 4)
        look.wait(lambda page: look.numbers() == [709, 710, 711, 712])


def test_scrolling_ends_at_the_ends(log: Path) -> None:
    with looking(log) as look:
        look.lookup.order("go_to", 500, 501)
        look.wait(lambda page: not page.at_end and page.rows is not None)
        assert look.current() == [500, 501] and look.numbers()[0] == 499
        look.lookup.order("move", -700)
        look.wait(lambda page: look.numbers()[0] == 1)
        look.lookup.order("move", 5000)
        assert look.wait(lambda page: page.at_end)
        assert look.numbers() == [996, 997, 998, 999, 1000]


def test_what_is_written_is_searched_too(log: Path) -> None:
    with looking(log, only="mark") as look:
        look.wait(lambda page: page.displayed == 10 and page.share == 1)
        assert look.numbers() == [600, 700, 800, 900, 1000]
        with log.open("a") as file:
            file.write("more\nline 1002 MARK\nhalf a MARK")
        look.lookup.grow(log.stat().st_size, (), ended=False)
        look.wait(lambda page: page.displayed == 11)
        assert look.numbers() == [700, 800, 900, 1000, 1002]
        look.lookup.grow(log.stat().st_size, (), ended=True)
        look.wait(lambda page: page.displayed == 12)
        assert look.numbers()[-1] == 1003


def test_an_expression_that_takes_for_ever_ends_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_text("fine\n" * 41 + "a" * 60 + "b\n")
    with looking(path, wanted="/(a|aa)+$/") as look:
        begin = time.monotonic()
        page = look.wait(lambda page: bool(page.error))
        assert "takes too long" in page.error and "\n" not in page.error
        assert time.monotonic() - begin < PATIENCE


def test_what_is_asked_before_the_size_of_the_log_is_known_waits_for_it(log: Path) -> None:
    look = Looking(lambda: FileText(os.open(log, os.O_RDONLY)), Query("", "MARK"))
    look.lookup.order("find", -1)
    with pytest.raises(queue.Empty):
        look.pages.get(timeout=1.0)
    look.lookup.grow(log.stat().st_size, (), ended=True)
    look.wait(lambda page: page.share == 1.0 and bool(page.rows))
    assert look.current() == [1000]
    look.lookup.close()


def test_an_order_after_the_search_has_ended_changes_nothing(log: Path) -> None:
    with looking(log, wanted="/[a-/") as look:
        assert "not an expression" in look.wait(lambda page: bool(page.error)).error
        process, until = look.lookup._process, time.monotonic() + PATIENCE
        assert process is not None and process.stdin is not None
        while not process.stdin.closed:
            assert time.monotonic() < until
            time.sleep(0.01)
        look.lookup.order("resize", 8)
        assert look.pages.empty()


def test_a_look_that_is_closed_leaves_no_process(log: Path) -> None:
    with looking(log, wanted="mark") as look:
        look.wait(lambda page: page.share == 1)
        process = look.lookup._process
        assert process is not None
    assert process.wait(PATIENCE) != 0 and look.pages.empty()


def test_a_log_that_became_shorter_must_be_looked_through_anew(log: Path) -> None:
    with looking(log, wanted="mark") as look:
        look.wait(lambda page: page.share == 1)
        assert look.lookup.grow(log.stat().st_size + 1, (), ended=False)
        assert not look.lookup.grow(10, (), ended=False)


def test_the_latest_lines_of_a_pipe_and_those_that_come() -> None:
    lines = [(n, f"line {n}{' MARK' if n % 10 == 0 else ''}") for n in range(500, 600)]
    look = Looking(lambda: LatestText(lines, "latest lines only"), Query("", "mark"))
    look.lookup.grow(0, lines, ended=False)
    look.lookup.order("find", -1)
    assert look.wait(lambda page: page.rank == 10).hits == 10
    assert look.current() == [590] and look.lookup.part == "latest lines only"
    # A bar was drawn over on line 603, and line 601 is blank.
    lines = [*lines[3:], (600, "MARK"), (603, "a"), (603, "b MARK"), (604, "c")]
    look.lookup.grow(0, lines, ended=False)
    assert look.wait(lambda page: page.hits == 12)
    look.lookup.order("find", 1)
    look.lookup.order("find", 1)
    look.wait(lambda page: page.rank == 12)
    assert [row.text for row in look.rows if row.current] == ["b MARK"]
    assert look.current() == [603]
    look.lookup.close()


def test_a_page_that_the_end_of_the_process_cut_off_is_no_page(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = "import pickle, sys; sys.stdout.buffer.write(pickle.dumps((0.5, 'a line'))[:-5])"
    monkeypatch.setattr("sixdim.tui.search.lookup._START", cut)
    with looking(log, wanted="MARK") as look:
        assert look.wait(lambda page: bool(page.error)).error == "the search ended before its time"
