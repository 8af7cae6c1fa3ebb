"""PaddleOCR: text detection and recognition, evaluated every so many steps."""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import Evaluation, Event, RunInfo, Summary
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.pairs import figures
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.paddle import PADDLE, Paddle, metrics_of, paddle_record
from sixdim.parsers.text.lines import Line

_NUMBERS = {
    "throughput": "ips",
    "loss": "loss",
    "average": "avg_batch_cost",
    "batch_cost": "batch_cost",
}
_NAMES = {k: k for k in ("acc", "precision", "recall", "hmean", "f1", "norm_edit_dis", "total_acc")}
_RECORD = paddle_record("average", "batch_cost", unit="samples/s")


class PaddleOCR(Paddle):
    """Reads one log of PaddleOCR."""

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

    def _iteration(self, line: Line, f: Fields) -> Iterator[Event]:
        return self.planned(line, f, _RECORD)

    def _evaluation(self, line: Line, f: Fields) -> Iterator[Event]:
        metrics = metrics_of(f["pairs"], "fraction", _NAMES)
        if metrics:
            yield Evaluation(line.origin(), metrics, step=self.step)

    def _best(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Summary(line.origin(), figures(f["pairs"]))

    def _header(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self._begin(line, f)
        yield RunInfo(line.origin(), "framework", f"PaddlePaddle {f['version']}")

    statements = (
        Statement(
            KeyValues(
                "epoch: [{epoch:int}/{epochs:int}], global_step: {step:int}, ",
                delimiter=", ",
                numbers=_NUMBERS,
            ),
            _iteration,
            1.0,
            "iteration",
        ),
        Statement(
            KeyValues(
                "epoch: [{epoch:int}/{epochs:int}], iter: {step:int}, ",
                delimiter=", ",
                numbers=_NUMBERS,
                required=("ips",),
            ),
            _iteration,
            0.9,
            "iteration",
        ),
        Statement(
            KeyValues("cur metric, ", delimiter=", ", numbers={}), _evaluation, 0.7, "evaluation"
        ),
        Statement(KeyValues("best metric, ", delimiter=", ", numbers={}), _best, 0.5, "best"),
        Statement(
            Skeleton("train with paddle {version:word} and device {}"), _header, 0.5, "header"
        ),
        *PADDLE,
    )
