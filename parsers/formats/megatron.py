"""Megatron-LM, Megatron-DeepSpeed and their descendants: one line of figures between bars.

The line is `training_log` of `megatron/training/training.py`; forks put `tokens per second`,
`samples per second` or TFLOPs into it. No throughput is printed by Megatron-LM itself: an
iteration's duration and the global batch size are.
"""

from __future__ import annotations

from collections.abc import Iterator

from parsers.events import Evaluation, Event, Iteration, Metric, RunEnd, RunInfo, RunStart, Scope
from parsers.format import Reader, Statement, each
from parsers.key_values import KeyValues
from parsers.printed import figure, figures
from parsers.shape import Fields, Skeleton
from parsers.text import Line

# Arguments printed before the training, and the fact each is.
_ARGUMENTS = {
    "world_size": "devices",
    "micro_batch_size": "batch_per_device",
    "global_batch_size": "global_batch",
}
_PRECISIONS = {"fp16", "bf16", "fp8"}
_RATES = (
    ("tokens per second", "tokens/s", Scope.JOB),
    ("tokens/sec", "tokens/s", Scope.JOB),
    ("samples per second", "samples/s", Scope.JOB),
    ("tokens per second per device", "tokens/s", Scope.DEVICE),
    ("tokens per gpu per second (tgs)", "tokens/s", Scope.DEVICE),
    ("tokens/sec/gpu", "tokens/s", Scope.DEVICE),
)
# Megatron-LM's, BigScience's, and before them the rate that GPT-NeoX puts in front of its line.
_MILLISECONDS = "elapsed time per iteration (ms)"
_SECONDS = "elapsed time per iteration (s)"
_NUMBERS = {
    "ms": _MILLISECONDS,
    "s": _SECONDS,
    "loss": "lm loss",
    "lm_loss": "lm-loss",
    "neox_loss": "lm_loss",
}
_LOSSES = ("loss", "lm_loss", "neox_loss")
_NOT_VALUES = ("lm loss", "lm-loss", "lm_loss", _MILLISECONDS, _SECONDS)
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
        pairs = f["pairs"]
        yield from self._fact(line, "global_batch", pairs.get("global batch size", ""))
        rate, unit, scope = None, "", Scope.UNKNOWN
        for key, unit_of, scope_of in _RATES:
            printed = figure(key, pairs.get(key))
            if printed is not None:
                rate, unit, scope = printed.value, unit_of, scope_of
                break
        if "samples" in f:
            rate, unit, scope = f["samples"], "samples/s", Scope.JOB
        yield Iteration(
            line.origin(),
            epoch=None,
            step=f["step"],
            steps=f["steps"],
            throughput=rate,
            unit=unit,
            scope=scope,
            loss=next((f[name] for name in _LOSSES if name in f), None),
            duration=f["ms"] / 1000 if "ms" in f else f.get("s"),
            values=figures(pairs, _NOT_VALUES),
        )

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
        *each(
            (
                KeyValues(
                    before + "iteration {step:int}/{steps:int} |",
                    delimiter="|",
                    numbers=_NUMBERS,
                    required=(elapsed,),
                )
                for before in ("", "samples/sec: {samples:float} | ")
                for elapsed in (_MILLISECONDS, _SECONDS)
            ),
            _iteration,
            1.0,
            "iteration",
        ),
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
