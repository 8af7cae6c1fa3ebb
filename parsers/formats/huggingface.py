"""Hugging Face Trainer (transformers, TRL, LLaMA-Factory, firefly, …) on a console.

A report is the repr of a Python dict; its `epoch` is a fraction and the step is not printed,
so the step is taken from the progress bar above it where there is one. Every rank may print
everything: what a rank repeats is read once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sixdim.parsers.events import (
    Evaluation,
    Event,
    Iteration,
    Metric,
    Origin,
    RunEnd,
    RunStart,
    Scope,
    Summary,
)
from sixdim.parsers.grammar.figures import Facts, as_number, figure, figures
from sixdim.parsers.grammar.holes import duration
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import IterationRecord, further
from sixdim.parsers.text.lines import Line

_UNITS = {
    "train_runtime": "s",
    "train_samples_per_second": "samples/s",
    "train_steps_per_second": "steps/s",
    "train_tokens_per_second": "tokens/s",
}
NAMES = {name: (name, unit) for name, unit in _UNITS.items()} | {
    "eval_loss": ("loss", ""),
    "eval_accuracy": ("accuracy", "fraction"),
}
NOT_SCORES = frozenset(
    (
        "epoch",
        "step",
        "eval_runtime",
        "eval_samples",
        "eval_samples_per_second",
        "eval_steps_per_second",
        "eval_jit_compilation_time",
        "eval_model_preparation_time",
    )
)
_NOT_VALUES = frozenset(("loss", "throughput"))
_BAR = "{percent:int}%|{}| {step:int}/{steps:int} [{elapsed:clock}<{remaining:clock}, {pace:pace}"


def _pairs(*required: str, head: str = "{'") -> KeyValues:
    return KeyValues(
        head,
        delimiter=", ",
        separator=": ",
        quotes="'\"{}",
        numbers={"loss": "loss", "throughput": "throughput"},
        required=required,
    )


# The step is the bar's; where there is none, reports are read together.
_RECORD = IterationRecord(
    step="step",
    steps="steps",
    throughput=("throughput",),
    unit="tokens/s",
    scope=Scope.JOB,
    loss=("loss",),
    further=further(figures, skip=_NOT_VALUES),
)


def whole_run(at: Origin, told: Mapping[str, object], step: int | None) -> Iterator[Iteration]:
    """The closing report's rate: the one record of a log that tells no other speed."""
    rate = as_number(told.get("train_samples_per_second"))
    if rate:  # 0 is what a run too short to measure prints
        yield Iteration(at, None, step, throughput=rate, unit="samples/s", scope=Scope.JOB)


def _known_pace(f: Fields) -> float | None:
    return f["pace"] if f["pace"] == f["pace"] else None


class HuggingFace(Reader):
    """Reads one log."""

    name = "huggingface"
    title = "Hugging Face Trainer, TRL and LLaMA-Factory console"
    example = "{'loss': 1.5524, 'learning_rate': 0.0001, 'epoch': 0.01}"
    unread = (
        "epochs (they are fractions of a report: the run is windows of steps), the step of a "
        "report without a bar above it, download and tokenising bars, generated text; the "
        "closing rate is the speed only where no bar tells one"
    )

    def __init__(self) -> None:
        self._facts = Facts()
        self._step: int | None = None
        self._steps: int | None = None
        self._previous = ""
        self._training = False
        self._over = False
        self._paced = False
        self._block = ""
        self._block_at: Origin | None = None
        self._rows: dict[str, str] = {}

    def read(self, line: Line) -> Iterable[Event] | None:
        """As `Reader.read`; the lines of one `***** train metrics *****` are one event."""
        events = super().read(line)
        if self._block_at is not None and " = " not in line.text:
            block = list(self._flush())
            return [*block, *(events or ())] if block or events is not None else None
        return events

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`, with a block that the log ended in."""
        return [*self._flush(), *super().end(at)]

    def _flush(self) -> Iterator[Event]:
        at, block, rows = self._block_at, self._block, self._rows
        if at is None or not rows:
            return
        self._block, self._block_at, self._rows = "", None, {}
        if block.startswith("train"):
            yield from self._finished(at, rows)
        else:
            yield from self._scores(at, rows)

    def _report(self, line: Line, f: Fields) -> Iterator[Event]:
        body = line.text.strip()
        if body == self._previous:
            return
        self._previous, self._over = body, False
        pace = None
        if f.get("step", 0) > (self._step or 0):  # a bar stands before the dict
            self._step, self._steps, pace = f["step"], f["steps"], _known_pace(f)
        self._paced |= pace is not None or "throughput" in f
        for event in _RECORD.read(self, line, {**f, "step": self._step, "steps": self._steps}):
            yield event._replace(duration=pace)

    def _evaluation(self, line: Line, f: Fields) -> Iterator[Event]:
        body = line.text.strip()
        if body != self._previous:
            self._previous = body
            yield from self._scores(line.origin(), f["pairs"])

    def _scores(self, at: Origin, pairs: dict[str, str]) -> Iterator[Event]:
        metrics = figures(pairs, skip=NOT_SCORES, names=NAMES, strip="eval_")
        if metrics:
            yield Evaluation(at, metrics, step=self._step, after_training=self._over)

    def _epoch_scores(self, line: Line, f: Fields) -> Iterator[Event]:
        metrics = figures(f["pairs"], names={"accuracy": ("accuracy", "fraction")})
        if metrics:
            yield Evaluation(line.origin(), metrics, epoch=f["epoch"])

    def _trained(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self._finished(line.origin(), f["pairs"])

    def _finished(self, at: Origin, pairs: dict[str, str]) -> Iterator[Event]:
        if self._over:  # another rank's, or the block that repeats the dict
            return
        self._over = True
        runtime = as_number(pairs.get("train_runtime"))
        metrics = figures(pairs, names=NAMES)
        if not self._paced:
            yield from whole_run(at, pairs, self._step)
        if runtime is None and "train_runtime" in pairs:
            try:  # the block prints it as a timedelta
                runtime = duration(pairs["train_runtime"])
                metrics += (Metric("train_runtime", runtime, "s"),)
            except ValueError:
                runtime = None
        yield Summary(at, metrics)
        yield RunEnd(at, runtime)

    def _bar(self, line: Line, f: Fields) -> Iterator[Event]:
        # Before training there are bars of downloads and tokenising; an evaluation has its own.
        planned = self._facts.get("total steps")
        if planned is not None and f["steps"] != planned:
            return
        if planned is None and self._steps is not None and f["steps"] != self._steps:
            return
        if f["step"] <= (self._step or 0) or (planned is None and not self._training):
            return  # redrawn, or another rank's
        self._step, self._steps = f["step"], f["steps"]
        pace = _known_pace(f)
        self._paced |= pace is not None
        yield Iteration(
            line.origin(),
            epoch=None,
            step=f["step"],
            steps=f["steps"],
            duration=pace,
            values=(figure("elapsed", f["elapsed"], "s"),),
        )

    def _start(self, line: Line, f: Fields) -> Iterator[Event]:
        # Every rank prints the header: only one that follows training begins another run.
        if not self._training or self._over or self._step is not None or self._previous:
            self._facts.forget()
            self._previous, self._step, self._steps, self._over = "", None, None, False
            self._paced = False
            yield RunStart(line.origin())
        self._training = True

    def _examples(self, line: Line, f: Fields) -> Iterator[Event]:
        # An evaluation counts its examples in the same words, but after a batch is known.
        if self._training and self._facts.get("global_batch") is None:
            yield from self._facts.report(line.origin(), "samples_per_epoch", f["count"])

    def _epochs(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self._facts.report(line.origin(), "epochs_planned", f["count"])

    def _device_batch(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self._facts.report(line.origin(), "batch_per_device", f["count"])

    def _global_batch(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self._facts.report(line.origin(), "global_batch", f["count"])

    def _accumulation(self, line: Line, f: Fields) -> Iterator[Event]:
        # The total is per device * devices * accumulation steps, by the Trainer's own account.
        total, single = self._facts.get("global_batch"), self._facts.get("batch_per_device")
        if isinstance(total, int) and isinstance(single, int):
            devices, rest = divmod(total, max(1, single * f["count"]))
            if devices and not rest:
                yield from self._facts.report(line.origin(), "devices", devices)

    def _total(self, line: Line, f: Fields) -> Iterator[Event]:
        for _ in self._facts.report(line.origin(), "total steps", f["count"]):
            self._steps = f["count"]
        return iter(())

    def _process(self, line: Line, f: Fields) -> Iterator[Event]:
        # The rank is the local one: with several nodes it does not count the devices.
        kind = f["type"].removeprefix("torch.")
        yield from self._facts.report(line.origin(), "precision", kind)

    def _opens(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self._flush()
        self._block, self._block_at, self._rows = f["block"], line.origin(), {}

    def _row(self, line: Line, f: Fields) -> tuple[Event, ...] | None:
        # `key = value` is a metric only inside a block of them.
        if self._block_at is None:
            return None
        self._rows[f["key"]] = f["value"]
        return ()

    statements = (
        Statement(_pairs("loss", "epoch"), _report, 0.8, "report"),
        Statement(_pairs("train_runtime"), _trained, 1.0, "end"),
        Statement(_pairs("eval_runtime"), _evaluation, 0.8, "evaluation"),
        Statement(_pairs("eval_loss", "epoch"), _evaluation, 0.8, "evaluation"),
        Statement(_pairs(head="epoch {epoch:int}: {'"), _epoch_scores, 0.4, "evaluation"),
        # A dict may stand right behind a bar, which ends without a newline.
        Statement(_pairs("loss", "epoch", head=_BAR + "]{}{'"), _report, 0.8, "report"),
        Statement(_pairs("loss", "epoch", head="{}]{'"), _report, 0.5, "report"),
        Statement(_pairs("train_runtime", head="{}]{'"), _trained, 0.8, "end"),
        Statement(
            Skeleton(_BAR + "..."),
            _bar,
            0.0,
            "progress",
        ),
        Statement(Skeleton("***** Running training *****"), _start, 0.0, "header"),
        Statement(Skeleton("***** Running Evaluation *****"), Reader.quiet, 0.2, "header"),
        Statement(Skeleton("***** Running Prediction *****"), Reader.quiet, 0.2, "header"),
        Statement(Skeleton("***** {block:word} metrics *****"), _opens, 0.8, "metrics"),
        Statement(Skeleton("Num examples = {count:count}"), _examples, 0.1, "header"),
        Statement(Skeleton("Num Epochs = {count:count}"), _epochs, 0.2, "header"),
        Statement(
            Skeleton("Instantaneous batch size per device = {count:count}"),
            _device_batch,
            0.3,
            "header",
        ),
        Statement(
            Skeleton("Total train batch size (w. parallel, {}) = {count:count}"),
            _global_batch,
            0.3,
            "header",
        ),
        Statement(Skeleton("Total optimization steps = {count:count}"), _total, 0.1, "header"),
        Statement(
            Skeleton("Process rank: {rank:int}, {}compute dtype: {type:word}"),
            _process,
            0.4,
            "header",
        ),
        Statement(Skeleton("Process rank: {rank:int}, {}"), Reader.quiet, 0.2, "header"),
        Statement(
            Skeleton("Gradient Accumulation steps = {count:count}"), _accumulation, 0.2, "header"
        ),
        Statement(Skeleton("{key:word} = {value:word}"), _row, 0.0, "metric"),
    )
