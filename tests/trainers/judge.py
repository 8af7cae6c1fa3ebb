"""Holds the figures of a card against what a trainer's own timers measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sixdim.tui.base import figures

_NEAR = 0.05
"""Relative deviation of a derived rate: printing and loading are a part of an epoch."""


class Judged(NamedTuple):
    """One figure.

    Attributes:
        name: What it is.
        got: What the card says; None where it says nothing.
        truth: What the timers say.
        verdict: `right`, `wrong` or `unknown`.
    """

    name: str
    got: object
    truth: object
    verdict: str

    def __str__(self) -> str:
        return f"{self.name:<12}{_shown(self.got):<22}{_shown(self.truth):<30}{self.verdict}"


def judged(card: Mapping[str, Any], truth: Mapping[str, Any], format_: str) -> Iterator[Judged]:
    """Every figure of the card that the timers know."""
    run, figure = card["run"], card["dimensions"]
    yield _same("format", run["format"], format_)
    yield _same("status", card["status"], "finished")
    if truth["epoch_s"]:
        yield _same("epochs", run["epochs"] or None, len(truth["epoch_s"]))
        if "epochs_planned" in run:
            yield _same("planned", run["epochs_planned"], truth["epochs"])
    for scores in truth["scores"].values():
        accuracy = figure["accuracy"]
        if "loss" in accuracy.get("metric", ""):  # no accuracy is in the log by its name
            yield Judged("accuracy", None, scores[-1], "unknown")
            continue
        yield _close("accuracy", accuracy["value"], scores[-1], 0.001)
        yield _close("best", accuracy.get("best"), max(scores), 0.001)
    speed = figure["speed"]
    yield _close("speed", speed["value"], _speed(speed, truth), _NEAR)
    if "stated" in truth:
        yield _close("end to end", card["end_to_end"]["value"], truth["stated"], 0.001)
    yield _same("warnings", len(card["warnings"]), 0)


def _speed(speed: Mapping[str, Any], truth: Mapping[str, Any]) -> float | None:
    """The speed that the timers say, over the card's window and in its unit."""
    if "stated" in speed:
        stated: float = truth["stated"]
        return stated
    unit, window = speed.get("unit", ""), speed.get("window") or []
    work = truth.get("steps") if unit == "it/s" else truth.get("samples")
    labels = [label for label in window if label not in speed["dropped"]]
    if work is None or not labels:
        return None
    first = 0 if 0 in window or len(truth["epoch_s"]) == max(window) + 1 else 1
    seconds: list[float] = [truth["epoch_s"][label - first] for label in labels]
    return float(sum(work / one for one in seconds) / len(seconds))


def _same(name: str, got: object, truth: object) -> Judged:
    verdict = "unknown" if got is None else "right" if got == truth else "wrong"
    return Judged(name, got, truth, verdict)


def _close(name: str, got: float | None, truth: float | None, near: float) -> Judged:
    if got is None or truth is None:
        return Judged(name, got, truth, "unknown")
    # A card keeps the unit of the log: a fraction or percent.
    units = (1, 100, 0.01) if name in ("accuracy", "best") else (1,)
    right = any(abs(got - truth * unit) <= near * abs(truth * unit) for unit in units)
    return Judged(name, got, truth, "right" if right else "wrong")


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    return figures.UNKNOWN if value is None else str(value)
