"""FuxiCTR and its benchmark BARS: recommendation models.

The evaluation of an epoch comes before the line that ends the epoch. Later versions may evaluate
several times in an epoch, each time after a line with the loss, and stop at any of them. After the
training the best model is evaluated again, on the validation data and on the test data.
"""

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Metric, RunEnd, RunStart
from sixdim.parsers.grammar.shapes.figures import figure, figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import fact, line, remembers
from sixdim.parsers.text.clock import seconds_between
from sixdim.parsers.text.patterns import pattern

_RANK = pattern(r"\(k=(\d{1,6})\)")
"""The depth of a ranking in a metric's name: `Recall(k=20)`."""


class FuxiCTR(Reader):
    name = "fuxictr"
    title = "FuxiCTR and BARS (click-through rates, recommendations)"
    example = "[Metrics] AUC: 0.814153 - logloss: 0.437672"
    unread = (
        "the configuration but for epochs, batch and samples, the times of evaluations (the time "
        "of an epoch includes its evaluation)"
    )

    _epoch = 1
    _steps = 0  # batches in an epoch
    _batch: int | None = None  # that of the last evaluation, where the log names it
    _loss: tuple[Metric, ...] = ()
    _has_stopped = False
    _data = ""
    _is_over = False
    _started_us: int | None = None
    """When the training began, by the log's clock."""
    _begun_us: int | None = None
    """When the epoch began."""

    batch = fact('"batch_size": "{global_batch:int}",', 0.0)
    samples = fact("Train samples: total/{samples_per_epoch:int}, {}", 0.4)

    @line(
        (
            "Start training: {steps:int} batches/epoch",
            "**** Start training: {steps:int} batches/epoch ****",
        ),
        0.8,
        "header",
    )
    def _begin(self, line: Line, f: Fields) -> Events:
        self._epoch, self._data, self._is_over = 1, "", False
        self._steps, self._batch, self._loss, self._has_stopped = f["steps"], None, (), False
        self._started_us = self._begun_us = line.time_us
        yield RunStart(line.origin(), timed=True)

    @line(KeyValues("[Metrics] ", delimiter=" - ", separator=": "), 0.8, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        metrics = figures({_RANK.sub(r"@\1", key): value for key, value in f["pairs"].items()})
        epoch, over = None if self._is_over else self._epoch, self._is_over
        event = Evaluation(line.origin(), metrics, epoch, after_training=over, midway=True)
        yield event._replace(data=self._data)

    @line("Train loss: {loss:float}", 0.0, "epoch")
    @line("Train loss @epoch {}: {loss:float}", 0.2, "epoch")
    def _train_loss(self, line: Line, f: Fields) -> Events:
        self._loss = (figure("loss", f["loss"]),)
        if (
            self._has_stopped
        ):  # the loss of the last epoch, after which no line says that it is over
            yield EpochEnd(line.origin(), self._epoch, values=self._loss)

    place = remembers("Evaluation @epoch {} - batch {_batch:int}:", 0.5, "evaluation")

    stopped = remembers("Early stopping at epoch={_epoch:int}", 0.0, "epoch", _has_stopped=True)

    @line("********* Epoch={epoch:int} early stop *********", 0.5, "epoch")
    def _stopped_early(self, line: Line, f: Fields) -> Events:
        self._epoch = f["epoch"]
        if self._batch == self._steps:
            yield EpochEnd(line.origin(), self._epoch, values=self._loss)

    @line("************ Epoch={epoch:int} end ************", 0.8, "epoch")
    def _end_of_epoch(self, line: Line, f: Fields) -> Events:
        lasted = seconds_between(self._begun_us, line.time_us)
        self._epoch, self._begun_us = f["epoch"] + 1, line.time_us
        yield EpochEnd(line.origin(), f["epoch"], epoch_time=lasted, values=self._loss)

    @line("Training finished.", 0.0, "end")
    def _end(self, line: Line, _f: Fields) -> Events:
        self._is_over = True
        self.facts.clear()
        partly = self._batch is not None and self._batch < self._steps
        seconds = seconds_between(self._started_us, line.time_us)
        yield RunEnd(line.origin(), seconds, midway=partly)

    test = remembers("******** Test evaluation ********", 0.2, "header", _data="test")
