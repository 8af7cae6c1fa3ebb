"""PaddleRec: parameter-server trainers (one line an epoch) and `tools/trainer.py`."""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import EpochEnd, Event, Metric, Scope
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.pairs import figure, figures
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.paddle import PADDLE, Paddle, paddle_record
from sixdim.parsers.text.lines import Line

_NUMBERS = {"throughput": "ips", "loss": "loss", "duration": "avg_batch_cost"}
_RECORD = paddle_record("duration")


class PaddleRec(Paddle):
    """Reads one log of PaddleRec.

    A parameter-server trainer divides its own share of the samples by its own time: its
    figure is one trainer's, and the trainers are what is counted as devices.
    """

    name = "paddlerec"
    title = "PaddleRec recommendation models"
    example = (
        "2021-02-22 02:24:42,697 - INFO - Epoch: 2, using time 66.915626049 second, "
        "ips 82191.6243594 example/sec."
    )
    unread = "metrics of a parameter server's other workers, tensors of more than one figure"

    def __init__(self) -> None:
        super().__init__()
        self._variable = ""
        self._values: dict[str, Metric] = {}

    def _epoch(self, line: Line, f: Fields) -> Iterator[Event]:
        yield EpochEnd(
            line.origin(),
            f["epoch"],
            throughput=f["speed"],
            unit="samples/s",
            scope=Scope.DEVICE,
            train_time=f["time"],
            values=tuple(self._values.values()),
        )
        self._values = {}

    def _done(self, line: Line, f: Fields) -> Iterator[Event]:
        pairs = {k: v.strip("[]") for k, v in f["pairs"].items() if k != "time"}
        yield EpochEnd(line.origin(), f["epoch"], epoch_time=f.get("time"), values=figures(pairs))

    def _name_of(self, line: Line, f: Fields) -> Iterator[Event]:
        self._variable = f["name"]
        return iter(())

    def _value_of(self, line: Line, f: Fields) -> Iterator[Event]:
        found = figure(self._variable, f["value"])
        if self._variable and found is not None:
            self._values[self._variable] = found
        self._variable = ""
        return iter(())

    def _iteration(self, line: Line, f: Fields) -> Iterator[Event]:
        return self.checked(line, f, _RECORD)

    statements = (
        Statement(
            Skeleton(
                "Epoch: {epoch:int}, using time {time:float} second, ips {speed:float} example/sec."
            ),
            _epoch,
            1.0,
            "epoch",
        ),
        Statement(
            # Metrics are printed bare, tensors in brackets.
            KeyValues(
                "epoch: {epoch:int}, batch_id: {step:int}, ",
                delimiter=",",
                quotes="[]",
                numbers=_NUMBERS,
                required=("ips",),
            ),
            _iteration,
            1.0,
            "iteration",
        ),
        Statement(
            KeyValues("epoch: {epoch:int} done,", delimiter=None, numbers={"time": "time"}),
            _done,
            0.5,
            "epoch",
        ),
        Statement(Skeleton("Epoch: {epoch:int}, Running {}"), Paddle.quiet, 0.8, "epoch begin"),
        Statement(Skeleton("Epoch {epoch:int} Var {name:word}..."), _name_of, 0.5, "variable"),
        Statement(Skeleton("- data: [{value:word}..."), _value_of, 0.0, "variable"),
        Statement(Skeleton("Run Worker Begin"), Paddle._begin, 0.3, "header"),
        Statement(Skeleton("-- Role: TRAINER --"), Paddle.quiet, 0.3, "role"),
        Statement(Skeleton("trainers: {trainers:int}"), Paddle._trainers, 0.0, "configuration"),
        *PADDLE,
    )
