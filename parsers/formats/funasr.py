"""FunASR (speech recognition): a line of each rank at intervals, with the times of its last batch.

The figures of a validation are those of its checkpoint (`Update best acc: 0.81`): the lines between
have means of the batches so far. A model without an accuracy has one of 0.
"""

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Metric
from sixdim.parsers.grammar.shapes.figures import figure
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.rows import ignored, line

_STEP = (
    "rank: {rank:int}, epoch: {epoch:int}/{planned:int}, data_slice: {:int}/{slices:int}, "
    "step_in_slice: {:int}/{steps:int}, step_in_epoch: {step:int}, total step: {:int}, "
    "(loss_avg_rank: {loss:float}), "
)
_RECORD = NamedRecord(rank="rank", facts=(("planned", "epochs_planned"),))


class FunASR(Reader):
    name = "funasr"
    title = "FunASR (speech recognition)"
    example = (
        "train, rank: 0, epoch: 0/50, data_slice: 0/1, step_in_slice: 50/625, step_in_epoch: 50, "
        "total step: 50, (loss_avg_rank: 1.251), (loss_avg_slice: 1.398), (acc_avg_slice: 0.712), "
        "(lr: 1.000e-04), [('loss', 1.251)], {'data_load': '0.001', 'total_time': '0.412'}, GPU, …"
    )
    unread = "the batch (the speed is it/s), means of an epoch so far, the time of a slice of data"

    _midway = False  # whether the last checkpoint is of a step inside an epoch

    @line("train, " + _STEP + "{}'total_time': '{duration:float}'{}", 1.0, "iteration", _RECORD)
    def _iteration(self, line: Line, f: Fields) -> Events:
        whole = f["slices"] <= 1
        if not whole:  # how long the other slices are is not printed
            f = {name: value for name, value in f.items() if name != "steps"}
        yield from _RECORD.read(self, line, f)
        if whole and f["step"] == f["steps"] and not f["rank"]:
            yield EpochEnd(line.origin(), f["epoch"])

    batches = ignored("val, " + _STEP + "{}", 0.5, "evaluation")
    validation = ignored("Validate epoch: {:int}, rank: {:int}", 0.3, "evaluation")
    header = ignored("Train epoch: {:int}, rank: {:int}", 0.3, "header")

    @line("Checkpoint saved to {path:text}", 0.2, "checkpoint")
    def _checkpoint(self, _line: Line, f: Fields) -> Events:
        self._midway = f["path"].rpartition(".ep")[2].count(".") > 0
        return ()

    @line("Update best {name:until}: {value:float}, {}", 0.4, "evaluation")
    @line("No improvement in {name:until}: {value:float} < {:float}, {}", 0.4, "evaluation")
    @line("No improvement in {name:until}: {value:float} > {:float}, {}", 0.4, "evaluation")
    def _validated(self, line: Line, f: Fields) -> Events:
        if f["name"] == "loss":
            metric = figure("loss", f["value"])
        elif f["name"] == "acc" and f["value"]:
            metric = Metric("acc", f["value"], "fraction")
        else:
            return ()
        event = self.latest
        place = (None, None) if event is None else (event.epoch, event.step)
        return (Evaluation(line.origin(), (metric,), *place, midway=self._midway),)
