"""The further figures of a line, as metrics: numbers with the unit that is glued to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sixdim.parsers.events import Metric
from sixdim.parsers.grammar.figures import known as known_name
from sixdim.parsers.text.patterns import pattern

_FIGURE = pattern(
    r"(?P<value>[-+]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?|[-+]?(?i:nan|inf(?:inity)?)(?!\w))"
    r"(?P<unit>[A-Za-z%][A-Za-z%/]{0,15}+)?(?![\w.])"
)
_MOST = 64


def figure(name: str, text: object, unit: str = "") -> Metric | None:
    """The metric that a printed value is, or None where it does not begin with a number.

    `66.91GiB(37.51%)` is 66.91 GiB; `0.35 (0.36)` is its first number; a JSON number or a
    number in a JSON string counts as well, `true` does not.
    """
    if isinstance(text, bool) or not isinstance(text, (str, int, float)):
        return None
    found = _FIGURE.match(str(text))
    if found is None:
        return None
    shown, higher = known_name(name, 40)
    return Metric(shown, float(found["value"]), found["unit"] or unit, higher)


def figures(pairs: Mapping[str, object], known: Iterable[str] = ()) -> tuple[Metric, ...]:
    """Every numeric pair but the `known` ones, under the log's own names, in its order."""
    skip = frozenset(known)
    found = (figure(name, text) for name, text in pairs.items() if name not in skip)
    return tuple(metric for metric in found if metric is not None)[:_MOST]
