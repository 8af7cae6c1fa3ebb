"""The OpenMMLab family's text logs: MMCV 1.x and MMEngine (mmdet, mmseg, mmpretrain, …).

MMCV prints an accuracy as a fraction, but `accuracy_top-1` in percent; MMEngine's mmseg prints
percent. Neither says how many devices train: only the time of an iteration is printed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Iteration,
    Metric,
    RunStart,
    Scope,
    Summary,
)
from sixdim.parsers.grammar.figures import Facts, figure, figures
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import IterationRecord, further
from sixdim.parsers.statements.rows import progress
from sixdim.parsers.text.lines import Line

_NUMBERS = {"loss": "loss", "duration": "time"}
_CLOCKS = frozenset(("time", "data_time", "eta", "memory", "lr", "base_lr"))
_NAMES = {
    "bbox_mAP": ("box", "fraction"),
    "segm_mAP": ("mask", "fraction"),
    "coco/bbox_mAP": ("box", "fraction"),
    "coco/segm_mAP": ("mask", "fraction"),
    "pascal_voc/mAP": ("map", "fraction"),
    "coco/AP": ("AP", "fraction"),
    "accuracy_top-1": ("acc1", "%"),
    "accuracy_top-5": ("acc5", "%"),
    "accuracy/top1": ("acc1", "%"),
    "accuracy/top5": ("acc5", "%"),
    "acc/top1": ("acc1", "fraction"),  # mmaction's, as its forebear's `top1_acc`
    "acc/top5": ("acc5", "fraction"),
    "top1_acc": ("acc1", "fraction"),
    "top5_acc": ("acc5", "fraction"),
    "mIoU": ("miou", "fraction"),
    "mAcc": ("mAcc", "fraction"),
    "aAcc": ("aAcc", "fraction"),
}
# mmseg on MMEngine rounds `np.nanmean(...) * 100`.
_MMENGINE_NAMES = {
    **_NAMES,
    "mIoU": ("miou", "%"),
    "mAcc": ("mAcc", "%"),
    "aAcc": ("aAcc", "%"),
}


def evaluated(pairs: Mapping[str, object], *, mmengine: bool) -> tuple[Metric, ...]:
    """The figures of a validation line, without its clocks, copies and per-class rows."""
    whole = {
        key: value
        for key, value in pairs.items()
        if "copypaste" not in key and not key.startswith(("IoU.", "Acc."))
    }
    names = dict(_MMENGINE_NAMES if mmengine else _NAMES)
    for key in whole:
        if "mAP" in key or key.rpartition("/")[2].startswith(("AP", "AR")):
            names.setdefault(key, (key, "fraction"))
    found = figures(whole, skip=_CLOCKS, names=names)
    # COCO's evaluation says -1 where there was nothing to evaluate.
    return tuple(m for m in found if not (m.unit == "fraction" and m.value == -1))


_RECORD = IterationRecord(
    epoch="epoch",
    step="step",
    steps="steps",
    loss=("loss",),
    duration=("duration",),
    further=further(figures, skip=frozenset(("eta", "time", "loss"))),
)


class MmcvText(Reader):
    """Reads one text log."""

    name = "mmcv"
    title = "MMCV and MMEngine text (mmdet, mmseg, mmpretrain, mmpose, …)"
    example = (
        "Epoch [1][50/7330]\tlr: 2.000e-03, eta: 1 day, 2:00:00, time: 0.512, "
        "data_time: 0.010, memory: 3800, loss: 1.9472"
    )
    unread = (
        "the configuration but for the batch and the devices, per-class and COCO tables (their "
        "totals are in the line after), running figures of a validation"
    )

    def __init__(self) -> None:
        self._facts = Facts()
        self._throughput_told = False
        self._resumed = False

    def note(self, last: Iteration) -> None:
        """As `Reader.note`; the next figure of an epoch is a new one's."""
        super().note(last)
        self._throughput_told = False

    def _evaluation(self, line: Line, f: Fields) -> Iterator[Event]:
        metrics = evaluated(f["pairs"], mmengine=False)
        if metrics:
            yield Evaluation(line.origin(), metrics, epoch=f.get("epoch"), step=f.get("step"))

    def _validation(self, line: Line, f: Fields) -> Iterator[Event]:
        # Progress and result share their shape; only the result has figures.
        metrics = evaluated(f["pairs"], mmengine=True)
        if metrics and f["batch"] == f["batches"]:
            yield Evaluation(
                line.origin(),
                metrics,
                epoch=f.get("epoch"),
                step=self.step if self.epoch is None else None,
            )

    def _throughput(self, line: Line, f: Fields) -> Iterator[Event]:
        # Every rank prints the job's figure; the first one after an epoch stands for all.
        if not self._throughput_told:
            self._throughput_told = True
            yield EpochEnd(
                line.origin(), None, throughput=f["value"], unit="img/s", scope=Scope.JOB
            )

    def _best(self, line: Line, f: Fields) -> Iterator[Event]:
        name, unit = _NAMES.get(f["metric"], (f["metric"], ""))
        best = figure("best " + name, f["value"], unit)
        yield Summary(line.origin(), (best,))

    def _start(self, line: Line, f: Fields) -> Iterator[Event]:
        self.latest = None
        # Published times to train count from here; a resumed run's clock began elsewhere.
        yield RunStart(line.origin(), timed=not self._resumed)
        self._resumed = False

    def _resumes(self, line: Line, f: Fields) -> Iterator[Event]:
        self._resumed = True
        return iter(())

    def _environment(self, line: Line, f: Fields) -> Iterator[Event]:
        self._facts.forget()
        self._resumed = False
        yield RunStart(line.origin())

    def _epochs(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self._facts.report(line.origin(), "epochs_planned", f["epochs"])

    def _batch(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self._facts.report(line.origin(), "batch_per_device", f["batch"])

    def _single(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self._facts.report(line.origin(), "devices", 1)

    def _devices(self, line: Line, f: Fields) -> Iterator[Event]:
        # Older versions print range(0, 1) for every distributed run: a 1 says nothing.
        if f["devices"] > 1:
            yield from self._facts.report(line.origin(), "devices", f["devices"])

    statements = (
        progress(
            KeyValues(
                "Epoch [{epoch:int}][{step:int}/{steps:int}]",
                delimiter=", ",
                separator=": ",
                numbers=_NUMBERS,
                required=("time",),
            ),
            _RECORD,
            1.0,
        ),
        progress(
            KeyValues(
                "Iter [{step:int}/{steps:int}]",
                delimiter=", ",
                separator=": ",
                numbers=_NUMBERS,
                required=("time",),
            ),
            _RECORD,
            1.0,
        ),
        progress(
            KeyValues(
                "Epoch(train) [{epoch:int}][{step:int}/{steps:int}]",
                separator=": ",
                numbers=_NUMBERS,
                required=("time",),
            ),
            _RECORD,
            1.0,
        ),
        progress(
            KeyValues(
                "Iter(train) [{step:int}/{steps:int}]",
                separator=": ",
                numbers=_NUMBERS,
                required=("time",),
            ),
            _RECORD,
            1.0,
        ),
        Statement(
            KeyValues(
                "Epoch(val) [{epoch:int}][{batch:int}/{batches:int}]", separator=": ", numbers={}
            ),
            _validation,
            1.0,
            "evaluation",
        ),
        Statement(
            KeyValues("Iter(val) [{batch:int}/{batches:int}]", separator=": ", numbers={}),
            _validation,
            1.0,
            "evaluation",
        ),
        Statement(
            KeyValues(
                "Epoch(val) [{epoch:int}][{batches:int}]",
                delimiter=", ",
                separator=": ",
                numbers={},
            ),
            _evaluation,
            1.0,
            "evaluation",
        ),
        Statement(
            KeyValues("Iter(val) [{step:int}]", delimiter=", ", separator=": ", numbers={}),
            _evaluation,
            1.0,
            "evaluation",
        ),
        Statement(Skeleton("Avgfps img/s: {value:float}"), _throughput, 1.0, "epoch throughput"),
        Statement(
            Skeleton("Best {metric:word} is {value:float} at {epoch:int} epoch."),
            _best,
            0.8,
            "best",
        ),
        Statement(
            Skeleton("Best {metric:word} is {value:float} at {step:int} iter."), _best, 0.8, "best"
        ),
        Statement(
            Skeleton("The best checkpoint with {value:float} {metric:word} at {epoch:int} {}"),
            _best,
            0.8,
            "best",
        ),
        Statement(Skeleton("Now best checkpoint is saved as {}"), Reader.quiet, 0.4, "checkpoint"),
        Statement(Skeleton("Saving checkpoint at {}"), Reader.quiet, 0.4, "checkpoint"),
        Statement(Skeleton("Environment info:"), _environment, 0.1, "header"),
        Statement(Skeleton("resumed epoch: {}"), _resumes, 0.5, "resume"),
        Statement(Skeleton("resumed from epoch: {}"), _resumes, 0.5, "resume"),
        Statement(Skeleton("Start running, host: {}"), _start, 0.8, "header"),
        Statement(Skeleton("workflow: [{}], max: {epochs:int} epochs"), _epochs, 0.8, "header"),
        Statement(Skeleton("workflow: [{}], max: {}"), Reader.quiet, 0.8, "header"),
        Statement(Skeleton("samples_per_gpu={batch:int},"), _batch, 0.3, "config"),
        Statement(Skeleton("Distributed training: False"), _single, 0.3, "config"),
        Statement(Skeleton("gpu_ids = range(0, {devices:int})"), _devices, 0.3, "config"),
        Statement(Skeleton("Exp name: {}"), Reader.quiet, 0.3, "experiment"),
    )
