"""The logs of Acme's trainer."""

from sixdim.plugin import EpochEnd, Evaluation, Event, Fields, IterationRecord, Line, Metric
from sixdim.plugin import Reader, Scope, ends, fact, ignored, line, progress, starts


class Acme(Reader):
    name = "acme"
    title = "Acme's trainer"
    example = "train | epoch 0 | step 100/400 | 811.2 samples/s | loss 6.912"

    training = progress(
        "train | epoch {epoch:int} | step {step:int}/{steps:int} | "
        "{rate:float} samples/s | loss {loss:float}",
        IterationRecord(
            epoch="epoch",
            step="step",
            steps="steps",
            throughput=("rate",),
            unit="samples/s",
            scope=Scope.JOB,
            loss=("loss",),
        ),
        1.0,
    )

    @line("epoch {epoch:int} done in {time:duration}, {rate:float} samples/s", 1.0, "epoch")
    def _epoch(self, line: Line, f: Fields) -> tuple[Event, ...]:
        rate, seconds = f["rate"], f["time"]
        return (EpochEnd(line.origin(), f["epoch"], rate, "samples/s", Scope.JOB, seconds),)

    @line("valid | epoch {epoch:int} | top1 {top1:float} %", 1.0, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> tuple[Event, ...]:
        return (Evaluation(line.origin(), (Metric("acc1", f["top1"], "%"),), f["epoch"]),)

    header = starts("acme trainer {version:word}", 0.5)
    setup = fact("model {model:word} on {devices:int} devices", 0.3)
    checkpoints = ignored("saved {}.ckpt", 0.1, "checkpoint")
    closing = ends("all done after {duration:duration}", 0.5)
