"""modded-nanogpt, the speed-run: `step:1/1770 train_time:95ms step_avg:94.55ms`."""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import Evaluation, Event, Iteration, Metric, Summary
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.printed import figures
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.text.lines import Line

_KEYS = ("train_time", "step_avg")


class ModdedNanoGPT(Reader):
    """Reads one log.

    `train_time` counts up (validation excluded), so that the time between two lines over the
    steps between them is an iteration's duration. It restarts once, after the warm-up steps.
    """

    name = "modded_nanogpt"
    title = "modded-nanogpt (speed-run logs)"
    example = "step:125/1770 val_loss:4.6010 train_time:11873ms step_avg:94.98ms"
    unread = (
        "the source code printed before the run and with it the tokens of a step (so the speed "
        "is it/s), warm-up steps before the timer restarts"
    )

    def __init__(self) -> None:
        self._before: tuple[int, float] | None = None

    def _duration(self, f: Fields) -> float | None:
        now, before = (f["step"], f["ms"]), self._before
        self._before = now
        if before is None or now[0] <= before[0] or now[1] <= before[1]:
            return None
        return float((now[1] - before[1]) / (now[0] - before[0]) / 1000)

    def _iteration(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Iteration(
            line.origin(),
            epoch=None,
            step=f["step"],
            steps=f["steps"],
            loss=f.get("loss"),
            duration=self._duration(f),
            values=figures({key: f["pairs"][key] for key in _KEYS if key in f["pairs"]}),
        )

    def _evaluation(self, line: Line, f: Fields) -> Iterator[Event]:
        metric = Metric("loss", f["loss"], higher_is_better=False)
        yield Evaluation(line.origin(), (metric,), step=f["step"])

    def _memory(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Summary(line.origin(), (Metric("peak memory allocated", f["value"], "MiB"),))

    statements = (
        Statement(
            KeyValues(
                "step:{step:int}/{steps:int} val_loss:{loss:float}",
                delimiter=None,
                numbers={},
                required=("train_time",),
            ),
            _evaluation,
            1.0,
            "evaluation",
        ),
        Statement(
            KeyValues(
                "step:{step:int}/{steps:int} ",
                delimiter=None,
                numbers={"loss": "train_loss", "ms": "train_time"},
                required=_KEYS,
                glued=("ms",),
            ),
            _iteration,
            1.0,
            "iteration",
        ),
        Statement(Skeleton("peak memory allocated: {value:float} MiB..."), _memory, 0.5, "summary"),
        Statement(
            Skeleton("peak memory consumption: {value:float} MiB..."), _memory, 0.5, "summary"
        ),
    )
