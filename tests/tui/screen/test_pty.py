"""The app on a real terminal: what arrives there byte for byte."""

from __future__ import annotations

import os
import re
import signal
from functools import partial

import pyte
import pytest

from tests.support.processes.pty_session import Session, Terminal
from tests.support.screens import HOSTILE

START = """
import sys
from tests.support.screens import *
app = SixdimApp({feed})
app.run()
sys.exit(app.return_code or 0)
"""


def test_no_byte_of_a_hostile_log_acts_on_the_terminal() -> None:
    session = Session(START.format(feed="ScriptedFeed([hostile_frame()])"))
    assert session.read_until("Scorecard")
    for keys in ("l", "e", "z", "\x1b", "r", "?", "q", "/[/x]\r"):
        session.send(keys)
        session.read_for(0.2)
    assert session.quit() == 0
    for payload in ("\x1b]52", "\x1b]0;pwn", "\x9b31m", "ZXZpbA", "pwn"):
        assert payload in HOSTILE
        assert payload.encode() not in session.output, payload


def test_quick_keys_close_no_more_than_a_dialog() -> None:
    session = Session(START.format(feed="ScriptedFeed([frame_at(65, frozen=True)])"))
    assert session.read_until("Scorecard")
    assert session.settle(0.3)
    for keys in ("???", "\r\r", "mm", "M?", "\x10\x10"):
        session.send(keys)
        session.read_for(0.02)
        session.send("qqq" if keys != "mm" else "\x1b")
        session.read_for(0.3)
    assert session.painted()
    assert session.quit() == 0


def test_each_of_several_resizes_brings_the_arrangement_of_its_own_size() -> None:
    session = Session(START.format(feed="ScriptedFeed([frame_at(34)])"))
    assert session.read_until("Scorecard")
    screen = pyte.Screen(120, 40)
    stream, fed = pyte.ByteStream(screen), 0

    def shows(mark: str) -> bool:
        nonlocal fed
        stream.feed(session.output[fed:])
        fed = len(session.output)
        return mark in "\n".join(screen.display)

    small, tiny, whole = ("[1 Overview]", "Scorecard"), ("-> acc1>75.9",), ("Throughput",)
    for size, marks in (((80, 24), small), ((40, 8), tiny), ((120, 40), whole)):
        shows("")
        session.resize(*size)
        screen.resize(*reversed(size))
        for mark in marks:
            assert session.wait_for(partial(shows, mark), seconds=30.0), (size, screen.display)
    assert session.quit() == 0


TICKING = """
class Ticking(ScriptedFeed):
    def start(self, publish):
        publish(frame_at(34))
        def again(number, where):
            shot = frame_at(34).snapshot
            progress = replace(shot.progress, throughput=4952.75)
            publish(replace(frame_at(34), snapshot=replace(shot, progress=progress)))
        import signal
        signal.signal(signal.SIGUSR1, again)
"""


@pytest.mark.slow
@pytest.mark.parametrize("colours", ["truecolor", "256", "standard"])
def test_one_changed_number_costs_only_itself(colours: str) -> None:
    code = START.replace("app = ", TICKING + "app = ").format(feed="Ticking([])")
    session = Session(code, env={"TEXTUAL_COLOR_SYSTEM": colours})
    assert session.read_until("Scorecard")
    assert session.settle(1.0)
    begin = len(session.output)
    os.kill(session.pid, signal.SIGUSR1)
    assert session.wait_for(lambda: re.search(rb"2\.[78]", session.output[begin:]) is not None)
    assert session.settle(0.5)
    sent = session.output[begin:]
    assert len(sent) < 100, sent
    assert session.quit() == 0


COLOURS = {
    b"%d" % code for code in (*range(30, 39), *range(40, 49), *range(90, 98), *range(100, 108))
}


def test_no_color_sends_no_colour() -> None:
    session = Session(START.format(feed="ScriptedFeed([frame_at(34)])"), env={"NO_COLOR": "1"})
    assert session.read_until("Scorecard")
    assert session.settle(0.3)
    styles = re.findall(rb"\x1b\[([0-9;]*)m", session.output)
    assert styles, "bold and dim remain"
    assert not {code for style in styles for code in style.split(b";")} & COLOURS
    assert session.quit() == 0


STEPPING = """
class Stepping(ScriptedFeed):
    def start(self, publish):
        import asyncio, signal
        epochs = iter(range(34, 90))
        def again():
            publish(frame_at(next(epochs)))
        # The loop wakes up whichever thread the system hands the signal to.
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, again)
        again()
"""


@pytest.mark.slow
def test_what_was_sent_bit_by_bit_is_the_picture_that_is_sent_at_once() -> None:
    code = START.replace("app = ", STEPPING + "app = ").format(feed="Stepping([])")
    session = Session(code, columns=160, rows=48)
    terminal = Terminal(session)
    assert session.wait_for(lambda: terminal.shows("epoch 34"))
    for epoch in (35, 36, 37):
        os.kill(session.pid, signal.SIGUSR1)
        assert session.wait_for(partial(terminal.shows, f"epoch {epoch}"))
    assert session.settle(0.5)
    bit_by_bit, begin = terminal.cells(), len(session.output)
    session.send("\x0c")
    assert session.wait_for(lambda: len(session.output) - begin > 160 * 48)
    assert session.settle(0.5)
    assert terminal.cells() == bit_by_bit
    assert session.quit() == 0


@pytest.mark.slow
def test_a_frame_that_comes_after_a_dialog_is_there_once_it_is_closed() -> None:
    code = START.replace("app = ", STEPPING + "app = ").format(feed="Stepping([])")
    session = Session(code, columns=160, rows=48)
    terminal = Terminal(session)
    assert session.wait_for(lambda: terminal.shows("epoch 34"))
    session.send("?")
    assert session.wait_for(lambda: terminal.shows("Suspend; fg"))
    assert session.settle(0.5)
    dialog = [row for row in terminal.cells() if "Suspend; fg" in "".join(c.data for c in row)]
    os.kill(session.pid, signal.SIGUSR1)
    assert session.settle(0.5)
    after = [row for row in terminal.cells() if "Suspend; fg" in "".join(c.data for c in row)]
    assert after == dialog
    session.send("\x1b")
    assert session.wait_for(lambda: terminal.shows("epoch 35"))
    assert session.quit() == 0


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40)])
def test_what_is_typed_at_a_prompt_is_seen_and_the_panels_stay(columns: int, rows: int) -> None:
    code = START.replace("app = ", STEPPING + "app = ").format(feed="Stepping([])")
    session = Session(code, columns=columns, rows=rows)
    terminal = Terminal(session)
    assert session.wait_for(lambda: terminal.shows("epoch 34"))
    assert session.settle(0.5)
    before = terminal.rows()
    session.send("/img/s: 49")
    assert session.wait_for(lambda: "search the log: img/s: 49" in terminal.rows()[-1])
    assert session.settle(0.3)
    assert terminal.rows()[:-1] == before[:-1]
    os.kill(session.pid, signal.SIGUSR1)
    assert session.wait_for(lambda: terminal.shows("epoch 35")), "the panels live on after it"
    assert "search the log: img/s: 49" in terminal.rows()[-1]
    session.send("\x1b")
    assert session.wait_for(lambda: "q Quit" in terminal.rows()[-1])
    assert session.quit() == 0


def test_the_number_of_an_epoch_is_seen_as_it_is_typed() -> None:
    session = Session(START.format(feed="replay_feed(frame_at(34, replay=True))"), 80, 24)
    terminal = Terminal(session)
    assert session.wait_for(lambda: terminal.shows("epoch 34"))
    session.send("g12")
    assert session.wait_for(lambda: "go to epoch: 12" in terminal.rows()[-1])
    assert terminal.shows("Scorecard") and terminal.shows("Accuracy")
    session.send("\r")
    assert session.wait_for(lambda: "q Quit" in terminal.rows()[-1])
    assert session.quit() == 0


def test_what_happens_at_the_freeze_covers_no_figure() -> None:
    code = """
class Freezing(ScriptedFeed):
    def start(self, publish):
        import signal
        def freeze(number, where):
            publish(frame_at(65, frozen=True))
        signal.signal(signal.SIGUSR1, freeze)
        publish(frame_at(64))
"""
    code = START.replace("app = ", code + "app = ").format(feed="Freezing([])")
    session = Session(code, columns=120, rows=40)
    terminal = Terminal(session)
    assert session.wait_for(lambda: terminal.shows("epoch 64"))
    assert session.settle(1.0), "nothing is sent when nothing happens"
    os.kill(session.pid, signal.SIGUSR1)
    assert session.wait_for(lambda: "acc1 77.360 meets acc1>75.9" in terminal.rows()[-1])
    for figure in ("4938.9 img/s", "77.36 %", "4535.0 img/s", "30670.6 MiB", "FROZEN", "CONVERGED"):
        assert terminal.shows(figure), figure
    assert session.quit() == 0
    assert session.output.rstrip().endswith(b"\x1b[?25h") or b"\x1b[?1049l" in session.output


@pytest.mark.parametrize(("encoding", "draws"), [("utf-8", True), ("UTF8", True), ("gbk", False)])
def test_a_terminal_whose_locale_is_not_utf_8_gets_lines(encoding: str, draws: bool) -> None:
    code = "from sixdim.tui.screen.opening import has_terminal; print('screen:', has_terminal())"
    session = Session(code, env={"PYTHONIOENCODING": encoding})
    assert session.read_until(f"screen: {draws}")


@pytest.mark.parametrize(
    "locale", [{"LC_ALL": "C"}, {"LC_ALL": "POSIX"}, {"LC_ALL": "", "LANG": ""}]
)
def test_no_locale_at_all_as_in_a_container_has_a_screen(locale: dict[str, str]) -> None:
    code = "from sixdim.tui.screen.opening import has_terminal; print('screen:', has_terminal())"
    assert Session(code, env=locale).read_until("screen: True")
