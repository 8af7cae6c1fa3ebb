"""A shape of lines: a fixed text with typed holes."""

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import pairwise

from sixdim.parsers.grammar.shapes.convert import Convert, converter
from sixdim.parsers.grammar.shapes.holes import HOLES
from sixdim.parsers.grammar.shapes.shape import ALL, Broken, Fields, Match, Shared, Wanted
from sixdim.parsers.grammar.shapes.skeleton_parts import HOLE, Parts, expression, parts_of
from sixdim.parsers.text.patterns import compiled

_IDENTIFYING = 5
"""The fewest characters of literals that identify the beginning of a line."""
_LONG, _FIRST = 20, 6
"""Of a statement of so many parts, these first ones are compiled alone: in a fifth of the time."""


class Skeleton(Shared):
    """A fixed line with typed holes.

    `Skeleton("Epoch: [{epoch:int}] Avg img/s: {throughput:float}")`: one blank in the
    statement stands for any run of blanks and tabs; numbers may be padded with blanks;
    `{}` skips to the next literal; `{name:until}` does, and keeps what it skipped;
    `{name:text}` takes the rest of the line. Types: `int`, `count` (an int with thousands
    separators), `float` (also nan, inf, exponents), `amount` (a number whose unit may be
    glued to it, as in `8.03sec`), `duration` (seconds), `clock` and `pace` (a progress bar's
    times and `it/s`, in seconds), `moment` (a date and time), `stamp` (`YY/MM/DD-hh:mm:ss`) and
    `unix` (seconds since 1970), all as microseconds since 1970, `word`, `measure` (a word that
    begins with a digit, as in `26s`), `text`. Any number may touch the unit that the statement
    itself names: `{time:float}s`. A trailing `...` lets anything follow.

    Raises:
        ValueError: A hole has an unknown type, or `{}` is not followed by a literal.

    Attributes:
        is_open: Whether anything may follow.
    """

    def __init__(self, statement: str) -> None:
        self.statement = statement
        self.is_open = statement.endswith("...")

    @cached_property
    def _parts(self) -> Parts:
        """Literals and holes; made on first use, as most statements never meet a line of theirs.

        Raises:
            ValueError: The statement is not one.
        """
        parts = parts_of(self.statement.removesuffix("..."))
        for hole, following in pairwise(parts):
            skips = not isinstance(hole, str) and hole[1] in ("skip", "until")
            if skips and not isinstance(following, str):
                raise ValueError(f"a skip must be followed by a literal in {self.statement!r}")
        return parts

    @cached_property
    def anchor(self) -> str:
        """The literal before the first blank or hole."""
        hole = HOLE.search(self.statement)
        literal = self.statement[: hole.start()] if hole else self.statement.removesuffix("...")
        return literal.partition(" ")[0]

    def check(self) -> None:
        """Compiles what otherwise waits for a line.

        Raises:
            ValueError: The statement is malformed.
            re.error: It names a hole twice.
        """
        compiled(self.pattern(ALL))

    @cached_property
    def holes(self) -> dict[str, str]:
        """The named holes and their types."""
        return {p[0]: p[1] for p in self._parts if not isinstance(p, str) and p[0]}

    @cached_property
    def _lenient(self) -> re.Pattern[str]:
        return compiled(expression(self._parts, lenient=True, open_end=self.is_open))

    @cached_property
    def match(self) -> Match:
        """See `Shape.match`."""
        return self.compiled(ALL)

    def pattern(self, wanted: Wanted, *, until: str = "") -> str:
        """Returns the regular expression of a matching line, with a group for each wanted hole.

        Args:
            wanted: The fields that get a group.
            until: Name of a hole before which the expression ends; by default at the line's end.
        """
        parts = self._parts
        if until:
            parts = parts[: next(i for i, p in enumerate(parts) if p[0] == until)]
        named = [p if isinstance(p, str) or wanted.has(p[0]) else ("", p[1]) for p in parts]
        return expression(named, lenient=False, open_end=self.is_open or bool(until))

    def groups(self, wanted: Wanted) -> list[tuple[str, str]]:
        """Name and type of the wanted holes, in the order of the expression's groups."""
        return [(name, kind) for name, kind in self.holes.items() if wanted.has(name)]

    def compiled(self, wanted: Wanted) -> Match:
        """As `match`, but converts only the wanted fields.

        The expression is made when the first line has all of the statement's words, and begins as
        its lines do.
        """
        find: Callable[[str], re.Match[str] | None] | None = None
        convert: Convert | None = None

        def match(text: str) -> Fields | Broken | None:
            nonlocal find, convert
            if find is None:
                if not self.has_words(text) or not self._may_begin(text):
                    return None  # most statements never meet a line of theirs
                find = compiled(self.pattern(wanted)).match
            found = find(text)
            if found is None:
                return self._broken(text)
            if convert is None:
                convert = converter(self.groups(wanted))
            try:
                return convert(*found.groups())
            except (ValueError, OverflowError):
                return self._not_a_value(found)

        return match

    def _not_a_value(self, found: re.Match[str]) -> Broken | None:
        """Returns the first hole of a matching line whose text is no value of its type."""
        kinds = self.holes
        for name, raw in found.groupdict().items():
            try:
                HOLES[kinds[name]][1](raw)
            except (ValueError, OverflowError):
                return Broken(name, raw[:40])
        return None

    @cached_property
    def _beginning_parts(self) -> Parts:
        """The parts up to the first literal after a hole; empty if there is none."""
        holes = [i for i, part in enumerate(self._parts) if not isinstance(part, str)]
        literals = [i for i, part in enumerate(self._parts) if isinstance(part, str)]
        last = next((i for i in literals if holes and i > holes[0]), -1)
        return self._parts[: last + 1]

    @cached_property
    def beginning(self) -> re.Pattern[str] | None:
        """The expression up to the first literal after a hole; None if that is too short."""
        parts = self._beginning_parts
        said = "".join(part for part in parts if isinstance(part, str))
        if len(said.replace(" ", "")) < _IDENTIFYING:
            return None
        return compiled(expression(parts, lenient=False, open_end=True))

    @cached_property
    def _beginning_words(self) -> list[str]:
        """The words in the literals of `_beginning_parts`, the longest first."""
        said = " ".join(part for part in self._beginning_parts if isinstance(part, str))
        return sorted(said.split(), key=len, reverse=True)

    def _may_begin(self, text: str) -> bool:
        """Whether a text begins as the lines of a long statement do, even with a broken number."""
        return not self._short or any(one.match(text) for one in self._short)

    @cached_property
    def _short(self) -> list[re.Pattern[str]]:
        """The beginning of a long statement, without and with a broken number; else empty."""
        parts = self._parts[:_FIRST] if len(self._parts) >= _LONG else []
        while parts and not isinstance(parts[-1], str):
            parts = parts[:-1]  # what a hole matches depends on the literal after it
        broken = (False, True) if parts else ()
        return [compiled(expression(parts, lenient=one, open_end=True)) for one in broken]

    def begins(self, text: str) -> bool:
        """See `Shape.begins`."""
        if self.beginning is None or not _has_all(self._beginning_words, text):
            return False
        return self.beginning.match(text) is not None

    @cached_property
    def clue(self) -> str:
        """See `Shape.clue`: the longest word of a literal, the last of several.

        The anchor, which was compared before, is the clue only where all other words are single
        characters.
        """
        return self.words[-1]

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the literals: the longest first, but the clue last.

        The clue was compared before, so the next longest words reject most other lines.
        """
        literals = (part for part in self._parts if isinstance(part, str))
        words = dict.fromkeys(word for text in literals for word in text.split(" ") if word)
        by_length = sorted(
            words, key=lambda word: (len(word) > 1 and word != self.anchor, len(word))
        )
        *others, clue = by_length or [""]
        return (*reversed(others), clue)

    def has_words(self, text: str) -> bool:
        """Returns whether a line could fit at all, even with a broken number."""
        return _has_all(self.words, text)

    def _broken(self, text: str) -> Broken | None:
        if not text.startswith(self.anchor) or not self.has_words(text):
            return None
        found = self._lenient.match(text)
        if found is None:
            return None
        for name, raw in found.groupdict().items():
            kind = self.holes[name]
            if not compiled(HOLES[kind][0]).fullmatch(raw):
                # A line that begins with a broken hole is another program's.
                return None if self._parts[0] == (name, kind) else Broken(name, raw[:40])
        return None


def _has_all(words: Iterable[str], text: str) -> bool:
    """Returns whether a text contains all of these words."""
    for word in words:  # noqa: SIM110 - `all` takes three times the time
        if word not in text:
            return False
    return True
