"""HugeCTR: a line gives the time of many iterations; an evaluation line names its metric.

Lines begin `[HUGECTR][02:51:59][INFO][RANK0]: `, `[03d16h06m36s][HUGECTR][INFO]: ` in older
versions, `[HCTR][02:51:59.123][INFO][RK0][main]: ` in newer ones. The clock has no date.

An iteration is one of all devices.
"""

from sixdim.parsers.events import (
    Evaluation,
    Events,
    Iteration,
    Metric,
    RunEnd,
    RunInfo,
    TargetReached,
)
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import fact, line, starts


def _logged(*texts: str) -> tuple[str, ...]:
    """Returns the shapes of these texts after each of HugeCTR's prefixes."""
    prefixes = "[HUGECTR]{}: ", "[HCTR]{}: ", "[{}][HUGECTR]{}: "
    return tuple(prefix + text for text in texts for prefix in prefixes)


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

    @line(
        _logged(
            "Iter: {step:int} Time({iterations:int} iters): {time:float}s Loss: {loss:float}..."
        ),
        1.0,
        "iteration",
    )
    def _iteration(self, line: Line, f: Fields) -> Events:
        trained, self._evaluated = f["time"] - self._evaluated, 0.0
        duration = trained / f["iterations"] if f["iterations"] and trained > 0 else None
        return (Iteration(line.origin(), None, f["step"], loss=f["loss"], duration=duration),)

    @line(
        _logged(
            "Evaluation, {name:until}: {}, macro-averaging AUC: {value:float}...",
            "Evaluation, {name:until}: {value:float}...",
        ),
        1.0,
        "evaluation",
    )
    def _evaluation(self, line: Line, f: Fields) -> Events:
        name = f["name"]
        unit = "fraction" if "auc" in name.lower() else ""
        metric = Metric(name, f["value"], unit, name != "AverageLoss")
        return (Evaluation(line.origin(), (metric,)),)

    @line(_logged("Eval Time for {:int} iters: {seconds:float}s..."), 0.5, "evaluation")
    def _evaluation_time(self, line: Line, f: Fields) -> Events:
        self._evaluated += f["seconds"]
        return ()

    batch = (
        fact(
            _logged("Training batchsize: {global_batch:int}, evaluation batchsize: {}..."),
            0.5,
            always=True,
        ),
        fact("batch_size = {global_batch:int}", 0.0, always=True),  # DLPerf's scripts print it
    )
    headers = starts(_logged("=====================Model Fit..."), 0.5)

    @line(
        _logged(
            "Finish {} iterations with batchsize: {batch:int} in {seconds:float}s...",
            "Finish {} iterations with batchsize {batch:int} in {seconds:float}s...",
            "Hit target accuracy AUC {target:float} at {}iterations with batchsize {batch:int} in "
            "{seconds:float}s...",
        ),
        1.0,
        "end",
    )
    def _end(self, line: Line, f: Fields) -> Events:
        at = line.origin()
        yield RunInfo(at, "global_batch", f["batch"])
        if "target" in f:
            yield TargetReached(at, f"auc>{f['target']:g}")
        yield RunEnd(at, f["seconds"])

    devices = fact(
        ("gpu_num_per_node = {devices_per_node:int}", "num_nodes = {nodes:int}"), 0.0, always=True
    )
