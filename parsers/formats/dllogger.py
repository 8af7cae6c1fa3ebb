"""NVIDIA DLLogger, as text (`DLL <date> - <step> name : value unit …`) and as JSON (`DLLL {…}`).

Both use the same names. A record belongs to an iteration (`[epoch, iteration]`), an epoch
(`[epoch]`), a part of an evaluation (`[epoch, iteration, iteration of the evaluation]`, which is
not read) or the whole run (`Summary:`, `()`, or no step), or it has the parameters (`PARAMETER`).

NVIDIA's examples log a step in two lines, one for each verbosity. The throughput of the step is
that of the first line with a rate. The other line becomes an event of the same step without a
throughput, so that none counts twice.

Sources: NVIDIA/dllogger `dllogger/logger.py`; DeepLearningExamples' `logger.py` for each model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Events,
    Iteration,
    Metric,
    Origin,
    Problem,
    RunEnd,
    RunInfo,
    RunStart,
    Scope,
    Summary,
)
from sixdim.parsers.formats import dllogger_names as meaning
from sixdim.parsers.formats.closing_table import closing_table
from sixdim.parsers.formats.dllogger_cells import cells
from sixdim.parsers.formats.dllogger_evaluations import evaluations
from sixdim.parsers.formats.dllogger_names import RecordPlan, Values
from sixdim.parsers.formats.dllogger_template import RecordTemplates
from sixdim.parsers.grammar.shapes.json_record import JsonRecord
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import fact, ignored, line
from sixdim.parsers.text.lines import label
from sixdim.parsers.text.patterns import pattern

_new = tuple.__new__  # a log may be nothing but records: this takes half the time of `Origin(…)`
_RECORD = pattern(r"DLLL? (?=\d{4}-\d\d-\d\d|\{)")  # version 0.1 wrote text with DLLL, too
_BEGINS = "DLL {at:moment} - "
_TIMES = ("e2e_train_time", "train_time_total", "total_train_time")
_ACCURACIES = {"top1_accuracy": "acc1", "top5_accuracy": "acc5"}


def _record(step: str, numbers: Iterable[str] = (*meaning.RATES, *meaning.LOSSES)) -> KeyValues:
    """Returns the shape of the line of a record with this step; `numbers` must be numbers."""
    return KeyValues(
        _BEGINS + step,
        numbers={name: name for name in numbers},
        delimiter=None,
        separator=" : ",
        absent=("None",),
    )


class DLLogger(Reader):
    name = "dllogger"
    title = "NVIDIA DLLogger, text and JSON (NGC PyTorch, TensorFlow, MXNet examples)"
    own_clock = True
    example = (
        "DLL 2021-03-23 09:25:16.839221 - Epoch: 0 Iteration: 100  "
        "train.loss : 7.65124  train.total_ips : 848.12 img/s"
    )
    unread = "partial evaluations, and the rates in verbose copies of a record"

    def __init__(self) -> None:
        self._units: dict[str, str] = {}
        self._in_header = False
        self._rated: tuple[int | None, int | None, str] | None = None
        self._closing = False
        self._ended = False
        self._samples = 0
        self._masked_accuracy: float | None = None
        self._by_step = False  # steps are printed like epochs: `(10,)`
        self._templates = RecordTemplates()

    record_clue = "DLL"

    @staticmethod
    def record_in(text: str) -> str:
        """As `Reader.record_in`, for a record anywhere in the line.

        A progress bar or another rank may have written in front of it; the last record counts.
        """
        records = text.count("DLL")
        if not records or (records == 1 and text.startswith(("DLL ", "DLLL {"))):
            return text
        begin = -1
        for record in _RECORD.finditer(text):
            begin = record.end()
        if begin < 0:
            return text
        return ("DLLL " if text[begin] == "{" else "DLL ") + text[begin:]

    def read(self, line: Line) -> Events | None:
        """As `Reader.read`; warns of a line with several records, of which the last one is read.

        A template reads a record that differs from earlier ones only in its numbers: it takes a
        third of the time of the pairs, whose keys are in any order.
        """
        text = line.text
        record = self._templates.read(text) if text.startswith("DLL") else None
        if record is not None:
            time_us, epoch, step, plan, values = record
            return self._events(_origin(line, time_us), epoch, step, plan, values)
        events = super().read(line)
        if events is None or text.count("DLL") < 2 or len(_RECORD.findall(text)) < 2:
            return events
        lost = "record that is not whole: another was written into its line"
        return [Problem(line.origin(), "cut_line", lost), *events]

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`; figures of the whole run mean that the run is over."""
        over = self._closing and not self._ended
        return [*([RunEnd(at)] if over else []), *super().end(at)]

    @line(JsonRecord("DLLL ", required=("type",)), 1.0, "JSON record")
    def _json(self, line: Line, f: Fields) -> Events:
        if f["type"] == "METADATA":
            metadata = f.get("metadata")
            unit = metadata.get("unit") if isinstance(metadata, dict) else None
            if isinstance(unit, str):
                self._units[str(f.get("metric"))] = label(unit, 24)
            return ()
        data, step = f.get("data"), f.get("step")
        if not isinstance(data, dict):
            return ()
        at = _origin(line, meaning.json_clock(f) or line.time_us)
        if step == "PARAMETER":
            return self._header(at, {name: str(value) for name, value in data.items()})
        place = step if isinstance(step, list) else [None, step]
        if len(place) > 3 or not all(map(_countable, place)):
            return ()
        counts = [None if p is None else int(p) for p in place]
        self._by_step |= len(counts) == 1 and meaning.of_a_step(counts[0], data)
        data = {name: value for name, value in data.items() if type(value) in (int, float)}
        units = tuple(map(self._units.get, data, repeat("")))
        try:
            values = tuple(map(float, data.values()))
        except OverflowError:  # an integer may have any number of digits
            return ()
        plan = meaning.plan(tuple(data), units, self.names)
        if len(counts) == 3:
            return self._of_three(at, counts, plan, values)
        epoch, index = [*counts, None, None][:2]
        return self._events(at, epoch, index, plan, values)

    @line(_record("PARAMETER ", ()), 1.0, "parameters")
    def _parameters(self, line: Line, f: Fields) -> Events:
        return self._header(_origin(line, f["at"]), f["pairs"])

    @line(
        _record("Epoch: {epoch:int} Iteration: {a:int} Validation Iteration: {b:int} "),
        1.0,
        "iteration",
    )
    @line(_record("({epoch:int}, {a:int}, {b:int}) "), 1.0, "iteration")
    def _three(self, line: Line, f: Fields) -> Events:
        plan, values = meaning.planned(f["pairs"], self.names)
        return self._of_three(_origin(line, f["at"]), [f["epoch"], f["a"], f["b"]], plan, values)

    parts_of_evaluations = (
        ignored(_BEGINS + "Epoch: {:int} Iteration: {:int} Validation {}:...", 1.0, "partial"),
        ignored(_BEGINS + "Epoch: {:int} Validation {}:...", 1.0, "partial evaluation"),
    )

    @line(_record("Epoch: {epoch:int} Iteration: {step:int} "), 1.0, "iteration")
    @line(_record("({epoch:int}, {step:int}) "), 1.0, "iteration")
    @line(_record("[{epoch:int}, {step:int}] "), 1.0, "iteration")
    @line(_record("Iteration: {step:int} "), 1.0, "iteration")
    @line(_record("Training Epoch: {epoch:int} Training Iteration: {step:int} "), 1.0, "iteration")
    @line(_record("{step:int} "), 1.0, "iteration")
    def _iteration(self, line: Line, f: Fields) -> Events:
        return self._record(line, f, f.get("epoch"), f["step"])

    @line(_BEGINS + "epoch {epoch:int} | iter {step:int}/{steps:int} | {cells:text}", 1.0, "cells")
    @line(_BEGINS + "epoch {epoch:int} | {cells:text}", 1.0, "cells of an epoch")
    @line(_BEGINS + "| {cells:text}", 1.0, "summary")
    def _cells(self, line: Line, f: Fields) -> Events:
        plan, values = meaning.planned(cells(f["cells"]), self.names)
        at = _origin(line, f["at"])
        if "steps" in f and values:
            return self._step(at, f["epoch"], f["step"], plan, values, f["steps"])
        return self._events(at, f.get("epoch"), None, plan, values)

    @line(_record("Epoch: {epoch:int} "), 1.0, "epoch")
    @line((_record("({epoch:int},) "), _record("[{epoch:int}] ")), 1.0, "epoch")
    def _epoch(self, line: Line, f: Fields) -> Events:
        return self._record(line, f, f["epoch"], None)

    @line(_record("({step:int}, {:float}) "), 0.1, "iteration")
    def _fraction(self, line: Line, f: Fields) -> Events:
        """Reads what Mask R-CNN evaluates: after a step, which it prints in epochs, too."""
        return self._record(line, f, None, f["step"])

    @line((_record("Summary: "), _record("() "), _record("[] "), _record("")), 1.0, "summary")
    def _summary(self, line: Line, f: Fields) -> Events:
        return self._record(line, f, None, None)

    @line("Experiment ended", 0.2, "closing line")
    def _experiment_ended(self, line: Line, _f: Fields) -> Events:
        # Every rank prints this, and the others may before rank 0 has written its summary.
        if self._closing and not self._ended:
            self._ended = True
            yield RunEnd(line.origin())

    @line("read {files:int} files from {folders:int} directories", 0.0, "header")
    def _files(self, line: Line, f: Fields) -> Events:
        # Training and validation readers announce themselves alike: the larger one trains.
        if f["files"] > self._samples:
            self._samples = f["files"]
            yield RunInfo(line.origin(), "samples_per_epoch", f["files"])

    devices = fact("Num GPUs {devices:int}", 0.0, always=True)

    @line("masked_lm_accuracy = {accuracy:float}", 0.1, "evaluation")
    def _masked(self, line: Line, f: Fields) -> Events:
        if f["accuracy"] != self._masked_accuracy:  # logged twice, by two handlers
            self._masked_accuracy = f["accuracy"]
            yield Evaluation(line.origin(), (Metric("mlm_acc", f["accuracy"], "fraction"),))

    closing = closing_table(0.0)

    def _record(self, line: Line, f: Fields, epoch: int | None, step: int | None) -> Events:
        """Returns the events of a record in text, of which a template may be made."""
        plan, values = meaning.planned(f["pairs"], self.names)
        if step is None and epoch is not None and not self._by_step:
            self._by_step = meaning.of_a_step(epoch, f["pairs"])
        epoch, step = self._labels(epoch, step)
        if values and not meaning.of_whole_run(epoch, step, plan):
            self._templates.infer(self.record_in(line.text.strip()), epoch, step, plan)
        return self._events(_origin(line, f["at"]), epoch, step, plan, values)

    def _labels(self, epoch: int | None, step: int | None) -> tuple[int | None, int | None]:
        """Returns epoch and step of a record; some scripts print their step like an epoch."""
        return (None, epoch) if self._by_step and epoch is not None else (epoch, step)

    def _of_three(
        self, at: Origin, place: Sequence[int | None], plan: RecordPlan, values: Values
    ) -> Events:
        """Returns the events of a record with three numbers: a part of an evaluation has none.

        The training has its epoch, its step and the steps of an epoch, these two in any order.
        """
        epoch, *counts = place
        known = [count for count in counts if count is not None]
        if not plan.of_training or plan.evaluates or len(known) < len(counts):
            return ()
        return self._step(at, epoch, min(known), plan, values, max(known))

    def _events(
        self,
        at: Origin,
        epoch: int | None,
        step: int | None,
        plan: RecordPlan,
        values: Values,
    ) -> Events:
        """Yields the events of one record, whether it was text or JSON."""
        if not values:
            return ()
        self._in_header = False
        if self._by_step:
            epoch, step = self._labels(epoch, step)
        if meaning.of_whole_run(epoch, step, plan):
            return self._whole_run(at, plan, values)
        if step is not None:
            return self._step(at, epoch, step, plan, values)
        return self._epoch_end(at, epoch, plan, values)

    def _step(
        self,
        at: Origin,
        epoch: int | None,
        step: int,
        plan: RecordPlan,
        values: Values,
        steps: int | None = None,
    ) -> Events:
        """Returns the events of a record of a step, which may be an evaluation after it."""
        if plan.evaluates:
            return tuple(evaluations(at, plan, values, epoch, step)[0])
        throughput, unit, scope = self._throughput(epoch, step, plan, values)
        loss = None if plan.loss is None else values[plan.loss]
        wanted = plan.wanted
        figures = tuple([meaning.metric(figure, values) for figure in wanted]) if wanted else ()
        said = at, epoch, step, steps, throughput, unit, scope, loss, None, figures, None, None
        return (_new(Iteration, said),)

    def _epoch_end(self, at: Origin, epoch: int | None, plan: RecordPlan, values: Values) -> Events:
        evaluated, own = evaluations(at, plan, values, epoch, None)
        rate = self._throughput(epoch, None, plan, values)
        yield EpochEnd(at, epoch, *rate, values=own)
        yield from evaluated

    def _throughput(
        self, epoch: int | None, step: int | None, plan: RecordPlan, values: Values
    ) -> tuple[float | None, str, Scope]:
        """Returns the rate of a record; none if a line of the same step had a rate of another name.

        A rate of the same name for the same step is another record.
        """
        rate, rated = plan.rate, self._rated
        if rate is None:
            return None, "", Scope.UNKNOWN
        place, name, unit, _ = rate
        if rated and rated[2] != name and rated[:2] == (epoch, step):
            return None, "", Scope.UNKNOWN
        self._rated = epoch, step, name
        return values[place], unit, plan.scope

    def _whole_run(self, at: Origin, plan: RecordPlan, values: Values) -> Events:
        yield Summary(at, tuple(meaning.metric(figure, values) for figure in plan.figures))
        self._closing = True
        named = {figure.name: figure for figure in plan.figures}
        accuracies = tuple(
            Metric(canonical, values[named[name].place], named[name].unit)
            for name, canonical in _ACCURACIES.items()
            if name in named
        )
        if accuracies:
            yield Evaluation(at, accuracies)
        duration = next((named[name] for name in _TIMES if name in named), None)
        if duration is not None and not self._ended:
            self._ended = True
            yield RunEnd(at, values[duration.place])

    def _header(self, at: Origin, parameters: Mapping[str, str]) -> Events:
        if meaning.begins_run(parameters) and not self._in_header:
            self._in_header, self._closing, self._ended = True, False, False
            self._rated = None
            yield RunStart(at)
        for name, value in meaning.facts_of(parameters):
            yield RunInfo(at, name, value)


def _origin(line: Line, time_us: int | None) -> Origin:
    return _new(Origin, (line.number, line.offset, time_us, line.rank, line.host, 0))


def _countable(place: object) -> bool:
    return place is None or (isinstance(place, int | float) and abs(place) < 1e15)
