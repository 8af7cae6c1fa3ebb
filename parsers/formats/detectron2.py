"""The text logs of detectron2, maskrcnn-benchmark, FCOS, FastReID; detectron2's metrics.json.

`time` is the mean of all iterations since the program began, but for the first two (`global_avg`);
later versions also print `last_time`, the time of the latest iteration. The duration is `last_time`
if the log has it, else `time`; `time` is always among the values, too. The ancestors of detectron2
print the median of 20 iterations as `time`. Average precisions are in percent. metrics.json has one
JSON object per report or evaluation. FastReID (fastreid/utils/events.py, `CommonMetricPrinter`)
prints the epoch in front of the iteration, which counts over the whole run.
"""

from collections.abc import Mapping

from sixdim.parsers.events import (
    Evaluation,
    Event,
    Events,
    Iteration,
    Metric,
    Origin,
    RunEnd,
    RunInfo,
    RunStart,
    Summary,
)
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole, figure, figures
from sixdim.parsers.grammar.shapes.json_record import JsonRecord
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.gathering import Gathering
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.record_fields import Gauge
from sixdim.parsers.statements.rows import ends, line, progress, remembers, starts

_MAIN = {("bbox", "AP"): "box", ("segm", "AP"): "mask", ("sem_seg", "mIoU"): "miou"}
_NOT_VALUES = frozenset(("eta", "iter", "total_loss"))
_NEARLY_ALL = 0.99
"""A program with a writer of its own may print no progress for the last iterations."""


def _further(pairs: Mapping[str, str]) -> tuple[Metric, ...]:
    named = {k.replace("max mem", "max_mem"): v.rstrip("M") for k, v in pairs.items()}
    return figures(named, skip=_NOT_VALUES)


_MEDIANS = NamedRecord(
    duration=("latest", "duration"), epoch="", figures=(Gauge("epoch", "epoch"),), further=_further
)
_RECORD = _MEDIANS._replace(mean_duration="duration")
_WARM_UP = 2
"""Iterations of a program whose time counts for no mean."""
_EARLY = 1000
"""Last iteration of a first line that shows that the program began with the first iteration."""
_EPOCH = "epoch/iter: {epoch:int}/{step:int}"


def _pairs(head: str, *required: str, loss: str = "total_loss") -> KeyValues:
    """Returns the shape of a progress line with these keys; `loss` is the key of the loss."""
    numbers = {"loss": loss, "duration": "time", "latest": "last_time"}
    return KeyValues(head, separator=": ", numbers=numbers, required=required)


class Detectron2(Gathering):
    name = "detectron2"
    title = "detectron2, maskrcnn-benchmark and FastReID text"
    example = (
        "eta: 6:39:53  iter: 19  total_loss: 2.054  loss_cls: 0.5801  time: 0.2800  "
        "data_time: 1.2356  lr: 0.00039962  max_mem: 2723M"
    )
    unread = "the configuration but for the batch, per-category tables, the times of an evaluation"

    _data = ""  # the data set of the scores that follow, if it is named
    _task = ""
    _names: tuple[str, ...] = ()
    gathered: tuple[Metric, ...] = ()  # scores of the tasks of one evaluation
    _scores_at: Origin | None = None
    _steps_planned = 0  # unknown
    _is_tested = False  # whether the settings that follow are a test's

    @line(_pairs("eta: {}" + _EPOCH, "total_loss", "lr"), 1.0, "iteration", _RECORD)
    @line(_pairs("eta: {}iter: {step:int}", "total_loss", "lr"), 1.0, "iteration", _RECORD)
    @line(_pairs(_EPOCH, "total_loss", "lr"), 0.8, "iteration", _RECORD)
    @line(_pairs("iter: {step:int}", "total_loss", "lr"), 0.8, "iteration", _RECORD)
    @line(_pairs("iter: {step:int}", "lr"), 0.0, "iteration", _RECORD)
    def _iteration(self, line: Line, f: Fields) -> Events:
        if "loss" not in f and "duration" not in f:
            return  # a run that is too short for a report ends with a line without figures
        if "means_since" not in self.facts and f["step"] <= _EARLY:
            yield from self.report(line.origin(), "means_since", _WARM_UP - 1)
        yield from _RECORD.read(self, line, f)

    ancestors = progress(
        _pairs("eta: {}iter: {step:int}", "loss", "max mem", loss="loss"), _MEDIANS, 0.9
    )

    data_set = remembers("Evaluation results for {_data:word} in csv format:", 0.3, "evaluation")
    task = remembers("copypaste: Task: {_task:word}", 1.0, "evaluation")

    @line("copypaste: {cells:text}", 1.0, "evaluation")
    def _copypaste(self, line: Line, f: Fields) -> Events:
        cells = f["cells"].split(",")
        values = [as_number(cell) for cell in cells]
        if all(value is None for value in values):
            self._names = tuple(cell.strip() for cell in cells)
        else:
            scores = zip(self._names, values, strict=False)
            self.gathered += tuple(self._score(n, v) for n, v in scores if v is not None)
            self._scores_at = self._scores_at or line.origin()
        return ()

    def _score(self, name: str, value: float) -> Metric:
        return figure(_MAIN.get((self._task, name), f"{self._task}/{name}"), value, "%")

    def goes_on(self, line: Line) -> bool:
        """See `Gathering.goes_on`."""
        return "copypaste" in line.text

    def complete(self) -> tuple[Event, ...]:
        """See `Gathering.complete`."""
        at, scores = self._scores_at, self.gathered
        self.gathered, self._scores_at = (), None
        return () if at is None else (Evaluation(at, scores, step=self.step, data=self._data),)

    @line("Starting training from iteration {step:int}", 0.8, "header")
    def _start(self, line: Line, f: Fields) -> Events:
        self.latest = None
        # Published times to train count from here; a resumed run's clock began elsewhere.
        yield RunStart(line.origin(), timed=f["step"] == 0)
        yield from self._count_means(line, f["step"])

    @line("Starting training from epoch {epoch:int}", 0.2, "header")
    def _start_of_fastreid(self, line: Line, f: Fields) -> Events:
        yield from self._count_means(line, f["epoch"] or None)

    def _count_means(self, line: Line, start: int | None) -> Events:
        """Says from which step the means of a program count that starts with an iteration."""
        self.facts["means_since"] = since = -1 if start is None else start + _WARM_UP - 1
        yield RunInfo(line.origin(), "means_since", since)

    @line("Total training time: {duration:duration} ({} on hooks)", 1.0, "end")
    def _end(self, line: Line, f: Fields) -> Events:
        """Reads the closing line, which detectron2 prints after an interruption, too.

        The progress of the last planned iteration is always printed.
        """
        step = self.latest.step if self.latest else None
        stopped = step is not None and step + 1 < _NEARLY_ALL * self._steps_planned
        self.facts.clear()  # later facts belong to another run
        yield RunEnd(line.origin(), f["duration"], "aborted" if stopped else "finished")

    closing = ends("Total training time: {duration:duration} ({pace:float} s / it)", 0.2)

    @line("Overall training speed: {} iterations in {} ({pace:float} s / it)", 1.0, "speed")
    def _speed(self, line: Line, f: Fields) -> Events:
        return (Summary(line.origin(), (Metric("seconds per iteration", f["pace"], "s", False),)),)

    @line("Rank of current process: {rank:int}. World size: {devices:int}", 0.8, "header")
    def _world(self, line: Line, f: Fields) -> Events:
        if f["rank"] == 0:
            self.facts.clear()
            yield RunStart(line.origin())
            yield from self._count_means(line, None)
        yield from self.report(line.origin(), "devices", f["devices"])

    first_of_maskrcnn = starts("Using {devices:int} GPUs", 0.0)  # only the main process prints it

    settings = (
        remembers("SOLVER:", 0.0, "config", _is_tested=False),
        remembers("TEST:", 0.0, "config", _is_tested=True),
        remembers("MAX_ITER: {_steps_planned:int}", 0.0, "config"),
        # It is scaled to the number of devices after the configuration was printed.
        remembers(
            "Auto-scaling the config to {}, max_iter={_steps_planned:int}, {}", 0.0, "config"
        ),
    )

    @line("IMS_PER_BATCH: {global_batch:int}", 0.2, "config")
    def _batch(self, line: Line, f: Fields) -> Events:
        """Reads the training batch; maskrcnn-benchmark names the batch of tests alike."""
        batch = f["global_batch"]
        return () if self._is_tested else self.report(line.origin(), "global_batch", batch)


_TASKS = ("bbox/", "segm/", "keypoints/", "sem_seg/", "panoptic_seg/", "box_proposals/")
_JSON_SCORES = {"bbox/AP": "box", "segm/AP": "mask", "sem_seg/mIoU": "miou"}
_NOT_JSON_VALUES = frozenset(("iteration", "total_loss", "eta_seconds"))


class Detectron2Json(Reader):
    name = "detectron2-json"
    title = "detectron2 metrics.json"
    example = '{"data_time": 0.0016, "eta_seconds": 4102.9, "iteration": 19, "total_loss": 3.43}'
    unread = "the batch and the devices (metrics.json has neither: the speed is it/s)"

    @line(JsonRecord(required=("iteration", "eta_seconds")), 1.0, "record")
    @line(JsonRecord(required=("iteration", "total_loss")), 1.0, "record")
    @line(JsonRecord(required=("iteration", "bbox/AP")), 1.0, "evaluation")
    @line(JsonRecord(required=("iteration", "data_time")), 0.8, "record")
    @line(JsonRecord(required=("iteration", "sem_seg/mIoU")), 1.0, "evaluation")
    def _record(self, line: Line, f: Fields) -> Events:
        at, step, loss = line.origin(), as_whole(f["iteration"]), as_number(f.get("total_loss"))
        scores = {k: v for k, v in f.items() if k.startswith(_TASKS)}
        if loss is not None:
            pairs = {k: v for k, v in f.items() if k not in scores and self.wants(k)}
            values, seconds = figures(pairs, skip=_NOT_JSON_VALUES), as_number(f.get("time"))
            yield Iteration(at, None, step, loss=loss, duration=seconds, values=values)
        metrics = tuple(
            figure(_JSON_SCORES.get(name, name), value, "%")
            for name, raw in scores.items()
            if (value := as_number(raw)) is not None
        )
        if metrics:
            yield Evaluation(at, metrics, step=step)
