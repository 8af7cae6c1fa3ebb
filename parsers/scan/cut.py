"""A line of any shape, cut into the pieces of a template."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest

from parsers.json_record import JsonRecord
from parsers.key_values import KeyValues
from parsers.lazy import pattern
from parsers.prefix import strip
from parsers.scan.glyphs import SIGN
from parsers.scan.pieces import Bar, Blanks, Clock, Digits, End, Literal, Number, Piece, Word
from parsers.scan.template import GROUP, SECONDS, SPAN
from parsers.shape import Hole, Shape, Skeleton, Varied
from parsers.table import Row
from parsers.text import Line

_NUMBER = pattern(r"\d{1,15}(?:\.\d{0,17})?(?:([eE])[-+]\d\d(?!\d))?")
# A number that is a word of its own, or a unit's: not the digit of `top1`, `Acc@5` or `x-2`.
_FIGURE = pattern(r"(?<![\w.@#])(?<![\w.@#][-+])[-+]?\d++(?:\.\d*+)?+(?:([eE])[-+]\d\d(?!\d))?+")
_GROUPS = pattern(r"(?:,\d{3})++(?![\d,.])")
_UNIX_CLOCK = pattern(r"(?<![\d.])\d{10}\.\d{1,6}(?![\d.])")
_FIRST_WORTH = 10**14
_PASSED = pattern(r'"(?:(?P<days>\d{1,6}+)(?P<between> days?, ))?\d{1,6}+:\d\d:\d\d"')
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


class UnfitError(Exception):
    """The example has something that no template can say."""


def is_clock(piece: Piece) -> bool:
    """Whether it is a clock, or the first digits of one."""
    if isinstance(piece, Digits):
        return piece.name == f"{SECONDS}{_FIRST_WORTH}"
    return isinstance(piece, Clock) or (isinstance(piece, Number) and piece.name == _MS)


def body_of(raw: str) -> str:
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
            raise UnfitError  # a clock of another kind
        yield Literal(text.encode())
        return
    yield Literal(text[: found.start()].encode())
    yield _clock(found)
    rest = text[found.end() :]
    if _CLOCK.search(rest):
        raise UnfitError
    yield Literal(rest.encode())


def _clock(found: re.Match[str]) -> Clock:
    kind, date = next((name, text) for name, text in found.groupdict().items() if text)
    form = "MD " if kind == "I" else re.sub(r"\d+", "{}", date).format(*_PARTS[kind])
    return Clock(form, found["point"] or "", len(found["f"] or ""))


def whole_line(prefix: str, pieces: Iterable[Piece], trail: str) -> tuple[Piece, ...]:
    """A whole line; in front of a padded number it may be indented as it likes."""
    pieces = tuple(joined((*pieces, Literal(trail.encode()), End())))
    if not prefix.strip(" ") and isinstance(pieces[0], Number) and pieces[0].padded:
        return pieces
    return tuple(joined((*_prefix(prefix), *pieces)))


def cut(
    shape: Shape, body: str, kept: set[str], fixed: set[str], whole: set[str], clock: str = ""
) -> Iterator[Piece]:
    """The pieces of a line that fits a shape.

    Args:
        shape: The shape.
        body: The line without its prefix and outer blanks.
        kept: Holes whose numbers are read.
        fixed: Holes that stand as in the example.
        whole: Holes that hold whole numbers, where the shape does not say.
        clock: Hole of a time in milliseconds; empty for none.

    Raises:
        UnfitError: No template can say what stands there.
    """
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
        raise UnfitError


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
                raise UnfitError
            if name in kept and (figure.startswith("-") or len(figure) > _LONGEST):
                raise UnfitError
            read = name if name in kept else ""
            yield Number(read, name in whole, padded=False, power=power.encode(), strict=True)
        elif string and value and name in kept:
            yield from _span(string, name)
        elif string and value:
            yield from [Literal(token.encode())] if name in fixed else _digits(string)
        else:
            if string and keys and keys[-1] != _LIST:
                keys[-1] = string[1:-1]
                key = ".".join(keys)
                if key in seen and _LIST not in keys:
                    raise UnfitError
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
        read = bool(name) and name in whole
        yield _number(name, shape.text[begin:end], read, padded=False)
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
                raise UnfitError
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
                raise UnfitError  # another number might look like what ends it
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
        raise UnfitError
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
            raise UnfitError
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


def _span(text: str, name: str) -> Iterator[Piece]:
    """A time that has passed, as in `duration`, its digits each under what they are worth."""
    found = _PASSED.fullmatch(text)
    if found is None:
        raise UnfitError
    yield Literal(b'"')
    if found["days"]:
        yield Number(f"{SPAN}86400 {name}", whole=True, padded=False, strict=True)
        yield Literal(found["between"].encode())
    yield Number(f"{SPAN}3600 {name}", whole=True, padded=False, strict=True)
    for worth in (60, 1):
        yield Literal(b":")
        yield Digits(2, f"{SPAN}{worth} {name}")
    yield Literal(b'"')


def _values(shape: KeyValues, tail: str) -> Iterator[tuple[str, int, int]]:
    """Every pair's key, and where its value begins and ends."""
    if shape.delimiter is None:
        keys = list(shape.key.finditer(tail))
        for key, following in zip_longest(keys, keys[1:]):
            yield key[1], key.end(), following.start() if following else len(tail)
        return
    if "\t" in tail.strip() and shape.delimiter != "  " and " " in shape.delimiter:
        raise UnfitError  # a tab counts as two blanks
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
            raise UnfitError
        groups = _GROUPS.match(plain, found.end()) if shape.thousands else None
        rest = plain[groups.end() if groups else found.end() :]
        glued = rest.partition(" ")[0]
        stripped = shape.quotes + ("" if shape.delimiter else " \t,|;")
        if glued.strip(stripped) not in (*shape.glued, ""):
            raise UnfitError
        name = field if field in kept else ""
        whole = groups is not None or field in shape.whole
        if whole and not found[0].isdecimal():
            raise UnfitError
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


def joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces with neighbouring literals joined and empty ones left out."""
    text = b""
    for piece in pieces:
        if isinstance(piece, Literal):
            if not piece.text.isascii() or SIGN in piece.text:
                raise UnfitError  # see `parsers.scan.glyphs`
            text += piece.text
            continue
        if text:
            yield Literal(text)
            text = b""
        yield piece
    if text:
        yield Literal(text)


def spread(pieces: Iterable[Piece]) -> Iterator[Piece]:
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
