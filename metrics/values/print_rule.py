"""How a source prints its figures: `%.6g`, `round 3`, `truncate 2`."""

import math
import re

_RULE = re.compile(r"(?P<how>round|truncate) (?P<places>\d{1,2})|%\.\d{1,2}[fg]")


def as_printed(value: float, rule: str) -> str:
    """Returns the figure as its source prints it; exact (`repr`) without a rule.

    Rounding is Python's, correct for the binary value; truncation cuts the exact decimal
    expansion of the binary value.

    Raises:
        ValueError: There is no such rule.
    """
    if not rule or not math.isfinite(value):
        return repr(value)
    found = _RULE.fullmatch(rule)
    if found is None:
        raise ValueError(f"{rule!r} is not %.6g, round 3 or truncate 2")
    if found["how"] == "truncate":
        return _truncated(value, int(found["places"]))
    if found["how"] == "round":
        return f"{value:.{found['places']}f}"
    return rule % value


def _truncated(value: float, places: int) -> str:
    numerator, denominator = value.as_integer_ratio()
    digits = str(abs(numerator) * 10**places // denominator).zfill(places + 1)
    point = len(digits) - places
    return "-" * (value < 0) + digits[:point] + "." * (places > 0) + digits[point:]
