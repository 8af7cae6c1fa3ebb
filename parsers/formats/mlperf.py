"""MLPerf training records: `:::MLLOG {…}`, and the spellings of v0.6 and v0.5.

The records stand among a framework's own lines, which this format ignores. MLPerf measures the time
from `run_start` to `run_stop`. As in the official parser, the last record of a line counts,
whatever stands before it.

Sources: mlcommons/logging `mlperf_logging/mllog` and `compliance_checker/mlp_parser`; quality
targets: mlcommons/training_policies `training_rules.adoc`.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Events,
    Iteration,
    Metric,
    Origin,
    RunEnd,
    RunInfo,
    RunStart,
    Summary,
    TargetReached,
)
from sixdim.parsers.formats import mlperf_records as records
from sixdim.parsers.formats import mlperf_rules as rules
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole, printed
from sixdim.parsers.grammar.shapes.json_record import JsonRecord
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line
from sixdim.parsers.text.clock import seconds_between
from sixdim.parsers.text.lines import label
from sixdim.parsers.text.patterns import pattern

About: TypeAlias = Mapping[str, Any]
"""A record's metadata."""
Handle: TypeAlias = Callable[["MLPerf", Origin, Any, About], Events]

_STATUS = {"success": "finished", "aborted": "aborted", "": "finished"}  # v0.5 may lack a status
_WHOLE = pattern(r"[1-9]\d{0,17}")
_HANDLERS: dict[str, Handle] = {}


def _of(*keys: str) -> Callable[[Handle], Handle]:
    """Makes a decorator: the decorated method handles the records with these keys."""

    def register(handle: Handle) -> Handle:
        _HANDLERS.update(dict.fromkeys(keys, handle))
        return handle

    return register


class MLPerf(Reader):
    name = "mlperf"
    title = "MLPerf training records (:::MLLOG, :::MLL, :::MLPv0.5.0) in any framework's log"
    own_clock = True
    example = (
        ':::MLLOG {"namespace": "", "time_ms": 1592669281196, "event_type": "POINT_IN_TIME", '
        '"key": "eval_accuracy", "value": 0.04408, "metadata": {"epoch_num": 1}}'
    )
    unread = (
        "hyperparameters and submission metadata but for benchmark, batch, samples and target; "
        "times of single steps"
    )
    precedence = 1

    def __init__(self) -> None:
        self._benchmark = self._target = ""
        self._state, self._shift = "idle", 0  # of evaluations' numbers against the epochs'
        self._start_us: int | None = None
        self._epoch: int | None = None
        self._epoch_us: int | None = None
        self._rate: float | None = None
        self._rates = rules.RateScope()
        self._passed = rules.PassedEpochs()
        self._is_rated = self._is_evaluated = False
        self._evaluated_once: bool | None = None  # in this epoch, under its own label
        self._name: tuple[Origin, Any] | None = None

    record_clue = ":::ML"

    @staticmethod
    def record_in(text: str) -> str:
        """As `Reader.record_in`: the last record of the line."""
        if ":::ML" not in text:
            return text
        begin = max(text.rfind(":::MLP"), text.rfind(":::MLL"))
        return text[begin:] if begin > 0 else text

    @line(JsonRecord(":::MLLOG", required=("key",)), 1.0, "MLLOG record")
    def _record(self, line: Line, f: Fields) -> Events:
        return self._handle(line, records.time_of(f) or line.time_us, f["key"], f)

    @line(":::MLL 0.0 {key:word} {body:text}", 1.0, "MLL record")
    @line(":::MLL {time:unix} {key:word} {body:text}", 1.0, "MLL record")
    def _older(self, line: Line, f: Fields) -> Events:
        """Reads a record of v0.6, in which a time of 0 is none."""
        record = records.older(f["body"])
        if record is None:
            return ()
        return self._handle(line, f.get("time"), f["key"].rstrip(":"), record)

    @line(":::MLPv0.5.0 {benchmark:word} {time:unix} ({}) {rest:text}", 1.0, "MLPv0.5 record")
    def _oldest(self, line: Line, f: Fields) -> Events:
        self._benchmark = self._benchmark or label(f["benchmark"], 40)
        return self._handle(line, f["time"], *records.oldest(f["rest"]))

    def _handle(self, line: Line, time_us: int | None, key: object, record: Fields) -> Events:
        handle = _HANDLERS.get(key) if isinstance(key, str) else None
        if handle is None:
            return ()
        about = record.get("metadata")
        at = line.origin()._replace(time_us=time_us)
        return handle(self, at, record.get("value"), about if isinstance(about, dict) else {})

    @_of("cache_clear", "run_clear_caches", "init_start")
    def _header(self, at: Origin, _value: Any, _about: About) -> Events:
        if self._state == "idle":
            yield from self._begin(at)

    def _begin(self, at: Origin) -> Events:
        """Yields the beginning of a run, and the benchmark if it was named before."""
        self._state, self._target, self._is_evaluated = "header", "", False
        yield RunStart(at)
        if self._name is not None:
            yield from self._named(*self._name, {})

    @_of("run_start")
    def _run_start(self, at: Origin, _value: Any, _about: About) -> Events:
        if self._state != "running":
            if self._state == "idle":
                yield from self._begin(at)
            self._state, self._start_us = "running", at.time_us
            self._epoch = self._epoch_us = None
            self._passed = rules.PassedEpochs()
            self._is_rated = False
            yield RunStart(at, timed=True)

    @_of("run_stop")
    def _run_stop(self, at: Origin, _value: Any, about: About) -> Events:
        if self._state == "idle":
            return
        self._state = "idle"
        status = str(about.get("status", ""))
        if status == "success":
            yield TargetReached(at, None, self._epoch)
        rate = printed("throughput", str(about.get("throughput", "")))
        if rate is not None:
            yield Summary(at, (rate._replace(unit="samples/s"),))
        self._passed.take(about.get("epoch_num"))
        part = self._passed.part
        whole = self._rates.is_whole(seconds_between(self._epoch_us, at.time_us))
        if over := bool(self._evaluated_once and whole and self._epoch != self._passed.first):
            yield EpochEnd(at, self._epoch)  # its own record may come after the end
        yield RunEnd(
            at,
            seconds_between(self._start_us, at.time_us),
            _STATUS.get(status, "failed"),
            epochs=part,
            samples=as_whole(about.get("samples_count")) or None,
            midway=self._epoch_us is not None and not over and part is None,
        )

    @_of("submission_benchmark")
    def _named(self, at: Origin, value: Any, _about: About) -> Events:
        named = label(value, 40)
        self._name = (at._replace(time_us=None), value) if self._state == "idle" else None
        yield RunInfo(at, "model", named)
        if not self._benchmark:
            yield from self._samples_of(at, named)
        # The target needs the benchmark's name, which may come after the first evaluations.
        if not self._is_evaluated:
            self._benchmark = named
            yield from self._aim(at, rules.TARGETS.get(named, ""))

    @_of("eval_target", "target_accuracy", "quality_target")
    def _stated_target(self, at: Origin, value: Any, _about: About) -> Events:
        yield from self._aim(at, rules.stated_target(self._benchmark, value))

    def _aim(self, at: Origin, target: str) -> Events:
        if target and target != self._target:
            self._target = target
            yield RunInfo(at, "target", target)

    @_of("global_batch_size")
    def _batch(self, at: Origin, value: Any, _about: About) -> Events:
        if _WHOLE.fullmatch(str(value)):
            self._rates.batch = int(value)
            yield RunInfo(at, "global_batch", int(value))

    @_of("local_batch_size")
    def _local_batch(self, _at: Origin, value: Any, _about: About) -> Events:
        self._rates.local = as_whole(value) or 0
        return ()

    @_of("train_samples", "preproc_num_train_examples")
    def _samples(self, at: Origin, value: Any, _about: About) -> Events:
        over = self._state == "idle" and self._start_us is not None  # it counts those trained
        if _WHOLE.fullmatch(str(value)) and not over:
            self._rates.samples = int(value)
            yield from self._samples_of(at, self._benchmark)

    def _samples_of(self, at: Origin, benchmark: str) -> Events:
        """Yields the samples of an epoch, which may come before the benchmark's name."""
        if self._rates.samples and benchmark and benchmark not in rules.OTHER_SAMPLES:
            yield RunInfo(at, "samples_per_epoch", self._rates.samples)

    @_of("epoch_start")
    def _epoch_start(self, at: Origin, value: Any, about: About) -> Events:
        self._epoch = as_whole(about.get("epoch_num", value))
        self._epoch_us, self._evaluated_once = at.time_us, None
        self._passed.begin(self._epoch)
        return ()

    @_of("epoch_stop")
    def _epoch_stop(self, at: Origin, value: Any, about: About) -> Events:
        epoch = as_whole(about.get("epoch_num", value))
        # An epoch that the end of the run cut short does not count.
        if epoch is not None and epoch == self._epoch and self._state == "running":
            self._rates.lasted = seconds_between(self._epoch_us, at.time_us)
            yield EpochEnd(at, epoch, train_time=self._rates.lasted)
            self._epoch_us = None

    @_of("eval_accuracy", "eval_error")
    def _evaluated(self, at: Origin, value: Any, about: About) -> Events:
        metrics = tuple(rules.metrics(self._benchmark, value, about.get("metric")))
        self._passed.take(about.get("epoch_num"))
        if metrics:
            epoch, seen = rules.place(about.get("epoch_num", about.get("epoch")), self._epoch)
            if epoch == 1 and not self._is_evaluated:  # MiniGo counts its models
                self._shift = max(0, (self._passed.first or 0) - 1)
            epoch, self._is_evaluated = epoch and epoch + self._shift, True
            step = about.get("step_num", about.get("samples_count", seen))
            self._evaluated_once = epoch == self._epoch and self._evaluated_once is None
            yield Evaluation(at, metrics, epoch, as_whole(step))

    @_of("tracked_stats", "throughput")
    def _tracked(self, at: Origin, value: Any, about: About) -> Events:
        figures = value if isinstance(value, dict) else {"throughput": value}
        rate = rules.rate_in(figures)
        # Some print their rate only after the run; others close a cut epoch there.
        unit = rules.UNITS.get(self._benchmark, "samples/s")
        if rate is None and not self._is_rated and self._state == "running":
            seconds = as_number(figures.get("train_step_time"))
            if seconds is not None and seconds > 0:
                yield Iteration(at, self._epoch, None, duration=seconds)
        if rate is None or not unit or (self._is_rated and self._state != "running"):
            return
        if rate == self._rate and isinstance(value, int | float):
            return  # some print one rate under two keys
        self._is_rated, self._rate = True, rate
        values = rules.numbers_in(figures)
        within = self._epoch is None or self._epoch_us is not None
        if within and self._state == "running":
            place = self._epoch, as_whole(about.get("step")), None
            yield Iteration(at, *place, rate, unit, self._rates.scope, values=values)
        elif self._epoch is None and self._state != "running":
            yield Summary(at, (Metric("throughput", rate, unit),))  # of a run without epochs
        else:
            self._rates.compare(rate)
            yield EpochEnd(at, self._epoch, rate, unit, self._rates.scope, values=values)

    @_of("train_loss")
    def _loss(self, at: Origin, value: Any, about: About) -> Events:
        loss, step = as_number(value), as_whole(about.get("step_num"))  # samples are no step
        return () if loss is None else (Iteration(at, self._epoch, step, loss=loss),)
