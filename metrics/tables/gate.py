"""A gate for pipelines: requirements for a card, and whether they hold.

A requirement on an unknown figure fails.
"""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sixdim.metrics.tables.compare import Figure, figure_of, not_comparable
from sixdim.metrics.values.card import DIMENSIONS, REQUIRABLE, Card, State, Status
from sixdim.metrics.values.convergence import COMPARISONS, number
from sixdim.metrics.values.nearest import did_you_mean

DEFAULT_TOLERANCE = 0.01

_REQUIREMENT = re.compile(r"\s*+([a-z_]{1,32})\s*+(>=|<=|>|<)\s*+([-+0-9.eE]{1,24})\s*+")
_TOLERANCE = re.compile(r"(?:([a-z_]{1,32})=)?([0-9.eE+-]{1,16})(%?)")


class GateError(ValueError):
    """A requirement cannot be read; the message says how one is written."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """Compares one figure with one number.

    Attributes:
        figure: One of `REQUIRABLE`.
        operator: `>=`, `<=`, `>` or `<`.
        value: In the card's unit (seconds for times).
        text: As it was written.
    """

    figure: str
    operator: str
    value: float
    text: str


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one requirement for a card.

    Attributes:
        name: What was required: `speed>=4900`, `speed within 1% of base.log`.
        figure: Which figure it is about.
        passed: Whether it holds.
        value: The figure; None where unknown.
        unit: Its unit.
        reason: Why it failed, or that the figure is provisional.
    """

    name: str
    figure: str
    passed: bool
    value: float | None
    unit: str
    reason: str = ""


def parse_requirement(text: str) -> Requirement:
    """Reads `speed>=4900`, `time_to_train<20000`.

    Raises:
        GateError: It is not written like these, or there is no such figure.
    """
    found = _REQUIREMENT.fullmatch(text)
    value = number(found[3]) if found else math.nan
    if found is None or not math.isfinite(value):
        raise GateError(f"{text!r} is not figure, comparison, number: speed>=4900")
    if found[1] not in REQUIRABLE:
        meant = did_you_mean(found[1], REQUIRABLE, f"there are {', '.join(REQUIRABLE)}")
        raise GateError(f"no figure {found[1]!r}; {meant}")
    return Requirement(found[1], found[2], value, text.strip())


def parse_tolerance(texts: Iterable[str]) -> dict[str, float]:
    """Reads `1%`, `0.01`, and for one dimension `speed=3%`.

    Returns:
        How much worse than the base each dimension may be, as a share of the base's figure.

    Raises:
        GateError: It is none of these, negative, or 100 % and more.
    """
    general, own = DEFAULT_TOLERANCE, {}
    for text in texts:
        found = _TOLERANCE.fullmatch(text.strip())
        share = number(found[2]) / (100 if found[3] else 1) if found else math.nan
        if found is None or not 0 <= share < 1:
            raise GateError(f"{text!r} is not a share such as 1%, 0.01 or speed=3%")
        if found[1] is None:
            general = share
        elif found[1] in DIMENSIONS:
            own[found[1]] = share
        else:
            meant = did_you_mean(found[1], DIMENSIONS, f"there are {', '.join(DIMENSIONS)}")
            raise GateError(f"no dimension {found[1]!r}; {meant}")
    return {**dict.fromkeys(DIMENSIONS, general), **own}


def required(card: Card, requirement: Requirement) -> Check:
    """Checks one requirement."""
    figure = _figure(card, requirement.figure)
    value, reason = figure.value, figure.reason
    if value is None:
        passed, reason = False, reason or "unknown"
    else:
        passed = COMPARISONS[requirement.operator](value, requirement.value)
    return Check(requirement.text, requirement.figure, passed, value, figure.unit, reason)


def against(card: Card, base: Card, name: str, tolerance: Mapping[str, float]) -> list[Check]:
    """Checks that no dimension is worse than the base's by more than its tolerance.

    The checks are named after the dimension and the base's name.
    """
    out = []
    for dimension, share in tolerance.items():
        theirs = figure_of(base, dimension)
        if theirs.value is None:
            continue
        mine, passed = figure_of(card, dimension), False
        reason = not_comparable(mine, theirs)
        if not reason and mine.value is not None:
            allowed = share * abs(theirs.value)
            if theirs.less_is_better:
                passed = mine.value <= theirs.value + allowed
            else:
                passed = mine.value >= theirs.value - allowed
            change = (mine.value - theirs.value) / abs(theirs.value) if theirs.value else math.nan
            by = f" ({100 * change:+.2f} %)" if math.isfinite(change) else ""
            reason = (
                f"the base has {theirs.value:.6g}{' ' + theirs.unit if theirs.unit else ''}{by}"
            )
        title = f"{dimension} within {100 * share:g}% of {name}"
        out.append(Check(title, dimension, passed, mine.value, mine.unit, reason))
    return out


def target_met(card: Card) -> Check:
    """Returns the check that a given `--target` stands for."""
    accuracy = card.dimensions["accuracy"]
    condition = card.target["condition"] if card.target is not None else "?"
    return Check(
        f"target {condition}",
        "accuracy",
        card.status is Status.CONVERGED,
        accuracy.value,
        accuracy.unit,
        accuracy.reason,
    )


def _figure(card: Card, name: str) -> Figure:
    if name not in ("run_time", "best"):
        figure = figure_of(card, name)
        provisional = name in DIMENSIONS and card.dimensions[name].state is State.RUNNING
        if provisional and not figure.reason:
            return Figure(figure.value, figure.unit, "provisional: the run goes on")
        return figure
    if name == "best":
        accuracy = card.dimensions["accuracy"]
        best = accuracy.details.get("best")
        return Figure(best, accuracy.unit, accuracy.reason if best is None else "")
    seconds = card.run_end["run_time_s"] if card.run_end is not None else None
    if seconds is not None:
        return Figure(seconds, "s")
    return Figure(None, "s", "the run has not ended, or no time was read")
