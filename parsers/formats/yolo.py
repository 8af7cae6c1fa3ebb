"""YOLOv5, v7, v8 and v11 (Ultralytics): a progress bar per epoch and a table per validation.

The bar gives iterations, not images, per second. The header line names the columns between the
memory and the bar. The validation of the best weights that follows `… epochs completed in … hours`
comes after training.
"""

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Iteration, Metric, RunEnd, RunStart
from sixdim.parsers.grammar.shapes.arguments import arguments
from sixdim.parsers.grammar.shapes.bars import mean_of_bar
from sixdim.parsers.grammar.shapes.figures import as_whole, figure, figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.common_shapes import BAR
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import fact, ignored, line
from sixdim.parsers.text.patterns import pattern

_HOUR = 3600
_CLASSIFIED = {"top1_acc": "acc1", "top5_acc": "acc5"}
_EVALUATES = ("validating", "testing")
"""YOLOv5's classifier draws the bar of its evaluation under the epoch's figures."""
_BY_F1 = pattern(r" F1(?::|$)")
"""After the precision, YOLOv3 has no mean over several overlaps: `P R mAP@0.5 F1`."""
_DEVICES = pattern(r"\bdevice=\[?(\d{1,4}(?:, ?\d{1,4}){0,999})")


_HEAD = "{epoch:int}/{:int} {memory:float}G {figures:until}: "
_STEPS = "{step:int}/{steps:int} "
_SCORES = (  # YOLOv5 of 2020 prints counts in three digits, 5862 images as 5.86e+03
    "all {images:float} {instances:float} "
    "{precision:float} {recall:float} {map50:float} {map:float}"
)


def _arguments(head: str, *required: str) -> KeyValues:
    return KeyValues(head, delimiter=", ", separator="=", required=required)


class Yolo(Reader):
    name = "yolo"
    title = "YOLOv5, YOLOv7, YOLOv8, YOLO11 (Ultralytics) console"
    tried = "ultralytics 8.4.190, ultralytics 8.0.200, yolov5 2026-08"
    example = (
        "0/299      10.9G     0.1195    0.03632          0         90        640:   "
        "5%|▍         | 8/171 [00:10<02:11,  1.24it/s]"
    )
    unread = "per-class rows, the speed of a validation, anchors and the model's table"

    _columns: tuple[str, ...] = ()
    _classifies = False
    _epoch: int | None = None
    _step = 0
    _over = False
    _evaluated: int | None = None  # the epoch that the last evaluation was of
    _second = "mask"
    _last = "map"

    @line(_HEAD + BAR + "...", 0.8, "progress")
    @line(_HEAD + "{:int}% {:word} " + _STEPS + "{pace:pace} {tenths:float}s...", 0.8, "progress")
    @line(_HEAD + "{:int}% {:word} " + _STEPS + "{pace:pace} {elapsed:clock}...", 0.8, "progress")
    def _bar(self, line: Line, f: Fields) -> Events:
        if f["figures"].endswith(_EVALUATES):
            return ()
        epoch, step, last = f["epoch"], f["step"], f["step"] == f["steps"]
        if epoch != self._epoch:
            self._epoch, self._step = epoch, 0
        elapsed, mean = _time_of(f)
        pace = f["pace"] if f["pace"] == f["pace"] else None
        over = None
        if last:
            at = line.origin()
            over = EpochEnd(at, epoch, train_time=elapsed, iteration_time=mean)
            if self._classifies:  # the evaluation is made before the bar is closed
                whole = mean if self._step == 0 else None  # earlier drawings have the training's
                over = EpochEnd(at, epoch, epoch_time=elapsed, iteration_time=whole)
                pace = mean = None
            if step == self._step:  # a closed bar is drawn again, with its mean pace
                return (over,)
        if step <= self._step:
            return ()  # not begun, or redrawn
        self._step = step
        wanted = self.names is None or self._classifies or last
        values = self._figures(f["figures"]) if wanted else ()
        event = Iteration(
            line.origin(),
            epoch=epoch,
            step=step,
            steps=f["steps"],
            duration=pace,
            values=values if self.names is not None else (*values, _memory(f["memory"])),
            mean_duration=mean,
        )
        if over is not None:
            over = over._replace(values=values)
            return (event, over, *self._scores(line, epoch, values))
        return (event, *self._scores(line, epoch, values)) if wanted else (event,)

    @line("{epoch:int}/{epochs:int} {memory:float}G {figures:until}:{}", 0.1, "progress")
    @line("{epoch:int}/{epochs:int} {memory:float}G {figures:text}", 0.0, "progress")
    def _cut_row(self, line: Line, f: Fields) -> Events:
        """Reads a row without its bar, as W&B records the output of a narrow terminal."""
        values = self._figures(f["figures"])
        if not self._columns or len(values) != len(self._columns) or "%" in line.text:
            return ()
        if f["epoch"] != self._epoch:
            self._epoch, self._step = f["epoch"], 0
        return (Iteration(line.origin(), f["epoch"], None, values=values),)

    def _figures(self, cells: str) -> tuple[Metric, ...]:
        """Returns the figures between memory and bar, under the names of the header."""
        return figures(dict(zip(self._columns, cells.split(), strict=False)))

    def _scores(self, line: Line, epoch: int, values: tuple[Metric, ...]) -> Events:
        """Yields the evaluation of YOLOv5's classifier, which the last drawing of a bar has."""
        scores = tuple(
            Metric(_CLASSIFIED[m.name], m.value, "fraction")
            for m in values
            if m.name in _CLASSIFIED
        )
        if scores:
            yield Evaluation(line.origin(), scores, epoch=epoch)

    @line(_SCORES, 0.8, "evaluation")
    @line(
        _SCORES + " {precision_second:float} {recall_second:float} "
        "{map50_second:float} {map_second:float}",
        0.8,
        "evaluation",
    )
    @line("all {images:int} {pixels:int} {miou:float} {pixel_acc:float}", 0.3, "evaluation")
    @line("all {acc1:float} {acc5:float}", 0.3, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        names = {"map": self._last}
        metrics = tuple(
            Metric(names.get(name, name).replace("second", self._second), value, "fraction")
            for name, value in f.items()
            if name not in ("images", "instances", "pixels")
        )
        before, epoch = self._evaluated, self._epoch
        self._evaluated = epoch
        # What YOLOv7 prints reaches a file after what it logs: the last epoch's row after the end.
        is_late = before is not None and epoch is not None and epoch == before + 1
        over = self._over and not is_late
        return (Evaluation(line.origin(), metrics, epoch=epoch, after_training=over),)

    @line(("Epoch GPU_mem {columns:text}", "Epoch gpu_mem {columns:text}"), 1.0, "header")
    def _header(self, line: Line, f: Fields) -> Events:
        self._columns = tuple(f["columns"].split())
        self._classifies = not _CLASSIFIED.keys().isdisjoint(self._columns)
        return ()

    @line("Class Images {columns:text}", 0.8, "validation")
    def _validates(self, line: Line, f: Fields) -> Events:
        self._second = "pose" if "Pose(" in f["columns"] else "mask"
        self._last = "f1" if _BY_F1.search(f["columns"]) is not None else "map"
        return ()

    classes = ignored("classes top1_acc top5_acc{}", 0.8, "validation")

    @line(
        (
            "Starting training for {epochs:int} epochs....",
            "Starting {} training on {} dataset with {:int} classes for {epochs:int} epochs...",
        ),
        0.2,
        "start",
    )
    def _start(self, line: Line, f: Fields) -> Events:
        self._epoch, self._step, self._over, self._evaluated = None, 0, False, None
        self.facts.clear()
        yield RunStart(line.origin())
        yield from self.report(line.origin(), "epochs_planned", f["epochs"])

    @line("{epochs:int} epochs completed in {hours:float} hours...", 1.0, "end")
    def _end(self, line: Line, f: Fields) -> Events:
        self._over = True
        self.facts.clear()
        yield RunEnd(line.origin(), f["hours"] * _HOUR)

    @line(_arguments("engine/trainer:", "model"), 1.0, "arguments")
    @line(_arguments("engine\\trainer:", "model"), 1.0, "arguments")  # on Windows
    @line(_arguments("yolo/engine/trainer:", "model"), 1.0, "arguments")
    @line(_arguments("yolo\\engine\\trainer:", "model"), 1.0, "arguments")
    @line(_arguments("classify/train:", "model"), 1.0, "arguments")
    @line(_arguments("segment/train:", "weights"), 1.0, "arguments")
    @line(_arguments("train:", "weights", "epochs"), 1.0, "arguments")
    def _arguments(self, line: Line, f: Fields) -> Events:
        at = line.origin()
        self.facts.clear()
        self._epoch, self._step, self._over, self._evaluated = None, 0, False, None
        yield RunStart(at)
        for key in ("batch", "batch_size"):
            value = as_whole(f["pairs"].get(key))
            if value is not None and value > 0:  # -1: automatic
                yield from self.report(at, "global_batch", value)
        devices = _DEVICES.search(line.text)
        if devices is not None:
            yield from self.report(at, "devices", devices[1].count(",") + 1)
        model = f["pairs"].get("model") or f["pairs"].get("weights", "").strip("[]'")
        if model:
            yield from self.report(at, "model", model)

    @line("Namespace({}total_batch_size={batch:int}{}", 0.0, "arguments")
    def _namespace(self, line: Line, f: Fields) -> Events:
        """Reads the arguments of YOLOv5 up to 5.0 and of YOLOv7."""
        given, at = arguments(line.text), line.origin()
        if "weights" not in given or "hyp" not in given:
            return
        self.facts.clear()
        yield RunStart(at)
        devices = as_whole(given.get("world_size")) or 1
        if devices == 1:  # one process; the model is parallel inside it
            devices = given.get("device", "").count(",") + 1 if given.get("device") else 0
        for name, value in (("global_batch", f["batch"]), ("devices", devices)):
            if value:
                yield from self.report(at, name, value)

    batch = fact("AutoBatch: Using batch-size {global_batch:int} for {}", 0.8, "batch")
    precision = fact("AMP: checks passed{}", 0.8, "precision", precision="amp")

    images = (
        fact("train: Scanning {}: 100%{} {samples_per_epoch:int}/{:int} {}", 0.8, "data"),
        fact("Using {samples_per_epoch:int} train, {:int} val images for fraction={}", 0.8, "data"),
    )


def _time_of(f: Fields) -> tuple[float, float | None]:
    """Returns the seconds since a bar began, and its mean seconds/iteration (None if unknown)."""
    if "tenths" in f:
        return f["tenths"], mean_of_bar(f["step"], f["tenths"], f["tenths"] / max(f["step"], 1))
    return f["elapsed"], mean_of_bar(f["step"], f["elapsed"], f["pace"])


def _memory(gigabytes: float) -> Metric:
    return figure("gpu_mem", gigabytes, "GB")
