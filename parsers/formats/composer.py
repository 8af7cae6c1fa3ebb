"""MosaicML Composer: a progress line in brackets, then one indented line for every figure."""

from __future__ import annotations

from collections.abc import Iterator

from parsers.events import Evaluation, Event, Iteration, Metric, Origin, Scope
from parsers.figures import lower_is_better
from parsers.format import Reader, Statement
from parsers.printed import figure
from parsers.shape import Fields, Skeleton
from parsers.text import Line, label

_CANONICAL = {
    "MulticlassAccuracy": "acc1",
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


class Composer(Reader):
    """Reads one log. A block of figures becomes one event once the block is over."""

    name = "composer"
    title = "MosaicML Composer (console logger)"
    example = "[epoch=1][batch=100/1251]:"

    def __init__(self) -> None:
        self._epoch: int | None = None
        self._step: int | None = None
        self._steps: int | None = None
        self._block: tuple[str, Origin] | None = None
        self._figures: dict[str, Metric] = {}

    def read(self, line: Line) -> list[Event] | None:
        """As `Reader.read`; whatever is no figure closes the block before it."""
        known = self.recognise(line)
        if known is not None and known[0].what in ("figure", "evaluation figure"):
            return super().read(line)
        closed = self._close()
        events = super().read(line)
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
        rate, unit, scope = None, "", Scope.UNKNOWN
        for key, unit_of, scope_of in _RATES:
            if key in found:
                rate, unit, scope = found[key].value, unit_of, scope_of
                break
        loss = found.get("loss/train/total") or found.get("trainer/loss")
        return [
            Iteration(
                at,
                epoch=self._epoch,
                step=self._step,
                steps=self._steps,
                throughput=rate,
                unit=unit,
                scope=scope,
                loss=loss.value if loss else None,
                values=tuple(found.values()),
            )
        ]

    def _open(self, line: Line, kind: str) -> Iterator[Event]:
        self._block = (kind, line.origin())
        return iter(())

    def _progress(self, line: Line, f: Fields) -> Iterator[Event]:
        self._epoch, self._step, self._steps = f.get("epoch"), f["step"], f.get("steps")
        return self._open(line, "Train")

    def _eval_progress(self, line: Line, f: Fields) -> Iterator[Event]:
        return self._open(line, "Eval")

    def _figure(self, line: Line, f: Fields) -> Iterator[Event]:
        metric = figure(f["name"].removesuffix(":"), f["value"])
        if metric is not None and self._block is not None and len(self._figures) < _MOST:
            self._figures[metric.name] = metric
        return iter(())

    statements = (
        *(
            Statement(Skeleton(head), emit, weight, what)
            for head, emit, weight, what in (
                ("[epoch={epoch:int}][batch={step:int}/{steps:int}]:", _progress, 1.0, "progress"),
                ("[epoch={epoch:int}][batch={step:int}]:", _progress, 1.0, "progress"),
                ("[batch={step:int}/{steps:int}]:", _progress, 1.0, "progress"),
                ("[Eval batch={}] Eval on {} data:", _eval_progress, 1.0, "evaluation"),
                ("[Eval batch={}] Eval on {} data", _eval_progress, 0.5, "evaluation progress"),
                ("Train {name:word} {value:text}", _figure, 0.0, "figure"),
                ("Eval {name:word} {value:text}", _figure, 0.0, "evaluation figure"),
            )
        ),
    )


def _canonical(metric: Metric) -> Metric:
    """`metrics/eval/MulticlassAccuracy` under its canonical name."""
    name = metric.name.rpartition("/")[2]
    canonical = _CANONICAL.get(name)
    if canonical is None:
        return Metric(label(name, 40), metric.value, metric.unit, metric.higher_is_better)
    unit = "fraction" if canonical == "acc1" else metric.unit
    return Metric(canonical, metric.value, unit, not lower_is_better(canonical))
