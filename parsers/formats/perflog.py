"""Iluvatar's `[PerfLog] {json}` (DeepSparkHub: BERT sample, CPM, GLM, SSD).

The whole training is one epoch there, so it is counted in steps. `FINISHED` repeats what the
log computed about itself; after a resume its sequences per second are far too high (global
steps over this process's seconds), so they are a summary and never a speed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Iteration,
    Origin,
    RunEnd,
    RunStart,
    Scope,
    Summary,
    TargetReached,
)
from sixdim.parsers.grammar.figures import as_number, as_whole, figures
from sixdim.parsers.grammar.json_record import JsonRecord
from sixdim.parsers.grammar.shape import Fields
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import IterationRecord, first
from sixdim.parsers.text.lines import Line

_SPEEDS = {
    "seq/s": "sequences/s",
    "avg_samples/s": "samples/s",
    "samples/s": "samples/s",
    "tokens/s": "tokens/s",
}
_NAMES = {
    "eval_mlm_accuracy": ("mlm_acc", "fraction"),
    "final_mlm_accuracy": ("final_mlm_accuracy", "fraction"),
    "eval_embedding_average": ("embedding_average", "fraction"),
    "eval_loss": ("loss", ""),
    "mlm_acc": ("mlm_acc", "fraction"),
    "e2e_time": ("e2e_time", "s"),
    "raw_train_time": ("raw_train_time", "s"),
    "init_time": ("init_time", "s"),
    "training_sequences_per_second": ("training_sequences_per_second", "sequences/s"),
    "training_samples_per_second": ("training_samples_per_second", "samples/s"),
}
_NOT_SCORES = frozenset(("global_steps", "step", "time", "epoch"))
_NOT_VALUES = frozenset(("loss", "step", "global_steps", *_SPEEDS))
_MOST_MS = 10**15


def _shape(*required: str) -> JsonRecord:
    keys = ("event", "value", "metadata", *required)
    return JsonRecord("[PerfLog] ", required=keys, inner=("value", "metadata"))


def _unit(fields: Fields) -> str:
    return _SPEEDS[first(_RATES, fields).removeprefix("value.")]


_RATES = tuple(f"value.{key}" for key in _SPEEDS)
_STEP = IterationRecord(
    step="value.global_steps",
    throughput=_RATES,
    unit=_unit,
    scope=Scope.JOB,
    loss=("value.loss",),
    time_ms="metadata.time_ms",
)


class PerfLog(Reader):
    """Reads one log."""

    name = "perflog"
    title = "[PerfLog] JSON lines (Iluvatar DeepSparkHub)"
    example = (
        '[PerfLog] {"event": "STEP_END", "value": {"loss": 1.47, "global_steps": 3800, '
        '"seq/s": 178.98}, "metadata": {"time_ms": 1646380544503, "rank": 0}}'
    )
    unread = (
        "events other than start, step, evaluation and end; the sequences per second that "
        "FINISHED repeats (after a resume they are far too high)"
    )

    def _record(self, line: Line, f: Fields) -> Iterator[Event]:
        at, value = _origin(line, f["metadata"]), f["value"]
        emit = self._events.get(f["event"]) if isinstance(f["event"], str) else None
        if emit is not None:
            yield from emit(self, at, value if isinstance(value, dict) else {})

    def _step(self, at: Origin, value: Fields) -> Iterator[Event]:
        key = next((k for k in _SPEEDS if as_number(value.get(k)) is not None), None)
        yield Iteration(
            at,
            epoch=None,
            step=as_whole(value.get("global_steps", value.get("step"))),
            throughput=as_number(value[key]) if key else None,
            unit=_SPEEDS[key] if key else "",
            scope=Scope.JOB if key else Scope.UNKNOWN,
            loss=as_number(value.get("loss")),
            values=figures(value, skip=_NOT_VALUES, names=_NAMES),
        )

    def _evaluation(self, at: Origin, value: Fields) -> Iterator[Event]:
        metrics = figures(value, skip=_NOT_SCORES, names=_NAMES, strip="eval_")
        if metrics:
            yield Evaluation(at, metrics, step=as_whole(value.get("global_steps")))

    def _start(self, at: Origin, value: Fields) -> Iterator[Event]:
        yield RunStart(at)

    def _epoch(self, at: Origin, value: Fields) -> Iterator[Event]:
        yield EpochEnd(at, as_whole(value.get("epoch")))

    def _finished(self, at: Origin, value: Fields) -> Iterator[Event]:
        yield Summary(at, figures(value, names=_NAMES))
        if value.get("converged") is True:
            yield TargetReached(at)
        yield RunEnd(at, as_number(value.get("raw_train_time")))

    _events: ClassVar[dict[str, Callable[..., Iterator[Event]]]] = {
        "STEP_END": _step,
        "EVALUATION": _evaluation,
        "TRAIN_BEGIN": _start,
        "EPOCH_END": _epoch,
        "FINISHED": _finished,
    }
    statements = (
        Statement(_shape("value.global_steps"), _record, 1.0, "record"),
        Statement(_shape(), _record, 1.0, "record"),
    )


def _origin(line: Line, metadata: object) -> Origin:
    at = line.origin()
    if isinstance(metadata, dict):
        time_ms, rank = as_whole(metadata.get("time_ms")), as_whole(metadata.get("rank"))
        if time_ms is not None and 0 < time_ms < _MOST_MS:
            at = at._replace(time_us=time_ms * 1000)
        if rank is not None and 0 <= rank < 10**6:
            at = at._replace(rank=rank)
    return at
