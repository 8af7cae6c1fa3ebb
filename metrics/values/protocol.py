"""A protocol: how a throughput is computed from a log.

Every published rule has the form: take these records, skip some, use some, trim the extremes,
reduce, scale. The named ones are rows of `metrics.protocols.named`.
"""

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from sixdim.metrics.values.exact import median
from sixdim.metrics.values.print_rule import as_printed

TIMES = ("s", "min", "ms")
"""Units of figures of which less is better."""


class Records(StrEnum):
    """Which records a protocol reads."""

    EPOCH = "epoch"
    """The throughput that the log prints for an epoch, else that of its progress lines."""
    ITERATION = "iteration"
    SUMMARY = "summary"
    """Figures of the whole run that the log prints."""
    ALL = "all"
    """Progress lines, ends of epochs and summaries, in the log's order."""
    RUN = "run"
    """The whole run as one record: its duration in seconds."""


class Reduce(StrEnum):
    """How the records that count become one figure."""

    MEAN = "mean"
    MEDIAN = "median"
    LAST = "last"
    MAX = "max"
    ELAPSED = "elapsed"
    """Iterations between two records / the time between their lines."""


class Inverse(StrEnum):
    """How a record that is a time becomes a rate."""

    NO = "no"
    EACH = "of each record"
    MEAN = "of the mean"


class OverRuns(StrEnum):
    """How repeated runs become one figure."""

    MEDIAN = "median"
    OLYMPIC = "mean without the fastest and the slowest"


class Protocol(NamedTuple):
    """One rule for the throughput of a run.

    Attributes:
        name: On the command line and on the card.
        source: Where the rule is written, or how it was found.
        records: Which records it reads.
        metric: Figure of the record, under the log's own name; `throughput` for its main one,
            `duration` for the time of an iteration. Several, parted by `|`: the first that
            the log has.
        beyond: Records up to this step do not count at all.
        skip: Records left out from the start.
        skip_end: Records left out from the end.
        skip_to: Epoch label the window begins at, instead of a count.
        take: Records used after that; None for all.
        take_end: Records used, counted from the end; None for all.
        in_steps: `skip` and `take` count steps of the run, not records.
        per_rank: Every device prints its own line: `skip` and `take` count those of one.
        over_ranks: The lines of one step, a line a device, are reduced to their median first.
        job_metric: The one of its metrics that a job of several devices is measured by.
        least: With fewer records after the skipped ones there is no figure.
        each: Print rule applied to every record first (a habit of some sources).
        trim: Records dropped at each end after sorting.
        trim_share: Share of the records dropped at each end; the larger of both counts.
        reduce: How the rest is combined.
        inverse: The records are times, and the figure is 1 / time, before or after averaging.
        every: Iterations that one record stands for, where steps are not counted.
        scale: What the figure is multiplied by: `devices`, `nodes`, `cards` (devices of a
            node), `batch` (of a device), `global_batch`, or numbers.
        unit: Unit of the figure, where the scale changes it.
        prints: How its source prints the figure: `%.6g`, `round 3`, `truncate 2`.
        over_runs: How repeated runs become one figure.
    """

    name: str
    source: str
    records: Records = Records.EPOCH
    metric: str = "throughput"
    job_metric: str = ""
    beyond: int | None = None
    skip: int = 0
    skip_end: int = 0
    skip_to: int | None = None
    take: int | None = None
    take_end: int | None = None
    in_steps: bool = False
    per_rank: bool = False
    over_ranks: bool = False
    least: int = 1
    each: str = ""
    trim: int = 0
    trim_share: float = 0.0
    reduce: Reduce = Reduce.MEAN
    inverse: Inverse = Inverse.NO
    every: int = 1
    scale: tuple[str | float, ...] = ()
    unit: str = ""
    prints: str = ""
    over_runs: OverRuns = OverRuns.MEDIAN

    @property
    def by_label(self) -> bool:
        """Whether its window is a range of epoch labels."""
        return self.records is Records.EPOCH and self.skip_to is not None

    @property
    def is_time(self) -> bool:
        """Whether its figure is a time, so that less is better."""
        return self.records is Records.RUN or self.unit in TIMES

    def metrics(self) -> tuple[str, ...]:
        """Returns the names that it looks for, in order."""
        return tuple(name.strip() for name in self.metric.split("|") if name.strip())

    def trimmed_at_each_end(self, count: int) -> int:
        """Returns how many of `count` records are dropped at each end; 0 if none would remain."""
        each = max(self.trim, int(count * self.trim_share))
        return each if count - 2 * each >= 1 and count >= 3 else 0

    def sentence(self) -> str:
        """Returns the rule in words: `iteration ips, skip 10, trim 5 % each end, mean`."""
        words = [f"{self.records} {self.metric}"]
        if self.beyond is not None:
            words.append(f"steps above {self.beyond}")
        what = " steps" if self.in_steps else " lines of each device" if self.per_rank else ""
        if self.skip_to is not None:
            words.append(f"from label {self.skip_to}")
        words += [f"skip {self.skip}{what}"] if self.skip else []
        words += [f"skip the last {self.skip_end}"] if self.skip_end else []
        words += [f"take {self.take}{what}"] if self.take is not None else []
        words += [f"take the last {self.take_end}"] if self.take_end is not None else []
        words += ["median over devices"] if self.over_ranks else []
        words += [f"each to {self.each}"] if self.each else []
        if self.trim_share:
            least = f" (at least {self.trim})" if self.trim else ""
            words.append(f"trim {self.trim_share:.3g} of them{least} at each end")
        elif self.trim:
            words.append(f"trim {self.trim} at each end")
        words.append(str(self.reduce))
        words += [f"inverse {self.inverse}"] if self.inverse is not Inverse.NO else []
        words += [f"each stands for {self.every} iterations"] if self.every != 1 else []
        words += ["x " + " x ".join(_factor(f) for f in self.scale)] if self.scale else []
        words += [f"printed {self.prints}"] if self.prints else []
        return ", ".join(words)


def _factor(factor: str | float) -> str:
    return factor.replace("_", " ") if isinstance(factor, str) else f"{factor:g}"


DEEPSPARK = Protocol(
    "deepspark",
    "DeepSpark six_dimension_howto: five stable epochs, drop the highest and the lowest",
    skip_to=6,
    take=5,
    trim=1,
)
EXAMPLE = Protocol(
    "deepspark-example",
    "DeepSpark six_dimension_howto_example: the same, each epoch truncated to an integer first",
    skip_to=6,
    take=5,
    trim=1,
    each="truncate 0",
)


class Reduced(NamedTuple):
    """The result of a protocol for a window.

    Attributes:
        value: The figure, before any scale and printing rule.
        dropped: Positions in the window that trimming left out: lowest first.
    """

    value: float
    dropped: tuple[int, ...]


def reduce_window(values: Sequence[float], protocol: Protocol) -> Reduced | None:
    """Applies the rule for each record, trimming and reduction; None for an empty window.

    Ties are broken by position, so that equal values are dropped in a fixed order.
    """
    if not values:
        return None
    numbers = [_prepared(value, protocol) for value in values]
    order = sorted(range(len(numbers)), key=lambda i: (numbers[i], i))
    each = protocol.trimmed_at_each_end(len(numbers))
    dropped = (*order[:each], *order[len(order) - each :])
    left_out = set(dropped)
    used = [number for i, number in enumerate(numbers) if i not in left_out]
    if protocol.reduce is Reduce.MEDIAN:
        value = median(used)
    elif protocol.reduce is Reduce.LAST:
        value = used[-1]
    elif protocol.reduce is Reduce.MAX:
        value = max(used)
    else:
        value = math.fsum(used) / len(used)
    if protocol.inverse is Inverse.MEAN:
        value = 1 / value if value else math.inf
    return Reduced(value, dropped)


def _prepared(value: float, protocol: Protocol) -> float:
    number = float(as_printed(value, protocol.each)) if protocol.each else value
    if protocol.inverse is Inverse.EACH:
        return 1 / number if number else math.inf
    return number
