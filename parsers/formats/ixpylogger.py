"""ixpylogger's TrainingLogger (DeepSparkHub: 3D-UNet, Conformer): bracketed `[key: value]`.

Its clock is `YY/MM/DD-HH:MM:SS`. A line brings whatever was logged together; `fps` is the
job's samples per second, `tps` that of the whole training so far.
"""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import Evaluation, Event, RunEnd, Scope, Summary
from sixdim.parsers.grammar.figures import as_number, figures
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.shape import Fields
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import IterationRecord, further
from sixdim.parsers.text.lines import Line

_SCORES = ("dice", "cer", "wer", "accuracy", "auc", "psnr")
_NOT_VALUES = frozenset(("loss_value", "fps"))
_RECORD = IterationRecord(
    epoch="epoch",
    step="step",
    throughput=("throughput",),
    unit="samples/s",
    scope=Scope.JOB,
    loss=("loss",),
    time="clock",
    further=further(figures, skip=_NOT_VALUES),
)


class Ixpylogger(Reader):
    """Reads one log."""

    name = "ixpylogger"
    title = "ixpylogger TrainingLogger (Iluvatar DeepSparkHub)"
    example = "26/03/01-12:00:00 [epoch: 0 step: 3      ] [learning_rate: 0.8] [loss_value: 0.91]"
    unread = "hyperparameters, the batch and the devices"

    def _progress(self, line: Line, f: Fields) -> Iterator[Event]:
        scores = {k: v for k, v in f["pairs"].items() if any(s in k.lower() for s in _SCORES)}
        metrics = figures(scores)
        if not metrics:
            yield from _RECORD.read(self, line, f)
            return
        at = line.origin()._replace(time_us=f["clock"])
        yield Evaluation(at, metrics, epoch=f["epoch"], step=f["step"])

    def _finished(self, line: Line, f: Fields) -> Iterator[Event]:
        at = line.origin()._replace(time_us=f["clock"])
        yield Summary(at, figures(f["pairs"]))
        status = "aborted" if f["pairs"]["status"] == "aborted" else "finished"
        yield RunEnd(at, as_number(f["pairs"].get("raw_train_time")), status)

    statements = (
        Statement(
            KeyValues(
                "{clock:stamp} [epoch: {epoch:int} step: {step:int}",
                delimiter="]",
                separator=": ",
                quotes="[",
                numbers={"throughput": "fps", "loss": "loss_value"},
            ),
            _progress,
            0.8,
            "progress",
        ),
        Statement(
            KeyValues(
                "{clock:stamp} [",
                delimiter="]",
                separator=": ",
                quotes="[",
                numbers={},
                required=("raw_train_time", "status"),
            ),
            _finished,
            0.8,
            "end",
        ),
    )
