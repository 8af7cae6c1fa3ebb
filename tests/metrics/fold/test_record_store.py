"""Protocols over single records get each of them, whatever pieces the log comes in."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sixdim.metrics.fold.sums.record_store import RecordStore, Track
from sixdim.metrics.protocols.named import PROTOCOLS
from sixdim.metrics.values.card import dumps
from sixdim.metrics.values.convergence import parse_target
from sixdim.metrics.values.protocol import Protocol
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.session import Session
from tests.support.inputs.generated import (
    EDIT,
    MANGLED,
    STATED,
    dllogger,
    ending,
    mangled,
    mostly_slow,
    state,
    stated,
    torchvision,
)

LOGS: dict[str, Callable[[], list[str]]] = {
    **{name: partial(stated, name, 120, 12) for name in STATED},
    "torchvision": partial(torchvision, 6, 20),
    "whole epochs": partial(ending, 30, 3),
    "dllogger": partial(dllogger, 6, 20),
    "dllogger, whole epochs": partial(dllogger, 40, 3),
}


def tracks(session: Session) -> dict[str, list[object]]:
    """All records, column by column."""
    return {name: columns(track) for name, track in session.run.records.tracks.items()}


def columns(track: Track) -> list[object]:
    return [[*c] for c in (track.values, track.lines, track.steps, track.times)] + [
        track.unit,
        track.scope,
    ]


def session(data: bytes, protocol: Protocol, size: int, target: str = "") -> Session:
    goal = parse_target(target, "--target") if target else None
    read = Session("train.log", Settings()._replace(protocol=protocol, target=goal), formats())
    for begin in range(0, len(data), size):
        read.feed(data[begin : begin + size])
    read.end()
    return read


STORING = sorted(name for name, row in PROTOCOLS.items() if RecordStore(row).wanted)
STORES = {
    (row.records, row.metrics(), row.beyond): row for row in map(PROTOCOLS.__getitem__, STORING)
}
"""One protocol of those that store the same records."""


@pytest.mark.parametrize("log", mostly_slow(LOGS))
def test_every_protocol_gets_the_same_records(log: str) -> None:
    data = "".join(f"{line}\n" for line in LOGS[log]()).encode()
    for row in with_records(data):
        whole, pieces = session(data, row, len(data)), session(data, row, 3000)
        assert tracks(whole) == tracks(pieces), row.name
        assert dumps(whole.card()) == dumps(pieces.card()), row.name


def with_records(data: bytes) -> list[Protocol]:
    """Those of `STORES` that store anything of a log, which is read once for all of them."""
    stores = [RecordStore(row) for row in STORES.values()]
    interpreter = Interpreter(formats())
    for event in (*interpreter.read(data), *interpreter.end()):
        for store in stores:
            store.apply(event)
    return [store.protocol for store in stores if any(map(len, store.tracks.values()))]


@settings(max_examples=60, deadline=None)
@given(
    log=st.sampled_from(sorted(MANGLED)),
    edits=st.lists(EDIT, max_size=6),
    protocol=st.sampled_from(STORING),
    target=st.sampled_from(["", "acc1>60.9"]),
)
@pytest.mark.slow
def test_a_mangled_log_gives_every_protocol_the_same_records(
    log: str, edits: list[tuple[str, int, object]], protocol: str, target: str
) -> None:
    data, row = mangled(MANGLED[log](), edits), PROTOCOLS[protocol]
    whole, pieces = session(data, row, 1 << 20, target), session(data, row, 700, target)
    assert tracks(whole) == tracks(pieces)
    assert state(whole) == state(pieces)
