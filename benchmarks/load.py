"""What a monitor costs under load: `python -m benchmarks.load growth`, `… memory`, `… keys`.

growth: a log that grows at so many lines a second; memory at the start and the end, and
whether a single line is missing from the figures. memory: peak memory of scoring a log of
many lines, beside that of a small one. keys: how long the screen takes to answer a key
while the log grows at so many lines a second; with --tangled the same steps come again and
again, so that every line is folded by itself, the slowest there is; with --log FILE while the
screen catches up on a log that is there.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.support.processes.pty_session import Session

LINE = (
    "Epoch: [{epoch}]  [{step:>7}/100000]  eta: 0:00:03  lr: 0.1  img/s: 590.7  "
    "loss: 7.1 (7.1)  time: 6.9  data: 0.0\n"
)
MEASURED = """
import resource, sys
from sixdim.tui.cli import main
main(["score", sys.argv[1], "--json", "-"])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def write(path: Path, lines: int) -> None:
    """A log of so many iterations, 100,000 an epoch."""
    with path.open("w") as out:
        out.write("Start training\n")
        for begin in range(0, lines, 100_000):
            epoch = begin // 100_000
            block = [LINE.format(epoch=epoch, step=s) for s in range(min(100_000, lines - begin))]
            out.write("".join(block) + f"Epoch: [{epoch}] Avg img/s: {5000 + epoch}.5\n")


def peak_kib(path: Path) -> tuple[int, float]:
    """Peak memory in KiB of scoring a log, and the seconds it takes."""
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(path)], capture_output=True, text=True, check=True
    )
    return int(done.stderr.split()[-1]), time.monotonic() - begun


def memory(lines: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder) / "small.log", Path(folder) / "large.log"
        write(small, 1000)
        write(large, lines)
        base, _ = peak_kib(small)
        peak, took = peak_kib(large)
    print(f"{lines:,} lines: {peak / 1024:.1f} MiB, {(peak - base) / 1024:+.1f} MiB", end="")
    print(f" against 1,000 lines; {took:.1f} s")


def growth(rate: int, seconds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        log, card = Path(folder) / "train.log", Path(folder) / "card.json"
        words = ["watch", "--plain", "--no-gpus", str(log), "--json", str(card)]
        watch = subprocess.Popen(
            [sys.executable, "-m", "sixdim", *words], stdout=subprocess.DEVNULL
        )
        sizes = []
        block = "".join(LINE.format(epoch=0, step=s) for s in range(rate // 10))
        begun = time.monotonic()
        with log.open("w") as out:
            out.write("Start training\n")
            for tenth in range(seconds * 10):
                out.write(block)
                out.flush()
                time.sleep(max(0.0, begun + (tenth + 1) / 10 - time.monotonic()))
                if tenth % 10 == 9:
                    sizes.append(resident_kib(watch.pid))
            out.write("Epoch: [0] Avg img/s: 5000.5\nTraining time 1:02:03\n")
        ended = time.monotonic()
        watch.wait()
        told = json.loads(card.read_text())["provenance"]["bytes"]
        print(f"{rate:,} lines/s for {seconds} s: resident {sizes[0] >> 10} MiB after 1 s,", end="")
        print(f" {max(sizes) >> 10} MiB at most; level {time.monotonic() - ended:.1f} s after the")
        print(f"last line; {log.stat().st_size - told} of {told:,} bytes missing from the card")


def keys(rate: int, seconds: int, tangled: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "train.log"
        stop = threading.Event()
        writer = threading.Thread(target=write_at, args=(log, rate, tangled, stop))
        writer.start()
        try:
            answers = answered(log, seconds, settle=2.0)
        finally:
            stop.set()
            writer.join()
    tell(f"{rate:,} lines/s", answers)


def catching_up(log: Path, seconds: int) -> None:
    tell(f"opening {log.stat().st_size / 1e6:.0f} MB", answered(log, seconds, settle=0.0))


def answered(log: Path, seconds: int, settle: float) -> list[float]:
    """Milliseconds from a key to its answer on the screen, for keys at random moments."""
    words = ["watch", "--no-gpus", str(log)]
    screen = Session(f"from sixdim.tui.cli import main; main({words!r})", 160, 48)
    screen.read_until("Throughput")
    screen.read_for(settle)
    answers = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for key, expected in (("?", "Suspend; fg"), ("\x1b", "Throughput")):
            screen.output = b""
            begun = time.monotonic()
            screen.send(key)
            assert screen.read_until(expected, 10.0), key
            if key == "?":  # Escape waits to see whether it begins a sequence
                answers.append(1000 * (time.monotonic() - begun))
            screen.read_for(random.uniform(0.05, 0.25))
    screen.send("q")
    screen.wait()
    return answers


def tell(what: str, answers: list[float]) -> None:
    answers.sort()
    print(
        f"{what}: {len(answers)} keys, median {answers[len(answers) // 2]:.0f} ms, "
        f"99th percentile {answers[int(0.99 * len(answers))]:.0f} ms, "
        f"worst {answers[-1]:.0f} ms; load {os.getloadavg()[0]:.1f}"
    )


def write_at(log: Path, rate: int, tangled: bool, stop: threading.Event) -> None:
    """Lets a log grow at so many lines a second, a second an epoch, until told to stop."""
    tenth = rate // 10
    blocks = [
        "".join(LINE.format(epoch=0, step=n * tenth + s) for s in range(tenth))
        for n in range(1 if tangled else 10)
    ]
    begun = time.monotonic()
    with log.open("w") as out:
        out.write("Start training\n")
        written = 0
        while not stop.is_set():
            epoch, part = divmod(written, 10)
            block = blocks[0 if tangled else part]
            out.write(block if tangled else block.replace("Epoch: [0]", f"Epoch: [{epoch}]"))
            written += 1
            if not tangled and part == 9:
                out.write(f"Epoch: [{epoch}] Avg img/s: {5000 + epoch}.5\n")
            out.flush()
            time.sleep(max(0.0, begun + written / 10 - time.monotonic()))


def resident_kib(pid: int) -> int:
    """Resident memory of a process in KiB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize() // 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["growth", "memory", "keys"])
    parser.add_argument("--lines", type=int, default=10_000_000)
    parser.add_argument("--rate", type=int, default=100_000)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--tangled", action="store_true")
    parser.add_argument("--log", type=Path)
    args = parser.parse_args()
    if args.what == "memory":
        memory(args.lines)
    elif args.log is not None:
        catching_up(args.log, args.seconds)
    elif args.what == "keys":
        keys(args.rate, args.seconds, args.tangled)
    else:
        growth(args.rate, args.seconds)


if __name__ == "__main__":
    main()
