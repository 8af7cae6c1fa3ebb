"""PaddleSeg: counted in iterations of the whole run, evaluated by mean IoU."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sixdim.parsers.events import Evaluation, Event, Metric, RunInfo, Summary
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.paddle import PADDLE, Paddle, metrics_of, paddle_record
from sixdim.parsers.statements.record import Gauge
from sixdim.parsers.text.lines import Line

_NUMBERS = {"throughput": "ips", "loss": "loss", "duration": "batch_cost"}
_NAMES = {"mIoU": "miou", "Acc": "acc", "Kappa": "kappa", "Dice": "dice", "Auc_roc": "auc"}
_PROGRESS = paddle_record("duration", unit="samples/s")
# `iter` counts over the whole run, so the epoch is one figure among the others.
_RECORD = replace(
    _PROGRESS,
    epoch="",
    figures=(Gauge("epoch", "epoch"),),
)


class PaddleSeg(Paddle):
    """Reads one log of PaddleSeg."""

    name = "paddleseg"
    title = "PaddleSeg semantic segmentation"
    example = (
        "2022-06-10 17:44:40 [INFO]\t[TRAIN] epoch: 1, iter: 185/200, loss: 0.5625, "
        "lr: 0.001030, batch_cost: 0.5001, reader_cost: 0.00285, ips: 15.9956 samples/sec"
    )
    unread = (
        "IoU, accuracy and kappa by class (the means are read), the configuration but for the model"
    )

    def __init__(self) -> None:
        super().__init__()
        self._in_model = False

    def _iteration(self, line: Line, f: Fields) -> Iterator[Event]:
        return self.checked(line, f, _RECORD)

    def _evaluation(self, line: Line, f: Fields) -> Iterator[Event]:
        metrics = metrics_of(f["pairs"], "fraction", _NAMES)
        if metrics:
            yield Evaluation(line.origin(), metrics, step=self.step or None)

    def _best(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Summary(line.origin(), (Metric("best miou", f["value"], "fraction"),))

    def _environment(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self._begin(line, f)

    def _devices(self, line: Line, f: Fields) -> Iterator[Event]:
        # One node's; the launcher may have told of more.
        if "devices" not in self._told:
            yield from self.tell(line, "devices", f["devices"])

    def _framework(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "framework", f"PaddlePaddle {f['version']}")

    def _batch(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self.tell(line, "batch_per_device", f["batch"])

    def _samples(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "samples_per_epoch", f["samples"])

    def _amp(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "precision", "fp16" if f["level"] == "O2" else "amp")

    def _model(self, line: Line, f: Fields) -> Iterator[Event]:
        self._in_model = True
        return iter(())

    def _type(self, line: Line, f: Fields) -> Iterator[Event]:
        if self._in_model and line.text.startswith("  type"):  # deeper ones are its parts
            self._in_model = False
            yield from self.tell(line, "model", f["model"])

    statements = (
        Statement(
            KeyValues(
                "[TRAIN] epoch: {epoch:int}, iter: {step:int}/{steps:int}, ",
                delimiter=", ",
                numbers=_NUMBERS,
            ),
            _iteration,
            1.0,
            "iteration",
        ),
        Statement(
            KeyValues(
                "[TRAIN] epoch={epoch:int}, iter={step:int}/{steps:int}, ",
                delimiter=", ",
                separator="=",
                numbers=_NUMBERS,
            ),
            _iteration,
            1.0,
            "iteration",
        ),
        Statement(
            KeyValues("[EVAL] #Images: {images:int}", delimiter=None, numbers={}),
            _evaluation,
            1.0,
            "evaluation",
        ),
        Statement(
            KeyValues("[EVAL] #Images={images:int}", delimiter=None, separator="=", numbers={}),
            _evaluation,
            1.0,
            "evaluation",
        ),
        Statement(
            Skeleton(
                "[EVAL] The model with the best validation mIoU ({value:float}) was saved at "
                "iter {step:int}."
            ),
            _best,
            1.0,
            "best",
        ),
        Statement(Skeleton("[EVAL] {}"), Paddle.quiet, 0.2, "evaluation table"),
        Statement(
            Skeleton("------------Environment Information-------------"),
            _environment,
            0.2,
            "header",
        ),
        Statement(Skeleton("GPUs used: {devices:int}"), _devices, 0.1, "environment"),
        Statement(Skeleton("PaddlePaddle: {version:word}"), _framework, 0.1, "environment"),
        Statement(Skeleton("PaddleSeg: {version:word}"), Paddle.quiet, 0.5, "environment"),
        Statement(Skeleton("batch_size: {batch:int}"), _batch, 0.0, "configuration"),
        Statement(Skeleton("train dataset len: {samples:int}"), _samples, 0.1, "header"),
        Statement(Skeleton("use AMP to train. AMP level = {level:word}"), _amp, 0.5, "header"),
        Statement(Skeleton("model:"), _model, 0.0, "configuration"),
        Statement(Skeleton("type: {model:word}"), _type, 0.0, "configuration"),
        *PADDLE,
    )
