"""Paddle's high-level API (`paddle.Model.fit`): progress of epochs and of the evaluations in them.

    Epoch 1/6
    step 10/50 - loss: 0.8348 - acc: 0.4500 - 35ms/step
    Eval begin...
    step 13/13 - loss: 0.5953 - acc: 0.5100 - 2ms/step
    Eval samples: 400

The time and the metrics of a line are means over the epoch's steps so far; the loss is that of the
step. A time that is rounded to less than five is no rate. Lines between `Eval begin` and
`Eval samples` belong to the evaluation.
"""

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Iteration
from sixdim.parsers.formats.keras_times import step_time
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.vocabulary.units import LEAST_WHOLE
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.rows import line, remembers

_NAMES = {
    printed: (name, "fraction")
    for printed, name in (("acc", "acc1"), ("acc_top1", "acc1"), ("acc_top5", "acc5"))
}
_further = further("loss", "ETA")
_PROGRESS = NamedRecord(further=_further)


def _pairs(head: str) -> KeyValues:
    return KeyValues(head, delimiter=" - ", numbers={"loss": "loss"}, required=("loss",))


class PaddleHapi(Reader):
    name = "paddle-hapi"
    title = "Paddle's high-level API (paddle.Model.fit)"
    tried = "paddlepaddle 3.3.1"
    example = "step 10/50 - loss: 0.8348 - acc: 0.4500 - 35ms/step"
    unread = (
        "the batch (the speed is it/s), checkpoints, how long evaluations took, and their loss, "
        "which is the last batch's"
    )

    def __init__(self) -> None:
        self._epoch: int | None = None
        self._evaluates = False
        self._result: Fields = {}

    @line(_pairs("step {step:int}/{steps:int} [{}] - "), 0.6, "iteration", _PROGRESS)
    @line(_pairs("step {step:int}/{steps:int} - "), 0.6, "iteration", _PROGRESS)
    def _step(self, line: Line, f: Fields) -> Events:
        if self._evaluates:
            self._result = _pairs("").pairs(line.text.partition(" - ")[2])
            return
        printed = step_time(line.text)
        seconds = printed.seconds if printed.number >= LEAST_WHOLE else None
        place = line.origin(), self._epoch, f["step"], f["steps"]
        values = _further(f["pairs"])
        yield Iteration(
            *place, loss=f["loss"], duration=seconds, values=values, mean_duration=seconds
        )
        if f["step"] == f["steps"]:
            yield EpochEnd(line.origin(), self._epoch)

    @line("Epoch {epoch:int}/{epochs:int}", 0.05, "header")
    def _header(self, line: Line, f: Fields) -> Events:
        self._epoch, self._evaluates = f["epoch"], False
        return self.report(line.origin(), "epochs_planned", f["epochs"])

    begins = remembers("Eval begin...", 0.3, "evaluation begins", _evaluates=True, _result={})

    @line("Eval samples: {samples:int}", 0.3, "evaluation")
    def _evaluated(self, line: Line, f: Fields) -> Events:
        self._evaluates = False
        # The loss is that of the last batch alone, the log says.
        yield Evaluation(line.origin(), figures(self._result, ("loss",), names=_NAMES), self._epoch)
