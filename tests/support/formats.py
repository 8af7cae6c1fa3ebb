"""The formats that tests read logs in."""

from __future__ import annotations

from sixdim.parsers.reader.registry import formats
from sixdim.parsers.statements.format import Reader


def by_name(name: str) -> type[Reader]:
    """The format of that name."""
    return next(known for known in formats() if known.name == name)
