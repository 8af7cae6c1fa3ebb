"""Many progress lines at once: what lines that were read by columns come to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from sixdim.parsers.events import Iteration, Origin

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PAUSE = 10.0
"""An iteration that takes so many times as long as that of the line before did something else."""


class SpanFigures(NamedTuple):
    """The figures of a span's lines, one column for each that is not the same in all of them.

    Attributes:
        steps: Their steps; None where they have none.
        times_us: Their clock; None without one.
        columns: By the name of a field of `Iteration`, or the place of one of its `values`.
    """

    steps: NDArray[np.int64] | None
    times_us: NDArray[np.int64] | None
    columns: Mapping[str | int, NDArray[np.float64]]

    def column(self, field: str | int, value: float, lines: int) -> NDArray[np.float64]:
        """Returns a column; where it is the same in all lines, made of that value."""
        column = self.columns.get(field)
        if column is None:
            import numpy as np

            column = np.full(lines, value)
        return column


class LineSpan(NamedTuple):
    """Progress lines of one epoch that follow one another, and the progress line before them.

    Their steps rise, or none has any; so do their clocks, or stand still; all figures but the loss
    are positive numbers; none is `PAUSE` times as slow as the line before. Sums are doubles whose
    exact sum is that of what is named, for every line; a line counts as many iterations as its step
    lies above that of the line before, or one.

    Attributes:
        last: The last of them.
        lines: How many.
        iterations: How many iterations they count.
        first: Those of the first line.
        weight: Those of the last line.
        first_us: The log's clock at the first of them.
        seconds: Iterations x duration.
        work: Iterations x duration x throughput.
        slowness: Iterations / throughput; only where there are no durations.
        slowest: Lowest throughput, and the first line that has it.
        fastest: Highest throughput, and the first line that has it.
        figures: The figures of each line; None if not needed.
    """

    last: Iteration
    lines: int
    iterations: int
    first: int
    weight: int
    first_us: int | None
    seconds: tuple[float, ...]
    work: tuple[float, ...]
    slowness: tuple[float, ...]
    slowest: tuple[float, int] | None
    fastest: tuple[float, int] | None
    figures: SpanFigures | None = None

    @property
    def at(self) -> Origin:
        """Where the last of them was read."""
        return self.last.at
