"""Chainer's extensions: LogReport's indented JSON, PrintReport's table, and ProgressBar.

All count an epoch when it is over, from 1. If figures are reported at a fixed interval of
iterations, several reports name the same number of epochs.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Iteration, Metric, Origin, RunInfo
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole, figure
from sixdim.parsers.grammar.shapes.table import Table
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import ignored, line
from sixdim.parsers.text.patterns import pattern

_POSITION = frozenset({"epoch", "iteration", "elapsed_time", "lr"})
_LEAST_WIDTH = 10
_CELL = pattern(r"\S+")
_TESTED = pattern(r"validation/(?:main/)?")
_NAMES = {"main/loss": "loss", "main/accuracy": "acc1", "accuracy": "acc1"}


class Chainer(Reader):
    name = "chainer"
    title = "Chainer (LogReport, PrintReport, ProgressBar)"
    tried = "chainer 7.8.1"
    example = "epoch       iteration   main/loss   validation/main/loss  elapsed_time"
    unread = "the batch (the speed is it/s), reports of observers other than the evaluator"

    def __init__(self) -> None:
        self._columns: dict[int, str] = {}  # names by the index at which each begins
        self._entry: dict[str, object] = {}
        self._epoch = 0  # epochs that were over at the last report
        self._iteration: int | None = 0
        self._passed: float | None = 0.0  # seconds of the training at the last end of an epoch
        self._report = 0, 0.0  # iterations and seconds of the training at the last report
        self._reports_inside = False  # a report inside an epoch has timed its iterations
        self._bar: tuple[int, int] | None = None  # iterations and epochs on the progress bar
        self._share = 0.0  # finished share of the current epoch, by the bar `this epoch`
        self._steps: float | None = None  # iterations per epoch, by the bars
        self._planned: int | None = None

    @line(Table(delimiter=None, columns=2, required=("epoch", "main/loss")), 1.0, "header")
    @line(Table(delimiter=None, columns=3, required=("epoch", "elapsed_time")), 1.0, "header")
    def _header(self, line: Line, f: Fields) -> Events:
        place = 0
        self._columns = {}
        for name in f["cells"]:
            self._columns[place] = name
            place += max(_LEAST_WIDTH, len(name)) + 2
        return ()

    @line("{iteration:int} iter, {epoch:int} epoch / {total:int} {unit:word}", 1.0, "progress")
    def _progress(self, line: Line, f: Fields) -> Events:
        if f["unit"] == "epochs" and f["total"] != self._planned:
            self._planned = f["total"]
            yield RunInfo(line.origin(), "epochs_planned", f["total"])
        self._bar = f["iteration"], f["epoch"]
        epochs = f["epoch"] + self._share
        self._steps = f["iteration"] / epochs if epochs > 0 else None

    @line("{rate:float} iters/sec. Estimated time to finish: {}", 1.0, "rate")
    def _rate(self, line: Line, f: Fields) -> Events:
        # The rate is a mean over up to 100 bars, with the evaluations between them.
        if self._bar is None or self._bar[1] == self._planned or self._reports_inside:
            return
        seconds = 1 / f["rate"] if 0 < f["rate"] < inf else None
        yield Iteration(line.origin(), self._bar[1] + 1, self._bar[0], duration=seconds)

    total = ignored("total [{}] {}%", 0.2, "bar")

    @line("this epoch [{}] {percent:float}%", 0.5, "bar")
    def _share_of(self, line: Line, f: Fields) -> Events:
        self._share = f["percent"] / 100
        return ()

    @line('"elapsed_time": {value:float}...', 0.5, "pair")
    @line('"main/loss": {value:float}...', 0.5, "pair")
    @line('"iteration": {value:int}...', 0.1, "pair")
    @line('"{key:until}": {value:float}...', 0.0, "pair")
    def _pair(self, line: Line, f: Fields) -> Events:
        key = line.text.split('"', 2)[1]
        self._entry[key] = f["value"]
        return ()

    @line("{", 0.0, "report")
    def _report_begins(self, line: Line, f: Fields) -> Events:
        self._entry = {}
        return ()

    @line("}...", 0.0, "report")
    def _report_ends(self, line: Line, f: Fields) -> Events:
        entry, self._entry = self._entry, {}
        return self._events(line.origin(), entry)

    @line("{first:float}...", 0.0, "row")
    def _row(self, line: Line, f: Fields) -> Events:
        text = line.text
        indent = len(text) - len(text.lstrip())
        cells = {cell.start() - indent: cell[0] for cell in _CELL.finditer(text)}
        if not self._columns or not cells.keys() <= self._columns.keys():
            return ()
        return self._events(line.origin(), {self._columns[at]: c for at, c in cells.items()})

    def _events(self, at: Origin, entry: Mapping[str, object]) -> Events:
        """Yields the events of one report."""
        epoch, iteration = as_whole(entry.get("epoch")), as_whole(entry.get("iteration"))
        if epoch is None:
            return
        if epoch < self._epoch:  # another training's report
            self._epoch, self._iteration, self._passed = 0, 0, 0.0
            self._reports_inside = False
        trained, tested = _metrics(entry, tested=False), _metrics(entry, tested=True)
        midway = epoch == self._epoch
        passed = as_number(entry.get("elapsed_time"))
        pace = self._pace(iteration, passed)
        if midway:
            loss = next((m.value for m in trained if m.name == "loss"), None)
            self._reports_inside |= pace is not None
            pace = None if tested else pace  # the time includes the evaluation
            yield Iteration(at, epoch + 1, iteration, loss=loss, duration=pace, values=trained)
            self._passed = None  # the next report that ends an epoch comes after it
        else:
            yield self._epoch_end(at, epoch, iteration, passed, trained)
        self._epoch = epoch
        if tested:
            yield Evaluation(at, tested, epoch + midway, midway=midway)

    def _pace(self, iteration: int | None, passed: float | None) -> float | None:
        """Returns seconds/iteration since the last report; None if a report lacks the numbers."""
        if iteration is None or passed is None:
            return None
        (last, since), self._report = self._report, (iteration, passed)
        iterations, seconds = iteration - last, passed - since
        return seconds / iterations if iterations > 0 and seconds > 0 else None

    def _epoch_end(
        self,
        at: Origin,
        epoch: int,
        iteration: int | None,
        passed: float | None,
        values: tuple[Metric, ...],
    ) -> EpochEnd:
        """Returns an epoch's end, with its time if each report ends an epoch."""
        seconds = pace = None
        is_next = epoch == self._epoch + 1 and not self._reports_inside
        if is_next and passed is not None and self._passed is not None:
            seconds = passed - self._passed
        if seconds and iteration and self._iteration is not None and self._bar is None:
            pace = seconds / max(iteration - self._iteration, 1)
        elif seconds and self._steps:
            # The rate on a bar is a mean over many earlier iterations, not the rate of an epoch.
            pace = seconds / self._steps
        self._iteration, self._passed = iteration, passed
        return EpochEnd(at, epoch, epoch_time=seconds, iteration_time=pace, values=values)


def _metrics(entry: Mapping[str, object], *, tested: bool) -> tuple[Metric, ...]:
    """Returns the figures of the evaluator if `tested`, else those of the training."""
    metrics = []
    for key, printed in entry.items():
        value, prefix = as_number(printed), _TESTED.match(key)
        if value is None or key in _POSITION or (prefix is not None) != tested:
            continue
        name = f"main/{key[prefix.end() :]}" if prefix else key
        metrics.append(figure(_NAMES.get(name, name), value))
    return tuple(metrics)
