"""neuraloperator's Trainer: a line an epoch, then the errors on each resolution."""

from __future__ import annotations

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Metric
from sixdim.parsers.grammar.shapes.figures import as_number
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import fact, ignored, line


class NeuralOperator(Reader):
    name = "neuraloperator"
    title = "neuraloperator (Trainer)"
    tried = "neuraloperator 2.0.0"
    example = "[0] time=7.89, avg_loss=0.9168, train_err=14.6691"
    unread = "the resolutions of the test sets, the shapes of outputs, the batch and the devices"

    _epoch: int | None = None

    samples = fact("Training on {samples_per_epoch:count} samples", 0.4)

    headers = ignored("Testing on [{}] samples on resolutions [{}].", 0.5, "header")

    @line(
        "[{epoch:int}] time={seconds:float}, avg_loss={loss:float}, train_err={error:float}...",
        0.8,
        "epoch",
    )
    def _end_of_epoch(self, line: Line, f: Fields) -> Events:
        self._epoch = f["epoch"]
        figures = _error("loss", f["loss"]), _error("train_err", f["error"])
        yield EpochEnd(line.origin(), f["epoch"], train_time=f["seconds"], values=figures)

    @line(KeyValues("Eval: ", delimiter=", ", separator="="), 0.2, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        read = ((name, as_number(value)) for name, value in f["pairs"].items())
        metrics = tuple(_error(name, value) for name, value in read if value is not None)
        if not metrics or self._epoch is None:
            return ()
        return (Evaluation(line.origin(), metrics, self._epoch),)


def _error(name: str, value: float) -> Metric:
    """Makes a figure; all figures of this format are losses or errors."""
    return Metric(name, value, "", False)
