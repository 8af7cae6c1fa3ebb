"""The throughput of one epoch: printed by the log, or derived and marked as such."""

from __future__ import annotations

from typing import NamedTuple

from sixdim.metrics.fold.epoch import Epoch
from sixdim.metrics.fold.facts import Facts
from sixdim.parsers.events import Scope

PRINTED = "printed"
PER_DURATION = "samples / printed duration"
MEAN_RECORD = "mean of iteration records"
PER_ITERATION = "global batch / mean iteration time"
ITERATIONS = "1 / mean iteration time"


class Sizes(NamedTuple):
    """What turns times into throughputs.

    Attributes:
        epoch: Samples in an epoch, where known.
        batch: Samples in an iteration of the whole job, where known.
    """

    epoch: int | None = None
    batch: int | None = None

    @classmethod
    def of(cls, facts: Facts) -> Sizes:
        """From the facts of the run; a global batch may follow from batch and devices."""
        batch = facts.count("global_batch")
        per_device, devices = facts.count("batch_per_device"), facts.count("devices")
        if batch is None and per_device and devices:
            batch = per_device * devices
        return cls(facts.count("samples_per_epoch"), batch)


class EpochSpeed(NamedTuple):
    """One epoch's throughput and how it came about.

    Attributes:
        label: The epoch.
        value: Throughput; None where the log gives no way to it.
        how: `PRINTED`, or which derivation.
        lines: Evidence: one line, or the first and the last of the epoch.
    """

    label: int
    value: float | None
    how: str
    lines: tuple[int, ...]

    @property
    def unit(self) -> str:
        """Unit of a derived throughput; empty where the log's own unit holds."""
        if self.how in (PER_DURATION, PER_ITERATION):
            return "samples/s"
        return "it/s" if self.how == ITERATIONS else ""

    @property
    def scope(self) -> Scope | None:
        """Scope of a throughput derived from the job's samples; None for the log's own."""
        return Scope.JOB if self.unit else None


def epoch_speed(epoch: Epoch, sizes: Sizes) -> EpochSpeed:
    """The throughput of one epoch: printed, else derived in the first way that is open.

    Samples / the epoch's printed training time; the mean of its progress lines; the global
    batch / the mean printed iteration time; iterations per second.
    """
    if epoch.stated is not None:
        return EpochSpeed(epoch.label, epoch.stated, PRINTED, (epoch.stated_line,))
    lines = (epoch.first_line, epoch.last_line)
    seconds = epoch.train_time if epoch.train_time is not None else epoch.epoch_time
    if sizes.epoch is not None and seconds:
        return EpochSpeed(epoch.label, sizes.epoch / seconds, PER_DURATION, lines)
    mean = epoch.throughput.mean()
    iteration = epoch.durations.mean()
    if mean is None and iteration:
        if sizes.batch is not None:
            return EpochSpeed(epoch.label, sizes.batch / iteration, PER_ITERATION, lines)
        return EpochSpeed(epoch.label, 1 / iteration, ITERATIONS, lines)
    return EpochSpeed(epoch.label, mean, MEAN_RECORD, lines)
