"""What DeepSparkHub's ResNet50 training script of 2022 to 2024 prints, line by line.

The line shapes are those of `models/cv/classification/resnet50/pytorch/train.py` up to release
24.09; the numbers in them are simulated from a plan.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from sixdim.sample_logs.meter import MetricLogger, clock
from sixdim.sample_logs.noise import Noise, along

TRAIN_IMAGES = 1281167
EVAL_IMAGES = 50000
THRESHOLD = 75.9
EVAL_PRINT_FREQ = 100

# A fast and a slow population of iterations: the arithmetic mean of the throughputs then lies
# as far above the wall clock's as it does in real logs of this script.
FAST, SLOW = 1.115, 0.67
SLOW_SHARE = (FAST - 1.0) / (FAST - SLOW)

LOSS = ((0.1, 6.96), (5.0, 5.9), (15.0, 4.95), (30.0, 3.95), (50.0, 3.0), (70.0, 2.2), (85.0, 1.6))
TOP5 = (
    (0.1, 0.8),
    (13.0, 30.5),
    (24.0, 48.6),
    (33.5, 61.0),
    (50.0, 76.0),
    (69.0, 89.0),
    (78, 93.4),
)


@dataclass(frozen=True, slots=True)
class Setup:
    """How the script was called.

    Attributes:
        devices: Cards, one process each.
        batch: Images per card and iteration.
        amp: Mixed precision; False is fp32.
        print_freq: Iterations between two printed lines of the training.
    """

    devices: int
    batch: int
    amp: bool
    print_freq: int

    @property
    def global_batch(self) -> int:
        """Images per iteration over all cards."""
        return self.batch * self.devices

    @property
    def steps(self) -> int:
        """Training iterations of an epoch."""
        return -(-TRAIN_IMAGES // self.global_batch)

    @property
    def eval_steps(self) -> int:
        """Iterations of an evaluation."""
        return -(-EVAL_IMAGES // self.global_batch)


@dataclass(frozen=True, slots=True)
class Epoch:
    """The figures one epoch has to print; the iterations are simulated to fit them.

    Attributes:
        label: The number after `Epoch:`, from 0.
        lr: Learning rate.
        throughput: `Avg img/s` of the whole job.
        train_s: Duration of the training part.
        data_s: Part of it spent waiting for images.
        eval_s: Duration of the evaluation.
        epoch_s: Duration of both and the checkpoint.
        acc1: Evaluation's top-1 accuracy in %.
        acc5: Evaluation's top-5 accuracy in %.
        learning: Training accuracy in % as the epoch begins and as it ends.
    """

    label: int
    lr: float
    throughput: float
    train_s: float
    data_s: float
    eval_s: float
    epoch_s: float
    acc1: float
    acc5: float
    learning: tuple[float, float]


def header(setup: Setup, noise: Noise) -> Iterator[str]:
    """The lines before the first iteration."""
    distributed = setup.devices > 1
    if distributed:
        for rank in noise.order(setup.devices):
            yield f"| distributed init (rank {rank}): env://"
    else:
        yield "Not using distributed mode"
    arguments: dict[str, object] = {
        "acc_thresh": THRESHOLD,
        "amp": setup.amp,
        "batch_size": setup.batch,
        "cache_dataset": False,
        "dali": True,
        "data_path": "/data/imagenet",
        "device": "cuda",
        "dist_url": "env://",
        "distributed": distributed,
        "epochs": 90,
        "lr": 0.128,
        "lr_gamma": 0.1,
        "lr_step_size": 32,
        "model": "resnet50",
        "momentum": 0.9,
        "output_dir": ".",
        "pretrained": False,
        "print_freq": setup.print_freq,
        "resume": "",
        "start_epoch": 0,
        "sync_bn": False,
        "test_only": False,
        "weight_decay": 0.0001,
        "workers": 16,
        "world_size": setup.devices,
    }
    if distributed:
        arguments |= {"dist_backend": "nccl", "gpu": 0, "rank": 0}
    yield f"Namespace({', '.join(f'{key}={arguments[key]!r}' for key in sorted(arguments))})"
    yield "Loading data"
    yield "Creating data loaders"
    yield f"read {TRAIN_IMAGES} files from 1000 directories"
    yield "Creating model resnet50"
    yield "Start training"


def epoch(setup: Setup, plan: Epoch, noise: Noise) -> Iterator[str]:
    """Every line of one epoch, its evaluation included."""
    yield from training(setup, plan, noise)
    title = f"Epoch: [{plan.label}]"
    yield f"{title} Total time: {clock(plan.train_s)}"
    yield f"Data loading of epoch {plan.label}: {timedelta(seconds=plan.data_s)}"
    yield f"{title} Avg img/s: {plan.throughput}"
    yield from _evaluation(setup, plan, noise)
    yield f"Epoch time {clock(plan.epoch_s)}"


def training(setup: Setup, plan: Epoch, noise: Noise, nan_from: int | None = None) -> Iterator[str]:
    """The iteration lines of an epoch's training.

    Args:
        setup: How the script was called.
        plan: What the epoch has to show.
        noise: Scatter.
        nan_from: Iteration whose loss is nan; it begins to climb 40 iterations earlier.
    """
    throughputs, durations, waits = _pace(setup, plan, noise)
    logger = MetricLogger(f"Epoch: [{plan.label}]", setup.steps)
    swell = 1.0
    for step in range(setup.steps):
        progress = step / setup.steps
        target = plan.learning[0] + (plan.learning[1] - plan.learning[0]) * progress
        if nan_from is not None and step >= nan_from - 40:
            swell *= 1.05
            target = 0.1
        acc1, acc5 = _hits(setup, target, noise)
        loss = noise.bell(along(LOSS, target) * swell, 0.09)
        if nan_from is not None and step >= nan_from:
            loss = math.nan
        logger.update(loss=loss, acc1=acc1, acc5=acc5, seconds=durations[step], data_s=waits[step])
        if step % setup.print_freq == 0:
            yield logger.line(step, f"lr: {plan.lr}  img/s: {throughputs[step]}")


def threshold(label: int) -> str:
    """The line that ends a run whose accuracy is past the threshold."""
    return (
        f"The accuracy has been exceeded {THRESHOLD},and the training is terminated "
        f"at epoch {label}"
    )


def _pace(setup: Setup, plan: Epoch, noise: Noise) -> tuple[list[float], list[float], list[float]]:
    """Per iteration: img/s with the planned mean, durations and waits with the planned sums."""
    drawn = [
        noise.bell(SLOW, 0.04) if noise.chance(SLOW_SHARE) else noise.bell(FAST, 0.015)
        for _ in range(setup.steps)
    ]
    if plan.label == 0:
        drawn[0] = 0.12
    drawn = [value * plan.throughput for value in drawn]
    correction = plan.throughput * setup.steps / math.fsum(drawn)
    throughputs = [value * correction for value in drawn]
    computing = [setup.global_batch / value for value in throughputs]
    waits = _parts(plan.data_s, setup.steps, noise)
    left = plan.train_s - math.fsum(computing) - math.fsum(waits)
    if left <= 0:
        raise ValueError(f"epoch {plan.label}: {plan.throughput} img/s need over {plan.train_s} s")
    others = _parts(left, setup.steps, noise)
    durations = [math.fsum(parts) for parts in zip(computing, waits, others, strict=True)]
    return throughputs, durations, waits


def _parts(total: float, count: int, noise: Noise) -> list[float]:
    """Scattered parts of `total`, `count` of them."""
    weights = [noise.between(0.5, 1.5) for _ in range(count)]
    whole = math.fsum(weights)
    return [total * weight / whole for weight in weights]


def _hits(setup: Setup, target: float, noise: Noise) -> tuple[float, float]:
    """Top-1 and top-5 accuracy of one batch on one card, in %: whole images of the batch."""
    share = target / 100
    deviation = math.sqrt(share * (1 - share) * setup.batch)
    top1 = min(max(round(noise.bell(share * setup.batch, deviation)), 0), setup.batch)
    behind = (along(TOP5, target) / 100 - share) * setup.batch
    top5 = min(top1 + max(round(noise.bell(behind, math.sqrt(max(behind, 0.0)))), 0), setup.batch)
    return 100 * top1 / setup.batch, 100 * top5 / setup.batch


def _evaluation(setup: Setup, plan: Epoch, noise: Noise) -> Iterator[str]:
    logger = MetricLogger("Test:", setup.eval_steps)
    durations = _parts(plan.eval_s, setup.eval_steps, noise)
    for step, seconds in enumerate(durations):
        # ImageNet's validation images lie sorted by class, and some classes are easier.
        target = min(max(noise.bell(plan.acc1, plan.acc1 * 0.1), 0.05), 97.0)
        acc1, acc5 = _hits(setup, target, noise)
        loss = noise.bell(along(LOSS, target), 0.06)
        logger.update(
            loss=loss, acc1=acc1, acc5=acc5, seconds=seconds, data_s=noise.between(0.0015, 0.0026)
        )
        if step % EVAL_PRINT_FREQ == 0:
            yield logger.line(step)
    yield f"Test: Total time: {clock(plan.eval_s)}"
    yield f" * Acc@1 {plan.acc1:.3f} Acc@5 {plan.acc5:.3f}"
