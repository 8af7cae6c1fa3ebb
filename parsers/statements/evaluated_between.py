"""Formats whose progress lines print the time since the line before, evaluations included."""

from typing import ClassVar

from sixdim.parsers.events import Events, Iteration
from sixdim.parsers.statements.format import Line, Reader


class EvaluatedBetween(Reader):
    """A format that prints no time of training alone after an evaluation.

    The progress line that follows an evaluation has no time and no rate. The rows of evaluations
    state it (`timed` of `figure_rows.evaluation`), and methods call `evaluated`.

    Class attributes:
        computed_from_time: Further figures that are computed from that time.
    """

    computed_from_time: ClassVar[frozenset[str]] = frozenset()

    def evaluated(self) -> None:
        """Notes that the time which the next progress line prints includes an evaluation."""
        if "read" not in vars(self):
            self.read = self._read_next  # type: ignore[method-assign]  # until that line

    def includes_evaluations(self, line: Line) -> bool:
        """Returns whether the version that prints this progress line times evaluations, too."""
        return True

    def _read_next(self, line: Line) -> Events | None:
        before, events = self.latest, super().read(line)
        after = self.latest
        if events is None or after is None or after is before:
            return events
        del self.read
        if not self.includes_evaluations(line):
            return events
        values = tuple(one for one in after.values if one.name not in self.computed_from_time)
        untimed = after._replace(throughput=None, duration=None, values=values)
        return [untimed if isinstance(one, Iteration) else one for one in events]
