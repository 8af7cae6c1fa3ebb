"""MindFormers: a line with a step in braces, and a second line with a bar and the step's speed.

Later versions print no epoch (`{ step:[ 2/ 10], loss: 11.755612, per_step_time: 710ms }`) and no
second line.
"""

from sixdim.parsers.events import EpochEnd, Event, Events, Iteration, Origin, Scope
from sixdim.parsers.formats.mindspore import results
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line

_NUMBERS = {"loss": "loss", "milliseconds": "per_step_time"}

_EPOCH = "{ Epoch:[{epoch:int}/{epochs:int}], "


def _in_braces(head: str, loss: str = "") -> KeyValues:
    return KeyValues(
        head + "step:[{step:int}/{steps:int}], " + loss,
        delimiter=", ",
        numbers=_NUMBERS,
        required=("per_step_time",),
        glued=("ms",),
        lenient=True,
    )


class MindFormers(Reader):
    name = "mindformers"
    title = "MindFormers"
    example = (
        "{ Epoch:[  1/  2], step:[    2/  100], loss: 10.643, per_step_time: 3000ms, lr: 1e-05 }"
    )
    unread = "the configuration, the remaining time, other evaluations"

    _step: Iteration | None = None

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`, with the step that the log ended in."""
        return [*self._held(), *super().end(at)]

    @line(
        (
            _in_braces(_EPOCH, "loss:[{loss:float}/{}], "),  # and its mean, without data sinking
            _in_braces(_EPOCH),
            _in_braces("{ "),
        ),
        1.0,
        "iteration",
    )
    def _iteration(self, line: Line, f: Fields) -> Events:
        yield from self._held()
        at, milliseconds = line.origin(), f.get("milliseconds")
        planned = "epochs" if "epochs" in f else "steps"
        yield from self.report(at, f"{planned}_planned", f[planned])
        values = figures(self.wanted(f["pairs"]), skip=frozenset(_NUMBERS.values()))
        place = f.get("epoch"), f["step"], f["steps"]
        event = Iteration(at, *place, loss=f.get("loss"), values=values)
        self._step = event._replace(duration=milliseconds / 1000 if milliseconds else None)

    @line("{percent:float}% |{}| {rate:float} samples/s/p {}", 1.0, "speed")
    def _speed(self, line: Line, f: Fields) -> Events:
        if self._step is not None:
            self._step = self._step._replace(
                throughput=f["rate"], unit="samples/s", scope=Scope.DEVICE
            )
        yield from self._held()

    @line("Eval result: epoch {epoch:int}, metrics: {'{}", 0.0, "evaluation")
    def _result(self, line: Line, f: Fields) -> Events:
        yield from self._held()
        yield from results(line, f)

    def _held(self) -> Events:
        """Yields the step that waited for its speed, and the end of its epoch."""
        step, self._step = self._step, None
        if step is not None:
            yield step
            if step.epoch is not None and step.step == step.steps:
                yield EpochEnd(step.at, step.epoch)
