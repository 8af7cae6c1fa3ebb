"""How often forecasts of real runs hold: `python -m benchmarks.forecast`, with SIXDIM_CORPUS set.

A curve is the accuracy of a run, or its evaluated loss, with ten evaluations or more; curves with
the same values count once. Its targets are those of the log, else 95, 98 and 99 % of the best value
(of a loss, the best value divided by that). At up to 24 moments, evenly spread between the fifth
evaluation and the one that meets the target, the forecast sees the evaluations so far and nothing
else. It holds where the epoch (or step) that met the target lies in its band. Targets 2 % beyond
the best value are never met: there a band that ends before the run does is wrong.

The one tuned constant, the discrepancy, is chosen anew for each log: the least for which the bands
of the other logs hold 80 % of the time, each log counted alike. The table is of the logs left out.
"""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from sixdim.metrics.card.forecast.forecast import DISCREPANCY, LEAST, forecast
from sixdim.metrics.dimensions.accuracy import accuracy_metric
from sixdim.metrics.fold.runs.log_fold import LogFold
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.points import EvaluationPoint
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats

CANDIDATES = (0.3, 0.4, 0.5, 0.6, 0.7)
SHARES = (0.95, 0.98, 0.99)
BEYOND = 1.02
MOMENTS = 24
EVALUATIONS = 10
LARGEST = 40_000_000
"""Bytes of a log above which it is not read."""
_NO_LOGS = (".md", ".json", ".csv", ".arrivals", ".times")
_COVERAGE = 0.8


class Curve(NamedTuple):
    """The evaluations of one metric of a run."""

    log: str
    points: tuple[EvaluationPoint, ...]
    minimise: bool
    target: float | None


class Result(NamedTuple):
    """One forecast: whether the target was met at all, whether it said anything, and rightly."""

    met: bool
    said: bool
    held: bool


def curves_of(path: Path) -> list[Curve]:
    """The curves of a log's runs."""
    interpreter, fold = Interpreter(formats()), LogFold()
    for event in [*interpreter.feed(path.read_bytes()), *interpreter.end()]:
        fold.apply(event)
    return [curve for run in fold.runs for curve in _of_run(str(path), run)]


def _of_run(log: str, run: Run) -> Iterator[Curve]:
    for metric in dict.fromkeys((accuracy_metric(run), "loss")):
        rows = [row for row in run.evaluations if metric in row.places]
        points = tuple(
            EvaluationPoint(run.epoch_of(row), row.step, row.value(metric), row.line)
            for row in rows
        )
        if len(points) < EVALUATIONS:
            continue
        minimise = not rows[0].metric(metric).higher_is_better
        stated = run.target if run.target and run.target.metric == metric else None
        yield Curve(log, points, minimise, stated and stated.conditions[0].value)


def targets(curve: Curve) -> list[float]:
    """What is to be met; the last is met by no evaluation where the log states no target."""
    if curve.target is not None:
        return [curve.target]
    values = [point.value for point in curve.points]
    best = min(values) if curve.minimise else max(values)
    shares = (*SHARES, BEYOND)
    return [best / share if curve.minimise else best * share for share in shares]


def results(curve: Curve) -> dict[float, list[Result]]:
    """Every forecast of a curve, for each candidate."""
    found: dict[float, list[Result]] = {one: [] for one in CANDIDATES}
    for goal in targets(curve):
        meets = [p.value <= goal if curve.minimise else p.value >= goal for p in curve.points]
        end = meets.index(True) if True in meets else len(meets) - 1
        first = LEAST - 1
        if end < first:
            continue
        moments = min(MOMENTS, end - first + 1)
        for number in range(moments):
            size = first + round(number * (end - first) / max(moments - 1, 1))
            for candidate in CANDIDATES:
                found[candidate].append(_one(curve, goal, size, end, any(meets), candidate))
    return found


def _one(curve: Curve, goal: float, size: int, end: int, met: bool, discrepancy: float) -> Result:
    said = forecast(curve.points[:size], goal, curve.minimise, discrepancy)
    if said.band is None:
        return Result(met, said=False, held=False)
    point = curve.points[end]
    label = {"epoch": point.epoch, "step": point.step}.get(said.unit, end)
    truth = (label or 0) - said.last
    if not met:
        return Result(met, said=True, held=said.band.high > truth)
    return Result(met, said=True, held=said.band.low <= truth <= said.band.high)


def coverage(logs: Sequence[Sequence[Result]]) -> float:
    """The mean over logs of how often their bands hold."""
    each = [[one.held for one in log if one.said and one.met] for log in logs]
    return statistics.mean(sum(held) / len(held) for held in each if held)


def chosen(logs: Sequence[dict[float, list[Result]]]) -> float:
    """The least candidate whose bands hold often enough."""
    for one in CANDIDATES:
        if coverage([log[one] for log in logs]) >= _COVERAGE:
            return one
    return CANDIDATES[-1]


def report(title: str, logs: Sequence[Sequence[Result]]) -> None:
    """Prints how often the bands of some logs hold."""
    print(title)
    for met in (True, False):
        every = [one for log in logs for one in log if one.met is met]
        said = [one for one in every if one.said]
        speaking = sum(any(one.said and one.met is met for one in log) for log in logs)
        share = sum(one.held for one in said) / max(len(said), 1)
        kind = "met    " if met else "not met"
        print(f"  targets {kind}: {len(every)} forecasts, {len(said)} said something", end="")
        print(f" ({speaking} of {len(logs)} logs), {share:.1%} of them held")
    print(f"  mean over logs: {coverage(logs):.1%}")


def main() -> None:
    """Reads the corpus and prints the table."""
    paths = [
        path
        for path in sorted(Path(os.environ["SIXDIM_CORPUS"]).rglob("*"))
        if path.is_file() and path.suffix not in _NO_LOGS and path.stat().st_size <= LARGEST
    ]
    curves: dict[object, Curve] = {}
    with ProcessPoolExecutor() as pool:
        for found in pool.map(curves_of, paths, chunksize=4):
            for curve in found:
                curves.setdefault(tuple(p.value for p in curve.points), curve)
        logs: dict[str, dict[float, list[Result]]] = {}
        for curve, each in zip(
            curves.values(), pool.map(results, curves.values(), chunksize=2), strict=True
        ):
            log = logs.setdefault(curve.log, {one: [] for one in CANDIDATES})
            for candidate, found_here in each.items():
                log[candidate] += found_here
    print(f"{len(curves)} curves of {len(logs)} logs")
    held_out = [
        log[chosen([other for key, other in logs.items() if key != name])]
        for name, log in logs.items()
    ]
    report("each log with the discrepancy chosen on the others:", held_out)
    for one in CANDIDATES:
        mark = ", as it is built in" if one == DISCREPANCY else ""
        report(f"discrepancy {one}{mark}:", [log[one] for log in logs.values()])


if __name__ == "__main__":
    if {"-h", "--help"}.isdisjoint(sys.argv[1:]):
        main()
    else:
        print(__doc__)
