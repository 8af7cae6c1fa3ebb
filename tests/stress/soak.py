"""A log of 10,000 lines a second, rotated, watched, killed, and beside it what fails: for long.

    python -m tests.stress.soak [--minutes 60] [--rate 10000]

Every round (a minute) three logs grow at once, the first at the whole rate, and the others at a
tenth of it:

  rotated   by rename every few seconds; on a screen, with GPUs through a real library of NVML's
            name whose boards are lost, refuse and come back; keys are pressed all the time
  killed    watched with a journal of its own GPU command, `kill -9` at random, started again
  scraped   beside a server that answers in every way that Prometheus should not

At a round's end each card is held against that of the finished log, and the readings that the
command answered against those in the journal. Ends with 1 where a card differs, or more than one
reading is lost for each kill.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sixdim.parsers.telemetry.journal import JournalReader
from tests.stress.hostile import HostileServer
from tests.support.processes.pty_session import Session

ROOT = Path(__file__).parents[2]
STUB = ROOT / "tests/parsers/telemetry/nvml_stub/nvml_stub.c"
SIXDIM = [sys.executable, "-m", "sixdim"]
ROUND_S = 60.0
ROTATE_S = 7.0
LINE = (
    "Epoch: [{epoch}]  [{step:>6}/{steps}]  eta: 0:00:03  lr: 0.1  img/s: {speed}  "
    "loss: 7.1 (7.1)  time: 6.9  data: 0.0\n"
)
COUNTING = """\
#!/bin/sh
n=$(($(cat {folder}/count 2>/dev/null || echo 100) + 1))
echo $n > {folder}/count.new && mv {folder}/count.new {folder}/count
echo $n $PPID >> {folder}/answers
echo '<ixsmi_log><gpu id="0000:0C:00.0"><uuid>GPU-a</uuid><minor_number>0</minor_number>'
echo "<power_readings><gpu_power_draw>$n W</gpu_power_draw></power_readings></gpu></ixsmi_log>"
"""
SCENES = (
    *("", "", "lost.0=1\n", "lost.0=1\nlost.1=1\n", "refuse.power.0=3\n", "hang_ms=200\n"),
    *("refuse.memory.1=4\npower.0=65535000\n", "count=0\n", "power.1=4294967295\nused.0=0\n"),
)
OF_READINGS = ("power", "memory")


class Figures:
    """What the soak ends in."""

    def __init__(self) -> None:
        self.rounds = self.cards = self.differing = 0
        self.lines = self.kills = self.answered = self.lost = self.requests = 0
        self.memory_kib = 0
        self.cpu_s = self.watched_s = 0.0
        self.keys_ms: list[float] = []

    def printed(self) -> str:
        keys = sorted(self.keys_ms) or [0.0]
        return (
            f"{self.rounds} rounds, {self.lines:,} lines, {self.kills} kills, "
            f"{self.requests} hostile answers\n"
            f"cards: {self.cards} compared, {self.differing} differing\n"
            f"readings: {self.answered} answered, {self.lost} lost ({self.kills} kills)\n"
            f"the screen: {self.memory_kib / 1024:.0f} MiB at most, "
            f"{100 * self.cpu_s / max(self.watched_s, 1):.0f} % of a processor, "
            f"{len(keys)} keys: median {keys[len(keys) // 2]:.0f} ms, "
            f"99th percentile {keys[int(0.99 * len(keys))]:.0f} ms, worst {keys[-1]:.0f} ms; "
            f"load {os.getloadavg()[0]:.1f}"
        )

    @property
    def failed(self) -> bool:
        return self.differing > 0 or self.lost > self.kills


class Log:
    """A log that grows at its rate in tenths of a second, and ends with a closing line."""

    def __init__(self, path: Path, rate: int, rotates: bool = False) -> None:
        self.path = path
        self.pieces: list[Path] = []
        self.lines = 0
        self._rate = rate
        self._rotates = rotates
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._write)
        self._thread.start()

    def end(self) -> None:
        """Writes the closing line; returns once it is written."""
        self._stop.set()
        self._thread.join()

    def _write(self) -> None:
        begun, written, steps = time.monotonic(), 0, self._rate * 4
        file = self.path.open("w")
        file.write(f"Namespace(data_path='{self.path.stem}')\nStart training\n")
        rotated = begun
        while not self._stop.is_set():
            epoch, tenth = divmod(written, 40)
            tick = self._rate // 10
            file.write(
                "".join(
                    LINE.format(epoch=epoch, step=step, steps=steps, speed=5000 + step % 97)
                    for step in range(tenth * tick, (tenth + 1) * tick)
                )
            )
            if tenth == 39:
                file.write(
                    f"Epoch: [{epoch}] Avg img/s: {5000 + epoch}.5\n * Acc@1 {epoch}.1 Acc@5 9.0\n"
                )
            file.flush()
            written += 1
            self.lines += tick
            if self._rotates and time.monotonic() - rotated > ROTATE_S:
                file.close()
                self.pieces.append(self.path.with_name(f"{self.path.name}.{len(self.pieces) + 1}"))
                self.path.rename(self.pieces[-1])
                file, rotated = self.path.open("w"), time.monotonic()
            self._stop.wait(max(0.0, begun + written / 10 - time.monotonic()))
        with file:
            file.write("Training time 0:01:00\n")


class Bench:
    """One round's folder: libraries, commands and what they are asked through."""

    def __init__(self, folder: Path, libraries: Path) -> None:
        self.folder = folder
        self.scene = folder / "scene"
        command = folder / "bin" / "ixsmi"
        command.parent.mkdir()
        command.write_text(COUNTING.format(folder=folder))
        command.chmod(0o755)
        own = {k: v for k, v in os.environ.items() if "VISIBLE_DEVICES" not in k}
        self.environment = own | {
            "PATH": f"{command.parent}:{os.environ['PATH']}",
            "LD_LIBRARY_PATH": str(libraries),
            "NVML_STUB_STATE": str(self.scene),
            "XDG_STATE_HOME": str(folder / "state"),
            "PYTHONPATH": str(ROOT),
        }

    def watch(self, log: Path, telemetry: str) -> subprocess.Popen[bytes]:
        words = ["watch", "--plain", str(log), "--json", f"{log}.json", "--telemetry", telemetry]
        return subprocess.Popen(
            [*SIXDIM, *words], env=self.environment, stdout=subprocess.DEVNULL, cwd=self.folder
        )

    def finished(self, *logs: Path) -> dict[str, Any]:
        join = ["--join"] if len(logs) > 1 else []
        words = [*SIXDIM, "score", *map(str, logs), *join, "--json", "-"]
        done = subprocess.run(
            words, env=self.environment, capture_output=True, cwd=self.folder, check=False
        )
        if done.returncode:
            raise RuntimeError(f"{words[3:]}: {done.stderr.decode()}")
        card: dict[str, Any] = json.loads(done.stdout)
        return card


@contextmanager
def changing_scenes(bench: Bench, chance: random.Random) -> Iterator[None]:
    """NVML fails in another way every second or so."""
    stop = threading.Event()

    def play() -> None:
        while not stop.wait(chance.uniform(0.3, 2.0)):
            fresh = bench.scene.with_suffix(".new")
            fresh.write_text(chance.choice(SCENES))
            fresh.replace(bench.scene)

    bench.scene.write_text("")
    thread = threading.Thread(target=play)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


class Killed:
    """A watch that is killed at random and started again; the readings that this cost."""

    def __init__(self, bench: Bench, log: Path, chance: random.Random) -> None:
        self._bench, self._log, self._chance = bench, log, chance
        self.kills = 0
        self._stop = threading.Event()
        self.child = bench.watch(log, "ixsmi")
        self._thread = threading.Thread(target=self._kill)
        self._thread.start()

    def _kill(self) -> None:
        while not self._stop.wait(self._chance.uniform(4.0, 12.0)):
            self.child.send_signal(signal.SIGKILL)
            self.child.wait()
            self.kills += 1
            self.child = self._bench.watch(self._log, "ixsmi")

    def leave_alone(self) -> None:
        self._stop.set()
        self._thread.join()

    def readings(self) -> tuple[int, int]:
        """How many the command answered, and how many of those the journal lacks.

        The first answer to each watch is how that one finds out in which shape it answers.
        """
        journal = Path(f"{self._log}.sixdim.jsonl")
        written = {reading.power_w for reading in JournalReader(journal).poll()}
        watches: set[str] = set()
        answers = []
        for line in (self._bench.folder / "answers").read_text().splitlines():
            number, watch = line.split()
            if watch in watches:
                answers.append(int(number))
            watches.add(watch)
        return len(answers), sum(number not in written for number in answers)


class Screen:
    """The watch of the rotated log, with somebody at its keys."""

    def __init__(self, bench: Bench, log: Path) -> None:
        words = ["watch", str(log), "--json", f"{log}.json", "--telemetry", "nvml"]
        code = f"import sys; from sixdim.tui.cli import main; sys.exit(main({words!r}))"
        self.session = Session(code, 160, 48, bench.environment)
        self.answers_ms: list[float] = []
        self.memory_kib = 0
        self._begun = time.monotonic()

    def press(self, chance: random.Random) -> None:
        """Opens the help and closes it again."""
        screen = self.session
        for key, shown in (("?", "Suspend; fg"), ("\x1b", "Throughput")):
            screen.output = b""
            begun = time.monotonic()
            screen.send(key)
            if not screen.read_until(shown, 30.0):
                raise TimeoutError(f"no answer to {key!r}")
            if key == "?":
                self.answers_ms.append(1000 * (time.monotonic() - begun))
            screen.read_for(chance.uniform(0.05, 0.4))
        statm = Path(f"/proc/{self.session.pid}/statm").read_text().split()
        self.memory_kib = max(self.memory_kib, int(statm[1]) * resource.getpagesize() // 1024)

    def cpu(self) -> tuple[float, float]:
        """Seconds of a processor so far, and of the clock."""
        stat = Path(f"/proc/{self.session.pid}/stat").read_text().rpartition(")")[2].split()
        ticks = int(stat[11]) + int(stat[12])
        return ticks / os.sysconf("SC_CLK_TCK"), time.monotonic() - self._begun


def one_round(figures: Figures, libraries: Path, rate: int, seconds: float, seed: int) -> None:
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(Path(name), libraries)
        server = HostileServer(seed)
        rotated = Log(bench.folder / "rotated.log", rate, rotates=True)
        others = [Log(bench.folder / f"{one}.log", rate // 10) for one in ("killed", "scraped")]
        begun = time.monotonic()
        with changing_scenes(bench, chance):
            killed = Killed(bench, others[0].path, random.Random(seed))
            where = f"prometheus:http://127.0.0.1:{server.port}?job=x"
            scraped = bench.watch(others[1].path, where)
            screen = Screen(bench, rotated.path)
            screen.session.read_until("Throughput")
            while time.monotonic() - begun < seconds:
                screen.press(chance)
            killed.leave_alone()
            for log in (rotated, *others):
                log.end()
                figures.lines += log.lines
            cpu_s, watched_s = screen.cpu()
            screen.session.wait_for(lambda: _is_over(rotated.path), 60.0)
            screen.session.quit()
            for child in (killed.child, scraped):
                child.wait(120)
        server.close()
        figures.rounds += 1
        figures.kills += killed.kills
        figures.requests += server.requests
        figures.cpu_s += cpu_s
        figures.watched_s += watched_s
        figures.keys_ms += screen.answers_ms
        figures.memory_kib = max(figures.memory_kib, screen.memory_kib)
        answered, lost = killed.readings()
        figures.answered += answered
        figures.lost += lost
        for log in (rotated, *others):
            _compare(figures, bench, log, with_readings=log is others[0])


def _is_over(log: Path) -> bool:
    card = Path(f"{log}.json")
    return card.exists() and json.loads(card.read_text())["run_end"] is not None


def _compare(figures: Figures, bench: Bench, log: Log, with_readings: bool) -> None:
    live = json.loads(Path(f"{log.path}.json").read_text())
    finished = bench.finished(*log.pieces, log.path)
    if not with_readings:
        for card in (live, finished):
            card.pop("warnings")
            card.get("evidence", {}).clear()
            for dimension in OF_READINGS:
                card["dimensions"].pop(dimension)
    figures.cards += 1
    if live != finished:
        figures.differing += 1
        parts = [part for part in finished if live.get(part) != finished[part]]
        print(f"round {figures.rounds}: {log.path.name} differs in {', '.join(parts)}", flush=True)
        kept = Path(tempfile.mkdtemp(prefix="sixdim-soak-"))
        for source in bench.folder.glob(f"{log.path.name}*"):
            shutil.copy(source, kept)
        print(f"  kept in {kept}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--rate", type=int, default=10_000)
    args = parser.parse_args()
    compiler = shutil.which("cc")
    if compiler is None:
        sys.exit("no C compiler (cc) to build the library of NVML's name")
    figures, until = Figures(), time.monotonic() + 60 * args.minutes
    with tempfile.TemporaryDirectory() as libraries:
        built = Path(libraries, "libnvidia-ml.so.1")
        link = ["-shared", "-fPIC", f"-Wl,-soname,{built.name}", "-o", str(built), str(STUB)]
        subprocess.run([compiler, *link], check=True)
        while (left := until - time.monotonic()) > 5:
            seed = figures.rounds + 1
            one_round(figures, Path(libraries), args.rate, min(ROUND_S, left), seed)
    print(figures.printed())
    return 1 if figures.failed else 0


if __name__ == "__main__":
    sys.exit(main())
