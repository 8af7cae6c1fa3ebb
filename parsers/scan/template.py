"""What every line that is like an example looks like, and what it says."""

from __future__ import annotations

from dataclasses import dataclass

from parsers.epoch_record import EpochRecord
from parsers.evaluation_record import EvaluationRecord
from parsers.events import Iteration
from parsers.format import Reader
from parsers.record import IterationRecord
from parsers.scan.pieces import Piece

GROUP = "group "
"""Begins the name of the digits behind a separator of thousands."""
SECONDS = "seconds "
"""Begins the name of digits of a clock; what one is worth, in microseconds, follows."""

SPAN = "span "
"""Begins the name of digits of a time that has passed; what one is worth, in seconds, follows, and
the hole's name."""


@dataclass(frozen=True, slots=True)
class Template:
    """The lines that look like one example.

    Attributes:
        pieces: What stands in them, in order.
        context: What else their meaning rests on.
        lines: How many lines one of them has.
        place: Which of these the event is said to stand in, counted from 0.
    """

    pieces: tuple[Piece, ...]
    context: object
    lines: int
    place: int

    def face(self) -> tuple[object, ...]:
        """All that lines of the template share apart from how they look."""
        return (self.context,)

    def stands(self, reader: Reader) -> bool:
        """Whether they still mean what the example meant: no other header came."""
        return self.context == reader.context


@dataclass(frozen=True, slots=True)
class IterationTemplate(Template):
    """Progress lines that look like one example.

    Attributes:
        example: The event of the example, for all that is the same in every line.
        rate: Hole of the throughput; empty without one.
        loss: Hole of the loss; empty without one.
        duration: Hole of an iteration's seconds; empty without one.
        gauges: Of the record's gauges those that such lines have.
        inverse: Whether `duration` is printed as iterations in a second.
        work: What an iteration takes in, where the throughput is that over its duration.
        watched: Of the holes that the record watches those that such lines have.
        record: What the holes mean. The steps of an epoch stand as in the example.
    """

    example: Iteration
    rate: str
    loss: str
    duration: str
    gauges: tuple[tuple[str, str, str], ...]
    inverse: bool
    work: int
    watched: tuple[str, ...]
    record: IterationRecord

    def face(self) -> tuple[object, ...]:
        """See `Template.face`."""
        event = self.example
        at = event.at
        return (
            *(
                self.record,
                self.rate,
                self.loss,
                self.duration,
                self.gauges,
                self.inverse,
                self.work,
                event.steps,
                event.unit,
                event.scope,
            ),
            *(at.rank, at.host, at.time_us is None, self.context),
        )

    def stands(self, reader: Reader) -> bool:
        """As `Template.stands`; an iteration takes in as much."""
        work = self.record.work
        return Template.stands(self, reader) and (not work or work(reader) == self.work)


@dataclass(frozen=True, slots=True)
class EpochTemplate(Template):
    """Lines that tell a whole epoch or evaluation each, and look like one example.

    Attributes:
        record: What the holes mean.
        keys: Keys of all fields, in the line's order.
        kept: Those whose numbers are read.
    """

    record: EpochRecord | EvaluationRecord
    keys: tuple[str, ...]
    kept: frozenset[str]

    def face(self) -> tuple[object, ...]:
        """See `Template.face`."""
        return (self.context, self.record, self.keys, self.kept)
