"""Gives each unit one spelling: logs print images/s, imgs/sec and img/s for the same unit."""

from __future__ import annotations

from functools import lru_cache

from sixdim.parsers.text.patterns import pattern

THINGS = {
    word: thing
    for thing, words in {
        "img": "image images imgs img",
        "samples": "sample samples example examples records",
        "sequences": "seq seqs sequence sequences sentences",
        "tokens": "token tokens tok toks",
        "words": "word words",
        "steps": "step steps iter it",
    }.items()
    for word in words.split()
}
"""The thing that a rate counts, by the words that logs use for it."""
_SECONDS = {"sec": "s", "second": "s", "seconds": "s"}
SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0, "D": 86_400.0}
"""Seconds in a unit of time, by the short name that logs use for it."""
_RATE = pattern(r"([A-Za-z_]{1,24}) ?/ ?(?:s|sec|second)\.?")


@lru_cache(1024)
def rate(unit: str) -> str:
    """Returns the unit of a rate as `img/s`, `samples/s`, …; empty if `unit` is not a rate's."""
    found = _RATE.fullmatch(unit.strip())
    if found is None:
        return ""
    thing = found[1]
    return f"{THINGS.get(thing.lower(), thing)}/s"


@lru_cache(1024)
def unit(text: str) -> str:
    """Returns the one spelling of a unit: `images/sec.` gives `img/s`; others stay as they are."""
    plain = text.strip(" .,")
    return rate(plain) or _SECONDS.get(plain, plain)


def rate_unit(raw: str, otherwise: str = "") -> str:
    """Returns the unit of a throughput such as `393.76 samples/sec.`; else `otherwise`."""
    words = raw.split(None, 2)
    return unit(words[1]) if len(words) > 1 and "/" in words[1] else otherwise
