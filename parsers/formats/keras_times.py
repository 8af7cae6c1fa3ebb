"""The times that Keras prints: of a step or sample (`5ms/step`), and those of `TimeHistory`."""

from functools import lru_cache
from typing import NamedTuple

from sixdim.parsers.events import Scope
from sixdim.parsers.grammar.vocabulary.units import LEAST_WHOLE, SECONDS
from sixdim.parsers.statements.figure_rows import summary
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.record_fields import Gauge
from sixdim.parsers.statements.rows import progress
from sixdim.parsers.text.patterns import pattern

_TIME = pattern(r"(\d{1,9})(us|ms|s)/(step|sample)")

_RATE = "{throughput:float} examples/second between steps {begin:int} and {step:int}"
TIME_HISTORY = (
    progress(
        (
            *(f"{head}TimeHistory: {{seconds:float}} seconds, {_RATE}" for head in ("", "{}")),
            "BenchmarkMetric: {'global step':{step:int}, 'time_taken': {seconds:float},"
            "'examples_per_second': {throughput:float}}",
        ),
        NamedRecord(
            unit="samples/s",
            scope=Scope.JOB,
            duration=("seconds",),
            since="begin",
            once=("step", "throughput", "duration"),
            figures=(Gauge("seconds", "seconds", "s", higher_is_better=False),),
        ),
        1.0,
    ),
    progress(
        "Train Step: {step:int}/{steps:int} / loss = {loss:float}...",
        NamedRecord(once=("step", "loss")),
        0.6,
    ),
    summary(
        tuple(
            f"{head}'avg_exp_per_second': {{avg_exp_per_second:float}}..." for head in ("", "{}")
        ),
        0.3,
        unit="samples/s",
    ),
)
"""The lines of TensorFlow's official models, whose logger may write each of them twice."""


class StepTime(NamedTuple):
    """The time of a step or sample: the printed number, and seconds; 0 where none is printed."""

    number: int = 0
    seconds: float = 0.0
    of_sample: bool = False


@lru_cache(1024)  # bars of one speed
def step_time(words: str) -> StepTime:
    """Returns the time in a text."""
    found = _TIME.search(words)
    if found is None:
        return StepTime()
    number = int(found[1])
    return StepTime(number, number * SECONDS[found[2]], found[3] == "sample")


class StepTimes:
    """The times of one log's steps."""

    def __init__(self) -> None:
        self._coarse = False  # the only time of an epoch was rounded too much
        self.begin_epoch()

    def begin_epoch(self) -> None:
        """Notes that an epoch begins."""
        self._first = 0.0  # seconds of the epoch's first step, if a drawing shows only that step
        self._apart = False  # the means on later drawings leave the first step out

    def mean(self, step: int, seconds: float | None) -> float | None:
        """Returns mean seconds/step since the epoch began, from the time that the bar shows.

        The bar shows the mean of all steps, or (TF 2.2 and later) of all steps after the first. It
        leaves the first out if mean x steps is less than the time of the first step alone.
        """
        if not seconds:
            return None
        if step == 1:
            self._first = seconds
        self._apart |= step * seconds < self._first
        return (self._first + (step - 1) * seconds) / step if self._apart else seconds

    def of_epoch(self, printed: StepTime, whole: int, steps: int | None) -> float | None:
        """Returns seconds/step by the time that is less rounded: as printed, or epoch time / steps.

        Returns:
            None if both are too coarse: then the run has no rate, as that of its slower epochs,
            whose times are less coarse, must not be its speed.
        """
        seconds: float | None = printed.seconds if printed.number >= LEAST_WHOLE else None
        if steps and printed.number < whole:
            seconds = whole / steps if whole >= LEAST_WHOLE else None
        self._coarse |= seconds is None
        return None if self._coarse else seconds
