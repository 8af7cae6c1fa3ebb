"""What several formats do alike with the figures they find: names, units, facts, CSV files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from sixdim.parsers.events import Fact, Metric, Origin, RunInfo
from sixdim.parsers.grammar.holes import number
from sixdim.parsers.text.lines import label

_LOWER = ("loss", "error", "perplexity", "ppl", "mae", "mse", "rmse")
_LOWER_EXACT = frozenset(("wer", "cer", "nll", "epe", "fid"))


def lower_is_better(name: str) -> bool:
    """Whether a figure of that name is a loss or an error."""
    last = name.lower().replace("/", "_")
    return (
        last in _LOWER_EXACT
        or last.rpartition("_")[2] in (*_LOWER, *_LOWER_EXACT)
        or ("loss" in last)
    )


@lru_cache(4096)
def known(name: str, limit: int = 60) -> tuple[str, bool]:
    """A name as shown, and whether higher is better: a log repeats its few names."""
    return label(name, limit), not lower_is_better(name)


def figure(name: str, value: float, unit: str = "") -> Metric:
    """A `Metric` that knows which way is better by its name."""
    shown, higher = known(name)
    return Metric(shown, value, unit, higher)


def as_number(value: object) -> float | None:
    """A number or a text that is one (`"1.55"`, `41.2 (40.9)`); None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        try:
            return float(value)
        except OverflowError:  # a JSON integer may have any number of digits
            return None
    if isinstance(value, str):
        try:
            return number(value.partition(" ")[0])
        except ValueError:
            return None
    return None


def as_whole(value: object) -> int | None:
    """A whole number that counts something, or None: a label of an epoch or a step."""
    found = as_number(value)
    return int(found) if found is not None and abs(found) < 1e15 and found % 1 == 0 else None


def figures(
    pairs: Mapping[str, object],
    *,
    skip: frozenset[str] = frozenset(),
    names: Mapping[str, tuple[str, str]] | None = None,
    strip: str = "",
) -> tuple[Metric, ...]:
    """Every number of `pairs` as a metric, in order.

    Args:
        pairs: Names to values, as text or as numbers; whatever is no number is left out.
        skip: Names that are no figures (labels, clocks).
        names: The log's name to (canonical name, unit).
        strip: Prefix taken off names that have no canonical one (`eval_`).
    """
    out = []
    for key, raw in pairs.items():
        value = None if key in skip else as_number(raw)
        if value is not None:
            name, unit = (names or {}).get(key, (key.removeprefix(strip), ""))
            out.append(figure(name, value, unit))
    return tuple(out)


class Facts:
    """Run facts that a log repeats, once per rank or per config dump: each is reported once."""

    def __init__(self) -> None:
        self._reported: dict[str, Fact] = {}

    def report(self, at: Origin, name: str, value: Fact) -> Iterator[RunInfo]:
        """The fact, unless it is what was last reported under that name."""
        if self._reported.get(name) != value:
            self._reported[name] = value
            yield RunInfo(at, name, label(value, 120) if isinstance(value, str) else value)

    def get(self, name: str) -> Fact | None:
        """What was last reported under that name."""
        return self._reported.get(name)

    def forget(self) -> None:
        """A new run begins: everything may be reported again."""
        self._reported.clear()
