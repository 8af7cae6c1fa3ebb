"""Writes the logs that the benchmarks read: seeded, of any size, nothing but arithmetic.

`python benchmarks/make_logs.py FOLDER MEGABYTES [a|long|b|noisy ...]`
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

ITERATIONS = 334
"""Progress lines of one epoch."""


LONG = 5005
"""Those of an epoch on ImageNet in which every step prints one."""


def torchvision(rng: random.Random, iterations: int = ITERATIONS) -> Iterator[str]:
    yield "Namespace(batch_size=256, epochs=90, model='resnet50', world_size=8)\n"
    yield "Start training\n"
    epoch = 0
    while True:
        top = 80 * (1 - 0.97**epoch) % 74
        for step in range(0, iterations * 10, 10):
            left = max(0, 6500 - 2 * step)
            loss = 7.3 * 0.999 ** (epoch + step / iterations / 10) + rng.random() / 50
            acc = rng.random()
            yield (
                f"Epoch: [{epoch}]  [{step:>4}/{iterations * 10}]  "
                f"eta: 0:{left // 60 % 60:02}:{left % 60:02}  "
                f"lr: {0.1 * 0.999**epoch:.6f}  img/s: {rng.uniform(4600, 5700)!r}  "
                f"loss: {loss:.4f} ({loss:.4f})  acc1: {acc:.4f} ({acc:.4f})  "
                f"acc5: {2 * acc:.4f} ({2 * acc:.4f})  "
                f"time: {rng.uniform(0.3, 0.5):.4f}  data: {rng.random() / 100:.4f}\n"
            )
        yield f"Epoch: [{epoch}] Avg img/s: {rng.uniform(4800, 5000)!r}\n"
        yield f"Epoch: [{epoch}] Total time: 0:04:{epoch % 60:02}\n"
        yield "Test:  [  0/196]  eta: 0:08:11  loss: 1.5310 (1.5310)  time: 2.5  data: 2.1\n"
        yield f" * Acc@1 {top:.3f} Acc@5 {top + 20:.3f}\n"
        yield f"epoch time 0:04:{epoch % 60:02}\n"
        epoch += 1


def dllogger(rng: random.Random) -> Iterator[str]:
    yield "DLL 2021-03-23 09:25:10.000001 - PARAMETER arch : resnet50  epochs : 90 \n"
    micros, epoch = 0, 0
    while True:
        for step in range(ITERATIONS):
            micros += rng.randrange(280_000, 320_000)
            yield (
                f"DLL {_clock(micros)} - Epoch: {epoch} Iteration: {step}  "
                f"train.loss : {rng.uniform(2, 7):.5f}  "
                f"train.total_ips : {rng.uniform(800, 870):.2f} img/s\n"
            )
        yield (
            f"DLL {_clock(micros)} - Epoch: {epoch}  train.loss : 2.5  "
            f"train.total_ips : 845.10 img/s  val.top1 : 70.1 %\n"
        )
        epoch += 1


def long_epochs(rng: random.Random) -> Iterator[str]:
    return torchvision(rng, LONG)


def noisy(rng: random.Random) -> Iterator[str]:
    for number, line in enumerate(torchvision(rng)):
        yield line
        if number % 2:
            yield (
                f"/usr/lib/python3/dist-packages/torch/nn/functional.py:{rng.randrange(4000)}: "
                "UserWarning: default behaviour will change in a future release\n"
            )


def _clock(micros: int) -> str:
    seconds, fraction = divmod(micros, 1_000_000)
    day, seconds = divmod(seconds, 86_400)
    month, day = divmod(day, 28)
    year, month = divmod(month, 12)
    return (
        f"{2021 + year}-{month + 1:02}-{day + 1:02} {seconds // 3600:02}:"
        f"{seconds // 60 % 60:02}:{seconds % 60:02}.{fraction:06}"
    )


KINDS = {"a": torchvision, "long": long_epochs, "b": dllogger, "noisy": noisy}


def write(path: Path, kind: str, size: int) -> None:
    """Writes whole lines until `size` bytes are reached."""
    written = 0
    with path.open("w", encoding="ascii", buffering=1 << 20) as out:
        for line in KINDS[kind](random.Random(7)):
            written += out.write(line)
            if written >= size:
                return


def main() -> None:
    folder, megabytes, *kinds = sys.argv[1:]
    for kind in kinds or KINDS:
        path = Path(folder) / f"{kind}.{megabytes}.log"
        if not path.exists():
            write(path, kind, int(megabytes) * 1_000_000)
        print(path)


if __name__ == "__main__":
    if {"-h", "--help"}.isdisjoint(sys.argv[1:]):
        main()
    else:
        print(__doc__)
