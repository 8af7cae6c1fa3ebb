"""Formats in which an event has several lines, such as an evaluation with one line per figure."""

from collections.abc import Sequence

from sixdim.parsers.events import Event, Events, Origin
from sixdim.parsers.statements.format import Line, Reader


class Gathering(Reader):
    """A format that gathers the lines of an event until a line of something else completes it.

    Attributes:
        gathered: What is gathered so far; empty or None between two such events.
    """

    gathered: object = None

    def goes_on(self, line: Line) -> bool:
        """Returns whether a line may belong to the event that is gathered."""
        raise NotImplementedError

    def complete(self) -> Sequence[Event]:
        """Returns the event that is gathered, if any, and forgets it."""
        raise NotImplementedError

    def read(self, line: Line) -> Events | None:
        """As `Reader.read`; an event that this line completes is released, known line or not."""
        if self.gathered and not self.goes_on(line):
            self.released = self.complete()
        return super().read(line)

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`, with the event that the log ended in."""
        return [*self.complete(), *super().end(at)]
