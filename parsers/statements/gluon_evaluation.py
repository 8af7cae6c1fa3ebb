"""Evaluations as MXNet's Gluon and Module scripts print them: over several lines.

One line a metric (`Epoch[3] Validation-accuracy=…`), a COCO table under `[Epoch 3]
Validation:`, or a progress bar whose last state counts. What belongs together becomes one
event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sixdim.parsers.events import Evaluation, Event, Metric, Origin
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.pairs import figure, figures
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.rows import each
from sixdim.parsers.text.lines import Line

_NAMES = {
    "accuracy": "acc1",
    "top_k_accuracy_5": "acc5",
    "mAP": "map",
    "mIoU": "miou",
    "pixAcc": "pixacc",
}
_VALIDATIONS = (
    KeyValues("Epoch[{epoch:int}] Rank[{rank:int}] Validation-", separator="=", numbers={}),
    KeyValues("Epoch[{epoch:int}] Validation-", separator="=", numbers={}),
)
_CONTINUES = ("Validation", "Average ", "=", "~~~~")


class GluonEvaluations(Reader):
    """Gathers the lines of an evaluation until another line shows that it is over."""

    def __init__(self) -> None:
        self._pending: dict[str, Metric] = {}
        self._pending_at: Origin | None = None
        self._pending_epoch: int | None = None
        self._table = "box"
        self._in_table = False
        self._mean_next = False

    def read(self, line: Line) -> Iterable[Event] | None:
        """As `Reader.read`; the lines of one evaluation become one event."""
        events = super().read(line)
        if events is None and self._in_table:
            return self._class_line(line)
        if events is None or self._pending_at is None or self._same(line):
            return events
        return [*self._flush(), *events]

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`, with an evaluation that the log ended in."""
        return [*self._flush(), *super().end(at)]

    def _same(self, line: Line) -> bool:
        text = line.text.lstrip()
        return text.startswith(_CONTINUES) or "alidation" in text[:60]

    def _class_line(self, line: Line) -> list[Event] | None:
        # Behind the averages stands one `class=value` a line, and last the mean of them.
        key, equals, value = line.text.strip().partition("=")
        found = figure(key, value) if equals else None
        if found is None:
            return None
        if key == "mAP":
            self._note(line, Metric("map", found.value, "fraction"))
        return []

    def _note(self, line: Line, metric: Metric) -> None:
        self._pending_at = self._pending_at or line.origin()
        self._pending[metric.name] = metric

    def _flush(self) -> list[Event]:
        at, metrics = self._pending_at, tuple(self._pending.values())
        epoch, self._pending_epoch = self._pending_epoch, None
        self._pending, self._pending_at, self._in_table = {}, None, False
        self._mean_next = False
        return [Evaluation(at, metrics, epoch=epoch)] if at is not None and metrics else []

    def _validation_bar(self, line: Line, f: Fields) -> Iterator[Event]:
        self._pending_epoch = f["epoch"]
        if f["step"] == f["steps"]:
            self._note(line, Metric("pixacc", f["pixacc"], "fraction"))
            self._note(line, Metric("miou", f["miou"], "fraction"))
        return iter(())

    def _validation(self, line: Line, f: Fields) -> Iterator[Event]:
        # One line a metric, or all in one; Horovod scripts print the same line twice.
        events = self._flush() if self._pending_epoch not in (None, f["epoch"]) else []
        self._pending_epoch = f["epoch"]
        for metric in figures(f["pairs"]):
            name = metric.name.removeprefix("Validation-")
            known = name in _NAMES
            self._note(
                line,
                Metric(
                    _NAMES.get(name, name),
                    metric.value,
                    "fraction" if known else metric.unit,
                    metric.higher_is_better,
                ),
            )
        return iter(events)

    def _errors(self, line: Line, f: Fields) -> Iterator[Event]:
        metrics = tuple(
            Metric(
                _NAMES.get(m.name, m.name),
                m.value,
                "fraction" if m.name in _NAMES or m.name.startswith("err-") else m.unit,
                m.higher_is_better,
            )
            for m in figures(f["pairs"])
        )
        if metrics:
            yield Evaluation(line.origin(), metrics, epoch=f["epoch"])
        else:
            self._pending_epoch, self._in_table = f["epoch"], True

    def _table_of(self, line: Line, f: Fields) -> Iterator[Event]:
        self._in_table = True
        self._table = "mask" if "segm" in line.text else "box"
        return iter(())

    def _average(self, line: Line, f: Fields) -> Iterator[Event]:
        if self._in_table:
            self._note(line, Metric(self._table, f["value"], "fraction"))
        return iter(())

    def _mean_follows(self, line: Line, f: Fields) -> Iterator[Event]:
        self._mean_next = True
        return iter(())

    def _mean(self, line: Line, f: Fields) -> Iterator[Event]:
        if self._mean_next:
            self._note(
                line, Metric("MeanAP" if self._table == "box" else "MaskAP", f["value"], "%")
            )
        self._mean_next = False
        return iter(())


GLUON_EVALUATIONS = (
    Statement(
        Skeleton(
            "Epoch {epoch:int}, validation pixAcc: {pixacc:float}, mIoU: {miou:float}: "
            "{}| {step:int}/{steps:int} [..."
        ),
        GluonEvaluations._validation_bar,
        0.8,
        "evaluation progress",
    ),
    *each(_VALIDATIONS, GluonEvaluations._validation, 1.0, "evaluation"),
    Statement(
        KeyValues("[Epoch {epoch:int}] validation:", separator="=", delimiter=None, numbers={}),
        GluonEvaluations._errors,
        1.0,
        "evaluation",
    ),
    Statement(
        KeyValues("[Epoch {epoch:int}] Validation:", separator="=", delimiter=None, numbers={}),
        GluonEvaluations._errors,
        0.8,
        "evaluation",
    ),
    Statement(Skeleton("~~~~ Summary {}"), GluonEvaluations._table_of, 0.3, "evaluation table"),
    Statement(
        Skeleton("~~~~ MeanAP @ {}"), GluonEvaluations._mean_follows, 0.3, "evaluation table"
    ),
    *each(
        (
            Skeleton(
                before + "Average Precision (AP) @[ IoU=0.50:0.95 | area= all | "
                "maxDets=100 ] = {value:float}"
            )
            for before in ("=", "")
        ),
        GluonEvaluations._average,
        0.05,
        "evaluation table",
    ),
    Statement(Skeleton("={value:float}"), GluonEvaluations._mean, 0.0, "evaluation table"),
    Statement(Skeleton("Average {}"), GluonEvaluations.quiet, 0.0, "evaluation table"),
)
"""Statements to put behind a format's own."""
