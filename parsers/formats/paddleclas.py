"""PaddleClas in its generations, from PaddleCV 1.8's `[Pass 0, train batch 9]` to `ppcls`.

Static programs (1.x, 2.0, 2.1, 2.3+) print `epoch:0   train step:10`, with commas and an
`eta` in the dynamic 2.0 and 2.1; `ppcls/engine` (2.2+) prints `[Train][Epoch 1/120][Iter: …]`.
"""

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Iteration, RunInfo, Scope
from sixdim.parsers.formats.paddle import Paddle, paddle_record
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import Fields
from sixdim.parsers.grammar.vocabulary.units import printed_unit
from sixdim.parsers.statements.figure_rows import summary
from sixdim.parsers.statements.rows import fact, ignored, line, progress, starts
from sixdim.parsers.text.lines import Line

_SECTIONS = (
    *("Arch :", "ARCHITECTURE :", "Global :", "Loss :", "Optimizer :", "OPTIMIZER :"),
    *("Train :", "TRAIN :", "Eval :", "VALID :", "Infer :", "Metric :"),
)
_TIMES = ("ips", "batch_cost", "reader_cost", "batch_cost_sum", "elapse", "elapse_sum", "lr", "eta")
_NAMES = {
    **dict.fromkeys(("top1", "test_acc1"), ("acc1", "fraction")),
    **dict.fromkeys(("top5", "test_acc5"), ("acc5", "fraction")),
}
_RECORD = paddle_record("batch_cost", "elapse")
# `ppcls` prints means since iteration 5 of the epoch, and `ips` is the batch over that mean. Since
# April 2024 the means are those since the line before: see `PaddleClas._version`.
_ENGINE = _RECORD._replace(mean_throughput="throughput", mean_duration="batch_cost")


def _static(head: str, **numbers: str) -> KeyValues:
    """Returns the shape of a line of the static programs, in which the next key ends a pair."""
    return KeyValues(head, delimiter=None, numbers=numbers, glued=("sec", "s"))


def _parted(head: str, separator: str = ":", **numbers: str) -> KeyValues:
    """Returns the shape of a line whose pairs are separated by commas."""
    return KeyValues(head, delimiter=", ", separator=separator, numbers=numbers, glued=("sec", "s"))


_NUMBERS = {"throughput": "ips", "loss": "loss", "batch_cost": "batch_cost", "elapse": "elapse"}
_SUMS = {
    "throughput": "ips",
    "mean": "avg_ips",
    "batches": "batch_cost_sum",
    "elapsed": "elapse_sum",
}
_MEANS_OF_LINES = 3
"""Major version of Paddle from which a line has the means since the line before it."""
_EPOCH = "[Train][Epoch {epoch:int}/{epochs:int}]"


class PaddleClas(Paddle):
    name = "paddleclas"
    title = "PaddleClas, static and dynamic, 1.x to 2.6 (and PaddleCV, PaddleVideo)"
    example = (
        "[2023/07/28 06:42:45] ppcls INFO: epoch:0   train step:10   lr: 0.1, loss:  8.3496 "
        "top1:  0.0 batch_cost: 0.64841 s, reader_cost: 0.00067 s, ips: 394.81086 samples/sec."
    )
    unread = "the configuration except model, batch and precision; figures inside an evaluation"

    _section = ""
    _model = "raw"
    _evaluated: Iteration | None = None
    """The last progress line before the last evaluation."""

    training = (
        progress(
            _static("epoch:[{epoch:int}/{epochs:int}{}train step:{step:int}", **_NUMBERS),
            _RECORD,
            0.9,
        ),
        progress(_static("epoch:{epoch:int}{}train step:{step:int}", **_NUMBERS), _RECORD, 1.0),
        progress(_parted(_EPOCH + "[Iter: {step:int}/{steps:int}]", **_NUMBERS), _ENGINE, 1.0),
        progress(
            _parted(
                "[Pass {epoch:int}, train batch {step:int}]", " ", loss="loss", elapse="elapse"
            ),
            _RECORD,
            1.0,
        ),
    )

    @line(_parted(_EPOCH + "[Avg]", **_SUMS), 1.0, "epoch")
    @line(_static("END epoch:{epoch:int} train", **_SUMS), 1.0, "epoch")
    def _epoch(self, line: Line, f: Fields) -> Events:
        pairs, speed = f["pairs"], f.get("throughput", f.get("mean"))
        yield EpochEnd(
            line.origin(),
            f["epoch"],
            throughput=speed,
            unit=printed_unit(pairs.get("ips", pairs.get("avg_ips", "")))
            if speed is not None
            else "",
            scope=Scope.DEVICE if speed is not None else Scope.UNKNOWN,
            train_time=f.get("batches", f.get("elapsed")),
            values=figures(pairs, ("ips", "avg_ips")),
        )

    @line(_static("END epoch:{epoch:int} val "), 1.0, "evaluation")
    @line(_static("END epoch:{epoch:int} valid"), 1.0, "evaluation")
    @line(_static("END epoch:{epoch:int} eval"), 1.0, "evaluation")
    @line((_static("END valid "), _static("END eval ")), 0.5, "evaluation")
    @line(_parted("[End pass {epoch:int},", " "), 1.0, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        means = {name.removesuffix("_avg"): value for name, value in f["pairs"].items()}
        pairs = {
            name: value
            for name, value in means.items()
            if name.removeprefix("avg_") not in _TIMES and "train_" not in name
        }
        metrics = figures(pairs, names=_NAMES)
        yield Evaluation(line.origin(), metrics, epoch=f.get("epoch"), model=self._model)

    @line(_parted("[Eval][Epoch {epoch:int}][Avg]"), 1.0, "evaluation")
    def _of_engine(self, line: Line, f: Fields) -> Events:
        """Yields an evaluation; a second one after the same iteration is of the averaged model."""
        again = self.latest is not None and self._evaluated is self.latest
        self._evaluated, self._model = self.latest, "averaged" if again else "raw"
        yield from self._evaluation(line, f)
        self._model = "raw"

    best = summary(
        "[Eval][Epoch {epoch:int}][best metric: {best:float}]",
        1.0,
        "best",
        names={"best": ("best metric", "fraction")},
    )

    evaluating = (
        ignored(
            (
                "[Eval][Epoch {:int}][Iter: {}",
                "epoch:[{:int}/{}val step:{}",
                "epoch:{:int}{}valid step:{}",
                "epoch:{:int}{}eval step:{}",
                "[Pass {:int}, test {}",
            ),
            0.5,
            "eval progress",
        ),
        ignored(("eval step:{}", "valid step:{}"), 0.3, "eval progress"),
    )

    @line("train with paddle {version:word} and device {}", 0.0, "header")
    def _version(self, line: Line, f: Fields) -> Events:
        """Notes a program for Paddle 3 or later, which prints means since the line before."""
        self.__dict__.pop("read", None)  # of an earlier program
        major = f["version"].partition(".")[0]
        if major.isdecimal() and int(major) >= _MEANS_OF_LINES:
            self.read = self._read_intervals  # type: ignore[method-assign]  # for this program
        return ()

    def _read_intervals(self, line: Line) -> Events | None:
        """As `Reader.read`; the means of a line are not those of its epoch."""
        events = super().read(line)
        if not events:
            return events
        return [
            one._replace(mean_throughput=None, mean_duration=None)
            if type(one) is Iteration
            else one
            for one in events
        ]

    banner = starts("== PaddleClas is powered by PaddlePaddle ! ==", 1.0, framework="PaddlePaddle")

    @line(_SECTIONS, 0.0, "configuration")
    def _enter(self, line: Line, f: Fields) -> Events:
        self._section = line.text.split()[0]
        return ()

    @line("name : {name:word}", 0.0, "configuration")
    def _name(self, line: Line, f: Fields) -> Events:
        if self._section in ("Arch", "ARCHITECTURE"):
            self._section = ""
            yield RunInfo(line.origin(), "model", f["name"])

    @line("batch_size : {batch:int}", 0.0, "configuration")
    def _batch(self, line: Line, f: Fields) -> Events:
        # Up to 2.1 the batch in the file is that of all cards, from 2.2 on that of one card.
        if self._section == "TRAIN":
            yield RunInfo(line.origin(), "global_batch", f["batch"])
        elif self._section == "Train":
            yield RunInfo(line.origin(), "batch_per_device", f["batch"])

    epochs = fact("epochs : {epochs_planned:int}", 0.0, "configuration")
    images = fact("total_images : {samples_per_epoch:int}", 0.0, "configuration", always=True)

    mixed = fact("use_amp : True", 0.0, "configuration", always=True, precision="amp")
    half = fact(
        ("use_pure_fp16 : True", "level : O2"), 0.0, "configuration", always=True, precision="fp16"
    )

    launcher = Paddle.statements
