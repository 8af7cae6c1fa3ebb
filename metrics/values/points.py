"""Points in the charts of a run: epochs and evaluations."""

from typing import NamedTuple


class EpochPoint(NamedTuple):
    """One epoch on the charts.

    Attributes:
        label: As the log prints it.
        throughput: Per epoch, in the card's unit and scope; None while it trains.
        derived: True where the log printed none and sixdim computed it.
        duration: Seconds, evaluation included where the log says so; None where unknown.
        loss: Last training loss seen.
        iterations: Progress lines read.
        first_line: First line of the epoch.
        last_line: Last line of the epoch so far.
        complete: False while the epoch trains.
        step: Its last step so far, where the log prints any.
        evaluated: Whether the evaluation is in `duration`.
    """

    label: int
    throughput: float | None
    derived: bool
    duration: float | None
    loss: float | None
    iterations: int
    first_line: int
    last_line: int
    complete: bool
    step: int | None = None
    evaluated: bool = False


class EvaluationPoint(NamedTuple):
    """One whole evaluation of the accuracy metric.

    Attributes:
        epoch: Label of its epoch; None where the log counts in steps.
        step: Step it was made at, where the line says so.
        value: Of the metric.
        line: Number of its line.
        time_us: The log's clock, where the line has one.
    """

    epoch: int | None
    step: int | None
    value: float
    line: int
    time_us: int | None = None
