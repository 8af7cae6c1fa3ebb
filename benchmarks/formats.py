"""`sixdim score` beside a naive script, format by format: how much faster it reads a large log.

`python benchmarks/formats.py [MEGABYTES] [FORMAT ...]` (default 20 and all). For every format a
log is made: the format's own progress line with running counters and figures, and what it
prints at the end of an epoch. The naive script is a loop over the lines with one search for
each field, after one test for a word of the line. Processor seconds of the reading alone (a
gigabyte does not care how long Python takes to start), the best of three.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
STEPS = 500
"""Progress lines of one epoch."""
_ROUNDS = 3
_NUMBER = r"(-?\d[\d.e+-]*)"
_SCRIPT = """
import re, sys, time
begin = time.process_time()
found = {field: [] for field in FIELDS}
for line in open(sys.argv[1], encoding="utf-8", errors="replace"):
    if WORD in line:
        for field, numbers in found.items():
            match = re.search(field, line)
            if match:
                numbers.append(float(match.group(1).replace(",", "")))
print({field: (len(numbers), sum(numbers)) for field, numbers in found.items()})
print(time.process_time() - begin, file=sys.stderr)
"""
_SCORE = """
import sys, time
from sixdim.parsers.reader import registry
from sixdim.tui import cli
from sixdim.tui.commands import score
registry.formats()
begin = time.process_time()
code = cli.main(["score", "--format", sys.argv[2], sys.argv[1]])
print(time.process_time() - begin, file=sys.stderr)
sys.exit(code)
"""


class Log(NamedTuple):
    """What a format's log looks like; formats.toml says what each is."""

    word: str
    line: str
    fields: list[str]
    end: str = ""
    head: str = ""


LOGS = {
    name: Log(**log)
    for name, log in tomllib.loads((HERE / "formats.toml").read_text(encoding="utf-8")).items()
}


def figures(epoch: int, index: int, rng: random.Random, steps: int = STEPS) -> dict[str, object]:
    """What the lines print: counters (`e`, `n`, `s`, `g`, …), clocks and seeded figures."""
    step, total = 10 * index, 10 * (epoch * steps + index)
    minute, second = divmod(total // 10, 60)
    time = f"{minute // 60 % 24:02}:{minute % 60:02}:{second:02}"
    day = 1 + minute // 1440 % 28
    month = 1 + minute // (1440 * 28) % 12
    loss = 7.3 * 0.99 ** (epoch + index / steps) * (1 + rng.random() / 50)
    left = 6500 - 11 * index
    return {
        "e": epoch,
        "n": epoch + 1,
        "s": step,
        "s1": step + 1,
        "s10": step + 10,
        "g": total,
        "g10": total + 10,
        "g6": total // 10 % 1_000_000,
        "g32": 32 * total,
        "g95": 95 * total,
        "g640": 640 * total,
        "f": epoch + index / steps,
        "date": f"2023-{month:02}-{day:02} {time}",
        "day": day,
        "time": time,
        "unix": 1.6e9 + total / 10 + 0.123,
        "hours": total / 36_000,
        "run": timedelta(seconds=total * 7 // 20),
        "eta": f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02}",
        "lr": 0.1 * 0.99**epoch,
        "l": loss,
        "m": loss * 1.01,
        "t": rng.uniform(0.3, 0.5),
        "u": rng.uniform(0.35, 0.45),
        "ms": rng.uniform(300, 500),
        "x": rng.uniform(0.1, 9),
        "z": rng.uniform(-2, 2),
        "r": rng.uniform(4600, 5700),
        "a": rng.random(),
        "p": rng.uniform(10, 60),
        "q": rng.uniform(60, 90),
    }


def lines(log: Log, steps: int = STEPS) -> Iterator[str]:
    """An endless log with so many progress lines in an epoch."""
    rng = random.Random(7)
    if log.head:
        yield log.head.format_map(figures(0, 0, rng, steps))
    epoch = 0
    while True:
        for index in range(steps):
            yield log.line.format_map(figures(epoch, index, rng, steps))
        if log.end:
            yield log.end.format_map(figures(epoch, steps - 1, rng, steps))
        epoch += 1


def write(path: Path, log: Log, size: int) -> int:
    """Writes whole lines until `size` bytes are reached; returns how many lines."""
    written = count = 0
    with path.open("w", encoding="utf-8", buffering=1 << 20) as out:
        for text in lines(log):
            written += out.write(text + "\n")
            count += 1 + text.count("\n")
            if written >= size:
                break
    return count


def naive(log: Log) -> str:
    """The extraction script for a log's lines."""
    fields = tuple(field.replace("#", _NUMBER) for field in log.fields)
    return _SCRIPT.replace("FIELDS", repr(fields)).replace("WORD", repr(log.word))


def seconds(*arguments: str) -> float:
    """Processor seconds of one run, as it tells at the end."""
    command = [sys.executable, "-c", *arguments]
    run = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True, check=True)
    return float(run.stderr.split()[-1])


def main() -> None:
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    chosen = sys.argv[2:] or sorted(LOGS)
    print("| format | naive s | sixdim s | naive / sixdim | µs a line |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="sixdim-bench-") as folder:
        path = Path(folder) / "train.log"
        for name in chosen:
            count = write(path, LOGS[name], megabytes * 1_000_000)
            plain = min(seconds(naive(LOGS[name]), str(path)) for _ in range(_ROUNDS))
            ours = min(seconds(_SCORE, str(path), name) for _ in range(_ROUNDS))
            print(
                f"| {name} | {plain:.2f} | {ours:.2f} | {plain / ours:.1f} "
                f"| {ours / count * 1e6:.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    if {"-h", "--help"}.isdisjoint(sys.argv[1:]):
        main()
    else:
        print(__doc__)
