"""Plans for the lines of one log, by their forms.

Once a form was read a few times, one regular expression reads its lines with the same result.
"""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from math import inf
from typing import TypeAlias

from sixdim.parsers.grammar.meaning.form import Form, share
from sixdim.parsers.grammar.meaning.form_builder import form_of
from sixdim.parsers.grammar.meaning.line_plan import LABELS, NOTHING, Plan
from sixdim.parsers.grammar.meaning.line_planner import plan
from sixdim.parsers.grammar.shapes.bar_layouts import is_usual
from sixdim.parsers.grammar.shapes.convert import function
from sixdim.parsers.grammar.shapes.template import EXAMPLES, Read, Templates
from sixdim.parsers.grammar.vocabulary.closing import DIVERGED, closing, is_over, total_time
from sixdim.parsers.grammar.vocabulary.durations import in_seconds
from sixdim.parsers.grammar.vocabulary.forms import (
    DRAWN_BAR,
    LONGEST,
    Numbers,
    cut,
    drawn,
    expression,
    has_decimal_comma,
    has_number,
    is_count,
    with_points,
)
from sixdim.parsers.grammar.vocabulary.hints import has_hint, may_have_hint
from sixdim.parsers.grammar.vocabulary.starting import is_an_engines, may_start
from sixdim.parsers.text.letters import ByLetters, without_digits
from sixdim.parsers.text.patterns import compiled, pattern

_MOST_FORMS = 4_096
_NAMES = 16
"""How many of a line's first numbers identify its kind."""
_NUMBER = pattern(r"\bt\b")
"""The number in the expression of a value; see `Hole.converted`."""
_OF_NUMBERS = b"0123456789.,+- "
_DIGITS = pattern(r"\d+")
_SURE = 8
"""After this many similar forms with the same plan, further ones get that plan unanalysed."""
ENDS_OF_HEADINGS = (":", "：", "...", "…")
EVALUATING, VALIDATING = "valuating", "alidating"
"""A line with such a word says that an evaluation begins, while the time of a bar goes on."""
_WORTH = 2
"""Lines that a form must have for each expression made earlier, before it gets its own."""
_MANY = 40
"""Lines of a form that take as long to cut as its expression takes to make."""


def _none(_reader: object, _line: object, _text: str) -> None:
    """Reads no line."""


class Planned:
    """A form of lines with its plan.

    Attributes:
        form: The meaning of each number.
        plan: What is read from its lines.
        may_be_sentence: Whether its lines may say that a training begins or ends.
        is_plain: Whether its lines are read for their numbers alone, and `usual` changes none.
        similar: Whether it is the plan of all forms that differ from this one in digits only.
        lines: How many lines of the form were cut since its last expression was made.
        templates: Expressions that read its lines.
        following: The expression that read the line after the last line of the form.
        is_followed_by_plain: Whether its lines are plain.
    """

    def __init__(
        self, form: Form, plan: Plan, *, may_be_sentence: bool = True, text: str = ""
    ) -> None:
        self.form = form
        self.plan = plan
        self.may_be_sentence = may_be_sentence
        self.is_plain = not may_be_sentence and plan is not NOTHING and _is_plain(text)
        self.similar = self.is_followed_by_plain = False
        self.lines = 0
        self.templates = Templates()
        self.following: Read = _none

    @cached_property
    def names(self) -> tuple[tuple[str, str], ...]:
        """Role and name of each of the first numbers."""
        return tuple([(hole.named.role, hole.named.name) for hole in self.form.holes[:_NAMES]])

    @cached_property
    def roles(self) -> frozenset[str]:
        """The roles of its numbers."""
        return frozenset([hole.named.role for hole in self.form.holes])

    def reads_as(self, other: Planned) -> bool:
        """Returns whether both read the same numbers in the same way."""
        return self._reads == other._reads

    @property
    def _reads(self) -> tuple[object, ...]:
        form = self.form
        holes = [(hole.at, hole.of_all, hole.converted) for hole in form.holes]
        return self.plan, self.may_be_sentence, form.counts, form.others, holes


Said: TypeAlias = tuple[Planned, Numbers]
_Key: TypeAlias = tuple[tuple[str, ...], bytes]
"""The heading in front of a line, and the line without its numbers."""
_EMPTY: Said = Planned(Form(), NOTHING), []
_NO_HINT: Said = Planned(Form(), NOTHING, may_be_sentence=False), []


class Plans:
    """The forms of the lines that were seen, with their plans."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], Planned] = {}
        self._templates: dict[_Key, Templates] = {}
        self._latest: Read = _none  # the expression that read the last line that one read
        self._last = Planned(Form(), NOTHING)  # of that line
        self._may_have_hint = ByLetters(may_have_hint)
        self._families: dict[str, tuple[Planned, float]] = {}  # plan, and how often it came again
        self._made = 0
        self._with_commas = False  # a line had a decimal comma
        self._averaged: set[str] = set()  # metrics with a running mean in lines of training

    def expected(self, text: str, *, plain: bool = True) -> Said | None:
        """As `read`, for a line like the last one, or like the one that followed such a line.

        Args:
            text: The line.
            plain: Whether it must be plain, or must not be: `read` looks for no plain one again.
        """
        last, text = self._last, text[:LONGEST]
        if self._with_commas:
            text = with_points(text)
        if last.is_plain is plain:
            said: Said | None = self._latest(None, None, text)
            if said is not None:
                return said
        if last.is_followed_by_plain is plain:
            said = last.following(None, None, text)
            if said is not None:
                self._latest, self._last = last.following, said[0]
                return said
        return None

    def read(self, text: str, heading: tuple[str, ...] = ()) -> Said | None:
        """Returns the plan and the values of a line; None for a line without numbers.

        Args:
            text: The line.
            heading: The words of the line before if that is a heading; else empty.
        """
        said: Said | None
        if not heading and (said := self.expected(text, plain=False)) is not None:
            return said
        text, last = text[:LONGEST], self._last
        if not has_number(text):
            return None
        if self._with_commas:
            text = with_points(text)
        if not self._may_have_hint[without_digits(text)] and "f1" not in text.lower():
            return _NO_HINT
        key = heading, _without_numbers(text)
        templates = self._templates.get(key)
        if templates is not None:
            said = templates.fast(None, None, text)
            if said is not None:
                if not heading:
                    self._latest, self._last = templates.latest, said[0]
                    last.following, last.is_followed_by_plain = self._latest, said[0].is_plain
                return said
        if not self._with_commas and "," in text and has_decimal_comma(text):
            self._with_commas, text = True, with_points(text)
        timed = in_seconds(text)
        parts = cut(timed)
        if len(parts) == 1:  # `epoch  loss  f1`, or a text with `v2`
            return None if has_hint(text) else _EMPTY
        known, values = self._of_parts(parts, heading)
        known.lines += 1
        if known.lines > EXAMPLES:
            self._make_template(key, known, text, timed)
        return known, values

    def _make_template(self, key: _Key, known: Planned, text: str, timed: str) -> None:
        """Makes an expression for further lines like this one, once there were enough lines."""
        read = known.templates.reads(text)
        if read is None and known.lines > min(EXAMPLES + _WORTH * self._made, _MANY):
            self._made, known.lines = self._made + 1, 0
            read = _reader_of(known, timed, in_parts=timed is not text)
            if read is not None:
                known.templates.add(read)
        if read is None:
            return
        if len(self._templates) >= _MOST_FORMS:
            self._templates.clear()
        self._templates.setdefault(key, Templates()).add(read)

    def _of_parts(self, parts: list[str], heading: tuple[str, ...]) -> Said:
        """As `read`, from the text and the numbers of a line that no template fits."""
        numbers = parts[1::2]
        key = (*heading, *parts[::2])
        known = self._known.get(key)
        values = None if known is None else known.form.values(numbers)
        if known is not None and values is not None:
            return known, values
        known = self._of_similar_form(key, heading, numbers)
        if len(self._known) >= _MOST_FORMS:
            self._known.clear()
        self._known[key] = known
        return known, known.form.values(numbers) or []

    def _of_similar_form(
        self, key: tuple[str, ...], heading: tuple[str, ...], numbers: list[str]
    ) -> Planned:
        """Returns the plan of an unknown form: if possible, that of forms differing only in digits.

        `Training for epoch_13` is another form than that of epoch 12, and a log may have thousands.
        Where several such forms in a row have the same plan, and none had another one, further ones
        are taken to be the same form.
        """
        similar = _DIGITS.sub("0", "\0".join(key))
        known, times = self._families.get(similar, (None, 0))
        fits = known is not None and known.form.values(numbers) is not None
        if known is not None and fits and times >= _SURE:
            known.similar = True
            return known
        made = _planned(key[len(heading) :], heading, numbers, self._averaged)
        if made.plan.trained is not None:
            named = [hole.named for hole in made.form.holes]
            self._averaged |= {
                one.canonical for one in named if one.running and one.split != "eval"
            }
        if len(self._families) >= _MOST_FORMS:
            self._families.clear()
        alike = known is not None and made.reads_as(known)
        times = times + 1 if alike else -inf if fits else min(times, 0)
        self._families[similar] = made, times
        return made


def _planned(
    between: tuple[str, ...], heading: tuple[str, ...], numbers: list[str], averaged: set[str]
) -> Planned:
    """Works out the meaning of the numbers of an unknown form, and the plan."""
    form = form_of(between, numbers, averaged)
    named = [hole.named for hole in form.holes]
    labelled = any(one.role in LABELS for one in named)  # it says itself what it is about
    words = form.words if labelled else (*heading, *form.words)
    made = plan(named, words, form.bar, evaluates=form.evaluates)
    if made.begins and _has_a_result(between, numbers):
        made = made._replace(ends=True, naming=("epoch", made.naming[1]))
    if "ing" in between[-1] and DIVERGED.search(" nan".join(between).rstrip()):
        made = NOTHING  # trouble, not a loss
    if made is NOTHING:
        form = form._replace(holes=(), words=())
    text = "".join(between)
    silent = made is NOTHING or made.other_bar is not None
    closes = silent or made.closes or "stopping" in text  # `No improvement since epoch 3: …`
    usual = _usual(between, numbers)
    says = closes and (closing(usual) is not None or total_time(usual) is not None)
    says = says or (closes and is_over(usual))
    may_say = says or (silent and may_start(text)) or is_an_engines(text)
    return Planned(form, made, may_be_sentence=may_say, text=usual)


def _is_plain(text: str) -> bool:
    """Returns whether nothing but numbers is read in lines with this text between them."""
    says = EVALUATING in text or VALIDATING in text or "Trial " in text
    heads = text.endswith(ENDS_OF_HEADINGS) or text.startswith(("Best", "best"))
    return is_usual(text) and not (says or heads)


def _has_a_result(between: tuple[str, ...], numbers: list[str]) -> bool:
    """Returns whether a label is followed by a nameless figure.

    `epoch 3: 62.50` is the end of an epoch.
    """
    return len(numbers) == 2 and between[1].strip() == ":" and "." in numbers[1]


def _usual(between: tuple[str, ...], numbers: list[str]) -> str:
    """Returns the line of a form that closes a training if any line of the form does.

    Each number of a closing line may be 10: a count, a time, or a part of one.
    """
    tens = (" 10" if number.startswith(" ") else "10" for number in numbers)
    return "".join(chain(*zip(between, tens, strict=False), between[-1:]))


def _without_numbers(text: str) -> bytes:
    """Returns the text without numbers, blanks and drawn bar: the same for all lines of a form."""
    if DRAWN_BAR in text:
        begin, end = drawn(text)
        text = text[:begin] + text[end:]
    return text.encode().translate(None, _OF_NUMBERS)


def _reader_of(known: Planned, text: str, *, in_parts: bool) -> Read | None:
    """Makes the function that reads further lines of a form; None if no expression can.

    Args:
        known: The form.
        text: A line of the form, with its times in seconds.
        in_parts: Whether the line has a time in parts.
    """
    form, holes = known.form, known.form.holes
    shares = [hole.of_all for hole in holes if hole.of_all >= 0]
    converted = {*(hole.at for hole in holes), *shares}
    wanted = sorted({*converted, *form.others})
    template = expression(text, form.counts, wanted, converted, other_digits=known.similar)
    if template is None:
        return None
    scope = {"find": compiled(template).match, "known": known, "is_count": is_count}
    scope |= {"share": share, "in_seconds": in_seconds}
    statements = ["text = in_seconds(text)"] if in_parts else []
    statements += ["found = find(text)", "if found is None: return None"]
    if wanted:
        statements.append(", ".join(f"t{at}" for at in wanted) + ", = found.groups()")
    statements += [f"if is_count(t{at}): return None" for at in form.others]
    grouped = [at for at, number in enumerate(cut(text)[1::2]) if "," in number and at in wanted]
    statements += [f"t{at} = t{at}.replace(',', '')" for at in grouped]
    values = "".join(
        f"share(t{hole.at}, t{hole.of_all}), "
        if hole.of_all >= 0
        else f"{_NUMBER.sub(f't{hole.at}', hole.converted)}, "
        for hole in holes
    )
    statements += [f"try: return known, [{values}None]", "except ValueError: return None"]
    read: Read = function("(reader, line, text)", statements, scope)
    return read
