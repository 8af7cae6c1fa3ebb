"""A shape of lines: a prefix followed by `key: value` pairs in one grammar."""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from sixdim.parsers.grammar.shapes.holes import BEFORE_NUMBER, NUMBER, number, unix_time
from sixdim.parsers.grammar.shapes.shape import Broken, Fields, Shared
from sixdim.parsers.grammar.shapes.skeleton import Skeleton
from sixdim.parsers.text.patterns import pattern

IN_BRACKETS = rf"[ \t]*+\([ \t]*+({NUMBER})[ \t]*+\)"
WITH_MEAN = pattern(rf"\S++{IN_BRACKETS}")
"""A value with a second number in brackets."""
_WITH_WARNING = pattern(rf"({NUMBER})/\S+?\.py:\d{{1,9}}+:")
"""A number with a Python warning directly after it, as a drawn bar has no newline: the path."""
_CLOCK = pattern(r"(?:^|(?<=[ \t]))(\d{9,10}(?:\.\d{1,9})?)$")


class KeyValues(Shared):
    """A prefix (a skeleton) followed by `key: value` pairs in one grammar.

    Args:
        head: The text before the pairs; its holes are fields too.
        delimiter: The text between two pairs: two blanks or a tab, `, `, …. Without one (None),
            a key is the last word before its separator, and the value reaches to the next
            key (`loss : 9.5 nat lr : 0.1`,
            `loss:  6.93 top1: 0.01, elapse: 0.140s ips: 916.7 images/sec.`).
        separator: The text between key and value. A blank: the first number between delimiters
            ends the key (`avg loss 5.57`).
        numbers: Field name to key: keys whose value is read as a number. A pair such as
            `loss: 7.2926 (7.2497)` gives the first number.
        means: Field name to key: keys whose value has a second number in brackets, as in
            `Time 0.363 (0.287)`. A value without one leaves the field out.
        whole: The fields that are counts; a count that is no whole number is left out.
        required: Keys that every such line has; without a delimiter, just once.
        ordered: Whether the line has them in the same order.
        foreign: Beginnings of keys: a line with such a key is another program's.
        quotes: Characters stripped from both ends of keys and values: `'{}` for a Python
            dict, `[]` for bracketed groups.
        absent: Values that mean "no figure", such as `None`.
        glued: Units that may follow a number without a blank.
        thousands: Whether numbers group their digits with commas (`30,768`).
        closing: Text after the last pair; nothing that follows it is read. A line without it
            was cut: its last value may have lost digits, and is left out.
        clock: Field of the clock, in seconds since 1970, that may end the line.
        lenient: Whether a value that is no number is left out; else such a line is broken.

    The field `pairs` maps the key of every pair to its text.
    """

    TAIL = "_tail"

    def __init__(
        self,
        head: str,
        *,
        numbers: Mapping[str, str] | None = None,
        means: Mapping[str, str] | None = None,
        delimiter: str | None = "  ",
        separator: str = ":",
        required: tuple[str, ...] = (),
        ordered: bool = False,
        foreign: tuple[str, ...] = (),
        absent: tuple[str, ...] = ("None", "N/A", "n/a", "null"),
        quotes: str = "",
        glued: tuple[str, ...] = (),
        thousands: bool = False,
        whole: tuple[str, ...] = (),
        closing: str = "",
        clock: str = "",
        lenient: bool = False,
    ) -> None:
        self.clock = clock
        self.closing = closing
        self.lenient = lenient
        self.whole = whole
        self.thousands = thousands
        self.quotes = quotes + " \t"
        self.ends = " \t,|;" if delimiter is None else self.quotes
        self.head = Skeleton(f"{head}{{{self.TAIL}:text}}")
        self.glued = glued
        self.numbers = dict(numbers or {})
        self.means = dict(means or {})
        self.required = required
        self.ordered = ordered
        self.foreign = foreign
        self.delimiter = delimiter
        self.separator = separator
        self.absent = absent

    @property
    def anchor(self) -> str:
        """The head's literal beginning."""
        return self.head.anchor

    @property
    def clue(self) -> str:
        """See `Shape.clue`: the longest word, the last of several.

        The anchor, which was compared before, is the clue only where there is no other word.
        """
        words = *reversed(self.required), self.head.clue
        return max((word for word in words if word != self.anchor), key=len, default=self.anchor)

    @property
    def words(self) -> Sequence[str]:
        """Texts that every matching line contains."""
        return (*self.head.words, *self.required)

    def match(self, text: str) -> Fields | Broken | None:
        """See `Shape.match`."""
        for key in self.required:
            if key not in text:
                return None
        found = self.head.match(text)
        if found is None or isinstance(found, Broken):
            return found
        fields = dict(found)
        tail = fields.pop(self.TAIL)
        clock = self.clock_of(tail)
        if clock is not None:
            fields[self.clock] = unix_time(clock[1])
            tail = tail[: clock.start()]
        tail = self._whole(tail)
        if self.delimiter is None and self._is_ambiguous(tail):
            return None
        pairs = self.pairs(tail)
        found_keys = [key for key in pairs if key in self.required]
        if len(found_keys) < len(self.required):
            return None
        if self.ordered and found_keys != [*self.required]:
            return None
        if self.foreign and any(key.startswith(self.foreign) for key in pairs):
            return None
        fields["pairs"] = pairs
        return self.with_numbers(fields)

    def with_numbers(self, fields: dict[str, Any]) -> Fields | Broken:
        """Adds the fields whose numbers are values of pairs."""
        pairs = fields["pairs"]
        for field, key in self.numbers.items():
            if key not in pairs:
                continue
            raw = pairs[key].partition(" ")[0].strip(self.quotes)
            if raw in self.absent:
                continue
            if self.thousands:
                raw = raw.replace(",", "")
            if self.glued:
                raw = raw.removesuffix(self.unit_of(raw))
            try:
                value = number(raw)
            except ValueError:
                if self.lenient:
                    continue
                before_warning = _WITH_WARNING.fullmatch(raw)
                if before_warning is None:
                    return Broken(key, raw[:40])
                value = number(before_warning[1])
            if field not in self.whole:
                fields[field] = value
            elif value % 1 == 0:
                fields[field] = int(value)
        for field, key in self.means.items():
            found = WITH_MEAN.match(pairs.get(key, ""))
            if found is None:
                continue
            try:
                fields[field] = number(found[1])
            except ValueError:
                return Broken(key, found[1][:40])
        return fields

    def unit_of(self, raw: str) -> str:
        """Returns the unit that is glued to a number; empty without one."""
        return next((unit for unit in self.glued if raw.endswith(unit)), "")

    def clock_of(self, tail: str) -> re.Match[str] | None:
        """Returns the clock after the pairs."""
        return _CLOCK.search(tail) if self.clock else None

    def begins(self, text: str) -> bool:
        """See `Shape.begins`."""
        return self.head.begins(text)

    @cached_property
    def key(self) -> re.Pattern[str]:
        """The expression of a key and its separator, where no delimiter ends a pair."""
        if self.separator == " : ":
            return re.compile(r"(?<!\S)(\S++) : ")
        if self.separator == " ":
            between = r"[ \t]++(?=[-+.\d]|(?i:nan|inf|none)\b)"
        else:
            between = r"[ \t]*+" + re.escape(self.separator)
        return re.compile(r"(?<![^\s,|;\]])([A-Za-z_][\w()./@#-]*+)" + between)

    def _is_ambiguous(self, tail: str) -> bool:
        """Returns whether a required key occurs twice: `Batch Time 0.25 Data Time 0.01`."""
        keys = self.key.findall(tail)
        return any(keys.count(key) > 1 for key in self.required)

    def _whole(self, tail: str) -> str:
        """Returns the complete pairs: those before the closing; without it, all but the last."""
        if not self.closing:
            return tail
        inside, closed, _rest = tail.partition(self.closing)
        return inside if closed else tail.rpartition(self.delimiter or " ")[0]

    def pairs(self, tail: str) -> dict[str, str]:
        """Returns the pairs as text, in the line's order."""
        if self.delimiter is None:
            _before, *cut = self.key.split(tail)
            keys, values = cut[::2], cut[1::2]
            return {key: value.strip(self.ends) for key, value in zip(keys, values, strict=True)}
        out: dict[str, str] = {}
        for part in tail.replace("\t", "  ").split(self.delimiter):
            key, separator, value = self.cut(part.strip())
            if separator:
                out[key.strip(self.quotes)] = value.strip(self.quotes)
        return out

    def cut(self, pair: str) -> tuple[str, str, str]:
        """Key, separator and value of a pair."""
        number = BEFORE_NUMBER.search(pair) if self.separator == " " else None
        if number is None:
            return pair.partition(self.separator)
        return pair[: number.start()], " ", pair[number.end() :]
