"""Lines that a user's program prints beside Lightning, read by the names of their figures.

If no bar is drawn, they are the only lines with the figures of an epoch.
"""

from sixdim.parsers.events import EpochEnd, Evaluation, Event, Events, Iteration, Origin, Summary
from sixdim.parsers.generic.reader import Generic
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_BAR = pattern(r"^[A-Z][A-Za-z ]{2,40}+: ?\|[^|]{0,40}+\| ?\d{1,9}+/\? \[[^\]]{1,40}+\](?=.)")
"""A bar without a total, which the program's line follows: it does not say what that is about."""


class PrintedLines:
    """Reads the program's own lines.

    Attributes:
        has_epochs: Whether the program itself has printed the figures of an epoch.
    """

    def __init__(self) -> None:
        self._generic = Generic()
        self._label: int | None = None  # of the last epoch
        self.has_epochs = False

    def begin(self) -> None:
        """Begins a training."""
        self._label, self.has_epochs = None, False

    def read(self, line: Line) -> Events | None:
        """Returns the events of a line while no bar is drawn; None for an unknown line."""
        if (bar := _BAR.match(line.text)) is not None:
            line = line.with_text(line.text[bar.end() :])
        printed = self._generic.read(line)
        return printed and [*self._with_ends(printed)]

    def scores(self, line: Line) -> list[Evaluation]:
        """Returns the evaluations of a line between bars."""
        return [
            e for e in self._generic.read(line) or () if isinstance(e, Evaluation) and e.metrics
        ]

    def _with_ends(self, printed: Events) -> Events:
        """Yields the program's events, and the end of an epoch that only an evaluation names."""
        for event in printed:
            if isinstance(event, Summary):
                yield event
                continue
            if isinstance(event, Iteration | Evaluation) and not _has_figure(event):
                continue  # `Epoch 3: ` may also be the rest of a cut bar
            self.has_epochs = True
            label = event.epoch if isinstance(event, Evaluation | EpochEnd | Iteration) else None
            if label is not None and label != self._label:
                self._label = label
                if isinstance(event, Evaluation):
                    yield EpochEnd(event.at, label)
            yield event

    def end(self, at: Origin) -> list[Event]:
        """Returns the events that were held back until a further line."""
        return self._generic.end(at) if self.has_epochs else []


def _has_figure(event: Iteration | Evaluation) -> bool:
    """Returns whether a line has a figure; the rest of a cut bar has only an epoch."""
    if isinstance(event, Evaluation):
        return bool(event.metrics)
    return {event.loss, event.duration, event.throughput} != {None}
