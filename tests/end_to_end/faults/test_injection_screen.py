"""Every known attack through the app on a real terminal: no payload reaches it, nothing is run."""

from __future__ import annotations

import time
from pathlib import Path

import pyte
import pytest

from tests.support.inputs.attacks import ATTACKS, MARK, STEERING
from tests.support.processes.live import SAMPLE
from tests.support.processes.pty_session import Session

pytestmark = pytest.mark.slow


# Each attack in every place of a frame, one frame after the other.
ATTACKED = """
import sys, threading, time
from tests.support.inputs.attacks import ATTACKS
from tests.support.screens import *
class Attacking(ScriptedFeed):
    def start(self, publish):
        def play():
            for name, text in ATTACKS.items():
                publish(hostile_frame(text))
                time.sleep(0.12)
            publish(replace(hostile_frame("over and out"), message="over and out"))
        threading.Thread(target=play, daemon=True).start()
    def export(self):
        return "wrote " + "".join(ATTACKS.values())
app = SixdimApp(Attacking([]))
app.run()
sys.exit(app.return_code or 0)
"""
FORBIDDEN = {
    "OSC": b"\x1b]",
    "DCS": b"\x1bP",
    "APC": b"\x1b_",
    "PM": b"\x1b^",
    "SOS": b"\x1bX",
    "reset": b"\x1bc",
    "character set": b"\x1b(0",
    "report": b"\x1b[6n",
    "title report": b"\x1b[21t",
    "bell": b"\x07",
    "backspace": b"\x08",
}
"""What the app itself never sends, so that whatever is found came from a payload."""


def payload_escapes(output: bytes) -> list[str]:
    """The attacks that reached the terminal as more than plain text."""
    # Textual asks for the default mouse pointer; the style after a word begins like an
    # unfinished sequence.
    output = output.replace(b"\x1b]22;default\x07", b"").replace(b"\x1b]22;pointer\x07", b"")
    own = {"CSI unfinished"}
    found = [n for n, text in STEERING.items() if n not in own and text.encode() in output]
    found += [name for name, begin in FORBIDDEN.items() if begin in output]
    text = output.decode("utf-8", "replace")
    found += [f"U+{ord(c):04X}" for c in set(text) if 0x80 <= ord(c) < 0xA0]
    found += [f"U+{ord(c):04X}" for c in set(text) if c in "\u200e\u200f\u061c\u2028\u2029\ufeff"]
    found += [f"U+{ord(c):04X}" for c in set(text) if "\u202a" <= c <= "\u202e"]
    return found + [f"U+{ord(c):04X}" for c in set(text) if "\u2066" <= c <= "\u2069"]


@pytest.mark.parametrize(("columns", "rows"), [(120, 40), (80, 24)])
def test_every_widget_toast_and_title(columns: int, rows: int) -> None:
    session = Session(ATTACKED, columns, rows)
    assert session.read_until(MARK)
    for keys in ("l", "e", "z", "\x1b", "r", "?", "\x1b", "l", "/[/b]\x1b]0;pwn\r", "\t\t\t"):
        session.read_for(0.5)
        session.send(keys)
    assert session.read_until("over and out")
    assert session.quit() == 0
    assert MARK.encode() in session.output  # the text itself was shown
    # A changed status rings the app's own bell.
    assert set(payload_escapes(session.output)) <= {"bell"}


def test_a_log_of_attacks_under_a_name_of_attacks(tmp_path: Path) -> None:
    name = "".join(ATTACKS.values()).replace("/", "-")[:80] + ".log"
    log = tmp_path / name
    lines = "\n".join(text.replace("\n", " ") for text in ATTACKS.values())
    log.write_bytes(SAMPLE[:9000] + b"\n" + lines.encode() + b"\n")
    code = (
        "import sys; from sixdim.tui.cli import main;"
        f"sys.exit(main(['watch', '--no-gpus', '--no-bell', {str(log)!r}]))"
    )
    session = Session(code)
    assert session.read_until("Scorecard")
    session.read_for(1.0)
    session.send("l")
    session.read_for(0.5)
    clicked = click_on(session, "pwn")
    session.send("?")
    session.read_for(0.5)
    session.send("\x1b")
    session.read_for(0.3)
    assert session.quit() == 0
    assert clicked, "no payload was on the screen"
    assert payload_escapes(session.output) == []


def click_on(session: Session, text: str) -> int:
    """Clicks every place where the text stands; the screen must live on. Returns how many."""
    screen = pyte.Screen(session.columns, session.rows)
    pyte.ByteStream(screen).feed(session.output)
    places = [(row, line.index(text)) for row, line in enumerate(screen.display) if text in line]
    for row, column in places:
        for end in "Mm":
            session.send(f"\x1b[<0;{column + 2};{row + 1}{end}")
        time.sleep(0.05)
    session.read_for(0.5)
    return len(places)


def test_the_list_of_runs_and_the_dialog_behind_a_figure(tmp_path: Path) -> None:
    attack = "".join(ATTACKS.values()).replace("/", "-").replace("\n", " ")
    paths = []
    for place in ("a", "b"):
        log = tmp_path / (place + attack[:70] + ".log")
        lines = "\n".join(text.replace("\n", " ") for text in ATTACKS.values())
        log.write_bytes(lines.encode() + b"\n" + SAMPLE[:9000] + b"\n" + lines.encode() + b"\n")
        paths.append(str(log))
    code = (
        "import sys; from sixdim.tui.cli import main;"
        f"sys.exit(main(['watch', '--no-gpus', '--no-bell', *{paths!r}]))"
    )
    session = Session(code, 160, 48)
    assert session.read_until("Scorecard")
    session.read_for(1.0)
    for keys in ("]", "[", "2", "\r"):
        session.send(keys)
        session.read_for(0.5)
    assert b"Runs" in session.output, "the list of runs was not shown"
    assert session.read_until("formula"), "the dialog behind a figure was not shown"
    for keys in ("\x1b", "i", "\r", "\x1b"):
        session.send(keys)
        session.read_for(0.5)
    assert session.quit() == 0
    assert payload_escapes(session.output) == []
