"""TensorFlow's official models: the `TimeHistory` callback and the trainers that print with it.

`TimeHistory: 12.34 seconds, 1234.56 examples/second between steps 0 and 100`; older releases
wrote a `BenchmarkMetric` dictionary. Rates are those of the whole job. The logger may write
every line twice (its own and abseil's handler): a repeated record is dropped.

Sources: tensorflow/models `official/utils/misc/keras_utils.py`,
`official/modeling/model_training_utils.py`, `official/nlp/bert`.
"""

from __future__ import annotations

from collections.abc import Iterator

from parsers.events import Event, Iteration, Metric, RunInfo, Scope, Summary
from parsers.format import Reader, Statement
from parsers.shape import Fields, Skeleton
from parsers.text import Line


class KerasTimeHistory(Reader):
    """Reads one log."""

    name = "keras_timehistory"
    title = "TensorFlow official models (Keras TimeHistory)"
    example = "TimeHistory: 12.34 seconds, 1234.56 examples/second between steps 0 and 100"
    unread = "losses and accuracies of the bars between its lines, the batch"

    def __init__(self) -> None:
        self._last: tuple[object, ...] = ()

    def _new(self, *record: object) -> bool:
        repeated = record == self._last
        self._last = record
        return not repeated

    def _interval(self, line: Line, f: Fields) -> Iterator[Event]:
        if not self._new(f["step"], f["throughput"], f["seconds"]):
            return
        steps = f["step"] - f["begin"] if "begin" in f else 0
        yield Iteration(
            line.origin(),
            None,
            f["step"],
            None,
            f["throughput"],
            "samples/s",
            Scope.JOB,
            duration=f["seconds"] / steps if steps > 0 else None,
            values=(Metric("seconds", f["seconds"], "s", False),),
        )

    def _step(self, line: Line, f: Fields) -> Iterator[Event]:
        if self._new("step", f["step"], f["loss"]):
            yield Iteration(line.origin(), None, f["step"], f["steps"], loss=f["loss"])

    def _average(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Summary(line.origin(), (Metric("avg_exp_per_second", f["value"], "samples/s"),))

    def _epochs(self, line: Line, f: Fields) -> Iterator[Event]:
        if self._new("epochs", f["epochs"]):
            yield RunInfo(line.origin(), "epochs_planned", f["epochs"])

    statements = (
        Statement(
            Skeleton(
                "TimeHistory: {seconds:float} seconds, {throughput:float} examples/second "
                "between steps {begin:int} and {step:int}"
            ),
            _interval,
            1.0,
            "interval",
        ),
        Statement(
            Skeleton(
                "BenchmarkMetric: {'global step':{step:int}, 'time_taken': {seconds:float},"
                "'examples_per_second': {throughput:float}}"
            ),
            _interval,
            1.0,
            "interval",
        ),
        Statement(
            Skeleton("Train Step: {step:int}/{steps:int} / loss = {loss:float}..."),
            _step,
            0.6,
            "step",
        ),
        Statement(Skeleton("'avg_exp_per_second': {value:float}..."), _average, 0.3, "summary"),
        Statement(Skeleton("{}'avg_exp_per_second': {value:float}..."), _average, 0.3, "summary"),
        Statement(Skeleton("Epoch 1/{epochs:int}"), _epochs, 0.0, "header"),
    )
