"""Makes names distinct, for outputs in which a name must not be there twice."""

from collections import Counter
from collections.abc import Sequence


def unique_names(names: Sequence[str], mark: str) -> list[str]:
    """Returns the names; one that was there before is followed by the mark and a number.

    Of `a`, `a` and `a#2`, with the mark `#`, it makes `a`, `a#3` and `a#2`.
    """
    given, seen = {*names}, Counter[str]()
    found: list[str] = []
    for name in names:
        seen[name] += 1
        unique = name
        while seen[name] > 1 and (unique := f"{name}{mark}{seen[name]}") in given:
            seen[name] += 1
        found.append(unique)
    return found
