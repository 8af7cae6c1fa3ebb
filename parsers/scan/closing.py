"""What the lines that end an epoch look like, and what they say."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from parsers.events import EpochEnd, Evaluation

FIGURES = ("throughput", "train_time", "epoch_time")
"""The numbers of an epoch's end that whole epochs keep."""


class Part(NamedTuple):
    """A number of an event.

    Attributes:
        of: That of the example.
        group: Which group of the pattern holds its text; None where it is the same in all.
        read: Makes the number of the text.
    """

    of: float
    group: int | None
    read: Callable[[str], float]

    def one(self, groups: Sequence[str]) -> Any:
        """The number in one text."""
        return self.of if self.group is None else self.read(groups[self.group])

    def column(
        self, columns: Sequence[Sequence[str]], count: int, known: dict[Part, list[Any]]
    ) -> list[Any]:
        """The numbers in so many texts, of which every group is given as a column.

        What is `known` of another event's parts is not made again.
        """
        if self.group is None:
            return [self.of] * count
        if self not in known:
            known[self] = [*map(self.read, columns[self.group])]
        return known[self]


class Said(NamedTuple):
    """One event that the lines bring.

    Attributes:
        example: As the example brought it, without further figures of its own.
        time: Its clock; None without one.
        label: The epoch's label; None where the line does not say. (The example may have one
            then: it is that of the progress line before.)
        figures: Its numbers, in the order of `Ending.figures`.
    """

    example: EpochEnd | Evaluation
    time: Part | None
    label: Part | None
    figures: tuple[Part, ...]

    def names(self) -> list[tuple[str, str, bool]]:
        """Of each figure: name, unit, and whether higher is better."""
        if isinstance(self.example, Evaluation):
            return [(m.name, m.unit, m.higher_is_better) for m in self.example.metrics]
        return [(name, "", True) for name in FIGURES if getattr(self.example, name) is not None]

    def event(self, groups: Sequence[str]) -> EpochEnd | Evaluation:
        """The event in one text, in the example's place."""
        at = self.example.at
        if self.time is not None:
            at = at._replace(time_us=self.time.one(groups))
        epoch = self.example.epoch if self.label is None else self.label.one(groups)
        numbers = [part.one(groups) for part in self.figures]
        if isinstance(self.example, Evaluation):
            metrics = zip(self.example.metrics, numbers, strict=True)
            told = tuple(metric._replace(value=value) for metric, value in metrics)
            return self.example._replace(at=at, epoch=epoch, metrics=told)
        named = {name: n for (name, *_), n in zip(self.names(), numbers, strict=True)}
        return self.example._replace(at=at, epoch=epoch, **named)


class Closing(NamedTuple):
    """The lines that end an epoch.

    Attributes:
        lines: How many.
        pattern: What they look like, each with its newline.
        every: The same, of many such lines one behind the other.
        said: What they say.
        bearing: What else their meaning rests on: the reader's own, as it was.
        mark: A text that stands in the last of all such lines, and in no progress line.
    """

    lines: int
    pattern: re.Pattern[str]
    every: re.Pattern[str]
    said: tuple[Said, ...]
    bearing: object
    mark: bytes = b""
