"""The logs of OpenMMLab: MMCV 1.x and MMEngine (mmdet, mmseg, mmpretrain, …), as text and JSON.

MMCV prints an accuracy as a fraction, but `accuracy_top-1` in percent; MMEngine's mmseg prints
percent. Neither says how many devices train: only the time of an iteration is printed. The JSON
logs are MMCV's `*.log.json` and MMEngine's `scalars.json`.
"""

from collections.abc import Mapping
from functools import lru_cache

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Iteration, RunStart, Scope, Summary
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole, figure, figures
from sixdim.parsers.grammar.shapes.json_record import JsonRecord
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.evaluated_between import EvaluatedBetween
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.rows import fact, line, progress, remembers, starts
from sixdim.parsers.text.patterns import pattern

_NUMBERS = {"loss": "loss", "duration": "time"}
_LABELS = frozenset(("mode", "epoch", "iter", "step", "time", "loss"))
_NOT_SCORES = frozenset(("time", "data_time", "eta", "memory", "lr", "base_lr", "step"))
_NAMES = {
    "bbox_mAP": ("box", "fraction"),
    "segm_mAP": ("mask", "fraction"),
    "coco/bbox_mAP": ("box", "fraction"),
    "coco/segm_mAP": ("mask", "fraction"),
    "pascal_voc/mAP": ("map", "fraction"),
    "coco/AP": ("AP", "fraction"),
    "cityscapes/AP": ("AP", "fraction"),
    "openimages/AP50": ("map50", "fraction"),
    "bbox_AP": ("box", "fraction"),  # LVIS
    "segm_AP": ("mask", "fraction"),
    "lvis/bbox_AP": ("box", "fraction"),
    "lvis/segm_AP": ("mask", "fraction"),
    "mDice": ("dice", "fraction"),
    "multi-label/mAP": ("map", "%"),  # mmpretrain's
    "accuracy_top-1": ("acc1", "%"),
    "accuracy_top-5": ("acc5", "%"),
    "accuracy/top1": ("acc1", "%"),
    "accuracy/top5": ("acc5", "%"),
    "acc/top1": ("acc1", "fraction"),  # mmaction's, like `top1_acc` in older versions
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
    "mDice": ("dice", "%"),
    "mAcc": ("mAcc", "%"),
    "aAcc": ("aAcc", "%"),
}


def _evaluation(
    line: Line,
    pairs: Mapping[str, object],
    epoch: int | None,
    step: int | None,
    *,
    mmengine: bool,
) -> tuple[Evaluation, ...]:
    """Returns the evaluation of a line, without clocks, copies and per-class figures; else none."""
    names = _scores(tuple(pairs), mmengine=mmengine)
    # COCO's evaluation prints -1 where there was nothing to evaluate.
    metrics = tuple(
        one
        for one in figures({key: pairs[key] for key in names}, names=names)
        if not (one.unit == "fraction" and one.value == -1)
    )
    return (Evaluation(line.origin(), metrics, epoch, step),) if metrics else ()


@lru_cache(256)
def _scores(keys: tuple[str, ...], *, mmengine: bool) -> Mapping[str, tuple[str, str]]:
    """Returns the name and the unit of each score among the keys of an evaluation."""
    whole = [k for k in keys if "copypaste" not in k and not k.startswith(("IoU.", "Acc."))]
    known = _MMENGINE_NAMES if mmengine else _NAMES
    if "CP" in whole:  # mmcls' evaluation of several labels, in percent
        known = {**known, "mAP": ("map", "%")}

    def name_of(key: str) -> tuple[str, str]:
        is_share = "mAP" in key or key.rpartition("/")[2].startswith(("AP", "AR"))
        return known.get(key, (key, "fraction" if is_share else ""))

    return {key: name_of(key) for key in whole if key not in _NOT_SCORES}


_RECORD = NamedRecord(further=further("eta", "time", "loss"))


def _mmcv(head: str, *required: str, delimiter: str = ", ") -> KeyValues:
    """Makes the shape of a line of MMCV; a training line has its time."""
    numbers = _NUMBERS if required else {}
    return KeyValues(head, delimiter=delimiter, separator=": ", numbers=numbers, required=required)


def _mmengine(head: str, *required: str) -> KeyValues:
    """Makes the shape of a line of MMEngine, like `_mmcv`."""
    return _mmcv(head, *required, delimiter="  ")


class MmcvText(EvaluatedBetween):
    name = "mmcv"
    title = "MMCV and MMEngine text (mmdet, mmseg, mmpretrain, mmpose, …)"
    tried = "mmengine 0.10.7"
    example = (
        "Epoch [1][50/7330]\tlr: 2.000e-03, eta: 1 day, 2:00:00, time: 0.512, "
        "data_time: 0.010, memory: 3800, loss: 1.9472"
    )
    unread = (
        "the configuration but for the batch and the devices, per-class and COCO tables (their "
        "totals are in the line after), running figures of a validation"
    )

    _rated: Iteration | bool | None = False
    _resumed = False

    training = progress(
        (
            _mmcv("Epoch [{epoch:int}][{step:int}/{steps:int}]", "time"),
            _mmcv("Epoch [{epoch:int}/{epochs:int}][{step:int}/{steps:int}]", "time"),  # Det3D
            _mmcv("Iter [{step:int}/{steps:int}]", "time"),
            _mmengine("Epoch(train) [{epoch:int}][{step:int}/{steps:int}]", "time"),
            _mmengine("Iter(train) [{step:int}/{steps:int}]", "time"),
        ),
        _RECORD,
        1.0,
    )

    @line(_mmengine("Epoch(val) [{epoch:int}][{batch:int}/{batches:int}]"), 1.0, "evaluation")
    @line(_mmengine("Iter(val) [{batch:int}/{batches:int}]"), 1.0, "evaluation")
    def _validation(self, line: Line, f: Fields) -> Events:
        # Progress and result have the same shape; only the result has figures.
        if f["batch"] != f["batches"]:
            return ()
        step = self.step if self.epoch is None else None
        return _evaluation(line, f["pairs"], f.get("epoch"), step, mmengine=True)

    @line(_mmcv("Epoch(val) [{epoch:int}][{batches:int}]"), 1.0, "evaluation")
    @line(_mmcv("Iter(val) [{number:int}]"), 1.0, "evaluation")
    def _result(self, line: Line, f: Fields) -> Events:
        # Until MMCV 1.3 the number is the step, later the batches of the evaluation.
        step = f.get("number") if self.step is None else self.step
        if "number" in f:
            self.evaluated()
        return _evaluation(
            line, f["pairs"], f.get("epoch"), step if "number" in f else None, mmengine=False
        )

    def includes_evaluations(self, line: Line) -> bool:
        """As `EvaluatedBetween.includes_evaluations`: MMCV alone times them, by iterations."""
        return line.text.startswith("Iter [")

    @line("Saving checkpoint at {epoch:int} epochs", 0.0, "epoch")
    def _saved(self, line: Line, f: Fields) -> Events:
        # It follows the last iteration of an epoch, which has a progress line only now and then.
        # MMEngine saves so at the end of a run by iterations, too: no line of it has an epoch.
        by_epoch = self.latest is None or self.latest.epoch is not None
        return (EpochEnd(line.origin(), f["epoch"]),) if by_epoch else ()

    @line("Avgfps img/s: {value:float}", 1.0, "epoch throughput")
    def _throughput(self, line: Line, f: Fields) -> Events:
        # Every rank prints the job's figure; the first after a progress line stands for all.
        if self._rated is self.latest:
            return ()
        self._rated = self.latest
        return (EpochEnd(line.origin(), None, f["value"], "img/s", Scope.JOB),)

    @line("Best {metric:word} is {value:float} at {epoch:int} epoch.", 0.8, "best")
    @line("Best {metric:word} is {value:float} at {step:int} iter.", 0.8, "best")
    @line("The best checkpoint with {value:float} {metric:word} at {epoch:int} {}", 0.8, "best")
    def _best(self, line: Line, f: Fields) -> Events:
        name, unit = _NAMES.get(f["metric"], (f["metric"], ""))
        return (Summary(line.origin(), (figure("best " + name, f["value"], unit),)),)

    environment = starts("Environment info:", 0.1)
    resumes = remembers(
        ("resumed epoch: {}", "resumed from epoch: {}"), 0.5, "resume", _resumed=True
    )

    @line("Start running, host: {}", 0.8, "header")
    def _start(self, line: Line, f: Fields) -> Events:
        # Published times to train count from here; a resumed run's clock began elsewhere.
        timed, self._resumed, self.latest = not self._resumed, False, None
        return (RunStart(line.origin(), timed),)

    workflow = fact("workflow: [{}], max: {epochs_planned:int} epochs", 0.8, always=True)
    planned = (
        fact("max_epochs={epochs_planned:int}...", 0.1, "config"),
        fact("train_cfg = dict({}max_epochs={epochs_planned:int}...", 0.3, "config"),
    )
    batch = fact("samples_per_gpu={batch_per_device:int},", 0.3, "config")
    single = fact("Distributed training: False", 0.3, "config", devices=1)

    @line("gpu_ids = range(0, {devices:int})", 0.3, "config")
    def _devices(self, line: Line, f: Fields) -> Events:
        # Older versions print range(0, 1) for every distributed run, so a 1 is no fact.
        if f["devices"] > 1:
            yield from self.report(line.origin(), "devices", f["devices"])


_PLANNED = pattern(r"(?:\b|\\n)(?:max|total)_epochs\s{0,8}=\s{0,8}(\d{1,7}+)(?![\d.])")
"""The planned epochs in the text of a configuration inside a JSON object."""


class MmcvJson(Reader):
    name = "mmcv-json"
    title = "MMCV .log.json and MMEngine scalars.json"
    example = '{"mode": "train", "epoch": 1, "iter": 50, "lr": 1e-05, "loss": 2.1, "time": 0.51}'
    unread = "the batch and the devices (the speed is it/s), per-class scores"

    _evaluated: int | None = None  # epoch of the last evaluation, if no training followed

    @line(JsonRecord(required=("mode", "epoch", "iter")), 1.0, "record")
    def _record(self, line: Line, f: Fields) -> Events:
        if f["mode"] == "train":
            return self._train(line, f)
        if f["mode"] == "val":
            scores = {k: v for k, v in f.items() if k not in _LABELS}
            self._evaluated = as_whole(f.get("epoch"))
            return _evaluation(line, scores, self._evaluated, None, mmengine=False)
        return ()

    @line(JsonRecord(required=("env_info",)), 1.0, "header")
    def _environment(self, line: Line, f: Fields) -> Events:
        """Reads the header, whose configuration of a run by epochs says how many are planned."""
        self.facts.clear()
        self.latest = None
        yield RunStart(line.origin())
        planned = {int(one) for one in _PLANNED.findall(line.text)}
        if len(planned) == 1:
            yield from self.report(line.origin(), "epochs_planned", *planned)

    @line(JsonRecord(required=("iter", "step", "data_time")), 0.8, "iteration")
    def _train(self, line: Line, f: Fields) -> Events:
        values = figures(self.wanted(f), skip=_LABELS)
        place = as_whole(f.get("epoch")), as_whole(f.get("iter", f.get("step")))
        loss, seconds = as_number(f.get("loss")), as_number(f.get("time"))
        if place[0] == self._evaluated:
            seconds = None  # MMCV times the evaluation, too, if it trains by iterations
        self._evaluated = None
        return (Iteration(line.origin(), *place, loss=loss, duration=seconds, values=values),)

    @line(JsonRecord(required=("step", "data_time", "time")), 0.8, "evaluation")
    def _val(self, line: Line, f: Fields) -> Events:
        if any(key.endswith("lr") for key in f):  # training, which had no `iter` in 2023
            return self._train(line, f)
        # `step` is the epoch of a run by epochs, the iteration of one by iterations.
        return _evaluation(line, f, None, as_whole(f["step"]), mmengine=True)
