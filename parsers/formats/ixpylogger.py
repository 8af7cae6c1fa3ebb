"""ixpylogger's TrainingLogger (DeepSparkHub: 3D-UNet, Conformer): bracketed `[key: value]`.

Its clock is `YY/MM/DD-HH:MM:SS`. A line brings whatever was logged together; `fps` is the
job's samples per second, `tps` that of the whole training so far.
"""

from __future__ import annotations

from collections.abc import Iterator

from parsers.events import Evaluation, Event, Iteration, Origin, RunEnd, Scope, Summary
from parsers.figures import as_number, figures
from parsers.format import Reader, Statement
from parsers.key_values import KeyValues
from parsers.lazy import pattern
from parsers.prefix import clock_us
from parsers.shape import Fields
from parsers.text import Line

_CLOCK = pattern(r"(?P<Y>\d\d)/(?P<M>\d\d)/(?P<D>\d\d)-(?P<h>\d\d):(?P<m>\d\d):(?P<s>\d\d)")
_SCORES = ("dice", "cer", "wer", "accuracy", "auc", "psnr")
_NOT_VALUES = frozenset(("loss_value", "fps"))


class Ixpylogger(Reader):
    """Reads one log."""

    name = "ixpylogger"
    title = "ixpylogger TrainingLogger (Iluvatar DeepSparkHub)"
    example = "26/03/01-12:00:00 [epoch: 0 step: 3      ] [learning_rate: 0.8] [loss_value: 0.91]"
    unread = "hyperparameters, the batch and the devices"

    def _progress(self, line: Line, f: Fields) -> Iterator[Event]:
        at, pairs = _origin(line, f["clock"]), f["pairs"]
        scores = {k: v for k, v in pairs.items() if any(s in k.lower() for s in _SCORES)}
        metrics = figures(scores)
        if metrics:
            yield Evaluation(at, metrics, epoch=f["epoch"], step=f["step"])
        else:
            yield Iteration(
                at,
                epoch=f["epoch"],
                step=f["step"],
                throughput=f.get("throughput"),
                unit="samples/s" if "throughput" in f else "",
                scope=Scope.JOB if "throughput" in f else Scope.UNKNOWN,
                loss=f.get("loss"),
                values=figures(pairs, skip=_NOT_VALUES),
            )

    def _finished(self, line: Line, f: Fields) -> Iterator[Event]:
        at = _origin(line, f["clock"])
        yield Summary(at, figures(f["pairs"]))
        status = "aborted" if f["pairs"]["status"] == "aborted" else "finished"
        yield RunEnd(at, as_number(f["pairs"].get("raw_train_time")), status)

    def _known(self, line: Line, f: Fields) -> Iterator[Event]:
        return iter(())

    statements = (
        Statement(
            KeyValues(
                "{clock:word} [epoch: {epoch:int} step: {step:int}",
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
                "{clock:word} [",
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


def _origin(line: Line, clock: str) -> Origin:
    found = _CLOCK.fullmatch(clock)
    time_us = clock_us(found, century=2000) if found else None
    return line.origin() if time_us is None else line.origin()._replace(time_us=time_us)
