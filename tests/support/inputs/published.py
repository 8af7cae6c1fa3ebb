"""The rules behind published throughputs, as their sources state them; no code of ours."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from sixdim.parsers.events import Event, Iteration
from tests.support.corpus import log


def tipc(ips: Sequence[float], skip: int, cards: int) -> float:
    """PaddlePaddle's test_tipc: drop `skip` records, trim 5 % (at least 5) a side, mean."""
    kept = sorted(ips[skip:])
    trim = max(int(len(kept) * 0.05), 5)
    return round(fmean(kept[trim:-trim]) * cards, 3)


def speeds(events: Sequence[Event]) -> list[float]:
    """The throughput of every iteration record that has one."""
    records = (e for e in events if isinstance(e, Iteration))
    return [e.throughput for e in records if e.throughput is not None]


def figure(path: str, metric: str = "throughput") -> str:
    """The published figure of a log, with its digits."""
    table: list[dict[str, Any]] = json.loads(Path(log("figures.json")).read_text())
    return next(str(r["published"]) for r in table if r["log"] == path and r["metric"] == metric)


def digits(value: float, published: str) -> str:
    """`value` with as many decimals as `published` has."""
    return f"{value:.{len(published.partition('.')[2])}f}"
