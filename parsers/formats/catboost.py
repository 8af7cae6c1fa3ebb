"""CatBoost: `20: learn: 0.995 test: 0.945 best: 0.945 (20) total: 454ms remaining: 6.03s`.

The totals are rounded, so the speed is measured between lines far enough apart that this changes it
little.
"""

from sixdim.parsers.events import Events, Iteration, Metric, RunEnd
from sixdim.parsers.grammar.vocabulary.units import SECONDS
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rounded_time import RoundedTimes
from sixdim.parsers.statements.rows import ignored, line
from sixdim.parsers.text.patterns import pattern

_TIME = pattern(r"(?:(\d{1,9}+)h )?+(?:(\d{1,9}+)m )?+(\d{1,9}+(?:\.\d{1,9}+)?+)(s|ms|us)")


class CatBoost(Reader):
    name = "catboost"
    title = "CatBoost (a line every so many iterations)"
    tried = "catboost 1.2.10"
    example = "20:\tlearn: 0.995\ttest: 0.945\tbest: 0.945 (20)\ttotal: 454ms\tremaining: 6.03s"
    unread = (
        "what the figures of `learn` and `test` are (the lines name no metric, so none is the "
        "accuracy), further test sets, the settings"
    )

    _all_done = False  # whether the last line is of the last planned iteration

    def __init__(self) -> None:
        self._times = RoundedTimes()

    @line(
        tuple(
            f"{{step:int}}: {figures}total: {{total:until}} remaining: {{left:text}}"
            for figures in (
                "learn: {learn:float} test: {test:float} best: {:float} ({:int}) ",
                "learn: {learn:float} test: {test:float} test1: {} best: {:float} ({:int}) ",
                "test: {test:float} best: {:float} ({:int}) ",
                "test: {test:float} test1: {} best: {:float} ({:int}) ",
                "learn: {learn:float} ",
                "",  # the metric is not computed of what it learns from, and there is no test set
            )
        ),
        1.0,
        "iteration",
    )
    def _iteration(self, line: Line, f: Fields) -> Events:
        step, total = f["step"], _bounds(f["total"])
        rate = None if total is None else self._times.rate(step, *total)
        values = tuple(Metric(name, f[name]) for name in ("learn", "test") if name in f)
        seconds = 1 / rate if rate else None
        yield Iteration(line.origin(), None, step, duration=seconds, values=values)
        self._all_done = f["left"] == "0us"
        if self._all_done:
            yield RunEnd(line.origin(), total and sum(total) / 2)

    learning_rate = ignored("Learning rate set to {:float}", 0.2, "header")

    @line("bestIteration = {:int}", 0.5, "end")
    def _closing(self, line: Line, f: Fields) -> Events:
        if not self._all_done:  # it stopped early
            yield RunEnd(line.origin())


def _bounds(text: str) -> tuple[float, float] | None:
    """Returns the least and the greatest number of seconds that is printed so.

    From a minute on a time is cut to whole seconds, below it is rounded to three digits.
    """
    found = _TIME.fullmatch(text.strip())
    if found is None:
        return None
    hours, minutes, number, unit = found.groups()
    seconds = float(number) * SECONDS[unit]
    if hours or minutes:
        seconds += 3600 * int(hours or 0) + 60 * int(minutes or 0)
        return seconds, seconds + 1
    error = SECONDS[unit] * 10.0 ** (len(number.partition(".")[0]) - 3) / 2
    return seconds - error, seconds + error
