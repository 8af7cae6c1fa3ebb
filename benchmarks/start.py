"""What it costs to start: CPU time against an interpreter that does nothing, and its like.

    python -m benchmarks.start [ROUNDS]

Runs the installed `sixdim` of this interpreter, with bytecode cached, and prints ratios: CPU time
(user and system, which other work on the machine blurs less than wall time), medians of so many
rounds, the commands of a round one after the other. In a pseudo-terminal: what `watch` used up
until the log's last line was on the screen, and until it had answered a key, `q`.
"""

from __future__ import annotations

import os
import pty
import statistics
import sys
from collections.abc import Callable
from pathlib import Path

import sample_logs

LOG = sample_logs.path(sample_logs.RUN)
LAST = LOG.read_bytes().splitlines()[-1][:40]
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
WATCH = [SIXDIM, "watch", str(LOG), "--no-gpus"]


def environment() -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "TERM": "xterm-256color"}


def cpu(words: list[str]) -> float:
    """CPU seconds of a command, its output thrown away."""
    null = [(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_WRONLY, 0) for fd in (1, 2)]
    pid = os.posix_spawn(words[0], words, environment(), file_actions=null)
    _, status, used = os.wait4(pid, 0)
    assert status == 0, words
    return used.ru_utime + used.ru_stime


def on_terminal(words: list[str], until: bytes, keys: bytes) -> tuple[float, float]:
    """CPU seconds until a text was painted, and until the keys typed at the start ended it."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(words[0], words, environment())
    os.write(terminal, keys)
    painted, seen = 0.0, b""
    while True:
        try:
            seen += os.read(terminal, 65536)
        except OSError:  # it has ended
            break
        if not painted and until in seen:
            painted = running(pid)
    os.close(terminal)
    _, _, used = os.wait4(pid, 0)
    return painted, used.ru_utime + used.ru_stime


def running(pid: int) -> float:
    """CPU seconds of all threads of a running process."""
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9


def main(rounds: int) -> None:
    python = sys.executable
    measures: dict[str, Callable[[], float]] = {
        "python -c pass": lambda: cpu([python, "-c", "pass"]),
        "python -c 'import numpy'": lambda: cpu([python, "-c", "import numpy"]),
        "sixdim --version": lambda: cpu([SIXDIM, "--version"]),
        "sixdim score": lambda: cpu([SIXDIM, "score", str(LOG)]),
        "watch, first frame": lambda: on_terminal(WATCH, LAST, b"q")[0],
        "watch, key answered": lambda: on_terminal(WATCH, LAST, b"q")[1],
        "minimal Textual app, key answered": lambda: on_terminal(
            [python, "-c", MINIMAL], b"hello", b"q"
        )[1],
    }
    spent: dict[str, list[float]] = {name: [] for name in measures}
    for number in range(rounds + 1):
        for name, measure in measures.items():
            taken = measure()
            if number:  # the first round warms the caches up
                spent[name].append(taken)
    usual = {name: statistics.median(times) for name, times in spent.items()}
    for name, seconds in usual.items():
        print(f"{name:<34} {seconds * 1000:6.1f} ms CPU")
    for name, other, most in (
        ("sixdim --version", "python -c pass", 3),
        ("sixdim score", "python -c 'import numpy'", 1),
        ("watch, first frame", "python -c pass", 3),
        ("watch, key answered", "minimal Textual app, key answered", 1.15),
    ):
        print(f"{name} / {other}: {usual[name] / usual[other]:.2f} (at most {most})")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 20)
