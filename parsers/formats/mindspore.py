"""MindSpore: LossMonitor, TimeMonitor 1.x and 2.x, and the model zoo's own callbacks.

The model zoo's `Monitor` prints an epoch's time without its label: such epochs are counted from 0,
as its own step lines do, and follow those lines where they appear.
"""

from functools import cached_property

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Iteration, Metric, RunEnd, Scope
from sixdim.parsers.grammar.shapes.figures import figures, printed
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.vocabulary.names import meaning
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.record_fields import Gauge
from sixdim.parsers.statements.rows import line, progress, remembers
from sixdim.parsers.statements.troubles import problem
from sixdim.parsers.text.patterns import pattern

_NAMES = {
    **dict.fromkeys(("top_1_accuracy", "acc", "accuracy"), ("acc1", "fraction")),
    "top_5_accuracy": ("acc5", "fraction"),
}
_ENTRY = pattern(
    r"'([\w@. /-]{1,60})': ?(?:np\.float\d\d\()?"
    r"([-+]?[\d.]{1,30}(?:[eE][-+]?\d{1,3})?|nan)(?=[,})])"
)
_TENSOR = pattern(r"value= ?([-+]?[\d.]{1,30}(?:[eE][-+]?\d{1,3})?|nan|inf)(?=[,)\s])")

_IN_SECONDS = pattern(r"\d ?s$")
_IN_MILLISECONDS = pattern(r"[\d.]{1,30} ?ms\b")
_TIMES = tuple(
    KeyValues(
        head + " {time:float}" + unit + ", ",
        delimiter=", ",
        numbers={"step": "per step time", "loss": "avg loss"},
        required=("per step time",),
        glued=("ms", "s"),
    )
    for head in ("epoch time:", "Epoch time:", "Train epoch time:")
    for unit in (" ms", " s", "ms", "s", "")
)
_EPOCH_FIGURES = (
    Gauge("time", "epoch time", higher_is_better=False),
    Gauge("step", "per step time", higher_is_better=False),
    Gauge("loss", "avg loss", higher_is_better=False),
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
    "epoch: {epoch:int} step: {step:int}. Invalid loss, terminating training.",
    "ValueError: epoch: {epoch:int} step: {step:int}. Invalid loss, terminating {}",
    "In epoch: {epoch:int} step: {step:int}, loss is NAN or INF, {}",
    "ValueError: In epoch: {epoch:int} step: {step:int}, loss is NAN or INF, {}",
)
_STEPS = (
    "Epoch:[{epoch:int}/{epochs:int}], step:[{step:int}/{steps:int}], "
    "loss:[{loss:float}/{average:float}], time:{duration:float} ms, lr:{lr:float}",
    "epoch: [{epoch:int}/{epochs:int}], step:[{step:int}/{steps:int}], "
    "loss:[{loss:float}/{average:float}], time:[{duration:float}], lr:[{lr:float}]",
)
_LOSS = "epoch: {epoch:int} step: {step:int}, loss is {loss:float}"
_BENCHMARK = (
    "epoch: [{epoch:int}/{epochs:int}] step: [{step:int}/{steps:int}], loss is {loss:float}"
)
_SPEED = "Epoch time: {time:float} ms, fps: {throughput:float} img/sec."
_RECORD = NamedRecord()
_BENCHMARK_RECORD = _RECORD._replace(
    unit="img/s",
    scope=Scope.DEVICE,
    figures=(Gauge("time", "Epoch time", "ms", higher_is_better=False),),
)
_STEP_RECORD = _RECORD._replace(milliseconds=True, figures=(Gauge("lr", "lr"),))
# per-device batch x group size / time: the whole group's speed.
_RATE_RECORD = _RECORD._replace(throughput=("throughput",), unit="img/s", scope=Scope.JOB)


def results(line: Line, f: Fields) -> Events:
    """Yields the evaluation that a line prints as a dictionary."""
    scores = {
        name.lower() if name.lower() in _NAMES else name: value
        for name, value in _ENTRY.findall(line.text)
    }
    yield Evaluation(line.origin(), figures(scores, names=_NAMES), epoch=f.get("epoch"))


class MindSpore(Reader):
    name = "mindspore"
    tried = "mindspore 2.10.0"
    title = "MindSpore: LossMonitor, TimeMonitor and model zoo callbacks"
    example = "epoch: 11 step: 10, loss is 6.9087753"
    unread = "the batch and the devices, the configuration, profiler tables"

    _labelled = False
    _counted = 0
    _place: tuple[int, int | None] | None = None  # epoch and step of the last line with its time
    _repeated = False  # such a line was printed again: several ranks write
    _timed_evaluation = False  # an evaluation's time was printed after the last step

    def note(self, event: Iteration) -> None:
        """As `Reader.note`; only `Monitor` prints lines with the time of a step."""
        self._timed_evaluation = False
        if event.duration is None:
            self._labelled = True
        elif event.epoch is not None:
            self._counted, place = event.epoch, (event.epoch, event.step)
            self._repeated |= place == self._place
            self._place = place

    losses = progress(_LOSS, _RECORD, 1.0)
    benchmark = progress(
        (_BENCHMARK + _SPEED, _BENCHMARK + " " + _SPEED, _SPEED + " " + _LOSS),
        _BENCHMARK_RECORD,
        1.0,
    )

    @line(
        "epoch: {epoch:int}, current epoch percent: {percent:float}, step: {step:int}, "
        "outputs are {outputs:text}",
        1.0,
        "iteration",
    )
    @line("epoch: {epoch:int}, step: {step:int}, outputs are {outputs:text}", 1.0, "iteration")
    def _outputs(self, line: Line, f: Fields) -> Events:
        # This callback counts steps over the whole run.
        tensor = _TENSOR.search(f["outputs"])
        metric = printed("loss", tensor[1] if tensor else f["outputs"].strip("([ "))
        values = [Metric("epoch", float(f["epoch"]))]
        if "percent" in f:
            values.append(Metric("current epoch percent", f["percent"]))
        self._labelled = True
        wanted = tuple(value for value in values if self.wants(value.name))
        loss = metric.value if metric else None
        yield Iteration(line.origin(), None, f["step"], loss=loss, values=wanted)

    @cached_property
    def _figures(self) -> tuple[Gauge, ...]:
        """Returns the wanted figures among the times of an epoch."""
        return tuple(figure for figure in _EPOCH_FIGURES if self.wants(figure.name))

    @line(_TIMES, 1.0, "epoch time")
    def _epoch(self, line: Line, f: Fields) -> Events:
        # Without a unit these callbacks mean milliseconds.
        unit = "s" if _IN_SECONDS.search(line.text.partition(",")[0]) else "ms"
        second = 1 if unit == "s" else 1000
        # Some print the time of an epoch in seconds, that of a step in milliseconds.
        if unit == "s" and "step" in f and _IN_MILLISECONDS.match(f["pairs"]["per step time"]):
            f = {**f, "step": f["step"] / 1000}
        label = None if self._labelled else self._counted
        if self._timed_evaluation:  # the evaluation restarted the timer: the time is its own
            self._timed_evaluation = False
            return (EpochEnd(line.origin(), label),)
        event = EpochEnd(
            line.origin(),
            label,
            train_time=f["time"] / second,
            values=tuple(
                Metric(name, f[hole], unit if hole != "loss" else "", higher)
                for hole, name, _unit, higher in self._figures
                if hole in f
            ),
            # If steps were sunk to the device, a step line prints the time of all of them.
            iteration_time=f["step"] / second if "step" in f else None,
        )
        if not self._repeated:  # else each rank prints the time of the same epoch
            self._counted += 1
        return (event,)

    steps = progress(_STEPS, _STEP_RECORD, 1.0)
    rates = progress(_RATES, _RATE_RECORD, 1.0)

    @line("epoch: {epoch:int}, {name:until}: {value:float}", 0.0, "evaluation")
    @line("epoch: {epoch:int} {name:until}: {value:float}, best {}", 0.0, "evaluation")
    def _named_result(self, line: Line, f: Fields) -> Events | None:
        """Yields the result that the model zoo's callback of an evaluation prints by its name."""
        named = meaning(f["name"], "", counts=False)
        if named is None or named.role != "quality":
            return None if named is None else ()
        metric = Metric(named.canonical, f["value"])
        return (Evaluation(line.origin(), (metric,), epoch=f["epoch"]),)

    @line("epoch: {epoch:int}, {}: {}, eval_cost:{cost:float}", 1.0, "evaluation")
    @line("result: {'{}", 0.5, "evaluation")
    @line("eval result: {'{}", 0.3, "evaluation")
    @line("Eval result: epoch {epoch:int}, metrics: {'{}", 1.0, "evaluation")
    @line("{epoch:int} : {'accuracy': {}", 0.5, "evaluation")
    def _result(self, line: Line, f: Fields) -> Events:
        return results(line, f)

    @line("cost time: {time:float} ms", 0.2, "total time")
    def _total(self, line: Line, f: Fields) -> Events:
        yield RunEnd(line.origin(), f["time"] / 1000)

    evaluated = remembers("Eval epoch time: {}", 0.2, "evaluation time", _timed_evaluation=True)

    @line(_INVALID, 1.0, "failure")
    def _invalid(self, line: Line, f: Fields) -> Events:
        yield problem(line, "nan_loss", fatal=True)
