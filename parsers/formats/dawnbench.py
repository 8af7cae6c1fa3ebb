"""DAWNBench training submissions: a table of epoch, hours and accuracies."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from parsers.events import EpochEnd, Evaluation, Event, Metric, RunStart
from parsers.format import Reader, Statement
from parsers.shape import Fields, Skeleton
from parsers.text import Line


class DawnBench(Reader):
    """Reads one table. `hours` count from the start of training, evaluations included."""

    name = "dawnbench"
    title = "DAWNBench ImageNet submissions (TSV)"
    example = "epoch\thours\ttop1Accuracy\ttop5Accuracy"
    unread = "throughput (only hours and accuracies are in the table)"

    def __init__(self) -> None:
        self._hours: Fraction | None = Fraction(0)

    def _header(self, line: Line, f: Fields) -> Iterator[Event]:
        self._hours = Fraction(0)
        yield RunStart(line.origin())

    def _row(self, line: Line, f: Fields) -> Iterator[Event]:
        at, hours = line.origin(), _exact(f["hours"])
        since, self._hours = self._hours, hours
        passed = None if hours is None or since is None or hours < since else hours - since
        yield Evaluation(
            at, (Metric("acc1", f["acc1"], "%"), Metric("acc5", f["acc5"], "%")), f["epoch"]
        )
        yield EpochEnd(
            at,
            f["epoch"],
            epoch_time=None if passed is None else float(passed * 3600),
            values=() if hours is None else (Metric("hours", float(hours), "h"),),
        )

    statements = (
        Statement(Skeleton("epoch hours top1Accuracy top5Accuracy"), _header, 2.0, "header"),
        Statement(
            Skeleton("{epoch:int} {hours:word} {acc1:float} {acc5:float}"), _row, 0.0, "epoch"
        ),
    )


def _exact(text: str) -> Fraction | None:
    digits = text.replace(".", "", 1)
    return Fraction(text) if digits.isdecimal() and digits.isascii() and len(text) < 40 else None
