"""The interface of the dialects of recorded readings."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.stamps import UNREAD, moment_of, zone_note
from sixdim.parsers.text.lines import Line


@dataclass(slots=True)
class Notes:
    """Remarks for the user on how a recording was read, each made once."""

    texts: list[str] = field(default_factory=list)

    def add(self, note: str) -> None:
        """Adds a note unless it was made before."""
        if note not in self.texts:
            self.texts.append(note)

    def left_out(self, count: int, what: str = "rows with another number of columns") -> None:
        """Adds a note on the number of lines left out, unless it is 0."""
        if count:
            self.add(f"{count} {what} left out")


Reader: TypeAlias = Callable[[Iterable[Line], Notes], Iterator[Reading]]
Matches: TypeAlias = Callable[[list[Line]], bool]


@dataclass(frozen=True, slots=True)
class Dialect:
    """One shape of recording.

    Attributes:
        name: Stands on the card and in `doctor`, e.g. `ixsmi -q text`.
        matches: Whether the first lines of a file are in this shape; must be false for the files
            of every other dialect.
        read: Turns the lines into readings, in file order.
    """

    name: str
    matches: Matches
    read: Reader


def any_line(is_one: Callable[[str], object]) -> Matches:
    """Returns a `matches` that is true if `is_one` is true for any line."""
    return lambda head: any(is_one(line.text) for line in head)


def any_stripped(is_one: Callable[[str], object]) -> Matches:
    """As `any_line`, but passes each line without the blanks around it."""
    return lambda head: any(is_one(line.text.strip()) for line in head)


def noted_moment(text: str, notes: Notes) -> int | None:
    """Returns the moment of a cell; notes one not understood, or perhaps of another zone."""
    found = moment_of(text)
    if found is None and text:
        notes.add(UNREAD)
    if note := zone_note(text):
        notes.add(note)
    return found


def table_cells(text: str) -> list[str]:
    """Returns the three cells of a row between bars; empty for every other line."""
    parts = text.strip().split("|")
    return [part.strip() for part in parts[1:4]] if len(parts) == 5 else []
