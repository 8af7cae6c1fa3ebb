"""modded-nanogpt, the speed-run: `step:1/1770 train_time:95ms step_avg:94.55ms`.

`train_time` counts up (validation excluded), so an iteration's duration is the time between two
lines / the steps between them. It restarts once, after the warm-up steps.
"""

from __future__ import annotations

from collections.abc import Mapping

from sixdim.parsers.events import Evaluation, Event, Events, Iteration, Metric, RunEnd, RunStart
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.figure_rows import summary
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.rows import line

_MEMORY = {"memory": ("peak memory allocated", "MiB")}
_KEYS = ("train_time", "step_avg")


def _times(pairs: Mapping[str, str]) -> tuple[Metric, ...]:
    return figures({key: pairs[key] for key in _KEYS if key in pairs})


_RECORD = NamedRecord(further=_times)


class ModdedNanoGPT(Reader):
    name = "modded_nanogpt"
    title = "modded-nanogpt (speed-run logs)"
    example = "step:125/1770 val_loss:4.6010 train_time:11873ms step_avg:94.98ms"
    unread = (
        "the source code printed before the run and with it the tokens of a step (so the speed "
        "is it/s), warm-up steps before the timer restarts"
    )
    _last: tuple[int, float] | None = None
    """Step and time of the last progress line."""
    _tested: tuple[int, float] | None = None
    """Step and seconds of the last evaluation; None once a progress line stands behind it."""

    @line(
        "step:{step:int}/{steps:int} val_loss:{loss:float} train_time:{ms:float}ms...",
        1.0,
        "evaluation",
    )
    def _timed_evaluation(self, line: Line, f: Fields) -> Events:
        if f["step"] == 0:
            yield RunStart(line.origin())
        yield from self._steps_before(line, f, f["ms"] / 1000)
        yield from self._evaluation(line, f)
        if f["step"] == f["steps"]:
            yield RunEnd(line.origin(), f["ms"] / 1000)

    @line(
        "step:{step:int}/{steps:int} val_loss:{loss:float} train_time:{time:float}s...",
        1.0,
        "evaluation",
    )
    def _evaluation_in_seconds(self, line: Line, f: Fields) -> Events:
        yield from self._steps_before(line, f, f["time"])
        yield from self._evaluation(line, f)

    def _steps_before(self, line: Line, f: Fields, now: float) -> Events:
        """Yields the steps since the last evaluation, if no progress line stands between."""
        step, last = f["step"], self._tested
        self._tested = step, now
        if last is not None and step > last[0] and now > last[1]:
            pace = (now - last[1]) / (step - last[0])
            yield Iteration(line.origin(), None, step, f["steps"], duration=pace)

    @line(
        KeyValues(
            "step:{step:int}/{steps:int} val_loss:{loss:float}",
            delimiter=None,
            required=("train_time",),
        ),
        1.0,
        "evaluation",
    )
    def _evaluation(self, line: Line, f: Fields) -> Events:
        metric = Metric("loss", f["loss"], higher_is_better=False)
        yield Evaluation(line.origin(), (metric,), step=f["step"])

    @line(
        KeyValues(
            "step:{step:int}/{steps:int} ",
            delimiter=None,
            numbers={"loss": "train_loss", "ms": "train_time"},
            required=_KEYS,
            glued=("ms",),
        ),
        1.0,
        "iteration",
        _RECORD,
    )
    def _iteration(self, line: Line, f: Fields) -> tuple[Event, ...]:
        step, ms, last = f["step"], f["ms"], self._last
        self._last, self._tested = (step, ms), None
        (event,) = _RECORD.read(self, line, f)
        if last is None or step <= last[0] or ms <= last[1]:
            return (event,)
        return (event._replace(duration=(ms - last[1]) / (step - last[0]) / 1000),)

    @line("stopping_early: {} train_time:{ms:float}ms step:{}/{}", 1.0, "end")
    def _stopped(self, line: Line, f: Fields) -> Events:
        """Reads the end of a run that is limited by time, not by steps."""
        yield RunEnd(line.origin(), f["ms"] / 1000)

    memory = summary("peak memory {:word} {memory:float} MiB...", 0.5, names=_MEMORY)
