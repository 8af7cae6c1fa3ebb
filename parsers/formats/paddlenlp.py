"""PaddleNLP: BERT pre-training, Transformer, and the example scripts that follow them."""

from __future__ import annotations

from dataclasses import replace

from sixdim.parsers.events import Evaluation, Events, Metric, RunInfo, RunStart
from sixdim.parsers.formats.paddle import Paddle, paddle_record
from sixdim.parsers.grammar.shapes.arguments import arguments, facts_of, precision_of
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import Fields
from sixdim.parsers.statements.figure_rows import evaluation
from sixdim.parsers.statements.record import further
from sixdim.parsers.statements.record_fields import Gauge
from sixdim.parsers.statements.rows import fact, line, progress
from sixdim.parsers.text.lines import Line

_NUMBERS = {
    "throughput": "ips",
    "average": "avg_ips",
    "words": "words speed",
    "loss": "loss",
    "avg_loss": "avg loss",
    "duration": "avg_batch_cost",
    "batch_cost": "batch_cost",
}
_STEPS = tuple(
    KeyValues(
        head + " {total:int}, epoch: {epoch:int}, batch: {step:int}, ",
        delimiter=", ",
        numbers=_NUMBERS,
    )
    for head in ("tobal step:", "total step:", "global step:", "global step", "step_idx:")
)
_FACTS = {"batch_size": "batch_per_device", "model_name_or_path": "model"}
# The first is the throughput.
_RATES = {"throughput": "ips", "average": "avg_ips", "words": "words speed"}

_SCORES = {name: (name, "fraction") for name in ("acc", "f1", "mcc", "accuracy")}
_LOSSES = further("loss", "avg loss", "speed", *_RATES.values())

_RECORD = replace(
    paddle_record("duration", "batch_cost"),
    throughput=tuple(_RATES),
    unit_in=tuple(_RATES.items()),
    loss=("loss", "avg_loss"),
    # The log counts steps of the epoch and of the run; an iteration gets the epoch's count.
    figures=(Gauge("total", "global step"),),
    further=_LOSSES,
)

# The example scripts of 2.x print only the steps per second.
_PACED = replace(
    paddle_record(), per_second="pace", facts=(("planned", "steps_planned"),), further=_LOSSES
)


class PaddleNLP(Paddle):
    name = "paddlenlp"
    title = "PaddleNLP: BERT, Transformer and other scripts with `ips: … sequences/sec`"
    example = (
        "tobal step: 220, epoch: 0, batch: 219, loss: 10.1, avg_reader_cost: 0.00008 sec, "
        "avg_batch_cost: 0.14556 sec, avg_samples: 96.00000, ips: 659.14882 sequences/sec"
    )
    unread = (
        "the configuration except model, batch and precision; scores of tasks under other names "
        "than acc, f1, mcc"
    )

    epoch_steps = tuple(progress(shape, _RECORD, 1.0) for shape in _STEPS)
    steps = progress(
        KeyValues(
            "global step {step:int} / {steps:int}, ",
            delimiter=", ",
            numbers=_NUMBERS,
            required=("ips", "avg_batch_cost"),
        ),
        _RECORD,
        1.0,
    )

    paced_steps = progress(
        KeyValues(
            "global step {total:int}/{planned:int}, epoch: {epoch:int}, batch: {step:int}, ",
            delimiter=", ",
            numbers={"pace": "speed", "loss": "loss"},
            required=("speed",),
        ),
        _PACED,
        1.0,
    )

    validation = evaluation(
        KeyValues("validation, step_idx: {step:int}, ", delimiter=", "),
        1.0,
        names={"avg loss": ("loss", ""), "ppl": ("perplexity", "")},
    )

    @line(KeyValues("eval loss: {loss:float}, ", delimiter=", "), 0.2, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        scores = {name: f["pairs"][name] for name in f["pairs"] if name in _SCORES}
        loss = Metric("loss", f["loss"], higher_is_better=False)
        yield Evaluation(line.origin(), (loss, *figures(scores, names=_SCORES)))

    @line("Namespace({args:text}", 0.0, "arguments")
    def _arguments(self, line: Line, f: Fields) -> Events:
        given, at = arguments(line.text), line.origin()
        if "max_steps" in given:
            yield RunStart(at)
            for name, value in (*facts_of(given, _FACTS), *precision_of(given)):
                yield RunInfo(at, name, value)

    precision = (
        fact("'use_amp': True,", 0.0, "arguments", always=True, precision="amp"),
        fact("'use_amp': {:word},", 0.0, "arguments", always=True, precision="fp32"),
        fact("'use_pure_fp16': True,", 0.0, "arguments", always=True, precision="fp16"),
    )
    launcher = Paddle.statements
