"""The target: its conditions, and whether an evaluation meets them."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Collection, Mapping
from operator import ge, gt, le, lt
from typing import NamedTuple

_CONDITION = re.compile(r"\s*([A-Za-z][\w@./:' -]{0,60}?)\s*(>=|<=|>|<|=)\s*([-+0-9.eE]{1,24})\s*")
COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {">": gt, ">=": ge, "<": lt, "<=": le}
_ALIASES = {
    form.format(k): f"acc{k}"
    for form in ("acc@{}", "top{}", "top-{}", "top_{}_accuracy", "prec@{}")
    for k in (1, 5)
}
_SPLITS = frozenset(("val", "valid", "validation", "eval", "evaluation", "test", "metrics"))
_ACCURACY = frozenset(("acc", "accuracy", "top1", "acc1", "prec1", "acc@1", "prec@1"))
_BETWEEN = re.compile(r"[^A-Za-z0-9@]+")


class TargetError(ValueError):
    """A target cannot be read; the message says how one is written."""


def canonical(name: str) -> str:
    """Returns the canonical name of a metric: `Acc@1` and `top1` are `acc1`."""
    low = name.strip().lower()
    return sys.intern(_ALIASES.get(low, low))  # one object for all evaluations


def _words(name: str) -> tuple[str, ...]:
    """Returns the words of a metric's name; all spellings of the accuracy are one word."""
    words = (word for word in _BETWEEN.split(canonical(name)) if word)
    return tuple("acc1" if word in _ACCURACY else word for word in words)


def own_name(name: str, known: Collection[str]) -> str:
    """Returns the known metric that a name in the log's own words means: `acc1` for `val.top1`.

    It is the one metric with the same words, else with the same words without the name of a split.
    If there is none, or more than one, the name itself is returned.
    """
    if name in known:
        return name
    wanted = _words(name)
    same = [one for one in known if _words(one) == wanted]
    if not same:
        bare = [word for word in wanted if word not in _SPLITS]
        same = [one for one in known if [w for w in _words(one) if w not in _SPLITS] == bare]
    return same[0] if len(same) == 1 and wanted else name


class Condition(NamedTuple):
    """One comparison of a target.

    Attributes:
        metric: Canonical name.
        operator: `>`, `>=`, `<`, `<=`, or `=` (at least as good, in the metric's direction).
        value: The threshold, in the unit the log prints.
        asked: The metric's name in the target as it was set, if that is another one.
    """

    metric: str
    operator: str
    value: float
    asked: str = ""

    @property
    def minimise(self) -> bool:
        """Whether lower is better."""
        return self.operator in ("<", "<=")

    def met(self, value: float, higher_is_better: bool = True) -> bool:
        """Returns whether a value meets it; one that is nan or infinite never does."""
        equal = ">=" if higher_is_better else "<="
        compare = COMPARISONS[equal if self.operator == "=" else self.operator]
        return math.isfinite(value) and compare(value, self.value)

    def __str__(self) -> str:
        return f"{self.asked or self.metric}{self.operator}{self.value!r}".removesuffix(".0")


class Target(NamedTuple):
    """Conditions that one evaluation must meet together, and who set them.

    Attributes:
        conditions: At least one.
        source: `--target`, `log` or `settings`.
    """

    conditions: tuple[Condition, ...]
    source: str

    @property
    def metric(self) -> str:
        """The metric of the first condition, which charts show."""
        return self.conditions[0].metric

    def met(self, metrics: Mapping[str, tuple[float, bool]]) -> bool:
        """Returns whether metrics (name to value and higher-is-better) meet all conditions."""
        return all(c.metric in metrics and c.met(*metrics[c.metric]) for c in self.conditions)

    def among(self, known: Collection[str]) -> Target:
        """Returns this target with the names of known metrics; see `own_name`."""
        if all(c.metric in known for c in self.conditions):
            return self
        called = ((c, own_name(c.metric, known)) for c in self.conditions)
        return self._replace(
            conditions=tuple(
                c if name == c.metric else c._replace(metric=name, asked=c.asked or c.metric)
                for c, name in called
            )
        )

    def __str__(self) -> str:
        return ",".join(str(c) for c in self.conditions)


def parse_target(text: str, source: str) -> Target:
    """Reads `acc1>75.9`, `acc1=75.9`, `wer<=3.72` or `box>=37.7,mask>=33.9`.

    Raises:
        TargetError: It is not written like these.
    """
    conditions = []
    for part in text.split(","):
        found = _CONDITION.fullmatch(part)
        value = number(found[3]) if found else math.nan
        if found is None or not math.isfinite(value):
            raise TargetError(
                f"target {part.strip()[:80]!r} is not metric, comparison, number: {_meant(part)}"
            )
        conditions.append(Condition(canonical(found[1]), found[2], value))
    return Target(tuple(conditions), source)


def number(text: str) -> float:
    """Reads a number; nan where the text is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def _meant(part: str) -> str:
    """Returns what a mistyped condition may mean, or how one is written."""
    for wrong, right in (("=>", ">="), ("=<", "<="), ("==", "="), (" ", ">=")):
        fixed = part.strip().replace(wrong, right, 1)
        if wrong in part.strip() and _CONDITION.fullmatch(fixed):
            return f"did you mean {fixed}?"
    return "acc1>75.9 or wer<=3.72"
