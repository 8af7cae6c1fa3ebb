"""One JSON object per epoch: the log.txt of DETR, DeiT, MAE, ConvNeXt, Twins, RepViT, ….

Accuracies are in percent in the whole family. ConvNeXt's averaged model has figures of its
own (`test_acc1_ema`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from parsers.events import EpochEnd, Evaluation, Event, RunStart
from parsers.figures import as_whole, figures
from parsers.format import Reader, Statement
from parsers.json_record import JsonRecord
from parsers.shape import Fields
from parsers.text import Line

_TESTS = ("test_", "val_", "eval_", "ema_test_")
_COCO = {"coco_eval_bbox": "box", "coco_eval_masks": "mask"}
_NAMES = {
    "acc1": ("acc1", "%"),
    "acc5": ("acc5", "%"),
    "box": ("box", "fraction"),
    "mask": ("mask", "fraction"),
}


class JsonlEpoch(Reader):
    """Reads one log.txt."""

    name = "jsonl-epoch"
    title = "a JSON object per epoch (DETR, DeiT, MAE, ConvNeXt, Twins, …)"
    example = '{"train_lr": 1e-06, "train_loss": 6.91, "test_acc1": 0.216, "epoch": 0}'
    unread = "throughput and times (the file has none), COCO's figures after the first"

    def __init__(self) -> None:
        self._first: int | None = None

    def _epoch(self, line: Line, f: Fields) -> Iterator[Event]:
        at, epoch = line.origin(), as_whole(f["epoch"])
        # A resumed run goes on with a later epoch; a new one begins again with the first.
        if epoch is not None and (self._first is None or epoch <= self._first):
            self._first = epoch
            yield RunStart(at)
        trained = {k: v for k, v in f.items() if k.startswith("train_")}
        yield EpochEnd(at, epoch, values=figures(trained))
        for model, tested in _by_model(f).items():
            metrics = figures(tested, names=_NAMES)
            if metrics:
                yield Evaluation(at, metrics, epoch=epoch, model=model)

    statements = (
        Statement(JsonRecord(required=("epoch", "train_loss")), _epoch, 1.0, "epoch"),
        Statement(JsonRecord(required=("epoch", "test_acc1")), _epoch, 1.0, "epoch"),
        Statement(JsonRecord(required=("epoch", "train_lr")), _epoch, 0.8, "epoch"),
    )


def _by_model(record: Fields) -> dict[str, dict[str, Any]]:
    """The evaluation's figures without their prefix, the averaged model's apart."""
    out: dict[str, dict[str, Any]] = {"raw": {}, "averaged": {}}
    for key, value in record.items():
        prefix = next((p for p in _TESTS if key.startswith(p)), None)
        if prefix is None:
            continue
        name = key.removeprefix(prefix)
        averaged = prefix == "ema_test_" or name.endswith("_ema")
        name = name.removesuffix("_ema")
        if name in _COCO and isinstance(value, list) and value:
            name, value = _COCO[name], value[0]  # COCO's first figure is AP at 0.50:0.95
        out["averaged" if averaged else "raw"][name] = value
    return out
