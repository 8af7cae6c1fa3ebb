"""Mutated logs through every way in: the card must be the same whichever was taken.

    python -m tests.stress.mutate [N] [--from SEED]

The logs are those of SIXDIM_CORPUS where it names a folder, else the built-in ones; each try is
one of them with one to three mutations. Ends with 1 where any two ways differ, after printing the
number with which `--from NUMBER 1` tries that one again.
"""

from __future__ import annotations

import argparse
import gzip
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import TypeAlias

from sixdim import sample_logs
from sixdim.metrics.values.card import dumps
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.input.follow import Tail
from sixdim.parsers.input.source import LogError, LogFile
from sixdim.tui.session.reading import read_whole
from sixdim.tui.session.request import Request
from tests.stress.mutations import MUTATIONS

NAME = "train.log"
MOST_BYTES = 300_000
"""Of a longer log, a piece: its head and a span after it."""
_NO_LOGS = {".json", ".md", ".csv", ".py", ".sh", ".toml", ".yml", ".yaml", ".png", ".html", ".xml"}
REQUEST = Request(Settings())

Way: TypeAlias = Callable[[bytes, Path, Random], str]
"""Reads bytes in one way; gives the card."""


@contextmanager
def _blocks_off() -> Iterator[None]:
    before = os.environ.get("SIXDIM_BLOCKS")
    os.environ["SIXDIM_BLOCKS"] = "off"
    try:
        yield
    finally:
        os.environ.pop("SIXDIM_BLOCKS")
        if before is not None:
            os.environ["SIXDIM_BLOCKS"] = before


def _read(path: str) -> str:
    return dumps(read_whole(REQUEST.session(NAME), LogFile(path)).card())


def finished(log: bytes, folder: Path, random: Random) -> str:
    (folder / NAME).write_bytes(log)
    return _read(str(folder / NAME))


def line_by_line(log: bytes, folder: Path, random: Random) -> str:
    with _blocks_off():
        return finished(log, folder, random)


def by_columns(log: bytes, folder: Path, random: Random) -> str:
    """As large logs are read, however small this one is, with a screen or without."""
    session = REQUEST.session(NAME, keep=random.choice((0, 400)))
    session.by_blocks(least=1)
    begin, size = 0, random.choice((20_000, 100_000, 1 << 20))
    while begin < len(log):
        session.feed(log[begin : begin + size])
        begin += size
    session.end()
    return dumps(session.card())


def packed(log: bytes, folder: Path, random: Random) -> str:
    (folder / "train.log.gz").write_bytes(gzip.compress(log, 1))
    return _read(str(folder / "train.log.gz"))


def standard_input(log: bytes, folder: Path, random: Random) -> str:
    reader, writer = os.pipe()

    def write() -> None:
        with suppress(BrokenPipeError), os.fdopen(writer, "wb") as pipe:  # it may be refused
            for piece in _pieces(log, random):
                pipe.write(piece)

    thread = threading.Thread(target=write)
    thread.start()
    before = sys.stdin
    try:
        with os.fdopen(reader) as sys.stdin:
            card = _read("-")
    finally:
        sys.stdin = before
        thread.join()
    return card


def growing(log: bytes, folder: Path, random: Random) -> str:
    """Followed as a watch follows it, piece by piece, looked at as a screen looks at it."""
    path = folder / "growing.log"
    path.unlink(missing_ok=True)
    tail, session = Tail(str(path), time.monotonic), REQUEST.session(NAME, keep=400)
    with path.open("ab", buffering=0) as file:
        for piece in _pieces(log, random):
            file.write(piece)
            while (look := tail.look()).data:
                session.feed(look.data)
            if random.random() < 0.05:
                session.snapshot()
    tail.close()
    session.end()
    return dumps(session.card())


def _pieces(log: bytes, random: Random) -> Iterator[bytes]:
    begin, most = 0, random.choice((1_000, 20_000, 100_000))
    while begin < len(log):
        size = random.randint(1, most)
        yield log[begin : begin + size]
        begin += size


WAYS: dict[str, Way] = {
    "finished": finished,
    "line by line": line_by_line,
    "by columns": by_columns,
    "gz": packed,
    "standard input": standard_input,
    "growing": growing,
}
"""The first is the one that the others are held against."""


def corpus() -> list[Path]:
    """The logs to mutate."""
    root = os.environ.get("SIXDIM_CORPUS", "")
    folder = Path(root) if root else sample_logs.path(sample_logs.RUN).parent
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix not in _NO_LOGS and "telemetry" not in path.parts
    ]


def piece_of(path: Path, random: Random) -> bytes:
    """A log, or the head of a long one with a span from after it."""
    log = path.read_bytes()
    if len(log) <= MOST_BYTES:
        return log
    begin = log.find(b"\n", random.randrange(len(log) - MOST_BYTES // 2)) + 1
    return log[: MOST_BYTES // 2] + log[begin : begin + MOST_BYTES // 2]


def mutated(logs: list[Path], seed: int) -> tuple[str, bytes]:
    """What was done to which log, and the bytes."""
    random = Random(seed)
    path, other = random.choice(logs), random.choice(logs)
    log, second = piece_of(path, random), piece_of(other, random)
    done = random.sample(MUTATIONS, random.randint(1, 3))
    for mutation in done:
        log = mutation(log, second, random) or log
    return f"{path.name}: {', '.join(one.__name__ for one in done)}", log


def tried(log: bytes, folder: Path, seed: int) -> dict[str, str]:
    """The card by way; a refusal in its place."""
    cards = {}
    for name, way in WAYS.items():
        try:
            cards[name] = way(log, folder, Random(seed))
        except LogError as error:
            cards[name] = f"refused: {error}"
    return cards


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=200)
    parser.add_argument("--from", dest="first", type=int, default=1)
    args = parser.parse_args()
    logs = corpus()
    seen: Counter[str] = Counter()
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.first, args.first + args.count):
            what, log = mutated(logs, seed)
            cards = tried(log, Path(folder), seed)
            first = next(iter(cards.values()))
            refused = first.startswith("refused")
            seen["refused" if refused else "read"] += 1
            # What is refused whole is a log all the same to whoever follows it.
            differ = [n for n, card in cards.items() if card != first and not refused]
            if '"kind": "fault"' in first:
                differ.append("a fault of sixdim's own")
            if differ:
                seen["differing"] += 1
                print(f"{seed}: {what}: {', '.join(differ)}", flush=True)
    print(
        f"{args.count} mutated logs of {len(logs)} through {', '.join(WAYS)}: "
        f"{seen['read']} read, {seen['refused']} refused, {seen['differing']} differing "
        f"({time.monotonic() - begin:.0f} s)"
    )
    return 1 if seen["differing"] else 0


if __name__ == "__main__":
    sys.exit(main())
