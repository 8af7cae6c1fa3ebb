"""A run as named series over epochs: what experiment trackers store."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sixdim.tui.session.cards import Scored

_NOT_A_NAME = re.compile(r"[^\w.@-]++")


@dataclass(frozen=True, slots=True)
class Sample:
    """One value of one series.

    Attributes:
        name: `epoch/throughput`, `eval/acc1`, ….
        step: Epoch label, or the step of an evaluation without an epoch.
        value: Finite.
        seconds: Training time up to then by the log's durations; 0 where it tells none.
    """

    name: str
    step: int
    value: float
    seconds: float


def series(run: Scored) -> Iterator[Sample]:
    """Throughput, duration and loss of each epoch; the target metric of each evaluation."""
    if run.snapshot is None:
        return
    clock: dict[int, float] = {}
    now = 0.0
    for epoch in run.snapshot.epochs:
        if not epoch.complete:
            continue
        now += epoch.duration or 0.0
        clock[epoch.label] = now
        for name, value in (
            ("throughput", epoch.throughput),
            ("duration_s", epoch.duration),
            ("loss", epoch.loss),
        ):
            if value is not None and math.isfinite(value):
                yield Sample(f"epoch/{name}", epoch.label, value, now)
    metric = plain(run.snapshot.metric) or "metric"
    for position, found in enumerate(run.snapshot.evaluations):
        step = next(s for s in (found.epoch, found.step, position) if s is not None)
        if math.isfinite(found.value):
            yield Sample(f"eval/{metric}", step, found.value, clock.get(step, 0.0))


def plain(name: str) -> str:
    """A foreign name as trackers and folders accept it: never a path, never hidden."""
    return _NOT_A_NAME.sub("_", name)[:100].strip("._")


def folder_names(runs: Sequence[Scored]) -> list[str]:
    """A folder name for each run, all different."""
    out: list[str] = []
    for run in runs:
        name = plain(run.name) or "run"
        same = sum(known == name or known.startswith(f"{name}-") for known in out)
        out.append(f"{name}-{same + 1}" if name in out else name)
    return out
