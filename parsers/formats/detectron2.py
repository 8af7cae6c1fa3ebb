"""detectron2's text log, and its ancestor's (maskrcnn-benchmark, FCOS).

`time` is the mean of all iterations so far (`global_avg`); later versions also print `last_time`,
the time of the latest iteration. `duration` is `last_time` if the log has it, else `time`, which
is always among the values, too. Average precisions are in percent.
"""

from __future__ import annotations

from collections.abc import Mapping

from sixdim.parsers.events import Evaluation, Event, Events, Metric, Origin, RunStart, Summary
from sixdim.parsers.grammar.shapes.figures import as_number, figure, figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import NamedRecord, ends, line

_MAIN = {("bbox", "AP"): "box", ("segm", "AP"): "mask", ("sem_seg", "mIoU"): "miou"}
_NOT_VALUES = frozenset(("eta", "iter", "total_loss"))


def _further(pairs: Mapping[str, str]) -> tuple[Metric, ...]:
    named = {k.replace("max mem", "max_mem"): v.rstrip("M") for k, v in pairs.items()}
    return figures(named, skip=_NOT_VALUES)


_RECORD = NamedRecord(duration=("latest", "duration"), further=_further)


def _pairs(head: str, *required: str, loss: str = "total_loss") -> KeyValues:
    """Returns the shape of a progress line with these keys; `loss` is the key of the loss."""
    numbers = {"loss": loss, "duration": "time", "latest": "last_time"}
    return KeyValues(head, separator=": ", numbers=numbers, required=required)


class Detectron2(Reader):
    name = "detectron2"
    title = "detectron2 and maskrcnn-benchmark text"
    example = (
        "eta: 6:39:53  iter: 19  total_loss: 2.054  loss_cls: 0.5801  time: 0.2800  "
        "data_time: 1.2356  lr: 0.00039962  max_mem: 2723M"
    )
    unread = "the configuration but for the batch, per-category tables, the times of an evaluation"

    _task = ""
    _names: tuple[str, ...] = ()
    _scores: tuple[Metric, ...] = ()
    _scores_at: Origin | None = None
    _is_tested = False  # whether the settings that follow are a test's

    @line(_pairs("eta: {}iter: {step:int}", "total_loss", "lr"), 1.0, "iteration", _RECORD)
    @line(
        _pairs("eta: {}iter: {step:int}", "loss", "max mem", loss="loss"), 0.9, "iteration", _RECORD
    )
    @line(_pairs("iter: {step:int}", "lr"), 0.8, "iteration", _RECORD)
    def _iteration(self, line: Line, f: Fields) -> tuple[Event, ...]:
        # The closing line of a run too short to have figures has none.
        return _RECORD.read(self, line, f) if "loss" in f or "duration" in f else ()

    @line("copypaste: Task: {task:word}", 1.0, "evaluation")
    def _task_of(self, line: Line, f: Fields) -> tuple[Event, ...]:
        self._task = f["task"]
        return ()

    @line("copypaste: {cells:text}", 1.0, "evaluation")
    def _copypaste(self, line: Line, f: Fields) -> tuple[Event, ...]:
        cells = f["cells"].split(",")
        values = [as_number(cell) for cell in cells]
        if all(value is None for value in values):
            self._names = tuple(cell.strip() for cell in cells)
        else:
            scores = zip(self._names, values, strict=False)
            self._scores += tuple(self._score(n, v) for n, v in scores if v is not None)
            self._scores_at = self._scores_at or line.origin()
        return ()

    def _score(self, name: str, value: float) -> Metric:
        return figure(_MAIN.get((self._task, name), f"{self._task}/{name}"), value, "%")

    def read(self, line: Line) -> Events | None:
        """As `Reader.read`; the tasks of one evaluation become one event."""
        if self._scores_at is None or "copypaste" in line.text:
            return super().read(line)
        return [*self._ended_evaluation(), *(super().read(line) or ())]

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`, with an evaluation that the log ended in."""
        return [*self._ended_evaluation(), *super().end(at)]

    def _ended_evaluation(self) -> Events:
        """Yields the evaluation whose scores are complete."""
        at, scores = self._scores_at, self._scores
        self._scores, self._scores_at = (), None
        if at is not None:
            yield Evaluation(at, scores, step=self.step)

    @line("Starting training from iteration {step:int}", 0.8, "header")
    def _start(self, line: Line, f: Fields) -> tuple[Event, ...]:
        self.latest = None
        # Published times to train count from here; a resumed run's clock began elsewhere.
        return (RunStart(line.origin(), timed=f["step"] == 0),)

    closing = (
        ends("Total training time: {duration:duration} ({} on hooks)", 1.0),
        ends("Total training time: {duration:duration} ({pace:float} s / it)", 0.2),
    )

    @line("Overall training speed: {} iterations in {} ({pace:float} s / it)", 1.0, "speed")
    def _speed(self, line: Line, f: Fields) -> tuple[Event, ...]:
        return (Summary(line.origin(), (Metric("seconds per iteration", f["pace"], "s", False),)),)

    @line("Rank of current process: {rank:int}. World size: {devices:int}", 0.8, "header")
    def _world(self, line: Line, f: Fields) -> Events:
        if f["rank"] == 0:
            self.facts.clear()
            yield RunStart(line.origin())
        yield from self.report(line.origin(), "devices", f["devices"])

    @line("Using {devices:int} GPUs", 0.0, "header")
    def _begin(self, line: Line, f: Fields) -> Events:
        """Reads the first line of maskrcnn-benchmark, which only the main process prints."""
        self.facts.clear()
        self.latest = None
        yield RunStart(line.origin())
        yield from self.report(line.origin(), "devices", f["devices"])

    @line("SOLVER:", 0.0, "config")
    def _training_settings(self, line: Line, f: Fields) -> tuple[Event, ...]:
        self._is_tested = False
        return ()

    @line("TEST:", 0.0, "config")
    def _test_settings(self, line: Line, f: Fields) -> tuple[Event, ...]:
        self._is_tested = True
        return ()

    @line("IMS_PER_BATCH: {global_batch:int}", 0.2, "config")
    def _batch(self, line: Line, f: Fields) -> Events:
        """Reads the training batch; maskrcnn-benchmark names the batch of tests alike."""
        batch = f["global_batch"]
        return () if self._is_tested else self.report(line.origin(), "global_batch", batch)
