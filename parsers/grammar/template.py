"""Templates of `key: value` lines: the keys of one line as a regular expression.

A log prints the same keys in the same order again and again. The expression made from one line
matches the lines that differ from it in their values alone, and gives just the wanted ones. Any
other line is read by `KeyValues.match`; where a template matches, both give the same fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from sixdim.parsers.grammar.convert import PAIR, converter
from sixdim.parsers.grammar.holes import BEFORE_NUMBER, NUMBER, UNIX
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.shape import Broken, Fields, Wanted
from sixdim.parsers.text.patterns import pattern

_EXAMPLES = 3
"""Lines that are read without a template first: a short log pays for none."""
_MOST = 8
"""Templates of one statement that are tried."""
_WORTH = 16
"""Lines for which a further template may be made."""
_BLANKS = r"[ \t]*+"
_NO_CLOCK = rf"(?!(?>.*[ \t]){UNIX}$)"
_IS_NUMBER = pattern(NUMBER)
GROUPED = r"[-+]?\d[\d,]*+(?:\.\d*+)?+(?:[eE][-+]?\d++)?+"


class Template(NamedTuple):
    """The lines with one sequence of keys.

    Attributes:
        expression: The regular expression of such a line.
        groups: What each of its groups holds: a field's name and hole type, or a pair's key and
            `PAIR`.
    """

    expression: str
    groups: list[tuple[str, str]]


Read: TypeAlias = Callable[[Any, Any, str], Any]
"""Reads a text, for a reader of logs and a line that it only hands on; None where it cannot."""


class TemplateCache:
    """Reads the lines of one statement, by the template of an earlier line where one fits.

    Args:
        shape: The statement's shape.
        wanted: The fields and the pairs that are used.
        fast: Makes what reads the lines of a template.
        slow: Reads any other line, given its fields in place of its text.
    """

    def __init__(
        self,
        shape: KeyValues,
        wanted: Wanted,
        fast: Callable[[Template], Read],
        slow: Callable[[Any, Any, Fields | Broken | None], Any],
    ) -> None:
        self._shape = shape
        self._wanted = wanted
        self._fast = fast
        self._slow = slow
        self._reads: list[Read] = []
        self._latest: Read = _nothing
        self._examples = 0
        self._made = 0

    def read(self, reader: Any, line: Any, text: str) -> Any:
        """What `fast` or `slow` gives for this line."""
        result = self._latest(reader, line, text)
        if result is not None:
            return result
        for place, read in enumerate(self._reads[1:], 1):
            result = read(reader, line, text)
            if result is not None:
                self._reads.insert(0, self._reads.pop(place))
                self._latest = read
                return result
        fields = self._shape.match(text)
        if fields is not None and not isinstance(fields, Broken):
            self._examples += 1
            if self._examples > _EXAMPLES + _WORTH * max(0, self._made - _MOST):
                self._infer(text)
        return self._slow(reader, line, fields)

    def _infer(self, text: str) -> None:
        self._made += 1
        template = infer(self._shape, self._wanted, text)
        if template is not None:
            self._latest = self._fast(template)
            self._reads = [self._latest, *self._reads[: _MOST - 1]]


def matcher(ends: str, template: Template) -> Read:
    """What gives the fields of a line by a template.

    Args:
        ends: Characters that may stand around a pair's value.
        template: A template of a line.
    """
    find = re.compile(template.expression).match
    convert = converter(template.groups, ends)

    def match(_reader: Any, _line: Any, text: str) -> Fields | None:
        found = find(text)
        try:
            return None if found is None else convert(*found.groups())
        except (ValueError, OverflowError):
            return None

    return match


def _nothing(_reader: Any, _line: Any, _text: str) -> None:
    """Reads no line, as long as there is no template."""


class _Pair(NamedTuple):
    """One pair of the line from which a template is made.

    Attributes:
        before: Expression of all that stands between the value and the pair before.
        key: The key; empty for text without a value.
        value: The value as it stands in the line.
    """

    before: str
    key: str
    value: str


class _Grammar(NamedTuple):
    """How the pairs of a shape follow each other, as regular expressions.

    Attributes:
        value: A value that nothing is wanted of.
        number_end: What stands behind the number with which a value begins.
        end: What stands behind the last pair.
    """

    value: str
    number_end: str
    end: str


def infer(shape: KeyValues, wanted: Wanted, text: str) -> Template | None:
    """The template of a line that the shape matches; None where none can be stated."""
    head = shape.head.pattern(wanted, until=shape.TAIL)
    found = re.match(head, text)
    assert found is not None
    tail = text[found.end() :].strip()
    clock = shape.clock_of(tail)
    if shape.clock and clock is None:
        head = _NO_CLOCK + head
    if clock is not None:
        tail = tail[: clock.start()].strip()
    if shape.closing:
        tail, closes, _rest = tail.partition(shape.closing)
    else:
        closes = ""
    pairs = _apart(shape, tail) if shape.delimiter is None else _delimited(shape, tail.strip())
    if pairs is None:
        return None
    grammar = _grammar(shape, closes)
    kinds = shape.head.holes
    groups = [(name, kinds[name]) for name in re.compile(head).groupindex]
    numbers = {key: field for field, key in shape.numbers.items() if wanted.has(field)}
    keys = [pair.key for pair in pairs]
    out = [head, _BLANKS]
    for place, pair in enumerate(pairs):
        last = pair.key not in keys[place + 1 :]  # of pairs with one key the last counts
        field = numbers.get(pair.key, "") if last else ""
        as_text = pair.key and (wanted.pairs is None or pair.key.lower() in wanted.pairs)
        value = grammar.value if pair.key else ""
        if as_text:
            groups.append((pair.key, PAIR))
        if field:
            number = _number(shape, pair.value)
            if number:
                groups.append((field, _kind(shape, field)))
            value = (number or re.escape(pair.value.partition(" ")[0])) + grammar.number_end
        out += [pair.before, f"({value})" if as_text else value]
    if clock is not None:
        groups.append((shape.clock, "unix"))
        out.append(rf"[ \t]++({UNIX})")
    out.append(grammar.end)
    return Template("".join(out), groups)


def _kind(shape: KeyValues, field: str) -> str:
    if field in shape.whole:
        return "whole"
    return "grouped" if shape.thousands else "float"


def _number(shape: KeyValues, value: str) -> str | None:
    """The expression of the number with which a value begins, its unit and quotes around it."""
    first = value.strip(shape.quotes).partition(" ")[0].strip(shape.quotes)
    if first in shape.absent or (shape.lenient and not _IS_NUMBER.match(first)):
        return None
    quotes = f"[{re.escape(shape.quotes.strip())}]*+" if shape.quotes.strip() else ""
    digits = GROUPED if shape.thousands else NUMBER
    return f"{quotes}({digits}){re.escape(shape.unit_of(first))}{quotes}"


def _delimited(shape: KeyValues, tail: str) -> list[_Pair] | None:
    """The pairs of a line whose delimiter is stated."""
    delimiter = shape.delimiter or ""
    if "\t" in tail and delimiter != "  ":
        return None
    between = f"(?:{_delimiter(delimiter)}{_BLANKS})++"
    out: list[_Pair] = []
    for part in tail.replace("\t", "  ").split(delimiter):
        text = part.strip()
        if not text:
            continue
        before = between if out else ""
        key, separator, value = shape.cut(text)
        if shape.separator == " " and not BEFORE_NUMBER.search(text):
            separator = ""
        if not separator:
            out.append(_Pair(before + re.escape(text), "", ""))
            continue
        out.append(_Pair(before + _key(shape, key), key.strip(shape.quotes), value.strip()))
    return out


def _key(shape: KeyValues, key: str) -> str:
    """The expression of a key and of what parts it from its value."""
    name, separator = re.escape(key.rstrip()), shape.separator
    if separator == " ":
        return name + r"[ \t]++(?=[-+.\d]|(?i:nan|inf|none)\b)"
    blank = r"[ \t]++" if separator.endswith(" ") else _BLANKS
    return f"{name}{_BLANKS}{re.escape(separator.strip())}{blank}"


def _apart(shape: KeyValues, tail: str) -> list[_Pair] | None:
    """The pairs of a line in which only the next key ends a pair."""
    if shape.separator == " ":
        return None
    first, *cut = shape.key.split(tail)
    out = [_Pair(re.escape(first.strip()) + _BLANKS, "", "")] if first.strip() else []
    for key, value in zip(cut[::2], cut[1::2], strict=True):
        if shape.separator == " : ":
            before = rf"(?<!\S){re.escape(key)} : "
        else:
            before = rf"(?<![^\s,|;\]]){re.escape(key)}{_BLANKS}{re.escape(shape.separator)}"
        out.append(_Pair(before + r"[ \t,|;]*+", key, value.strip(shape.ends)))
    return out


def _delimiter(delimiter: str) -> str:
    return r"(?: [ \t]|\t)" if delimiter == "  " else re.escape(delimiter)


def _grammar(shape: KeyValues, closes: str) -> _Grammar:
    """How the shape's pairs follow each other."""
    if shape.delimiter is None:
        value = _VALUES_APART[shape.separator]
        return _Grammar(value, rf"(?: {value})?[ \t,|;]*+", "$")
    first, rest = re.escape(shape.delimiter[0]), re.escape(shape.delimiter[1:])
    shut = re.escape(shape.closing)
    atoms = rf"[^{first}\t{shut}]++"
    if rest:
        atoms += rf"|{first}(?!{rest})" if shape.delimiter != "  " else r"| (?![ \t])"
    value = f"(?:{atoms})*" + ("?" if shape.clock else "+")
    following = "|".join([" ", _delimiter(shape.delimiter), *([shut] if shut else []), "$"])
    if shape.clock:
        following = "|".join([following, r"[ \t]"])
    end = f"{_BLANKS}(?:{_delimiter(shape.delimiter)}{_BLANKS})*+"
    end += f"{shut}.*+" if closes else "$"
    return _Grammar(value, f"(?={following}){value}", end)


# No atom can hold a key and its separator. (A clock such as 0:06:47 is no key.)
_VALUES_APART = {
    ":": r"(?:[^\w:]++|[A-Za-z_]\w*+(?![ \t]*+:)|\d[\w.]*+(?::\d\d)*+)*?",
    "=": r"(?:[^\w=]++|\w++(?![ \t]*+=))*?",
    " : ": r"(?:[^ ]++| (?!: ))*?",
}
