"""DeePMD-kit (molecular dynamics): errors of a batch and of the validation, and the wall time.

A batch has three lines, which become an iteration and an evaluation; in version 2 it has one line,
with a time. `lcurve.out` has the same errors in a table without times.
"""

from math import isnan

from sixdim.parsers.events import Evaluation, Events, Iteration, Metric, RunEnd, RunInfo, Scope
from sixdim.parsers.grammar.shapes.figures import as_number
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line
from sixdim.parsers.text.patterns import pattern

_HEAD = pattern(r"DEEPMD (?:rank:\d{1,6}+\s++)?INFO\s++(?:deepmd\.\S++\s++)?")
"""In front of a message: a rank where there are several, and a module's name in a file."""
_VERSION_2 = "DEEPMD INFO batch {step:int} training time {time:float} s, testing time {}..."


def _batch(text: str) -> tuple[str, ...]:
    """Returns the shapes of a line of a batch; version 3.0 writes it in lower case."""
    return tuple(f"DEEPMD INFO {batch} {{step:int}}: {text}" for batch in ("Batch", "batch"))


class DeepMd(Reader):
    name = "deepmd"
    title = "DeePMD-kit"
    tried = "deepmd-kit 3.2.0"
    example = "DEEPMD INFO Batch 100: total wall time = 1.29 s, eta = 0:00:12"
    unread = "the input, the data's systems, and errors of energy and force by themselves"

    _steps: int | None = None
    _step: int | None = None
    _rate: float | None = None  # the trainer's own mean
    _rmse: tuple[Metric, ...] = ()  # the training error of the current batch
    _evaluation: Evaluation | None = None  # the evaluation after it
    _columns: tuple[str, ...] = ()  # the table's names

    record_clue = "DEEPMD "

    @staticmethod
    def record_in(text: str) -> str:
        """As `Reader.record_in`, without the rank and the name of the module."""
        found = _HEAD.match(text) if text.startswith("DEEPMD ") else None
        return text if found is None else "DEEPMD INFO " + text[found.end() :]

    @line("# step {} lr", 1.0, "header")
    def _header(self, line: Line, f: Fields) -> Events:
        self._columns = tuple(line.text.split()[1:])
        return ()

    @line("{step:int} {cells:text}", 0.0, "row")
    def _row(self, line: Line, f: Fields) -> Events:
        cells = line.text.split()
        if len(cells) != len(self._columns) or None in (numbers := [*map(as_number, cells)]):
            return
        errors = dict(zip(self._columns, numbers, strict=True))
        trained = errors.get("rmse_trn", errors.get("rmse"))
        values = () if trained is None else (Metric("rmse", trained, "", False),)
        yield Iteration(line.origin(), None, f["step"], values=values)
        tested = errors.get("rmse_val", errors.get("rmse_tst"))
        if tested is not None and not isnan(tested):  # nan: no data to compare with
            rmse = Metric("rmse", tested, "", False)
            yield Evaluation(line.origin(), (rmse,), step=f["step"])

    @line(_batch("trn: rmse = {rmse:float}, {}"), 1.0, "errors of a batch")
    def _trained(self, line: Line, f: Fields) -> Events:
        self._rmse = (Metric("rmse", f["rmse"], "", False),)
        return ()

    @line(_batch("val: rmse = {rmse:float}, {}"), 1.0, "evaluation")
    def _evaluated(self, line: Line, f: Fields) -> Events:
        rmse = Metric("rmse", f["rmse"], "", False)
        self._evaluation = Evaluation(line.origin(), (rmse,), step=f["step"])
        return ()

    @line((*_batch("total wall time = {time:float} s..."), _VERSION_2), 1.0, "iteration")
    def _progress(self, line: Line, f: Fields) -> Events:
        # The time since the line before; version 3 includes the evaluation.
        step, before = f["step"], self._step
        self._step = step
        if before is None:
            before = 0 if step == 1 else step  # a training may go on from a checkpoint
        seconds = f["time"] / (step - before) if step > before else None
        rmse, self._rmse = self._rmse, ()
        yield Iteration(line.origin(), None, step, self._steps, duration=seconds, values=rmse)
        if self._evaluation is not None:
            yield self._evaluation
            self._evaluation = None

    @line("DEEPMD INFO Start to train {steps:int} steps.", 1.0, "header")
    def _planned(self, line: Line, f: Fields) -> Events:
        self._steps = f["steps"]
        yield RunInfo(line.origin(), "steps_planned", f["steps"])

    @line("DEEPMD INFO average training time: {seconds:float} s/batch...", 0.5, "end")
    def _mean(self, line: Line, f: Fields) -> Events:
        self._rate = 1 / f["seconds"] if f["seconds"] > 0 else None
        yield self._end(line)

    @line("DEEPMD INFO wall time: {seconds:float} s", 0.5, "end")
    def _over(self, line: Line, f: Fields) -> Events:
        yield self._end(line)._replace(duration=f["seconds"])

    def _end(self, line: Line) -> RunEnd:
        return RunEnd(line.origin(), throughput=self._rate, unit="it/s", scope=Scope.JOB)
