"""The torchvision-reference family: MetricLogger lines, and DeepSpark's additions to them.

Three generations of DeepSpark's `train.py` print `Avg img/s` per epoch; torchvision's own
references, MAE, DeiT, torchdistill and many others print the same progress line without it.
"""

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Events,
    Iteration,
    Metric,
    Origin,
    RunEnd,
    RunInfo,
    RunStart,
    Scope,
    TargetReached,
)
from sixdim.parsers.formats.torchvision_progress import (
    EPOCHS,
    PROGRESS,
    RECORD,
    TESTS,
    mean_of_all,
    mean_scores,
    samples_of,
)
from sixdim.parsers.grammar.shapes.arguments import arguments, facts_of, precision_of
from sixdim.parsers.statements.common_shapes import COCO_MEAN
from sixdim.parsers.statements.figure_rows import epoch_end, summary
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import fact, ignored, line, progress, remembers
from sixdim.parsers.statements.troubles import problem
from sixdim.parsers.text.patterns import pattern

_LONG_S = 20
"""Least seconds of an epoch for which whole seconds give the time of an iteration."""
_FACTS = {
    "world_size": "devices",
    "batch_size": "batch_per_device",
    "epochs": "epochs_planned",
    "model": "model",
    "arch": "model",
}
_PERCENT = pattern(r"\d{1,3}(?:\.\d{1,6})?")
_TABLE = ("Average ", "IoU metric")


class Torchvision(Reader):
    name = "torchvision"
    title = "torchvision references and DeepSpark classification scripts (MetricLogger)"
    tried = "torchvision 0.29.2"
    example = (
        "Epoch: [3]  [ 10/334]  eta: 0:06:47  lr: 0.128  img/s: 5625.49  "
        "loss: 7.2926 (7.2497)  acc1: 0.1326 (0.1326)  time: 1.2591  data: 0.0019"
    )
    unread = (
        "running figures of a test, arguments other than sizes, model, precision and target, "
        "evaluations by class"
    )

    def __init__(self) -> None:
        self._model = "raw"
        self._last: Iteration | None = None  # before the closing line
        self._ended = False
        self._samples = 0
        self._devices = 0
        self._table = "box"
        self._tested = False  # the last time of a pass over data is that of an evaluation
        self._averages: tuple[Metric, ...] = ()
        self._averages_at: Origin | None = None
        self.read = self._read_unrated  # type: ignore[method-assign]  # until the batch is known

    training = progress(PROGRESS, RECORD, 1.0)

    def _read_unrated(self, line: Line) -> Events | None:
        """As `Reader.read`, until the samples of an iteration are known."""
        before, events = self.latest, super().read(line)
        first = self.latest
        if events is None or first is before or first is None or (first.step and first.throughput):
            return events
        del self.read
        samples = samples_of(first, line.text)
        if samples is None:
            return events
        return [*events, *self.report(first.at, "rated_batch", samples)]

    running = ignored(
        tuple(f"{test} [{{step:int}}/{{steps:int}}]..." for test in TESTS),
        0.3,
        "test progress",
    )

    throughput = tuple(
        epoch_end(
            head + " Avg img/s: {throughput:float}",
            weight,
            "epoch throughput",
            unit="img/s",
            scope=Scope.JOB,
        )
        for head, weight in (("Epoch: [{epoch:int}]", 1.0), ("EPOCH {epoch:int}", 0.8))
    )

    @line(
        tuple(f"{epoch} Total time: {{time:duration}} ({{mean:float}} s / it)" for epoch in EPOCHS),
        0.8,
        "epoch time",
    )
    @line(
        (
            "Epoch: [{epoch:int}] Total time: {time:duration}...",
            "Epoch {epoch:int} Total time: {time:duration}",
        ),
        0.8,
        "epoch time",
    )
    def _train_time(self, line: Line, f: Fields) -> Events:
        self._tested = False
        epoch, seconds, mean, latest = f["epoch"], f["time"], f.get("mean"), self.latest
        steps = latest.steps if latest and latest.epoch == epoch else None
        if mean is None and steps and seconds >= _LONG_S:
            mean = seconds / steps
        elif mean is None and latest and steps:
            mean = mean_of_all(latest, steps, seconds)
        return (EpochEnd(line.origin(), epoch, train_time=seconds, iteration_time=mean),)

    epoch_times = epoch_end(
        ("Epoch time {epoch_time:duration}", "epoch time {epoch_time:duration}"), 0.2, "epoch time"
    )

    @line("* Acc@1 {acc1:float} Acc@5 {acc5:float}...", 0.2, "evaluation")
    @line("* Acc@1: {acc1:float} Acc@5: {acc5:float}...", 0.2, "evaluation")
    @line("* Prec@1 {acc1:float} Prec@5 {acc5:float}...", 0.2, "evaluation")
    @line("Test: Acc@1 {acc1:float} Acc@5 {acc5:float}", 0.6, "evaluation")
    @line("Test: EMA Acc@1 {acc1:float} Acc@5 {acc5:float}", 0.6, "evaluation")
    @line("* Clip Acc@1 {clip_acc1:float} Clip Acc@5 {clip_acc5:float}", 0.3, "evaluation")
    @line("* Video Acc@1 {acc1:float} Video Acc@5 {acc5:float}", 0.3, "evaluation")
    @line("mean IoU: {miou:float}", 0.2, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        metrics = tuple(Metric(name, value, "%") for name, value in f.items())
        model = "averaged" if "Test: EMA" in line.text else self._model
        return (Evaluation(line.origin(), metrics, model=model, after_training=self._over),)

    @property
    def _over(self) -> bool:
        """Whether the log has a closing line, and no iteration after it."""
        return self._ended and self.latest is self._last

    best = summary(
        "* Acc@1: {best:float} at epoch {epoch:int}",
        0.5,
        "best",
        names={"best": ("best acc1", "%")},
    )

    @line("IoU metric: {metric:word}", 0.1, "evaluation table")
    def _table_of(self, line: Line, f: Fields) -> Events:
        self._table = "mask" if f["metric"] == "segm" else "box"
        return ()

    @line(COCO_MEAN, 0.1, "evaluation table")
    def _average_precision(self, line: Line, f: Fields) -> Events:
        self._averages = (*self._averages, Metric(self._table, f["value"], "fraction"))
        self._averages_at = self._averages_at or line.origin()
        self.read = self._read_in_table  # type: ignore[method-assign]  # until the table ends
        return ()

    other_averages = ignored("Average {}...", 0.0, "evaluation table")

    def _read_in_table(self, line: Line) -> Events | None:
        """As `Reader.read`, inside a table of averages; the whole table is one evaluation.

        The line after the table may end the training, which was not over at the table.
        """
        over = self._over
        events = super().read(line)
        if events is None or line.text.lstrip().startswith(_TABLE):
            return events
        return [*self._ended_table(over), *events]

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`, with an evaluation table that the log ended in."""
        return [*self._ended_table(self._over), *super().end(at)]

    def _ended_table(self, over: bool) -> Events:
        """Yields the evaluation of a table; `over`: whether the training was over before it."""
        at, averages = self._averages_at, self._averages
        self._averages, self._averages_at = (), None
        if at is not None:
            del self.read
            yield Evaluation(at, averages, model=self._model, after_training=over)

    @line(
        "The accuracy has been exceeded {threshold:float},and the training is terminated at "
        "epoch {epoch:int}",
        1.0,
        "target",
    )
    def _target(self, line: Line, f: Fields) -> Events:
        # The script's comparison is strict: `if acc1 > args.acc_thresh`.
        return (TargetReached(line.origin(), f"acc1>{f['threshold']:g}", f["epoch"]),)

    @line("Training time {time:duration}", 0.2, "training time")
    @line("Total training time: {time:duration}...", 0.2, "training time")
    def _training_time(self, line: Line, f: Fields) -> Events:
        self._ended, self._last = True, self.latest
        return (RunEnd(line.origin(), f["time"]),)

    test_times = remembers(
        tuple(f"{test} Total time: {{}}" for test in TESTS), 0.3, "test time", _tested=True
    )

    @line("Averaged stats: {figures:text}", 0.0, "evaluation")
    def _averaged(self, line: Line, f: Fields) -> Events:
        """Yields the scores of a test that are printed like the figures of its progress."""
        if self._tested and (scores := mean_scores(f["figures"])):
            yield Evaluation(line.origin(), scores, model=self._model, after_training=self._over)

    @line(("Start training", "Start distillation"), 0.1, "header")
    def _start(self, line: Line, f: Fields) -> Events:
        self._ended = False
        self._model = "raw"
        self.facts.pop("rated_batch", None)
        self.read = self._read_unrated  # type: ignore[method-assign]  # it may be another batch
        return (RunStart(line.origin()),)

    @line("Namespace({args:text}", 0.1, "arguments")
    def _arguments(self, line: Line, f: Fields) -> Events:
        at = line.origin()
        yield from self._start(line, f)
        given = arguments(line.text)
        for name, value in (*facts_of(given, _FACTS), *precision_of(given)):
            yield RunInfo(at, name, value)
        threshold = given.get("acc_thresh", "")
        if _PERCENT.fullmatch(threshold):
            yield RunInfo(at, "target", f"acc1>{threshold}")

    @line("| distributed init (rank {rank:int})...", 0.2, "header")
    def _rank(self, line: Line, f: Fields) -> Events:
        if f["rank"] >= max(self._devices, 1):  # rank 0 alone does not show how many there are
            self._devices = f["rank"] + 1
            yield RunInfo(line.origin(), "devices", self._devices)

    @line("read {files:int} files from {folders:int} directories", 0.1, "header")
    def _files(self, line: Line, f: Fields) -> Events:
        # Every process announces a training and a validation reader: the larger one trains.
        if f["files"] > self._samples:
            self._samples = f["files"]
            yield RunInfo(line.origin(), "samples_per_epoch", self._samples)

    single = fact("Not using distributed mode", 0.1, always=True, devices=1)
    model = fact("Creating model {model:word}", 0.1, always=True)

    @line(("[Teacher: {}", "[Student: {}"), 0.1, "header")
    def _whose(self, line: Line, f: Fields) -> Events:
        self._model = line.text.strip()[1:8].lower()
        return ()

    @line("Loss is {loss:word} stopping training", 0.0, "failure")  # many programs print it
    @line("Loss is {loss:word}, stopping training", 0.0, "failure")
    @line("Accuracy exploded {}...", 0.5, "failure")
    def _not_a_number(self, line: Line, f: Fields) -> Events:
        return (problem(line, "nan_loss", fatal=True),)
