"""HugeCTR: iterations timed by the hundred, evaluations by name.

Lines begin `[HUGECTR][02:51:59][INFO][RANK0]: `, `[03d16h06m36s][HUGECTR][INFO]: ` in older
versions, `[HCTR][02:51:59.123][INFO][RK0][main]: ` in newer ones. The clock has no date.
"""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import Evaluation, Event, Iteration, Metric, RunEnd, RunInfo, RunStart
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.rows import each
from sixdim.parsers.text.lines import Line

_PREFIXES = ("[HUGECTR]{}: ", "[HCTR]{}: ", "[{}][HUGECTR]{}: ")


def _said(body: str) -> tuple[Skeleton, ...]:
    return tuple(Skeleton(prefix + body) for prefix in _PREFIXES)


class HugeCtr(Reader):
    """Reads one log; an iteration is one of all devices."""

    name = "hugectr"
    title = "NVIDIA HugeCTR"
    example = (
        "[HUGECTR][02:51:59][INFO][RANK0]: Iter: 100 Time(100 iters): 0.315066s "
        "Loss: 0.125152 lr:0.001000"
    )
    unread = (
        "the clock (it has no date), the layers' table, the learning rate, how long loading takes"
    )

    def __init__(self) -> None:
        self._nodes = self._local = 0

    def _iteration(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Iteration(
            line.origin(),
            epoch=None,
            step=f["step"],
            loss=f["loss"],
            duration=f["time"] / f["iterations"] if f["iterations"] else None,
        )

    def _evaluation(self, line: Line, f: Fields) -> Iterator[Event]:
        name = f["name"]
        unit = "fraction" if "auc" in name.lower() else ""
        yield Evaluation(line.origin(), (Metric(name, f["value"], unit, name != "AverageLoss"),))

    def _batch(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "global_batch", f["batch"])

    def _devices(self, line: Line, f: Fields) -> Iterator[Event]:
        self._nodes = f.get("nodes", self._nodes)
        self._local = f.get("local", self._local)
        if "nodes" in f:
            yield RunInfo(line.origin(), "nodes", self._nodes)
        if self._nodes and self._local:
            yield RunInfo(line.origin(), "devices", self._nodes * self._local)

    def _start(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunStart(line.origin())

    def _end(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunInfo(line.origin(), "global_batch", f["batch"])
        yield RunEnd(line.origin(), f["seconds"])

    statements = (
        *each(
            _said(
                "Iter: {step:int} Time({iterations:int} iters): {time:float}s Loss: {loss:float}..."
            ),
            _iteration,
            1.0,
            "iteration",
        ),
        *each(
            _said("Evaluation, {name:until}: {}, macro-averaging AUC: {value:float}..."),
            _evaluation,
            1.0,
            "evaluation",
        ),
        *each(_said("Evaluation, {name:until}: {value:float}..."), _evaluation, 1.0, "evaluation"),
        *each(
            _said("Training batchsize: {batch:int}, evaluation batchsize: {}..."),
            _batch,
            0.5,
            "header",
        ),
        *each(_said("=====================Model Fit..."), _start, 0.5, "header"),
        *each(
            _said("Finish {} iterations with batchsize: {batch:int} in {seconds:float}s..."),
            _end,
            1.0,
            "end",
        ),
        *each(
            _said(
                "Hit target accuracy {}iterations with batchsize {batch:int} in {seconds:float}s..."
            ),
            _end,
            1.0,
            "end",
        ),
        # What DLPerf's scripts print around a run.
        Statement(Skeleton("batch_size = {batch:int}"), _batch, 0.0, "header"),
        Statement(Skeleton("gpu_num_per_node = {local:int}"), _devices, 0.0, "header"),
        Statement(Skeleton("num_nodes = {nodes:int}"), _devices, 0.0, "header"),
    )
