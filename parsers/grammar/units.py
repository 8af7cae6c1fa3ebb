"""One spelling for the units of a rate: logs print images/s, imgs/sec, img/s for one thing."""

from __future__ import annotations

from functools import lru_cache

from sixdim.parsers.text.patterns import pattern

_THINGS = {
    "image": "img",
    "images": "img",
    "imgs": "img",
    "img": "img",
    "sample": "samples",
    "samples": "samples",
    "example": "samples",
    "examples": "samples",
    "records": "samples",
    "seq": "sequences",
    "seqs": "sequences",
    "sequence": "sequences",
    "sequences": "sequences",
    "sentences": "sequences",
    "token": "tokens",
    "tokens": "tokens",
    "tok": "tokens",
    "word": "words",
    "words": "words",
    "step": "steps",
    "steps": "steps",
    "iter": "steps",
    "it": "steps",
}
_RATE = pattern(r"([A-Za-z_]{1,24}) ?/ ?(?:s|sec|second)\.?")


@lru_cache(1024)
def rate(unit: str) -> str:
    """The unit of a rate as `img/s`, `samples/s`, …; empty where `unit` is not a rate."""
    found = _RATE.fullmatch(unit.strip())
    if found is None:
        return ""
    thing = found[1]
    return f"{_THINGS.get(thing.lower(), thing)}/s"
