"""TensorFlow's Estimator (`loss = 2.31, step = 100 (8.1 sec)`).

Scripts with an Estimator also log lines of their own: a format that knows those takes precedence.
"""

from sixdim.parsers.events import Evaluation, Events, Iteration, Scope
from sixdim.parsers.grammar.shapes.figures import figure
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.figure_rows import evaluation
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import ends, ignored, line, remembers

_NAMES = {"accuracy": ("accuracy", "fraction"), "eval_accuracy": ("accuracy", "fraction")}


class TfEstimator(Reader):
    name = "tf-estimator"
    title = "TensorFlow Estimator"
    tried = "tensorflow 2.15.1"
    example = "INFO:tensorflow:loss = 2.31, step = 100 (8.134 sec)"
    fallback = True
    unread = (
        "global_step/sec (the seconds after a step give the same), the configuration, epochs, the "
        "time of the steps around an evaluation (it includes the evaluation)"
    )

    _before: int | None = None
    _rate: float | None = None
    _evaluated = False  # since the last line with a loss
    _rate_spans_evaluation = False  # the next one

    @line("loss = {loss:float}, step = {step:int} ({seconds:float} sec)", 0.5, "iteration")
    @line("loss = {loss:float}, step = {step:int}", 0.3, "iteration")
    @line("step = {step:int}, loss = {loss:float} ({seconds:float} sec)", 0.5, "iteration")
    @line("step = {step:int}, loss = {loss:float}", 0.3, "iteration")
    def _iteration(self, line: Line, f: Fields) -> Events:
        step, rate, seconds = f["step"], self._rate, f.get("seconds")
        steps = step - self._before if self._before is not None else 0
        self._before, self._rate = step, None
        if seconds is None:  # another session, with new timers
            self._rate_spans_evaluation = False
        if self._evaluated:  # `train_and_evaluate` evaluates while the hooks' timers run
            seconds = None
            self._evaluated = False
        speed, pace = (
            (rate, "samples/s", Scope.JOB),
            seconds / steps if seconds and steps > 0 else None,
        )
        yield Iteration(line.origin(), None, step, None, *speed, f["loss"], pace)

    @line("examples/sec: {rate:float}", 0.1, "speed")
    def _speed(self, line: Line, f: Fields) -> Events:
        # A TPUEstimator off the TPU prints no losses: nothing has taken the rate before this one.
        before, self._rate = self._rate, f["rate"]
        if self._rate_spans_evaluation:
            self._rate = None
            self._rate_spans_evaluation = False
        if before is not None:
            yield Iteration(line.origin(), None, None, None, self._rate, "samples/s", Scope.JOB)

    evaluates = remembers(
        ("Starting evaluation at {}", "Finished evaluation at {}"),
        0.1,
        "evaluation",
        _evaluated=True,
        _rate_spans_evaluation=True,
    )
    scores = evaluation(
        KeyValues("Saving dict for global step {step:int}: ", delimiter=", ", separator=" = "),
        0.8,
        names=_NAMES,
        skip=("global_step",),
    )

    @line("eval/{name:word} at step {step:int}: {value:float}", 0.0, "evaluation")
    def _score(self, line: Line, f: Fields) -> Events:
        """Reads a score of T5, of one of its tasks."""
        task, _, name = f["name"].rpartition("/")
        yield Evaluation(line.origin(), (figure(name, f["value"]),), step=f["step"], data=task)

    closing = ends("Loss for final step: {loss:float}.", 0.8)
    others = ignored("global_step/sec: {:float}", 0.3, "speed")
