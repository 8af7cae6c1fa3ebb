"""Processor time of `sixdim score` over real logs, beside a script of five regular expressions.

`python -m benchmarks.real [--rounds N] [--only TEXT] [--largest N]`, with SIXDIM_CORPUS set: every
log there whose format is known. A log above 700 KB is read as it is. A smaller one is read with
its training section repeated until it has 2.5 MB. The section is found by reading the log: it is
all bytes from the first line that gives a training record (a progress line, an epoch's end, an
evaluation) to the end of the last such line. What stands before and after it stays there, once,
and nothing in a copy is changed: epochs and steps begin again, as in a run that is resumed. A
smaller log with fewer than two such lines is left out.

Each round runs the script (`searches.py`) and `sixdim score LOG --json -` in turn, and takes user
and system seconds of the process and its children. Both also read a log of a few lines in the
same format, and that time, the start, is subtracted. The tables hold medians over the rounds; logs
of the generic reader have a table of their own. A log over which a command fails has the ratio inf.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import statistics
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain, groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from benchmarks.batch import HERE, REPOSITORY, once
from sixdim.parsers.events import EpochEnd, Evaluation, Iteration
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats

AS_IT_IS = 700_000
"""Bytes above which a log is not repeated."""
REPEATED = 2_500_000
"""Bytes of a log whose training section is repeated."""
RECORDS = (Iteration, EpochEnd, Evaluation)
_PIECE = 8 << 10
GENERIC = "generic"
LONG = 20.0
"""Processor seconds of one round after which a log is not read again."""
_FEW = 3
_NO_LOGS = ("*.md", "*.arrivals", "figures.json")
"""What the corpus says about its logs."""


class Log(NamedTuple):
    """A log as it is measured.

    Attributes:
        name: Its path below the corpus.
        format: The format in which it is read.
        size: Bytes of the file that is measured.
        path: That file.
        start: A file of a few of its lines, in the same format.
    """

    name: str
    format: str
    size: int
    path: str
    start: str


class Pair(NamedTuple):
    """Processor seconds."""

    script: float
    sixdim: float


class Row(NamedTuple):
    """A log and what reading it took, starts subtracted."""

    log: Log
    spent: Pair

    @property
    def ratio(self) -> float:
        return self.spent.sixdim / self.spent.script


def package(repository: Path) -> str:
    """What `python -m` runs as the `sixdim` command in a checkout."""
    return "sixdim" if (repository / "sixdim").is_dir() else "tui"


def records(data: bytes) -> tuple[str, list[int]]:
    """The format of a log, and where the lines with a training record begin."""
    interpreter = Interpreter(formats())
    pieces = (data[begin : begin + _PIECE] for begin in range(0, len(data), _PIECE))
    events = [event for piece in pieces for event in interpreter.feed(piece)]
    events += interpreter.end()
    offsets = {event.at.offset for event in events if isinstance(event, RECORDS)}
    return interpreter.detection.name if interpreter.detection else "", sorted(offsets)


def line_end(data: bytes, offset: int) -> int:
    """Where the line ends that begins there; a progress bar's carriage return ends one, too."""
    end = re.compile(rb"\r?\n|\r").search(data, offset)
    return end.end() if end else len(data)


def repeated(data: bytes, begin: int, end: int) -> bytes:
    """A log with the bytes between two places repeated until it is large enough."""
    section = data[begin:end]
    if not section.endswith((b"\n", b"\r")):
        section += b"\n"
    copies = math.ceil((REPEATED - (len(data) - len(section))) / len(section))
    return data[:begin] + section * max(1, copies) + data[end:]


def few_lines(data: bytes, kind: str, offsets: list[int]) -> bytes:
    """A few of a log's lines, as little as is read in its format.

    Three records, with the log's first line before them where a table names its columns there;
    else the log up to some record, or up to some line where it has no records.
    """
    offsets = offsets or [0, *(end.end() for end in re.finditer(b"\n", data))]
    few = b"".join(data[at : line_end(data, at)] for at in offsets[:_FEW])
    longer = (data[: line_end(data, at)] for at in offsets[_FEW - 1 :: _FEW])
    tried = chain((few, data[: line_end(data, 0)] + few), longer)
    return next((lines for lines in tried if records(lines)[0] == kind), data)


def prepare(source: Path, name: str, folder: Path) -> Log | None:
    """Writes the files that are measured for a log; None where it is left out."""
    data = source.read_bytes()
    kind, offsets = records(data)
    large = len(data) > AS_IT_IS
    if not kind or not (large or len(offsets) > 1):
        return None
    stem = name.replace("/", "__")
    start, path = folder / f"{stem}.start", source if large else folder / stem
    start.write_bytes(few_lines(data, kind, offsets))
    if not large:
        data = repeated(data, offsets[0], line_end(data, offsets[-1]))
        path.write_bytes(data)
    return Log(name, kind, len(data), str(path), str(start))


def logs(corpus: Path, folder: Path, only: str) -> Iterator[Log]:
    """The logs to measure; what an earlier call prepared in the folder is used again."""
    listed = folder / "logs.json"
    known = json.loads(listed.read_text()) if listed.exists() else {}
    for source in sorted(corpus.rglob("*")):
        name = str(source.relative_to(corpus))
        if only not in name or not source.is_file() or any(map(source.match, _NO_LOGS)):
            continue
        if name not in known:
            log = prepare(source, name, folder)
            known[name] = log._asdict() if log else None
        if known[name]:
            yield Log(**known[name])
    listed.write_text(json.dumps(known, indent=1))


def measured(path: str, rounds: int, repository: Path) -> Pair:
    """What both programs take to read a file: medians of rounds in which they take turns."""
    sixdim = [sys.executable, "-m", package(repository), "score", path, "--json", "-"]
    script = [sys.executable, str(HERE / "searches.py"), path]
    spent: list[Pair] = []
    while len(spent) < rounds and not (spent and sum(spent[-1]) > LONG):
        spent.append(Pair(seconds(script, repository), seconds(sixdim, repository)))
    return Pair(*map(statistics.median, zip(*spent, strict=True)))


def seconds(command: list[str], folder: Path) -> float:
    """Processor seconds of one run; infinite where it fails."""
    try:
        return once(command, folder)[1]
    except SystemExit as error:
        print(error, file=sys.stderr)
        return math.inf


def rows(alike: list[Log], rounds: int, repository: Path) -> list[Row]:
    """What it takes to read each of some logs of one format."""
    least = min((log.start for log in alike), key=lambda path: Path(path).stat().st_size)
    measured(least, 1, repository)  # the first warms up
    start = measured(least, max(3, rounds), repository)
    found = []
    for log in alike:
        spent = measured(log.path, rounds, repository)
        found.append(Row(log, Pair(spent.script - start.script, spent.sixdim - start.sixdim)))
        print(f"{found[-1].ratio:5.1f}  {log.format}  {log.name}", file=sys.stderr, flush=True)
    return found


def table(title: str, found: Iterable[Row]) -> None:
    """Prints the rows, the worst ratio first, their median and the worst."""
    worst_first = sorted(found, key=attrgetter("ratio"), reverse=True)
    print(f"\n{title}\n\n| log | format | MB | script s | sixdim s | ratio |")
    print("|---|---|---|---|---|---|")
    for row in worst_first:
        log, spent = row
        print(
            f"| {log.name} | {log.format} | {log.size / 1e6:.1f} | {spent.script:.2f} "
            f"| {spent.sixdim:.2f} | {row.ratio:.2f} |"
        )
    median, worst = statistics.median(row.ratio for row in worst_first), worst_first[0]
    print(f"\n{len(worst_first)} logs: median {median:.2f}, ", end="")
    print(f"worst {worst.ratio:.2f} ({worst.log.name})", flush=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    parser.add_argument("--only", default="", metavar="TEXT", help="logs with TEXT in their path")
    parser.add_argument("--largest", type=int, metavar="N", help="at most N logs of each format")
    parser.add_argument("--known", action="store_true", help="leave the generic reader's logs out")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="formats at once")
    parser.add_argument("--logs", type=Path, metavar="FOLDER", help="keep the prepared logs there")
    parser.add_argument(
        "--repository", type=Path, default=REPOSITORY, help="measure the code of another checkout"
    )
    return parser.parse_args()


def main() -> None:
    args = arguments()
    if not (corpus := os.environ.get("SIXDIM_CORPUS")):
        raise SystemExit("SIXDIM_CORPUS names no folder of real logs")
    with tempfile.TemporaryDirectory(prefix="sixdim-bench-") as temporary:
        folder = args.logs or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        found = sorted(
            logs(Path(corpus), folder, args.only), key=lambda log: (log.format, -log.size)
        )
        print(f"Medians of {args.rounds}; processor seconds without the start.")
        known = [log for log in found if log.format != GENERIC]
        generic = [log for log in found if log.format == GENERIC and not args.known]
        take = partial(rows, rounds=args.rounds, repository=args.repository.resolve())
        for title, chosen in (("Known formats", known), ("Generic reader", generic)):
            by_format = groupby(chosen, attrgetter("format"))
            alike = [list(same)[: args.largest] for _, same in by_format]
            if alike:
                with ThreadPoolExecutor(args.jobs) as pool:
                    table(title, chain.from_iterable(pool.map(take, alike)))


if __name__ == "__main__":
    main()
