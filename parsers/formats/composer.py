"""MosaicML Composer: the console logger's blocks of figures, and the progress bars.

A block is a progress line in brackets, followed by one indented line per figure. The first
versions print a dict after the brackets. The label of a bar is `train` or the name of the
evaluation, then the epoch; a run that is not counted in epochs has a single bar.

A block of figures becomes one event once the block is over.
"""

from sixdim.parsers.events import Evaluation, Event, Events, Iteration, Metric, Origin, Scope
from sixdim.parsers.grammar.shapes.figures import figures, lower_is_better, printed
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Fields, Line
from sixdim.parsers.statements.gathering import Gathering
from sixdim.parsers.statements.record import IterationRecord
from sixdim.parsers.statements.rows import fact, line
from sixdim.parsers.text.lines import label
from sixdim.parsers.text.patterns import pattern

_CANONICAL = {
    "MulticlassAccuracy": "acc1",
    "accuracy/val": "acc1",
    "Accuracy": "acc1",
    "LanguagePerplexity": "perplexity",
    "LanguageCrossEntropy": "loss",
    "CrossEntropy": "loss",
    "MIoU": "miou",
}
_RATES = (
    ("throughput/tokens_per_sec", "tokens/s", Scope.JOB),
    ("throughput/samples_per_sec", "samples/s", Scope.JOB),
    ("throughput/device/tokens_per_sec", "tokens/s", Scope.DEVICE),
    ("throughput/device/samples_per_sec", "samples/s", Scope.DEVICE),
    ("throughput/batches_per_sec", "batches/s", Scope.JOB),
)
_MOST = 64
_LOSSES = ("loss/train/total", "trainer/loss", "loss/train")
_LOSS_ALONE = IterationRecord(uses=_LOSSES)
_COUNTS = (
    "{percent:int}%|{}| {step:int}/{steps:int} [{elapsed:clock}<{remaining:clock}, {pace:word}, "
)
_PACE = pattern(r"(\d++(?:\.\d*+)?+)(?:(ba|it|sp|tok)/s|s/(ba|it))")
_COUNTED = {"sp": "samples/s", "tok": "tokens/s"}


def _bar(label: str, *required: str) -> KeyValues:
    head = label + " " + _COUNTS
    return KeyValues(head, delimiter=", ", separator="=", closing="]", required=required)


def _dict(label: str) -> KeyValues:
    return KeyValues(label + ": {", delimiter=", ", separator=": ", quotes='"{}')


class Composer(Gathering):
    name = "composer"
    title = "MosaicML Composer (console logger and progress bars)"
    tried = "composer 0.32.1"
    example = "[epoch=1][batch=100/1251]:"
    unread = (
        "what algorithms and callbacks print themselves, tables, evaluation bars of other "
        "labels than `eval`, the batch (without a logged rate the speed is it/s)"
    )

    _epoch: int | None = None
    _step: int | None = None
    _steps: int | None = None
    _drawn: tuple[int | None, int] | None = None
    _evaluated: tuple[int, tuple[Metric, ...]] | None = None
    gathered: Origin | None = None
    """Where the current block of figures begins; None outside of a block."""
    _evaluates = False
    """Whether the current block is an evaluation's."""

    def __init__(self) -> None:
        self._figures: dict[str, Metric] = {}

    def goes_on(self, line: Line) -> bool:
        """See `Gathering.goes_on`."""
        return line.text.lstrip().startswith(("Train ", "Eval "))

    def complete(self) -> tuple[Event, ...]:
        """See `Gathering.complete`."""
        at, figures = self.gathered, dict(self._figures)
        self.gathered = None
        self._figures.clear()
        if at is None or not figures:
            return ()
        if self._evaluates:
            metrics = tuple(map(_canonical, figures.values()))
            return (Evaluation(at, metrics, self._epoch, self._step),)
        return (self._iteration(at, figures),)

    def _iteration(self, at: Origin, figures: dict[str, Metric]) -> Iteration:
        speed: tuple[float | None, str, Scope] = next(
            ((figures[key].value, unit, scope) for key, unit, scope in _RATES if key in figures),
            (None, "", Scope.UNKNOWN),
        )
        loss = next((figures[name].value for name in _LOSSES if name in figures), None)
        share, batch = figures.get("throughput/device/mfu"), figures.get("time/batch")
        mfu = (Metric("mfu", 100 * share.value, "%"),) if share else ()
        counted = int(batch.value) if batch and batch.value.is_integer() else None
        place = self._epoch, counted if self._step is None else self._step, self._steps
        values = tuple(one for one in (*mfu, *figures.values()) if self.wants(one.name))
        return Iteration(at, *place, *speed, loss, values=values)

    @line(_bar("train Epoch {epoch:int}:", "loss/train/total"), 1.0, "progress bar", _LOSS_ALONE)
    @line(_bar("train", "loss/train/total"), 1.0, "progress bar", _LOSS_ALONE)
    @line(_bar("Epoch {epoch:int} train", "loss/train"), 1.0, "progress bar", _LOSS_ALONE)
    # The first versions': Lightning's, too, where a model logs its loss under that name.
    @line(_bar("Epoch {epoch:int}:", "loss/train"), 0.5, "progress bar", _LOSS_ALONE)
    # Cut at the edge of a terminal.
    @line("train Epoch {epoch:int}: " + _COUNTS + "loss/train...", 0.5, "progress bar")
    def _training_bar(self, line: Line, f: Fields) -> Events:
        epoch, step, pace = f.get("epoch"), f["step"], _PACE.fullmatch(f["pace"])
        if step == 0 or (epoch, step) == self._drawn:
            return ()  # not begun, or redrawn
        self._drawn, self._epoch = (epoch, step), epoch
        at, number, counted = line.origin(), *((float(pace[1]), pace[2]) if pace else (0.0, ""))
        unit = _COUNTED.get(counted or "")  # a run measured in samples or tokens counts those
        self._step = step if epoch is None and not unit else None
        loss = next((m.value for m in figures(f.get("pairs", {})) if m.name in _LOSSES), None)
        if unit:
            return (Iteration(at, epoch, None, None, number, unit, Scope.JOB, loss),)
        seconds = (1 / number if counted else number) if number else None
        return (Iteration(at, epoch, step, f["steps"], loss=loss, duration=seconds),)

    @line(_bar("eval {} {at:int}:"), 1.0, "evaluation bar")
    @line(_bar("Epoch {at:int} val", "metrics/eval/Accuracy"), 1.0, "evaluation bar")
    @line(_bar("Epoch {at:int} (val):", "accuracy/val"), 1.0, "evaluation bar")
    def _evaluation_bar(self, line: Line, f: Fields) -> Events:
        if f["step"] != f["steps"]:
            return
        metrics = tuple(map(_canonical, figures(f["pairs"])))
        if metrics and self._evaluated != (f["at"], metrics):
            self._evaluated = (f["at"], metrics)  # the full bar may be drawn again
            yield Evaluation(line.origin(), metrics, self._epoch, self._step)

    @line(_dict("[BATCH][epoch={epoch:int}][batch={step:int}/{steps:int}]"), 1.0, "record")
    @line(_dict("[EPOCH][epoch={epoch:int}][batch={step:int}/{steps:int}]"), 1.0, "record")
    @line(_dict("[BATCH][epoch={epoch:int}][batch={step:int}]"), 1.0, "record")
    @line(_dict("[EPOCH][epoch={epoch:int}][batch={step:int}]"), 1.0, "record")
    def _bracketed(self, line: Line, f: Fields) -> Events:
        self._epoch, self._step, self._steps = f["epoch"], f["step"], f.get("steps")
        by_name = {m.name: m for m in figures(f["pairs"])}
        scores = tuple(_canonical(m) for name, m in by_name.items() if "eval/" in name)
        if scores:
            # Composer counts an epoch before it evaluates: step 0 is the end of the epoch before.
            after = f["step"] == 0 and f["epoch"] > 0
            epoch = f["epoch"] - 1 if after else f["epoch"]
            yield Evaluation(line.origin(), scores, epoch, f["step"] or None)
        elif by_name:
            yield self._iteration(line.origin(), by_name)

    devices = fact(
        ("num_gpus_per_node: {devices_per_node:int}", "num_nodes: {nodes:int}"), 0.1, always=True
    )

    # A run measured in samples or tokens has its steps among the figures.
    @line("[epoch={epoch:int}][batch={step:int}/{steps:int}]:", 1.0, "progress")
    @line("[epoch={epoch:int}][batch={step:int}]:", 1.0, "progress")
    @line("[batch={step:int}/{steps:int}]:", 1.0, "progress")
    @line(
        tuple(f"[{unit}={{}}/{{}}]:" for unit in ("sample", "token", "iteration", "second")),
        1.0,
        "progress",
    )
    def _training(self, line: Line, f: Fields) -> Events:
        self._epoch, self._step, self._steps = f.get("epoch"), f.get("step"), f.get("steps")
        self.gathered, self._evaluates = line.origin(), False
        return ()

    @line("[Eval batch={}] Eval on {} data:", 1.0, "evaluation")
    @line("[Eval batch={}] Eval on {} data", 0.5, "evaluation progress")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        self.gathered, self._evaluates = line.origin(), True
        return ()

    @line(("Train {key:until}: {value:text}", "Eval {key:until}: {value:text}"), 0.0, "figure")
    def _figure(self, line: Line, f: Fields) -> Events:
        metric = printed(f["key"], f["value"])
        if metric is not None and self.gathered is not None and len(self._figures) < _MOST:
            self._figures[metric.name] = metric
        return ()


def _canonical(metric: Metric) -> Metric:
    """Returns a metric such as `metrics/eval/MulticlassAccuracy` under its canonical name."""
    name = metric.name.rpartition("/")[2]
    canonical = _CANONICAL.get(name, _CANONICAL.get(metric.name))
    if canonical is None:
        return Metric(label(name, 40), metric.value, metric.unit, metric.higher_is_better)
    unit = "fraction" if canonical == "acc1" else metric.unit
    return Metric(canonical, metric.value, unit, not lower_is_better(canonical))
