"""detectron2's metrics.json: one JSON object per report, evaluations among them."""

from __future__ import annotations

from sixdim.parsers.events import Evaluation, Events, Iteration
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole, figure, figures
from sixdim.parsers.grammar.shapes.json_record import JsonRecord
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line

_TASKS = ("bbox/", "segm/", "keypoints/", "sem_seg/", "panoptic_seg/", "box_proposals/")
_MAIN = {"bbox/AP": "box", "segm/AP": "mask", "sem_seg/mIoU": "miou"}
_NOT_VALUES = frozenset(("iteration", "total_loss", "eta_seconds"))


class Detectron2Json(Reader):
    name = "detectron2-json"
    title = "detectron2 metrics.json"
    example = '{"data_time": 0.0016, "eta_seconds": 4102.9, "iteration": 19, "total_loss": 3.43}'
    unread = "the batch and the devices (metrics.json has neither: the speed is it/s)"

    @line(JsonRecord(required=("iteration", "eta_seconds")), 1.0, "record")
    @line(JsonRecord(required=("iteration", "total_loss")), 1.0, "record")
    @line(JsonRecord(required=("iteration", "bbox/AP")), 1.0, "evaluation")
    @line(JsonRecord(required=("iteration", "data_time")), 0.8, "record")
    @line(JsonRecord(required=("iteration", "sem_seg/mIoU")), 1.0, "evaluation")
    def _record(self, line: Line, f: Fields) -> Events:
        at, step, loss = line.origin(), as_whole(f["iteration"]), as_number(f.get("total_loss"))
        scores = {k: v for k, v in f.items() if k.startswith(_TASKS)}
        if loss is not None:
            pairs = {k: v for k, v in f.items() if k not in scores and self.wants(k)}
            values, seconds = figures(pairs, skip=_NOT_VALUES), as_number(f.get("time"))
            yield Iteration(at, None, step, loss=loss, duration=seconds, values=values)
        metrics = tuple(
            figure(_MAIN.get(name, name), value, "%")
            for name, raw in scores.items()
            if (value := as_number(raw)) is not None
        )
        if metrics:
            yield Evaluation(at, metrics, step=step)
