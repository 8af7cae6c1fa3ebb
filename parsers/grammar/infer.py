"""Infers the template of a `key: value` line: its keys as a regular expression.

The expression made from one line matches the lines that differ from it in their values alone, and
gives just the wanted ones.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sixdim.parsers.grammar.convert import PAIR
from sixdim.parsers.grammar.holes import BEFORE_NUMBER, NUMBER, UNIX
from sixdim.parsers.grammar.key_values import IN_BRACKETS, WITH_MEAN, KeyValues
from sixdim.parsers.grammar.shape import Wanted
from sixdim.parsers.text.patterns import pattern

_BLANKS = r"[ \t]*+"
_NO_CLOCK = rf"(?!(?>.*[ \t]){UNIX}$)"
_NO_MEAN = rf"(?![ \t]*+\([ \t]*+{NUMBER}[ \t]*+\))"
_IS_NUMBER = pattern(NUMBER)
GROUPED = r"[-+]?\d[\d,]*+(?:\.\d*+)?+(?:[eE][-+]?\d++)?+"

_CONVERTIBLE = r"(?:[-+]?(?:\d{1,18}+(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d{1,2}+)?|(?i:nan|inf))"
"""A number that need not be converted to know that it can be."""


class Template(NamedTuple):
    """The lines with one sequence of keys.

    Attributes:
        expression: The regular expression of such a line.
        groups: What each of its groups holds: a field's name and hole type, or a pair's key and
            `PAIR`.
    """

    expression: str
    groups: list[tuple[str, str]]


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
        head = _NO_CLOCK + head
    if clock is not None:
        tail = tail[: clock.start()].strip()
    closes = bool(shape.closing) and shape.closing in tail
    if closes:
        tail = tail.partition(shape.closing)[0].strip()
    pairs = _apart(shape, tail) if shape.delimiter is None else _delimited(shape, wanted, tail)
    fields = _fields(shape, wanted)
    if pairs is None or fields is None:
        return None
    grammar = _grammar(shape, closes)
    means = {key: field for field, key in shape.means.items() if wanted.has(field)}
    kinds = shape.head.holes
    groups = [(name, kinds[name]) for name in re.compile(head).groupindex]
    keys = [pair.key for pair in pairs]
    out = [f"(?>{head})", _BLANKS, grammar.lead]
    for place, pair in enumerate(pairs):
        last = pair.key not in keys[place + 1 :]  # of pairs with one key the last counts
        as_text = pair.key and (wanted.pairs is None or pair.key.lower() in wanted.pairs)
        value = grammar.value if pair.key else ""
        if as_text:
            groups.append((pair.key, PAIR))
        if last and pair.key in fields:
            field = fields[pair.key]
            number = _number(shape, wanted, field, pair.value)
            if number and wanted.has(field):
                groups.append((field, _kind(shape, field)))
            value = number or re.escape(pair.value.partition(" ")[0])
            mean = means.get(pair.key)
            if mean and number and WITH_MEAN.match(pair.value):
                groups.append((mean, "float"))
                value += IN_BRACKETS + grammar.value
            else:
                # A line that has the mean, where this one has none, is of another template.
                value += (_NO_MEAN if mean and number else "") + grammar.number_end
        out += [pair.before, f"({value})" if as_text else value]
    if clock is not None:
        groups.append((shape.clock, "unix"))
        out.append(rf"[ \t]++({UNIX})$")
    else:
        out.append(grammar.end)
    return Template("".join(out), groups)


def _fields(shape: KeyValues, wanted: Wanted) -> dict[str, str] | None:
    """The field of each key whose number is checked; None where one key has several fields."""
    numbers = {
        field: key for field, key in shape.numbers.items() if wanted.has(field) or not shape.lenient
    }
    fields = {key: field for field, key in numbers.items()}
    return fields if len(fields) == len(numbers) else None


def _kind(shape: KeyValues, field: str) -> str:
    if field in shape.whole:
        return "whole"
    return "grouped" if shape.thousands else "float"


def _number(shape: KeyValues, wanted: Wanted, field: str, value: str) -> str | None:
    """The expression of the number with which a value begins, its unit and quotes around it."""
    first = value.strip(shape.quotes).partition(" ")[0].strip(shape.quotes)
    if first in shape.absent or (shape.lenient and not _IS_NUMBER.match(first)):
        return None
    around = shape.quotes.strip().replace(shape.closing, "")
    quotes = f"[{re.escape(around)}]*+" if around else ""
    absent = "|".join(re.escape(one) for one in shape.absent if _IS_NUMBER.match(one))
    unless = f"(?!{absent})" if absent else ""
    if wanted.has(field):
        digits = f"({GROUPED if shape.thousands else NUMBER})"
    else:
        digits = _CONVERTIBLE
    return f"{quotes}{unless}{digits}{re.escape(shape.unit_of(first))}{quotes}"


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
            out.append(_Pair(before + _without_value(text), "", ""))
            continue
        expression = _key(shape, delimiter, key)
        if not name or expression is None:
            return None
        out.append(_Pair(before + expression, name, value.strip()))
    return out


def _without_value(text: str) -> str:
    """The expression of a text that is no pair: with other digits, it is none, either."""
    return re.sub(r"\d+", r"\\d++", re.escape(text))


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
    ends = [_delimiter(delimiter), *([re.escape(shape.closing)] if shape.closing else []), "$"]
    followed = rf"(?![ \t]|{'|'.join(ends)})"
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
        # A number is no value where it is the next key.
        whole = {" ": f"(?!{_NUMBER_NEXT})", " : ": "(?! : )"}.get(shape.separator, "")
        return _Grammar("", value, rf"{whole}(?: {value}|[ \t,|;]*+)", "$")
    first, rest = re.escape(shape.delimiter[0]), re.escape(shape.delimiter[1:])
    shut, delimiter = re.escape(shape.closing), _delimiter(shape.delimiter)
    atoms = rf"[^{first}\t{shut}]++" if not shape.clock else rf"[^{first}\t ]++| ++"
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
