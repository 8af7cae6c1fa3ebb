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
        return f"{self.name:<18}{_shown(self.got):<22}{_shown(self.truth):<30}{self.verdict}"


def judged(
    card: Mapping[str, Any], truth: Mapping[str, Any], format_: str, *, closes: bool
) -> Iterator[Judged]:
    """Every figure of the card that the timers know.

    Args:
        card: The card.
        truth: What the timers measured.
        format_: The format that the log must be read as.
        closes: Whether the log says that the training is over: by a closing line, or by how many
            epochs or steps it means to train. Without either, a run that has ended is incomplete.
    """
    run, figure = card["run"], card["dimensions"]
    yield _same("format", run["format"], format_)
    yield _same("status", card["status"], "finished" if closes else "incomplete")
    if truth["epoch_s"]:
        yield _same("epochs", run["epochs"] or None, len(truth["epoch_s"]))
        if "epochs_planned" in run:
            yield _same("planned", run["epochs_planned"], truth["epochs"])
    yield from _scores(figure["accuracy"], truth["scores"])
    speed = figure["speed"]
    yield _close("speed", speed["value"], _speed(speed, truth), _NEAR)
    if "stated" in truth:
        yield _close("end to end", card["end_to_end"]["value"], truth["stated"], 0.001)
    kinds = [warning["kind"] for warning in card["warnings"]]
    yield _same("warnings", kinds, [] if closes else ["incomplete"])


def _scores(accuracy: Mapping[str, Any], scores: Mapping[str, list[float]]) -> Iterator[Judged]:
    """The last and the best of each metric that was measured; a card has one of them."""
    metric = accuracy.get("metric", "")
    for name, values in scores.items():
        if name != metric and (metric in scores or "loss" in metric + name):
            yield Judged(name, None, values[-1], "unknown")  # the log does not say its name
            continue
        best = min if accuracy.get("lower_is_better") else max
        yield _close(name, accuracy["value"], values[-1], 0.001)
        yield _close(f"best {name}", accuracy.get("best"), best(values), 0.001)


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
    first = truth.get("first", int(0 not in window and len(truth["epoch_s"]) != max(window) + 1))
    seconds: list[float] = [truth["epoch_s"][label - first] for label in labels]
    return float(sum(work / one for one in seconds) / len(seconds))


def _same(name: str, got: object, truth: object) -> Judged:
    verdict = "unknown" if got is None else "right" if got == truth else "wrong"
    return Judged(name, got, truth, verdict)


def _close(name: str, got: float | None, truth: float | None, near: float) -> Judged:
    if got is None or truth is None:
        return Judged(name, got, truth, "unknown")
    # A card keeps the unit of the log: a fraction or percent.
    units = (1, 100, 0.01) if name.endswith("accuracy") else (1,)
    right = any(abs(got - truth * unit) <= near * abs(truth * unit) for unit in units)
    return Judged(name, got, truth, "right" if right else "wrong")


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    return figures.UNKNOWN if value is None else str(value)
