"""HugeCTR: a line gives the time of many iterations; an evaluation line names its metric.

Lines begin `[HUGECTR][02:51:59][INFO][RANK0]: `, `[03d16h06m36s][HUGECTR][INFO]: ` in older
versions, `[HCTR][02:51:59.123][INFO][RK0][main]: ` in newer ones. The clock has no date.

An iteration is one of all devices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from sixdim.parsers.events import Evaluation, Event, Iteration, Metric, RunEnd, RunInfo
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import fact, line, starts

Handler: TypeAlias = Callable[..., Any]
_PREFIXES = ("[HUGECTR]{}: ", "[HCTR]{}: ", "[{}][HUGECTR]{}: ")


def _lines(body: str, weight: float, what: str) -> Callable[[Handler], Handler]:
    """Makes a decorator: the decorated method handles such lines behind any of the prefixes."""

    def state(handler: Handler) -> Handler:
        for prefix in reversed(_PREFIXES):
            handler = line(prefix + body, weight, what)(handler)
        return handler

    return state


class HugeCtr(Reader):
    name = "hugectr"
    title = "NVIDIA HugeCTR"
    example = (
        "[HUGECTR][02:51:59][INFO][RANK0]: Iter: 100 Time(100 iters): 0.315066s "
        "Loss: 0.125152 lr:0.001000"
    )
    unread = (
        "the clock (it has no date), the layers' table, the learning rate, how long loading takes"
    )

    _evaluated = 0.0
    """Seconds of the evaluations since the last iteration line, whose time includes them."""

    @_lines(
        "Iter: {step:int} Time({iterations:int} iters): {time:float}s Loss: {loss:float}...",
        1.0,
        "iteration",
    )
    def _iteration(self, line: Line, f: Fields) -> tuple[Event, ...]:
        trained, self._evaluated = f["time"] - self._evaluated, 0.0
        duration = trained / f["iterations"] if f["iterations"] and trained > 0 else None
        return (Iteration(line.origin(), None, f["step"], loss=f["loss"], duration=duration),)

    @_lines(
        "Evaluation, {name:until}: {}, macro-averaging AUC: {value:float}...", 1.0, "evaluation"
    )
    @_lines("Evaluation, {name:until}: {value:float}...", 1.0, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> tuple[Event, ...]:
        name = f["name"]
        unit = "fraction" if "auc" in name.lower() else ""
        return (
            Evaluation(line.origin(), (Metric(name, f["value"], unit, name != "AverageLoss"),)),
        )

    @_lines("Eval Time for {:int} iters: {seconds:float}s...", 0.5, "evaluation")
    def _evaluation_time(self, line: Line, f: Fields) -> tuple[Event, ...]:
        self._evaluated += f["seconds"]
        return ()

    @_lines("Training batchsize: {batch:int}, evaluation batchsize: {}...", 0.5, "header")
    @line("batch_size = {batch:int}", 0.0, "header")  # what DLPerf's scripts print around a run
    def _batch(self, line: Line, f: Fields) -> tuple[Event, ...]:
        return (RunInfo(line.origin(), "global_batch", f["batch"]),)

    headers = tuple(
        starts(prefix + "=====================Model Fit...", 0.5) for prefix in _PREFIXES
    )

    @_lines("Finish {} iterations with batchsize: {batch:int} in {seconds:float}s...", 1.0, "end")
    @_lines("Finish {} iterations with batchsize {batch:int} in {seconds:float}s...", 1.0, "end")
    @_lines(
        "Hit target accuracy {}iterations with batchsize {batch:int} in {seconds:float}s...",
        1.0,
        "end",
    )
    def _end(self, line: Line, f: Fields) -> tuple[Event, ...]:
        at = line.origin()
        return RunInfo(at, "global_batch", f["batch"]), RunEnd(at, f["seconds"])

    devices = fact(
        ("gpu_num_per_node = {devices_per_node:int}", "num_nodes = {nodes:int}"), 0.0, always=True
    )
