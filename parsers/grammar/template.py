"""Templates of `key: value` lines: the keys of one line as a regular expression.

A log prints the same keys in the same order again and again. The expression made from one line
matches the lines that differ from it in their values alone, and gives just the wanted ones. Any
other line is read by `KeyValues.match`; where a template matches, both give the same fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from sixdim.parsers.grammar.convert import converter
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
_ODD_BLANK = pattern(r"[^\S \t]")
"""A blank that `str.strip` removes and the templates do not know."""
_CONVERTIBLE = r"(?:[-+]?(?:\d{1,18}+(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d{1,2}+)?|(?i:nan|inf))"
"""A number that need not be converted to know that it can be."""


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
        if not text.isascii() and _ODD_BLANK.search(text):
            return self._shape.match(text)
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
        fields: Name and hole type of its first groups.
        keys: Key of each further group, whose text is the pair's value.
    """

    def __init__(
        self,
        shape: KeyValues,
        expression: str,
        fields: list[tuple[str, str]],
        keys: list[str],
    ) -> None:
        self._shape = shape
        self._find = re.compile(expression).match
        self._convert = converter(fields)
        self._count = len(fields)
        self._keys = keys

    def match(self, text: str) -> Fields | None:
        """The line's fields; None for a line with other keys, or with a value to look at."""
        found = self._find(text)
        if found is None:
            return None
        groups = found.groups()
        try:
            if not self._keys:
                fields = self._convert(*groups)
                fields["pairs"] = {}
                return fields
            fields = self._convert(*groups[: self._count])
        except (ValueError, OverflowError):
            return None
        ends = self._shape.ends
        values = (text.strip(ends) for text in groups[self._count :])
        fields["pairs"] = dict(zip(self._keys, values, strict=True))
        known = self._shape.with_numbers(fields)
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
        lead: What may stand between the head and the first pair.
        value: A value that nothing is wanted of.
        number_end: What stands behind the number with which a value begins.
        end: What stands behind the last pair.
    """

    lead: str
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
    closes = bool(shape.closing) and shape.closing in tail
    if closes:
        tail = tail.partition(shape.closing)[0].strip()
    pairs = _apart(shape, tail) if shape.delimiter is None else _delimited(shape, wanted, tail)
    if pairs is None:
        return None
    grammar = _grammar(shape, closes)
    fields = [(name, kind) for name, kind in shape.head.holes.items() if name != shape.TAIL]
    fields = [field for field in fields if wanted.has(field[0])]
    keys = [pair.key for pair in pairs]
    numbers = {key: field for field, key in shape.numbers.items()}
    numbers |= {key: field for field, key in shape.numbers.items() if wanted.has(field)}
    as_text = {k for k in keys if k and (wanted.pairs is None or k.lower() in wanted.pairs)}
    if as_text or _needs_text(shape, wanted):
        as_text |= numbers.keys() & set(keys)
    out = [f"(?>{head})", _BLANKS, grammar.lead]
    texts: list[str] = []
    for place, pair in enumerate(pairs):
        out.append(pair.before)
        last = pair.key not in keys[place + 1 :]  # of pairs with one key the last counts
        if pair.key in as_text:
            out.append(f"({grammar.value})")
            texts.append(pair.key)
        elif pair.key in numbers and last:
            number, field = _number(shape, pair.value), numbers[pair.key]
            if number is None:
                out.append(re.escape(pair.value.partition(" ")[0]))
            elif wanted.has(field):
                out.append(f"{number[0]}({NUMBER}){number[1]}")
                fields.append((field, "float"))
            else:
                out.append(f"{number[0]}{_CONVERTIBLE}{number[1]}")
            out.append(grammar.number_end)
        elif pair.key:
            out.append(grammar.value)
    if clock is not None:
        if texts:
            return None
        fields.append((shape.clock, "unix"))
        out.append(rf"[ \t]++({UNIX})$")
    else:
        out.append(grammar.end)
    return Template(shape, "".join(out), fields, texts)


def _needs_text(shape: KeyValues, wanted: Wanted) -> bool:
    """Whether the numbers are more than a `float` and its unit, or one is that of two fields."""
    keys = [key for field, key in shape.numbers.items() if wanted.has(field)]
    special = shape.thousands or bool(shape.whole) or shape.lenient
    return special or len(keys) > len(set(keys))


def _number(shape: KeyValues, value: str) -> tuple[str, str] | None:
    """What stands before and behind the number with which a value begins; None without one."""
    first = value.strip(shape.quotes).partition(" ")[0].strip(shape.quotes)
    if first in shape.absent:
        return None
    quotes = f"[{re.escape(shape.quotes.strip())}]*+" if shape.quotes.strip() else ""
    absent = "|".join(re.escape(one) for one in shape.absent if re.match(NUMBER, one))
    unless = f"(?!{absent})" if absent else ""
    return quotes + unless, re.escape(shape.unit_of(first)) + quotes


def _delimited(shape: KeyValues, wanted: Wanted, tail: str) -> list[_Pair] | None:
    """The pairs of a line whose delimiter is stated."""
    delimiter = shape.delimiter or ""
    if "\t" in tail and delimiter != "  ":
        return None  # a tab counts as two blanks there
    between = f"(?:{_delimiter(delimiter)}{_blanks(delimiter)})++"
    out: list[_Pair] = []
    for part in tail.replace("\t", "  ").split(delimiter):
        text = part.strip()
        if not text:
            continue
        before = between if out else ""
        key, separator, value = shape.cut(text)
        name = key.strip(shape.quotes)
        if shape.separator == " " and not BEFORE_NUMBER.search(text):
            used = name in shape.required or name in shape.numbers.values()
            if used or wanted.pairs is None or name.lower() in wanted.pairs:
                return None  # its first word is a key
            separator = ""
        if not separator:
            out.append(_Pair(before + re.escape(text), "", ""))
            continue
        expression = _key(shape, delimiter, key)
        if not name or expression is None:
            return None
        out.append(_Pair(before + expression, name, value.strip()))
    return out


def _key(shape: KeyValues, delimiter: str, key: str) -> str | None:
    """The expression of a key and of what parts it from its value; None where none can be."""
    name, separator, blank = key.rstrip(), shape.separator, _blanks(delimiter)
    if separator == " ":
        following = r"(?=[-+.\d]|(?i:nan|inf|none)\b)"
        return re.escape(name) + (" " if delimiter == "  " else " ++") + following
    plain = separator.strip()
    if name.endswith(plain):
        return None  # where it ends is not clear
    expression = f"{re.escape(name)}{blank}{re.escape(plain)}"
    if not separator.endswith(" "):
        return expression + blank
    # A value has to follow: without one, the blank belongs to the delimiter.
    followed = rf"(?![ \t]|{_delimiter(delimiter)}|$)"
    return f"{expression}{' ' if delimiter == '  ' else ' ++'}{followed}"


def _apart(shape: KeyValues, tail: str) -> list[_Pair] | None:
    """The pairs of a line in which only the next key ends a pair."""
    if shape.closing or shape.clock:
        return None
    first, *cut = shape.key.split(tail)
    out = [_Pair(re.escape(first.strip()) + _BLANKS, "", "")] if first.strip() else []
    for key, value in zip(cut[::2], cut[1::2], strict=True):
        if shape.separator == " : ":
            before = rf"(?<!\S){re.escape(key)} : {_BLANKS}"
        elif shape.separator == " ":
            before = rf"(?<![^\s,|;\]]){re.escape(key)}{_NUMBER_NEXT}[ \t]++"
        else:
            before = rf"(?<![^\s,|;\]]){re.escape(key)}{_BLANKS}{re.escape(shape.separator)}"
            before += r"[ \t,|;]*+"
        out.append(_Pair(before, key, value.strip(shape.ends)))
    return out


def _delimiter(delimiter: str) -> str:
    """The expression of a delimiter: two blanks may be more, or a tab."""
    return r"(?: [ \t]|\t)[ \t]*+" if delimiter == "  " else re.escape(delimiter)


def _blanks(delimiter: str) -> str:
    """Blanks that are no delimiter."""
    if delimiter == "  ":
        return r"(?: (?![ \t]))?+"
    return f"(?:(?!{re.escape(delimiter)}) )*+" if delimiter.startswith(" ") else " *+"


def _grammar(shape: KeyValues, closes: bool) -> _Grammar:
    """How the shape's pairs follow each other."""
    if shape.delimiter is None:
        value = _VALUES_APART[shape.separator]
        whole = f"(?!{_NUMBER_NEXT})" if shape.separator == " " else ""
        return _Grammar("", value, rf"{whole}(?: {value})?[ \t,|;]*+", "$")
    first, rest = re.escape(shape.delimiter[0]), re.escape(shape.delimiter[1:])
    shut, delimiter = re.escape(shape.closing), _delimiter(shape.delimiter)
    atoms = rf"[^{first}\t{shut}]++"
    if rest:
        atoms += rf"|{first}(?!{rest})" if shape.delimiter != "  " else r"| (?![ \t])"
    value = f"(?:{atoms})*" + ("?" if shape.clock else "+")
    following = "|".join([" ", delimiter, *([shut] if shut else []), "$"])
    more = f"(?:{delimiter} *+)*+"
    end = f" *+{more}" + (f"{shut}.*+" if closes else "$")
    return _Grammar(more, value, f"(?={following}){value}", end)


_NUMBER_NEXT = r"(?=[ \t]++(?:[-+.\d]|(?i:nan|inf|none)\b))"
# No atom can hold a key and its separator. (A clock such as 0:06:47 is no key.)
_VALUES_APART = {
    ":": r"(?:[^\w:]++|[A-Za-z_]\w*+(?![ \t]*+:)|\d[\w.]*+(?![ \t]*+:)"
    r"|(?<![\w()./@#-])\d++(?::\d\d)++(?![\w:]))*?",
    "=": r"(?:[^\w=]++|\w++(?![ \t]*+=))*?",
    " : ": r"(?:[^ ]++| (?!: ))*?",
    " ": rf"(?:\W++|[A-Za-z_]\w*+(?![\w()./@#-]*+{_NUMBER_NEXT})|\d[\w.]*+)*?",
}
