"""Progress lines folded together give what they give one by one."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from sixdim.metrics.card.scorecard import Provenance, score
from sixdim.metrics.dimensions.telemetry_figures import Telemetry
from sixdim.metrics.fold.runs import LogFold, batches
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import (
    EndOfInput,
    EpochEnd,
    Evaluation,
    Event,
    Iteration,
    Metric,
    Origin,
    RunStart,
    Scope,
)

_DAY_US = 86_400_000_000
_RATES = st.sampled_from([None, 50.0, 50.0, 51.5, 48.25, 0.0, -1.0, math.nan, math.inf])
_TIMES = st.sampled_from([None, 1.0, 1.25, 0.5, 40.0, -3.0])
_VALUES = st.sampled_from([(), (), (Metric("mfu", 31.5, "%"), Metric("tflops", 99.0))])


@st.composite
def _logs(draw: st.DrawFn) -> list[Event]:
    """Sections of a log: alike progress lines, with jumps of clock and steps between them."""
    events: list[Event] = []
    step, now = 0, 2_000 * 10 * _DAY_US
    for _ in range(draw(st.integers(1, 6))):
        epoch = draw(st.sampled_from([None, 0, 1, 1, 2]))
        step = draw(st.sampled_from([0, step, step + 1]))
        now += draw(st.sampled_from([0, 1_000_000, -5_000_000, 9 * _DAY_US]))
        clock, stepped = draw(st.booleans()), draw(st.booleans())
        writer = draw(st.sampled_from([(None, None), (0, None), (1, None), (None, "a")]))
        unit = draw(st.sampled_from([("img/s", Scope.JOB), ("tokens/s", Scope.UNKNOWN)]))
        rate, time = draw(_RATES), draw(_TIMES)
        for _ in range(draw(st.integers(1, 40))):
            odd = draw(st.integers(0, 9)) == 0
            rate, time = (draw(_RATES), draw(_TIMES)) if odd else (rate, time)
            now, step = now + draw(st.sampled_from([0, 30_000_000])), step + 1
            number = len(events) + 1
            at = Origin(number, 50 * number, now if clock else None, *writer)
            events.append(
                Iteration(
                    at,
                    epoch,
                    step if stepped else None,
                    draw(st.sampled_from([None, 40])),
                    rate,
                    unit[0],
                    unit[1],
                    math.nan if draw(st.integers(0, 99)) == 0 else 2.5,
                    time,
                    draw(_VALUES),
                    mean_throughput=rate,
                )
            )
        at = Origin(len(events) + 1, 50 * len(events))
        metrics = (Metric("acc1", draw(st.sampled_from([70.0, 76.0])), "%"),)
        others = [EpochEnd(at, epoch, 49.0), Evaluation(at, metrics, epoch, step), RunStart(at)]
        events += draw(st.sampled_from([[], [], *([one] for one in others)]))
    return [*events, EndOfInput(Origin(len(events), 0))]


def _card(fold: LogFold) -> list[object]:
    provenance = Provenance("0", "x.log", "", 0, True, None)
    settings = Settings()
    return [
        (score(fold, run, settings, Telemetry(), provenance), run.problems, run.problem_counts)
        for run in fold.runs
    ]


@given(_logs())
def test_lines_folded_together_give_what_they_give_one_by_one(log: list[Event]) -> None:
    single, together = LogFold(), LogFold()
    for event in log:
        single.apply(event)
    for batch in batches(log):
        together.extend(batch)
    assert repr(_card(together)) == repr(_card(single))


def test_batches_are_lines_of_one_epoch_that_follow_each_other() -> None:
    def lines(epoch: int, count: int) -> list[Event]:
        return [Iteration(Origin(step, 0), epoch, step) for step in range(count)]

    end = EpochEnd(Origin(9, 0), 0)
    log = [*lines(0, 5), *lines(1, 6), end, *lines(2, 3)]
    assert [len(batch) for batch in batches(log)] == [5, 6, 1, 1, 1, 1]
    assert [event for batch in batches(log) for event in batch] == log
