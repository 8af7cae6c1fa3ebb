"""Writes every sample log again, byte for byte: `python -m sixdim.sample_logs.generate [DIR]`."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NoReturn

from sixdim import sample_logs
from sixdim.sample_logs import plans
from sixdim.sample_logs.meter import clock
from sixdim.sample_logs.noise import Noise
from sixdim.sample_logs.script import Epoch, Setup, epoch, header, threshold, training

_POWER_W = (161, 169, 161, 174, 163)
_MEMORY_MIB = (30671, 30670, 30671, 30671, 30670)
_BETWEEN_S = 0.5  # what a run spends outside its epochs

_EXAMPLES = """examples:
  python -m sixdim.sample_logs.generate              write them where they lie
  python -m sixdim.sample_logs.generate /tmp/logs    write them elsewhere (made if need be)
"""


class OneLineParser(argparse.ArgumentParser):
    """Says what is wrong with the arguments in one line."""

    def error(self, message: str) -> NoReturn:
        """Exits with status 2."""
        plain = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in message)
        self.exit(2, f"{self.prog}: {plain} (--help shows examples)\n")


def files() -> Iterator[tuple[str, str]]:
    """Every sample's name and text, in the order of `sample_logs.NAMES`."""
    noise = Noise(64)
    run = plans.worked_run(noise)
    yield sample_logs.RUN, _text(_complete(plans.AMP_8_CARDS, run, noise))
    yield sample_logs.SCALED, _text(_stopped(plans.FP32_8_CARDS, plans.FP32_8, Noise(8)))
    yield sample_logs.BASELINE, _text(_stopped(plans.FP32_1_CARD, plans.FP32_1, Noise(1)))
    for number, (name, end) in enumerate(zip(sample_logs.REPEATS, plans.REPEATED, strict=True), 2):
        noise = Noise(100 + number)
        run = plans.repeated_run(*end, noise)
        yield name, _text(_complete(plans.AMP_8_CARDS_TERSE, run, noise))
    yield sample_logs.POWER, _text(_power())
    yield sample_logs.MEMORY, _text(_memory())
    yield sample_logs.DIVERGED, _text(_diverged(Noise(3)))
    yield sample_logs.CUT, _cut(Noise(12))


def write(directory: Path) -> None:
    """Writes all samples into `directory`, which is made if need be.

    Raises:
        OSError: It cannot be made or written.
    """
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in files():
        (directory / name).write_bytes(text.encode("ascii"))


def main(arguments: list[str] | None = None) -> int:
    """The command; returns its exit status."""
    parser = OneLineParser(
        prog="python -m sixdim.sample_logs.generate",
        description="Write the sample logs. The same bytes every time, on every Python.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    here = Path(__file__).parent
    parser.add_argument("dir", nargs="?", type=Path, default=here, metavar="DIR",
                        help="where to write (default: beside the generator)")  # fmt: skip
    directory: Path = parser.parse_args(arguments).dir
    try:
        write(directory)
    except OSError as fault:
        parser.error(f"cannot write '{directory}': {fault.strerror}")
    return 0


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _complete(setup: Setup, run: Iterable[Epoch], noise: Noise) -> Iterator[str]:
    """A run that goes on until its accuracy is past the threshold."""
    yield from header(setup, noise)
    done: list[Epoch] = []
    for plan in run:
        yield from epoch(setup, plan, noise)
        done.append(plan)
    yield threshold(done[-1].label)
    yield f"Training time {clock(math.fsum(plan.epoch_s for plan in done) + _BETWEEN_S)}"


def _stopped(setup: Setup, printed: plans.Printed, noise: Noise) -> Iterator[str]:
    """A run that was stopped by hand after epoch 0: it was only started for its speed."""
    yield from header(setup, noise)
    yield from epoch(setup, plans.fixed(0, printed), noise)


def _diverged(noise: Noise) -> Iterator[str]:
    """Three good epochs and a fourth whose loss is nan from iteration 187 on."""
    setup = plans.AMP_8_CARDS
    *good, last = plans.early_epochs(4, noise)
    yield from header(setup, noise)
    for plan in good:
        yield from epoch(setup, plan, noise)
    yield from islice(training(setup, last, noise, nan_from=187), 21)
    yield "Loss is nan, stopping training"


def _cut(noise: Noise) -> str:
    """Twelve epochs and a bit of the next: the last line breaks off inside its throughput."""
    setup = plans.AMP_8_CARDS
    *done, last = plans.early_epochs(13, noise)
    whole = _text(header(setup, noise)) + "".join(_text(epoch(setup, plan, noise)) for plan in done)
    *before, broken = islice(training(setup, last, noise), 16)
    return whole + _text(before) + broken[: broken.index("img/s: ") + len("img/s: 54")]


def _power() -> Iterator[str]:
    yield "$ ixsmi -q -i 0 -l | grep -E 'Power Draw'"
    for watts in _POWER_W:
        yield f"{'        Power Draw':<48}: {watts} W"


def _memory() -> Iterator[str]:
    yield "$ ixsmi -q -i 0 -l | grep Used.[^G]"
    for mebibytes in _MEMORY_MIB:
        yield f"{'   Used':<43}: {mebibytes}  MiB"


if __name__ == "__main__":
    sys.exit(main())
