"""The hash of a log, of which a thread works out large pieces."""

from __future__ import annotations

import hashlib
import threading

from sixdim.parsers.reader.hashed import LAG, Hashing

PIECES = [bytes([65 + place]) * (place % 3 * 1_000_000 + 7) for place in range(6)]


def test_pieces_are_hashed_in_their_order() -> None:
    digest = hashlib.sha256()
    hashing = Hashing(digest)
    for piece in PIECES:
        hashing.begin(piece)
    hashing.wait()
    digest.update(b"the end")
    assert digest.digest() == hashlib.sha256(b"".join((*PIECES, b"the end"))).digest()
    hashing.end()


def test_a_piece_may_change_once_as_many_others_follow_as_lag() -> None:
    digest, buffer = hashlib.sha256(), bytearray(PIECES[2])
    hashing = Hashing(digest)
    hashing.begin(memoryview(buffer))
    for _ in range(LAG):
        hashing.begin(PIECES[1])
    buffer[:] = b"0" * len(buffer)
    hashing.end()
    assert digest.digest() == hashlib.sha256(PIECES[2] + LAG * PIECES[1]).digest()


def test_its_thread_ends_and_begins_anew() -> None:
    hashing, before = Hashing(hashlib.sha256()), threading.active_count()
    for _ in range(2):
        hashing.end()
        hashing.begin(PIECES[2])
        assert threading.active_count() == before + 1
        hashing.end()
        assert threading.active_count() == before
