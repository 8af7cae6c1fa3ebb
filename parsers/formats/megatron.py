"""Megatron-LM, Megatron-DeepSpeed and their descendants: lines of figures separated by `|`.

`training_log` in `megatron/training/training.py` prints the line; forks add `tokens per second`,
`samples per second` or TFLOPs. Megatron-LM itself prints no throughput, only an iteration's
duration and the global batch size.

Since January 2026 it prints the first iteration, too, without beginning a new interval: the next
line is the mean of the interval's iterations, the first included. These versions print the time in
a heading with fractions of a second.

Before November 2023, and in forks of those versions, the time includes evaluations since the line
before. The versions since then print a clock in front of their lines.
"""

from collections.abc import Iterable, Iterator
from operator import methodcaller

from sixdim.parsers.events import (
    Evaluation,
    Event,
    Events,
    Fact,
    Iteration,
    Origin,
    RunInfo,
    RunStart,
    Scope,
)
from sixdim.parsers.grammar.shapes.figures import as_whole, figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.evaluated_between import EvaluatedBetween
from sixdim.parsers.statements.figure_rows import evaluation
from sixdim.parsers.statements.format import Fields, Line
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.record_fields import Gauge, Rate
from sixdim.parsers.statements.rows import ends, fact, line, progress
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
    unit="samples/s",
    scope=Scope.JOB,
    work=methodcaller("work_of_iteration"),
    loss=_LOSSES,
    duration=("ms",),
    milliseconds=True,
    figures=(Gauge("tflops", _TFLOPS, ""),),
    further=further(*_LOSSES, _MILLISECONDS, _SECONDS, _TFLOPS),
    facts=(("batch", "global_batch"),),
)
_ARGONNE = KeyValues(
    "iteration={step:int}/{steps:int} |",
    delimiter="|",
    separator="=",
    numbers={
        "ms": "elapsed_time_per_iteration_ms",
        "batch": "global_batch_size",
        "lm loss": "lm loss",
        "samples per second": "samples_per_second",
        "tokens per gpu per second (tgs)": "tokens_per_gpu_per_second_tgs",
    },
    required=("elapsed_time_per_iteration_ms",),
    whole=("batch",),
)
"""The line of Argonne's fork of Megatron-DeepSpeed."""
_IN_SECONDS = _IN_MILLISECONDS._replace(duration=("s",), milliseconds=False)
_NEOX = "NeoXArgs.configure_distributed_args() "
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


class Megatron(EvaluatedBetween):
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

    computed_from_time = frozenset((_TFLOPS,))

    _varies = _just_grew = False
    _batch: Fact = 0

    def report(self, at: Origin, name: str, value: Fact) -> Iterator[Event]:
        """As `Reader.report`; notes that the global batch grows (`--rampup-batch-size`).

        One batch does not fit all times then, so each progress line has a throughput of its own.
        """
        if name == "global_batch":
            self._just_grew = self._batch not in (0, value)
            self._varies |= self._just_grew
            self._batch = value
        return super().report(at, name, value)

    def work_of_iteration(self) -> int:
        """Returns the global batch if it varies; 0 for the line on which it is another.

        Such a line is the mean of iterations some of which had the batch before.
        """
        just_grew, self._just_grew = self._just_grew, False
        return int(self._batch) if self._varies and not just_grew else 0

    training = (
        *(
            progress(_steps(before, elapsed), record, 1.0)
            for elapsed, record in ((_MILLISECONDS, _IN_MILLISECONDS), (_SECONDS, _IN_SECONDS))
            for before in ("", "samples/sec: {samples:float} | ")
        ),
        progress(_ARGONNE, _IN_MILLISECONDS, 1.0),
    )

    def _read_first(self, line: Line) -> Iterable[Event] | None:
        """As `Reader.read`, of a version that counts the first iteration in two lines.

        The first line, whose time is mostly that of setting up, has no time; that of the second is
        the mean of the iterations after the first.
        """
        first, events = self.latest, super().read(line)
        event = self.latest
        if events is None or event is None or event is first:
            return events
        if first is None:
            values = tuple(one for one in event.values if one.name != _TFLOPS)
            event = event._replace(throughput=None, duration=None, values=values)
        else:
            del self.read
            event = _without_first(first, event)
        return [event if isinstance(one, Iteration) else one for one in events]

    final_losses = evaluation(
        (
            _loss("validation loss at iteration {step:int} on test set "),
            _loss("validation loss at iteration {step:int} on {:int}-sample draw from test set "),
            _loss("{}loss at the end of training for {}"),
            _loss("validation results at the end of training for {}", "lm_loss value"),
            _loss("test results at the end of training for {}", "lm_loss value"),
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
        timed=True,
    )

    def includes_evaluations(self, line: Line) -> bool:
        """As `EvaluatedBetween.includes_evaluations`."""
        return line.time_us is None

    @line(_loss("validation-{data:word} loss at iteration {step:int}{}"), 1.0, "evaluation")
    def _of_one_set(self, line: Line, f: Fields) -> Events:
        """Reads an evaluation on one of several validation sets."""
        self.evaluated()
        metrics, data = figures(f["pairs"], names=_EVALUATION), label(f["data"], 40)
        over = "on test set" in line.text
        yield Evaluation(line.origin(), metrics, step=f["step"], data=data, after_training=over)

    zero_shot = evaluation(
        "validation results on {data:word} | number correct: {} | total examples: {} | "
        "avg accuracy: {accuracy:float}",
        1.0,
        unit="fraction",
    )

    world = (
        fact("using world size: {devices:int}, data-parallel{}...", 1.0),
        fact(_NEOX + "using world size: {devices:int} and model-parallel size: {:int}", 1.0),
    )

    @line("[before the start of training step] {time:text}", 0.5, "header")
    def _beginning(self, line: Line, f: Fields) -> Events:
        self.facts.clear()
        self.latest = None
        if "." in f["time"]:
            self.read = self._read_first  # type: ignore[method-assign]  # until the second line
        yield RunStart(line.origin())

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


def _without_first(first: Iteration, second: Iteration) -> Iteration:
    """Takes the first iteration out of the mean time that the second line prints."""
    steps = (second.step or 0) - (first.step or 0)
    if first.step == steps > 1:
        return second  # of a fork that prints whole intervals alone
    seconds = (second.duration or 0) * (steps + 1) - (first.duration or 0)
    if steps <= 0 or seconds <= 0 or not second.duration:
        return second
    each, rate = seconds / steps, second.throughput
    rate = rate and rate * second.duration / each
    return second._replace(duration=each, throughput=rate)
