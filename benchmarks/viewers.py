"""What it costs to watch one growing run on a screen of 160x48: sixdim, lnav, toolong, LEET.

    python -m benchmarks.viewers [SECONDS]

A Megatron log with 500 steps grows by four lines a second while each viewer that is installed
shows it, one after the other. LEET reads no logs: for it, another process logs the same figures
with `wandb` (offline). Bytes are those to the terminal; processor time and memory are those of the
viewer and of all processes that it started, without the process that writes.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.terminal import SIZE, cpu_seconds, growing, resident_mib, screen, watching
from tests.support.processes.pty_session import Session

BEFORE = 500
"""Steps that the log has before somebody watches."""
PACE = 4.0
_WANDB = """
import random, sys, time, wandb
quiet = wandb.Settings(silent=True)
run = wandb.init(mode="offline", dir=sys.argv[1], project="bench", settings=quiet)
for step in range(100_000):
    run.log({"lm loss": 2 + 8.5 * (step + 3) ** -0.35 + random.gauss(0, 0.03),
             "learning rate": 1.5e-4 * min(1, step / 200), "grad norm": random.gauss(0.6, 0.1),
             "step time": random.gauss(1572, 9)}, step=step)
    if step > %d:
        time.sleep(1 / %f)
"""


def megatron(steps: int) -> list[bytes]:
    """Progress lines as Megatron prints them."""
    chance = random.Random(7)
    return [
        (
            f" iteration {step:8}/   20000 | consumed samples: {step * 512:12} | elapsed time per "
            f"iteration (ms): {1572 + chance.gauss(0, 9):.1f} | learning rate: "
            f"{1.5e-4 * min(1, step / 200):.3E} | global batch size:   512 | lm loss: "
            f"{2.1 + 8.5 * (step + 3) ** -0.35 + chance.gauss(0, 0.03):.6E} | "
            f"loss scale: 32768.0 | grad norm: {abs(chance.gauss(0.6, 0.2)):.3f} | "
            "number of skipped iterations:   0 | number of nan iterations:   0 |\n"
        ).encode()
        for step in range(1, steps + 1)
    ]


def family(pid: int) -> list[int]:
    """A process and all that it started."""
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        parents.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    found = [pid]
    for one in found:
        found += parents.get(one, [])
    return found


def measured(session: Session, seconds: float) -> str:
    """Bytes a second, processor time and memory of a viewer, as a row of a table."""
    pids = family(session.pid)
    before = sum(map(cpu_seconds, pids))
    sent = len(session.read_for(seconds))
    used = sum(map(cpu_seconds, family(session.pid))) - before
    memory = sum(map(resident_mib, family(session.pid)))
    return f"{sent / seconds:,.0f} | {100 * used / seconds:.1f} % | {memory:.0f}"


def program(command: Sequence[str]) -> str:
    """Code that becomes another program."""
    return f"import os; os.execvp({command[0]!r}, {[*command]!r})"


@contextmanager
def logging_to_wandb(folder: Path, python: str) -> Iterator[Path]:
    """Another process that logs the same figures with wandb; where it keeps them."""
    code = _WANDB % (BEFORE, PACE)
    writer = subprocess.Popen([python, "-c", code, str(folder)], stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 60
        while not (runs := [*folder.glob("wandb/offline-run-*")]) and time.monotonic() < until:
            time.sleep(0.2)
        time.sleep(3)
        yield runs[0]
    finally:
        writer.kill()
        writer.wait()


def main() -> int:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 30.0
    lines = megatron(BEFORE + 4000)
    print("| viewer | bytes a second | share of a core | MiB |\n|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory(prefix="sixdim-viewers-") as folder:
        log = Path(folder) / "megatron.log"
        viewers = {"sixdim watch": watching(log)}
        viewers |= {
            name: program([*command, str(log)])
            for name, command in {"lnav": ["lnav"], "toolong": ["tl"]}.items()
            if shutil.which(command[0])
        }
        for name, code in viewers.items():
            log.write_bytes(b"".join(lines[:BEFORE]))
            with screen(code) as session, growing(log, lines[BEFORE:], PACE):
                session.read_for(5.0)
                report(name, session, seconds)
        if leet := shutil.which("wandb"):
            python = str(Path(leet).parent / "python")
            with logging_to_wandb(Path(folder), python) as run:
                code = program([leet, "leet", "run", str(run)])
                with screen(code) as session:
                    session.read_for(5.0)
                    report("LEET", session, seconds)
    return 0


def report(name: str, session: Session, seconds: float) -> None:
    print(f"| {name} | {measured(session, seconds)} |", flush=True)
    if os.environ.get("SHOW"):
        print("\n".join(session.painted()))


assert SIZE == (160, 48)
if __name__ == "__main__":
    if {"-h", "--help"}.isdisjoint(sys.argv[1:]):
        sys.exit(main())
    else:
        print(__doc__)
