"""Units of rates, and of the time of one iteration, epoch or sample."""

from __future__ import annotations

from sixdim.parsers.grammar.vocabulary.units import THINGS

DEVICE = r"(?:/| per )(?i:gpus?|devices?|npus?|ranks?|cards?|chips?)"
"""Text behind the unit of a rate of one device."""
PER = r"(?:sec(?:ond)?|step|it(?:er(?:ation)?)?|batch)"
"""Words behind `per` in a unit: `30 ms per step`, `500 images per second`."""
PER_SECOND = frozenset({"s", "sec", "second", "secs"})
"""Text behind the slash of a rate."""
RATES_OF = {word: f"{thing}/s" for word, thing in THINGS.items()} | {
    word: unit
    for unit, words in {
        "examples/s": "example examples",
        "frames/s": "frame frames",
        "records/s": "record records",
        "samples/s": "data",
        "it/s": "it its iter iters iteration iterations step steps batch batches",
    }.items()
    for word in words.split()
}
"""The unit of a rate, by the word for what it counts."""
TIMES = {
    word: seconds
    for seconds, words in ((1.0, "s sec secs second seconds"), (60.0, "min mins minutes"))
    for word in words.split()
} | {"ms": 1e-3}
"""Seconds of a unit of time."""
SECONDS_PER = {
    f"{unit}/{what}": TIMES.get(unit, 1e-6)
    for unit in ("s", "sec", "secs", "second", "seconds", "ms", "us")
    for what in ("it", "iter", "iteration", "step", "batch")
}
"""Seconds of a unit in which the time of an iteration is printed."""
SECONDS_PER_EPOCH = {f"{unit}/epoch": seconds for unit, seconds in TIMES.items()}
"""Seconds of a unit in which the time of an epoch is printed."""
SECONDS_OF_ONE = {
    f"{time}/{thing}": (TIMES.get(time, 1e-6), unit)
    for time in ("s", "sec", "ms", "us")
    for thing, unit in RATES_OF.items()
    if unit != "it/s"
}
"""Seconds and the rate's unit of `1.65s/img`, as bars print rates below one a second."""


def rate_unit(unit: str) -> str | None:
    """The spelling of a rate's unit; None for one of anything else."""
    thing, slash, per = unit.partition("/")
    if slash and per in PER_SECOND:
        return RATES_OF.get(thing)
    return "frames/s" if unit == "fps" else None


def is_unit(unit: str) -> bool:
    """Whether a unit with a slash is a rate, or a time of an iteration or an epoch."""
    of_time = unit in SECONDS_PER or unit in SECONDS_PER_EPOCH or unit in SECONDS_OF_ONE
    return of_time or rate_unit(unit) is not None
