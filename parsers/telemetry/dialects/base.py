"""What every dialect of recorded readings looks like."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from sixdim.parsers.reading import Reading
from sixdim.parsers.text.lines import Line


@dataclass(slots=True)
class Notes:
    """What a person should know about how a recording was read, each said once."""

    said: list[str] = field(default_factory=list)

    def say(self, note: str) -> None:
        """Adds a note unless it was made before."""
        if note not in self.said:
            self.said.append(note)

    def left_out(self, count: int, what: str = "rows with another number of columns") -> None:
        """Adds how many lines were left out, if any were."""
        if count:
            self.say(f"{count} {what} left out")


Reader: TypeAlias = Callable[[Iterable[Line], Notes], Iterator[Reading]]
Matches: TypeAlias = Callable[[list[Line]], bool]


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
    matches: Matches
    read: Reader


def any_line(is_one: Callable[[str], object]) -> Matches:
    """A dialect is known by a line of which `is_one` is true."""
    return lambda head: any(is_one(line.text) for line in head)


def any_stripped(is_one: Callable[[str], object]) -> Matches:
    """The same, whatever space stands around the line."""
    return lambda head: any(is_one(line.text.strip()) for line in head)


def table_cells(text: str) -> list[str]:
    """The three cells of a row that bars enclose; empty for every other line."""
    parts = text.strip().split("|")
    return [part.strip() for part in parts[1:4]] if len(parts) == 5 else []
