"""NVIDIA DLLogger, as text (`DLL <date> - <step> name : value unit …`) and as JSON (`DLLL {…}`).

Both use the same names. A record belongs to an iteration (`[epoch, iteration]`), an epoch
(`[epoch]`), a part of an evaluation (`[epoch, iteration, iteration of the evaluation]`, which is
not read) or the whole run (`Summary:`, `()`, or no step), or it has the parameters (`PARAMETER`).

NVIDIA's examples log a step in two lines, one for each verbosity. The throughput of the step is
that of the first line with a rate. The other line becomes an event of the same step without a
throughput, so that none counts twice.

Sources: NVIDIA/dllogger `dllogger/logger.py`; DeepLearningExamples' `logger.py` for each model.
"""

from collections.abc import Iterable
from itertools import repeat

from sixdim.parsers.events import (
    Evaluation,
    Event,
    Events,
    Metric,
    Origin,
    Problem,
    RunEnd,
    RunInfo,
)
from sixdim.parsers.formats import dllogger_names as meaning
from sixdim.parsers.formats.closing_table import closing_table
from sixdim.parsers.formats.dllogger_cells import cells
from sixdim.parsers.formats.dllogger_events import RecordEvents
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
        self._records = RecordEvents()
        self._samples = 0
        self._masked_accuracy: float | None = None
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
            return self._records.events(_origin(line, time_us), epoch, step, plan, values)
        events = super().read(line)
        if events is None or text.count("DLL") < 2 or len(_RECORD.findall(text)) < 2:
            return events
        lost = "record that is not whole: another was written into its line"
        return [Problem(line.origin(), "cut_line", lost), *events]

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`; figures of the whole run mean that the run is over."""
        over = self._records.closing and not self._records.ended
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
            return self._records.header(at, {name: str(value) for name, value in data.items()})
        place = step if isinstance(step, list) else [None, step]
        if len(place) > 3 or not all(map(_countable, place)):
            return ()
        counts = [None if p is None else int(p) for p in place]
        self._records.by_step |= len(counts) == 1 and meaning.of_a_step(counts[0], data)
        data = {name: value for name, value in data.items() if type(value) in (int, float)}
        units = tuple(map(self._units.get, data, repeat("")))
        try:
            values = tuple(map(float, data.values()))
        except OverflowError:  # an integer may have any number of digits
            return ()
        plan = meaning.plan(tuple(data), units, self.names)
        if len(counts) == 3:
            return self._records.of_three(at, counts, plan, values)
        epoch, index = [*counts, None, None][:2]
        return self._records.events(at, epoch, index, plan, values)

    @line(_record("PARAMETER ", ()), 1.0, "parameters")
    def _parameters(self, line: Line, f: Fields) -> Events:
        return self._records.header(_origin(line, f["at"]), f["pairs"])

    @line(
        _record("Epoch: {epoch:int} Iteration: {a:int} Validation Iteration: {b:int} "),
        1.0,
        "iteration",
    )
    @line(_record("({epoch:int}, {a:int}, {b:int}) "), 1.0, "iteration")
    def _three(self, line: Line, f: Fields) -> Events:
        plan, values = meaning.planned(f["pairs"], self.names)
        return self._records.of_three(
            _origin(line, f["at"]), [f["epoch"], f["a"], f["b"]], plan, values
        )

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
            return self._records.step(at, f["epoch"], f["step"], plan, values, f["steps"])
        return self._records.events(at, f.get("epoch"), None, plan, values)

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
        if self._records.closing and not self._records.ended:
            self._records.ended = True
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
        if step is None and epoch is not None and not self._records.by_step:
            self._records.by_step = meaning.of_a_step(epoch, f["pairs"])
        epoch, step = self._records.labels(epoch, step)
        if values and not meaning.of_whole_run(epoch, step, plan):
            self._templates.infer(self.record_in(line.text.strip()), epoch, step, plan)
        return self._records.events(_origin(line, f["at"]), epoch, step, plan, values)


def _origin(line: Line, time_us: int | None) -> Origin:
    return _new(Origin, (line.number, line.offset, time_us, line.rank, line.host, 0))


def _countable(place: object) -> bool:
    return place is None or (isinstance(place, int | float) and abs(place) < 1e15)
