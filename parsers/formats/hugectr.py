"""HugeCTR: a line gives the time of many iterations; an evaluation line names its metric.

Lines begin `[HUGECTR][02:51:59][INFO][RANK0]: `, `[03d16h06m36s][HUGECTR][INFO]: ` in older
versions, `[HCTR][02:51:59.123][INFO][RK0][main]: ` in newer ones. The clock has no date.

An iteration is one of all devices.
"""

from __future__ import annotations

from sixdim.parsers.events import Event, Iteration, RunEnd, RunInfo
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import evaluation, fact, line, starts

_PREFIXES = ("[HUGECTR]{}: ", "[HCTR]{}: ", "[{}][HUGECTR]{}: ")


def _lines(*bodies: str) -> tuple[str, ...]:
    """Returns lines with these texts behind any of the prefixes."""
    return tuple(prefix + body for body in bodies for prefix in _PREFIXES)


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

    @line(
        _lines(
            "Iter: {step:int} Time({iterations:int} iters): {time:float}s Loss: {loss:float}..."
        ),
        1.0,
        "iteration",
    )
    def _iteration(self, line: Line, f: Fields) -> tuple[Event, ...]:
        duration = f["time"] / f["iterations"] if f["iterations"] else None
        return (Iteration(line.origin(), None, f["step"], loss=f["loss"], duration=duration),)

    scores = evaluation(
        _lines(
            "Evaluation, {figure:until}: {}, macro-averaging AUC: {value:float}...",
            "Evaluation, {figure:until}: {value:float}...",
        ),
        1.0,
        names={"AUC": ("AUC", "fraction")},
    )

    batch = (
        fact(
            _lines("Training batchsize: {global_batch:int}, evaluation batchsize: {}..."),
            0.5,
            always=True,
        ),
        # What DLPerf's scripts print around a run.
        fact("batch_size = {global_batch:int}", 0.0, always=True),
    )

    headers = starts(_lines("=====================Model Fit..."), 0.5)

    @line(
        _lines(
            "Finish {} iterations with batchsize: {batch:int} in {seconds:float}s...",
            "Hit target accuracy {}iterations with batchsize {batch:int} in {seconds:float}s...",
        ),
        1.0,
        "end",
    )
    def _end(self, line: Line, f: Fields) -> tuple[Event, ...]:
        at = line.origin()
        return RunInfo(at, "global_batch", f["batch"]), RunEnd(at, f["seconds"])

    devices = fact(
        ("gpu_num_per_node = {devices_per_node:int}", "num_nodes = {nodes:int}"), 0.0, always=True
    )
