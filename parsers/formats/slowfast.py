"""PySlowFast and its descendants: JSON after `json_stats:`; accuracies are errors in percent."""

from __future__ import annotations

from collections.abc import Mapping

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Iteration, Metric
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole, figures
from sixdim.parsers.grammar.shapes.json_record import JsonRecord
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line, starts

_NOT_VALUES = frozenset(("dt", "time_diff", "loss", "RAM", "gpu_mem", "eta"))
_SCORES = ("top1_err", "top5_err", "map", "top1_acc", "top5_acc")


class SlowFast(Reader):
    name = "slowfast"
    title = "PySlowFast"
    example = (
        'json_stats: {"_type": "train_iter", "dt": 0.51, "epoch": "1/196", "iter": "10/940", '
        '"loss": 5.99, "top1_err": 99.6}'
    )
    unread = (
        "the configuration and with it the batch (the speed is it/s), complexity, multi-view tests"
    )

    header = starts("Train with config:", 0.2)

    @line("Epoch {epoch:int} takes {time:float}s. {}", 0.3, "epoch time")
    def _time(self, line: Line, f: Fields) -> Events:
        # The time of the training pass. This line counts epochs from 0, the records count from 1.
        yield EpochEnd(line.origin(), f["epoch"] + 1, train_time=f["time"])

    @line(JsonRecord("json_stats: ", required=("_type",)), 1.0, "record")
    def _record(self, line: Line, f: Fields) -> Events:
        at, kind = line.origin(), str(f["_type"]).removesuffix("ssl").rstrip("_")
        epoch, epochs = _pair(f, "epoch", "cur_epoch")
        step, steps = _pair(f, "iter", "cur_iter")
        if epochs is not None:
            yield from self.report(at, "epochs_planned", epochs)
        loss, seconds = as_number(f.get("loss")), as_number(f.get("dt", f.get("time_diff")))
        if at.time_us is not None:
            seconds = None  # the time of one iteration in ten, which may include a wait for data
        if kind == "train_iter":
            values = figures(f, skip=_NOT_VALUES)
            yield Iteration(at, epoch, step, steps, loss=loss, duration=seconds, values=values)
        elif kind == "train_epoch":
            yield EpochEnd(at, epoch, values=figures(f, skip=_NOT_VALUES))
        elif kind == "val_epoch":
            found = {name: as_number(f.get(name)) for name in _SCORES}
            scores = tuple(
                Metric(name, value, "" if name == "map" else "%", not name.endswith("_err"))
                for name, value in found.items()
                if value is not None
            )
            if scores:
                yield Evaluation(at, scores, epoch)


def _pair(record: Mapping[str, object], *names: str) -> tuple[int | None, int | None]:
    """Returns the two numbers of `1/196`; for a single number the second is None."""
    raw = next((str(record[name]) for name in names if name in record), "")
    first, _, second = raw.partition("/")
    return as_whole(first), as_whole(second)
