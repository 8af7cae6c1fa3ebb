"""`sixdim score` of a large log beside what else reads one: ratios from paired runs.

`python benchmarks/batch.py [MEGABYTES] [ROUNDS] [KIND …]` (default 200, 5 and all kinds). Every
round runs each method once, after one warm-up round; the table shows medians, and ratios round by
round. Peak memory is that of all processes of a method together, as PSS: what several share counts
once. It is read 20 times a second.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).parent
REPOSITORY = HERE.parent
_KINDS = ("a", "long", "b", "noisy")
_PERIOD = 0.05
"""Seconds between two looks at the memory."""
_POLARS = """
import sys, polars as pl
lines = pl.scan_csv(sys.argv[1], has_header=False, new_columns=["line"], separator="\\x01",
                    quote_char=None)
field = lambda pattern: pl.col("line").str.extract(pattern, 1)
print(lines.select(
    field(r"Epoch: \\[?(\\d+)").cast(pl.Int64).sum().alias("epoch"),
    field(r"(?:\\[ *|Iteration: )(\\d+)").cast(pl.Int64).sum().alias("step"),
    field(r"(?:img/s:|total_ips :) ([\\d.]+)").cast(pl.Float64).sum().alias("speed"),
    field(r"loss ?: ([\\d.]+)").cast(pl.Float64).sum().alias("loss")).collect())
"""
_DUCKDB = """
import sys, duckdb
duckdb.sql("set threads to 2")
field = lambda pattern, kind: f"sum(try_cast(regexp_extract(line, '{pattern}', 1) as {kind}))"
print(duckdb.sql("select " + ", ".join((
    field(r"Epoch: \\[?(\\d+)", "bigint"), field(r"(?:\\[ *|Iteration: )(\\d+)", "bigint"),
    field(r"(?:img/s:|total_ips :) ([\\d.]+)", "double"), field(r"loss ?: ([\\d.]+)", "double")))
    + f" from read_csv('{sys.argv[1]}', columns={{'line': 'varchar'}}, delim='\\x01', quote='',"
    " header=false)").fetchall())
"""


def methods(log: str) -> dict[str, list[str]]:
    """The commands by name; those that are not installed are left out."""
    python = sys.executable
    found = {
        "grep -c": ["sh", "-c", f"grep -c 'img/s' '{log}' | cat"],
        "sixdim": [python, "-m", "sixdim", "score", log],
        "five searches": [python, str(HERE / "searches.py"), log],
    }
    for name, code in (("polars", _POLARS), ("duckdb", _DUCKDB)):
        if subprocess.run([python, "-c", f"import {name}"], capture_output=True).returncode == 0:
            found[name] = [python, "-c", code, log]
        else:
            print(f"{name} is not installed: left out", file=sys.stderr)
    return found


def once(command: list[str], folder: Path = REPOSITORY) -> tuple[float, float, float]:
    """Wall seconds, processor seconds and peak MiB of one run in that folder."""
    environment = {**os.environ, "POLARS_MAX_THREADS": "2"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # what is installed was compiled
    begin = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    over, peaks = threading.Event(), [0.0]
    watcher = threading.Thread(target=_watch_memory, args=(process.pid, over, peaks))
    watcher.start()
    _pid, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    over.set()
    watcher.join()
    if status:
        raise SystemExit(f"{' '.join(command)[:500]} failed")
    return wall, usage.ru_utime + usage.ru_stime, max(peaks)


def _watch_memory(process: int, over: threading.Event, peaks: list[float]) -> None:
    """Notes what a process and its children hold, in MiB, as long as they run."""
    while not over.wait(_PERIOD):
        peaks.append(sum(_proportional(one) for one in (process, *_children(process))) / 1024)


def _children(process: int) -> list[int]:
    try:
        text = Path(f"/proc/{process}/task/{process}/children").read_text()
    except OSError:  # it has just ended
        return []
    direct = [int(word) for word in text.split()]
    return [*direct, *(far for near in direct for far in _children(near))]


def _proportional(process: int) -> int:
    """KiB of a process; pages that it shares count in equal parts."""
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return 0
    return int(text.split("Pss:")[1].split()[0])


def table(kind: str, log: Path, rounds: int) -> None:
    """Prints what the methods take for a log."""
    commands = methods(str(log))
    runs: dict[str, list[tuple[float, float, float]]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, command in commands.items():
            result = once(command)
            if number:  # the first warms up
                runs[name].append(result)
    size = log.stat().st_size / 1e6
    print(f"\n({kind}) {size:.0f} MB, medians of {rounds}\n")
    print("| method | wall s | cpu s | MB/s | wall / grep | searches / wall | peak MiB |")
    print("|---|---|---|---|---|---|---|")
    for name, results in runs.items():
        wall, cpu, peak = (statistics.median(r[i] for r in results) for i in range(3))
        grep = statistics.median(r[0] / g[0] for r, g in zip(results, runs["grep -c"], strict=True))
        searches = statistics.median(
            s[0] / r[0] for r, s in zip(results, runs["five searches"], strict=True)
        )
        print(
            f"| {name} | {wall:.2f} | {cpu:.2f} | {size / wall:.0f} | {grep:.1f} | {searches:.1f} "
            f"| {peak:.0f} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("megabytes", nargs="?", type=int, default=200, help="size of a log (200)")
    parser.add_argument("rounds", nargs="?", type=int, default=5, help="rounds of each method (5)")
    parser.add_argument("kinds", nargs="*", default=_KINDS, help=f"of {', '.join(_KINDS)} (all)")
    options = parser.parse_args()
    if unknown := [kind for kind in options.kinds if kind not in _KINDS]:
        parser.error(f"no kind of log is called {unknown[0]!r}: there are {', '.join(_KINDS)}")
    folder = Path(tempfile.mkdtemp(prefix="sixdim-bench-"))
    try:
        for kind in options.kinds:
            size = str(options.megabytes)
            make = [sys.executable, str(HERE / "make_logs.py"), str(folder), size, kind]
            log = Path(
                subprocess.run(make, capture_output=True, text=True, check=True).stdout.strip()
            )
            table(kind, log, options.rounds)
            log.unlink()
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
