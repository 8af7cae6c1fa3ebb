"""The arguments of a program, as argparse prints them."""

from __future__ import annotations

from sixdim.parsers.text.patterns import pattern

_ARGUMENT = pattern(r"[(,\s](\w{1,40})=('[^']{0,200}'|[^\s,)]{1,60})")
_LONGEST = 20_000


def arguments(text: str) -> dict[str, str]:
    """The values of `Namespace(batch_size=32, model='resnet50')` by name, without quotes."""
    return {name: value.strip("'\"") for name, value in _ARGUMENT.findall(text[:_LONGEST])}
