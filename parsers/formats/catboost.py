"""CatBoost: `20: learn: 0.995 test: 0.945 best: 0.945 (20) total: 454ms remaining: 6.03s`.

The time of an iteration is the difference of two totals, divided by the iterations between them.
"""

from __future__ import annotations

from sixdim.parsers.events import Events, Iteration, Metric
from sixdim.parsers.grammar.vocabulary.units import SECONDS
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import ends, line
from sixdim.parsers.text.patterns import pattern

_TIME = pattern(r"(?:(\d{1,9}+)h )?+(?:(\d{1,9}+)m )?+(\d{1,9}+(?:\.\d{1,9}+)?+)(s|ms|us)")


class CatBoost(Reader):
    name = "catboost"
    title = "CatBoost (a line every so many iterations)"
    tried = "catboost 1.2.10"
    example = "20:\tlearn: 0.995\ttest: 0.945\tbest: 0.945 (20)\ttotal: 454ms\tremaining: 6.03s"
    unread = (
        "what the figures of `learn` and `test` are (the lines name no metric, so none is the "
        "accuracy), several test sets, the settings"
    )

    _last: tuple[int, float] | None = None  # iteration and total time of the last line

    @line(
        "{step:int}: learn: {learn:float} test: {test:float} best: {:float} ({:int}) "
        "total: {total:until} remaining: {}",
        1.0,
        "iteration",
    )
    @line(
        "{step:int}: test: {test:float} best: {:float} ({:int}) total: {total:until} remaining: {}",
        1.0,
        "iteration",
    )
    @line("{step:int}: learn: {learn:float} total: {total:until} remaining: {}", 1.0, "iteration")
    def _iteration(self, line: Line, f: Fields) -> Events:
        step, total = f["step"], _seconds(f["total"])
        before, self._last = self._last, None if total is None else (step, total)
        seconds = None
        if before is not None and total is not None and step > before[0] and total > before[1]:
            seconds = (total - before[1]) / (step - before[0])
        values = tuple(Metric(name, f[name]) for name in ("learn", "test") if name in f)
        yield Iteration(line.origin(), None, step, duration=seconds, values=values)

    closing = ends("bestIteration = {:int}", 0.5)


def _seconds(text: str) -> float | None:
    found = _TIME.fullmatch(text.strip())
    if found is None:
        return None
    whole = 3600.0 * int(found[1] or 0) + 60.0 * int(found[2] or 0)
    return whole + float(found[3]) * SECONDS[found[4]]
