"""MXNet: the Module API's Speedometer and Gluon training scripts (GluonCV, GluonNLP, NGC).

Speedometer and the Gluon scripts multiply by the batch of all devices, and under Horovod every rank
prints the whole job's speed.
"""

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Events,
    Iteration,
    Metric,
    Origin,
    RunEnd,
    RunInfo,
    RunStart,
    Scope,
)
from sixdim.parsers.formats.closing_table import closing_table
from sixdim.parsers.formats.mxnet_evaluations import GluonEvaluations
from sixdim.parsers.grammar.shapes.arguments import arguments, facts_of, precision_of
from sixdim.parsers.grammar.shapes.figures import figures, printed
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import Fields
from sixdim.parsers.statements.figure_rows import epoch_end
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.rows import fact, line, progress
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_GPUS = pattern(r"\d{1,3}(?:,\d{1,3})*+")
_FACTS = {
    "num_epochs": "epochs_planned",
    "epochs": "epochs_planned",
    "num_examples": "samples_per_epoch",
    "num_samples": "samples_per_epoch",
    "num_gpus": "devices",
    "ngpus": "devices",
    **dict.fromkeys(("model", "network", "arch"), "model"),
}
_K_TOKENS = pattern(r"(\d{1,9}(?:\.\d{1,9})?)K tks/s")

_LOSS = {"loss": "loss"}
_BATCHES = (
    *(
        KeyValues(head + " Speed: {throughput:float} samples/sec", separator="=", numbers=_LOSS)
        for head in (
            "Epoch[{epoch:int}] Batch [{first:int}-{step:int}]",
            "Epoch[{epoch:int}] Batch [{step:int}]",
            "Epoch[{epoch:int}] Batch[{step:int}]",
            "Iter[{epoch:int}] Batch [{step:int}]",
            "Iter[{epoch:int}] Batch[{step:int}]",
        )
    ),
    *(  # GluonCV's detectors, with and without the learning rate
        KeyValues(
            "[Epoch {epoch:int}][Batch {step:int}], " + rate + "Speed: {throughput:float} "
            "samples/sec, ",
            delimiter=",",
            separator="=",
            numbers=_LOSS,
        )
        for rate in ("", "LR: {lr:float}, ")
    ),
)
# Older Speedometers repeat the line for every metric.
_BATCH = NamedRecord(
    unit="samples/s", scope=Scope.JOB, once=("epoch", "step", "throughput"), further=further("loss")
)


def _pairs(head: str, delimiter: str | None = "  ") -> KeyValues:
    return KeyValues(head, delimiter=delimiter, separator="=")


class MXNet(GluonEvaluations):
    name = "mxnet"
    title = "MXNet Module and Gluon: Speedometer, GluonCV, NGC"
    tried = "mxnet 1.9.1"
    example = "INFO:root:Epoch[0] Batch [50]\tSpeed: 305.32 samples/sec\tTrain-accuracy=0.001016"
    unread = (
        "per-class evaluations but for their mean, learning-rate changes, profiler output, "
        "storage messages of other ranks"
    )

    def __init__(self) -> None:
        super().__init__()
        self._last: tuple[int, int] | None = None
        self._printed: dict[int | None, Iteration] = {}

    def note(self, event: Iteration) -> None:
        """As `Reader.note`; under Horovod every rank prints the same lines."""
        self._printed[event.at.rank] = event

    def before(self, at: Origin) -> Iteration | None:
        """As `Reader.before`."""
        return self._printed.get(at.rank)

    batches = tuple(progress(shape, _BATCH, 1.0) for shape in _BATCHES)

    @line("Epoch[{epoch:int}] Batch[{step:int}] Loss[{loss:float}]", 0.8, "iteration")
    def _loss(self, line: Line, f: Fields) -> Events:
        self._last = (f["epoch"], f["step"])
        yield Iteration(line.origin(), f["epoch"], f["step"], loss=f["loss"])

    @line(_pairs("Epoch[{epoch:int}] Rank[{rank:int}] Batch[{step:int}]"), 0.8, "iteration")
    def _rank(self, line: Line, f: Fields) -> Events:
        time = printed("time", f["pairs"].get("Time cost", ""))
        if time is None and self._last == (f["epoch"], f["step"]):
            return  # the loss of this batch has been printed
        values = figures(f["pairs"], ("Time cost",))
        if time is not None:
            yield EpochEnd(line.origin(), f["epoch"], train_time=time.value, values=values)
        else:
            self._last = (f["epoch"], f["step"])
            yield Iteration(line.origin(), f["epoch"], f["step"], values=values)

    bar_of_losses = progress(
        "Epoch {epoch:int}, training loss {loss:float}: {}%|{}| {step:int}/{steps:int} [...",
        NamedRecord(once=("epoch", "step")),  # the bar is drawn before and after each batch
        0.8,
    )

    @line(KeyValues("[step {step:int}]", separator="=", required=("mlm_loss",)), 0.9, "iteration")
    def _latency(self, line: Line, f: Fields) -> Events:
        pairs = {**f["pairs"], "latency": f["pairs"].get("latency", "").partition("/")[0]}
        # Printed in thousands: `throughput=13.4K tks/s`.
        speed = _K_TOKENS.match(pairs.get("throughput", ""))
        latency = printed("latency", pairs["latency"])
        loss = printed("loss", pairs.get("mlm_loss", ""))
        yield Iteration(
            line.origin(),
            None,
            f["step"],
            loss=loss.value if loss else None,
            throughput=float(speed[1]) if speed else None,
            unit="K tokens/s",
            duration=latency.value / 1000 if latency else None,
            values=figures(self.wanted(pairs)),
        )

    epochs = (
        epoch_end(
            (
                "Epoch[{epoch:int}] Speed: {throughput:float} samples/sec",
                "[Epoch {epoch:int}] speed: {throughput:float} samples/sec "
                "time cost: {epoch_time:float}",
                "Epoch[{epoch:int}] Time cost={train_time:float}",
                "[Epoch {epoch:int}] Training cost: {train_time:float}, "
                "Speed: {throughput:float} samples/sec, {}",
                _pairs("[Epoch {epoch:int}] Training cost: {train_time:float},", ","),
            ),
            1.0,
            unit="samples/s",
            scope=Scope.JOB,
        ),
        epoch_end(
            (
                _pairs("Epoch[{epoch:int}] Train-"),
                _pairs("[Epoch {epoch:int}] training: ", None),
            ),
            0.8,
        ),
    )

    @line(
        "[Epoch {epoch:int}] train={train:float} val={val:float} loss={loss:float} "
        "time: {time:float}",
        1.0,
        "epoch",
    )
    def _cifar(self, line: Line, f: Fields) -> Events:
        at = line.origin()
        values = (Metric("train", f["train"]), Metric("loss", f["loss"], "", False))
        yield Evaluation(at, (Metric("acc1", f["val"], "fraction"),), epoch=f["epoch"])
        yield EpochEnd(at, f["epoch"], epoch_time=f["time"], values=values)

    @line("Start with arguments Namespace({}", 0.2, "arguments")
    @line("Namespace({}", 0.0, "arguments")
    def _arguments(self, line: Line, f: Fields) -> Events:
        if line.rank:
            return
        at = line.origin()
        yield RunStart(at)
        given = arguments(line.text)
        if given.get("benchmark_iters", "").isdigit():
            # An epoch has this number of iterations, whatever the number of examples.
            given.pop("num_examples", None)
        for name, value in (*facts_of(given, _FACTS), *precision_of(given)):
            yield RunInfo(at, name, value)
        gpus = given.get("gpus", "")
        if _GPUS.fullmatch(gpus):
            yield RunInfo(at, "devices", gpus.count(",") + 1)

    @line("Start training with [{contexts:text}", 0.3, "header")
    def _contexts(self, line: Line, f: Fields) -> Events:
        yield RunInfo(line.origin(), "devices", f["contexts"].count("pu("))

    gpus = fact("Number of GPUs: {devices:int}", 0.1, always=True)

    @line("Experiment took: {time:float} sec", 0.5, "total time")
    @line("Training time for {:int} epochs: {time:float} sec.", 0.5, "total time")
    def _took(self, line: Line, f: Fields) -> Events:
        if not line.rank:
            yield RunEnd(line.origin(), f["time"])

    closing = closing_table(0.1)

    evaluations = GluonEvaluations.statements
