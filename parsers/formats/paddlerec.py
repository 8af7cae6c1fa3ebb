"""PaddleRec: parameter-server trainers (one line per epoch) and `tools/trainer.py`.

A parameter-server trainer divides its own share of the samples by its own time: the rate is that of
one trainer, and trainers are counted as devices.
"""

from sixdim.parsers.events import EpochEnd, Events, Metric, Scope
from sixdim.parsers.formats.paddle import Paddle, paddle_record
from sixdim.parsers.grammar.shapes.figures import figures, printed
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import Fields
from sixdim.parsers.statements.rows import fact, ignored, line, progress, remembers, starts
from sixdim.parsers.text.lines import Line


class PaddleRec(Paddle):
    name = "paddlerec"
    title = "PaddleRec recommendation models"
    example = (
        "2021-02-22 02:24:42,697 - INFO - Epoch: 2, using time 66.915626049 second, "
        "ips 82191.6243594 example/sec."
    )
    unread = (
        "metrics of a parameter server's other workers, tensors of more than one figure, "
        "tools/infer.py"
    )

    _variable = ""

    def __init__(self) -> None:
        self._values: dict[str, Metric] = {}
        self._inferring = False

    def read(self, line: Line) -> Events | None:
        """As `Reader.read`; `tools/infer.py` prints the same lines, and does not train."""
        events = super().read(line)
        return () if self._inferring and events is not None else events

    inference = remembers("load model epoch {:int}", 0.2, "inference", _inferring=True)

    @line(
        "Epoch: {epoch:int}, using time {time:float} second, ips {speed:float} example/sec.",
        1.0,
        "epoch",
    )
    def _epoch(self, line: Line, f: Fields) -> Events:
        values, self._values = tuple(self._values.values()), {}
        speed = f["speed"], "samples/s", Scope.DEVICE
        end = EpochEnd(line.origin(), f["epoch"], *speed, train_time=f["time"], values=values)
        return (end,)

    training = progress(
        # Metrics are printed bare, tensors in brackets.
        KeyValues(
            "epoch: {epoch:int}, batch_id: {step:int}, ",
            delimiter=",",
            quotes="[]",
            numbers={"throughput": "ips", "loss": "loss", "duration": "avg_batch_cost"},
            required=("ips",),
        ),
        paddle_record("duration"),
        1.0,
    )

    @line(
        KeyValues("epoch: {epoch:int} done,", delimiter=None, numbers={"time": "time"}),
        0.5,
        "epoch",
    )
    def _done(self, line: Line, f: Fields) -> Events:
        pairs = {k: v.strip("[]") for k, v in f["pairs"].items() if k != "time"}
        yield EpochEnd(line.origin(), f["epoch"], epoch_time=f.get("time"), values=figures(pairs))

    epoch_begins = ignored("Epoch: {epoch:int}, Running {}", 0.8, "epoch begin")

    variables = remembers("Epoch {:int} Var {_variable:word}...", 0.5, "variable")

    @line("- data: [{value:word}...", 0.0, "variable")
    def _value_of(self, line: Line, f: Fields) -> Events:
        metric = printed(self._variable, f["value"]) if self._variable else None
        if metric is not None:
            self._values[self._variable] = metric
        self._variable = ""
        return ()

    workers = starts("Run Worker Begin", 0.3)
    trainers = fact("trainers: {devices:int}", 0.0, "configuration")
    launcher = Paddle.statements
