"""What watching costs: latency, a storm of writes, rest, and catching up.

    PYTHONPATH=. python benchmarks/live.py [LARGE_LOG | screen]

A storm is watched in three ways: the log is followed and nothing is made of it, `sixdim record`
(epochs alone, from a source without a device), and all that `sixdim watch --plain` does; `screen`
is `sixdim watch` itself. To catch up is to read a log as a screen needs it, beside `sixdim score`.
Silence is measured with the log that was written before. Wake-ups are the kernel's count of
voluntary context switches over all threads of the process.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sixdim.metrics.values.settings import Settings
from sixdim.parsers.input.follow import Tail
from sixdim.parsers.input.waker import Waker
from sixdim.parsers.reading import Reading
from sixdim.tui.base.clock import Clock
from sixdim.tui.commands.record import Recorder
from sixdim.tui.session.live.feed import KEEP_LINES, Frame
from sixdim.tui.session.live.gpus import Gpus
from sixdim.tui.session.live.monitor import LiveFeed
from sixdim.tui.session.request import Request
from tests.support.processes.pty_session import Session

_LINE = (
    "Epoch: [{epoch}]  [{step:>4}/1000]  eta: 0:00:47  lr: 0.1  img/s: 4100.5  "
    "loss: 1.1 (7.1)  acc1: 0.1 (0.1)  time: 0.3  data: 0.01\n"
)
_WRITER = """
import sys, time
line, rate, seconds = sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
first = 1000 * int(sys.argv[5]) if len(sys.argv) > 5 else 0
with open(sys.argv[1], "a", buffering=1) as log:
    begin = time.perf_counter()
    for number in range(int(rate * seconds)):
        log.write(line.format(epoch=(first + number) // 1000, step=number % 1000))
        while time.perf_counter() - begin < number / rate:
            time.sleep(0.0005)
"""


class Watch:
    """A live feed and the moments of its frames."""

    def __init__(self, path: Path, events: bool = True, keep: int = 0) -> None:
        self.frames: list[tuple[float, Frame]] = []
        self.came = threading.Condition()
        request = Request(Settings())
        clock = Clock(time.monotonic, lambda: 0)
        self.feed = LiveFeed(str(path), request, clock, Gpus("none"), events=events, keep=keep)
        self.feed.start(self._take)

    def _take(self, frame: Frame) -> None:
        with self.came:
            self.frames.append((time.perf_counter(), frame))
            self.came.notify_all()

    def wait(self, size: int) -> float:
        """When the frame that knows `size` bytes came."""
        with self.came:
            self.came.wait_for(lambda: bool(self.frames) and self.read() >= size, 600)
            return self.frames[-1][0]

    def read(self) -> int:
        return self.frames[-1][1].snapshot.bytes


class NoDevice:
    """A source of readings that has none."""

    name = "none"
    notes: tuple[str, ...] = ()
    patience_s = 1.0

    def read(self, now_us: int) -> list[Reading]:
        """Nothing."""
        return []

    def close(self) -> None:
        """Nothing to close."""


@contextmanager
def following(log: Path) -> Iterator[None]:
    """The log is followed, and what it brings is dropped."""
    tail, waker, stop = (
        Tail(str(log), time.monotonic),
        Waker(str(log), time.monotonic),
        threading.Event(),
    )

    def look() -> None:
        waker.start()
        while not stop.is_set():
            waker.wait(bool(tail.look().data))

    with _threaded(look):
        yield
        stop.set()
        waker.stop()


@contextmanager
def recording(log: Path) -> Iterator[None]:
    """As `sixdim record`."""
    clock, stop = Clock(), threading.Event()
    recorder = Recorder(str(log), NoDevice(), clock, 1.0, events=True)
    request = Request(Settings())
    with _threaded(lambda: recorder.run(lambda: request.session(str(log)), stop)):
        yield
        stop.set()
        recorder.wake()


@contextmanager
def watching(log: Path) -> Iterator[None]:
    """As `sixdim watch --plain`."""
    watch = Watch(log)
    yield
    watch.feed.stop()


@contextmanager
def _threaded(work: Callable[[], None]) -> Iterator[None]:
    thread = threading.Thread(target=work)
    thread.start()
    yield
    thread.join()


def wakeups() -> int:
    """How often a thread of this process was woken so far."""
    return sum(
        int(task.read_text().split("\nvoluntary_ctxt_switches:")[1].split()[0])
        for task in Path("/proc/self/task").glob("*/status")
    )


def spell(what: str, seconds: float) -> None:
    """Prints what this process takes while so much time passes."""
    begin, cpu, woken = time.perf_counter(), time.process_time(), wakeups()
    time.sleep(seconds)
    took = time.perf_counter() - begin
    share, woken = (time.process_time() - cpu) / took, wakeups() - woken
    load = os.getloadavg()[0]
    print(f"{what}: {share:.2%} of a core, {woken / took:.1f} wake-ups a second; load {load:.1f}")


def latency(folder: Path, events: bool, count: int) -> None:
    log = folder / f"latency{events}.log"
    log.write_text(_LINE.format(epoch=0, step=0) * 5)
    watch, waits = Watch(log, events), []
    watch.wait(log.stat().st_size)
    for number in range(count):
        time.sleep(random.uniform(0.2, 0.7))
        with log.open("a") as out:
            out.write(_LINE.format(epoch=1, step=number))
            begin = time.perf_counter()
        waits.append(watch.wait(log.stat().st_size) - begin)
    watch.feed.stop()
    waits.sort()
    name = "events" if events else "heartbeat alone"
    print(
        f"append to frame, {name}: median {waits[count // 2] * 1e3:.1f} ms, "
        f"99th centile {waits[int(0.99 * count)] * 1e3:.1f} ms; load {os.getloadavg()[0]:.1f}"
    )


def storm(folder: Path, rate: int) -> None:
    for name, way in (("followed", following), ("recorded", recording), ("watched", watching)):
        log = folder / f"{name}{rate}.log"
        log.write_text(_LINE.format(epoch=0, step=0) * 5)
        with way(log):
            time.sleep(1)
            words = [sys.executable, "-c", _WRITER, str(log), _LINE, str(rate), "10"]
            with subprocess.Popen(words):
                time.sleep(3)
                spell(f"{rate} writes a second, {name}", 6)
            time.sleep(3)
            spell(f"silence after it, {name}", 5)


def screen(folder: Path, rate: int) -> None:
    """What a screen takes of a core while a log grows, from 6 MB on."""
    log = folder / "screen.log"
    lines = (_LINE.format(epoch=n // 1000, step=n % 1000) for n in range(50_000))
    log.write_text("".join(lines))
    session = Session(f"from sixdim.tui.cli import main; main(['watch', {str(log)!r}])", 160, 48)
    session.read_until("Throughput")
    session.read_for(3)
    words = [sys.executable, "-c", _WRITER, str(log), _LINE, str(rate), "25", "50"]
    with subprocess.Popen(words):
        session.read_for(5)
        begin, cpu, size = time.perf_counter(), _seconds_of(session.pid), log.stat().st_size
        session.read_for(15)
        took = time.perf_counter() - begin
        share = (_seconds_of(session.pid) - cpu) / took
        lines = (log.stat().st_size - size) / len(_LINE.format(epoch=50, step=0)) / took
    load = os.getloadavg()[0]
    print(f"{lines:.0f} writes a second, on a screen: {share:.1%} of a core; load {load:.1f}")
    session.send("q")
    session.wait()


def _seconds_of(process: int) -> float:
    """Processor seconds of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def catching_up(log: Path) -> None:
    """How long a screen takes until it is level with a log, beside `sixdim score`."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-m", "sixdim", "score", str(log)], stdout=subprocess.DEVNULL)
    print(f"score: {time.perf_counter() - begin:.1f} s")
    begin = time.perf_counter()
    watch = Watch(log, keep=KEEP_LINES)
    end = watch.wait(log.stat().st_size) - begin
    print(
        f"opening {log.stat().st_size / 1e6:.0f} MB: "
        f"first frame {watch.frames[0][0] - begin:.2f} s, "
        f"level after {end:.1f} s, {len(watch.frames)} frames"
    )
    watch.feed.stop()


def main() -> None:
    if sys.argv[1:] == ["screen"]:
        with tempfile.TemporaryDirectory() as folder:
            screen(Path(folder), 10_000)
        return
    with tempfile.TemporaryDirectory() as folder:
        latency(Path(folder), True, 100)
        latency(Path(folder), False, 40)
        storm(Path(folder), 4)
        storm(Path(folder), 10_000)
    for log in sys.argv[1:]:
        catching_up(Path(log))


if __name__ == "__main__":
    if {"-h", "--help"}.isdisjoint(sys.argv[1:]):
        main()
    else:
        print(__doc__)
