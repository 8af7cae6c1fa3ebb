"""ixpylogger's TrainingLogger (DeepSparkHub: 3D-UNet, Conformer): bracketed `[key: value]`.

Its clock is `YY/MM/DD-HH:MM:SS`. A line has the figures that were logged together; `fps` is the
job's samples per second, `tps` the same as a mean over the training so far.
"""

from functools import cached_property, lru_cache

from sixdim.parsers.events import Evaluation, Events, RunEnd, Scope, Summary
from sixdim.parsers.grammar.shapes.figures import as_number, figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import IterationRecord, NamedRecord, further
from sixdim.parsers.statements.rows import line

_SCORES = ("dice", "cer", "wer", "accuracy", "auc", "psnr")
_NOT_VALUES = frozenset(("loss_value", "fps"))
_RECORD = NamedRecord(
    unit="samples/s", scope=Scope.JOB, time="clock", further=further(*_NOT_VALUES)
)


def _pairs(head: str, *required: str) -> KeyValues:
    numbers = {} if required else {"throughput": "fps", "loss": "loss_value"}
    return KeyValues(
        "{clock:stamp} " + head,
        delimiter="]",
        separator=": ",
        quotes="[",
        numbers=numbers,
        required=required,
    )


class Ixpylogger(Reader):
    name = "ixpylogger"
    title = "ixpylogger TrainingLogger (Iluvatar DeepSparkHub)"
    own_clock = True
    example = "26/03/01-12:00:00 [epoch: 0 step: 3      ] [learning_rate: 0.8] [loss_value: 0.91]"
    unread = "hyperparameters, the batch and the devices"

    @line(_pairs("[epoch: {epoch:int} step: {step:int}"), 0.8, "progress")
    def _progress(self, line: Line, f: Fields) -> Events:
        pairs = f["pairs"]
        scores = {key: pairs[key] for key in _scores(tuple(pairs))}
        metrics = figures(scores) if scores else ()
        if not metrics:
            return self._record.read(self, line, f)
        at = line.origin()._replace(time_us=f["clock"])
        return (Evaluation(at, metrics, epoch=f["epoch"], step=f["step"]),)

    @cached_property
    def _record(self) -> IterationRecord:
        return _RECORD.reduced(self.names)

    @line(_pairs("[", "raw_train_time", "status"), 0.8, "end")
    def _finished(self, line: Line, f: Fields) -> Events:
        at = line.origin()._replace(time_us=f["clock"])
        yield Summary(at, figures(f["pairs"]))
        status = "aborted" if f["pairs"]["status"] == "aborted" else "finished"
        yield RunEnd(at, as_number(f["pairs"].get("raw_train_time")), status)


@lru_cache(256)
def _scores(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the keys of a line that name a quality."""
    return tuple(key for key in keys if any(score in key.lower() for score in _SCORES))
