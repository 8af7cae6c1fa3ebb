"""MosaicML Composer: the console logger's blocks of figures, and the progress bars.

A block is a progress line in brackets, then one indented line for every figure; the first
versions put a dict behind the brackets. A bar's label is `train` or the evaluation's, then the
epoch; a run that is not counted in epochs has one bar for all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sixdim.parsers.events import Evaluation, Event, Iteration, Metric, Origin, RunInfo, Scope
from sixdim.parsers.grammar.figures import lower_is_better
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.printed import figure, figures
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import IterationRecord, first
from sixdim.parsers.statements.rows import each
from sixdim.parsers.text.lines import Line, label
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
_BY_KEY = {key: (unit, scope) for key, unit, scope in _RATES}
_MOST = 64
_LOSSES = ("loss/train/total", "trainer/loss", "loss/train")
_PROGRESS = IterationRecord(
    epoch="epoch",
    step="step",
    steps="steps",
    throughput=tuple(_BY_KEY),
    unit=lambda f: _BY_KEY[first(_BY_KEY, f)][0],
    scope=lambda f: _BY_KEY[first(_BY_KEY, f)][1],
    loss=_LOSSES,
)
_BAR = "{percent:int}%|{}| {step:int}/{steps:int} [{elapsed:clock}<{remaining:clock}, {pace:word}, "
_PACE = pattern(r"(\d++(?:\.\d*+)?+)(?:(ba|it|sp|tok)/s|s/(ba|it))")
_COUNTED = {"sp": "samples/s", "tok": "tokens/s"}


def _bars(heads: tuple[str, ...], *required: str) -> tuple[KeyValues, ...]:
    return tuple(
        KeyValues(
            head + _BAR,
            delimiter=", ",
            separator="=",
            quotes="]",
            numbers={},
            required=(key,),
        )
        for head in heads
        for key in required
    )


_TRAIN_BARS = (
    *_bars(("train Epoch {epoch:int}: ", "train "), "loss/train/total"),
    *_bars(("Epoch {epoch:int} train ",), "loss/train"),
)
_OLDEST_BARS = _bars(("Epoch {epoch:int}: ",), "loss/train")
"""The first versions': Lightning's, too, where a model logs its loss under that name."""
_BRACKETED = tuple(
    KeyValues(head + ": {", delimiter=", ", separator=": ", quotes='"{}', numbers={}, required=())
    for head in (
        "[BATCH][epoch={epoch:int}][batch={step:int}/{steps:int}]",
        "[EPOCH][epoch={epoch:int}][batch={step:int}/{steps:int}]",
        "[BATCH][epoch={epoch:int}][batch={step:int}]",
        "[EPOCH][epoch={epoch:int}][batch={step:int}]",
    )
)


def _figures(of: str) -> KeyValues:
    """One line of a block: `Train loss/train/total: 2.31`."""
    numbers = {key: key for key in (*_BY_KEY, *_LOSSES)}
    return KeyValues(of + " ", separator=": ", numbers=numbers, lenient=True)


_EVAL_BARS = (
    KeyValues("eval {} {at:int}: " + _BAR, delimiter=", ", separator="=", quotes="]", numbers={}),
    *_bars(("Epoch {at:int} val ",), "metrics/eval/Accuracy"),
    *_bars(("Epoch {at:int} (val): ",), "accuracy/val"),
)


class Composer(Reader):
    """Reads one log. A block of figures becomes one event once the block is over."""

    name = "composer"
    title = "MosaicML Composer (console logger and progress bars)"
    example = "[epoch=1][batch=100/1251]:"
    unread = (
        "what algorithms and callbacks print themselves, tables, evaluation bars of other "
        "labels than `eval`, the batch (without a logged rate the speed is it/s)"
    )

    def __init__(self) -> None:
        self._epoch: int | None = None
        self._step: int | None = None
        self._steps: int | None = None
        self._block: tuple[str, Origin] | None = None
        self._figures: dict[str, Metric] = {}
        self._per_node = 0
        self._drawn: tuple[int | None, int] | None = None
        self._evaluated: tuple[int, tuple[Metric, ...]] | None = None

    def read(self, line: Line) -> Iterable[Event] | None:
        """As `Reader.read`; whatever is no figure closes the block before it."""
        known = self.recognise(line)
        if known is not None and known[0].what in ("figure", "evaluation figure"):
            return self.respond(line, known)
        closed = self._close()
        events = self.respond(line, known)
        return [*closed, *(events or ())] if closed or events is not None else None

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`, with the block that the log ended in."""
        return [*self._close(), *super().end(at)]

    def _close(self) -> list[Event]:
        block, self._block = self._block, None
        found, self._figures = self._figures, {}
        if block is None or not found:
            return []
        kind, at = block
        if kind == "Eval":
            metrics = tuple(_canonical(metric) for metric in found.values())
            return [Evaluation(at, metrics, self._epoch, self._step)]
        return [self._iteration(at, found)]

    def _iteration(self, at: Origin, found: dict[str, Metric]) -> Iteration:
        rate, unit, scope = None, "", Scope.UNKNOWN
        for key, unit_of, scope_of in _RATES:
            if key in found:
                rate, unit, scope = found[key].value, unit_of, scope_of
                break
        loss = next((found[name] for name in _LOSSES if name in found), None)
        share = found.get("throughput/device/mfu")
        mfu = (Metric("mfu", 100 * share.value, "%"),) if share else ()
        batch = found.get("time/batch")
        counted = int(batch.value) if batch and batch.value.is_integer() else None
        return Iteration(
            at,
            epoch=self._epoch,
            step=counted if self._step is None else self._step,
            steps=self._steps,
            throughput=rate,
            unit=unit,
            scope=scope,
            loss=loss.value if loss else None,
            values=(*mfu, *found.values()),
        )

    def _open(self, line: Line, kind: str) -> Iterator[Event]:
        self._block = (kind, line.origin())
        return iter(())

    def _progress(self, line: Line, f: Fields) -> Iterator[Event]:
        self._epoch, self._step, self._steps = f.get("epoch"), f["step"], f.get("steps")
        return self._open(line, "Train")

    def _unstepped(self, line: Line, f: Fields) -> Iterator[Event]:
        # A run measured in samples or tokens: its steps stand among the figures.
        self._epoch = self._step = self._steps = None
        return self._open(line, "Train")

    def _eval_progress(self, line: Line, f: Fields) -> Iterator[Event]:
        return self._open(line, "Eval")

    def _bracketed(self, line: Line, f: Fields) -> Iterator[Event]:
        self._epoch, self._step, self._steps = f["epoch"], f["step"], f.get("steps")
        found = {m.name: m for m in figures(f["pairs"])}
        scores = tuple(_canonical(m) for name, m in found.items() if "eval/" in name)
        if scores:
            # Said once the epoch is over and counted: the epoch before, or the middle of this.
            after = f["step"] == 0 and f["epoch"] > 0
            epoch = f["epoch"] - 1 if after else f["epoch"]
            yield Evaluation(line.origin(), scores, epoch, f["step"] or None)
        elif found:
            yield self._iteration(line.origin(), found)

    def _bar(self, line: Line, f: Fields) -> Iterator[Event]:
        epoch, step, pace = f.get("epoch"), f["step"], _PACE.fullmatch(f["pace"])
        if step == 0 or (epoch, step) == self._drawn:
            return  # not begun, or redrawn
        self._drawn, self._epoch = (epoch, step), epoch
        figure, unit = (float(pace[1]), pace[2]) if pace else (0.0, "")
        counted = _COUNTED.get(unit or "")  # a run measured in samples or tokens counts those
        self._step = step if epoch is None and not counted else None
        loss = next((m.value for m in figures(f["pairs"]) if m.name in _LOSSES), None)
        seconds = (1 / figure if unit else figure) if figure and not counted else None
        yield Iteration(
            line.origin(),
            epoch=epoch,
            step=None if counted else step,
            steps=None if counted else f["steps"],
            throughput=figure if counted else None,
            unit=counted or "",
            scope=Scope.JOB if counted else Scope.UNKNOWN,
            loss=loss,
            duration=seconds,
        )

    def _eval_bar(self, line: Line, f: Fields) -> Iterator[Event]:
        metrics = tuple(_canonical(m) for m in figures(f["pairs"]))
        if f["step"] == f["steps"] and metrics and self._evaluated != (f["at"], metrics):
            self._evaluated = (f["at"], metrics)  # the full bar may be drawn again
            yield Evaluation(line.origin(), metrics, self._epoch, self._step)

    def _gpus(self, line: Line, f: Fields) -> Iterator[Event]:
        self._per_node = f["count"]
        return iter(())

    def _nodes(self, line: Line, f: Fields) -> Iterator[Event]:
        if self._per_node:  # the config names them in this order
            yield RunInfo(line.origin(), "nodes", f["count"])
            yield RunInfo(line.origin(), "devices", f["count"] * self._per_node)

    def _figure(self, line: Line, f: Fields) -> Iterator[Event]:
        for name, value in f["pairs"].items():
            metric = figure(name, value)
            if metric is not None and self._block is not None and len(self._figures) < _MOST:
                self._figures[metric.name] = metric
        return iter(())

    statements = (
        *each(_TRAIN_BARS, _bar, 1.0, "progress bar"),
        *each(_OLDEST_BARS, _bar, 0.5, "progress bar"),
        *each(_EVAL_BARS, _eval_bar, 1.0, "evaluation bar"),
        *each(_BRACKETED, _bracketed, 1.0, "record"),
        Statement(Skeleton("num_gpus_per_node: {count:int}"), _gpus, 0.1, "header"),
        Statement(Skeleton("num_nodes: {count:int}"), _nodes, 0.1, "header"),
        *each(
            (
                Skeleton("[epoch={epoch:int}][batch={step:int}/{steps:int}]:"),
                Skeleton("[epoch={epoch:int}][batch={step:int}]:"),
                Skeleton("[batch={step:int}/{steps:int}]:"),
            ),
            _progress,
            1.0,
            "progress",
        ),
        *(
            Statement(Skeleton(head), emit, weight, what)
            for head, emit, weight, what in (
                ("[sample={}/{}]:", _unstepped, 1.0, "progress"),
                ("[token={}/{}]:", _unstepped, 1.0, "progress"),
                ("[Eval batch={}] Eval on {} data:", _eval_progress, 1.0, "evaluation"),
                ("[Eval batch={}] Eval on {} data", _eval_progress, 0.5, "evaluation progress"),
            )
        ),
        Statement(_figures("Train"), _figure, 0.0, "figure"),
        Statement(_figures("Eval"), _figure, 0.0, "evaluation figure"),
    )


def _canonical(metric: Metric) -> Metric:
    """`metrics/eval/MulticlassAccuracy` under its canonical name."""
    name = metric.name.rpartition("/")[2]
    canonical = _CANONICAL.get(name, _CANONICAL.get(metric.name))
    if canonical is None:
        return Metric(label(name, 40), metric.value, metric.unit, metric.higher_is_better)
    unit = "fraction" if canonical == "acc1" else metric.unit
    return Metric(canonical, metric.value, unit, not lower_is_better(canonical))
