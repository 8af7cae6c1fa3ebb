"""The console of Swin Transformer's scripts and their descendants (InternImage in DeepSparkHub).

InternImage adds the job's images per second to the training line, and prints their mean per epoch.
"""

from sixdim.parsers.events import Evaluation, Events, Metric, Scope
from sixdim.parsers.statements.figure_rows import epoch_end, summary
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.rows import ends, ignored, line, progress

_HEAD = (
    "Train: [{epoch:int}/{epochs:int}][{step:int}/{steps:int}] eta {eta:duration} lr {}"
    "time {duration:float} ({mean:float}) {}loss {loss:float} ({}"
)
_RECORD = NamedRecord(unit="img/s", scope=Scope.JOB, mean_duration="mean")


class Swin(Reader):
    name = "swin"
    title = "Swin Transformer and InternImage console"
    example = (
        "Train: [0/300][10/625]\teta 0:10:05 lr 0.000001\t time 0.5123 (0.6000)\t"
        "loss 6.9123 (6.9500)\tgrad_norm 1.2000 (1.3000)\tmem 9999MB"
    )
    unread = "the configuration, the averages in brackets, the parameter count, memory"

    training = progress((_HEAD + "fps {throughput:float}img/s...", _HEAD + "..."), _RECORD, 1.0)

    throughput = epoch_end(
        "EPOCH {epoch:int} Avg img/s: {throughput:float}", 0.2, unit="img/s", scope=Scope.JOB
    )

    train_time = epoch_end("EPOCH {epoch:int} training takes {train_time:duration}", 1.0)

    _evaluated = False

    @line("* Acc@1 {acc1:float} Acc@5 {acc5:float}...", 0.1, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        self._evaluated = True
        metrics = (Metric("acc1", f["acc1"], "%"), Metric("acc5", f["acc5"], "%"))
        return (Evaluation(line.origin(), metrics, epoch=self.epoch),)

    @line("Accuracy of the network on the {} {split:word} images: {acc1:float}%", 0.0, "accuracy")
    def _accuracy(self, line: Line, f: Fields) -> Events:
        # If a descendant prints both lines, the line above has more digits.
        if self._evaluated or f["split"] == "train":
            return ()
        return (Evaluation(line.origin(), (Metric("acc1", f["acc1"], "%"),), epoch=self.epoch),)

    best = summary("Max accuracy: {best:float}%", 0.0, "best", names={"best": ("best acc1", "%")})

    running = ignored("Test: [{step:int}/{steps:int}] Time {}", 0.0, "test progress")
    training_time = ends("Training time {duration:duration}", 0.1, "training time")
