"""PaddleOCR: text detection and recognition.

It evaluates at an interval of steps; it saves the latest model at the end of an epoch.
"""

from collections.abc import Mapping
from types import MappingProxyType

from sixdim.parsers.events import EpochEnd, Evaluation, Events, RunInfo, RunStart
from sixdim.parsers.formats.paddle import Paddle, paddle_record
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import Fields
from sixdim.parsers.statements.figure_rows import summary
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.rows import line, progress, remembers
from sixdim.parsers.text.lines import Line

_NUMBERS = {
    "throughput": "ips",
    "loss": "loss",
    "average": "avg_batch_cost",
    "batch_cost": "batch_cost",
}
_NAMES = {
    name: (name, "fraction")
    for name in ("acc", "precision", "recall", "hmean", "f1", "norm_edit_dis", "total_acc")
}
_RECORD = paddle_record("average", "batch_cost", unit="samples/s")
_EPOCH = "epoch: [{epoch:int}/{epochs:int}], "


def _metrics(which: str) -> tuple[KeyValues, ...]:
    """Returns the shapes of a line of metrics; PaddleOCR misspells the word in some versions."""
    return tuple(KeyValues(f"{which} {word}, ", delimiter=", ") for word in ("metirc", "metric"))


class PaddleOCR(Paddle):
    name = "paddleocr"
    title = "PaddleOCR text detection and recognition"
    example = (
        "epoch: [1/500], global_step: 10, lr: 0.001000, loss: 3.1, avg_reader_cost: 0.08 s, "
        "avg_batch_cost: 0.35 s, avg_samples: 16.0, ips: 45.61 samples/s, eta: 3:00:00"
    )
    unread = (
        "the configuration but for what the launcher says, the best metric's own epoch, figures "
        "per image"
    )

    _tested: Mapping[str, float] | None = None
    """Figures of an evaluation by itself, whose last one has not been read yet."""

    by_global_step = progress(
        KeyValues(_EPOCH + "global_step: {step:int}, ", delimiter=", ", numbers=_NUMBERS),
        _RECORD,
        1.0,
    )
    by_iteration = progress(
        KeyValues(
            _EPOCH + "iter: {step:int}, ", delimiter=", ", numbers=_NUMBERS, required=("ips",)
        ),
        _RECORD,
        0.9,
    )

    # Before 2.0: `iter: 10, 'lr': 0.00025, 'loss': 480.98, 'acc': 0.0, time: 1.324`.
    by_iteration_alone = progress(
        KeyValues(
            _EPOCH + "iter: {step:int}, ",
            delimiter=", ",
            quotes="'",
            numbers={"loss": "loss", "duration": "time"},
            required=("loss", "time"),
        ),
        NamedRecord(further=further("loss", "time")),
        0.9,
    )

    @line(_metrics("cur"), 0.7, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        metrics = figures(f["pairs"], names=_NAMES)
        yield Evaluation(line.origin(), metrics, step=self.step, midway=True)

    @line("save model in {}/latest", 0.3, "checkpoint")
    def _saved(self, line: Line, f: Fields) -> Events:
        if self.epoch is not None:
            yield EpochEnd(line.origin(), self.epoch)

    tests = remembers(
        "metric eval ***************", 0.5, "evaluation", _tested=MappingProxyType({})
    )
    # The figures that a checkpoint has are of an earlier evaluation.
    loads = remembers("metric in ckpt ***************", 0.3, "checkpoint", _tested=None)

    @line(tuple(f"{name}:{{{name}:float}}" for name in _NAMES), 0.1, "evaluation")
    def _figure(self, line: Line, f: Fields) -> Events:
        """Reads a figure of `tools/eval.py`, which prints each on its own line, `fps` last."""
        if self._tested is not None:
            self._tested = {**self._tested, **f}
        return ()

    @line("fps:{fps:float}", 0.1, "evaluation")
    def _evaluated(self, line: Line, f: Fields) -> Events:
        metrics, self._tested = figures(self._tested or {}, names=_NAMES), None
        if metrics:
            after = self.epoch is not None
            yield Evaluation(line.origin(), metrics, after_training=after, data="test")

    best = summary(_metrics("best"), 0.5, "best")

    @line("train with paddle {version:word} and device {}", 0.5, "header")
    def _header(self, line: Line, f: Fields) -> Events:
        self.facts.clear()
        yield RunStart(line.origin())
        yield RunInfo(line.origin(), "framework", f"PaddlePaddle {f['version']}")

    launcher = Paddle.statements
