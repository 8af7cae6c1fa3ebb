"""From a statement and one of its lines to a template: what every like line looks like.

A template is stricter than the statement: keys, units and prefix stand as in the example, and
a number is digits with at most one point. So a line that fits it says what the line parser
would read in it, and one that does not is left to the line parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from parsers.epoch_record import EpochRecord
from parsers.events import Event, Iteration
from parsers.figures import as_number, as_whole
from parsers.format import Reader, Statement
from parsers.json_record import JsonRecord
from parsers.key_values import KeyValues
from parsers.lazy import pattern
from parsers.prefix import strip
from parsers.record import WORK, IterationRecord, first
from parsers.scan.glyphs import SIGN, without
from parsers.scan.pieces import Bar, Blanks, Clock, Digits, End, Literal, Number, Piece, Word
from parsers.shape import Fields, Hole, Shape, Skeleton, Varied
from parsers.table import Row
from parsers.text import Line


@dataclass(frozen=True, slots=True)
class Template:
    """The lines that look like one example.

    Attributes:
        pieces: What stands in them, in order.
        context: What else their meaning rests on.
        lines: How many lines one of them has.
        place: Which of these the event is said to stand in, counted from 0.
    """

    pieces: tuple[Piece, ...]
    context: object
    lines: int
    place: int

    def face(self) -> tuple[object, ...]:
        """All that lines of the template share apart from how they look."""
        return (self.context,)

    def stands(self, reader: Reader) -> bool:
        """Whether they still mean what the example meant: no other header came."""
        return self.context == reader.context


@dataclass(frozen=True, slots=True)
class IterationTemplate(Template):
    """Progress lines that look like one example.

    Attributes:
        example: The event of the example, for all that is the same in every line.
        rate: Hole of the throughput; empty without one.
        loss: Hole of the loss; empty without one.
        duration: Hole of an iteration's seconds; empty without one.
        gauges: Of the record's gauges those that such lines have.
        inverse: Whether `duration` is printed as iterations in a second.
        work: What an iteration takes in, where the throughput is that over its duration.
        record: What the holes mean. The steps of an epoch stand as in the example.
    """

    example: Iteration
    rate: str
    loss: str
    duration: str
    gauges: tuple[tuple[str, str, str], ...]
    inverse: bool
    work: int
    record: IterationRecord

    def face(self) -> tuple[object, ...]:
        """See `Template.face`."""
        event = self.example
        at = event.at
        return (
            *(
                self.record,
                self.rate,
                self.loss,
                self.duration,
                self.gauges,
                self.inverse,
                self.work,
                event.steps,
                event.unit,
                event.scope,
            ),
            *(at.rank, at.host, at.time_us is None, self.context),
        )

    def stands(self, reader: Reader) -> bool:
        """As `Template.stands`; an iteration takes in as much."""
        work = self.record.work
        return Template.stands(self, reader) and (not work or work(reader) == self.work)


@dataclass(frozen=True, slots=True)
class EpochTemplate(Template):
    """Lines that tell a whole epoch each, and look like one example.

    Attributes:
        record: What the holes mean.
        keys: Keys of all fields, in the line's order.
        kept: Those whose numbers are read.
    """

    record: EpochRecord
    keys: tuple[str, ...]
    kept: frozenset[str]

    def face(self) -> tuple[object, ...]:
        """See `Template.face`."""
        return (self.context, self.record, self.keys, self.kept)


_NUMBER = pattern(r"\d{1,15}(?:\.\d{0,17})?(?:([eE])[-+]\d\d(?!\d))?")
# A number that is a word of its own, or a unit's: not the digit of `top1`, `Acc@5` or `x-2`.
_FIGURE = pattern(r"(?<![\w.@#])(?<![\w.@#][-+])[-+]?\d++(?:\.\d*+)?+(?:([eE])[-+]\d\d(?!\d))?+")
_GROUPS = pattern(r"(?:,\d{3})++(?![\d,.])")
GROUP = "group "
"""Begins the name of the digits behind a separator of thousands."""
SECONDS = "seconds "
"""Begins the name of digits of a clock; what one is worth, in microseconds, follows."""
_UNIX_CLOCK = pattern(r"(?<![\d.])\d{10}\.\d{1,6}(?![\d.])")
_FIRST_WORTH = 10**14
_MS = f"{SECONDS}1000"
_LIST = "[]"
_JSON = pattern(
    r"(([{}\[\]:,])|(\"[^\"\\]*+\")"
    r"|(-?(?:0|[1-9]\d*+)(?:\.\d++)?+(?:([eE])[-+]\d\d(?!\d))?+)(?![\w.])|[^\"{}\[\]:,])"
)
_LONGEST = 24
_NUMERIC = pattern(r"[-+.\d]")
_CLOCK = pattern(
    r"(?:(?P<Y>\d{4}[-/]\d\d[-/]\d\d[ T])|(?P<y>\d\d/\d\d/\d\d-)|(?P<M>(?<![\d/])\d\d/\d\d )"
    r"|(?P<I>(?<=[IWEF])\d{4} ))\d\d:\d\d:\d\d(?:(?P<point>[.,])(?P<f>\d{1,6}))?(?![\d.,:])"
)
_PARTS = {"Y": "YMD", "y": "yMD", "M": "MD"}
_BAR = pattern("[ -?\u2500-\u259f]*+")
_UNITS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/_"
_READ = ("int", "float", "amount")
_ANY = ("skip", "until", "word", "text")


class Told(NamedTuple):
    """A line that a reader knows.

    Attributes:
        statement: What it fits.
        fields: Its holes.
        raw: The whole line, with its prefix.
    """

    statement: Statement
    fields: Fields
    raw: str


def learn(
    told: Sequence[Told], events: list[Event], reader: Reader
) -> IterationTemplate | EpochTemplate | None:
    """The template of lines that were read as `events`; None where there is none.

    Args:
        told: One line, or the several that make a record; one of them has its statement.
        events: What the line parser made of them.
        reader: The log's reader, after them.
    """
    place, record = next((i, s.record) for i, (s, _fields, _raw) in enumerate(told) if s.record)
    event = events[0]
    if isinstance(record, EpochRecord):
        return _epochs(told, record, event, reader)
    if isinstance(event, Iteration):
        return _iterations(told, place, record, event, reader)
    return None


def _epochs(
    told: Sequence[Told], record: EpochRecord, event: Event, reader: Reader
) -> EpochTemplate | None:
    fields = told[0].fields
    keys = tuple(fields)
    plan = [one for plan in record.plan(keys).values() for one in plan]
    if event.at[2:5] != (None, None, None):
        return None  # a clock, a rank, a host
    if any(one.listed and isinstance(fields[one.key], list) for one in plan):
        return None
    kept = {one.key for one in plan if as_number(fields[one.key]) is not None}
    if as_whole(fields.get(record.epoch)) is not None:
        kept.add(record.epoch)
    pieces = _known(told, kept, set(), {record.epoch})
    if pieces is None:
        return None
    return EpochTemplate(pieces, reader.context, 1, 0, record, keys, frozenset(kept))


def _iterations(
    told: Sequence[Told], place: int, record: IterationRecord, event: Iteration, reader: Reader
) -> IterationTemplate | None:
    fields = {name: value for line in told for name, value in line.fields.items()}
    rate, loss = first(record.throughput, fields), first(record.loss, fields)
    duration = first((record.per_second, *record.duration), fields)
    labels = {name for name in (record.epoch, record.step) if name in fields}
    work = record.work(reader) if record.work and not rate and duration else 0
    gauges = tuple(gauge for gauge in record.gauges if gauge[0] in fields)
    kept_values = tuple(record.gauged(fields))
    if any(_telling(metric.name) and metric not in kept_values for metric in event.values):
        return None
    read = (
        (event.epoch, record.epoch in labels or (record.labelled and event.epoch is not None)),
        (event.step, record.step in labels),
        (event.throughput, rate or work),
        (event.duration, duration),
        (event.loss, loss),
    )
    if any((part is None) != (not printed) for part, printed in read):
        return None
    others = {name for name in (record.since, *record.watched) if name in fields}
    others |= {gauge[0] for gauge in gauges}
    kept = (labels | others | {rate, loss, duration}) - {""}
    fixed, whole = _fixed(record)
    pieces = _known(told, kept, fixed, whole, record.time_ms)
    clocks = sum(_is_clock(piece) for piece in pieces or ())
    if pieces is None or clocks != (event.at.time_us is not None):
        return None
    event = event._replace(values=kept_values)
    rate = rate or (WORK if work else "")
    shape, body = told[place].statement.shape, _body(told[place].raw)
    inverse = bool(record.per_second) or _inverse(shape, body, duration)
    look = (pieces, reader.context, len(told), place)
    return IterationTemplate(*look, event, rate, loss, duration, gauges, inverse, work, record)


def _fixed(record: object) -> tuple[set[str], set[str]]:
    """The holes that stand as in the example, and those that hold whole numbers."""
    if not isinstance(record, IterationRecord):
        return set(), set()
    return {record.steps, *record.fixed}, {record.epoch, record.step}


def _is_clock(piece: Piece) -> bool:
    """Whether it is a clock, or the first digits of one."""
    if isinstance(piece, Digits):
        return piece.name == f"{SECONDS}{_FIRST_WORTH}"
    return isinstance(piece, Clock) or (isinstance(piece, Number) and piece.name == _MS)


def _known(
    told: Sequence[Told], kept: set[str], fixed: set[str], whole: set[str], clock: str = ""
) -> tuple[Piece, ...] | None:
    """The pieces of a record's lines; None where no template can say them.

    Args:
        told: The lines.
        kept: Holes whose numbers are read.
        fixed: Holes that stand as in the example.
        whole: Holes that hold whole numbers, where the shape does not say.
        clock: Hole of a time in milliseconds.
    """
    try:
        each = (_told(line, kept, fixed, whole, clock) for line in told)
        pieces = tuple(_joined(piece for line in each for piece in line))
    except _UnfitError:
        return None
    numbers = (piece.name for piece in pieces if isinstance(piece, Number | Digits))
    names = [name for name in numbers if name and not name.startswith((GROUP, SECONDS))]
    if sorted(names) != sorted(kept):
        return None
    assert isinstance(pieces[-1], Literal)  # it ends in the last newline
    return (*_joined((*pieces[:-1], Literal(pieces[-1].text[:-1]))), End())


def _told(
    line: Told, kept: set[str], fixed: set[str], whole: set[str], clock: str
) -> Iterator[Piece]:
    """One line of a record, with its newline."""
    raw, shape = line.raw, line.statement.shape
    body = _body(raw)
    bare = body.rstrip()
    if not _plain(raw) or shape.match(bare) != line.fields:
        raise _UnfitError  # or the reader looked for it elsewhere in the line
    inner = _pieces(shape, bare, kept, fixed, whole, clock)
    *pieces, _end = _line(raw[: len(raw) - len(body)], inner, body[len(bare) :])
    two = isinstance(shape, KeyValues) and shape.delimiter == "  "
    yield from pieces if two else _spread(pieces)
    yield Literal(b"\n")


def _inverse(shape: Shape, body: str, duration: str) -> bool:
    """Whether a progress bar prints its pace as iterations in a second."""
    skeleton = shape.head if isinstance(shape, KeyValues) else shape
    if not isinstance(skeleton, Skeleton) or skeleton.holes.get(duration) != "pace":
        return False
    holes, _end = skeleton.spans(body)
    return any(body[h.begin : h.end].endswith("/s") for h in holes if h.name == duration)


def hush(statement: Statement, raw: str) -> tuple[Piece, ...] | None:
    """What lines look like that are as quiet as this one; None where that cannot be said.

    Args:
        statement: What the line fits; it says nothing.
        raw: The whole line, with its prefix.
    """
    body = _body(raw)
    if not _plain(raw) or not isinstance(statement.shape.match(body.rstrip()), Mapping):
        return None
    try:
        pieces = _pieces(statement.shape, body.rstrip(), set(), *_fixed(statement.record))
        return _line(raw[: len(raw) - len(body)], pieces, body[len(body.rstrip()) :])
    except _UnfitError:
        return None


def _plain(raw: str) -> bool:
    """Whether the scan may know such a line at all."""
    return without(raw).isascii() and raw.replace("\t", " ").isprintable()


def _telling(name: str) -> bool:
    """Whether a figure of that name is more than shown, so that none may be left out."""
    return name.lower() == "mfu" or "tflop" in name.lower()


class _UnfitError(Exception):
    """The example has something that no template can say."""


def _body(raw: str) -> str:
    """The line without its prefix and leading blanks, as a reader matches it."""
    return strip(Line(1, 0, raw)).text.lstrip()


def _prefix(text: str) -> Iterator[Piece]:
    """A launcher's or logger's prefix: its clock may differ, nothing else."""
    unix = _UNIX_CLOCK.search(text)
    if unix is not None:
        yield Literal(text[: unix.start()].encode())
        yield from _unix(unix[0])
        yield Literal(text[unix.end() :].encode())
        return
    found = _CLOCK.search(text)
    if found is None:
        if re.search(r"\d\d:\d\d", text):
            raise _UnfitError  # a clock of another kind
        yield Literal(text.encode())
        return
    yield Literal(text[: found.start()].encode())
    yield _clock(found)
    rest = text[found.end() :]
    if _CLOCK.search(rest):
        raise _UnfitError
    yield Literal(rest.encode())


def _clock(found: re.Match[str]) -> Clock:
    kind, date = next((name, text) for name, text in found.groupdict().items() if text)
    form = "MD " if kind == "I" else re.sub(r"\d+", "{}", date).format(*_PARTS[kind])
    return Clock(form, found["point"] or "", len(found["f"] or ""))


def _line(prefix: str, pieces: Iterable[Piece], trail: str) -> tuple[Piece, ...]:
    """A whole line; in front of a padded number it may be indented as it likes."""
    pieces = tuple(_joined((*pieces, Literal(trail.encode()), End())))
    if not prefix.strip(" ") and isinstance(pieces[0], Number) and pieces[0].padded:
        return pieces
    return tuple(_joined((*_prefix(prefix), *pieces)))


def _pieces(
    shape: Shape, body: str, kept: set[str], fixed: set[str], whole: set[str], clock: str = ""
) -> Iterator[Piece]:
    if isinstance(shape, Skeleton):
        holes, end = shape.spans(body)
        yield from _skeleton(body[:end], holes, kept, fixed)
        yield from _varied(body[end:])
    elif isinstance(shape, KeyValues):
        holes, end = shape.head.spans(body)
        yield from _skeleton(body[:end], holes, kept, fixed)
        yield from _tail(shape, body[end:], kept)
    elif isinstance(shape, JsonRecord):
        begin = body.rfind(shape.marker) + len(shape.marker) if shape.marker else 0
        yield Literal(body[:begin].encode())
        yield from _json(body[begin:], kept, fixed, whole, clock)
    elif isinstance(shape, Row):
        yield from _cells(shape, body, kept, whole)
    elif isinstance(shape, Varied):
        yield from _varying(shape, whole)
    else:
        raise _UnfitError


def _json(
    text: str, kept: set[str], fixed: set[str], whole: set[str], clock: str
) -> Iterator[Piece]:
    """An object: its keys and words stand fixed, of its numbers those outside lists may be read."""
    keys: list[str] = []
    value = False
    seen = set()
    for token, char, string, figure, power in _JSON.findall(text):
        name = ".".join(keys) if value and _LIST not in keys else ""
        if char:
            if char in "{[":
                keys.append("" if char == "{" else _LIST)
            elif char in "}]":
                keys.pop()
            value = char == ":" or (value and char not in ",{")
            yield Literal(char.encode())
        elif figure and name and name == clock and figure.isdecimal():
            yield Number(_MS, whole=True, padded=False, strict=True)
        elif figure and name not in fixed:
            if name in whole and not figure.isdecimal():
                raise _UnfitError
            if name in kept and (figure.startswith("-") or len(figure) > _LONGEST):
                raise _UnfitError
            read = name if name in kept else ""
            yield Number(read, name in whole, padded=False, power=power.encode(), strict=True)
        elif string and value:
            yield from _digits(string)
        else:
            if string and keys and keys[-1] != _LIST:
                keys[-1] = string[1:-1]
                key = ".".join(keys)
                if key in seen and _LIST not in keys:
                    raise _UnfitError
                seen.add(key)
            yield Literal(token.encode())


def _cells(shape: Row, body: str, kept: set[str], whole: set[str]) -> Iterator[Piece]:
    """A row: its empty cells stand empty."""
    cells = zip_longest(shape.columns, body.split(shape.delimiter))
    for index, (name, cell) in enumerate(cells):
        if cell is None:
            return
        yield Literal(shape.delimiter.encode() if index else b"")
        bare = cell.strip(" ")
        if not bare:
            yield Literal(cell.encode())
            continue
        padded = cell.startswith(" ")
        yield _number(name if name in kept else "", bare, name in whole, padded=padded)
        yield Literal(cell[len(cell.rstrip(" ")) :].encode())


def _varying(shape: Varied, whole: set[str]) -> Iterator[Piece]:
    """A line of which it is known which numbers may vary."""
    position = 0
    for begin, end, name in shape.numbers:
        yield Literal(shape.text[position:begin].encode())
        yield _number(name, shape.text[begin:end], name in whole, padded=False)
        position = end
    yield Literal(shape.text[position:].encode())


def _skeleton(text: str, holes: list[Hole], kept: set[str], fixed: set[str]) -> Iterator[Piece]:
    position = 0
    for hole in holes:
        if hole.name and hole.name in fixed:
            continue
        before, inside = text[position : hole.begin], text[hole.begin : hole.end]
        position = hole.end
        if hole.kind in ("moment", "stamp"):
            yield Literal(before.encode())
            clock = _CLOCK.fullmatch(inside)
            if clock is None:
                raise _UnfitError
            yield _clock(clock)
        elif hole.kind == "skip" and before and _BAR.fullmatch(inside) and hole.after[0] > "?":
            # (Right behind a number it might begin with the next of its digits.)
            yield Literal(before.encode())
            yield Bar()
        elif hole.kind == "pace":
            figure = inside.rstrip(_UNITS)
            yield from _padded(before, hole)
            yield _number(hole.name if hole.name in kept else "", figure, whole=False)
            yield Literal(inside[len(figure) :].encode())
        elif hole.kind in _READ:
            yield from _padded(before, hole)
            yield _number(hole.name if hole.name in kept else "", inside, hole.kind == "int")
        else:
            if hole.kind in ("skip", "until") and _NUMERIC.search(hole.after):
                raise _UnfitError  # another number might look like what ends it
            bare = before.rstrip(" ") if hole.kind in _ANY and hole.apart else before
            yield Literal(bare.encode())
            inside = before[len(bare) :] + inside
            yield from _varied(inside) if hole.kind in _ANY else _digits(inside)
    yield Literal(text[position:].encode())


def _padded(before: str, hole: Hole) -> Iterator[Piece]:
    """What stands in front of a number that any number of blanks may precede."""
    apart = " " if hole.apart and before.endswith(" ") else ""
    yield Literal((before.rstrip(" ") + apart).encode())


def _number(name: str, text: str, whole: bool, *, padded: bool = True) -> Number:
    found = (_NUMBER if name else _FIGURE).fullmatch(text)
    if found is None:
        raise _UnfitError
    return Number(name, whole, padded, power=(found[1] or "").encode())


def _digits(text: str) -> Iterator[Piece]:
    """A time and the like that nobody reads: its digits may differ, not their number."""
    for run, other in re.findall(r"(\d+)|(\D+)", text):
        yield Digits(len(run)) if run else Literal(other.encode())


def _varied(text: str) -> Iterator[Piece]:
    """Text that nobody reads: its numbers may differ, all else stands fixed."""
    position = 0
    for found in _FIGURE.finditer(text):
        before = text[position : found.start()]
        bare = before.rstrip(" ")
        opened = re.search(r"(?:^|\s)[(\[]$", bare) is not None
        padded = opened or bare != before
        yield Literal((bare + ("" if opened or not padded else " ")).encode())
        yield Number("", whole=False, padded=padded, power=(found[1] or "").encode())
        position = found.end()
    yield Literal(text[position:].encode())


def _tail(shape: KeyValues, tail: str, kept: set[str]) -> Iterator[Piece]:
    """The pairs: keys stand fixed, and of the values those that are read are numbers."""
    fields = {key: field for field, key in shape.numbers.items()}
    seen = set()
    position = 0
    pairs = tail.partition(shape.closing)[0] if shape.closing else tail
    told = shape.told(tail)
    if told is not None:
        pairs = tail[: told.start()]
    for name, begin, end in _values(shape, pairs):
        if name in seen:
            raise _UnfitError
        seen.add(name)
        yield Literal(tail[position:begin].encode())
        yield from _value(tail[begin:end], shape, fields.get(name), kept)
        position = end
    if told is None:
        yield Literal(tail[position:].encode())
    else:
        yield Literal(tail[position : told.start()].encode())
        yield from _unix(told[1])


def _unix(text: str) -> Iterator[Piece]:
    """A clock in seconds since 1970, its digits each under what they are worth."""
    whole, _, fraction = text.partition(".")
    yield Digits(len(whole) - 8, f"{SECONDS}{_FIRST_WORTH}")
    yield Digits(8, f"{SECONDS}1000000")
    if fraction:
        told = fraction[:6]
        yield Literal(b".")
        yield Digits(len(told), f"{SECONDS}{10 ** (6 - len(told))}")
        if fraction != told:
            yield Digits(len(fraction) - len(told))


def _values(shape: KeyValues, tail: str) -> Iterator[tuple[str, int, int]]:
    """Every pair's key, and where its value begins and ends."""
    if shape.delimiter is None:
        keys = list(shape.key.finditer(tail))
        for key, following in zip_longest(keys, keys[1:]):
            yield key[1], key.end(), following.start() if following else len(tail)
        return
    if "\t" in tail.strip() and shape.delimiter != "  " and " " in shape.delimiter:
        raise _UnfitError  # a tab counts as two blanks
    parting = re.escape(shape.delimiter) + ("|\t" if shape.delimiter == "  " else "")
    position = 0
    for part in (*re.finditer(parting, tail), None):
        end = part.start() if part else len(tail)
        pair = tail[position:end].strip()
        key, separator, value = shape.cut(pair)
        if separator:
            begin = tail.index(pair, position) + len(pair) - len(value)
            yield key.strip(shape.quotes), begin, end
        position = part.end() if part else end


def _value(value: str, shape: KeyValues, field: str | None, kept: set[str]) -> Iterator[Piece]:
    # A blank-separated word of a value cannot hide a pair only where two blanks part the pairs.
    free = shape.delimiter == "  "
    rest = value
    if field is not None:
        # In front of a number blanks are stripped, unless two of them part the pairs.
        plain = value.lstrip(shape.quotes)
        lead = value[: len(value) - len(plain)]
        padded = not free and lead.endswith(" ")
        yield Literal((lead.rstrip(" ") + " " if padded else lead).encode())
        found = _NUMBER.match(plain)
        if found is None:
            raise _UnfitError
        groups = _GROUPS.match(plain, found.end()) if shape.thousands else None
        rest = plain[groups.end() if groups else found.end() :]
        glued = rest.partition(" ")[0]
        stripped = shape.quotes + ("" if shape.delimiter else " \t,|;")
        if glued.strip(stripped) not in (*shape.glued, ""):
            raise _UnfitError
        name = field if field in kept else ""
        whole = groups is not None or field in shape.whole
        if whole and not found[0].isdecimal():
            raise _UnfitError
        yield Number(name, whole, padded, (found[1] or "").encode())
        for index, group in enumerate(re.findall(r"\d+", groups[0] if groups else "")):
            yield Literal(b",")
            yield Digits(len(group), f"{GROUP}{index} {name}" if name else "")
        yield Literal(glued.encode())
        rest = rest[len(glued) :]
    if not free:
        yield from _varied(rest)
        return
    for blank, word in re.findall(r"( *)([^ ]*)", rest):
        yield Literal(blank.encode())
        if word:
            yield Word()


def _joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces with neighbouring literals joined and empty ones left out."""
    text = b""
    for piece in pieces:
        if isinstance(piece, Literal):
            if not piece.text.isascii() or SIGN in piece.text:
                raise _UnfitError  # see `parsers.scan.glyphs`
            text += piece.text
            continue
        if text:
            yield Literal(text)
            text = b""
        yield piece
    if text:
        yield Literal(text)


def _spread(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces with any number of blanks behind a number that has several in the example."""
    before: Piece | None = None
    for piece in pieces:
        if isinstance(before, Number) and isinstance(piece, Literal) and piece.text[:2] == b"  ":
            yield Blanks()
            if not piece.text.isspace():
                yield Literal(piece.text.lstrip(b" "))
        else:
            yield piece
        before = piece
