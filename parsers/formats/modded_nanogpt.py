"""modded-nanogpt, the speed-run: `step:1/1770 train_time:95ms step_avg:94.55ms`.

`train_time` is the time since the start without the validations, so the duration of an iteration is
the time between two lines / the steps between them. It restarts once, after the warm-up steps.
"""

from collections.abc import Mapping

from sixdim.parsers.events import Evaluation, Events, Iteration, Metric, RunEnd, RunStart
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.figure_rows import summary
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.rows import line

_MEMORY = {"memory": ("peak memory allocated", "MiB")}
_KEYS = ("train_time", "step_avg")
_TESTED = "step:{step:int}/{steps:int} val_loss:{loss:float} train_time:"


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
    """Step and seconds of the last evaluation; None after a progress line."""

    @line((_TESTED + "{ms:float}ms...", _TESTED + "{s:float}s..."), 1.0, "evaluation")
    def _timed_evaluation(self, line: Line, f: Fields) -> Events:
        seconds, in_ms = f["ms"] / 1000 if "ms" in f else f["s"], "ms" in f
        if in_ms and f["step"] == 0:
            yield RunStart(line.origin())
        yield from self._steps_before(line, f, seconds)
        yield from self._evaluation(line, f)
        if in_ms and f["step"] == f["steps"]:
            yield RunEnd(line.origin(), seconds)

    def _steps_before(self, line: Line, f: Fields, now: float) -> Events:
        """Yields the steps since the last evaluation, if there is no progress line between."""
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
    def _iteration(self, line: Line, f: Fields) -> Events:
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
