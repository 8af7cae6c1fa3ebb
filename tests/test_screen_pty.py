"""The app on a real terminal: what arrives there byte for byte."""

from __future__ import annotations

import pyte
import pytest

from tests.pty_session import Session
from tests.screens import HOSTILE

START = """
import sys
from tests.screens import *
app = SixdimApp({feed})
app.run()
sys.exit(app.return_code or 0)
"""


def painted(session: Session) -> list[str]:
    screen = pyte.Screen(session.columns, session.rows)
    pyte.ByteStream(screen).feed(session.output)
    return list(screen.display)


def test_the_screen_on_a_terminal_and_a_clean_end() -> None:
    session = Session(START.format(feed="ScriptedFeed([frame_at(65, frozen=True)])"))
    assert session.read_until("FROZEN")
    session.read_for(0.3)
    text = "\n".join(painted(session))
    assert "4938.9 img/s" in text and "30670.6 MiB" in text and "CONVERGED" in text
    session.send("q")
    assert session.wait() == 0
    assert session.output.rstrip().endswith(b"\x1b[?25h") or b"\x1b[?1049l" in session.output


def test_no_byte_of_a_hostile_log_acts_on_the_terminal() -> None:
    session = Session(START.format(feed="ScriptedFeed([hostile_frame()])"))
    assert session.read_until("Scorecard")
    for keys in ("l", "e", "z", "\x1b", "r", "?", "q", "/[/x]\r"):
        session.send(keys)
        session.read_for(0.2)
    session.send("q")
    assert session.wait() == 0
    for payload in ("\x1b]52", "\x1b]0;pwn", "\x9b31m", "ZXZpbA", "pwn"):
        assert payload in HOSTILE
        assert payload.encode() not in session.output, payload


def test_a_resize_in_the_middle_lays_the_screen_out_anew() -> None:
    session = Session(START.format(feed="ScriptedFeed([frame_at(34)])"))
    assert session.read_until("Scorecard")
    session.resize(80, 24)
    assert session.read_until("2 Charts")
    session.read_for(0.3)
    begin = session.output
    screen = pyte.Screen(80, 24)
    pyte.ByteStream(screen).feed(begin[begin.rindex(b"[1 Figures") - 400 :])
    assert any("Scorecard" in row for row in screen.display)
    session.send("q")
    assert session.wait() == 0


def test_nothing_is_sent_when_nothing_happens() -> None:
    session = Session(START.format(feed="ScriptedFeed([frame_at(34)])"))
    assert session.read_until("Scorecard")
    session.read_for(0.5)
    assert session.read_for(1.0) == b""
    session.send("q")
    assert session.wait() == 0


TICKING = """
class Ticking(ScriptedFeed):
    def start(self, publish):
        publish(frame_at(34))
        def again():
            import time
            time.sleep(1.0)
            shot = frame_at(34).snapshot
            progress = replace(shot.progress, throughput=4952.75)
            publish(replace(frame_at(34), snapshot=replace(shot, progress=progress)))
        import threading
        threading.Thread(target=again, daemon=True).start()
"""


@pytest.mark.parametrize("colours", ["truecolor", "256", "standard"])
def test_one_changed_number_costs_only_itself(colours: str) -> None:
    code = START.replace("app = ", TICKING + "app = ").format(feed="Ticking([])")
    session = Session(code, env={"TEXTUAL_COLOR_SYSTEM": colours})
    assert session.read_until("Scorecard")
    session.read_for(0.6)
    sent = session.read_for(1.0)
    assert b"2.8" in sent or b"2.7" in sent or b"2.75" in sent
    assert len(sent) < 100, sent
    session.send("q")
    assert session.wait() == 0


def test_no_color_sends_no_colour() -> None:
    session = Session(START.format(feed="ScriptedFeed([frame_at(34)])"), env={"NO_COLOR": "1"})
    assert session.read_until("Scorecard")
    session.read_for(0.3)
    assert b"38;2" not in session.output and b"48;2" not in session.output
    assert b"38;5" not in session.output and b"[31m" not in session.output
    session.send("q")
    assert session.wait() == 0
