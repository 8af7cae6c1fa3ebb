"""Compares the times that progress lines print with the log's clock between these lines."""

from __future__ import annotations

import math
from collections.abc import Iterator

from sixdim.metrics.dimensions.speed.epoch_speed import OF_LINES, SINCE_START
from sixdim.metrics.dimensions.times import COARSE_S
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.card import Caution, Dimension

_FAR = 2.0
"""By this factor a printed time may differ: a loop may leave out what loading the data takes."""


def far_from_clock(run: Run, speed: Dimension) -> Iterator[Caution]:
    """Warns of a speed from the times on progress lines that the log's clock contradicts.

    A loop may print the time of one batch with every hundredth one, or that of a part of its work.
    """
    derived = str(speed.details.get("derived"))
    if speed.value is None or not (OF_LINES in derived or SINCE_START in derived):
        return
    found = [(epoch, epoch.clocked()) for epoch in run.rated(unfinished=True)]
    epochs = [epoch for epoch, spent in found if spent is not None]
    clocked = [spent for _, spent in found if spent is not None]
    totals = [epoch.lines.totals() for epoch in epochs]
    passed = math.fsum(seconds for seconds, _ in clocked)
    iterations = sum(one.iterations for one in totals)
    if passed < COARSE_S or not iterations:
        return
    by_clock = passed / sum(steps for _, steps in clocked)
    printed = math.fsum(one.seconds for one in totals) / iterations
    if printed / _FAR <= by_clock <= printed * _FAR:
        return
    text = (
        f"the progress lines print {printed:.3g} s for an iteration, and the log's clock shows "
        f"{by_clock:.3g} s from one to the next: they print the time of single iterations, or of "
        "a part of the work, or the run paused"
    )
    yield Caution("times_disagree", text, (epochs[0].first_line, epochs[-1].last_line))
