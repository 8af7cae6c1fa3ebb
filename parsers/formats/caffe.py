"""Caffe: the lines of the solver, after glog's prefix.

The outputs of one test stand on consecutive lines and form one evaluation.
"""

from sixdim.parsers.events import Evaluation, Event, Events, Metric, Origin, RunInfo
from sixdim.parsers.grammar.shapes.figures import lower_is_better
from sixdim.parsers.grammar.vocabulary.words import words
from sixdim.parsers.statements.figure_rows import evaluation
from sixdim.parsers.statements.format import Fields, Line
from sixdim.parsers.statements.gathering import Gathering
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.record_fields import Gauge
from sixdim.parsers.statements.rows import ends, ignored, line, progress, remembers, starts
from sixdim.parsers.text.lines import label

_CANONICAL = {
    **dict.fromkeys(words("accuracy accuracy/top1 accuracy/top-1 accuracy@1 acc/top-1"), "acc1"),
    **dict.fromkeys(words("accuracy_5 accuracy/top5 accuracy/top-5 accuracy@5 acc/top-5"), "acc5"),
    "detection_eval": "map",
}
_RECORD = NamedRecord(per_second="speed", figures=(Gauge("speed", "iter/s", "it/s"),))


class Caffe(Gathering):
    name = "caffe"
    title = "Caffe (solver log)"
    example = "Iteration 100 (6.71141 iter/s, 14.9s/100 iters), loss = 2.30312"
    unread = (
        "the training net's outputs, the learning rate, the net's description and with it the "
        "batch (so the speed is it/s)"
    )

    _testing: int | None = None  # step of the test
    _tested_at: Origin | None = None  # its first output
    gathered: tuple[Metric, ...] = ()

    training = tuple(
        progress(shape, _RECORD, weight)
        for shape, weight in (
            ("Iteration {step:int} ({speed:float} iter/s, {}), loss = {loss:float}", 1.0),
            # NVIDIA's fork prints the epoch as well.
            ("Iteration {step:int} ({speed:float} iter/s, {}), {}ep, loss = {loss:float}", 1.0),
            ("Iteration {step:int}, loss = {loss:float}", 0.2),
        )
    )

    def goes_on(self, line: Line) -> bool:
        """See `Gathering.goes_on`."""
        return "Test net output #" in line.text

    def complete(self) -> list[Event]:
        """See `Gathering.complete`."""
        at, tested = self._tested_at, self.gathered
        self._tested_at, self.gathered = None, ()
        return [] if at is None else [Evaluation(at, tested, step=self._testing)]

    test = remembers("Iteration {_testing:int}, Testing net {}...", 1.0, "test")

    @line("Test net output #{index:int}: {name:word} = {value:float} {}...", 1.0, "test output")
    @line("Test net output #{index:int}: {name:word} = {value:float}", 1.0, "test output")
    def _output(self, line: Line, f: Fields) -> Events:
        name = _CANONICAL.get(f["name"].lower(), label(f["name"], 40))
        unit = "fraction" if name in ("acc1", "acc5", "map") else ""
        metric = Metric(name, f["value"], unit, not lower_is_better(name))
        self.gathered = (*self.gathered[:63], metric)
        self._tested_at = self._tested_at or line.origin()
        return ()

    output = ignored("Train net output #{}...", 1.0, "training output")

    detected = evaluation("Mean AP = {map:float}", 0.1, unit="fraction")  # of py-faster-rcnn

    done = (
        ends("Optimization Done.", 0.5),
        ends("Solving Done.", 0.3),
        ends("Solving done...", 0.3),
        ends("done solving", 0.1),
    )

    @line("Solving {model:word}", 0.2, "header")
    def _model(self, line: Line, f: Fields) -> Events:
        yield RunInfo(line.origin(), "model", f["model"].strip("'\""))

    starting = starts("Starting Optimization", 0.3)
