"""TensorFlow's Estimator (`loss = 2.31, step = 100 (8.1 sec)`).

Estimators run under scripts that log more beside its lines: another format that is sure goes
before this one.
"""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import Evaluation, Event, Iteration, Scope
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import Fields
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.rows import ends, ignored, line
from sixdim.parsers.text.lines import Line

_NAMES = {"accuracy": ("accuracy", "fraction"), "eval_accuracy": ("accuracy", "fraction")}


class TfEstimator(Reader):
    """Reads one console log."""

    name = "tf-estimator"
    title = "TensorFlow Estimator"
    example = "INFO:tensorflow:loss = 2.31, step = 100 (8.134 sec)"
    fallback = True
    unread = "global_step/sec (the seconds behind a step say the same), the configuration, epochs"

    def __init__(self) -> None:
        self._before: int | None = None
        self._rate: float | None = None

    @line("loss = {loss:float}, step = {step:int} ({seconds:float} sec)", 0.5, "iteration")
    @line("loss = {loss:float}, step = {step:int}", 0.3, "iteration")
    def _iteration(self, line: Line, f: Fields) -> Iterator[Event]:
        step, rate, seconds = f["step"], self._rate, f.get("seconds")
        steps = step - self._before if self._before is not None else 0
        self._before, self._rate = step, None
        yield Iteration(
            line.origin(),
            None,
            step,
            throughput=rate,
            unit="samples/s",
            scope=Scope.JOB,
            loss=f["loss"],
            duration=seconds / steps if seconds and steps > 0 else None,
        )

    @line("examples/sec: {rate:float}", 0.1, "speed")
    def _speed(self, line: Line, f: Fields) -> tuple[Event, ...]:
        self._rate = f["rate"]
        return ()

    @line(
        KeyValues(
            "Saving dict for global step {step:int}: ", delimiter=", ", separator=" = ", numbers={}
        ),
        0.8,
        "evaluation",
    )
    def _evaluation(self, line: Line, f: Fields) -> Iterator[Event]:
        scores = figures(f["pairs"], skip=frozenset(("global_step",)), names=_NAMES)
        if scores:
            yield Evaluation(line.origin(), scores, step=f["step"])

    closing = ends("Loss for final step: {loss:float}.", 0.8)
    others = (
        ignored("global_step/sec: {:float}", 0.3, "speed"),
        ignored("Finished evaluation at {}", 0.1, "evaluation"),
        ignored("Restoring parameters from {}", 0.1, "checkpoint"),
        ignored("Saving checkpoints for {:int} into {}", 0.1, "checkpoint"),
    )
