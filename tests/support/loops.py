"""What the generic reader claims of a loop."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sixdim.parsers.events import EpochEnd, Evaluation, Event, Iteration, RunEnd
from tests.support.inputs.generated import read as session_of
from tests.support.logs import read


def events_of(lines: Iterable[str]) -> list[Event]:
    """What the generic reader makes of these lines."""
    return read("".join(f"{line}\n" for line in lines), "generic")


def closing_times(lines: Iterable[str]) -> list[float | None]:
    """Seconds that each closing line states; a word alone is no such line."""
    return [e.duration for e in events_of(lines) if isinstance(e, RunEnd) and not e.word]


def accuracies(lines: Iterable[str]) -> tuple[object, object, object]:
    """Metric, value and best of a card's accuracy."""
    card = session_of("\n".join([*lines, ""]).encode(), name="generic").card()
    found = card.dimensions["accuracy"]
    return found.details.get("metric"), found.value, found.details.get("best")


def figures(lines: Iterable[str]) -> dict[str, Any]:
    """All that is claimed: by kind, what is not empty."""
    events = events_of(lines)
    steps = [e for e in events if isinstance(e, Iteration)]
    ends = [e for e in events if isinstance(e, EpochEnd)]
    progress: list[Iteration | EpochEnd] = [*steps, *ends]
    found = {
        "tested": [
            (e.epoch, {m.name: m.value for m in e.metrics})
            for e in events
            if isinstance(e, Evaluation) and e.metrics
        ],
        "losses": [e.loss for e in steps if e.loss is not None]
        + [m.value for e in ends for m in e.values if m.name == "loss"],
        "rates": [(e.throughput, e.unit) for e in progress if e.throughput is not None],
        "seconds": [e.duration for e in steps if e.duration is not None],
        "steps": [(e.step, e.steps) for e in steps if e.step is not None],
        "epoch times": [e.epoch_time for e in ends if e.epoch_time is not None],
        "values": [(m.name, m.value) for e in progress for m in e.values if m.name != "loss"],
    }
    return {kind: value for kind, value in found.items() if value}
