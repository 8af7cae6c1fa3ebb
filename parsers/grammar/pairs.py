"""What the `key: value` pairs of a line become: figures with their units."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache

from sixdim.parsers.events import Metric
from sixdim.parsers.grammar.holes import number
from sixdim.parsers.grammar.units import rate
from sixdim.parsers.text.patterns import pattern

_SECONDS = {"sec": "s", "second": "s", "seconds": "s"}
_FIGURE = pattern(
    r"([-+]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?|[-+]?(?i:nan|inf)(?![\w.]))"
    r"[ \t]*+([A-Za-z%][A-Za-z/%]{0,20}+)?\.?+(?=[\s;(|\]]|,(?!\d)|$)"
)
_LOSS = pattern(r"(?i:loss|rmse|entropy|smooth|ppl|perplexity|err|cost|time|latency)")


@lru_cache(1024)
def unit(text: str) -> str:
    """One spelling for a unit: `images/sec.` is `img/s`, `sec` is `s`; others as they are."""
    plain = text.strip(" .,")
    return rate(plain) or _SECONDS.get(plain, plain)


def figure(name: str, raw: str) -> Metric | None:
    """The number (and its unit) with which a raw value begins; None where none does."""
    found = _FIGURE.match(raw)
    if found is None:
        return None
    try:
        value = number(found[1])
    except ValueError:  # more digits than a double can hold
        return None
    return Metric(name, value, unit(found[2] or ""), _rises(name))


@lru_cache(4096)
def _rises(name: str) -> bool:
    """Whether higher is better, by the name: a log repeats its few names."""
    return _LOSS.search(name) is None


def figures(pairs: Mapping[str, str], without: Collection[str] = ()) -> tuple[Metric, ...]:
    """Every pair whose value is a number, under the log's own name."""
    found = [figure(key, raw) for key, raw in pairs.items() if key not in without]
    return tuple([metric for metric in found if metric is not None])


def rate_unit(raw: str, otherwise: str = "") -> str:
    """The unit of a throughput such as `393.76 samples/sec.`."""
    words = raw.split(None, 2)
    return unit(words[1]) if len(words) > 1 and "/" in words[1] else otherwise
