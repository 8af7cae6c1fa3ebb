"""Which figures each sample run has to print: the worked example's, and invented ones between."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from sixdim.sample_logs.noise import Noise, along
from sixdim.sample_logs.script import TRAIN_IMAGES, Epoch, Setup

AMP_8_CARDS: Final = Setup(devices=8, batch=480, amp=True, print_freq=10)
AMP_8_CARDS_TERSE: Final = Setup(devices=8, batch=480, amp=True, print_freq=100)
FP32_8_CARDS: Final = Setup(devices=8, batch=300, amp=False, print_freq=10)
FP32_1_CARD: Final = Setup(devices=1, batch=280, amp=False, print_freq=100)


@dataclass(frozen=True, slots=True)
class Printed:
    """An epoch's figures as published: durations in the whole seconds that were printed."""

    throughput: float
    train_s: int
    data_s: float
    eval_s: int
    epoch_s: int
    acc1: float
    acc5: float


WORKED: Final[Mapping[int, Printed]] = {
    0: Printed(5060.21643823427, 278, 0.759193, 4, 283, 0.112, 1.040),
    6: Printed(4910.795658460139, 278, 0.797741, 3, 283, 13.360, 30.960),
    7: Printed(4980.222383258538, 276, 0.770986, 3, 281, 24.928, 49.712),
    8: Printed(5032.905842259754, 271, 0.756521, 3, 275, 23.536, 47.024),
    9: Printed(4925.753353494863, 279, 0.761111, 3, 284, 28.480, 59.568),
    10: Printed(4845.4628560647725, 282, 0.776602, 3, 287, 33.520, 61.264),
    63: Printed(4928.513448918747, 276, 0.688607, 3, 280, 69.104, 89.088),
    64: Printed(4812.667878767461, 287, 0.674387, 3, 292, 77.360, 93.120),
}
"""The epochs that DeepSpark's worked example prints (`six_dimension_howto_example.md`)."""

WORKED_SECONDS: Final = 18330
"""Sum of the 65 `Epoch time` lines. The whole run, 5:06:03, is 33 s more: each line is cut to
whole seconds, which hides half a second of every epoch."""

FP32_8: Final = Printed(2575.527288024902, 543, 1.104362, 7, 551, 0.648, 2.912)
FP32_1: Final = Printed(335.40682470945455, 4052, 9.217045, 52, 4105, 3.394, 10.706)

REPEATED: Final = ((66, 76.816, 92.986), (64, 77.116, 93.058), (65, 76.960, 93.022),
                   (66, 77.010, 93.034))  # fmt: skip
"""Runs 2 to 5: label of the last epoch, Acc@1 and Acc@5 there."""

_LEARNING = (
    (0, 0.1), (1, 0.4), (3, 3.0), (6, 15.0), (10, 29.0), (20, 43.0), (32, 51.0),
    (33, 60.0), (64, 66.0), (65, 73.0), (70, 74.0),
)  # fmt: skip
_EVALUATED = (
    (0, 0.112), (1, 0.6), (2, 1.9), (3, 4.2), (4, 7.4), (5, 10.8), (10, 31.0), (16, 44.0),
    (24, 51.0), (31, 55.0), (32, 66.5), (35, 69.4), (45, 70.0), (63, 68.8), (64, 75.5), (70, 75.5),
)  # fmt: skip
_EVALUATED_TOP5 = (
    (0.1, 1.0), (13.4, 31.0), (24.0, 48.5), (33.5, 61.3), (50.0, 76.5), (69.0, 89.1), (78.0, 93.5),
)  # fmt: skip


def fixed(label: int, printed: Printed) -> Epoch:
    """An epoch that prints exactly `printed`."""
    return Epoch(
        label=label,
        lr=_lr(label),
        throughput=printed.throughput,
        train_s=printed.train_s + 0.3,
        data_s=printed.data_s,
        eval_s=printed.eval_s + 0.4,
        epoch_s=printed.epoch_s + 0.5,
        acc1=printed.acc1,
        acc5=printed.acc5,
        learning=_learning(label),
    )


def invented(label: int, epoch_s: int, noise: Noise) -> Epoch:
    """An epoch of the eight-card AMP run that stays below the threshold."""
    eval_s = noise.between(3.2, 4.1)
    train_s = epoch_s + 0.5 - eval_s - noise.between(0.6, 1.6)
    # The first iteration of a run alone costs about a fortieth of its epoch.
    above_wall_clock = noise.between(1.0635, 1.0715) + (0.028 if label == 0 else 0.0)
    acc1 = _on_one_card(noise.bell(along(_EVALUATED, label), _wobble(label)))
    acc5 = _on_one_card(noise.bell(along(_EVALUATED_TOP5, acc1), min(acc1 * 0.02, 0.3)))
    return Epoch(
        label=label,
        lr=_lr(label),
        throughput=TRAIN_IMAGES / train_s * above_wall_clock,
        train_s=train_s,
        data_s=noise.between(0.67, 0.81),
        eval_s=eval_s,
        epoch_s=epoch_s + 0.5,
        acc1=acc1,
        acc5=acc5,
        learning=_learning(label),
    )


def worked_run(noise: Noise) -> Iterator[Epoch]:
    """Epochs 0 to 64 of the worked example: the eight that are known, and 57 between them."""
    known = sum(printed.epoch_s for printed in WORKED.values())
    others = iter(noise.shares(WORKED_SECONDS - known, 65 - len(WORKED), 3.0))
    for label in range(65):
        if label in WORKED:
            yield fixed(label, WORKED[label])
        else:
            yield invented(label, next(others), noise)


def early_epochs(count: int, noise: Noise) -> Iterator[Epoch]:
    """The first `count` epochs of an invented run."""
    for label, seconds in enumerate(noise.shares(282 * count, count, 3.0)):
        yield invented(label, seconds, noise)


def repeated_run(last: int, acc1: float, acc5: float, noise: Noise) -> Iterator[Epoch]:
    """Epochs 0 to `last` of an invented run whose last evaluation is the first past 75.9."""
    total = round(noise.between(280.5, 283.5) * (last + 1))
    *before, end = noise.shares(total, last + 1, 3.0)
    for label, seconds in enumerate(before):
        yield invented(label, seconds, noise)
    data_s = noise.between(0.67, 0.81)
    rate = TRAIN_IMAGES / (end - 4.7) * 1.067
    yield fixed(last, Printed(rate, end - 5, data_s, 3, end, acc1, acc5))


def _lr(label: int) -> float:
    rate = 0.128
    for _ in range(label // 32):
        rate *= 0.1
    return rate


def _learning(label: int) -> tuple[float, float]:
    return along(_LEARNING, label), along(_LEARNING, label + 1)


def _wobble(label: int) -> float:
    """Standard deviation of the evaluated accuracy: large while the learning rate is."""
    if label < 10:
        return along(_EVALUATED, label) * 0.08
    return 2.5 if label < 32 else 0.7 if label < 64 else 0.1


def _on_one_card(accuracy: float) -> float:
    """The nearest accuracy that 6250 images, an eighth of the evaluation's, can give."""
    return round(accuracy * 62.5) / 62.5
