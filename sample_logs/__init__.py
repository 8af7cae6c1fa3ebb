"""Complete training logs of our own making, and the generator that writes them.

`RUN` is the worked example of DeepSpark's six dimensions as a whole log; the other names are
what its remaining dimensions rest on, and two runs that went wrong. `python -m
sixdim.sample_logs.generate` writes them all again, byte for byte; `python -m
sixdim.sample_logs.grow` lets one grow at a chosen pace, as a training would write it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

RUN: Final = "resnet50_amp_8card.log"
"""65 epochs of ResNet50 on eight cards: speed, accuracy, and one fifth of stability."""

SCALED: Final = "resnet50_fp32_8card.log"
"""One fp32 epoch on eight cards: linearity's numerator."""

BASELINE: Final = "resnet50_fp32_1card.log"
"""One fp32 epoch on one card: linearity's denominator."""

REPEATS: Final = tuple(f"resnet50_amp_8card_run{run}.log" for run in range(2, 6))
"""Four more complete runs: the rest of stability."""

POWER: Final = "ixsmi_power.txt"
"""A recorded terminal with five power readings of card 0, in W."""

MEMORY: Final = "ixsmi_memory.txt"
"""A recorded terminal with five memory readings of card 0, in MiB."""

DIVERGED: Final = "resnet50_diverged.log"
"""A run whose loss becomes nan in epoch 3."""

CUT: Final = "resnet50_cut.log"
"""A run that breaks off inside an iteration line of epoch 12."""

NAMES: Final = (RUN, SCALED, BASELINE, *REPEATS, POWER, MEMORY, DIVERGED, CUT)
"""Every sample, in the order of the README's table."""

EXAMPLE_NAMES: Final = {
    "train.log": RUN,
    "amp8.log": RUN,
    "fp32_8.log": SCALED,
    "fp32_1.log": BASELINE,
    **{f"run{run}.log": name for run, name in enumerate(REPEATS, 2)},
    "ixsmi_power.txt": POWER,
    "ixsmi_memory.txt": MEMORY,
    "diverged.log": DIVERGED,
    "cut.log": CUT,
}
"""The samples under the names that the documentation uses; `sixdim demo --write` writes these."""


def path(name: str) -> Path:
    """Where the sample called `name` lies on disk.

    Args:
        name: One of `NAMES`.

    Raises:
        FileNotFoundError: There is no such sample; the message lists those there are.
    """
    if name not in NAMES:
        raise FileNotFoundError(f"no sample log {name!r}; there are: {', '.join(NAMES)}")
    return Path(__file__).with_name(name)
