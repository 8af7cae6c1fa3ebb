"""What a line means that tells a whole evaluation and nothing else.

Stated once, as `EpochRecord` states an epoch's line: line parser and block scan read it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from parsers.epoch_record import Planned, read_figures
from parsers.events import Evaluation
from parsers.shape import Fields
from parsers.text import Line


class EvaluationRecord(NamedTuple):
    """Which field of a statement becomes which part of an `Evaluation`.

    Attributes:
        figures: What the number under a key is; a line need not have all.
        epoch: Key of the label of its epoch; empty where lines have none.
        time_ms: Key of a clock in whole milliseconds since 1970; empty where lines have none.
    """

    figures: tuple[Planned, ...]
    epoch: str = ""
    time_ms: str = ""

    def read(self, reader: Any, line: Line, fields: Fields) -> Iterator[Evaluation]:
        """The event of one line without labels and clock of its own (the shape of an `emit`)."""
        yield Evaluation(line.origin(), read_figures(self.plan(tuple(fields))["raw"], fields))

    def plan(self, keys: tuple[str, ...]) -> Mapping[str, tuple[Planned, ...]]:
        """The figures of a line with these keys, as `EpochRecord.plan` has them."""
        return {"raw": tuple(one for one in self.figures if one.key in keys)}
