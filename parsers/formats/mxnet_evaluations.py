"""Evaluations as MXNet's Gluon and Module scripts print them: over several lines.

They print a line per metric (`Epoch[3] Validation-accuracy=…`), a COCO table under `[Epoch 3]
Validation:`, or a progress bar whose last state counts. The lines of one evaluation become one
event.
"""

from collections.abc import Iterator, Mapping

from sixdim.parsers.events import Evaluation, Event, Events, Metric, Origin
from sixdim.parsers.grammar.shapes.figures import figures, printed
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.common_shapes import COCO_MEAN
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import ignored, line, remembers

_NAMES = {
    "accuracy": "acc1",
    "top_k_accuracy_5": "acc5",
    "mAP": "map",
    "mIoU": "miou",
    "pixAcc": "pixacc",
}
_CONTINUES = ("Validation", "Average ", "=", "~~~~")


def _one_a_line(head: str) -> KeyValues:
    return KeyValues(head + " Validation-", separator="=")


def _pairs(head: str) -> KeyValues:
    return KeyValues(head, separator="=", delimiter=None)


class GluonEvaluations(Reader):
    """Gathers the lines of an evaluation until another line shows that it is complete.

    The readers of such logs inherit from it, and add its statements after their own.
    """

    def __init__(self) -> None:
        self._pending: dict[str, Metric] = {}
        self._pending_at: Origin | None = None
        self._pending_epoch: int | None = None
        self._table = "box"
        self._in_table = False
        self._mean_next = False

    def read(self, line: Line) -> Events | None:
        """As `Reader.read`; the lines of one evaluation become one event."""
        events = super().read(line)
        if self._pending_at is None and not self._in_table:
            return events
        if events is None:
            return self._class_line(line) if self._in_table else None
        if self._pending_at is None or _continues(line.text):
            return events
        return (*self._flush(), *events)

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`, with an evaluation that the log ended in."""
        return [*self._flush(), *super().end(at)]

    def _class_line(self, line: Line) -> tuple[Event, ...] | None:
        # The averages are followed by a line `class=value` per class, and then by their mean.
        key, equals, value = line.text.strip().partition("=")
        metric = printed(key, value) if equals else None
        if metric is None:
            return None
        if key == "mAP":
            self._add(line, Metric("map", metric.value, "fraction"))
        return ()

    def _add(self, line: Line, metric: Metric) -> None:
        self._pending_at = self._pending_at or line.origin()
        self._pending[metric.name] = metric

    def _flush(self) -> tuple[Event, ...]:
        at, metrics = self._pending_at, tuple(self._pending.values())
        epoch, self._pending_epoch = self._pending_epoch, None
        self._pending, self._pending_at, self._in_table = {}, None, False
        self._mean_next = False
        return (Evaluation(at, metrics, epoch=epoch),) if at is not None and metrics else ()

    @line(
        "Epoch {epoch:int}, validation pixAcc: {pixacc:float}, mIoU: {miou:float}: "
        "{}| {step:int}/{steps:int} [...",
        0.8,
        "evaluation progress",
    )
    def _bar(self, line: Line, f: Fields) -> Events:
        self._pending_epoch = f["epoch"]
        if f["step"] == f["steps"]:
            self._add(line, Metric("pixacc", f["pixacc"], "fraction"))
            self._add(line, Metric("miou", f["miou"], "fraction"))
        return ()

    @line(_one_a_line("Epoch[{epoch:int}] Rank[{rank:int}]"), 1.0, "evaluation")
    @line(_one_a_line("Epoch[{epoch:int}]"), 1.0, "evaluation")
    def _validation(self, line: Line, f: Fields) -> Events:
        # One line per metric, or all in one; Horovod scripts print the same line twice.
        events = self._flush() if self._pending_epoch not in (None, f["epoch"]) else ()
        self._pending_epoch = f["epoch"]
        for metric in _metrics(f["pairs"]):
            self._add(line, metric)
        return events

    @line(_pairs("[Epoch {epoch:int}] validation:"), 1.0, "evaluation")
    @line(_pairs("[Epoch {epoch:int}] Validation:"), 0.8, "evaluation")
    def _errors(self, line: Line, f: Fields) -> Events:
        metrics = tuple(_metrics(f["pairs"]))
        if metrics:
            yield Evaluation(line.origin(), metrics, epoch=f["epoch"])
        else:
            self._pending_epoch, self._in_table = f["epoch"], True

    @line("~~~~ Summary {}", 0.3, "evaluation table")
    def _table_of(self, line: Line, f: Fields) -> Events:
        self._in_table = True
        self._table = "mask" if "segm" in line.text else "box"
        return ()

    mean_follows = remembers("~~~~ MeanAP @ {}", 0.3, "evaluation table", _mean_next=True)

    @line(("=" + COCO_MEAN, COCO_MEAN), 0.05, "evaluation table")
    def _average(self, line: Line, f: Fields) -> Events:
        if self._in_table:
            self._add(line, Metric(self._table, f["value"], "fraction"))
        return ()

    @line("={value:float}", 0.0, "evaluation table")
    def _mean(self, line: Line, f: Fields) -> Events:
        if self._mean_next:
            self._add(line, Metric("MeanAP" if self._table == "box" else "MaskAP", f["value"], "%"))
        self._mean_next = False
        return ()

    other_averages = ignored("Average {}", 0.0, "evaluation table")


def _continues(text: str) -> bool:
    """Returns whether a line belongs to the same evaluation as the lines before it."""
    text = text.lstrip()
    return text.startswith(_CONTINUES) or "alidation" in text


def _metrics(pairs: Mapping[str, str]) -> Iterator[Metric]:
    """Yields the figures of an evaluation under their canonical names."""
    for metric in figures(pairs):
        name = metric.name.removeprefix("Validation-")
        is_fraction = name in _NAMES or name.startswith("err-")
        yield Metric(
            _NAMES.get(name, name),
            metric.value,
            "fraction" if is_fraction else metric.unit,
            metric.higher_is_better,
        )
