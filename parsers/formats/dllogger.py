"""NVIDIA DLLogger, as text (`DLL <date> - <step> name : value unit …`) and as JSON (`DLLL {…}`).

One vocabulary serves both. A step is an iteration `[epoch, iteration]`, an epoch `[epoch]`, a
part of an evaluation `[epoch, iteration, iteration of the evaluation]` (which is no
evaluation), the whole run (`Summary:`, `()`, nothing), or `PARAMETER`.

NVIDIA's examples log one step in two lines, one for each verbosity. The first line that
carries a rate makes the step's throughput; the second becomes an event of the same step that
brings its own named values and nothing else, so no record counts twice.

Sources: NVIDIA/dllogger `dllogger/logger.py`; DeepLearningExamples' `logger.py` for each model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
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
from sixdim.parsers.grammar.holes import moment, number
from sixdim.parsers.grammar.json_record import JsonRecord
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.grammar.units import rate
from sixdim.parsers.statements import closing_table
from sixdim.parsers.statements.closing_table import ClosingTable
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import IterationRecord
from sixdim.parsers.text.lines import Line, label
from sixdim.parsers.text.patterns import pattern

# What the job as a whole does, by name, the one that includes waiting for data first; with the
# unit that the name implies where the line prints none.
_RATES = {
    "train.total_ips": "img/s",
    "train.ips": "img/s",
    "total_ips": "img/s",
    "imgs_per_sec": "img/s",
    "throughput_train": "",
    "train_throughput": "",
    "training_sequences_per_second": "sequences/s",
    "train.compute_ips": "img/s",
}
_RECORD = pattern(r"DLLL? (?=\d{4}-\d\d-\d\d|\{)")  # version 0.1 wrote text with DLLL, too
_LOSSES = ("train.loss", "loss", "step_loss", "train_loss", "total_loss", "average_loss")
_EVALUATED = pattern(r"(?:val|valid|validation|eval|test)[._](.{1,60})|(.{1,60})[._](?:val|eval)")
_NOT_A_QUALITY = pattern(r"ips|time|latency|throughput|per_sec|step|samples")
_CANONICAL = {
    "top1": ("acc1", "%"),
    "top5": ("acc5", "%"),
    "top1_accuracy": ("acc1", ""),
    "top5_accuracy": ("acc5", ""),
    "mlm_accuracy": ("mlm_acc", "fraction"),
    "masked_lm_accuracy": ("mlm_acc", "fraction"),
}
_LOWER = pattern(r"(?:.*[._])?(?:loss|perplexity|ppl|wer|error|mae|mse|rmse)(?:_step)?")
_HEADER = frozenset(("arch", "model", "model_name", "Config", "config", "epochs", "num_epochs"))
_FACTS = {
    "arch": "model",
    "model": "model",
    "model_name": "model",
    "epochs": "epochs_planned",
    "num_epochs": "epochs_planned",
    "world_size": "devices",
    "num_gpus": "devices",
    "batch_size_per_gpu": "batch_per_device",
    "global_batch_size": "global_batch",
    "num_examples": "samples_per_epoch",
}
_READ = ("iteration", "epoch", "summary")
_TIMES = ("e2e_train_time", "train_time_total", "total_train_time")


# The unit, and whose rate it is where the name does not say, the reader's own code finds.
_STEP = IterationRecord(
    epoch="epoch", step="step", throughput=tuple(_RATES), scope=Scope.JOB, loss=_LOSSES, time="at"
)


class _Figure(NamedTuple):
    name: str
    value: float
    unit: str


class DLLogger(Reader):
    """Reads one log."""

    name = "dllogger"
    title = "NVIDIA DLLogger, text and JSON (NGC PyTorch, TensorFlow, MXNet examples)"
    example = (
        "DLL 2021-03-23 09:25:16.839221 - Epoch: 0 Iteration: 100  "
        "train.loss : 7.65124  train.total_ips : 848.12 img/s"
    )
    unread = "partial evaluations, and the verbose copies of a record that brought its rate before"

    def __init__(self) -> None:
        self._units: dict[str, str] = {}
        self._in_header = False
        self._rated: tuple[tuple[int | None, int | None], str] | None = None
        self._closing = False
        self._ended = False
        self._samples = 0
        self._masked_accuracy: float | None = None
        self._table = ClosingTable()

    @staticmethod
    def record_in(text: str) -> str:
        """As `Reader.record_in`, for a record that stands anywhere in the line.

        A progress bar or another rank may have written in front of it; the last record counts.
        """
        if "DLL" not in text:
            return text
        begin = -1
        for record in _RECORD.finditer(text):
            begin = record.end()
        if begin < 0:
            return text
        return ("DLLL " if text[begin] == "{" else "DLL ") + text[begin:]

    def read(self, line: Line) -> Iterable[Event] | None:
        """As `Reader.read`; of several records in a line all but the last are lost, and said."""
        events = super().read(line)
        if events is None or len(_RECORD.findall(line.text)) < 2:
            return events
        text = "record that is not whole: another was written into its line"
        return [Problem(line.origin(), "cut_line", text), *events]

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`; figures of the whole run mean that it is over."""
        over = self._closing and not self._ended
        return [*([RunEnd(at)] if over else []), *super().end(at)]

    def _text(self, line: Line, f: Fields) -> Iterator[Event]:
        at = Origin(line.number, line.offset, f["at"], line.rank, line.host)
        yield from self._record(at, _numbers(f["pairs"]), f.get("epoch"), f.get("step"))

    def _parameters(self, line: Line, f: Fields) -> Iterator[Event]:
        at = Origin(line.number, line.offset, f["at"], line.rank, line.host)
        yield from self._facts(at, f["pairs"])

    def _json(self, line: Line, f: Fields) -> Iterator[Event]:
        if f["type"] == "METADATA":
            metadata = f.get("metadata")
            unit = metadata.get("unit") if isinstance(metadata, dict) else None
            if isinstance(unit, str):
                self._units[str(f.get("metric"))] = label(unit, 24)
            return
        data, step = f.get("data"), f.get("step")
        if not isinstance(data, dict):
            return
        at = line.origin()._replace(time_us=_json_clock(f) or line.time_us)
        if step == "PARAMETER":
            yield from self._facts(at, {str(k): _text_of(v) for k, v in data.items()})
            return
        figures = [
            _Figure(_name(k), float(v), self._units.get(k, ""))
            for k, v in data.items()
            if isinstance(v, int | float) and not isinstance(v, bool)
        ]
        place = step if isinstance(step, list) else [None, step]
        if len(place) <= 2 and all(_countable(p) for p in place):
            epoch, index = (*(None if p is None else int(p) for p in place), None, None)[:2]
            yield from self._record(at, figures, epoch, index)

    def _record(
        self, at: Origin, figures: list[_Figure], epoch: int | None, step: int | None
    ) -> Iterator[Event]:
        """What one record says, whichever way it was written."""
        if not figures:
            return
        self._in_header = False
        named = {figure.name: figure for figure in figures}
        values = tuple(_metric(*figure) for figure in figures)
        if (epoch is None and step is None) or named.keys() == {"final_loss"}:
            yield from self._whole_run(at, named, values)
            return
        throughput, unit, scope = self._throughput(named, (epoch, step))
        if step is not None:
            loss = next((named[k].value for k in _LOSSES if k in named), None)
            yield Iteration(at, epoch, step, None, throughput, unit, scope, loss, values=values)
            return
        quality = [(_quality(figure.name, figure.unit), figure.value) for figure in figures]
        own = tuple(v for v, (found, _) in zip(values, quality, strict=True) if found is None)
        yield EpochEnd(at, epoch, throughput, unit, scope, values=own)
        evaluated = tuple(_metric(q[0], value, q[1]) for q, value in quality if q is not None)
        if evaluated:
            yield Evaluation(at, evaluated, epoch)

    def _throughput(
        self, named: Mapping[str, _Figure], place: tuple[int | None, int | None]
    ) -> tuple[float | None, str, Scope]:
        """The record's rate, unless an earlier line of the same step brought another one.

        The same rate again for the same step is a record of its own.
        """
        name = next((k for k in _RATES if k in named), "")
        scope = Scope.JOB if name else Scope.UNKNOWN
        if not name:
            others = (k for k, v in named.items() if rate(v.unit) and not _EVALUATED.fullmatch(k))
            name = next(others, "")
        if not name or (self._rated and self._rated[0] == place and self._rated[1] != name):
            return None, "", Scope.UNKNOWN
        self._rated = (place, name)
        return named[name].value, rate(named[name].unit) or _RATES.get(name, ""), scope

    def _whole_run(
        self, at: Origin, named: Mapping[str, _Figure], values: tuple[Metric, ...]
    ) -> Iterator[Event]:
        yield Summary(at, values)
        self._closing = True
        accuracy = tuple(
            Metric(_CANONICAL[k][0], named[k].value, named[k].unit or _CANONICAL[k][1])
            for k in ("top1_accuracy", "top5_accuracy")
            if k in named
        )
        if accuracy:
            yield Evaluation(at, accuracy)
        duration = next((named[k].value for k in _TIMES if k in named), None)
        if duration is not None and not self._ended:
            self._ended = True
            yield RunEnd(at, duration)

    def _facts(self, at: Origin, pairs: Mapping[str, str]) -> Iterator[Event]:
        if _HEADER & pairs.keys() and not self._in_header:
            self._in_header, self._closing, self._ended = True, False, False
            self._rated = None
            yield RunStart(at)
        for key, fact in _FACTS.items():
            raw = pairs.get(key, "")
            if fact == "samples_per_epoch" and pairs.get("benchmark_iters", "None") != "None":
                continue
            if fact == "model":
                if raw and raw != "None":
                    yield RunInfo(at, fact, label(raw, 60))
            elif re.fullmatch(r"[1-9]\d{0,15}", raw):
                yield RunInfo(at, fact, int(raw))
        yield from _batch(at, pairs)
        precision = _precision(pairs)
        if precision:
            yield RunInfo(at, "precision", precision)

    def _ends(self, line: Line, f: Fields) -> Iterator[Event]:
        # Every rank says so, and the others before rank 0 has written its summary.
        if self._closing and not self._ended:
            self._ended = True
            yield RunEnd(line.origin())

    def _files(self, line: Line, f: Fields) -> Iterator[Event]:
        # Training and validation readers announce themselves alike: the larger one trains.
        if f["files"] > self._samples:
            self._samples = f["files"]
            yield RunInfo(line.origin(), "samples_per_epoch", f["files"])

    def _devices(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "devices", f["devices"])

    def _masked(self, line: Line, f: Fields) -> Iterator[Event]:
        if f["accuracy"] != self._masked_accuracy:  # logged twice, by two handlers
            self._masked_accuracy = f["accuracy"]
            yield Evaluation(line.origin(), (Metric("mlm_acc", f["accuracy"], "fraction"),))

    def _table_name(self, line: Line, f: Fields) -> Iterator[Event]:
        return self._table.name(line, f)

    def _table_head(self, line: Line, f: Fields) -> Iterator[Event]:
        return self._table.head(line, f)

    def _table_row(self, line: Line, f: Fields) -> Iterator[Event]:
        return self._table.row(line, f)

    statements = (
        Statement(JsonRecord("DLLL ", required=("type",)), _json, 1.0, "JSON record"),
        *(
            Statement(
                KeyValues(
                    "DLL {at:moment} - " + step,
                    numbers={name: name for name in (*_RATES, *_LOSSES)} if what in _READ else {},
                    delimiter=None,
                    separator=" : ",
                    absent=("None",),
                ),
                emit,
                1.0,
                what,
            )
            for step, emit, what in (
                ("PARAMETER ", _parameters, "parameters"),
                (
                    "Epoch: {epoch:int} Iteration: {step:int} Validation {}:",
                    Reader.quiet,
                    "partial",
                ),
                ("Epoch: {epoch:int} Validation {}:", Reader.quiet, "partial evaluation"),
                ("Epoch: {epoch:int} Iteration: {step:int} ", _text, "iteration"),
                ("Epoch: {epoch:int} ", _text, "epoch"),
                (
                    "Training Epoch: {epoch:int} Training Iteration: {step:int} ",
                    _text,
                    "iteration",
                ),
                ("Iteration: {step:int} ", _text, "iteration"),
                ("({epoch:int}, {step:int}, {:int}) ", Reader.quiet, "partial evaluation"),
                ("({epoch:int}, {step:int}) ", _text, "iteration"),
                ("[{epoch:int}, {step:int}] ", _text, "iteration"),
                ("({epoch:int},) ", _text, "epoch"),
                ("[{epoch:int}] ", _text, "epoch"),
                ("{step:int} ", _text, "iteration"),
                ("Summary: ", _text, "summary"),
                ("() ", _text, "summary"),
                ("[] ", _text, "summary"),
                ("", _text, "summary"),
            )
        ),
        Statement(Skeleton("Experiment ended"), _ends, 0.2, "closing line"),
        Statement(
            Skeleton("read {files:int} files from {folders:int} directories"), _files, 0.0, "header"
        ),
        Statement(Skeleton("Num GPUs {devices:int}"), _devices, 0.0, "header"),
        Statement(Skeleton("masked_lm_accuracy = {accuracy:float}"), _masked, 0.1, "evaluation"),
        Statement(closing_table.NAME, _table_name, 0.0, "closing table"),
        Statement(closing_table.HEAD, _table_head, 0.0, "closing table"),
        Statement(closing_table.ROW, _table_row, 0.0, "closing table"),
    )


def _numbers(pairs: Mapping[str, str]) -> list[_Figure]:
    """The figures of `name : value unit` pairs; `None` and words are none."""
    figures = []
    for name, text in pairs.items():
        raw, _, rest = text.partition(" ")
        try:
            value = number(raw)
        except ValueError:
            continue
        figures.append(_Figure(_name(name), value, _unit(rest)))
    return figures


# A log repeats its few names in every record: what follows from a name is worked out once.


@lru_cache(1024)
def _name(text: str) -> str:
    return label(text, 80)


@lru_cache(1024)
def _unit(text: str) -> str:
    unit = text.strip()
    # Another program's words may have run into the end of the line: no unit then.
    known = unit != "None" and re.fullmatch(r"[A-Za-z%_/.^0-9-]{1,24}", unit)
    return unit if known else ""


@lru_cache(1024)
def _quality(name: str, unit: str) -> tuple[str, str] | None:
    """Name and unit of the evaluation's figure; None for what is not one."""
    found = _EVALUATED.fullmatch(name)
    if not found or _NOT_A_QUALITY.search(name) or rate(unit):
        return None
    own = found[1] or found[2]
    known, usual = _CANONICAL.get(own, (own, ""))
    return known, unit or usual


@lru_cache(1024)
def _higher_is_better(name: str) -> bool:
    return not _LOWER.fullmatch(name)


def _metric(name: str, value: float, unit: str) -> Metric:
    return Metric(name, value, unit, _higher_is_better(name))


def _batch(at: Origin, pairs: Mapping[str, str]) -> Iterator[RunInfo]:
    raw = pairs.get("batch_size", "")
    gpus = pairs.get("gpus", "")
    listed = re.fullmatch(r"\[[\d, ]{1,400}\]", gpus) is not None
    if listed:
        yield RunInfo(at, "devices", gpus.count(",") + 1)
    if "arch" in pairs and re.fullmatch(r"[1-9]\d{0,8}", raw):
        # Of the image classifiers, MXNet's script splits its batch over the devices, the
        # others give the device's own.
        whose = "global_batch" if "kv_store" in pairs else "batch_per_device"
        yield RunInfo(at, whose, int(raw))


def _precision(pairs: Mapping[str, str]) -> str:
    flags = dict(re.findall(r"\b(amp|fp16|bf16|use_tf_amp)=(True|False)", pairs.get("Config", "")))
    flags |= {k: pairs[k] for k in ("amp", "fp16", "bf16", "use_tf_amp") if k in pairs}
    dtype = pairs.get("dtype", pairs.get("precision", ""))
    if dtype in ("float16", "fp16", "float32", "fp32", "bfloat16", "bf16", "tf32"):
        name = dtype.replace("bfloat", "bf").replace("float", "fp")
        return "amp" if name == "fp32" and flags.get("amp") in ("True", "true") else name
    on = [k for k, v in flags.items() if v in ("True", "true")]
    if on:
        return "amp" if "amp" in on or "use_tf_amp" in on else on[0]
    return "fp32" if flags else ""


def _text_of(value: Any) -> str:
    return str(value)[:20_000]


def _countable(place: object) -> bool:
    return place is None or (isinstance(place, int | float) and abs(place) < 1e15)


def _json_clock(record: Fields) -> int | None:
    for key in ("datetime", "timestamp"):
        text = record.get(key)
        if not isinstance(text, str):
            continue
        try:
            return moment(text) if key == "datetime" else round(float(text) * 1_000_000)
        except (ValueError, OverflowError):
            continue
    return None
