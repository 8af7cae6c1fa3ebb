"""MindFormers: a step in braces, and its speed behind a bar in the line after it."""

from __future__ import annotations

from sixdim.parsers.events import EpochEnd, Event, Events, Iteration, Origin, Scope
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line

_NUMBERS = {"loss": "loss", "milliseconds": "per_step_time"}


class MindFormers(Reader):
    name = "mindformers"
    title = "MindFormers"
    example = (
        "{ Epoch:[  1/  2], step:[    2/  100], loss: 10.643, per_step_time: 3000ms, lr: 1e-05 }"
    )
    unread = "the configuration, the remaining time, evaluations"

    _step: Iteration | None = None

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`, with the step that the log ended in."""
        return [*self._held(), *super().end(at)]

    @line(
        KeyValues(
            "{ Epoch:[ {epoch:int}/ {epochs:int}], step:[ {step:int}/ {steps:int}], ",
            delimiter=", ",
            numbers=_NUMBERS,
            required=("per_step_time",),
            glued=("ms",),
            lenient=True,
        ),
        1.0,
        "iteration",
    )
    def _iteration(self, line: Line, f: Fields) -> Events:
        yield from self._held()
        at, milliseconds = line.origin(), f.get("milliseconds")
        yield from self.report(at, "epochs_planned", f["epochs"])
        values = figures(self.wanted(f["pairs"]), skip=frozenset(_NUMBERS.values()))
        seconds = milliseconds / 1000 if milliseconds else None
        self._step = Iteration(
            at,
            f["epoch"],
            f["step"],
            f["steps"],
            loss=f.get("loss"),
            duration=seconds,
            values=values,
        )

    @line("{percent:float}% |{}| {rate:float} samples/s/p {}", 1.0, "speed")
    def _speed(self, line: Line, f: Fields) -> Events:
        if self._step is not None:
            self._step = self._step._replace(
                throughput=f["rate"], unit="samples/s", scope=Scope.DEVICE
            )
        yield from self._held()

    def _held(self) -> Events:
        """Yields the step that waited for its speed, and the end of its epoch."""
        step, self._step = self._step, None
        if step is not None:
            yield step
            if step.step == step.steps:
                yield EpochEnd(step.at, step.epoch)
