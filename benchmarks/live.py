"""What watching costs: latency, processor time under a storm of writes and at rest, catching up.

`python benchmarks/live.py [LARGE_LOG]`
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from metrics.settings import Settings
from tui.feed import Frame
from tui.gpus import NoGpus
from tui.monitor import Clock, LiveFeed
from tui.options import Request

_LINE = (
    "Epoch: [{epoch}]  [{step:>4}/1000]  eta: 0:00:47  lr: 0.1  img/s: 4100.5  "
    "loss: 1.1 (7.1)  acc1: 0.1 (0.1)  time: 0.3  data: 0.01\n"
)
_WRITER = """
import sys, time
line, rate, seconds = sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
with open(sys.argv[1], "a", buffering=1) as log:
    begin = time.perf_counter()
    for number in range(int(rate * seconds)):
        log.write(line.format(epoch=number // 1000, step=number % 1000))
        while time.perf_counter() - begin < number / rate:
            time.sleep(0.0005)
"""


class Watch:
    """A live feed and the moments of its frames."""

    def __init__(self, path: Path, events: bool = True) -> None:
        self.frames: list[tuple[float, Frame]] = []
        self.came = threading.Condition()
        request = Request(Settings())
        clock = Clock(time.monotonic, lambda: 0)
        self.feed = LiveFeed(str(path), request, clock, NoGpus("none"), events=events)
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


def latency(folder: Path, events: bool) -> None:
    log = folder / f"latency{events}.log"
    log.write_text(_LINE.format(epoch=0, step=0) * 5)
    watch, waits = Watch(log, events), []
    watch.wait(log.stat().st_size)
    for number in range(40):
        time.sleep(0.23)
        with log.open("a") as out:
            out.write(_LINE.format(epoch=1, step=number))
        begin = time.perf_counter()
        waits.append(watch.wait(log.stat().st_size) - begin)
    watch.feed.stop()
    waits.sort()
    name = "events" if events else "heartbeat alone"
    print(
        f"append to frame, {name}: median {waits[20] * 1e3:.1f} ms, worst {waits[-1] * 1e3:.1f} ms"
    )


def storm(folder: Path, rate: int) -> None:
    log = folder / f"storm{rate}.log"
    log.write_text(_LINE.format(epoch=0, step=0) * 5)
    watch = Watch(log)
    writer = subprocess.Popen([sys.executable, "-c", _WRITER, str(log), _LINE, str(rate), "8"])
    time.sleep(3)
    begin, cpu = time.perf_counter(), time.process_time()
    time.sleep(4)
    share = (time.process_time() - cpu) / (time.perf_counter() - begin)
    lines = watch.frames[-1][1].snapshot.lines
    writer.wait()
    print(f"{rate} writes a second: {share:.1%} of a core ({lines} lines so far)")
    time.sleep(4)
    begin, cpu, frames = time.perf_counter(), time.process_time(), len(watch.frames)
    time.sleep(5)
    share = (time.process_time() - cpu) / (time.perf_counter() - begin)
    print(f"a silent log: {share:.2%} of a core, {len(watch.frames) - frames} frames in 5 s")
    watch.feed.stop()


def catching_up(log: Path) -> None:
    begin = time.perf_counter()
    watch = Watch(log)
    end = watch.wait(log.stat().st_size) - begin
    print(
        f"opening {log.stat().st_size / 1e6:.0f} MB: "
        f"first frame {watch.frames[0][0] - begin:.2f} s, "
        f"level after {end:.1f} s, {len(watch.frames)} frames"
    )
    watch.feed.stop()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        latency(Path(folder), True)
        latency(Path(folder), False)
        storm(Path(folder), 4)
        storm(Path(folder), 10_000)
    for log in sys.argv[1:]:
        catching_up(Path(log))


if __name__ == "__main__":
    main()
