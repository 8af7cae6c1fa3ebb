"""Messages that say what to do are read whole, and what is over is not called provisional."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sixdim.tui.screen.panels.bars import footer_row
from tests.support.screens import ScriptedFeed, frame_at, on_screen

KEYS = frozenset({"pause", "export", "log"})
TEACH = "no format fits: sixdim teach unknown.log (2560 lines, 91 formats tried)"


def _text(width: int) -> str:
    return "".join(span.text for span in footer_row(KEYS, TEACH, width))


@pytest.mark.parametrize(("width", "whole"), [(73, False), (74, True), (80, True), (160, True)])
def test_the_command_that_helps_is_not_cut(width: int, whole: bool) -> None:
    text = _text(width)
    assert len(text) < width + 1
    assert ("sixdim teach unknown.log" in text) is whole
    assert "? Keys" in text


def test_the_whole_message_is_there_where_there_is_room() -> None:
    assert TEACH in _text(32 + len(TEACH))
    assert TEACH not in _text(31 + len(TEACH))


@pytest.mark.parametrize("ended", [False, True])
def test_a_run_that_is_over_is_not_provisional(ended: bool) -> None:
    frame = frame_at(3)
    shot = replace(frame.snapshot, ended=ended)
    text = "\n".join(on_screen(ScriptedFeed([replace(frame, snapshot=shot)]), (120, 40)))
    assert ("─ provisional ─┐" in text) is not ended
