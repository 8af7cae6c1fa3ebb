"""The events an AI-Rank submission must log, alone or between any framework's lines.

The prefix `AI-Rank-log <epoch seconds>` is read by `parsers.envelopes.prefix`, because submissions
put it in front of every line. This module reads the events themselves. `total_epoch_cnt` counts
epochs its own way (from 0, from 1, in fractions), so it is a figure, not the epoch's label.

Source: AI-Rank `docs/software/train.md`.
"""

from __future__ import annotations

from sixdim.parsers.events import (
    Evaluation,
    Event,
    Events,
    Metric,
    Origin,
    RunEnd,
    RunStart,
    Summary,
    TargetReached,
)
from sixdim.parsers.grammar.vocabulary.units import rate
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line


class AIRank(Reader):
    name = "airank"
    title = "AI-Rank events (test_begin, eval_accuracy, target_quality_time, …) in any log"
    example = "- AI-Rank-log 1618110234.935 eval_accuracy:40.450405, total_epoch_cnt:0"
    unread = (
        "the epoch of an evaluation (total_epoch_cnt counts in fractions or from 1: it is a "
        "figure), and whose avg_ips is; a submission's own lines are its framework's"
    )
    precedence = -1

    _finished: Origin | None = None

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`; a finish record without a total time also ends the run."""
        unsaid: list[Event] = [RunEnd(self._finished)] if self._finished else []
        return [*unsaid, *super().end(at)]

    @line("eval_accuracy:{accuracy:float}, total_epoch_cnt:{epochs:float}", 1.0, "evaluation")
    @line("eval_accuracy:{accuracy:float}", 0.3, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        metrics = [Metric("eval_accuracy", f["accuracy"])]
        if "epochs" in f:
            metrics.append(Metric("total_epoch_cnt", f["epochs"], "epochs"))
        yield Evaluation(line.origin(), tuple(metrics))

    @line("target_quality_time:{time:amount}{:text}", 1.0, "target")
    def _target(self, line: Line, f: Fields) -> Events:
        yield TargetReached(line.origin())
        yield Summary(line.origin(), (Metric("target_quality_time", f["time"], "s", False),))

    @line("total_use_time:{time:amount}{:text}", 1.0, "total time")
    def _total(self, line: Line, f: Fields) -> Events:
        self._finished = None
        yield Summary(line.origin(), (Metric("total_use_time", f["time"], "s", False),))
        yield RunEnd(line.origin(), f["time"])

    @line("avg_ips:{value:amount}{unit:text}", 0.5, "throughput")
    def _speed(self, line: Line, f: Fields) -> Events:
        yield Summary(line.origin(), (Metric("avg_ips", f["value"], rate(f["unit"])),))

    @line("test_begin", 0.5, "header")
    def _begin(self, line: Line, f: Fields) -> Events:
        self._finished = None
        yield RunStart(line.origin())

    @line("test_finish", 0.5, "closing line")
    def _finish(self, line: Line, f: Fields) -> tuple[Event, ...]:
        self._finished = line.origin()
        return ()
