"""Iluvatar's `[PerfLog] {json}` (DeepSparkHub: BERT sample, CPM, GLM, SSD).

The whole training is one epoch, so it is counted in steps. `FINISHED` has figures that the
program computed. After a resume its sequences per second are far too high (all global steps / the
seconds of the last process), so they are a summary and never the speed.
"""

from __future__ import annotations

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Events,
    Iteration,
    Origin,
    RunEnd,
    RunStart,
    Scope,
    Summary,
    TargetReached,
)
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole, figures
from sixdim.parsers.grammar.shapes.json_record import JsonRecord
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line

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


class PerfLog(Reader):
    name = "perflog"
    title = "[PerfLog] JSON lines (Iluvatar DeepSparkHub)"
    own_clock = True
    example = (
        '[PerfLog] {"event": "STEP_END", "value": {"loss": 1.47, "global_steps": 3800, '
        '"seq/s": 178.98}, "metadata": {"time_ms": 1646380544503, "rank": 0}}'
    )
    unread = (
        "events other than start, step, evaluation and end; the sequences per second that "
        "FINISHED repeats (after a resume they are far too high)"
    )

    @line(JsonRecord("[PerfLog] ", required=("event", "value", "metadata")), 1.0, "record")
    def _record(self, line: Line, f: Fields) -> Events:
        at = _origin(line, f["metadata"])
        value = f["value"] if isinstance(f["value"], dict) else {}
        match f["event"]:
            case "STEP_END":
                return (self._step(at, value),)
            case "EVALUATION":
                metrics = figures(value, skip=_NOT_SCORES, names=_NAMES, strip="eval_")
                step = as_whole(value.get("global_steps"))
                return (Evaluation(at, metrics, step=step),) if metrics else ()
            case "TRAIN_BEGIN":
                return (RunStart(at),)
            case "EPOCH_END":
                return (EpochEnd(at, as_whole(value.get("epoch"))),)
            case "FINISHED":
                return self._finished(at, value)
        return ()

    def _step(self, at: Origin, value: Fields) -> Iteration:
        key = next((k for k in _SPEEDS if as_number(value.get(k)) is not None), "")
        step = as_whole(value.get("global_steps", value.get("step")))
        speed = as_number(value.get(key)), _SPEEDS.get(key, ""), Scope.JOB
        values = figures(self.wanted(value), skip=_NOT_VALUES, names=_NAMES)
        return Iteration(at, None, step, None, *speed, as_number(value.get("loss")), values=values)

    def _finished(self, at: Origin, value: Fields) -> Events:
        yield Summary(at, figures(value, names=_NAMES))
        if value.get("converged") is True:
            yield TargetReached(at)
        yield RunEnd(at, as_number(value.get("raw_train_time")))


def _origin(line: Line, metadata: object) -> Origin:
    at = line.origin()
    if isinstance(metadata, dict):
        time_ms, rank = as_whole(metadata.get("time_ms")), as_whole(metadata.get("rank"))
        if time_ms is not None and 0 < time_ms < _MOST_MS:
            at = at._replace(time_us=time_ms * 1000)
        if rank is not None and 0 <= rank < 10**6:
            at = at._replace(rank=rank)
    return at
