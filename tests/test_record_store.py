"""Protocols over single records get each of them, however the log is read."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from metrics.records import Kept, Track

from metrics.convergence import parse_target
from metrics.protocol import Protocol
from metrics.protocols import PROTOCOLS
from metrics.settings import Settings
from parsers import scan
from parsers.registry import formats
from tests.test_scan_equality import (
    EDIT,
    MANGLED,
    STATED,
    dllogger,
    eager,
    ending,
    mangled,
    state,
    stated,
    torchvision,
)
from tui.session import Session


@pytest.fixture(autouse=True)
def _scanning(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways are compared here, whichever way the suite runs."""
    monkeypatch.delenv(scan.SWITCH, raising=False)


LOGS = {
    **{name: stated(name, 120, 12) for name in STATED},
    "torchvision": torchvision(6, 20),
    "whole epochs": ending(30, 3),
    "dllogger": dllogger(6, 20),
    "dllogger, whole epochs": dllogger(40, 3),
}


def tracks(session: Session) -> dict[str, list[object]]:
    """All that is kept, column by column."""
    return {name: columns(track) for name, track in session.run.kept.tracks.items()}


def columns(track: Track) -> list[object]:
    return [[*c] for c in (track.values, track.lines, track.steps, track.times)] + [
        track.unit,
        track.scope,
    ]


def session(data: bytes, protocol: Protocol, blocks: bool, target: str = "") -> Session:
    goal = parse_target(target, "--target") if target else None
    chosen = replace(Settings(), protocol=protocol, target=goal)
    with eager(1 << 16):
        read = Session("train.log", chosen, formats(), None, 7, blocks=blocks)
        read.feed(data)
        read.end()
    return read


@pytest.mark.parametrize("log", sorted(LOGS))
def test_every_protocol_gets_the_same_records(log: str) -> None:
    data = "".join(f"{line}\n" for line in LOGS[log]).encode()
    for row in PROTOCOLS.values():
        read, singly = session(data, row, True), session(data, row, False)
        assert tracks(read) == tracks(singly), row.name
        assert state(read) == state(singly), row.name


KEEPING = sorted(name for name, row in PROTOCOLS.items() if Kept(row).wanted)


@settings(max_examples=60, deadline=None)
@given(
    log=st.sampled_from(sorted(MANGLED)),
    edits=st.lists(EDIT, max_size=6),
    protocol=st.sampled_from(KEEPING),
    target=st.sampled_from(["", "acc1>60.9"]),
)
def test_a_mangled_log_gives_every_protocol_the_same_records(
    log: str, edits: list[tuple[str, int, object]], protocol: str, target: str
) -> None:
    data, row = mangled(MANGLED[log], edits), PROTOCOLS[protocol]
    read, singly = session(data, row, True, target), session(data, row, False, target)
    assert tracks(read) == tracks(singly)
    assert state(read) == state(singly)
