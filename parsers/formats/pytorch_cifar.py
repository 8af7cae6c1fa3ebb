"""kuangliu's pytorch-cifar: a bar for the training of an epoch, then one for its test.

    Epoch: 3
     [====>]  Step: 75ms | Tot: 43s169ms | Loss: 1.806 | Acc: 32.240% (16120/50000) 391/391

Both bars look alike: the first one after the heading of an epoch is the training's, the next one
the test's. In a file the count stands at the end of the line (on a terminal, the cursor goes back
to the middle of the bar), in a copy of the screen inside the bar.

`Tot` is the time since the end of the first batch, so it does not include that batch.
"""

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Iteration, Metric, Scope
from sixdim.parsers.grammar.vocabulary.durations import spoken_seconds
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line, remembers

_FIGURES = "Step: {} | Tot: {time:word} | Loss: {loss:float} | Acc: {acc:float}% ({}/{seen:int})"


class PytorchCifar(Reader):
    name = "pytorch-cifar"
    title = "pytorch-cifar (kuangliu) and its descendants"
    tried = "pytorch-cifar 2021-02"
    example = (
        "[====>]  Step: 75ms | Tot: 43s169ms | Loss: 1.806 | Acc: 32.240% (16120/50000) 391/391"
    )
    unread = "the time of the last step, configurations"

    _label: int | None = None
    _trains = False

    epochs = remembers("Epoch: {_label:int}", 0.1, "epoch", _trains=True)

    @line("[{}] " + _FIGURES + " {step:int}/{steps:int}", 1.0, "bar")
    @line("[{} {step:int}/{steps:int} {}] " + _FIGURES, 1.0, "bar")
    def _bar(self, line: Line, f: Fields) -> Events:
        at, step, last = line.origin(), f["step"], f["step"] == f["steps"]
        seconds = spoken_seconds(f["time"]) or 0.0
        if self._trains:
            if step > 1 and seconds:
                seconds *= step / (step - 1)  # adds the first batch with the mean of the others
                rate = f["seen"] / seconds
                place = at, self._label, step, f["steps"]
                yield Iteration(*place, rate, "img/s", Scope.JOB, f["loss"], mean_throughput=rate)
            if last:
                self._trains = False
                yield EpochEnd(at, self._label, train_time=seconds)
        elif last:
            metrics = Metric("acc1", f["acc"], "%"), Metric("loss", f["loss"], "", False)
            yield Evaluation(at, metrics, self._label)
