"""What it costs to start: CPU time against an interpreter that does nothing, and its like.

    python -m benchmarks.start [ROUNDS]

Runs the installed `sixdim` of this interpreter, with bytecode cached, and prints ratios of CPU
time (user and system, which other work on the machine blurs less) and of wall time: medians of so
many rounds, the commands of a round one after the other. In a pseudo-terminal: what `watch` took
until the log's last line was on the screen; until it had ended by a key, `q`, typed at once; and
until the figures were there. To read a log is no part of a start: the log has the
first 100 lines of the sample, and one row more of each has the whole of it.
"""

from __future__ import annotations

import os
import pty
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from sixdim import sample_logs

LOG = sample_logs.path(sample_logs.RUN)
HEAD = 100
FIGURES = b"Scorecard"
"""Stands on the screen with the first figures."""
SIXDIM = str(Path(sys.executable).with_name("sixdim"))
MINIMAL = """
from textual.app import App
from textual.widgets import Static
class Minimal(App):
    BINDINGS = [("q", "quit", "Quit")]
    def compose(self):
        yield Static("hello")
Minimal().run()
"""


class Spent(NamedTuple):
    """Seconds."""

    cpu: float
    wall: float


def environment() -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "TERM": "xterm-256color"}


def whole(words: list[str]) -> Spent:
    """What a command took, its output thrown away."""
    began = time.perf_counter()
    null = [(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_WRONLY, 0) for fd in (1, 2)]
    pid = os.posix_spawn(words[0], words, environment(), file_actions=null)
    _, status, used = os.wait4(pid, 0)
    assert status == 0, words
    return Spent(used.ru_utime + used.ru_stime, time.perf_counter() - began)


def painted(words: list[str], text: bytes) -> Spent:
    """What a command took until a text was painted; a key ends it."""
    return on_terminal(words, text)[0]


def answered(words: list[str]) -> Spent:
    """What a command took until it was ended by a key that was typed at once."""
    return on_terminal(words, b"")[1]


def on_terminal(words: list[str], text: bytes) -> tuple[Spent, Spent]:
    """What a command took until a text was painted, and until the key typed then ended it."""
    began = time.perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(words[0], words, environment())
    seen, then = b"", None
    while True:
        if then is None and text in seen:
            then = Spent(running(pid), time.perf_counter() - began)
            os.write(terminal, b"q")
        try:
            seen += os.read(terminal, 65536)
        except OSError:  # it has ended
            break
    os.close(terminal)
    _, status, used = os.wait4(pid, 0)
    assert status == 0 and then is not None, (words, seen[-500:])
    return then, Spent(used.ru_utime + used.ru_stime, time.perf_counter() - began)


def running(pid: int) -> float:
    """CPU seconds of all threads of a running process."""
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9


def main(rounds: int) -> None:
    lines = LOG.read_bytes().splitlines(keepends=True)
    with tempfile.TemporaryDirectory() as folder:
        short = Path(folder, "train.log")
        short.write_bytes(b"".join(lines[:HEAD]))
        spent = measured(rounds, short, lines[HEAD - 1][:40])
    usual = {
        name: Spent(*(statistics.median(each) for each in zip(*taken, strict=True)))
        for name, taken in spent.items()
    }
    for name, took in usual.items():
        print(f"{name:<34} {took.cpu * 1000:6.1f} ms CPU {took.wall * 1000:6.1f} ms wall")
    for name, other, most in (
        ("sixdim --version", "python -c pass", 3),
        ("sixdim score", "python -c 'import numpy'", 1),
        ("sixdim score of the whole", "python -c 'import numpy'", 1),
        ("watch, first frame", "python -c pass", 3),
        ("watch, key answered", "minimal Textual app, key answered", 1.15),
        ("watch of the whole, key answered", "minimal Textual app, key answered", 1.15),
    ):
        cpu, wall = (a / b for a, b in zip(usual[name], usual[other], strict=True))
        print(f"{name} / {other}: {cpu:.2f} CPU, {wall:.2f} wall (at most {most})")


def measured(rounds: int, short: Path, last: bytes) -> dict[str, list[Spent]]:
    """What each command took, round by round; the first round warms the caches up."""
    python = sys.executable
    watch = [SIXDIM, "watch", str(short), "--no-gpus"]
    measures: dict[str, Callable[[], Spent]] = {
        "python -c pass": lambda: whole([python, "-c", "pass"]),
        "python -c 'import numpy'": lambda: whole([python, "-c", "import numpy"]),
        "sixdim --version": lambda: whole([SIXDIM, "--version"]),
        "sixdim score": lambda: whole([SIXDIM, "score", str(short)]),
        "sixdim score of the whole": lambda: whole([SIXDIM, "score", str(LOG)]),
        "watch, first frame": lambda: painted(watch, last),
        "watch, key answered": lambda: answered(watch),
        "watch, figures": lambda: painted(watch, FIGURES),
        "watch of the whole, key answered": lambda: answered(
            [SIXDIM, "watch", str(LOG), "--no-gpus"]
        ),
        "watch of the whole, figures": lambda: painted(
            [SIXDIM, "watch", str(LOG), "--no-gpus"], FIGURES
        ),
        "minimal Textual app, key answered": lambda: answered([python, "-c", MINIMAL]),
        "minimal Textual app, painted": lambda: painted([python, "-c", MINIMAL], b"hello"),
    }
    spent: dict[str, list[Spent]] = {name: [] for name in measures}
    for number in range(rounds + 1):
        for name, measure in measures.items():
            taken = measure()
            if number:
                spent[name].append(taken)
    return spent


if __name__ == "__main__":
    if {"-h", "--help"}.isdisjoint(sys.argv[1:]):
        main(int(sys.argv[1]) if sys.argv[1:] else 20)
    else:
        print(__doc__)
