"""A named number that a log repeats, as it is drawn: frozen, of bounded length."""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    """The subject of a series, in the order in which series are listed."""

    LOSS = "loss"
    ACCURACY = "evaluation"
    RATE = "throughput"
    LEARNING_RATE = "learning rate"
    GRADIENT = "gradient norm"
    UTILISATION = "utilisation"
    TIME = "time"
    MEMORY = "memory"
    DEVICE = "GPU"
    OTHER = "other"


_BY_NAME = (
    (Kind.LOSS, re.compile(r"loss|(?<![a-z])(?:ppl|nll|perplexity)(?![a-z])")),
    (Kind.LEARNING_RATE, re.compile(r"(?<![a-z])lr(?![a-z])|learning[ _-]?rate")),
    (Kind.GRADIENT, re.compile(r"grad(?:ient)?s?[ _-]?norm|global[ _-]?norm")),
    (Kind.UTILISATION, re.compile(r"(?<![a-z])mfu(?![a-z])|flop")),
    (Kind.MEMORY, re.compile(r"mem(?:ory)?(?![a-z])|memallocated")),
    (
        Kind.RATE,
        re.compile(r"/s(?:ec|econd)?(?![a-z])|per[ _]?sec|throughput|(?<![a-z])ips(?![a-z])"),
    ),
    (Kind.TIME, re.compile(r"time|(?<![a-z])(?:data|duration|latency)(?![a-z])|_cost")),
)


def kind_of(name: str, *, evaluated: bool = False) -> Kind:
    """Returns the kind of a series by its name; of evaluations all but losses are accuracies."""
    lower = name.lower()
    for kind, expression in _BY_NAME:
        if expression.search(lower):
            return kind
        if evaluated and kind is Kind.LOSS:
            return Kind.ACCURACY
    return Kind.OTHER


PLACES = ("steps", "epochs", "seconds", "lines")
"""The columns of `SeriesView` that give the end of a bucket."""
COLUMNS = (*PLACES, "lows", "highs", "means", "lasts")
"""All its columns."""


@dataclass(frozen=True, slots=True)
class SeriesView:
    """A series as of now: its full buckets of equally many values, and the newest value.

    Two views of one series with the same version hold the same.

    Attributes:
        name: Unlike that of any other series of the run.
        unit: Of its values; empty where unknown.
        kind: What it is about.
        count: Values so far.
        latest: The newest value.
        version: Grows with each change.
        shape: Grows with each change of buckets that were there before.
        steps: The step at which each bucket ends, counted over the run; nan where unknown.
        epochs: The epoch, with the share of it that is done; nan where unknown.
        seconds: The log's clock since its first stamp, or the printed durations added up.
        lines: Number of the line of each bucket's last value; of a reading of a device, that of the
            progress line before it.
        lows: Least value of each bucket; nan where none is finite.
        highs: Greatest value.
        means: Mean of the values.
        lasts: Last value.
    """

    name: str
    unit: str
    kind: Kind
    count: int
    latest: float
    version: int
    shape: int
    steps: array[float] = field(compare=False)
    epochs: array[float] = field(compare=False)
    seconds: array[float] = field(compare=False)
    lines: array[float] = field(compare=False)
    lows: array[float] = field(compare=False)
    highs: array[float] = field(compare=False)
    means: array[float] = field(compare=False)
    lasts: array[float] = field(compare=False)
