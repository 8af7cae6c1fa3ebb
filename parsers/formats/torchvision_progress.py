"""MetricLogger's progress lines: their shapes, and the batch that the first of an epoch shows."""

from math import inf

from sixdim.parsers.events import Iteration, Metric, Scope
from sixdim.parsers.grammar.shapes.figures import lower_is_better
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.vocabulary.names import meaning
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.text.patterns import pattern

_SECONDS = pattern(r"\d{1,9}\.\d{1,9}")
_FINE_S = 0.005
"""Least seconds of an iteration for which four decimals are exact enough to infer the batch."""
_EXACT = 0.005
_SMOOTHED = 20
"""Iterations of which MetricLogger's `time` is the mean."""
_NOT_FIGURES = frozenset(("eta", "time", "loss", "img/s"))
EPOCHS = (
    "Epoch: [{epoch:int}]",
    "Epoch: [{epoch:int}/{epochs:int}]",  # DINO, iBOT and others
    "Epoch {epoch:int}",  # torchvision's optical flow
    "Epoch [{epoch:int}]",
    "Train Epoch: [{epoch:int}]",  # ALBEF, BLIP and others
    "Train: data epoch: [{epoch:int}]",  # LAVIS
    "Train: data epoch: [{:int}]; inner epoch [{epoch:int}]",
)
TESTS = ("Test:", "Test: EMA", "Validation:", "Test: [{:int}]")
"""What stands in front of a test's progress and of its time; some programs add the epoch."""
_MEAN = pattern(r"(?:^|\s)([\w@./-]{1,60}+): -?[\d.]{1,30}+ \((-?\d{1,12}+(?:\.\d{1,15}+)?+)\)")
"""A figure's median and mean: `f1: 0.3497 (0.6330)`."""
_REQUIRED = (("eta", "time"), ("time", "data"))  # some loggers print no estimate


def _values(head: str, *required: str) -> KeyValues:
    return KeyValues(
        head,
        numbers={"throughput": "img/s", "loss": "loss", "duration": "time"},
        required=required,
    )


PROGRESS = tuple(
    _values(f"{epoch}  [{{step:int}}/{{steps:int}}]  ", *required)
    for epoch in EPOCHS
    for required in _REQUIRED
)
RECORD = NamedRecord(
    unit="img/s",
    # The job's rate in DeepSpark's scripts, one process's in torchvision's own.
    scope=Scope.UNKNOWN,
    further=further(*_NOT_FIGURES, names={"max mem": ("max mem", "MiB")}),
)


def samples_of(first: Iteration, text: str) -> int | None:
    """Computes the samples of an iteration from the first progress line of an epoch.

    `img/s` is the rate of one iteration without its wait for data; `time` is the mean of the
    last 20 with the wait. For the first iteration of an epoch, both are of that iteration.

    Returns:
        The samples; None where the numbers are too coarse, or of different iterations.
    """
    waited = PROGRESS[0].pairs(text).get("data", "").partition(" ")[0]
    seconds = (first.duration or 0) - (float(waited) if _SECONDS.fullmatch(waited) else inf)
    samples = (first.throughput or 0) * seconds
    if not (seconds >= _FINE_S and 0.5 <= samples < inf):
        return None
    whole = round(samples)
    return whole if abs(samples - whole) <= _EXACT * samples else None


def mean_of_all(last: Iteration, steps: int, seconds: float) -> float | None:
    """Returns the time of an iteration by the last line of an epoch of few iterations.

    Args:
        last: The event of the line.
        steps: Iterations of the epoch.
        seconds: The printed time of the epoch, cut to whole seconds.

    Returns:
        None where that line is the mean of some of the iterations only, or does not fit the time.
    """
    mean = last.duration
    if mean is None or last.step is None or last.step + 1 != steps or steps > _SMOOTHED:
        return None
    return mean if seconds - _EXACT <= mean * steps < seconds + 1 + _EXACT else None


def mean_scores(figures: str) -> tuple[Metric, ...]:
    """Returns the means of the scores among figures that are printed as median and mean."""
    known = [(meaning(name, "", False), value) for name, value in _MEAN.findall(figures)]
    return tuple(
        Metric(score.canonical, float(mean))
        for score, mean in known
        if score and score.role == "quality" and not lower_is_better(score.canonical)
    )
