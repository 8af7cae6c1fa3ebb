"""PaddleSeg: iterations are counted over the whole run; evaluations print the mean IoU."""

from sixdim.parsers.events import Events, RunInfo, RunStart
from sixdim.parsers.formats.paddle import Paddle, paddle_record
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import Fields
from sixdim.parsers.statements.figure_rows import evaluation, summary
from sixdim.parsers.statements.record_fields import Gauge
from sixdim.parsers.statements.rows import fact, ignored, line, progress, remembers
from sixdim.parsers.text.lines import Line

_NUMBERS = {"throughput": "ips", "loss": "loss", "duration": "batch_cost"}
_SCORES = {"mIoU": "miou", "Acc": "acc", "Kappa": "kappa", "Dice": "dice", "Auc_roc": "auc"}
_NAMES = {printed: (name, "fraction") for printed, name in _SCORES.items()}
# `iter` counts over the whole run, so the epoch is one figure among the others.
_RECORD = paddle_record("duration", unit="samples/s")._replace(
    epoch="", figures=(Gauge("epoch", "epoch"),)
)


class PaddleSeg(Paddle):
    name = "paddleseg"
    title = "PaddleSeg semantic segmentation"
    example = (
        "2022-06-10 17:44:40 [INFO]\t[TRAIN] epoch: 1, iter: 185/200, loss: 0.5625, "
        "lr: 0.001030, batch_cost: 0.5001, reader_cost: 0.00285, ips: 15.9956 samples/sec"
    )
    unread = (
        "IoU, accuracy and kappa by class (the means are read), the configuration but for the model"
    )

    _in_model = False

    training = progress(
        tuple(
            KeyValues(
                f"[TRAIN] epoch{sign}{{epoch:int}}, iter{sign}{{step:int}}/{{steps:int}}, ",
                delimiter=", ",
                separator=sign.strip(),
                numbers=_NUMBERS,
            )
            for sign in (": ", "=")
        ),
        _RECORD,
        1.0,
    )

    scores = evaluation(
        tuple(
            KeyValues(f"[EVAL] #Images{sign}{{:int}}", delimiter=None, separator=sign.strip())
            for sign in (": ", "=")
        ),
        1.0,
        names=_NAMES,
    )

    best = summary(
        "[EVAL] The model with the best validation mIoU ({best:float}) was saved at iter {:int}.",
        1.0,
        "best",
        names={"best": ("best miou", "fraction")},
    )

    evaluating = ignored("[EVAL] {}", 0.2, "evaluation table")

    @line("------------Environment Information-------------", 0.2, "header")
    def _begin(self, line: Line, f: Fields) -> Events:
        self.facts.clear()
        yield RunStart(line.origin())
        if self._local:
            yield from self.report(line.origin(), "devices", self._local * self._nodes)

    @line("GPUs used: {devices:int}", 0.1, "environment")
    def _devices(self, line: Line, f: Fields) -> Events:
        if not self._local:  # else the launcher printed the devices of all nodes
            yield from self.report(line.origin(), "devices", f["devices"])

    @line("PaddlePaddle: {version:word}", 0.1, "environment")
    def _framework(self, line: Line, f: Fields) -> Events:
        yield RunInfo(line.origin(), "framework", f"PaddlePaddle {f['version']}")

    batch = fact("batch_size: {batch_per_device:int}", 0.0, "configuration")
    samples = fact("train dataset len: {samples_per_epoch:int}", 0.1, always=True)

    @line("use AMP to train. AMP level = {level:word}", 0.5, "header")
    def _amp(self, line: Line, f: Fields) -> Events:
        yield RunInfo(line.origin(), "precision", "fp16" if f["level"] == "O2" else "amp")

    parts = remembers("model:", 0.0, "configuration", _in_model=True)

    @line("type: {model:word}", 0.0, "configuration")
    def _type(self, line: Line, f: Fields) -> Events:
        if self._in_model and line.text.startswith("  type"):  # more blanks: a part of the model
            self._in_model = False
            yield from self.report(line.origin(), "model", f["model"])

    launcher = Paddle.statements
