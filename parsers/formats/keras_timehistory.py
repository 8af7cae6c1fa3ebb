"""TensorFlow's official models: the `TimeHistory` callback and the trainers that print with it.

`TimeHistory: 12.34 seconds, 1234.56 examples/second between steps 0 and 100`; older releases
wrote a `BenchmarkMetric` dictionary. Rates are those of the whole job. The logger may write
every line twice (its own and abseil's handler): a repeated record is dropped.

Sources: tensorflow/models `official/utils/misc/keras_utils.py`,
`official/modeling/model_training_utils.py`, `official/nlp/bert`.
"""

from __future__ import annotations

from sixdim.parsers.events import Scope
from sixdim.parsers.statements.figure_rows import summary
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.record_fields import Gauge
from sixdim.parsers.statements.rows import fact, progress

_INTERVAL = NamedRecord(
    unit="samples/s",
    scope=Scope.JOB,
    duration=("seconds",),
    since="begin",
    once=("step", "throughput", "duration"),
    figures=(Gauge("seconds", "seconds", "s", higher_is_better=False),),
)


class KerasTimeHistory(Reader):
    name = "keras_timehistory"
    title = "TensorFlow official models (Keras TimeHistory)"
    example = "TimeHistory: 12.34 seconds, 1234.56 examples/second between steps 0 and 100"
    unread = "losses and accuracies of the bars between its lines, the batch"

    intervals = progress(
        (
            "TimeHistory: {seconds:float} seconds, {throughput:float} examples/second "
            "between steps {begin:int} and {step:int}",
            "BenchmarkMetric: {'global step':{step:int}, 'time_taken': {seconds:float},"
            "'examples_per_second': {throughput:float}}",
        ),
        _INTERVAL,
        1.0,
    )
    losses = progress(
        "Train Step: {step:int}/{steps:int} / loss = {loss:float}...",
        NamedRecord(once=("step", "loss")),
        0.6,
    )

    average = tuple(
        summary(head + "'avg_exp_per_second': {avg_exp_per_second:float}...", 0.3, unit="samples/s")
        for head in ("", "{}")
    )

    epochs = fact("Epoch 1/{epochs_planned:int}", 0.0)
