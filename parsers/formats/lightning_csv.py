"""PyTorch Lightning's CSVLogger: a sparse metrics.csv, steps and epochs in one table.

A row has the figures that were logged together. `step` counts from the start of training;
rows that a validation step wrote have no epoch, and are not iterations of training. The rows of
`ThroughputMonitor` have the rate of its latest batches, without the time of validations.
"""

from functools import lru_cache

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Events,
    Iteration,
    Metric,
    Origin,
    Scope,
)
from sixdim.parsers.grammar.shapes.figures import as_whole, figure
from sixdim.parsers.grammar.shapes.shape import Fields
from sixdim.parsers.grammar.shapes.table import Row, Table
from sixdim.parsers.grammar.vocabulary.names import EVALUATED, TRAINED
from sixdim.parsers.grammar.vocabulary.words import words_of
from sixdim.parsers.statements.csv_reader import CsvReader
from sixdim.parsers.statements.rows import starts
from sixdim.parsers.statements.statement import Statement
from sixdim.parsers.text.lines import Line

_RATES = {
    f"train{mark}{name}": scope
    for mark in "/|"
    for name, scope in (
        ("samples_per_sec", Scope.JOB),
        (f"device{mark}samples_per_sec", Scope.DEVICE),
    )
}
"""Rates of `ThroughputMonitor`; that of all devices is printed only where there are several."""


class LightningCsv(CsvReader):
    name = "lightning-csv"
    title = "PyTorch Lightning metrics.csv"
    tried = "lightning 2.6.6"
    example = "epoch,step,train_loss_step,train_loss_epoch,val_loss"
    unread = (
        "times and throughput (only ThroughputMonitor writes them), rows that a validation step "
        "wrote without its epoch"
    )

    def __init__(self) -> None:
        self._lasts: list[tuple[int, int]] = []
        self._ended: int | None = None
        self._evaluated: tuple[int, int | None] | None = None
        self._validates = False  # a row had figures of a validation

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`, with the last epoch if it has as many steps as the one before."""
        begin = self._lasts[-3][1] if len(self._lasts) > 2 else -1
        lasts = [begin, *(step for _epoch, step in self._lasts[-2:])]
        whole = len(lasts) == 3 and lasts[2] - lasts[1] == lasts[1] - lasts[0]
        unended = whole and self._lasts[-1][0] != self._ended
        ended = [EpochEnd(at, self._lasts[-1][0])] if unended else []
        return [*ended, *super().end(at)]

    def _advance(self, epoch: int, step: int | None) -> None:
        """Stores the last step of the latest epochs."""
        if self._lasts and self._lasts[-1][0] == epoch:
            del self._lasts[-1]
        self._lasts = [*self._lasts[-2:], (epoch, step or 0)]

    def _is_cut_short(self) -> bool:
        """Returns whether the last epoch has fewer steps than the one before.

        If so, a limit stopped it.
        """
        rows = [(-1, -1), *self._lasts][-3:]
        if len(rows) < 3:
            return False
        (epoch, begin), (before, middle), (last, end) = rows
        return (epoch, before) == (last - 2, last - 1) and end - middle < middle - begin

    def _row(self, line: Line, f: Fields) -> Events:
        cells, at = dict(f), line.origin()
        epoch, step = as_whole(cells.pop("epoch", None)), as_whole(cells.pop("step", None))
        if epoch is None:
            return
        rate = next((name for name in _RATES if name in cells), "")
        metrics = tuple(figure(name, value) for name, value in cells.items())
        splits = tuple(map(_split, cells))
        scores = tuple(m for m, split in zip(metrics, splits, strict=True) if split)
        trained = tuple(m for m in metrics if m not in scores)
        before = self._lasts[-1][0] if self._lasts else epoch
        if epoch > before != self._ended:
            self._ended = before
            yield EpochEnd(at, before)
        is_test = not trained and "val" not in splits
        if not is_test:
            self._advance(epoch, step)  # `Trainer.test` writes the epoch that would come next
        # The figures averaged over the epoch come after the evaluation, at the same step.
        after = self._evaluated == (epoch, step)
        ended = tuple(m for m in trained if after or m.name.endswith("_epoch"))
        stepped = tuple(m for m in trained if m not in ended)
        if stepped:
            event = Iteration(at, epoch=epoch, step=step, loss=_loss(stepped), values=stepped)
            if rate:
                event = event._replace(throughput=cells[rate], unit="samples/s", scope=_RATES[rate])
            yield event
        if ended and not self._is_cut_short():
            self._ended = epoch
            yield EpochEnd(at, epoch, values=ended)
        # The loss of a validation step covers a part of an evaluation, the epoch's loss all of it.
        whole = tuple(m for m in scores if not m.name.endswith("_step"))
        if whole:
            self._evaluated = epoch, step
            self._validates |= "val" in splits
            tested = is_test and self._validates
            yield Evaluation(at, whole, epoch=epoch, step=step, after_training=tested)

    row = Statement(Row((), ","), _row, 0.3, "row")
    header = starts(
        Table(delimiter=",", columns=3, required=("epoch", "step")), 3.0, "table header"
    )


def _loss(metrics: tuple[Metric, ...]) -> float | None:
    losses = (m.value for m in metrics if "loss" in m.name)
    return next(losses, None)


@lru_cache(256)
def _split(name: str) -> str:
    """Returns `test` or `val` if a column has figures of an evaluation; empty for others."""
    kinds = frozenset(words_of(name))
    if kinds.isdisjoint(EVALUATED) or not kinds.isdisjoint(TRAINED):
        return ""
    return "test" if name.lower().startswith("test") else "val"
