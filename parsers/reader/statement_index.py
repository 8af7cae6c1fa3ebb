"""Finds the statements of all formats that may fit a line, by how the line begins."""

from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import groupby
from typing import TypeAlias

from sixdim.parsers.grammar.shapes.shape import Broken, Fields, Shared
from sixdim.parsers.statements.by_start import START, ByStart, starting
from sixdim.parsers.statements.compiled import Compiled, Dispatch
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.statement import Statement, words_of
from sixdim.parsers.text.letters import ByLetters, has_all, without_digits

_Own: TypeAlias = tuple[type[Reader], Compiled]
"""A statement with its format."""
_ByClue: TypeAlias = Sequence[tuple[str, Sequence[_Own]]]
_Fitting: TypeAlias = tuple[_ByClue, Sequence[type[Reader]]]
"""The statements that may fit a line, and the formats of which it may have a record inside."""


class StatementIndex(Shared):
    """The statements of all formats but the generic reader, by how a line begins."""

    def __init__(self, formats: Sequence[type[Reader]]) -> None:
        named = [f for f in formats if not f.fallback or f.recognise is Reader.recognise]
        self._statements = {f: Dispatch(f.statements, ()) for f in named}
        self._anywhere = [f for f in named if f.record_in is not Reader.record_in]
        self._beginnings = [
            (begin, of_number, (format_, number))
            for format_, dispatch in self._statements.items()
            for begin, of_number, number in dispatch.beginnings
            if dispatch.statements[number].weight > 0
        ]
        self._by_start = ByStart((begin for begin, _, _ in self._beginnings), self._starting)

    def recognised(self, text: str) -> Iterator[tuple[type[Reader], Statement, Fields | Broken]]:
        """Yields the formats that know a line, each with its statement and the line's fields."""
        known = None
        fitting, anywhere = self._by_start[text[:START]][without_digits(text)]
        for clue, statements in fitting:
            if clue in text:
                for format_, one in statements:
                    fields = None if format_ is known else one.match(text)
                    if fields is not None:
                        known = format_
                        yield format_, one.statement, fields
        for format_ in anywhere:
            record = format_.record_in(text)
            if record != text:
                found = self._statements[format_].recognise(record)
                if found is not None:
                    yield format_, *found

    def _starting(self, start: str) -> ByLetters[_Fitting]:
        """Returns what may fit a line that begins so."""
        likely = [
            (words_of(self._statements[format_].statements[number].shape), format_, number)
            for format_, number in starting(self._beginnings, start)
        ]
        return ByLetters(partial(self._fitting, likely))

    def _fitting(
        self, likely: Sequence[tuple[tuple[str, ...], type[Reader], int]], letters: str
    ) -> _Fitting:
        """Returns what may fit a line with this text without digits, statements in their order."""
        found = [
            (format_, self._statements[format_].compiled(number))
            for words, format_, number in likely
            if words[-1] in letters and has_all(words, letters)  # the last is mostly the clue
        ]
        by_clue = [(clue, tuple(same)) for clue, same in groupby(found, lambda own: own[1].clue)]
        return tuple(by_clue), tuple(f for f in self._anywhere if f.record_clue in letters)


@cache
def index_of(formats: tuple[type[Reader], ...]) -> StatementIndex:
    """Returns the index of these formats, which is made once."""
    return StatementIndex(formats)
