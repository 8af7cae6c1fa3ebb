"""The logs of Acme's trainer."""

from sixdim.plugin import NamedRecord, Reader, Scope
from sixdim.plugin import ends, epoch_end, evaluation, fact, ignored, progress, starts


class Acme(Reader):
    name = "acme"
    title = "Acme's trainer"
    example = "train | epoch 0 | step 100/400 | 811.2 samples/s | loss 6.912"

    training = progress(
        "train | epoch {epoch:int} | step {step:int}/{steps:int} | "
        "{throughput:float} samples/s | loss {loss:float}",
        NamedRecord(unit="samples/s", scope=Scope.JOB),
        1.0,
    )
    epochs = epoch_end(
        "epoch {epoch:int} done in {train_time:duration}, {throughput:float} samples/s",
        1.0,
        unit="samples/s",
        scope=Scope.JOB,
    )
    scores = evaluation("valid | epoch {epoch:int} | top1 {acc1:float} %", 1.0, unit="%")
    header = starts("acme trainer {}", 0.5)
    setup = fact("model {model:word} on {devices:int} devices", 0.3)
    checkpoints = ignored("saved {}.ckpt", 0.1, "checkpoint")
    closing = ends("all done after {duration:duration}", 0.5)
