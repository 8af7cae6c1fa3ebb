"""Lets a log grow as a training would write it: `python -m sixdim.sample_logs.grow OUT`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from sixdim import sample_logs
from sixdim.sample_logs.generate import OneLineParser

LINES_PER_SECOND = 200.0

_EXAMPLES = """examples:
  python -m sixdim.sample_logs.grow /tmp/train.log                    65 epochs, 200 lines a second
  python -m sixdim.sample_logs.grow /tmp/train.log --seconds 30       the same in half a minute
  python -m sixdim.sample_logs.grow /tmp/train.log --chunk 1000       lines lie there half written
  python -m sixdim.sample_logs.grow /tmp/train.log --source my.log    a log of your own
  python -m sixdim.sample_logs.grow /tmp/train.log --source resnet50_diverged.log --overwrite
"""


def pieces(content: bytes, chunk: int | None) -> list[bytes]:
    """What is written at once: whole lines, or `chunk` bytes wherever that cuts."""
    if chunk is None:
        return content.splitlines(keepends=True)
    return [content[begin : begin + chunk] for begin in range(0, len(content), chunk)]


def grow(
    target: Path,
    source: Path,
    *,
    seconds: float | None = None,
    lines_per_second: float = LINES_PER_SECOND,
    chunk: int | None = None,
    overwrite: bool = False,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Writes `source` into `target` bit by bit, so that a reader can watch it grow.

    The bits fall due at even distances from the start, so a slow disk delays single bits and
    never the end.

    Args:
        target: The file that grows.
        source: The finished log; read before the target is opened.
        seconds: How long the whole takes; wins over `lines_per_second`.
        lines_per_second: Pace where no `seconds` are given.
        chunk: Bytes written at once, cutting inside lines; None writes line by line.
        overwrite: Empty a target that exists; it is an error otherwise.
        clock: Seconds that only ever rise.
        sleep: Waits for some seconds.

    Raises:
        OSError: The source cannot be read, or the target written, or it exists.
        ValueError: The target is the source.
    """
    content = source.read_bytes()
    if target.exists() and target.samefile(source):
        raise ValueError("OUT is the source itself")
    if seconds is None:
        seconds = content.count(b"\n") / lines_per_second
    bits = pieces(content, chunk)
    with target.open("wb" if overwrite else "xb") as out:
        start = clock()
        for number, bit in enumerate(bits, start=1):
            ahead = start + seconds * number / len(bits) - clock()
            if ahead > 0:
                sleep(ahead)
            out.write(bit)
            out.flush()


def main(arguments: list[str] | None = None) -> int:
    """The command; returns its exit status."""
    parser = OneLineParser(
        prog="python -m sixdim.sample_logs.grow",
        description="Write a log bit by bit, for demos and tests of `sixdim watch`.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("out", type=Path, metavar="OUT", help="the file that grows")
    parser.add_argument(
        "--source",
        default=sample_logs.RUN,
        metavar="LOG",
        help=f"a sample's name or a path (default: {sample_logs.RUN})",
    )
    pace = parser.add_mutually_exclusive_group()
    pace.add_argument(
        "--lines-per-second",
        type=positive_number,
        default=LINES_PER_SECOND,
        metavar="N",
        help="pace (default: %(default)g)",
    )
    pace.add_argument(
        "--seconds", type=positive_number, metavar="S", help="how long the whole takes"
    )
    parser.add_argument(
        "--chunk",
        type=whole_number,
        metavar="BYTES",
        help="write this many bytes at once, inside lines too (default: a line)",
    )
    parser.add_argument("--overwrite", action="store_true", help="empty OUT first if it exists")
    given = parser.parse_args(arguments)
    sample = given.source in sample_logs.NAMES
    source = sample_logs.path(given.source) if sample else Path(given.source)
    try:
        grow(
            given.out,
            source,
            seconds=given.seconds,
            lines_per_second=given.lines_per_second,
            chunk=given.chunk,
            overwrite=given.overwrite,
        )
    except FileExistsError:
        parser.error(f"'{given.out}' exists; --overwrite empties it first")
    except OSError as fault:
        parser.error(f"'{fault.filename or given.out}': {fault.strerror}")
    except ValueError as fault:
        parser.error(str(fault))
    except OverflowError:
        parser.error("at that pace the log takes longer than a clock can count")
    except KeyboardInterrupt:
        return 130
    return 0


def positive_number(text: str) -> float:
    """An option's value above 0 and finite."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value


def whole_number(text: str) -> int:
    """An option's value from 1 upwards."""
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive whole number")
    return value


if __name__ == "__main__":
    sys.exit(main())
