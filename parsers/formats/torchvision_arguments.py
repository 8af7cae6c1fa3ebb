"""The facts that torchvision's references and DeepSpark's scripts print in `Namespace(…)`."""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import Fact
from sixdim.parsers.grammar.shapes.arguments import arguments
from sixdim.parsers.text.patterns import pattern

_FACTS = (
    ("world_size", "devices"),
    ("batch_size", "batch_per_device"),
    ("epochs", "epochs_planned"),
    ("model", "model"),
    ("arch", "model"),
)
_PERCENT = pattern(r"\d{1,3}(?:\.\d{1,6})?")


def facts_of(text: str) -> Iterator[tuple[str, Fact]]:
    """Yields name and value of the facts about a run in its arguments; names as in `RunInfo`."""
    found = arguments(text)
    for key, name in _FACTS:
        value = found.get(key, "None")
        if value.isdigit():
            yield name, int(value)
        elif name == "model" and value != "None":
            yield name, value
    if "amp" in found:
        yield "precision", "amp" if found["amp"] == "True" else "fp32"
    threshold = found.get("acc_thresh", "")
    if _PERCENT.fullmatch(threshold):
        yield "target", f"acc1>{threshold}"
