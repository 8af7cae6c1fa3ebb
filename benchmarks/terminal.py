"""What the screen costs over SSH: bytes, CPU, latency and memory, in a pseudo-terminal.

    python -m benchmarks.terminal            all of it, about two minutes
    python -m benchmarks.terminal --quick    shorter measurements

Figures, never verdicts: they depend on the machine. lnav and toolong are run on the same log where
they are installed.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import string
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sixdim import sample_logs
from tests.support.processes.pty_session import Session

SIZE = (160, 48)
HEAD_EPOCHS = 12
SIXDIM = "import sys; from sixdim.tui.cli import main; sys.exit(main({words!r}))"
PEERS = {"lnav": ["lnav"], "toolong": ["tl"]}
_SGR = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(frozen=True)
class Cost:
    bytes_per_s: float
    cpu_percent: float
    wakeups_per_s: float

    def __str__(self) -> str:
        return (
            f"{self.bytes_per_s:8.0f} B/s  {self.cpu_percent:5.2f} % CPU  "
            f"{self.wakeups_per_s:6.1f} wake-ups/s"
        )


def sample_lines() -> tuple[bytes, list[bytes]]:
    """The sample run up to an epoch, and the lines after it."""
    lines = sample_logs.path(sample_logs.RUN).read_bytes().splitlines(keepends=True)
    mark = f"Epoch: [{HEAD_EPOCHS}]".encode()
    cut = next(n for n, line in enumerate(lines) if line.startswith(mark))
    return b"".join(lines[:cut]), lines[cut:]


@contextmanager
def screen(code: str, env: dict[str, str] | None = None) -> Iterator[Session]:
    session = Session(code, *SIZE, env={"TMUX": "", **(env or {})})
    try:
        session.read_for(3.0)
        yield session
    finally:
        session.send("q")
        session.read_for(1.0)
        if os.waitpid(session.pid, os.WNOHANG)[0] == 0:
            os.kill(session.pid, 9)
            os.waitpid(session.pid, 0)


def watching(log: Path, *flags: str) -> str:
    return SIXDIM.format(words=["watch", str(log), "--no-gpus", *flags])


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wakeups(pid: int) -> int:
    """Voluntary context switches of all threads so far."""
    tasks = Path(f"/proc/{pid}/task").glob("*/status")
    return sum(int(t.read_text().split("\nvoluntary_ctxt_switches:")[1].split()[0]) for t in tasks)


def resident_mib(pid: int) -> float:
    text = Path(f"/proc/{pid}/status").read_text()
    return int(text.split("VmRSS:")[1].split()[0]) / 1024


def cost(session: Session, seconds: float) -> Cost:
    cpu, woken = cpu_seconds(session.pid), wakeups(session.pid)
    sent = len(session.read_for(seconds))
    used, woken = cpu_seconds(session.pid) - cpu, wakeups(session.pid) - woken
    return Cost(sent / seconds, 100 * used / seconds, woken / seconds)


@contextmanager
def growing(log: Path, lines: list[bytes], per_second: float) -> Iterator[None]:
    """Appends lines at a pace, in ten writes a second at most beyond that."""
    over = threading.Event()
    batch = max(1, round(per_second / 100))

    def write() -> None:
        begun, number = time.monotonic(), 0
        with log.open("ab") as file:
            while not over.wait(max(0.0, begun + number / per_second - time.monotonic())):
                chosen = [lines[(number + n) % len(lines)] for n in range(batch)]
                file.write(b"".join(chosen))
                file.flush()
                number += batch

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def latency(session: Session, log: Path, pause: Callable[[], float], count: int) -> list[float]:
    """Milliseconds from appending a line to its text on the terminal, sorted."""
    took = []
    for _ in range(count):
        session.read_for(pause())
        token = "".join(random.choices(string.ascii_lowercase, k=24))
        begin = len(session.output)
        appended = time.monotonic()
        with log.open("ab") as file:
            file.write(f"{token}\n".encode())
        # Cells that stay as they were are not sent: the middle of the token is enough.
        wanted = token[8:16].encode()
        while wanted not in _SGR.sub(b"", session.output[begin:]):
            if time.monotonic() - appended > 2.0:
                break
            session._read(0.05)
        took.append(1000 * (time.monotonic() - appended))
    return sorted(took)


def centile(values: list[float], share: float) -> float:
    return values[min(len(values) - 1, int(share * len(values)))]


def busy_lines() -> list[bytes]:
    """Iterations of one epoch that goes on and on."""
    return [iteration(HEAD_EPOCHS, n, 900_000) for n in range(250_000)]


def iteration(epoch: int, step: int, steps: int) -> bytes:
    """A progress line in the shape of the sample's."""
    return (
        f"Epoch: [{epoch}]  [{step:6}/{steps}]  eta: 0:03:49  lr: 0.128  "
        f"img/s: {4900 + step % 90}.25  loss: 2.3534 (2.3534)  acc1: 62.7083 (62.7083)  "
        f"acc5: 86.6667 (86.6667)  time: 0.6866  data: 0.0030\n"
    ).encode()


def long_lines(megabytes: int) -> Iterator[bytes]:
    """One run of 90 epochs of as many iterations as it takes, a megabyte at a time."""
    steps = megabytes * 1_000_000 // (90 * 165)
    block: list[bytes] = []
    for epoch in range(90):
        for step in range(steps):
            block.append(iteration(epoch, step, steps))
            if len(block) == 6000:
                yield b"".join(block)
                block = []
    yield b"".join(block)


def memory(folder: Path, megabytes: int) -> tuple[float, float]:
    """Resident MiB once half of the log is read, and at its end."""
    log = folder / "long.log"
    log.write_bytes(b"")
    with screen(watching(log)) as session:
        first = 0.0
        for number, block in enumerate(long_lines(megabytes)):
            with log.open("ab") as file:
                file.write(block)
            session.read_for(0.05)
            if number == megabytes // 2:
                settle(session)
                first = resident_mib(session.pid)
        settle(session)
        return first, resident_mib(session.pid)


def settle(session: Session) -> None:
    """Waits until everything written has been read."""
    before = -1.0
    while cpu_seconds(session.pid) - before > 0.2:
        before = cpu_seconds(session.pid)
        session.read_for(2.0)


def row(what: str, told: str) -> None:
    print(f"{what:<44} {told}", flush=True)


def measure(folder: Path, seconds: float, count: int, megabytes: int) -> None:
    head, tail = sample_lines()
    log = folder / "train.log"
    for name, flags in (("", ()), (", --low-bandwidth", ("--low-bandwidth",))):
        log.write_bytes(head)
        with screen(watching(log, *flags)) as session:
            row(f"idle{name}", str(cost(session, seconds / 2)))
            for pace, lines in ((4, tail), (10_000, busy_lines())):
                with growing(log, lines, pace):
                    session.read_for(3.0)  # numpy is loaded with the first megabyte
                    found = cost(session, seconds)
                row(f"{pace} lines/s{name}", str(found))
    log.write_bytes(head)
    with screen(watching(log)) as session:
        session.read_for(1.0)
        for what, pause in (
            ("append to painted, from idle", lambda: random.uniform(0.4, 0.7)),
            ("append to painted, in bursts", lambda: random.uniform(0.0, 0.05)),
        ):
            took = latency(session, log, pause, count)
            row(what, f"p50 {centile(took, 0.5):6.1f} ms   p99 {centile(took, 0.99):6.1f} ms")
    if megabytes:
        first, last = memory(folder, megabytes)
        grown = (last - first) / (0.5 * megabytes) * 100
        row("resident memory", f"{last:.0f} MiB; {grown:+.2f} MiB per 100 MB of log")
    for name, command in PEERS.items():
        if shutil.which(command[0]) is None:
            row(name, "not installed")
            continue
        log.write_bytes(head)
        code = f"import os; os.execvp({command[0]!r}, {[*command, str(log)]!r})"
        with screen(code) as session, growing(log, tail, 4):
            row(f"{name}, 4 lines/s", str(cost(session, seconds)))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="shorter measurements")
    parser.add_argument("--megabytes", type=int, default=100, help="of the memory test; 0: none")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sixdim-bench-") as folder:
        seconds, count = (5.0, 30) if given.quick else (20.0, 100)
        measure(Path(folder), seconds, count, given.megabytes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
