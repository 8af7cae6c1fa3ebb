"""detectron2's text log, and its ancestor's (maskrcnn-benchmark, FCOS).

`time` is the mean of all iterations so far (`global_avg`), `last_time`, in later versions,
that of the latest one; what the log has goes into `duration` with the latter first, and
`time` is always among the values. Average precisions are in percent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sixdim.parsers.events import Evaluation, Event, Metric, Origin, RunEnd, RunStart, Summary
from sixdim.parsers.grammar.figures import Facts, as_number, figure, figures
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import IterationRecord
from sixdim.parsers.text.lines import Line

_MAIN = {("bbox", "AP"): "box", ("segm", "AP"): "mask", ("sem_seg", "mIoU"): "miou"}
_NUMBERS = {"loss": "total_loss", "duration": "time", "latest": "last_time"}
_NOT_VALUES = frozenset(("eta", "iter", "total_loss"))


def _further(pairs: Mapping[str, str]) -> tuple[Metric, ...]:
    named = {k.replace("max mem", "max_mem"): v.rstrip("M") for k, v in pairs.items()}
    return figures(named, skip=_NOT_VALUES)


_RECORD = IterationRecord(
    step="step", loss=("loss",), duration=("latest", "duration"), further=_further
)


class Detectron2(Reader):
    """Reads one text log."""

    name = "detectron2"
    title = "detectron2 and maskrcnn-benchmark text"
    example = (
        "eta: 6:39:53  iter: 19  total_loss: 2.054  loss_cls: 0.5801  time: 0.2800  "
        "data_time: 1.2356  lr: 0.00039962  max_mem: 2723M"
    )
    unread = "the configuration but for the batch, per-category tables, the times of an evaluation"

    def __init__(self) -> None:
        self._facts = Facts()
        self._task = ""
        self._names: tuple[str, ...] = ()
        self._scores: tuple[Metric, ...] = ()
        self._scores_at: Origin | None = None

    def read(self, line: Line) -> Iterable[Event] | None:
        """As `Reader.read`; the tasks of one evaluation become one event."""
        if self._scores_at is not None and "copypaste" not in line.text:
            return [*self._release(), *(super().read(line) or ())]
        return super().read(line)

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`, with an evaluation that the log ended in."""
        return [*self._release(), *super().end(at)]

    def _release(self) -> list[Event]:
        """The evaluation before."""
        at, scores = self._scores_at, self._scores
        self._scores, self._scores_at = (), None
        return [] if at is None else [Evaluation(at, scores, step=self.step)]

    def _iteration(self, line: Line, f: Fields) -> Iterable[Event]:
        # The closing line of a run too short to have figures has none.
        return _RECORD.read(self, line, f) if {"loss", "duration"} & f.keys() else ()

    def _task_of(self, line: Line, f: Fields) -> Iterator[Event]:
        self._task = f["task"]
        return iter(())

    def _copypaste(self, line: Line, f: Fields) -> Iterator[Event]:
        cells = f["cells"].split(",")
        values = [as_number(cell) for cell in cells]
        if all(value is None for value in values):
            self._names = tuple(cell.strip() for cell in cells)
        else:
            scores = zip(self._names, values, strict=False)
            self._scores += tuple(self._score(n, v) for n, v in scores if v is not None)
            self._scores_at = self._scores_at or line.origin()
        return iter(())

    def _score(self, name: str, value: float) -> Metric:
        return figure(_MAIN.get((self._task, name), f"{self._task}/{name}"), value, "%")

    def _start(self, line: Line, f: Fields) -> Iterator[Event]:
        self.latest = None
        # Published times to train count from here; a resumed run's clock began elsewhere.
        yield RunStart(line.origin(), timed=f["step"] == 0)

    def _end(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunEnd(line.origin(), f["time"])

    def _speed(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Summary(line.origin(), (Metric("seconds per iteration", f["pace"], "s", False),))

    def _world(self, line: Line, f: Fields) -> Iterator[Event]:
        if f["rank"] == 0:
            self._facts.forget()
            yield RunStart(line.origin())
        yield from self._facts.report(line.origin(), "devices", f["devices"])

    def _batch(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self._facts.report(line.origin(), "global_batch", f["batch"])

    statements = (
        Statement(
            KeyValues(
                "eta: {}iter: {step:int}",
                separator=": ",
                numbers=_NUMBERS,
                required=("total_loss", "lr"),
            ),
            _iteration,
            1.0,
            "iteration",
        ),
        Statement(
            KeyValues(
                "eta: {}iter: {step:int}",
                separator=": ",
                numbers={**_NUMBERS, "loss": "loss"},
                required=("loss", "max mem"),
            ),
            _iteration,
            0.9,
            "iteration",
        ),
        Statement(
            KeyValues("iter: {step:int}", separator=": ", numbers=_NUMBERS, required=("lr",)),
            _iteration,
            0.8,
            "iteration",
        ),
        Statement(Skeleton("copypaste: Task: {task:word}"), _task_of, 1.0, "evaluation"),
        Statement(Skeleton("copypaste: {cells:text}"), _copypaste, 1.0, "evaluation"),
        Statement(Skeleton("Starting training from iteration {step:int}"), _start, 0.8, "header"),
        Statement(Skeleton("Total training time: {time:duration} ({} on hooks)"), _end, 1.0, "end"),
        Statement(
            Skeleton("Total training time: {time:duration} ({pace:float} s / it)"),
            _end,
            0.2,
            "end",
        ),
        Statement(
            Skeleton("Overall training speed: {} iterations in {} ({pace:float} s / it)"),
            _speed,
            1.0,
            "speed",
        ),
        Statement(
            Skeleton("Rank of current process: {rank:int}. World size: {devices:int}"),
            _world,
            0.8,
            "header",
        ),
        Statement(Skeleton("IMS_PER_BATCH: {batch:int}"), _batch, 0.2, "config"),
    )
