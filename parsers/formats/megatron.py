"""Megatron-LM, Megatron-DeepSpeed and their descendants: one line of figures between bars.

The line is `training_log` of `megatron/training/training.py`; forks put `tokens per second`,
`samples per second` or TFLOPs into it. No throughput is printed by Megatron-LM itself: an
iteration's duration and the global batch size are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sixdim.parsers.events import Evaluation, Event, Metric, RunEnd, RunInfo, RunStart, Scope
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.printed import figures
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import Gauge, IterationRecord, first, further
from sixdim.parsers.statements.rows import each
from sixdim.parsers.text.lines import Line

# Arguments printed before the training, and the fact each is.
_ARGUMENTS = {
    "world_size": "devices",
    "micro_batch_size": "batch_per_device",
    "global_batch_size": "global_batch",
}
_PRECISIONS = {"fp16", "bf16", "fp8"}
_RATES = {
    "samples": ("samples/s", Scope.JOB),  # in front of GPT-NeoX's line
    "tokens per second": ("tokens/s", Scope.JOB),
    "tokens/sec": ("tokens/s", Scope.JOB),
    "samples per second": ("samples/s", Scope.JOB),
    "tokens per second per device": ("tokens/s", Scope.DEVICE),
    "tokens per gpu per second (tgs)": ("tokens/s", Scope.DEVICE),
    "tokens/sec/gpu": ("tokens/s", Scope.DEVICE),
}
_TFLOPS = "throughput per GPU (TFLOP/s/GPU)"
# Megatron-LM's, BigScience's, and before them the rate that GPT-NeoX puts in front of its line.
_MILLISECONDS = "elapsed time per iteration (ms)"
_SECONDS = "elapsed time per iteration (s)"
_NUMBERS = {
    "ms": _MILLISECONDS,
    "s": _SECONDS,
    "loss": "lm loss",
    "lm_loss": "lm-loss",
    "neox_loss": "lm_loss",
    "batch": "global batch size",
    "tflops": _TFLOPS,
    **{key: key for key in _RATES if key != "samples"},
}
_NOT_VALUES = ("lm loss", "lm-loss", "lm_loss", _MILLISECONDS, _SECONDS)
_RECORD = IterationRecord(
    step="step",
    steps="steps",
    throughput=tuple(_RATES),
    unit=lambda f: _RATES[first(_RATES, f)][0],
    scope=lambda f: _RATES[first(_RATES, f)][1],
    loss=("loss", "lm_loss", "neox_loss"),
    duration=("ms",),
    milliseconds=True,
    figures=(Gauge("tflops", _TFLOPS, ""),),
    further=further(figures, (*_NOT_VALUES, _TFLOPS)),
)
_IN_SECONDS = replace(_RECORD, duration=("s",), milliseconds=False)


def _steps(elapsed: str) -> tuple[KeyValues, ...]:
    return tuple(
        KeyValues(
            before + "iteration {step:int}/{steps:int} |",
            delimiter="|",
            numbers=_NUMBERS,
            required=(elapsed,),
        )
        for before in ("", "samples/sec: {samples:float} | ")
    )


_EVALUATION = {
    "lm loss value": "loss",
    "lm loss PPL": "perplexity",
    "lm_loss value": "loss",
    "lm_loss_ppl value": "perplexity",
}


class Megatron(Reader):
    """Reads one log of the family."""

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

    def __init__(self) -> None:
        self._facts: dict[str, str | int] = {}

    def _iteration(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self._fact(line, "global_batch", f["pairs"].get("global batch size", ""))
        yield from (_IN_SECONDS if "s" in f else _RECORD).read(self, line, f)

    def _fact(self, line: Line, name: str, value: str) -> Iterator[Event]:
        fact = int(value) if value.isdigit() and len(value) < 16 else None
        if fact is not None and self._facts.get(name) != fact:
            self._facts[name] = fact
            yield RunInfo(line.origin(), name, fact)

    def _evaluation(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Evaluation(line.origin(), _metrics(f), step=f["step"])

    def _final_evaluation(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Evaluation(line.origin(), _metrics(f), after_training=True)

    def _argument(self, line: Line, f: Fields) -> Iterator[Event]:
        name, value = f["name"], f["value"].lstrip(". ")
        if name == "world_size" and "devices" in self._facts:
            return  # DeepSpeed prints one of its own: the ranks that share a model's part
        if name in _ARGUMENTS:
            yield from self._fact(line, _ARGUMENTS[name], value)
        elif name in _PRECISIONS and value not in ("False", "None"):
            yield RunInfo(line.origin(), "precision", name)

    def _world(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self._fact(line, "devices", str(f["devices"]))

    def _start(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunStart(line.origin())

    def _finished(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunEnd(line.origin())

    def _stopped(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunEnd(line.origin(), status="aborted")

    statements = (
        *each(_steps(_MILLISECONDS), _iteration, 1.0, "iteration"),
        *each(_steps(_SECONDS), _iteration, 1.0, "iteration"),
        Statement(
            KeyValues(
                "validation results at iteration {step:int} |",
                delimiter="|",
                numbers={"loss": "lm_loss value"},
                required=("lm_loss value",),
            ),
            _evaluation,
            1.0,
            "evaluation",
        ),
        Statement(
            KeyValues(
                "validation loss at iteration {step:int} on test set |",
                delimiter="|",
                numbers={"loss": "lm loss value"},
                required=("lm loss value",),
            ),
            _final_evaluation,
            1.0,
            "evaluation",
        ),
        Statement(
            KeyValues(
                "validation loss at iteration {step:int}{}|",
                delimiter="|",
                numbers={"loss": "lm loss value"},
                required=("lm loss value",),
            ),
            _evaluation,
            1.0,
            "evaluation",
        ),
        Statement(
            KeyValues(
                "{}loss at the end of training for {}|",
                delimiter="|",
                numbers={"loss": "lm loss value"},
                required=("lm loss value",),
            ),
            _final_evaluation,
            0.5,
            "evaluation",
        ),
        Statement(
            Skeleton("using world size: {devices:int}, data-parallel{}..."), _world, 1.0, "header"
        ),
        Statement(Skeleton("[before the start of training step] {}..."), _start, 0.5, "header"),
        Statement(Skeleton("[after training is done] {}..."), _finished, 0.5, "end"),
        Statement(Skeleton("[exiting program {}..."), _stopped, 0.5, "end"),
        Statement(Skeleton("{name:word} ..{value:text}"), _argument, 0.0, "argument"),
    )


def _metrics(f: Fields) -> tuple[Metric, ...]:
    pairs = {_EVALUATION.get(key, key): value for key, value in f["pairs"].items()}
    return figures(pairs)
