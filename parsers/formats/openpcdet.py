"""OpenPCDet (3D detection): one line per interval of iterations, or two bars in older versions.

Epochs are numbered from 1 (from 0 in version 0.6 and MTR), iterations from 0. A console may show
lines and bars; the bars are read only if there are no lines. KITTI's tables have figures for each
class and difficulty, of which the moderate ones over 40 recall positions are read, as in
OpenPCDet's own reports.
"""

from sixdim.parsers.events import EpochEnd, Evaluation, Event, Events, Metric, Origin
from sixdim.parsers.grammar.shapes.bars import mean_of_bar
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.common_shapes import BAR, iteration_of_bar
from sixdim.parsers.statements.figure_rows import epoch_end
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.rows import ends, fact, line, progress, starts

_TRAINED = " INFO  Train: "

# Version 0.6 and MTR.
_HEAD = "epoch: {epoch:int}/{epochs:int}, acc_iter={}, cur_iter={step:int}/{steps:int}, "
_PACED = KeyValues(
    _HEAD,
    delimiter=", ",
    separator="=",
    numbers={"loss": "loss", "mean": "iter_cost"},
    required=("iter_cost",),
    glued=("s",),
)
_ROUNDED = 0.005 + 1e-9
"""A mean has two decimals; by the time of the epoch, in whole seconds, it is mostly more exact."""
_RECORD = NamedRecord(mean_duration="mean")
# `iter_cost` is the mean since the epoch began.
_PACE_RECORD = _RECORD._replace(duration=("mean",))


class OpenPCDet(Reader):
    name = "openpcdet"
    title = "OpenPCDet (3D object detection)"
    example = (
        "Train: 3/20 ( 15%) [1229/1935 ( 64%)] Loss: 2.332 (2.66) LR: 9.756e-05 "
        "Time cost: 16:06/09:14 [1:18:36/7:20:13] Acc_iter 5100 "
        "Data time: 0.02(0.04) Forward time: 0.65(0.66) Batch time: 0.67(0.70)"
    )
    unread = "the configuration, losses of bars, recalls, easy and hard objects, Waymo's figures"

    def __init__(self) -> None:
        self._passed = 0  # finished epochs by the bar of epochs
        self._evaluated: int | None = None  # the evaluated epoch
        self._of_class = ""
        self._found: dict[str, Metric] = {}

    record_clue = _TRAINED

    @staticmethod
    def record_in(text: str) -> str:
        """As `Reader.record_in`; a line may follow a bar without a newline between."""
        bar, found, record = text.partition(_TRAINED)
        return f"Train: {record}" if found and "|" in bar else text

    @line(
        "Train: {epoch:int}/{epochs:int} ({}%) [{step:int}/{steps:int} ({}%)] "
        "Loss: {loss:float} ({}) LR: {} Time cost: {elapsed:clock}/{} Acc_iter {} Data time: {} "
        "Forward time: {} Batch time: {duration:float}({mean:float})",
        1.0,
        "iteration",
        _RECORD,
    )
    def _iteration(self, line: Line, f: Fields) -> Events:
        mean = mean_of_bar(f["step"] + 1, f["elapsed"], f["mean"])
        if mean is not None and abs(mean - f["mean"]) <= _ROUNDED:
            f = {**f, "mean": mean}
        return _RECORD.read(self, line, f)

    by_iteration = (
        progress(
            _HEAD + "{}, loss={loss:float}, {}b_time={duration:float}({mean:float}), {}",
            _RECORD,
            1.0,
        ),
        progress(_PACED, _PACE_RECORD, 1.0),
    )

    @line("epochs: " + BAR + "...", 0.05, "epochs")
    def _epochs(self, line: Line, f: Fields) -> Events:
        if self.latest is None:
            yield from self.report(line.origin(), "epochs_planned", f["steps"])
            if f["step"] == self._passed + 1:
                yield EpochEnd(line.origin(), f["step"])
            self._passed = f["step"]

    @line("train: " + BAR + ", total_it={:int}]...", 0.6, "progress bar")
    def _bar(self, line: Line, f: Fields) -> Events:
        if self.latest is None:
            yield iteration_of_bar(line.origin(), self._passed + 1, f)

    header = starts("**********************Start training {}", 1.0)

    # The training is over; the last epochs are evaluated next.
    trained = epoch_end("**********************End training {}", 0.8, "end")

    closing = ends("**********************End evaluation {}", 0.8)
    sizes = (
        fact("Training in distributed mode : total_batch_size: {global_batch:count}", 0.5),
        fact("total_batch_size: {global_batch:count}", 0.3),
        fact("Training with a single process", 0.3, devices=1),
        fact("batch_size {batch_per_device:count}", 0.05),
    )

    @line("*************** EPOCH {epoch:int} EVALUATION ****...", 0.5, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        self._evaluated, self._found, self._of_class = f["epoch"], {}, ""
        return ()

    @line("mAP: {map:float}", 0.1, "evaluation")
    @line("NDS: {NDS:float}", 0.2, "evaluation")
    def _nuscenes(self, line: Line, f: Fields) -> Events:
        self._found |= {name: Metric(name, value, "fraction") for name, value in f.items()}
        return ()

    @line("{kind:word} AP_R40@{first:float}, {:float}, {}:", 0.3, "evaluation table")
    @line("{kind:word} AP@{:float}, {:float}, {}:", 0.3, "evaluation table")
    def _class(self, line: Line, f: Fields) -> Events:
        self._of_class = f["kind"] if "first" in f else ""
        return ()

    @line("3d AP:{:float}, {moderate:float}, {:float}", 0.3, "evaluation table")
    @line("{:word} AP:{:float}, {:float}, {:float}", 0.1, "evaluation table")
    def _precision(self, line: Line, f: Fields) -> Events:
        if self._of_class and "moderate" in f:  # a class's first table has its usual overlap
            name = f"{self._of_class}_3d/moderate_R40"
            self._found.setdefault(name, Metric(name, f["moderate"], "%"))
        return ()

    @line("Result is save{} to {}", 0.2, "evaluation")
    @line("****************Evaluation done.****...", 0.4, "evaluation")
    def _evaluated_all(self, line: Line, f: Fields) -> Events:
        return self._scores(line.origin())

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`, with an evaluation that the log ended in."""
        return [*self._scores(at), *super().end(at)]

    def _scores(self, at: Origin) -> tuple[Event, ...]:
        found, self._found = tuple(self._found.values()), {}
        return (Evaluation(at, found, self._evaluated),) if found else ()
