"""Megatron-LM, Megatron-DeepSpeed and their descendants: lines of figures separated by `|`.

`training_log` in `megatron/training/training.py` prints the line; forks add `tokens per second`,
`samples per second` or TFLOPs. Megatron-LM itself prints no throughput, only an iteration's
duration and the global batch size.
"""

from __future__ import annotations

from dataclasses import replace

from sixdim.parsers.events import Evaluation, Events, Metric, RunInfo, Scope
from sixdim.parsers.grammar.shapes.figures import as_whole
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.figure_rows import evaluation
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.record_fields import Gauge, Rate
from sixdim.parsers.statements.rows import ends, fact, line, progress, starts
from sixdim.parsers.text.lines import label

# Arguments printed before the training, and the fact that each states.
_ARGUMENTS = {
    "world_size": "devices",
    "micro_batch_size": "batch_per_device",
    "global_batch_size": "global_batch",
}
_PRECISIONS = ("fp16", "bf16", "fp8")
_RATES = (
    Rate("samples", "samples/s", Scope.JOB),  # GPT-NeoX prints it before the iteration
    Rate("tokens per second", "tokens/s", Scope.JOB),
    Rate("tokens/sec", "tokens/s", Scope.JOB),
    Rate("samples per second", "samples/s", Scope.JOB),
    Rate("tokens per second per device", "tokens/s", Scope.DEVICE),
    Rate("tokens per gpu per second (tgs)", "tokens/s", Scope.DEVICE),
    Rate("tokens/sec/gpu", "tokens/s", Scope.DEVICE),
)
_TFLOPS = "throughput per GPU (TFLOP/s/GPU)"
_MILLISECONDS = "elapsed time per iteration (ms)"
_SECONDS = "elapsed time per iteration (s)"
_LOSSES = ("lm loss", "lm-loss", "lm_loss")  # Megatron-LM's, BigScience's, GPT-NeoX's
_NUMBERS = {
    "ms": _MILLISECONDS,
    "s": _SECONDS,
    "batch": "global batch size",
    "tflops": _TFLOPS,
    **{loss: loss for loss in _LOSSES},
    **{rate.hole: rate.hole for rate in _RATES[1:]},
}
_IN_MILLISECONDS = NamedRecord(
    rates=_RATES,
    loss=_LOSSES,
    duration=("ms",),
    milliseconds=True,
    figures=(Gauge("tflops", _TFLOPS, ""),),
    further=further(*_LOSSES, _MILLISECONDS, _SECONDS, _TFLOPS),
    facts=(("batch", "global_batch"),),
)
_IN_SECONDS = replace(_IN_MILLISECONDS, duration=("s",), milliseconds=False)
_LOSS, _PERPLEXITY = ("loss", ""), ("perplexity", "")
_EVALUATION = {
    "lm loss value": _LOSS,
    "lm loss PPL": _PERPLEXITY,
    "lm_loss value": _LOSS,
    "lm_loss_ppl value": _PERPLEXITY,
}


def _steps(head: str, elapsed: str) -> KeyValues:
    head += "iteration {step:int}/{steps:int} |"
    return KeyValues(head, delimiter="|", numbers=_NUMBERS, required=(elapsed,), whole=("batch",))


def _loss(head: str, key: str = "lm loss value") -> KeyValues:
    return KeyValues(head + "|", delimiter="|", numbers={"loss": key}, required=(key,))


class Megatron(Reader):
    name = "megatron"
    title = "Megatron-LM, Megatron-DeepSpeed and GPT-NeoX"
    example = (
        "iteration       10/  250000 | consumed samples:          640 | elapsed time per "
        "iteration (ms): 1618.0 | learning rate: 1.500E-04 | global batch size:    64 | "
        "lm loss: 7.115427E+00 | loss scale: 1.0 | grad norm: 1.204 |"
    )
    unread = (
        "timers (`time (ms) |`), memory reports, the arguments but for sizes and precision, "
        "evaluations without an `lm loss value`"
    )

    training = tuple(
        progress(_steps(before, elapsed), record, 1.0)
        for elapsed, record in ((_MILLISECONDS, _IN_MILLISECONDS), (_SECONDS, _IN_SECONDS))
        for before in ("", "samples/sec: {samples:float} | ")
    )

    final_losses = evaluation(
        (
            _loss("validation loss at iteration {step:int} on test set "),
            _loss("{}loss at the end of training for {}"),
        ),
        1.0,
        names=_EVALUATION,
        after_training=True,
    )

    losses = evaluation(
        (
            _loss("validation results at iteration {step:int} ", "lm_loss value"),
            _loss("validation loss at iteration {step:int}{}"),
        ),
        1.0,
        names=_EVALUATION,
    )

    @line(
        "validation results on {task:word} | number correct: {} | total examples: {} | "
        "avg accuracy: {accuracy:float}",
        1.0,
        "evaluation",
    )
    def _zero_shot(self, line: Line, f: Fields) -> Events:
        metric = Metric("accuracy", f["accuracy"], "fraction")
        yield Evaluation(line.origin(), (metric,), step=self.step, data=label(f["task"], 40))

    world = fact("using world size: {devices:int}, data-parallel{}...", 1.0)
    beginning = starts("[before the start of training step] {}...", 0.5)
    finished = ends("[after training is done] {}...", 0.5)
    stopped = ends("[exiting program {}...", 0.5, status="aborted")

    @line("{name:word} ..{value:text}", 0.0, "argument")
    def _argument(self, line: Line, f: Fields) -> Events:
        name, value = f["name"], f["value"].lstrip(". ")
        if name == "world_size" and self.facts.get("devices"):
            return  # DeepSpeed's world size: the ranks that share a part of the model
        size = as_whole(value) if name in _ARGUMENTS else None
        if size is not None:
            yield from self.report(line.origin(), _ARGUMENTS[name], size)
        elif name in _PRECISIONS and value not in ("False", "None"):
            yield RunInfo(line.origin(), "precision", name)
