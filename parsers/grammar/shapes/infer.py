"""Infers the template of a `key: value` line: the text around the numbers, and their fields.

Reading the line with other numbers in place of its own shows which number is which field. A
number that is part of a key belongs to the template's text.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from sixdim.parsers.grammar.shapes.convert import PAIR, converter
from sixdim.parsers.grammar.shapes.holes import NUMBER, UNIX
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import Fields, Wanted
from sixdim.parsers.grammar.vocabulary.forms import cut, hole
from sixdim.parsers.text.patterns import compiled, pattern

_NO_CLOCK = rf"(?!(?>.*[ \t]){UNIX}$)"
_IN_A_WORD = pattern(r"(?<![\w()./@#-])(?:(?![A-Za-z_])[\w()./@#-])*+[A-Za-z_][\w()./@#-]*+$")
"""Text that forms one key with the number after it."""
_OTHER = 7_000_000
"""The first of the numbers that replace those of a line."""
_OTHERS = pattern(r"7000\d{3}")
_MOST = 1_000
_IS_NUMBER = pattern(NUMBER)


class Template(NamedTuple):
    """Describes the lines that have the same text around their numbers.

    Attributes:
        expression: The regular expression of such a line.
        groups: What each of its groups holds: a field's name and hole type, or a pair's key and
            `PAIR`.
    """

    expression: str
    groups: list[tuple[str, str]]


class _Group(NamedTuple):
    """A group of the expression: where it begins and ends in the line, and what it holds."""

    begin: int
    end: int
    name: str
    kind: str


def infer(shape: KeyValues, wanted: Wanted, text: str) -> Template | None:
    """Returns the template of a line that the shape matches; None if it has none."""
    head, kinds = shape.head.pattern(wanted, until=shape.TAIL), shape.head.holes
    fields = [(name, kinds[name]) for name in compiled(head).groupindex]
    found = compiled(head).match(text)
    assert found is not None
    tail, end = text[found.end() :].strip(), r"[ \t]*+$"
    clock = shape.clock_of(tail)
    if clock is not None:
        tail, end = tail[: clock.start()].strip(), rf"[ \t]++({UNIX})$"
    elif shape.clock:
        head = _NO_CLOCK + head
    if shape.closing:
        if shape.closing not in tail:
            return None  # the line was cut
        tail, end = tail.partition(shape.closing)[0].strip(), rf" *+{re.escape(shape.closing)}.*+"
    parts = _joined(cut(tail, grouped=shape.thousands), ())
    if _OTHERS.search(tail) or len(parts) > 2 * _MOST:
        return None
    in_keys = _OTHERS.findall(" ".join(shape.pairs(_Pairs(shape, parts).text)))
    pairs = _Pairs(shape, _joined(parts, [int(one) - _OTHER for one in in_keys]))
    groups = pairs.groups(wanted)
    if groups is None:
        return None
    fields += [(group.name, group.kind) for group in groups]
    if clock is not None:
        fields.append((shape.clock, "unix"))
    made = Template(f"(?>{head})[ \\t]*+{pairs.expression(groups)}{end}", fields)
    return made if _agrees(made, shape, wanted, text) else None


def _joined(parts: Sequence[str], fixed: Sequence[int]) -> list[str]:
    """Returns text and numbers in turn; numbers of keys and at `fixed` become part of the text."""
    out = [parts[0]]
    for place, (number, after) in enumerate(zip(parts[1::2], parts[2::2], strict=True)):
        if place in fixed or (number[0] != " " and _IN_A_WORD.search(out[-1])):
            out[-1] += number + after
        else:
            out += [number, after]
    return out


class _Pairs:
    """The pairs of a line whose numbers are replaced by others.

    Args:
        shape: The shape that reads the pairs.
        parts: Text and numbers in turn; a number includes the blanks in front of it.

    Attributes:
        text: The line with the other numbers.
    """

    def __init__(self, shape: KeyValues, parts: Sequence[str]) -> None:
        self._shape = shape
        self._pieces: list[tuple[str, str]] = []  # text, and its expression; "" for fixed text
        self._places: dict[float, int] = {}  # where each number is
        self.text = ""
        absent = (re.escape(one) for one in shape.absent if _IS_NUMBER.match(one))
        unless = "".join(f"(?!{one})" for one in absent)
        for at, part in enumerate(parts):
            body = part.lstrip(" ")
            blanks = part[: len(part) - len(body)]
            self._add(blanks, self._blanks(len(blanks), before_number=at % 2 == 1))
            if at % 2:
                self._places[_OTHER + at // 2] = len(self.text)
                self._add(str(_OTHER + at // 2), unless + hole(body, grouped=shape.thousands))
            else:
                self._add(body, "")

    def _add(self, text: str, expression: str) -> None:
        self._pieces.append((text, expression))
        self.text += text

    def _blanks(self, number: int, *, before_number: bool) -> str:
        """Returns the expression of a run of blanks: two may separate pairs where one does not."""
        if number == 0:
            return ""
        if before_number and self._shape.delimiter != "  ":
            return " ++"
        return " " if number == 1 else "  ++"

    def groups(self, wanted: Wanted) -> list[_Group] | None:
        """Returns the wanted groups in order; None if one is neither a number nor a text."""
        fields = self._shape.with_numbers({"pairs": self._shape.pairs(self.text)})
        if not isinstance(fields, Mapping):
            return None
        out = []
        for name, value in fields.items():
            if name != "pairs" and wanted.has(name):
                if value not in self._places:
                    return None
                begin = self._places[value]
                out.append(_Group(begin, begin + len(str(_OTHER)), name, self._kind(name)))
        for key, text in fields["pairs"].items():
            if wanted.pairs is None or key.lower() in wanted.pairs:
                number = _OTHERS.search(text)
                if number is None:
                    begin = self._text_at(text)
                else:
                    begin = self._places[int(number[0])] - number.start()
                if begin < 0:
                    return None
                out.append(_Group(begin, begin + len(text), key, PAIR))
        return sorted(out, key=lambda one: (one.begin, -one.end))

    def _kind(self, field: str) -> str:
        if field in self._shape.whole:
            return "whole"
        return "grouped" if self._shape.thousands else "float"

    def _text_at(self, text: str) -> int:
        """Returns a place where a text without numbers begins; -1 if it occurs nowhere."""
        begin = 0
        for piece, expression in self._pieces:
            if not expression and text in piece:
                return begin + piece.index(text)
            begin += len(piece)
        return -1

    def expression(self, groups: Sequence[_Group]) -> str:
        """Returns the regular expression of the lines with this text."""
        opened: dict[int, str] = {}
        closed: dict[int, str] = {}
        for group in groups:
            if group.begin == group.end:
                opened[group.begin] = opened.get(group.begin, "") + "()"
            else:
                opened[group.begin] = opened.get(group.begin, "") + "("
                closed[group.end] = closed.get(group.end, "") + ")"
        out, begin = [], 0
        for piece, expression in self._pieces:
            end = begin + len(piece)
            cuts = [begin, *sorted({at for at in (*opened, *closed) if begin < at < end}), end]
            for left, right in pairwise(cuts):
                text = expression or re.escape(self.text[left:right])
                out += [closed.pop(left, ""), opened.pop(left, ""), text]
            begin = end
        return "".join([*out, *closed.values(), *opened.values()])


def _agrees(made: Template, shape: KeyValues, wanted: Wanted, text: str) -> bool:
    """Whether template and shape read the same from the line that the template was made from."""
    found, right = compiled(made.expression).match(text), shape.match(text)
    if found is None or not isinstance(right, Mapping):
        return False
    try:
        read = converter(made.groups, shape.ends)(*found.groups())
    except ValueError:  # a number that must be whole
        return False
    return _comparable(read, wanted) == _comparable(right, wanted)


def _comparable(fields: Fields, wanted: Wanted) -> object:
    pairs = wanted.pairs
    return (
        {name: repr(one) for name, one in fields.items() if name != "pairs" and wanted.has(name)},
        [(k, v) for k, v in fields["pairs"].items() if pairs is None or k.lower() in pairs],
    )
