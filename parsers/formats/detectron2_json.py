"""detectron2's metrics.json: one JSON object per report, evaluations among them."""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import Evaluation, Event, Iteration
from sixdim.parsers.grammar.figures import as_number, as_whole, figure, figures
from sixdim.parsers.grammar.json_record import JsonRecord
from sixdim.parsers.grammar.shape import Fields
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import IterationRecord
from sixdim.parsers.text.lines import Line

_TASKS = ("bbox/", "segm/", "keypoints/", "sem_seg/", "panoptic_seg/", "box_proposals/")
_MAIN = {"bbox/AP": "box", "segm/AP": "mask", "sem_seg/mIoU": "miou"}
_NOT_VALUES = frozenset(("iteration", "total_loss", "eta_seconds"))
_RECORD = IterationRecord(step="iteration", loss=("total_loss",), duration=("time",))


class Detectron2Json(Reader):
    """Reads one metrics.json."""

    name = "detectron2-json"
    title = "detectron2 metrics.json"
    example = '{"data_time": 0.0016, "eta_seconds": 4102.9, "iteration": 19, "total_loss": 3.43}'
    unread = "the batch and the devices (metrics.json has neither: the speed is it/s)"

    def _record(self, line: Line, f: Fields) -> Iterator[Event]:
        at, step = line.origin(), as_whole(f["iteration"])
        scores = {k: v for k, v in f.items() if k.startswith(_TASKS)}
        if as_number(f.get("total_loss")) is not None:
            yield Iteration(
                at,
                epoch=None,
                step=step,
                loss=as_number(f["total_loss"]),
                duration=as_number(f.get("time")),
                values=figures(f, skip=_NOT_VALUES | frozenset(scores)),
            )
        metrics = tuple(
            figure(_MAIN.get(name, name), value, "%")
            for name, raw in scores.items()
            if (value := as_number(raw)) is not None
        )
        if metrics:
            yield Evaluation(at, metrics, step=step)

    statements = (
        Statement(JsonRecord(required=("iteration", "eta_seconds")), _record, 1.0, "record"),
        Statement(JsonRecord(required=("iteration", "total_loss")), _record, 1.0, "record"),
        Statement(JsonRecord(required=("iteration", "bbox/AP")), _record, 1.0, "evaluation"),
        Statement(JsonRecord(required=("iteration", "data_time")), _record, 0.8, "record"),
        Statement(JsonRecord(required=("iteration", "sem_seg/mIoU")), _record, 1.0, "evaluation"),
    )
