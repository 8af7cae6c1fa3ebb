"""Templates of `key: value` lines: the keys of one line as a regular expression.

A log prints the same keys in the same order again and again. The expression made from one line
matches the lines that differ from it in their values alone, and gives just the wanted ones. Any
other line is read by `KeyValues.match`; where a template matches, both give the same fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from sixdim.parsers.grammar.convert import PAIR, converter
from sixdim.parsers.grammar.holes import BEFORE_NUMBER, NUMBER, UNIX
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.shape import Broken, Fields, Wanted

_EXAMPLES = 3
"""Lines that are read without a template first: a short log pays for none."""
_MOST = 8
"""Templates of one statement that are tried."""
_WORTH = 16
"""Lines for which a further template may be made."""
_BLANKS = r"[ \t]*+"


class TemplateCache:
    """Reads the lines of one statement, by the template of an earlier line where one fits.

    Args:
        shape: The statement's shape.
        wanted: The fields and the pairs that are used.
    """

    def __init__(self, shape: KeyValues, wanted: Wanted) -> None:
        self._shape = shape
        self._wanted = wanted
        self._templates: list[Template] = []
        self._latest: Callable[[str], Fields | None] = _nothing
        self._read = 0
        self._made = 0

    def match(self, text: str) -> Fields | Broken | None:
        """See `Shape.match`."""
        known = self._latest(text)
        if known is not None:
            return known
        for place, template in enumerate(self._templates[1:], 1):
            known = template.match(text)
            if known is not None:
                self._templates.insert(0, self._templates.pop(place))
                self._latest = template.match
                return known
        fields = self._shape.match(text)
        if fields is not None and not isinstance(fields, Broken):
            self._read += 1
            if self._read > _EXAMPLES + _WORTH * max(0, self._made - _MOST):
                self._made += 1
                inferred = infer(self._shape, self._wanted, text)
                if inferred is not None:
                    self._templates = [inferred, *self._templates[: _MOST - 1]]
                    self._latest = inferred.match
        return fields


def _nothing(_text: str) -> None:
    """What no template gives."""


class Template:
    """The lines with one sequence of keys.

    Args:
        shape: The statement's shape.
        expression: The regular expression of such a line.
        groups: Name and type of each of its groups, as `converter` has them.
        wanted: The fields that are wanted, where their numbers stand in the texts of pairs; None
            where each number has its group.
    """

    def __init__(
        self,
        shape: KeyValues,
        expression: str,
        groups: list[tuple[str, str]],
        wanted: Wanted | None,
    ) -> None:
        self._shape = shape
        self._wanted = wanted
        self._find = re.compile(expression).match
        self._convert = converter(groups, shape.ends)

    def match(self, text: str) -> Fields | None:
        """The line's fields; None for a line with other keys, or with a value to look at."""
        found = self._find(text)
        if found is None:
            return None
        try:
            fields = self._convert(*found.groups())
        except (ValueError, OverflowError):
            return None
        if self._wanted is None:
            return fields
        known = self._shape.with_numbers(fields, self._wanted)
        return None if isinstance(known, Broken) else known


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
        return None
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
    groups = [(n, k) for n, k in shape.head.holes.items() if n != shape.TAIL and wanted.has(n)]
    numbers = {key: field for field, key in shape.numbers.items() if wanted.has(field)}
    keys = [pair.key for pair in pairs]
    texts = {k for k in keys if k and (wanted.pairs is None or k.lower() in wanted.pairs)}
    two_fields_of_one_key = len(numbers) < sum(map(wanted.has, shape.numbers))
    in_texts = shape.thousands or bool(shape.whole) or shape.lenient or two_fields_of_one_key
    if in_texts:
        texts |= numbers.keys() & set(keys)
        numbers = {}
    out = [head, _BLANKS]
    for place, pair in enumerate(pairs):
        value = grammar.value if pair.key else ""
        is_text = pair.key in texts
        if is_text:
            groups.append((pair.key, PAIR))
        if pair.key in numbers and pair.key not in keys[place + 1 :]:  # of two the last counts
            number = _number(shape, pair.value)
            if number:
                groups.append((numbers[pair.key], "float"))
            value = (number or re.escape(pair.value.partition(" ")[0])) + grammar.number_end
        out.append(pair.before + (f"({value})" if is_text else value))
    if clock is not None:
        groups.append((shape.clock, "unix"))
        out.append(rf"[ \t]++({UNIX})")
    out.append(grammar.end)
    return Template(shape, "".join(out), groups, wanted if in_texts else None)


def _number(shape: KeyValues, value: str) -> str | None:
    """The expression of the number with which a value begins, its unit and quotes around it."""
    first = value.strip(shape.quotes).partition(" ")[0].strip(shape.quotes)
    if first in shape.absent:
        return None
    quotes = f"[{re.escape(shape.quotes.strip())}]*+" if shape.quotes.strip() else ""
    return f"{quotes}({NUMBER}){re.escape(shape.unit_of(first))}{quotes}"


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
