"""Makes figures from texts: all formats read numbers, names and units with these functions."""

from collections.abc import Collection, Mapping
from functools import lru_cache

from sixdim.parsers.events import Metric
from sixdim.parsers.grammar.shapes.holes import number
from sixdim.parsers.grammar.vocabulary import units
from sixdim.parsers.text.lines import label
from sixdim.parsers.text.patterns import pattern

_LOWER = pattern(
    r"(?i:loss|error|perplexity|entropy|latency|smooth_?l1"
    r"|(?<![a-z])(?:err|ppl|bpb|mape|mae|r?mse|wer|[ce]er|nll|a?epe|nme|mpjpe|fid|cost|time)(?![a-z]))"
)
_FIGURE = pattern(
    r"([-+]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?|[-+]?(?i:nan|inf(?:inity)?)(?![\w.]))"
    r"[ \t]*+([A-Za-z%][A-Za-z/%]{0,20}+)?\.?+(?=[\s;(|\]]|,(?!\d)|$)"
)

_new = tuple.__new__  # lines have many figures: this takes half the time of `Metric(…)`
_LARGEST = 1e15
"""Whole numbers below this are exact as floats."""


def lower_is_better(name: str) -> bool:
    """Returns whether a figure of that name is a loss, an error or a time."""
    return _LOWER.search(name) is not None


@lru_cache(4096)
def known(name: str, limit: int = 60) -> tuple[str, bool]:
    """Returns a name as one short clean line, and whether higher is better (cached)."""
    return label(name, limit), not lower_is_better(name)


def figure(name: str, value: float, unit: str = "") -> Metric:
    """Makes a `Metric`; its name decides whether higher is better."""
    clean, higher = known(name)
    return _new(Metric, (clean, value, unit, higher))


def as_number(value: object) -> float | None:
    """Converts a number, or a text whose first word is one (`1.55`, `41.2 (40.9)`); else None."""
    try:
        if isinstance(value, str):
            return number(value.partition(" ")[0])
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return float(value)
    except (ValueError, OverflowError):  # a JSON integer may have any number of digits
        pass
    return None


def as_whole(value: object) -> int | None:
    """Converts a whole number, such as the label of an epoch or a step; else None."""
    if type(value) is int and abs(value) < _LARGEST:
        return value
    found = as_number(value)
    return int(found) if found is not None and abs(found) < _LARGEST and found % 1 == 0 else None


def printed(name: str, value: object, unit: str = "") -> Metric | None:
    """Makes a metric from a number, or from a text that begins with a number and maybe a unit.

    `66.91GiB(37.51%)` gives 66.91 GiB, `0.35 (0.36)` its first number, `true` None.
    """
    if not isinstance(value, str):
        plain = as_number(value)
        return None if plain is None else figure(name, plain, unit)
    found = _FIGURE.match(value)
    if found is None:
        return None
    text, own_unit = found.groups()
    try:
        return figure(name, number(text), (units.unit(own_unit) if own_unit else "") or unit)
    except ValueError:  # more digits than a double can hold
        return None


def figures(
    pairs: Mapping[str, object],
    skip: Collection[str] = (),
    *,
    names: Mapping[str, tuple[str, str]] | None = None,
    strip: str = "",
) -> tuple[Metric, ...]:
    """Returns every number of `pairs` as a metric, in order; see `printed`.

    Args:
        pairs: Names to values, as text or as numbers; a value that is no number is left out.
        skip: Names that are not figures (labels, clocks).
        names: The log's name to (canonical name, unit).
        strip: Prefix removed from names that have no canonical one (`eval_`).
    """
    found = []
    for key, value in pairs.items():
        if key in skip:
            continue
        if names and key in names:
            name, unit = names[key]
        else:
            name, unit = key.removeprefix(strip), ""
        metric = figure(name, value, unit) if type(value) is float else printed(name, value, unit)
        if metric is not None:
            found.append(metric)
    return tuple(found)
