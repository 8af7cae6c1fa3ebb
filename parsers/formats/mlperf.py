"""MLPerf training records: `:::MLLOG {…}`, and the spellings of v0.6 and v0.5.

The records stand among a framework's own lines, which this format leaves alone: in MLPerf the
measure is the time from `run_start` to `run_stop`, and these lines are what it is judged by.
As in the official parser the last record of a line counts, whatever stands before it.

Sources: mlcommons/logging `mlperf_logging/mllog` and `compliance_checker/mlp_parser`; quality
targets: mlcommons/training_policies `training_rules.adoc`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, TypeAlias

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Iteration,
    Metric,
    Origin,
    RunEnd,
    RunInfo,
    RunStart,
    Scope,
    Summary,
    TargetReached,
)
from sixdim.parsers.grammar.holes import number
from sixdim.parsers.grammar.json_record import JsonRecord
from sixdim.parsers.grammar.pairs import figure
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.text.lines import Line, label
from sixdim.parsers.text.patterns import pattern

Say: TypeAlias = Callable[["MLPerf", Origin, Any, Mapping[str, Any]], Iterator[Event]]

# What a benchmark's `eval_accuracy` is: name, unit, whether higher is better.
_QUALITY: Mapping[str, tuple[str, str, bool]] = {
    "resnet": ("acc1", "fraction", True),
    "bert": ("mlm_acc", "fraction", True),
    "ssd": ("map", "fraction", True),
    "retinanet": ("map", "fraction", True),
    "dlrm": ("auc", "fraction", True),
    "dlrm_dcnv2": ("auc", "fraction", True),
    "transformer": ("bleu", "", True),
    "gnmt": ("bleu", "", True),
    "minigo": ("win_rate", "fraction", True),
    "unet3d": ("dice", "fraction", True),
    "rnnt": ("wer", "fraction", False),
    "gpt3": ("log_perplexity", "", False),
    "llama31_405b": ("log_perplexity", "", False),
    "llama31_8b": ("log_perplexity", "", False),
    "llama2_70b_lora": ("loss", "", False),
    "flux1": ("loss", "", False),
}
_PARTS = {"BBOX": "box", "SEGM": "mask", "DET": "box"}
# The rules' targets, where they were the same in every round since v0.6. v0.5 prints its own.
_TARGETS = {
    "resnet": "acc1>=0.759",
    "maskrcnn": "box>=0.377,mask>=0.339",
    "retinanet": "map>=0.34",
    "dlrm": "auc>=0.8025",
    "dlrm_dcnv2": "auc>=0.80275",
    "minigo": "win_rate>=0.5",
    "unet3d": "dice>=0.908",
    "rnnt": "wer<=0.058",
    "llama2_70b_lora": "loss<=0.925",
}
# Where submissions put something else under `train_samples`: all samples seen, or batches.
_OTHER_SAMPLES = frozenset(("bert", "retinanet", "ssd"))
_RATES = ("throughput", "imgs_sec", "seq/sec")
_STATUS = {"success": "finished", "aborted": "aborted"}
_EVALUATION = JsonRecord(":::MLLOG", required=("key",), inner=("metadata",))
_EVALUATED = "eval_accuracy"
_STEPS = ("step_num", "samples_count")
_WHOLE = pattern(r"[1-9]\d{0,17}")


class MLPerf(Reader):
    """Reads one log."""

    name = "mlperf"
    title = "MLPerf training records (:::MLLOG, :::MLL, :::MLPv0.5.0) in any framework's log"
    example = (
        ':::MLLOG {"namespace": "", "time_ms": 1592669281196, "event_type": "POINT_IN_TIME", '
        '"key": "eval_accuracy", "value": 0.04408, "metadata": {"epoch_num": 1}}'
    )
    unread = (
        "hyperparameters and submission metadata but for benchmark, batch, samples and target; "
        "times of single steps"
    )
    standing = 1

    def __init__(self) -> None:
        self._benchmark = ""
        self._state = "idle"
        self._start_us: int | None = None
        self._epoch: int | None = None
        self._epoch_us: int | None = None
        self._rated = False
        self._rate: float | None = None
        self._target = ""

    @staticmethod
    def record_in(text: str) -> str:
        """As `Reader.record_in`: the last record of the line."""
        begin = max(text.rfind(":::MLP"), text.rfind(":::MLL"))
        return text[begin:] if begin > 0 else text

    def _record(self, line: Line, f: Fields) -> Iterator[Event]:
        metadata = f.get("metadata")
        time_us = _json_time(f)
        at = line.origin()._replace(time_us=time_us if time_us else line.time_us)
        yield from self._say(
            at, f["key"], f.get("value"), metadata if isinstance(metadata, dict) else {}
        )

    def _older(self, line: Line, f: Fields) -> Iterator[Event]:
        """v0.6: the value and the metadata in a JSON object behind the key."""
        at = line.origin()._replace(time_us=f["time"])
        record = _parsed(f["body"])
        if isinstance(record, dict):
            metadata = record.get("metadata")
            yield from self._say(
                at,
                f["key"].rstrip(":"),
                record.get("value"),
                metadata if isinstance(metadata, dict) else {},
            )

    def _oldest(self, line: Line, f: Fields) -> Iterator[Event]:
        """v0.5: a bare key, or a key and one JSON value."""
        at = line.origin()._replace(time_us=f["time"])
        self._benchmark = self._benchmark or label(f["benchmark"], 40)
        key, _, body = f["rest"].partition(":")
        value = _parsed(body)
        metadata = value if isinstance(value, dict) else {}
        if "value" in metadata:
            value = metadata["value"]
        if "success" in metadata:
            metadata = {"status": "success" if metadata["success"] is True else "aborted"}
        yield from self._say(at, key.strip(), value, metadata)

    def _say(
        self, at: Origin, key: object, value: Any, about: Mapping[str, Any]
    ) -> Iterator[Event]:
        say = self._keys.get(key) if isinstance(key, str) else None
        return say(self, at, value, about) if say else iter(())

    def _header(self, at: Origin, value: Any, about: Mapping[str, Any]) -> Iterator[Event]:
        if self._state == "idle":
            self._state = "header"
            yield RunStart(at)

    def _run_start(self, at: Origin, value: Any, about: Mapping[str, Any]) -> Iterator[Event]:
        if self._state != "running":
            self._state, self._start_us = "running", at.time_us
            self._epoch = self._epoch_us = None
            self._rated = False
            yield RunStart(at, timed=True)

    def _run_stop(self, at: Origin, value: Any, about: Mapping[str, Any]) -> Iterator[Event]:
        if self._state == "idle":
            return
        self._state = "idle"
        status = str(about.get("status", ""))
        if status == "success":
            yield TargetReached(at, None, self._epoch)
        rate = figure("throughput", str(about.get("throughput", "")))
        if rate is not None:
            yield Summary(at, (rate._replace(unit="samples/s"),))
        yield RunEnd(at, _seconds(self._start_us, at.time_us), _STATUS.get(status, "failed"))

    def _named(self, at: Origin, value: Any, about: Mapping[str, Any]) -> Iterator[Event]:
        self._benchmark = label(value, 40)
        yield RunInfo(at, "model", self._benchmark)
        yield from self._aim(at, _TARGETS.get(self._benchmark, ""))

    def _stated_target(self, at: Origin, value: Any, about: Mapping[str, Any]) -> Iterator[Event]:
        quality = _QUALITY.get(self._benchmark)
        if quality and (target := _number(value)) is not None:
            yield from self._aim(at, f"{quality[0]}{'>=' if quality[2] else '<='}{target:g}")

    def _aim(self, at: Origin, target: str) -> Iterator[Event]:
        if target and target != self._target:
            self._target = target
            yield RunInfo(at, "target", target)

    def _batch(self, at: Origin, value: Any, about: Mapping[str, Any]) -> Iterator[Event]:
        if _WHOLE.fullmatch(str(value)):
            yield RunInfo(at, "global_batch", int(value))

    def _samples(self, at: Origin, value: Any, about: Mapping[str, Any]) -> Iterator[Event]:
        if _WHOLE.fullmatch(str(value)) and self._benchmark not in _OTHER_SAMPLES:
            yield RunInfo(at, "samples_per_epoch", int(value))

    def _epoch_start(self, at: Origin, value: Any, about: Mapping[str, Any]) -> Iterator[Event]:
        self._epoch = _label(about.get("epoch_num", value))
        self._epoch_us = at.time_us
        return iter(())

    def _epoch_stop(self, at: Origin, value: Any, about: Mapping[str, Any]) -> Iterator[Event]:
        epoch = _label(about.get("epoch_num", value))
        # An epoch that the end of the run cut short is none.
        if epoch is not None and epoch == self._epoch and self._state == "running":
            yield EpochEnd(at, epoch, train_time=_seconds(self._epoch_us, at.time_us))
            self._epoch_us = None

    def _evaluated(self, at: Origin, value: Any, about: Mapping[str, Any]) -> Iterator[Event]:
        epoch = about.get("epoch_num", about.get("epoch"))
        step = _label(next((about[key] for key in _STEPS if key in about), None))
        metrics = tuple(self._metrics(value))
        if metrics:
            yield Evaluation(at, metrics, _label(epoch), step)

    def _metrics(self, value: Any) -> Iterator[Metric]:
        if isinstance(value, dict):
            for part, figure in list(value.items())[:16]:
                found = _number(figure)
                if found is not None:
                    name = _PARTS.get(str(part), label(part, 40))
                    yield Metric(name, found, "fraction" if part in _PARTS else "")
        elif (found := _number(value)) is not None:
            name, unit, higher = self._quality
            yield Metric(name, found, unit, higher)

    @property
    def _quality(self) -> tuple[str, str, bool]:
        """Name and unit of what this benchmark is judged by, and whether higher is better."""
        return _QUALITY.get(self._benchmark, ("eval_accuracy", "", True))

    def _tracked(self, at: Origin, value: Any, about: Mapping[str, Any]) -> Iterator[Event]:
        figures = value if isinstance(value, dict) else {"throughput": value}
        values = tuple(
            Metric(label(k, 60), found)
            for k, v in list(figures.items())[:64]
            if (found := _number(v)) is not None
        )
        rate = next((found for k in _RATES if (found := _number(figures.get(k))) is not None), None)
        # Some state their rate only when the run is over; others close a cut epoch there.
        if rate is None or (self._rated and self._state != "running"):
            return
        if rate == self._rate and isinstance(value, int | float):
            return  # some state one rate under two keys
        self._rated, self._rate = True, rate
        within = self._epoch is None or self._epoch_us is not None
        if within and self._state == "running":
            step = _label(about.get("step"))
            yield Iteration(
                at, self._epoch, step, None, rate, "samples/s", Scope.JOB, values=values
            )
        else:
            yield EpochEnd(at, self._epoch, rate, "samples/s", Scope.JOB, values=values)

    def _loss(self, at: Origin, value: Any, about: Mapping[str, Any]) -> Iterator[Event]:
        loss = _number(value)
        if loss is not None:
            step = _label(about.get("step_num", about.get("samples_count")))
            yield Iteration(at, self._epoch, step, loss=loss)

    _keys: ClassVar[Mapping[str, Say]] = {
        "cache_clear": _header,
        "run_clear_caches": _header,
        "init_start": _header,
        "run_start": _run_start,
        "run_stop": _run_stop,
        "submission_benchmark": _named,
        "eval_target": _stated_target,
        "target_accuracy": _stated_target,
        "quality_target": _stated_target,
        "global_batch_size": _batch,
        "input_batch_size": _batch,
        "train_samples": _samples,
        "preproc_num_train_examples": _samples,
        "epoch_start": _epoch_start,
        "epoch_stop": _epoch_stop,
        _EVALUATED: _evaluated,
        "tracked_stats": _tracked,
        "throughput": _tracked,
        "train_loss": _loss,
    }
    statements = (
        Statement(
            JsonRecord(":::MLLOG", required=("key",)),
            _record,
            1.0,
            "MLLOG record",
        ),
        Statement(Skeleton(":::MLL {time:unix} {key:word} {body:text}"), _older, 1.0, "MLL record"),
        Statement(
            Skeleton(":::MLPv0.5.0 {benchmark:word} {time:unix} ({}) {rest:text}"),
            _oldest,
            1.0,
            "MLPv0.5 record",
        ),
    )


def _json_time(record: Fields) -> int | None:
    """Microseconds of `time_ms` or `time_s`; some put 0 where they know no time."""
    for key, scale in (("time_ms", 1000), ("time_s", 1_000_000)):
        value = record.get(key)
        if isinstance(value, int | float) and 0 < value * scale < 1e18:
            return value * scale if isinstance(value, int) else round(value * scale)
    return None


def _seconds(begin_us: int | None, end_us: int | None) -> float | None:
    return None if begin_us is None or end_us is None else (end_us - begin_us) / 1_000_000


def _label(value: object) -> int | None:
    """A label that counts; a fraction of an epoch is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if abs(value) < 1e15 and value == int(value) else None


def _number(value: object) -> float | None:
    if type(value) is float:
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return number(str(value))
    except ValueError:
        return None


def _parsed(body: str) -> Any:
    import json

    from sixdim.parsers.text.untrusted import cleaned

    try:
        flat = body.strip() and body.count("[") + body.count("{") < 64
        return cleaned(json.loads(body)) if flat else None
    except (ValueError, RecursionError):
        return None
