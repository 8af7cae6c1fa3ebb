"""PaddleClas in its generations, from PaddleCV 1.8's `[Pass 0, train batch 9]` to `ppcls`.

Static programs (1.x, 2.0, 2.1, 2.3+) print `epoch:0   train step:10`, with commas and an
`eta` in the dynamic 2.0 and 2.1; `ppcls/engine` (2.2+) prints `[Train][Epoch 1/120][Iter: …]`.
"""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import EpochEnd, Evaluation, Event, Metric, RunInfo, Scope, Summary
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.pairs import figures, rate_unit
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.paddle import PADDLE, Paddle, metrics_of, paddle_record
from sixdim.parsers.statements.rows import each
from sixdim.parsers.text.lines import Line

_SECTIONS = tuple(
    Skeleton(f"{name} :")
    for name in (
        *("Arch", "ARCHITECTURE", "Global", "Loss", "Optimizer", "OPTIMIZER"),
        *("Train", "TRAIN", "Eval", "VALID", "Infer", "Metric"),
    )
)
_NUMBERS = {
    "throughput": "ips",
    "loss": "loss",
    "batch_cost": "batch_cost",
    "elapse": "elapse",
}
_SUMS = {"throughput": "ips", "batches": "batch_cost_sum", "elapsed": "elapse_sum"}
_TIMES = ("ips", "batch_cost", "reader_cost", "batch_cost_sum", "elapse", "elapse_sum", "lr", "eta")
_NAMES = {"top1": "acc1", "top5": "acc5", "test_acc1": "acc1", "test_acc5": "acc5"}
_GLUED = ("sec", "s")
_RECORD = paddle_record("batch_cost", "elapse")


class PaddleClas(Paddle):
    """Reads one log of PaddleClas."""

    name = "paddleclas"
    title = "PaddleClas, static and dynamic, 1.x to 2.6 (and PaddleCV image classification)"
    example = (
        "[2023/07/28 06:42:45] ppcls INFO: epoch:0   train step:10   lr: 0.1, loss:  8.3496 "
        "top1:  0.0 batch_cost: 0.64841 s, reader_cost: 0.00067 s, ips: 394.81086 samples/sec."
    )
    unread = (
        "the configuration but for model, batch and precision, running figures of an evaluation"
    )

    def __init__(self) -> None:
        super().__init__()
        self._section = ""

    def _iteration(self, line: Line, f: Fields) -> Iterator[Event]:
        return self.planned(line, f, _RECORD)

    def _epoch(self, line: Line, f: Fields) -> Iterator[Event]:
        pairs, speed = f["pairs"], f.get("throughput")
        yield EpochEnd(
            line.origin(),
            f["epoch"],
            throughput=speed,
            unit=rate_unit(pairs["ips"]) if speed is not None else "",
            scope=Scope.DEVICE if speed is not None else Scope.UNKNOWN,
            train_time=f.get("batches", f.get("elapsed")),
            values=figures(pairs, ("ips",)),
        )

    def _evaluation(self, line: Line, f: Fields) -> Iterator[Event]:
        pairs = {k: v for k, v in f["pairs"].items() if k not in _TIMES and "train_" not in k}
        metrics = metrics_of(pairs, "fraction", _NAMES)
        if metrics:
            yield Evaluation(line.origin(), metrics, epoch=f.get("epoch"))

    def _best(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Summary(line.origin(), (Metric("best metric", f["value"], "fraction"),))

    def _enter(self, line: Line, f: Fields) -> Iterator[Event]:
        self._section = line.text.split()[0]
        return iter(())

    def _name(self, line: Line, f: Fields) -> Iterator[Event]:
        if self._section in ("Arch", "ARCHITECTURE"):
            self._section = ""
            yield RunInfo(line.origin(), "model", f["name"])

    def _batch(self, line: Line, f: Fields) -> Iterator[Event]:
        # Up to 2.1 the file names the batch of all cards, from 2.2 each card's sampler does.
        if self._section == "TRAIN":
            yield RunInfo(line.origin(), "global_batch", f["batch"])
        elif self._section == "Train":
            yield RunInfo(line.origin(), "batch_per_device", f["batch"])

    def _epochs(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self.tell(line, "epochs_planned", f["epochs"])

    def _images(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "samples_per_epoch", f["images"])

    def _amp(self, line: Line, f: Fields) -> Iterator[Event]:
        if f["on"] == "True":
            yield RunInfo(line.origin(), "precision", "amp")

    def _pure(self, line: Line, f: Fields) -> Iterator[Event]:
        if f["on"] in ("True", "O2"):
            yield RunInfo(line.origin(), "precision", "fp16")

    def _banner(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self._begin(line, f)
        yield RunInfo(line.origin(), "framework", "PaddlePaddle")

    statements = (
        Statement(
            KeyValues(
                "epoch:{epoch:int}{}train step:{step:int}",
                delimiter=None,
                numbers=_NUMBERS,
                glued=_GLUED,
            ),
            _iteration,
            1.0,
            "iteration",
        ),
        Statement(
            KeyValues(
                "[Train][Epoch {epoch:int}/{epochs:int}][Iter: {step:int}/{steps:int}]",
                delimiter=", ",
                numbers=_NUMBERS,
                glued=_GLUED,
            ),
            _iteration,
            1.0,
            "iteration",
        ),
        Statement(
            KeyValues(
                "epoch:[{epoch:int}/{epochs:int}]{}train step:{step:int}",
                delimiter=None,
                numbers=_NUMBERS,
                glued=_GLUED,
            ),
            _iteration,
            0.9,
            "iteration",
        ),
        Statement(
            KeyValues(
                "[Pass {epoch:int}, train batch {step:int}]",
                delimiter=", ",
                separator=" ",
                numbers={"loss": "loss", "elapse": "elapse"},
                glued=_GLUED,
            ),
            _iteration,
            1.0,
            "iteration",
        ),
        Statement(
            KeyValues(
                "[Train][Epoch {epoch:int}/{epochs:int}][Avg]",
                delimiter=", ",
                numbers=_SUMS,
                glued=_GLUED,
            ),
            _epoch,
            1.0,
            "epoch",
        ),
        Statement(
            KeyValues("END epoch:{epoch:int} train", delimiter=None, numbers=_SUMS, glued=_GLUED),
            _epoch,
            1.0,
            "epoch",
        ),
        Statement(
            KeyValues("END epoch:{epoch:int} valid", delimiter=None, numbers={}),
            _evaluation,
            1.0,
            "evaluation",
        ),
        Statement(
            KeyValues("END epoch:{epoch:int} eval", delimiter=None, numbers={}),
            _evaluation,
            1.0,
            "evaluation",
        ),
        Statement(
            KeyValues("END valid ", delimiter=None, numbers={}), _evaluation, 0.5, "evaluation"
        ),
        Statement(
            KeyValues("END eval ", delimiter=None, numbers={}), _evaluation, 0.5, "evaluation"
        ),
        Statement(
            KeyValues("[Eval][Epoch {epoch:int}][Avg]", delimiter=", ", numbers={}),
            _evaluation,
            1.0,
            "evaluation",
        ),
        Statement(
            KeyValues("[End pass {epoch:int},", delimiter=", ", separator=" ", numbers={}),
            _evaluation,
            1.0,
            "evaluation",
        ),
        Statement(
            Skeleton("[Eval][Epoch {epoch:int}][best metric: {value:float}]"), _best, 1.0, "best"
        ),
        Statement(
            Skeleton("[Eval][Epoch {epoch:int}][Iter: {}"), Paddle.quiet, 0.5, "eval progress"
        ),
        Statement(Skeleton("epoch:{epoch:int}{}valid step:{}"), Paddle.quiet, 0.5, "eval progress"),
        Statement(Skeleton("epoch:{epoch:int}{}eval step:{}"), Paddle.quiet, 0.5, "eval progress"),
        Statement(Skeleton("eval step:{}"), Paddle.quiet, 0.3, "eval progress"),
        Statement(Skeleton("valid step:{}"), Paddle.quiet, 0.3, "eval progress"),
        Statement(Skeleton("[Pass {epoch:int}, test {}"), Paddle.quiet, 0.5, "eval progress"),
        Statement(
            Skeleton("== PaddleClas is powered by PaddlePaddle ! =="), _banner, 1.0, "header"
        ),
        *each(_SECTIONS, _enter, 0.0, "configuration"),
        Statement(Skeleton("name : {name:word}"), _name, 0.0, "configuration"),
        Statement(Skeleton("batch_size : {batch:int}"), _batch, 0.0, "configuration"),
        Statement(Skeleton("epochs : {epochs:int}"), _epochs, 0.0, "configuration"),
        Statement(Skeleton("total_images : {images:int}"), _images, 0.0, "configuration"),
        Statement(Skeleton("use_amp : {on:word}"), _amp, 0.0, "configuration"),
        Statement(Skeleton("use_pure_fp16 : {on:word}"), _pure, 0.0, "configuration"),
        Statement(Skeleton("level : {on:word}"), _pure, 0.0, "configuration"),
        *PADDLE,
    )
