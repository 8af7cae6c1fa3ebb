"""Caffe: the solver's lines behind glog's prefix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sixdim.parsers.events import Evaluation, Event, Metric, Origin, RunEnd, RunInfo, RunStart
from sixdim.parsers.grammar.figures import lower_is_better
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import Gauge, IterationRecord
from sixdim.parsers.statements.rows import progress
from sixdim.parsers.text.lines import Line, label

_CANONICAL = {
    "accuracy": "acc1",
    "accuracy/top1": "acc1",
    "accuracy/top-1": "acc1",
    "accuracy@1": "acc1",
    "acc/top-1": "acc1",
    "accuracy/top5": "acc5",
    "accuracy/top-5": "acc5",
    "accuracy@5": "acc5",
    "acc/top-5": "acc5",
    "accuracy_5": "acc5",
    "detection_eval": "map",
}
_RECORD = IterationRecord(
    step="step",
    loss=("loss",),
    per_second="speed",
    figures=(Gauge("speed", "iter/s", "it/s"),),
)


class Caffe(Reader):
    """Reads one log. The outputs of one test follow one another and make one evaluation."""

    name = "caffe"
    title = "Caffe (solver log)"
    example = "Iteration 100 (6.71141 iter/s, 14.9s/100 iters), loss = 2.30312"
    unread = (
        "the training net's outputs, the learning rate, the net's description and with it the "
        "batch (so the speed is it/s)"
    )

    def __init__(self) -> None:
        self._testing: int | None = None
        self._tested_at: Origin | None = None
        self._tested: tuple[Metric, ...] = ()

    def read(self, line: Line) -> Iterable[Event] | None:
        """As `Reader.read`; the outputs of a test are gathered until another line comes."""
        tested = self._tested_at
        known = self.recognise(line)
        events = self.respond(line, known)
        if tested is None:
            return events
        inside = known is not None and known[0].what == "test output"
        return events if inside else [*self._release(), *(events or ())]

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`, with the test that the log ended in."""
        return [*self._release(), *super().end(at)]

    def _release(self) -> list[Event]:
        """The test before."""
        at, tested = self._tested_at, self._tested
        self._tested_at, self._tested = None, ()
        return [] if at is None else [Evaluation(at, tested, step=self._testing)]

    def _test(self, line: Line, f: Fields) -> Iterator[Event]:
        self._testing = f["step"]
        return iter(())

    def _output(self, line: Line, f: Fields) -> Iterator[Event]:
        name = _CANONICAL.get(f["name"].lower(), label(f["name"], 40))
        unit = "fraction" if name in ("acc1", "acc5", "map") else ""
        metric = Metric(name, f["value"], unit, not lower_is_better(name))
        self._tested = (*self._tested[:63], metric)
        self._tested_at = self._tested_at or line.origin()
        return iter(())

    def _planned(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "model", f["model"].strip("'\""))

    def _start(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunStart(line.origin())

    def _end(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunEnd(line.origin())

    statements = (
        progress(
            Skeleton("Iteration {step:int} ({speed:float} iter/s, {}), loss = {loss:float}"),
            _RECORD,
            1.0,
        ),
        progress(  # NVIDIA's fork says the epoch as well
            Skeleton("Iteration {step:int} ({speed:float} iter/s, {}), {}ep, loss = {loss:float}"),
            _RECORD,
            1.0,
        ),
        progress(Skeleton("Iteration {step:int}, loss = {loss:float}"), _RECORD, 0.6),
        Statement(Skeleton("Iteration {step:int}, Testing net {}..."), _test, 1.0, "test"),
        Statement(
            Skeleton("Test net output #{index:int}: {name:word} = {value:float} {}..."),
            _output,
            1.0,
            "test output",
        ),
        Statement(
            Skeleton("Test net output #{index:int}: {name:word} = {value:float}"),
            _output,
            1.0,
            "test output",
        ),
        Statement(Skeleton("Train net output #{}..."), Reader.quiet, 0.5, "training output"),
        Statement(
            Skeleton("Iteration {step:int}, lr = {lr:float}"), Reader.quiet, 0.5, "learning rate"
        ),
        Statement(Skeleton("Solving {model:word}"), _planned, 0.2, "header"),
        Statement(Skeleton("Starting Optimization"), _start, 0.3, "header"),
        Statement(Skeleton("Optimization Done."), _end, 0.5, "end"),
    )
