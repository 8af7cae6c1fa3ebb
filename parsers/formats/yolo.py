"""YOLOv5, v7, v8 and v11 (Ultralytics): a progress bar per epoch and a table per validation.

The bar gives iterations, not images, per second. What stands between memory and bar are the
columns that the header line above it names. The validation of the best weights that follows
`… epochs completed in … hours` comes after training.
"""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import EpochEnd, Evaluation, Event, Iteration, Metric, RunEnd, RunStart
from sixdim.parsers.grammar.figures import Facts, as_number, as_whole, figure, figures
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.rows import each
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_HOUR = 3600
_CLASSIFIED = {"top1_acc": "acc1", "top5_acc": "acc5"}
_DEVICES = pattern(r"\bdevice=\[?(\d{1,4}(?:, ?\d{1,4}){0,999})")


def _scores(f: Fields, suffix: str = "") -> tuple[Metric, ...]:
    keys = ("precision", "recall", "map50", "map")
    return tuple(Metric(k + suffix, f[k + suffix], "fraction") for k in keys if k + suffix in f)


class Yolo(Reader):
    """Reads one console log."""

    name = "yolo"
    title = "YOLOv5, YOLOv7, YOLOv8, YOLO11 (Ultralytics) console"
    example = (
        "0/299      10.9G     0.1195    0.03632          0         90        640:   "
        "5%|▍         | 8/171 [00:10<02:11,  1.24it/s]"
    )
    unread = "per-class rows, the speed of a validation, anchors and the model's table"

    def __init__(self) -> None:
        self._facts = Facts()
        self._columns: tuple[str, ...] = ()
        self._epoch: int | None = None
        self._step = 0
        self._over = False
        self._second = "mask"

    def _bar(self, line: Line, f: Fields) -> Iterator[Event]:
        if f["epoch"] != self._epoch:
            self._epoch, self._step = f["epoch"], 0
        if f["step"] <= self._step:
            return  # not begun, or redrawn
        self._step = f["step"]
        at, cells = line.origin(), f["figures"].split()
        values = figures(dict(zip(self._columns, cells, strict=False)))
        known = f["pace"] == f["pace"]
        yield Iteration(
            at,
            epoch=f["epoch"],
            step=f["step"],
            steps=f["steps"],
            duration=f["pace"] if known else None,
            values=(*values, *_memory(f["memory"])),
        )
        if f["step"] == f["steps"] and "elapsed" in f:
            yield EpochEnd(at, f["epoch"], train_time=f["elapsed"], values=values)
        # YOLOv5's classifier writes the evaluation behind the losses, in the last drawing.
        scores = tuple(
            Metric(_CLASSIFIED[m.name], m.value, "fraction")
            for m in values
            if m.name in _CLASSIFIED
        )
        if scores:
            yield Evaluation(at, scores, epoch=f["epoch"])

    def _header(self, line: Line, f: Fields) -> Iterator[Event]:
        self._columns = tuple(f["columns"].split())
        return iter(())

    def _validates(self, line: Line, f: Fields) -> Iterator[Event]:
        self._second = "pose" if "Pose(" in f["columns"] else "mask"
        return iter(())

    def _evaluation(self, line: Line, f: Fields) -> Iterator[Event]:
        second = tuple(
            Metric(m.name.replace("second", self._second), m.value, m.unit)
            for m in _scores(f, "_second")
        )
        metrics = (*_scores(f), *second)
        yield Evaluation(line.origin(), metrics, epoch=self._epoch, after_training=self._over)

    def _classification(self, line: Line, f: Fields) -> Iterator[Event]:
        metrics = tuple(Metric(k, f[k], "fraction") for k in ("acc1", "acc5"))
        yield Evaluation(line.origin(), metrics, epoch=self._epoch, after_training=self._over)

    def _start(self, line: Line, f: Fields) -> Iterator[Event]:
        self._epoch, self._step, self._over = None, 0, False
        yield RunStart(line.origin())
        yield from self._facts.report(line.origin(), "epochs_planned", f["epochs"])

    def _end(self, line: Line, f: Fields) -> Iterator[Event]:
        self._over = True
        self._facts.forget()
        yield RunEnd(line.origin(), f["hours"] * _HOUR)

    def _arguments(self, line: Line, f: Fields) -> Iterator[Event]:
        at = line.origin()
        self._facts.forget()
        yield RunStart(at)
        for key, fact in (("batch", "global_batch"), ("batch_size", "global_batch")):
            value = as_whole(f["pairs"].get(key))
            if value is not None and value > 0:  # -1: automatic
                yield from self._facts.report(at, fact, value)
        devices = _DEVICES.search(line.text)
        if devices is not None:
            yield from self._facts.report(at, "devices", devices[1].count(",") + 1)
        model = f["pairs"].get("model") or f["pairs"].get("weights", "").strip("[]'")
        if model:
            yield from self._facts.report(at, "model", model)

    def _automatic(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self._facts.report(line.origin(), "global_batch", f["batch"])

    def _mixed(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self._facts.report(line.origin(), "precision", "amp")

    def _images(self, line: Line, f: Fields) -> Iterator[Event]:
        if f["images"] == f["total"]:
            yield from self._facts.report(line.origin(), "samples_per_epoch", f["images"])

    statements = (
        Statement(
            Skeleton(
                "{epoch:int}/{epochs:int} {memory:word} {figures:until}: {percent:int}%|{}| "
                "{step:int}/{steps:int} [{elapsed:clock}<{remaining:clock}, {pace:pace}..."
            ),
            _bar,
            0.8,
            "progress",
        ),
        Statement(
            Skeleton(
                "{epoch:int}/{epochs:int} {memory:word} {figures:until}: {percent:int}% "
                "{bar:word} {step:int}/{steps:int} {pace:pace} {elapsed:float}s..."
            ),
            _bar,
            0.8,
            "progress",
        ),
        Statement(
            Skeleton(
                "{epoch:int}/{epochs:int} {memory:word} {figures:until}: {percent:int}% "
                "{bar:word} {step:int}/{steps:int} {pace:pace} {elapsed:clock}..."
            ),
            _bar,
            0.8,
            "progress",
        ),
        Statement(
            Skeleton(
                "all {images:int} {instances:int} {precision:float} {recall:float} "
                "{map50:float} {map:float}"
            ),
            _evaluation,
            0.8,
            "evaluation",
        ),
        Statement(
            Skeleton(
                "all {images:int} {instances:int} {precision:float} {recall:float} "
                "{map50:float} {map:float} {precision_second:float} {recall_second:float} "
                "{map50_second:float} {map_second:float}"
            ),
            _evaluation,
            0.8,
            "evaluation",
        ),
        Statement(Skeleton("all {acc1:float} {acc5:float}"), _classification, 0.3, "evaluation"),
        Statement(Skeleton("Epoch GPU_mem {columns:text}"), _header, 1.0, "header"),
        Statement(Skeleton("Epoch gpu_mem {columns:text}"), _header, 1.0, "header"),
        Statement(Skeleton("Class Images {columns:text}"), _validates, 0.8, "validation"),
        Statement(Skeleton("classes top1_acc top5_acc{}"), Reader.quiet, 0.8, "validation"),
        Statement(Skeleton("Starting training for {epochs:int} epochs..."), _start, 0.8, "start"),
        Statement(
            Skeleton("{epochs:int} epochs completed in {hours:float} hours."), _end, 1.0, "end"
        ),
        *each(
            (
                KeyValues(head, delimiter=", ", separator="=", numbers={}, required=("model",))
                for head in (
                    "engine/trainer:",
                    "yolo/engine/trainer:",
                    "classify/train:",
                )
            ),
            _arguments,
            1.0,
            "arguments",
        ),
        Statement(
            KeyValues(
                "segment/train:", delimiter=", ", separator="=", numbers={}, required=("weights",)
            ),
            _arguments,
            1.0,
            "arguments",
        ),
        Statement(
            KeyValues(
                "train:",
                delimiter=", ",
                separator="=",
                numbers={},
                required=("weights", "epochs"),
            ),
            _arguments,
            1.0,
            "arguments",
        ),
        Statement(
            Skeleton("AutoBatch: Using batch-size {batch:int} for {}"), _automatic, 0.8, "batch"
        ),
        Statement(Skeleton("AMP: checks passed{}"), _mixed, 0.8, "precision"),
        Statement(
            Skeleton("train: Scanning {}| {images:int}/{total:int} [{}"), _images, 0.8, "data"
        ),
        Statement(Skeleton("Optimizer stripped from {}"), Reader.quiet, 0.5, "checkpoint"),
        Statement(Skeleton("Plotting labels{}"), Reader.quiet, 0.3, "data"),
    )


def _memory(text: str) -> tuple[Metric, ...]:
    value = as_number(text.rstrip("GM"))
    return () if value is None else (figure("gpu_mem", value, text[-1:] + "B"),)
