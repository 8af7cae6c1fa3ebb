"""Keras: progress bars of TF 1, TF 2 and Keras 3, `verbose=2` lines, and TimeHistory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Iteration,
    Metric,
    Origin,
    RunInfo,
    Scope,
)
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.printed import figures
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import IterationRecord
from sixdim.parsers.statements.rows import progress
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_CANONICAL = {
    "acc": "acc1",
    "accuracy": "acc1",
    "binary_accuracy": "acc1",
    "categorical_accuracy": "acc1",
    "sparse_categorical_accuracy": "acc1",
    "top_1": "acc1",
    "top_5": "acc5",
    "top_k_categorical_accuracy": "acc5",
    "sparse_top_k_categorical_accuracy": "acc5",
    "top_5_accuracy": "acc5",
}
_SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
_RATE = pattern(r"(\d{1,9})(us|ms|s)/(step|sample)")
_ALONE = pattern(r"(?<= - )\d{1,9}(?:us|ms|s)/step(?= - |\s{0,9}$)")
_WHOLE = pattern(r"(\d{1,9})s")


class Keras(Reader):
    """Reads one log.

    A bar is redrawn many times; its last drawing, with the epoch's time in place of the time
    left, is the epoch's end. TF 1 counts samples and says microseconds per sample, TF 2 and
    Keras 3 count steps.
    """

    name = "keras"
    title = "Keras fit (progress bars, verbose=2) and TimeHistory"
    example = "938/938 [==============================] - 5s 5ms/step - loss: 0.25 - accuracy: 0.92"
    unread = (
        "the model's summary, learning-rate and checkpoint messages, lines of custom callbacks; "
        "without a bar and with validation the mean step includes it"
    )

    @property
    def epoch(self) -> int | None:
        """The epoch that the last header named."""
        return self._epoch

    def __init__(self) -> None:
        self._epoch: int | None = None
        self._planned = 0
        self._samples = 0
        self._timed = False
        self._held: list[Event] = []

    def read(self, line: Line) -> Iterable[Event] | None:
        """As `Reader.read`; a full bar is held until it is known that no other redraws it."""
        known = self.recognise(line)
        full = known is not None and known[0].what == "epoch" and not self._validated(known[1])
        events = self.respond(line, known)
        if events is None or full:
            return events
        return [*self._release(), *events]

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`, with the bar that the log ended in."""
        return [*self._release(), *super().end(at)]

    @staticmethod
    def _validated(fields: object) -> bool:
        pairs = fields.get("pairs", {}) if isinstance(fields, dict) else {}
        return any(key.startswith("val_") for key in pairs)

    def _release(self) -> list[Event]:
        """The bar that was full."""
        held, self._held = self._held, []
        return held

    def _header(self, line: Line, f: Fields) -> Iterator[Event]:
        self._epoch, self._timed = f["epoch"], False
        if f["epochs"] != self._planned:
            self._planned = f["epochs"]
            yield RunInfo(line.origin(), "epochs_planned", self._planned)

    def _dataset(self, line: Line, f: Fields) -> Iterator[Event]:
        if f["samples"] != self._samples:
            self._samples = f["samples"]
            yield RunInfo(line.origin(), "samples_per_epoch", self._samples)

    def _progress(self, line: Line, f: Fields) -> Iterator[Event]:
        seconds, _ = _rate(f.get("rate", ""))
        self._timed |= seconds is not None
        yield Iteration(
            line.origin(),
            epoch=self._epoch,
            step=f["step"],
            steps=f["steps"],
            loss=f.get("loss"),
            duration=seconds,
            values=figures(f["pairs"], ("loss", "ETA")),
        )

    def _bar(self, line: Line, f: Fields) -> Iterator[Event]:
        if f["step"] < f["steps"]:
            yield from self._progress(line, f)
            return
        events = list(self._epoch_over(line, f))
        if self._validated(f):
            self._held = []
            yield from events
        else:
            self._held = events

    def _epoch_over(self, line: Line, f: Fields) -> Iterator[Event]:
        at, pairs = line.origin(), f["pairs"]
        # `verbose=2` sets the mean step among the figures: `5ms/step`, without a name.
        words = " ".join((f.get("time", ""), f.get("rate", ""), *_ALONE.findall(line.text)))
        whole = _WHOLE.search(words)
        seconds, sample = _rate(words)
        per_second = 1 / seconds if sample and seconds else None
        if seconds and not sample and not self._timed and "steps" in f:
            # The only drawing of this epoch: its mean step is all that is told of its speed.
            yield Iteration(
                at, self._epoch, f["steps"], f["steps"], loss=f.get("loss"), duration=seconds
            )
        trained = {key: value for key, value in pairs.items() if not key.startswith("val_")}
        # The printed time is the whole epoch's where a validation is part of it.
        time = float(whole[1]) if whole else None
        validated = self._validated(f)
        yield EpochEnd(
            at,
            self._epoch,
            throughput=per_second,
            unit="samples/s" if per_second else "",
            scope=Scope.JOB if per_second else Scope.UNKNOWN,
            train_time=None if validated else time,
            epoch_time=time if validated else None,
            values=figures(trained),
        )
        if validated:
            yield Evaluation(at, _metrics(pairs), epoch=self._epoch)

    statements = (
        Statement(
            KeyValues(
                "{step:int}/{steps:int} [{}] - ETA: {eta:word} - ",
                delimiter=" - ",
                numbers={"loss": "loss"},
                required=("loss",),
            ),
            _progress,
            0.5,
            "iteration",
        ),
        Statement(
            KeyValues(
                "{step:int}/{steps:int} [{}] - {time:word} {rate:word} - ",
                delimiter=" - ",
                numbers={"loss": "loss"},
                required=("loss",),
            ),
            _bar,
            0.7,
            "epoch",
        ),
        Statement(
            KeyValues(
                "{step:int}/{steps:int} ━{} {time:word} {rate:word} - ",
                delimiter=" - ",
                numbers={"loss": "loss"},
                required=("loss",),
            ),
            _bar,
            0.7,
            "epoch",
        ),
        Statement(
            KeyValues(
                "{step:int}/{steps:int} - {time:word} - ",
                delimiter=" - ",
                numbers={"loss": "loss"},
                required=("loss",),
            ),
            _bar,
            0.7,
            "epoch",
        ),
        Statement(
            KeyValues(
                "{step:int}/{steps:int} - {time:word} {rate:word} - ",
                delimiter=" - ",
                numbers={"loss": "loss"},
                required=("loss",),
            ),
            _bar,
            0.7,
            "epoch",
        ),
        Statement(
            KeyValues(
                "- {time:word} - ", delimiter=" - ", numbers={"loss": "loss"}, required=("loss",)
            ),
            _epoch_over,
            0.5,
            "epoch without a bar",
        ),
        progress(
            Skeleton(
                "{}TimeHistory: {seconds:float} seconds, {throughput:float} examples/second "
                "between steps {first:int} and {last:int}"
            ),
            IterationRecord(
                step="last",
                throughput=("throughput",),
                unit="samples/s",
                scope=Scope.JOB,
                duration=("seconds",),
                since="first",
            ),
            0.9,  # of a log with nothing else `keras_timehistory` knows more
        ),
        Statement(Skeleton("Epoch {epoch:int}/{epochs:int}"), _header, 0.05, "header"),
        Statement(Skeleton("Train on {samples:int} samples{}"), _dataset, 0.3, "header"),
        Statement(Skeleton("Using TensorFlow backend."), Reader.quiet, 0.1, "header"),
        Statement(Skeleton("Epoch {epoch:int}: val_{}..."), Reader.quiet, 0.1, "checkpoint"),
    )


def _rate(words: str) -> tuple[float | None, bool]:
    """Seconds for one step or sample, and whether it is a sample."""
    found = _RATE.search(words)
    if found is None:
        return None, False
    return int(found[1]) * _SECONDS[found[2]], found[3] == "sample"


def _metrics(pairs: dict[str, str]) -> tuple[Metric, ...]:
    out: list[Metric] = []
    for metric in figures({k: v for k, v in pairs.items() if k.startswith("val_")}):
        name = metric.name.removeprefix("val_")
        canonical = _CANONICAL.get(name, name)
        unit = "fraction" if canonical in ("acc1", "acc5") else metric.unit
        out.append(Metric(canonical, metric.value, unit, metric.higher_is_better))
    return tuple(out)
