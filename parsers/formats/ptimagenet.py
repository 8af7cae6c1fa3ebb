"""The ImageNet script of pytorch/examples and its many descendants (`Epoch: [0][ 5/13]`).

Scripts of contrastive learning print `Train: [1][10/196] BT 0.3 (0.4)`.
"""

from sixdim.parsers.events import Evaluation, Events, Metric, RunInfo, RunStart, Scope
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.figure_rows import epoch_end, evaluation, summary
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.rows import Rows, ignored, line, progress, remembers

_ERRORS = "* Epoch: [{epoch:int}/{:int}] Top 1-err {top1_err:float} Top 5-err {top5_err:float}"
"""CutMix and PyramidNet print this after the training and after the evaluation."""
_DEVICES = ("", "[npu id: {:int} ] ", "[gpu id: {:int} ] ")
"""What Ascend's scripts print in front of some lines."""


def _progress(
    *heads: str, loss: str = "Loss", time: str = "Time", skip: tuple[str, ...] = ()
) -> Rows:
    """States progress lines.

    Args:
        heads: Their beginnings.
        loss: The name that they print for the loss.
        time: The name that they print for the seconds of an iteration.
        skip: Names that are no further figures.
    """
    shapes = (
        KeyValues(
            head,
            delimiter=None,
            separator=" ",
            numbers={"loss": loss, "duration": time, "throughput": "Speed"},
            means={"mean": time, "mean_speed": "Speed"},
            required=(time,),
        )
        for head in heads
    )
    record = NamedRecord(
        unit="img/s",
        scope=Scope.JOB,  # NVIDIA's variant prints the speed of the whole world size
        mean_throughput="mean_speed",
        mean_duration="mean",
        further=further(loss, "Speed", *skip),
    )
    return progress((*shapes,), record, 1.0)


class PyTorchImageNet(Reader):
    name = "ptimagenet"
    title = "pytorch/examples ImageNet and scripts derived from it"
    tried = "pytorch/examples 2025-08, pytorch_resnet_cifar10 2021-07"
    example = (
        "Epoch: [0][ 10/5005]\tTime  0.363 ( 2.614)\tData  0.000 ( 1.2)\t"
        "Loss 7.0212e+00 (7.0514e+00)\tAcc@1   0.00 (  0.11)\tAcc@5   0.78 (  0.57)"
    )
    unread = "the batch and the devices (not printed), running figures of a test, the learning rate"

    batches_of_distiller = ignored(
        "Epoch: [{:int}][{:int}/{:int}] Loss {:float} Top1 {}", 0.3, "test progress"
    )
    distiller = progress(  # its time is the mean of the epoch so far
        KeyValues(
            "Epoch: [{epoch:int}][{step:int}/{steps:int}] "
            "Overall Loss {loss:float} Objective Loss {:float}",
            delimiter=None,
            separator=" ",
            numbers={"mean": "Time"},
            required=("Time",),
        ),
        NamedRecord(mean_duration="mean"),
        1.0,
    )
    training = _progress(
        "Epoch: [{epoch:int}][{step:int}/{steps:int}]",
        "Epoch: [{epoch:int}][{step:int}]",  # SwAV's and DeepCluster's
        "Epoch: [{epoch:int}/{epochs:int}][{step:int}/{steps:int}]",
    )
    contrastive = _progress(
        "Train: [{epoch:int}][{step:int}/{steps:int}]", loss="loss", time="BT", skip=("BT",)
    )
    running = ignored(
        (
            "Test: [{:int}/{:int}]{}Time {}",
            "Validate: [{:int}/{:int}]{}Time {}",
        ),
        0.3,
        "test progress",
    )

    scores = tuple(
        evaluation(shape, weight, unit="%")
        for shape, weight in (
            ("Testing Results: Prec@1 {acc1:float} Prec@5 {acc5:float} Loss {}", 0.5),
            ("* Acc@1 {acc1:float} Acc@5 {acc5:float}...", 0.2),
            ("* Acc@1 {acc1:float}", 0.2),
            *(
                (f"{device}[AVG-ACC] * Acc@1 {{acc1:float}}{comma} Acc@5 {{acc5:float}}", 0.5)
                for device in _DEVICES
                for comma in ("", ",")
            ),
            ("* Prec@1 {acc1:float} Prec@5 {acc5:float}...", 0.2),
            ("* Prec@1 {acc1:float}", 0.2),
            ("* Prompt Acc@1 {acc1:float} Original Acc@1 {}", 0.3),  # visual prompts
            ("FINAL * Prompt Acc@1 {acc1:float} Original Acc@1 {}", 0.3),
            ("* Finished epoch {epoch:int} mAP: {map:float}% best: {}", 0.5),
            ("* Finished epoch {epoch:int} model mAP: {map:float}% best: {}", 0.5),
            ("mAP: {map:float}%", 0.2),  # deep-person-reid's, after an epoch that its lines name
            ("mAP      : {map:float}%", 0.2),
        )
    )

    _of_teacher = False
    _tests = False  # Distiller's last evaluation is on the test data

    tests = remembers("--- test {}", 0.1, "header", _tests=True)

    @line("==> Top1: {acc1:float} Top5: {acc5:float} Loss: {loss:float}", 0.5, "evaluation")
    @line("==> Top1: {acc1:float} Loss: {loss:float}", 0.5, "evaluation")
    def _of_distiller(self, line: Line, f: Fields) -> Events:
        metrics = [Metric(name, f[name], "%") for name in ("acc1", "acc5") if name in f]
        metrics.append(Metric("loss", f["loss"], "", False))
        data = "test" if self._tests else "val"
        yield Evaluation(line.origin(), tuple(metrics), self.epoch, data=data)

    teacher = remembers("Teacher network performance", 0.5, "header", _of_teacher=True)

    @line(_ERRORS + " Test Loss {}", 0.5, "evaluation")
    def _errors(self, line: Line, f: Fields) -> Events:
        metrics = [Metric(name, f[name], "%", False) for name in ("top1_err", "top5_err")]
        model, self._of_teacher = "teacher" if self._of_teacher else "raw", False
        yield Evaluation(line.origin(), tuple(metrics), f["epoch"], model=model)

    best = summary("Best Prec@1: {best:float}", 0.2, "best", names={"best": ("best acc1", "%")})

    speeds = epoch_end(
        tuple(
            f"{device}{batch}* FPS@all {{throughput:float}}..."
            for device in _DEVICES
            for batch in ("", "batch_size: {:int} Time: {:float} ")
        ),
        0.5,
        "epoch throughput",
        unit="img/s",
        scope=Scope.JOB,
    )
    epoch_times = (
        epoch_end(_ERRORS + " Train Loss {loss:float}", 0.5, "epoch"),
        epoch_end("Total time for epoch [{epoch:int}] : {train_time:float}", 0.2, "epoch time"),
        epoch_end("epoch {epoch:int}, total time {train_time:float}", 0.1, "epoch time"),
    )

    @line("=> creating model {model:word}", 0.3, "header")
    @line("=> using pre-trained model {model:word}", 0.3, "header")
    def _creating(self, line: Line, f: Fields) -> Events:
        if not line.rank:
            yield RunStart(line.origin())
            yield RunInfo(line.origin(), "model", f["model"].strip("'\""))
