"""The arguments of a program, as argparse prints them, and the facts that they state."""

from collections.abc import Iterator, Mapping

from sixdim.parsers.events import Fact
from sixdim.parsers.text.patterns import pattern

_ARGUMENT = pattern(r"[(,\s](\w{1,40})=('[^']{0,200}'|[^\s,)]{1,60})")
_LONGEST = 20_000
_WHOLE = pattern(r"[1-9]\d{0,15}")
_ON = ("True", "true", "1")
_TYPES = {"float16": "fp16", "float32": "fp32"}


def arguments(text: str) -> dict[str, str]:
    """The values of `Namespace(batch_size=32, model='resnet50')` by name, without quotes."""
    return {name: value.strip("'\"") for name, value in _ARGUMENT.findall(text[:_LONGEST])}


def facts_of(found: Mapping[str, str], names: Mapping[str, str]) -> Iterator[tuple[str, Fact]]:
    """Yields name and value of the facts that arguments state; `names` has the facts by argument.

    A fact is a whole number above 0, except for the `model`.
    """
    for key, name in names.items():
        value = found.get(key, "")
        if _WHOLE.fullmatch(value):
            yield name, int(value)
        elif name == "model" and value not in ("", "None"):
            yield name, value


def precision_of(found: Mapping[str, str]) -> Iterator[tuple[str, Fact]]:
    """Yields the fact `precision` if arguments state it."""
    mixed = found.get("amp", found.get("use_amp"))
    if found.get("use_pure_fp16") in _ON:
        yield "precision", "fp16"
    elif found.get("dtype") in _TYPES:
        yield "precision", _TYPES[found["dtype"]]
    elif mixed is not None:
        yield "precision", "amp" if mixed in _ON else "fp32"
