"""neuraloperator's Trainer: one line per epoch, then the errors for each resolution."""

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Metric
from sixdim.parsers.grammar.shapes.figures import as_number
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import fact, line

_NAMES = {"avg_loss": "loss"}
_OF_TRAINING = frozenset(("loss", "train_err", "avg_lasso"))


class NeuralOperator(Reader):
    name = "neuraloperator"
    title = "neuraloperator (Trainer)"
    tried = "neuraloperator 2.0.0"
    example = "[0] time=7.89, avg_loss=0.9168, train_err=14.6691"
    unread = "the resolutions of the test sets, the shapes of outputs, the batch and the devices"

    _epoch: int | None = None

    samples = fact("Training on {samples_per_epoch:count} samples", 0.4)

    @line(
        KeyValues(
            "[{epoch:int}] time={seconds:float}, ",
            delimiter=", ",
            separator="=",
            required=("avg_loss", "train_err"),
        ),
        0.8,
        "epoch",
    )
    def _end_of_epoch(self, line: Line, f: Fields) -> Events:
        self._epoch = f["epoch"]
        errors = _errors(f)
        trained = tuple(error for error in errors if error.name in _OF_TRAINING)
        tested = tuple(error for error in errors if error.name not in _OF_TRAINING)
        yield EpochEnd(line.origin(), f["epoch"], train_time=f["seconds"], values=trained)
        if tested:  # versions before 1.0 have no line of an evaluation
            yield Evaluation(line.origin(), tested, f["epoch"])

    @line(KeyValues("Eval: ", delimiter=", ", separator="="), 0.2, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        metrics = _errors(f)
        if not metrics or self._epoch is None:
            return ()
        return (Evaluation(line.origin(), metrics, self._epoch),)


def _errors(f: Fields) -> tuple[Metric, ...]:
    """Returns the figures of a line; all figures of this format are losses or errors."""
    read = ((name, as_number(value)) for name, value in f["pairs"].items())
    return tuple(
        Metric(_NAMES.get(name, name), value, "", False)
        for name, value in read
        if value is not None
    )
