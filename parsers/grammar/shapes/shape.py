"""The interface of shapes of lines: how a line is matched, and the fields that it gives.

A line of any framework is a fixed skeleton with typed holes (`skeleton`), or a prefix followed by
`key: value` pairs (`key_values`), or a JSON record (`json_record`), or a row of a table (`table`).
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol, Self, TypeAlias

Fields: TypeAlias = Mapping[str, Any]


class Shared:
    """What all logs use: its copy is itself, because other threads add to it meanwhile."""

    def __deepcopy__(self, _memo: object) -> Self:
        return self


class Broken(NamedTuple):
    """The result for a line that fits a shape except for a text in place of a number.

    Attributes:
        field: Name of the hole.
        text: The text in it.
    """

    field: str
    text: str


class Wanted(NamedTuple):
    """Which parts of a line its reader uses; the others need not be converted.

    Attributes:
        fields: Names of holes; None for all of them.
        pairs: Keys among the line's `key: value` pairs, in lower case; None for all of them.
    """

    fields: frozenset[str] | None = None
    pairs: frozenset[str] | None = None

    def has(self, field: str) -> bool:
        """Returns whether a field is wanted."""
        return self.fields is None or field in self.fields


ALL = Wanted()
Match: TypeAlias = Callable[[str], "Fields | Broken | None"]


class Shape(Protocol):
    """Decides whether a line has this shape, and gives the values of its holes."""

    @property
    def anchor(self) -> str:
        """Text with which every matching line begins (may be empty)."""

    @property
    def clue(self) -> str:
        """Text that every matching line contains (may be empty)."""

    def match(self, text: str) -> Fields | Broken | None:
        """Returns the holes by name, or `Broken` for a bad number, or None for another line."""

    def begins(self, text: str) -> bool:
        """Whether a line that does not match begins like one that does, because it was cut."""


class Unanchored:
    """A shape of lines without a fixed beginning.

    Attributes:
        anchor: See `Shape.anchor`.
        clue: See `Shape.clue`.
    """

    anchor: str = ""
    clue: str = ""

    def begins(self, text: str) -> bool:
        """See `Shape.begins`."""
        return False
