"""How often the truth lies in the range that a forecast of the target's epoch gives.

`python -m benchmarks.forecast`, with SIXDIM_CORPUS set: every log there whose format is known,
with at least 15 evaluations of its accuracy metric in as many epochs. Few logs name a target that
they meet, so each run is given three: the best value at 50, 70 and 90 % of its evaluations. A
forecast is asked for after 20, 35, 50, 70 and 85 % of the evaluations before the one that meets
it first, from 8 on.

The quantiles 10, 50 and 90 % of (true epochs / estimated epochs) are the constants of
`metrics/card/projection.py`. The coverage that is printed is honest: the range of each run's
forecasts is made from the quantiles of all other runs. Copies of one recipe count as runs of
their own, which flatters it; the second figure leaves out all runs of the same folder.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from sixdim.metrics.card.projection import LEAST, estimate
from sixdim.metrics.dimensions.accuracy import accuracy_metric
from sixdim.metrics.values.settings import Settings
from sixdim.tui.session.options import Request

LEAST_EVALUATIONS = 15
LARGEST = 8_000_000
TARGETS = (0.5, 0.7, 0.9)
MOMENTS = (0.2, 0.35, 0.5, 0.7, 0.85)


class Case(NamedTuple):
    """One forecast that was asked for.

    Attributes:
        run: Path of the log.
        ratio: Logarithm of the true epochs over the estimated ones; None where nothing was said.
    """

    run: Path
    ratio: float | None


def curve_of(path: Path) -> list[tuple[float, float]]:
    """Epoch and value of a log's evaluations, higher being better; empty where there are none."""
    session = Request(Settings()).session(str(path))
    session.feed(path.read_bytes())
    session.end()
    run = session.run
    metric = accuracy_metric(run)
    judged = [e for e in run.evaluations if metric in e.places]
    if not run.has_epochs or not judged:
        return []
    sign = 1.0 if judged[0].metric(metric).higher_is_better else -1.0
    found = {run.epoch_of(e): sign * e.value(metric) for e in judged}
    curve = sorted((float(x), y) for x, y in found.items() if x is not None and math.isfinite(y))
    return curve if len(curve) == len(judged) >= LEAST_EVALUATIONS else []


def cases(path: Path, curve: list[tuple[float, float]]) -> Iterator[Case]:
    """The forecasts that are asked of one run."""
    best = [max(y for _, y in curve[: n + 1]) for n in range(len(curve))]
    asked = set()
    for share in TARGETS:
        goal = best[int(share * (len(curve) - 1))]
        met = next(n for n, (_, y) in enumerate(curve) if y >= goal)
        if met in asked or met < LEAST + 2:
            continue
        asked.add(met)
        for moment in MOMENTS:
            last = int(met * moment)
            if LEAST <= last + 1 <= met:
                ahead = estimate(curve[: last + 1], goal)
                true = curve[met][0] - curve[last][0]
                yield Case(path, None if ahead is None else math.log(true / ahead))


def quantiles(ratios: list[float]) -> tuple[float, float, float]:
    """Those of 10, 50 and 90 %."""
    known, last = sorted(ratios), len(ratios) - 1
    return known[int(0.1 * last)], known[int(0.5 * last)], known[math.ceil(0.9 * last)]


def coverage(made: list[Case], group: Callable[[Path], object]) -> float:
    """The share of forecasts whose range, made from all other groups, holds the truth."""
    held = 0
    for left_out in {group(case.run) for case in made}:
        others = [c.ratio for c in made if group(c.run) != left_out and c.ratio is not None]
        low, _, high = quantiles(others)
        own = [c.ratio for c in made if group(c.run) == left_out and c.ratio is not None]
        held += sum(low <= ratio <= high for ratio in own)
    return held / len(made)


def main() -> None:
    """Prints quantiles and coverage."""
    corpus = Path(os.environ["SIXDIM_CORPUS"])
    every: list[Case] = []
    for path in sorted(corpus.rglob("*")):
        kinds = (".log", ".txt", ".json", ".csv")
        if path.is_file() and path.suffix in kinds and path.stat().st_size <= LARGEST:
            curve = curve_of(path)
            every += cases(path, curve) if curve else ()
    made = [case for case in every if case.ratio is not None]
    ratios = [case.ratio for case in made if case.ratio is not None]
    runs, folders = {c.run for c in made}, {c.run.parent for c in made}
    print(f"asked {len(every)}, made {len(made)}, runs {len(runs)}, folders {len(folders)}")
    print("quantiles", *(f"{math.exp(q):.2f}" for q in quantiles(ratios)))
    print(f"coverage, each run left out in turn: {coverage(made, lambda run: run):.1%}")
    print(f"coverage, each folder left out in turn: {coverage(made, lambda run: run.parent):.1%}")


if __name__ == "__main__":
    sys.exit(main())
