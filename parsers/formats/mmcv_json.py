"""The OpenMMLab family's JSON logs: MMCV's `*.log.json` and MMEngine's `scalars.json`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sixdim.parsers.events import Evaluation, Event, Iteration, RunStart
from sixdim.parsers.formats.mmcv_text import evaluated
from sixdim.parsers.grammar.figures import as_number, as_whole, figures
from sixdim.parsers.grammar.json_record import JsonRecord
from sixdim.parsers.grammar.shape import Fields
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import IterationRecord
from sixdim.parsers.text.lines import Line

_LABELS = frozenset(("mode", "epoch", "iter", "step", "time", "loss"))
_RECORD = IterationRecord(epoch="epoch", step="iter", loss=("loss",), duration=("time",))


class MmcvJson(Reader):
    """Reads one JSON log."""

    name = "mmcv-json"
    title = "MMCV .log.json and MMEngine scalars.json"
    example = '{"mode": "train", "epoch": 1, "iter": 50, "lr": 1e-05, "loss": 2.1, "time": 0.51}'
    unread = "the batch and the devices (the speed is it/s), per-class scores"

    def _record(self, line: Line, f: Fields) -> Iterator[Event]:
        if f["mode"] == "train":
            yield self._iteration(line, f, as_whole(f.get("iter")))
        elif f["mode"] == "val":
            figures_only = {k: v for k, v in f.items() if k not in _LABELS}
            yield from self._evaluated(line, figures_only, as_whole(f.get("epoch")), mmengine=False)

    def _train(self, line: Line, f: Fields) -> Iterator[Event]:
        yield self._iteration(line, f, as_whole(f.get("iter")))

    def _val(self, line: Line, f: Fields) -> Iterator[Event]:
        # `step` is the epoch of a run by epochs, the iteration of one by iterations.
        yield from self._evaluated(line, f, None, mmengine=True)

    def _iteration(self, line: Line, f: Fields, step: int | None) -> Iteration:
        return Iteration(
            line.origin(),
            epoch=as_whole(f.get("epoch")),
            step=step,
            loss=as_number(f.get("loss")),
            duration=as_number(f.get("time")),
            values=figures(f, skip=_LABELS),
        )

    def _evaluated(
        self, line: Line, f: dict[str, Any] | Fields, epoch: int | None, *, mmengine: bool
    ) -> Iterator[Event]:
        step = as_whole(f.get("step"))
        metrics = evaluated({k: v for k, v in f.items() if k != "step"}, mmengine=mmengine)
        if metrics:
            yield Evaluation(line.origin(), metrics, epoch=epoch, step=step)

    def _start(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunStart(line.origin())

    statements = (
        Statement(JsonRecord(required=("mode", "epoch", "iter")), _record, 1.0, "record"),
        Statement(JsonRecord(required=("env_info",)), _start, 1.0, "header"),
        Statement(JsonRecord(required=("iter", "step", "data_time")), _train, 0.8, "iteration"),
        Statement(JsonRecord(required=("step", "data_time", "time")), _val, 0.8, "evaluation"),
    )
