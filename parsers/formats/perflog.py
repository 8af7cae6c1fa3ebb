"""`[PerfLog] {json}` of FlagPerf, and of Iluvatar's DeepSparkHub (BERT sample, CPM, GLM, SSD).

The whole training is one epoch, so it is counted in steps. `FINISHED` has figures that the
program computed. After a resume its rates are far too high (all global steps / the seconds of the
last process). The speed is such a rate only if the log has no other and begins with the first
step. Many of FlagPerf's models evaluate without an event: then the results that `FINISHED` has are
those of the last evaluation.
"""

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Events,
    Iteration,
    Metric,
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
_FINAL = {
    "acc1": "acc1",
    "accuracy": "acc1",
    "acc": "acc1",
    "mAP": "map",
    "mlm_accuracy": "mlm_acc",
}
_FINAL |= {"map_bbox": "box", "map_segm": "mask", "auc": "auc", "ppl": "perplexity"}
"""The result that `FINISHED` has as `final_…`, by its canonical name."""
_TIMES = ("raw_train_time", "train_time")
_RATES = ("throughput(ips)_raw", "throughput(sps)_raw")
"""Of the whole training: sequences, images or tokens, as each program counts."""
_NOT_SCORES = frozenset(("global_steps", "step", "time", "epoch"))
_NOT_VALUES = frozenset(("loss", "step", "steps", "global_steps", *_SPEEDS))
_MOST_MS = 10**15


class PerfLog(Reader):
    name = "perflog"
    title = "[PerfLog] JSON lines (FlagPerf, Iluvatar DeepSparkHub)"
    own_clock = True
    example = (
        '[PerfLog] {"event": "STEP_END", "value": {"loss": 1.47, "global_steps": 3800, '
        '"seq/s": 178.98}, "metadata": {"time_ms": 1646380544503, "rank": 0}}'
    )
    unread = (
        "events other than start, step, evaluation and end; rates that FINISHED has after a resume "
        "(they are far too high)"
    )

    def __init__(self) -> None:
        self._evaluated = False
        self._first_step: int | None = None

    @line(JsonRecord("[PerfLog] ", required=("event", "value", "metadata")), 1.0, "record")
    def _record(self, line: Line, f: Fields) -> Events:
        at = _origin(line, f["metadata"])
        value = f["value"] if isinstance(f["value"], dict) else {}
        match f["event"]:
            case "STEP_END":
                return (self._step(at, value),)
            case "EVALUATION" | "EVALUATE":
                metrics = figures(value, skip=_NOT_SCORES, names=_NAMES, strip="eval_")
                step = as_whole(value.get("global_steps"))
                self._evaluated |= bool(metrics)
                return (Evaluation(at, metrics, step=step),) if metrics else ()
            case "TRAIN_BEGIN" | "TRAIN_START":
                self._evaluated, self._first_step = False, None
                return (RunStart(at),)
            case "EPOCH_END":
                return (EpochEnd(at, as_whole(value.get("epoch"))),)
            case "FINISHED":
                return self._finished(at, value)
        return ()

    @line("eval_result {}'eval_acc1': {acc1:float}, {}", 0.2, "evaluation")
    @line("Eval Acc1: {acc1:float}%", 0.2, "evaluation")
    def _printed(self, line: Line, f: Fields) -> Events:
        """Reads the evaluation of the image classifiers, which log no event of it."""
        self._evaluated = True
        return (Evaluation(line.origin(), (Metric("acc1", f["acc1"], "%"),)),)

    def _step(self, at: Origin, value: Fields) -> Iteration:
        key = next((k for k in _SPEEDS if as_number(value.get(k)) is not None), "")
        counts = (as_whole(value.get(name)) for name in ("global_steps", "step", "steps"))
        step = next((count for count in counts if count is not None), None)
        if self._first_step is None:
            self._first_step = step
        speed = as_number(value.get(key)), _SPEEDS.get(key, ""), Scope.JOB
        values = figures(self.wanted(value), skip=_NOT_VALUES, names=_NAMES)
        return Iteration(at, None, step, None, *speed, as_number(value.get("loss")), values=values)

    def _finished(self, at: Origin, value: Fields) -> Events:
        yield Summary(at, figures(value, names=_NAMES))
        final = {name: (canonical, "") for name, canonical in _FINAL.items()}
        found = figures({name: value.get(f"final_{name}") for name in final}, names=final)
        if found and not self._evaluated:
            yield Evaluation(at, found)
        if value.get("converged") is True:
            yield TargetReached(at)
        time, rate = _first(value, _TIMES), _first(value, _RATES)
        if rate is None or (self._first_step or 1) > 1:
            yield RunEnd(at, time)
        else:
            yield RunEnd(at, time, throughput=rate, unit="items/s", scope=Scope.JOB)


def _first(value: Fields, names: tuple[str, ...]) -> float | None:
    """Returns the first of some numbers that a record has; None if it has none of them."""
    numbers = (as_number(value.get(name)) for name in names)
    return next((number for number in numbers if number is not None), None)


def _origin(line: Line, metadata: object) -> Origin:
    at = line.origin()
    if isinstance(metadata, dict):
        time_ms, rank = as_whole(metadata.get("time_ms")), as_whole(metadata.get("rank"))
        if time_ms is not None and 0 < time_ms < _MOST_MS:
            at = at._replace(time_us=time_ms * 1000)
        if rank is not None and 0 <= rank < 10**6:
            at = at._replace(rank=rank)
    return at
