"""A session is copied while other threads read other logs."""

from __future__ import annotations

from copy import deepcopy
from threading import Event, Thread

from sixdim.metrics.values.settings import DEFAULT
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.skeleton import Skeleton
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.reader.statement_index import index_of
from sixdim.tui.session.session import Session
from tests.support.inputs.torchvision_log import epoch


def _session(name: str) -> Session:
    session = Session(name, DEFAULT, formats())
    session.feed("".join(epoch(label, 100.0, 70.0) for label in range(3)).encode())
    return session


def test_a_copy_reads_on_alone() -> None:
    session = _session("a.log")
    copied = session.copy()
    copied.feed(epoch(3, 100.0, 71.0).encode())
    assert (session.card().run["epochs"], copied.card().run["epochs"]) == (3, 4)


def test_a_copy_while_another_log_is_read() -> None:
    """Each unknown line is remembered for all logs, by its letters."""
    session, other, over = _session("a.log"), _session("b.log"), Event()

    def read() -> None:
        number = 0
        while not over.is_set():
            number += 1
            letters = "".join(chr(97 + int(digit)) for digit in str(number))
            other.feed(f"Epoch of {letters}\n".encode())

    thread = Thread(target=read)
    thread.start()
    try:
        copies = [session.copy() for _ in range(20)]
    finally:
        over.set()
        thread.join()
    assert {copied.card() == session.card() for copied in copies} == {True}


def test_what_all_logs_use_is_not_copied() -> None:
    index = index_of(formats())
    assert deepcopy(index) is index
    statements = [one for reader in formats() for one in reader.statements]
    grow = [s for s in statements if isinstance(s.shape, Skeleton | KeyValues)]
    assert len(grow) > 500
    assert all(deepcopy(one.shape) is one.shape for one in grow)
    records = [one.record for one in statements if one.record is not None]
    assert records and all(deepcopy(one) is one for one in records)
