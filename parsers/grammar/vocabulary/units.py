"""Units of rates and times, each with one spelling: logs print images/s, imgs/sec and img/s."""

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
DEVICE = r"(?:/| per )(?i:gpus?|devices?|npus?|ranks?|cards?|chips?)"
"""The text after a rate's unit that makes it the rate of one device."""
_DEVICE_INSIDE = pattern(DEVICE + r"(?=/)")
"""The part of `tokens/gpu/second`, which is `tokens/second/gpu`."""
PER = r"(?:sec(?:ond)?|step|it(?:er(?:ation)?)?|batch)"
"""The words after `per` in a unit: `30 ms per step`, `500 images per second`."""
PER_SECOND = frozenset({"s", "sec", "second", "secs"})
"""The texts after the slash in the unit of a rate."""
RATES_OF = {word: f"{thing}/s" for word, thing in THINGS.items()} | {
    word: unit
    for unit, words in {
        "examples/s": "example examples ex",
        "frames/s": "frame frames",
        "records/s": "record records",
        "samples/s": "data",
        "it/s": "it its iter iters iteration iterations step steps batch batches",
    }.items()
    for word in words.split()
}
"""The unit of a rate, by the word for the counted thing."""
ALSO_OF_OTHERS = frozenset({"frames/s", ""})
"""Units that rates of videos, cameras and inference also have; a bare throughput has none."""
TIMES = {
    word: seconds
    for seconds, words in (
        (1.0, "s sec secs second seconds"),
        (60.0, "m min mins minutes"),
        (3600.0, "h hr hrs hours"),
    )
    for word in words.split()
} | {"ms": 1e-3}
"""Seconds in each unit of time."""
SECONDS = TIMES | {"us": 1e-6, "D": 86_400.0}
"""The same with units that only some formats use."""
SECONDS_PER = {
    f"{unit}/{what}": SECONDS[unit]
    for unit in ("s", "sec", "secs", "second", "seconds", "ms", "us")
    for what in ("it", "iter", "iteration", "step", "batch", "b")
}
"""Seconds in each unit for the time of an iteration."""
LEAST_WHOLE = 5
"""A time of an iteration that is rounded to a smaller number may be wrong by more than a tenth."""
SECONDS_PER_EPOCH = {f"{unit}/{ep}": TIMES[unit] for unit in TIMES for ep in ("epoch", "ep")}
"""Seconds in each unit for the time of an epoch."""
SECONDS_OF_ONE = {
    f"{time}/{thing}": (SECONDS[time], unit)
    for time in ("s", "sec", "ms", "us")
    for thing, unit in RATES_OF.items()
    if unit != "it/s"
}
"""Units such as `s/img`, which bars print for rates below 1/s: seconds, and the rate's unit."""
_SHORT = {"sec": "s", "second": "s", "seconds": "s"}
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
    return rate(plain) or _SHORT.get(plain, plain)


def printed_unit(raw: str, otherwise: str = "") -> str:
    """Returns the unit of a throughput such as `393.76 samples/sec.`; else `otherwise`."""
    words = raw.split(None, 2)
    return unit(words[1]) if len(words) > 1 and "/" in words[1] else otherwise


def rate_unit(unit: str) -> str | None:
    """Returns the one spelling of a rate's unit; None if the unit is no rate's."""
    thing, _, per = unit.partition("/")
    if per in PER_SECOND:
        return RATES_OF.get(thing)
    return "frames/s" if unit == "fps" else None


def is_unit(unit: str) -> bool:
    """Whether a unit is that of a rate, or of the time of an iteration, an epoch or a sample."""
    unit = _DEVICE_INSIDE.sub("", unit)
    of_time = unit in SECONDS_PER or unit in SECONDS_PER_EPOCH or unit in SECONDS_OF_ONE
    return of_time or rate_unit(unit) is not None
