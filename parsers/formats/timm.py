"""timm's train.py: its console, that of its descendants (NAT, ViTAE, DeepSpark), and summary.csv.

A training line may have the accuracy of its batch, which is no evaluation. The last line of an
evaluation has the averages. The evaluation of the averaged (EMA) model comes after that of the raw
model, under another name. summary.csv does not show which model a row evaluates: timm writes the
figures of the averaged model if there is one, else those of the raw model.
"""

from sixdim.parsers.events import Evaluation, Events, Metric, RunEnd, RunStart, Scope, Summary
from sixdim.parsers.grammar.shapes.figures import figure
from sixdim.parsers.grammar.shapes.table import Row
from sixdim.parsers.statements.csv_reader import CsvReader, headers
from sixdim.parsers.statements.epoch_record import EpochRecord, scores
from sixdim.parsers.statements.figure_rows import epoch_end
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.record_fields import Gauge
from sixdim.parsers.statements.rows import fact, line, progress
from sixdim.parsers.statements.statement import Statement

_TRAINING = "Train: {epoch:int} [{step:int}/{steps:int} ({percent:float}%)] Loss: {loss:float} "


class Timm(Reader):
    name = "timm"
    title = "timm (pytorch-image-models) console"
    tried = "timm 1.0.31"
    example = (
        "Train: 3 [  50/1251 (  4%)]  Loss: 6.947 (6.96)  Time: 0.248s, 4130.65/s  "
        "(0.289s, 3540.67/s)  LR: 3.036e-06  Data: 0.036 (0.061)"
    )
    unread = (
        "learning rate and data time, running figures of a test, the table of best checkpoints, "
        "the batch (img/s are printed)"
    )

    _opened = False

    training = (
        progress(
            _TRAINING + "({}Time: {duration:float}s, {throughput:float}/s "
            "({mean:float}s, {average:float}/s)...",
            NamedRecord(
                unit="img/s",
                scope=Scope.JOB,  # input.size(0) * world_size / time
                mean_throughput="average",
                mean_duration="mean",
                figures=(Gauge("average", "average img/s", "img/s"),),
            ),
            1.0,
        ),
        progress(_TRAINING + "({}) {}LR: {lr:float}...", NamedRecord(), 0.8),  # a fork's
    )

    @line(
        "Test{suffix:until}: [{step:int}/{last:int}] Time: {} ({}) "
        "Loss: {} ({loss:float}) Acc@1: {} ({acc1:float}) Acc@5: {} ({acc5:float})...",
        1.0,
        "evaluation",
    )
    def _evaluation(self, line: Line, f: Fields) -> Events:
        if f["step"] != f["last"]:
            return ()
        scores = (Metric("acc1", f["acc1"], "%"), Metric("acc5", f["acc5"], "%"))
        metrics = (*scores, figure("loss", f["loss"]))
        model = "averaged" if "EMA" in f["suffix"] else "raw"
        return (Evaluation(line.origin(), metrics, epoch=self.epoch, model=model),)

    @line("*** Best metric: {value:float} (epoch {epoch:int})", 1.0, "best")
    def _best(self, line: Line, f: Fields) -> Events:
        best = Metric("best metric", f["value"])
        return Summary(line.origin(), (best,)), RunEnd(line.origin())

    epoch_time = epoch_end("epoch time is {train_time:float}", 0.2, "epoch time")

    @line(
        tuple("Scheduled epochs: {epochs:int}" + rest for rest in ("", ". {}", " (epochs + {}")),
        0.8,
        "header",
    )
    def _start(self, line: Line, f: Fields) -> Events:
        self.latest, self._opened = None, False
        self.facts.clear()
        yield RunStart(line.origin())
        yield from self.report(line.origin(), "epochs_planned", f["epochs"])

    @line("Training in distributed mode {}, total {devices:int}.{}", 0.3, "header")
    @line("Training in distributed mode {}, total {devices:int}, device{}", 0.3, "header")
    @line("Training with a single process on {devices:int} {}", 0.3, "header")
    def _devices(self, line: Line, f: Fields) -> Events:
        if not self._opened:  # every rank prints it
            self._opened = True
            self.facts.clear()
            yield RunStart(line.origin())
        yield from self.report(line.origin(), "devices", f["devices"])

    model = fact("Model {model:word} created, param count:{}", 0.5)
    precision = (
        fact(("Using native Torch AMP. {}", "Using NVIDIA APEX AMP. {}"), 0.2, precision="amp"),
        fact("AMP not enabled. Training in torch.bfloat16.", 0.2, precision="bf16"),
        fact("AMP not enabled. Training in torch.float16.", 0.2, precision="fp16"),
        fact("AMP not enabled. {}", 0.2, precision="fp32"),
    )


_NAMES = {"eval_top1": ("acc1", "%"), "eval_top5": ("acc5", "%"), "eval_loss": ("loss", "")}
_RECORD = EpochRecord(scores("eval_", _NAMES, strip="eval_"))


class TimmCsv(CsvReader):
    name = "timm-csv"
    title = "timm (pytorch-image-models) summary.csv"
    example = "epoch,train_loss,eval_loss,eval_top1,eval_top5"
    unread = (
        "throughput and times (summary.csv has none), and whether the evaluated model is the "
        "averaged one"
    )

    row = Statement(Row((), ","), _RECORD.read, 0.3, "row")
    header = headers(("epoch", "eval_loss"), ("epoch", "eval_top1"), columns=3, weight=3.0)
