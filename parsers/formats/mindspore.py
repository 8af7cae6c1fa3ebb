"""MindSpore: LossMonitor, TimeMonitor 1.x and 2.x, and the model zoo's own callbacks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Iteration,
    Metric,
    Problem,
    RunEnd,
    Scope,
)
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.pairs import figure
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import Gauge, IterationRecord
from sixdim.parsers.statements.rows import each, progress
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_NAMES = {
    "top_1_accuracy": "acc1",
    "top_5_accuracy": "acc5",
    "acc": "acc1",
    "accuracy": "acc1",
}
_ENTRY = pattern(r"'([\w@. /-]{1,60})': ?([-+]?[\d.]{1,30}(?:[eE][-+]?\d{1,3})?|nan)(?=[,}])")
_TENSOR = pattern(r"value= ?([-+]?[\d.]{1,30}(?:[eE][-+]?\d{1,3})?|nan|inf)(?=[,)\s])")

_TIMES = tuple(
    KeyValues(
        head + " {time:float}" + unit + ", ",
        delimiter=", ",
        numbers={"step": "per step time", "loss": "avg loss"},
        required=("per step time",),
        glued=("ms", "s"),
    )
    for head in ("epoch time:", "Epoch time:", "Train epoch time:")
    for unit in (" ms", " s", "")
)
_RATES = tuple(
    KeyValues(
        "epoch[{epoch:int}], iter[{step:int}], ",
        delimiter=", ",
        numbers={"throughput": key, "loss": "loss"},
        required=(key,),
    )
    for key in ("mean_fps", "fps")
)
_INVALID = (
    Skeleton("epoch: {epoch:int} step: {step:int}. Invalid loss, terminating training."),
    Skeleton("ValueError: epoch: {epoch:int} step: {step:int}. Invalid loss, terminating {}"),
    Skeleton("In epoch: {epoch:int} step: {step:int}, loss is NAN or INF, {}"),
    Skeleton("ValueError: In epoch: {epoch:int} step: {step:int}, loss is NAN or INF, {}"),
)
_STEPS = (
    Skeleton(
        "Epoch:[{epoch:int}/{epochs:int}], step:[{step:int}/{steps:int}], "
        "loss:[{loss:float}/{average:float}], time:{time:float} ms, lr:{lr:float}"
    ),
    Skeleton(
        "epoch: [{epoch:int}/{epochs:int}], step:[{step:int}/{steps:int}], "
        "loss:[{loss:float}/{average:float}], time:[{time:float}], lr:[{lr:float}]"
    ),
)
_LOSS = "epoch: {epoch:int} step: {step:int}, loss is {loss:float}"
_BENCHMARK = (
    "epoch: [{epoch:int}/{epochs:int}] step: [{step:int}/{steps:int}], loss is {loss:float}"
)
_SPEED = "Epoch time: {time:float} ms, fps: {fps:float} img/sec."
_RECORD = IterationRecord(epoch="epoch", step="step", steps="steps", loss=("loss",))
_BENCHMARK_RECORD = replace(
    _RECORD,
    throughput=("fps",),
    unit="img/s",
    scope=Scope.DEVICE,
    figures=(Gauge("time", "Epoch time", "ms", higher_is_better=False),),
)
_STEP_RECORD = replace(
    _RECORD,
    duration=("time",),
    milliseconds=True,
    figures=(Gauge("lr", "lr"),),
)
# per-device batch x group size / time: the whole group's speed.
_RATE_RECORD = replace(_RECORD, throughput=("throughput",), unit="img/s", scope=Scope.JOB)


class MindSpore(Reader):
    """Reads one log of MindSpore.

    The model zoo's `Monitor` prints an epoch's time without its label: such epochs are
    counted from 0, as its own step lines do, and follow those lines where they appear.
    """

    name = "mindspore"
    title = "MindSpore: LossMonitor, TimeMonitor and model zoo callbacks"
    example = "epoch: 11 step: 10, loss is 6.9087753"
    unread = "the batch and the devices, the configuration, profiler tables"

    def __init__(self) -> None:
        self._labelled = False
        self._counted = 0

    def note(self, last: Iteration) -> None:
        """As `Reader.note`; the lines that time a step are `Monitor`'s."""
        if last.duration is None:
            self._labelled = True
        elif last.epoch is not None:
            self._counted = last.epoch

    def _outputs(self, line: Line, f: Fields) -> Iterator[Event]:
        # This callback counts its steps over the whole run.
        tensor = _TENSOR.search(f["outputs"])
        bare = figure("loss", tensor[1] if tensor else f["outputs"].strip("([ "))
        values = [Metric("epoch", float(f["epoch"]))]
        if "percent" in f:
            values.append(Metric("current epoch percent", f["percent"]))
        self._labelled = True
        yield Iteration(
            line.origin(),
            epoch=None,
            step=f["step"],
            loss=bare.value if bare else None,
            values=tuple(values),
        )

    def _epoch(self, line: Line, f: Fields) -> Iterator[Event]:
        # Without a unit these callbacks mean milliseconds.
        unit = "s" if line.text.partition(",")[0].endswith(" s") else "ms"
        second = 1 if unit == "s" else 1000
        values = [Metric("epoch time", f["time"], unit, higher_is_better=False)]
        if "step" in f:
            values.append(Metric("per step time", f["step"], unit, higher_is_better=False))
        if "loss" in f:
            values.append(Metric("avg loss", f["loss"], higher_is_better=False))
        yield EpochEnd(
            line.origin(),
            None if self._labelled else self._counted,
            train_time=f["time"] / second,
            values=tuple(values),
            # A step line of steps that were sunk to the device prints the time of all of them.
            iteration_time=f["step"] / second if "step" in f else None,
        )
        self._counted += 1

    def _result(self, line: Line, f: Fields) -> Iterator[Event]:
        metrics = []
        for name, value in _ENTRY.findall(line.text[:4000]):
            found = figure(name, value)
            if found is not None and name in _NAMES:
                metrics.append(Metric(_NAMES[name], found.value, "fraction"))
            elif found is not None:
                metrics.append(found)
        if metrics:
            yield Evaluation(line.origin(), tuple(metrics), epoch=f.get("epoch"))

    def _total(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunEnd(line.origin(), f["time"] / 1000)

    def _invalid(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Problem(line.origin(), "nan_loss", line.text.strip()[:160], fatal=True)

    statements = (
        progress(Skeleton(_LOSS), _RECORD, 1.0),
        progress(Skeleton(_BENCHMARK + _SPEED), _BENCHMARK_RECORD, 1.0),
        progress(Skeleton(_BENCHMARK + " " + _SPEED), _BENCHMARK_RECORD, 1.0),
        progress(Skeleton(_SPEED + " " + _LOSS), _BENCHMARK_RECORD, 1.0),
        Statement(
            Skeleton(
                "epoch: {epoch:int}, current epoch percent: {percent:float}, step: {step:int}, "
                "outputs are {outputs:text}"
            ),
            _outputs,
            1.0,
            "iteration",
        ),
        Statement(
            Skeleton("epoch: {epoch:int}, step: {step:int}, outputs are {outputs:text}"),
            _outputs,
            1.0,
            "iteration",
        ),
        *each(_TIMES, _epoch, 1.0, "epoch time"),
        *(progress(shape, _STEP_RECORD, 1.0) for shape in _STEPS),
        *(progress(shape, _RATE_RECORD, 1.0) for shape in _RATES),
        Statement(
            Skeleton("epoch: {epoch:int}, {}: {}, eval_cost:{cost:float}"),
            _result,
            1.0,
            "evaluation",
        ),
        Statement(Skeleton("result: {'{}"), _result, 0.5, "evaluation"),
        Statement(Skeleton("{epoch:int} : {'accuracy': {}"), _result, 0.5, "evaluation"),
        Statement(Skeleton("cost time: {time:float} ms"), _total, 0.3, "total time"),
        Statement(Skeleton("Eval epoch time: {}"), Reader.quiet, 0.5, "evaluation time"),
        *each(_INVALID, _invalid, 1.0, "failure"),
    )
