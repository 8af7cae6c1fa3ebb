"""The OpenMMLab family's JSON logs: MMCV's `*.log.json` and MMEngine's `scalars.json`."""

from __future__ import annotations

from sixdim.parsers.events import Evaluation, Event, Iteration
from sixdim.parsers.formats.mmcv_text import evaluated
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole, figures
from sixdim.parsers.grammar.shapes.json_record import JsonRecord
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line, starts

_LABELS = frozenset(("mode", "epoch", "iter", "step", "time", "loss"))


class MmcvJson(Reader):
    name = "mmcv-json"
    title = "MMCV .log.json and MMEngine scalars.json"
    example = '{"mode": "train", "epoch": 1, "iter": 50, "lr": 1e-05, "loss": 2.1, "time": 0.51}'
    unread = "the batch and the devices (the speed is it/s), per-class scores"

    @line(JsonRecord(required=("mode", "epoch", "iter")), 1.0, "record")
    def _record(self, line: Line, f: Fields) -> tuple[Event, ...]:
        if f["mode"] == "train":
            return self._train(line, f)
        if f["mode"] == "val":
            scores = {k: v for k, v in f.items() if k not in _LABELS}
            return _evaluation(line, scores, as_whole(f.get("epoch")), mmengine=False)
        return ()

    environment = starts(JsonRecord(required=("env_info",)), 1.0)

    @line(JsonRecord(required=("iter", "step", "data_time")), 0.8, "iteration")
    def _train(self, line: Line, f: Fields) -> tuple[Event, ...]:
        values = figures(self.wanted(f), skip=_LABELS)
        event = Iteration(
            line.origin(),
            as_whole(f.get("epoch")),
            as_whole(f.get("iter")),
            loss=as_number(f.get("loss")),
            duration=as_number(f.get("time")),
            values=values,
        )
        return (event,)

    @line(JsonRecord(required=("step", "data_time", "time")), 0.8, "evaluation")
    def _val(self, line: Line, f: Fields) -> tuple[Event, ...]:
        # `step` is the epoch of a run by epochs, the iteration of one by iterations.
        return _evaluation(line, f, None, mmengine=True)


def _evaluation(
    line: Line, f: Fields, epoch: int | None, *, mmengine: bool
) -> tuple[Evaluation, ...]:
    step = as_whole(f.get("step"))
    metrics = evaluated({k: v for k, v in f.items() if k != "step"}, mmengine=mmengine)
    return (Evaluation(line.origin(), metrics, epoch=epoch, step=step),) if metrics else ()
