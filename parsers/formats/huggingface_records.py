"""What a single report of Hugging Face's Trainer says: its step, its time, whose it is."""

from collections.abc import Mapping
from typing import NamedTuple

from sixdim.parsers.events import Origin
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole
from sixdim.parsers.grammar.vocabulary.durations import spoken_seconds

PLACE = "global_step/max_steps"
"""Key of the step in a report of ms-swift: `5/20`."""
_SAME = (("train_loss", 0.005), ("train_runtime", 0.02))
"""Relative differences allowed between the closing reports of one training's ranks."""


def is_of_another_training(before: Mapping[str, object], report: Mapping[str, object]) -> bool:
    """Returns whether a closing report is another training's; else it is another rank's copy."""
    for name, apart in _SAME:
        one, other = as_number(before.get(name)), as_number(report.get(name))
        if one is None or other is None:
            return False
        if abs(one - other) > apart * abs(one):
            return True
    return False


class Block(NamedTuple):
    """A block of metrics: its header, the name in the header, and the `key = value` lines below."""

    name: str
    at: Origin
    pairs: dict[str, str]


def step_of(report: Mapping[str, object]) -> tuple[int, int, float | None] | None:
    """Returns the step, the planned steps and the elapsed seconds in a report of ms-swift."""
    step, _, steps = str(report.get(PLACE)).partition("/")
    done, planned = as_whole(step), as_whole(steps)
    if done is None or planned is None:
        return None
    return done, planned, spoken_seconds(str(report.get("elapsed_time")))


class RecordClock:
    """Times the steps between records by a clock with whole seconds.

    Attributes:
        latest: Step and seconds of the last record that was timed; None before the first.
    """

    def __init__(self, latest: tuple[int, float] | None = None) -> None:
        self.latest = latest

    def duration(self, step: int | None, now: float | None) -> float | None:
        """Returns seconds/iteration since the latest record, and makes this one the latest."""
        before, since = self.latest or (0, 0.0)
        if step is None or now is None or (step > before and now == since):
            return None  # the next record's time is that of these steps, too
        known, self.latest = self.latest is not None, (step, now)
        return (now - since) / (step - before) if known and step > before and now > since else None
