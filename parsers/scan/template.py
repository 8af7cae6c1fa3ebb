"""From a statement and one of its lines to a template: what every like line looks like.

A template is stricter than the statement: keys, units and prefix stand as in the example, and
a number is digits with at most one point. So a line that fits it says what the line parser
would read in it, and one that does not is left to the line parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from parsers.events import Iteration
from parsers.format import Statement
from parsers.key_values import KeyValues
from parsers.lazy import pattern
from parsers.prefix import strip
from parsers.record import IterationRecord, first
from parsers.shape import Fields, Hole, Skeleton
from parsers.text import Line


@dataclass(frozen=True, slots=True)
class Literal:
    """Fixed text."""

    text: bytes


@dataclass(frozen=True, slots=True)
class Number:
    """Digits, with at most one point where it is a float.

    Attributes:
        name: Hole whose value is kept; empty where the number is only looked at.
        whole: Whether a point is not allowed.
        padded: Whether blanks may stand before it.
    """

    name: str
    whole: bool
    padded: bool


@dataclass(frozen=True, slots=True)
class Word:
    """A run of printable, non-blank characters that nobody reads."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A date and time of day as in `YYYY-MM-DD hh:mm:ss`, and digits of a second.

    Attributes:
        date: The two separators inside the date, and the one after it.
        point: Separator before the fraction; empty where there is none.
        places: Digits of the fraction.
    """

    date: bytes
    point: bytes
    places: int


@dataclass(frozen=True, slots=True)
class End:
    """The end of the line."""


Piece: TypeAlias = Literal | Number | Word | Clock | End


@dataclass(frozen=True, slots=True)
class Template:
    """The lines that look like one example.

    Attributes:
        pieces: What stands in them, in order.
        example: The event of the example, for all that is the same in every line.
        rate: Hole of the throughput; empty without one.
        loss: Hole of the loss; empty without one.
        duration: Hole of an iteration's seconds; empty without one.
        record: What the holes mean. The steps of an epoch stand as in the example.
    """

    pieces: tuple[Piece, ...]
    example: Iteration
    rate: str
    loss: str
    duration: str
    record: IterationRecord

    def face(self) -> tuple[object, ...]:
        """All that lines of the template share apart from how they look."""
        event = self.example
        at = event.at
        return (
            *(
                self.record,
                self.rate,
                self.loss,
                self.duration,
                event.steps,
                event.unit,
                event.scope,
            ),
            *(at.rank, at.host, at.time_us is None),
        )


_NUMBER = pattern(r"\d{1,8}(?:\.\d{0,17})?(?![\w.])")
_CLOCK = pattern(r"\d{4}([-/])\d\d([-/])\d\d([ T])\d\d:\d\d:\d\d(?:([.,])(\d{1,6}))?(?![\d.,:])")
_READ = ("int", "float", "amount", "moment")


def learn(statement: Statement, fields: Fields, raw: str, event: Iteration) -> Template | None:
    """The template of a line that was read as `event`; None where there is none.

    Args:
        statement: What the line fits; it has a record.
        fields: Its holes.
        raw: The whole line, with its prefix.
        event: What the line parser made of it.
    """
    record = statement.record
    assert record is not None
    rate = first(record.throughput, fields) or ""
    loss = first(record.loss, fields) or ""
    if (event.throughput is None) != (not rate) or not raw.isascii() or not raw.isprintable():
        return None
    body = _body(raw)
    if statement.shape.match(body.rstrip()) != fields:
        return None  # the reader looked for it elsewhere in the line
    begin = len(raw) - len(body)
    duration = record.duration if record.duration in fields else ""
    kept = {record.epoch, record.step, rate, loss, duration} - {""}
    try:
        pieces = (*_prefix(raw[:begin]), *_pieces(statement, body.rstrip(), kept))
    except _UnfitError:
        return None
    names = [piece.name for piece in pieces if isinstance(piece, Number) and piece.name]
    clocks = sum(isinstance(piece, Clock) for piece in pieces)
    if sorted(names) != sorted(kept) or clocks != (event.at.time_us is not None):
        return None
    return Template(tuple(_joined(pieces)), event._replace(values=()), rate, loss, duration, record)


class _UnfitError(Exception):
    """The example has something that no template can say."""


def _body(raw: str) -> str:
    """The line without its prefix and outer blanks, as a reader matches it."""
    return strip(Line(1, 0, raw)).text.lstrip()


def _prefix(text: str) -> Iterator[Piece]:
    """A launcher's or logger's prefix: its clock may differ, nothing else."""
    found = _CLOCK.search(text)
    if found is None:
        if re.search(r"\d\d:\d\d", text):
            raise _UnfitError  # a clock of another kind
        yield Literal(text.encode())
        return
    yield Literal(text[: found.start()].encode())
    yield _clock(found[0])
    rest = text[found.end() :]
    if _CLOCK.search(rest):
        raise _UnfitError
    yield Literal(rest.encode())


def _clock(text: str) -> Clock:
    found = _CLOCK.fullmatch(text)
    if found is None:
        raise _UnfitError
    date = (found[1] + found[2] + found[3]).encode()
    return Clock(date, (found[4] or "").encode(), len(found[5] or ""))


def _pieces(statement: Statement, body: str, kept: set[str]) -> Iterator[Piece]:
    shape = statement.shape
    fixed = statement.record.steps if statement.record else ""
    if isinstance(shape, Skeleton):
        holes = shape.spans(body)
        # After the last number all is fixed, or anything may follow: then one character is
        # enough to see that the number ends there.
        end = max((h.end for h in holes if h.kind in _READ), default=0)
        yield from _skeleton(body[: None if shape.closed else end + 1], holes, kept, fixed)
        if shape.closed or end >= len(body):
            yield End()
    elif isinstance(shape, KeyValues):
        holes = shape.head.spans(body)
        tail = holes.pop()
        yield from _skeleton(body[: tail.begin], holes, kept, fixed)
        yield from _tail(shape, body[tail.begin :], kept)
        yield End()
    else:
        raise _UnfitError


def _skeleton(text: str, holes: list[Hole], kept: set[str], fixed: str) -> Iterator[Piece]:
    position = 0
    for hole in holes:
        if hole.kind not in _READ or hole.name == fixed:
            continue
        before = text[position : hole.begin]
        if hole.kind == "moment":
            yield Literal(before.encode())
            yield _clock(text[hole.begin : hole.end])
        else:
            apart = " " if hole.apart else ""
            yield Literal((before.rstrip(" ") + apart).encode())
            if hole.kind != "int" and not _NUMBER.match(text, hole.begin):
                raise _UnfitError
            name = hole.name if hole.name in kept else ""
            yield Number(name, hole.kind == "int", padded=True)
        position = hole.end
    yield Literal(text[position:].encode())


def _tail(shape: KeyValues, tail: str, kept: set[str]) -> Iterator[Piece]:
    """The pairs: keys stand fixed, and of the values those that are read are numbers."""
    if shape.delimiter is None:
        yield from _words(shape, tail, kept)
        return
    fields = {key: field for field, key in shape.numbers.items()}
    parts = tail.split(shape.delimiter)
    seen = set()
    for index, part in enumerate(parts):
        if index:
            yield Literal(shape.delimiter.encode())
        key, separator, value = part.partition(shape.separator)
        if not separator:
            yield Literal(part.encode())
            continue
        name = key.strip(shape.quotes)
        if name in seen:
            raise _UnfitError
        seen.add(name)
        lead = len(value) - len(value.lstrip(shape.quotes))
        yield Literal((key + separator + value[:lead]).encode())
        yield from _value(value[lead:], shape, fields.get(name), kept)


def _value(value: str, shape: KeyValues, field: str | None, kept: set[str]) -> Iterator[Piece]:
    rest = value
    if field is not None:
        found = _NUMBER.match(value) or re.match(r"\d{1,8}(?:\.\d{0,17})?", value)
        if found is None:
            raise _UnfitError
        rest = value[found.end() :]
        glued = rest.partition(" ")[0]
        if glued and glued.strip(shape.quotes) not in (*shape.glued, ""):
            raise _UnfitError
        yield Number(field if field in kept else "", whole=False, padded=False)
        yield Literal(glued.encode())
        rest = rest[len(glued) :]
    # A blank-separated word of a value cannot hide a pair only where two blanks part the pairs.
    free = shape.delimiter == "  "
    for blank, word in re.findall(r"( *)([^ ]*)", rest):
        yield Literal(blank.encode())
        if word:
            yield Word() if free else Literal(word.encode())


def _words(shape: KeyValues, tail: str, kept: set[str]) -> Iterator[Piece]:
    """Pairs that only the next key ends: everything but numbers stands fixed."""
    if shape.separator != " : ":
        raise _UnfitError
    fields = {key: field for field, key in shape.numbers.items()}
    seen: set[str] = set()
    words = re.findall(r"( *)([^ ]+)", tail)
    texts = [word for _blank, word in words]
    for index, (blank, word) in enumerate(words):
        yield Literal(blank.encode())
        after_colon = index >= 2 and texts[index - 1] == ":"
        if after_colon and _NUMBER.fullmatch(word):
            key = texts[index - 2]
            if key in seen:
                raise _UnfitError
            seen.add(key)
            field = fields.get(key, "")
            yield Number(field if field in kept else "", whole=False, padded=False)
        else:
            yield Literal(word.encode())


def _joined(pieces: tuple[Piece, ...]) -> Iterator[Piece]:
    """The pieces with neighbouring literals joined and empty ones left out."""
    text = b""
    for piece in pieces:
        if isinstance(piece, Literal):
            text += piece.text
            continue
        if text:
            yield Literal(text)
            text = b""
        yield piece
    if text:
        yield Literal(text)
