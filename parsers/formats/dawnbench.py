"""DAWNBench training submissions: a table of epoch, hours and accuracies."""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import Event, RunStart
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.epoch_record import EpochRecord, Figure
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.text.lines import Line

_FIGURES = {
    "hours": Figure("", "hours", "h"),
    "acc1": Figure("raw", "acc1", "%"),
    "acc5": Figure("raw", "acc5", "%"),
}
_RECORD = EpochRecord(_FIGURES.get, restarts=False, hours="hours")


class DawnBench(Reader):
    """Reads one table. `hours` count from the start of training, evaluations included."""

    name = "dawnbench"
    title = "DAWNBench ImageNet submissions (TSV)"
    example = "epoch\thours\ttop1Accuracy\ttop5Accuracy"
    unread = "throughput (only hours and accuracies are in the table)"
    hours = 0.0

    def _header(self, line: Line, f: Fields) -> Iterator[Event]:
        self.hours = 0.0
        yield RunStart(line.origin())

    statements = (
        Statement(Skeleton("epoch hours top1Accuracy top5Accuracy"), _header, 2.0, "header"),
        *(
            Statement(Skeleton(row), _RECORD.read, 0.0, "epoch")
            for row in (
                "{epoch:int} {hours:float} {acc1:float} {acc5:float}",
                "{epoch:int} {hours:word} {acc1:float} {acc5:float}",
            )
        ),
    )
