"""What every dialect of recorded readings looks like."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from sixdim.parsers.events import Reading
from sixdim.parsers.text.lines import Line


@dataclass(slots=True)
class Notes:
    """What a person should know about how a recording was read, each said once."""

    said: list[str] = field(default_factory=list)

    def say(self, note: str) -> None:
        """Adds a note unless it was made before."""
        if note not in self.said:
            self.said.append(note)


Reader: TypeAlias = Callable[[Iterable[Line], Notes], Iterator[Reading]]


@dataclass(frozen=True, slots=True)
class Dialect:
    """One shape of recording.

    Attributes:
        name: Appears on the card and by `doctor`, e.g. `ixsmi -q text`.
        matches: Whether the first lines of a file are in this shape; must not be true for any
            file of another dialect.
        read: Turns the lines into readings, in file order.
    """

    name: str
    matches: Callable[[list[Line]], bool]
    read: Reader
