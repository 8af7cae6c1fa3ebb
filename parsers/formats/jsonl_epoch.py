"""One JSON object per epoch: the log.txt of DETR, DeiT, MAE, ConvNeXt, Twins, RepViT, ….

The whole family prints accuracies in percent. ConvNeXt's averaged model has figures of its
own (`test_acc1_ema`).
"""

from sixdim.parsers.events import EpochEnd, Events
from sixdim.parsers.grammar.shapes.json_record import JsonRecord
from sixdim.parsers.grammar.shapes.shape import Broken, Fields
from sixdim.parsers.grammar.vocabulary.durations import spoken_seconds
from sixdim.parsers.statements.epoch_record import EpochReader, EpochRecord, Figure
from sixdim.parsers.statements.statement import Statement
from sixdim.parsers.text.lines import Line

_TESTS = ("test_", "val_", "eval_", "ema_test_")
_COCO = {"coco_eval_bbox": "box", "coco_eval_masks": "mask"}
_NAMES = {
    "acc1": ("acc1", "%"),
    "acc5": ("acc5", "%"),
    "box": ("box", "fraction"),
    "mask": ("mask", "fraction"),
}


def _figure_of(key: str) -> Figure | None:
    """Returns the figure that a key names: training, evaluation, or averaged model; else None."""
    if key.startswith("train_"):
        return Figure("", key)
    prefix = next((p for p in _TESTS if key.startswith(p)), None)
    if prefix is None:
        return None
    name = key.removeprefix(prefix)
    averaged = prefix == "ema_test_" or name.endswith("_ema")
    name = name.removesuffix("_ema")
    listed = name in _COCO  # COCO's first figure is AP at 0.50:0.95
    name = _COCO.get(name, name)
    return Figure("averaged" if averaged else "raw", *_NAMES.get(name, (name, "")), listed)


_RECORD = EpochRecord(_figure_of)
_PLACES = frozenset(("epoch", "step", "steps", "global_step", "iter", "iteration"))


class _Unlabelled(JsonRecord):
    """A record of an epoch's training and evaluation that does not name the epoch."""

    def match(self, text: str) -> Fields | Broken | None:
        """See `Shape.match`."""
        record = super().match(text)
        if isinstance(record, dict) and _PLACES.isdisjoint(record):
            figures = (_figure_of(key) for key in record)
            if any(figure is not None and figure.model for figure in figures):
                return record
        return None


def _epoch(reader: EpochReader, line: Line, f: Fields) -> Events:
    """Yields the events of a record; DINO for detection prints how long training and tests took."""
    lasted = f.get("epoch_time")
    seconds = spoken_seconds(lasted) if isinstance(lasted, str) else None
    for event in _RECORD.read(reader, line, f):
        if seconds is not None and isinstance(event, EpochEnd):
            event = event._replace(epoch_time=seconds)
        yield event


class JsonlEpoch(EpochReader):
    name = "jsonl-epoch"
    title = "a JSON object per epoch (DETR, DeiT, MAE, ConvNeXt, Twins, …)"
    example = '{"train_lr": 1e-06, "train_loss": 6.91, "test_acc1": 0.216, "epoch": 0}'
    unread = "times and rates whose keys name no unit, COCO's figures after the first"

    epochs = tuple(
        Statement(JsonRecord(required=("epoch", key)), _epoch, weight, "epoch")
        for key, weight in (
            ("train_lr", 1.0),
            ("test_acc1", 1.0),
            ("test_coco_eval_bbox", 1.0),
        )
    )
    unlabelled = Statement(
        _Unlabelled(required=("train_lr", "train_loss")), _RECORD.read, 0.8, "epoch"
    )
