"""DAWNBench training submissions: a table of epoch, hours and accuracies."""

from __future__ import annotations

from collections.abc import Iterator

from parsers.events import EpochEnd, Evaluation, Event, Metric, RunStart
from parsers.format import Reader, Statement
from parsers.shape import Fields, Skeleton
from parsers.text import Line

_DIGITS = 40
_UNITS = 10**_DIGITS


class DawnBench(Reader):
    """Reads one table. `hours` count from the start of training, evaluations included."""

    name = "dawnbench"
    title = "DAWNBench ImageNet submissions (TSV)"
    example = "epoch\thours\ttop1Accuracy\ttop5Accuracy"
    unread = "throughput (only hours and accuracies are in the table)"

    def __init__(self) -> None:
        self._hours: int | None = 0

    def _header(self, line: Line, f: Fields) -> Iterator[Event]:
        self._hours = 0
        yield RunStart(line.origin())

    def _row(self, line: Line, f: Fields) -> Iterator[Event]:
        at, hours = line.origin(), _exact(f["hours"])
        since, self._hours = self._hours, hours
        passed = None if hours is None or since is None or hours < since else hours - since
        # The epoch first: it counts towards the time to a target that its evaluation meets.
        yield EpochEnd(
            at,
            f["epoch"],
            epoch_time=None if passed is None else passed * 3600 / _UNITS,
            values=() if hours is None else (Metric("hours", hours / _UNITS, "h"),),
        )
        yield Evaluation(
            at, (Metric("acc1", f["acc1"], "%"), Metric("acc5", f["acc5"], "%")), f["epoch"]
        )

    statements = (
        Statement(Skeleton("epoch hours top1Accuracy top5Accuracy"), _header, 2.0, "header"),
        Statement(
            Skeleton("{epoch:int} {hours:word} {acc1:float} {acc5:float}"), _row, 0.0, "epoch"
        ),
    )


def _exact(text: str) -> int | None:
    """Hours as printed, exactly, in units of `1 / _UNITS`; None for what is no plain number."""
    whole, _, part = text.partition(".")
    if not (whole + part).isdecimal() or not text.isascii() or len(text) >= _DIGITS:
        return None
    return int(whole + part.ljust(_DIGITS, "0"))
