"""`sixdim scaling` over an archive of logs: one core beside two, ratios from paired runs.

`python -m benchmarks.archives [LOGS] [MEGABYTES] [ROUNDS]` (default 100, 1 and 5): writes the logs
in DLPerf's layout into a folder of its own. Every round runs each command once, after one warm-up
round; one core is the same command on one processor. Other work on the machine takes more from two
cores than from one, so the load is printed, too.
"""

from __future__ import annotations

import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

from benchmarks.batch import REPOSITORY
from benchmarks.make_logs import KINDS

CASES = ("1n1g", "1n2g", "1n4g", "1n8g", "2n8g", "4n8g")
CORES = (1, 2)


def archive(root: Path, count: int, megabytes: float) -> None:
    """Writes the logs; they differ in one line, or they would be copies of each other."""
    lines: list[str] = []
    size = 0
    for line in KINDS["b"](random.Random(7)):
        lines.append(line)
        size += len(line)
        if size >= megabytes * 1_000_000:
            break
    body = "".join(lines)
    for number in range(count):
        case = CASES[number % len(CASES)]
        path = root / case / f"rn50_b128_fp32_{number // len(CASES) + 1}.log"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"log {number}\n{body}", encoding="ascii")


def once(root: Path, cores: set[int]) -> tuple[float, float]:
    """Wall and processor seconds of one command, which may run on these cores."""
    command = [sys.executable, "-m", "sixdim", "scaling", str(root), "--format", "csv"]
    begin = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=REPOSITORY,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
    )
    _pid, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{command} failed")
    return time.perf_counter() - begin, usage.ru_utime + usage.ru_stime


def main() -> None:
    given = [float(word) for word in sys.argv[1:]]
    count, megabytes, rounds = (*given, *(100, 1, 5)[len(given) :])
    allowed = sorted(os.sched_getaffinity(0))
    kinds = [n for n in (*CORES, len(allowed)) if n <= len(allowed)]
    runs: dict[int, list[tuple[float, float]]] = {cores: [] for cores in kinds}
    root = Path(tempfile.mkdtemp(prefix="sixdim-bench-"))
    try:
        archive(root, int(count), megabytes)
        for number in range(int(rounds) + 1):
            for cores, results in runs.items():
                result = once(root, set(islice(allowed, cores)))
                if number:  # the first warms up
                    results.append(result)
    finally:
        shutil.rmtree(root)
    print(f"\n{count:.0f} logs of {megabytes:g} MB, medians of {rounds:.0f}, load ", end="")
    print(f"{os.getloadavg()[0]:.1f}\n\n| cores | wall s | cpu s | MB/s | one core / wall |")
    print("|---|---|---|---|---|")
    for cores, results in runs.items():
        wall, cpu = (statistics.median(r[i] for r in results) for i in range(2))
        ratio = statistics.median(a[0] / b[0] for a, b in zip(runs[1], results, strict=True))
        print(
            f"| {cores} | {wall:.2f} | {cpu:.2f} | {count * megabytes / wall:.0f} | {ratio:.2f} |"
        )


if __name__ == "__main__":
    if {"-h", "--help"}.isdisjoint(sys.argv[1:]):
        main()
    else:
        print(__doc__)
