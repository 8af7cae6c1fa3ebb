"""The target: what it asks for, when it is met, and where the trend leads."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from metrics.snapshot import Projection

_CONDITION = re.compile(r"\s*([A-Za-z][\w@./: -]{0,60}?)\s*(>=|<=|>|<|=)\s*([-+0-9.eE]{1,24})\s*")
_ALIASES = {
    "acc@1": "acc1",
    "top1": "acc1",
    "top-1": "acc1",
    "top_1_accuracy": "acc1",
    "prec@1": "acc1",
    "acc@5": "acc5",
    "top5": "acc5",
    "top-5": "acc5",
    "top_5_accuracy": "acc5",
    "prec@5": "acc5",
}
_TREND = 5


class TargetError(ValueError):
    """A target that cannot be read; the message says how one is written."""


def canonical(name: str) -> str:
    """The name under which a metric is compared: `Acc@1` and `top1` are `acc1`."""
    low = name.strip().lower()
    return sys.intern(_ALIASES.get(low, low))  # one text, however many evaluations


@dataclass(frozen=True, slots=True)
class Condition:
    """One comparison of a target.

    Attributes:
        metric: Canonical name.
        operator: `>`, `>=`, `<`, `<=`, or `=` (at least as good, in the metric's direction).
        value: The threshold, in the unit the log prints.
    """

    metric: str
    operator: str
    value: float

    @property
    def minimise(self) -> bool:
        """Whether lower is better."""
        return self.operator in ("<", "<=")

    def met(self, value: float, higher_is_better: bool = True) -> bool:
        """Whether `value` meets it; nan never does."""
        operator = self.operator
        if operator == "=":
            operator = ">=" if higher_is_better else "<="
        return {
            ">": value > self.value,
            ">=": value >= self.value,
            "<": value < self.value,
            "<=": value <= self.value,
        }[operator]

    def __str__(self) -> str:
        return f"{self.metric}{self.operator}{self.value!r}".removesuffix(".0")


@dataclass(frozen=True, slots=True)
class Target:
    """Conditions that one evaluation must meet together, and who set them.

    Attributes:
        conditions: At least one.
        source: `--target`, `log` or `settings`.
    """

    conditions: tuple[Condition, ...]
    source: str

    @property
    def metric(self) -> str:
        """The metric that is judged first, and shown."""
        return self.conditions[0].metric

    def met(self, metrics: Mapping[str, tuple[float, bool]]) -> bool:
        """Whether metrics (canonical name to value and higher-is-better) meet all of it."""
        return all(c.metric in metrics and c.met(*metrics[c.metric]) for c in self.conditions)

    def __str__(self) -> str:
        return ",".join(str(c) for c in self.conditions)


def parse_target(text: str, source: str) -> Target:
    """Reads `acc1>75.9`, `acc1=75.9`, `wer<=3.72` or `box>=37.7,mask>=33.9`.

    Raises:
        TargetError: It is none of these.
    """
    conditions = []
    for part in text.split(","):
        found = _CONDITION.fullmatch(part)
        try:
            value = float(found[3]) if found else math.nan
        except ValueError:
            value = math.nan
        if found is None or not math.isfinite(value):
            raise TargetError(
                f"target {part.strip()!r} is not metric, comparison, number: acc1>75.9 or wer<=3.72"
            )
        conditions.append(Condition(canonical(found[1]), found[2], value))
    return Target(tuple(conditions), source)


def project(
    points: Sequence[tuple[int, float]],
    goal: float,
    minimise: bool,
    seconds_per_epoch: float | None,
) -> Projection:
    """Where the straight line through the last evaluations meets the goal.

    A least-squares line through the last five (epoch, value) points: crude, and shown as
    such; learning curves flatten, so it is rather early than late.
    """
    recent = [p for p in points[-_TREND:] if math.isfinite(p[1])]
    if len(recent) < 2:
        return Projection(None, None, "needs two evaluations")
    last_epoch, last_value = recent[-1]
    if (last_value <= goal) if minimise else (last_value >= goal):
        return Projection(last_epoch, 0.0)
    mean_x = math.fsum(x for x, _ in recent) / len(recent)
    mean_y = math.fsum(y for _, y in recent) / len(recent)
    spread = math.fsum((x - mean_x) ** 2 for x, _ in recent)
    if spread == 0:
        return Projection(None, None, "needs two epochs")
    slope = math.fsum((x - mean_x) * (y - mean_y) for x, y in recent) / spread
    if slope == 0 or (slope > 0) == minimise:
        return Projection(None, None, "the trend does not lead there")
    ahead = max(1, math.ceil((goal - last_value) / slope))
    if ahead > 100_000:
        return Projection(None, None, "the trend does not lead there")
    return Projection(
        last_epoch + ahead, None if seconds_per_epoch is None else ahead * seconds_per_epoch
    )
