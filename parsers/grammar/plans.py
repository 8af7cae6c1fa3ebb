"""What the lines of one log say, by the forms of the lines before.

A line of a form that was seen a few times is read by one expression. Whether it is, changes nothing
in what it says.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TypeAlias

from sixdim.parsers.grammar.form_meaning import form_of, has_hint
from sixdim.parsers.grammar.forms import LONGEST, Form, cut, expression, has_number
from sixdim.parsers.grammar.line_plan import LABELS, NOTHING, Plan, plan
from sixdim.parsers.grammar.template import EXAMPLES, Read, Templates

_MOST_FORMS = 4_096


@dataclass(slots=True)
class Planned:
    """A form of lines and what its numbers say.

    Attributes:
        form: What the numbers are.
        plan: What they say.
        lines: How many lines of the form were cut.
    """

    form: Form
    plan: Plan
    lines: int = field(default=0, repr=False)


Said: TypeAlias = tuple[Planned, list[float | None]]
_SAYS_NOTHING: Said = Planned(Form(), NOTHING), []


class Plans:
    """The forms of the lines that were seen, with their plans."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], Planned] = {}
        self._templates: dict[str, Templates] = defaultdict(Templates)

    def read(self, text: str, heading: tuple[str, ...] = ()) -> Said | None:
        """What a line says and the values of its figures; None for a line without numbers.

        Args:
            text: The line.
            heading: The words of a line in front of it that says what it is about.
        """
        text = text[:LONGEST]
        first = text[:1] if text[:1].isalpha() else ""
        templates = self._templates[first]
        said: Said | None = None if heading else templates.fast(None, None, text)
        if said is not None:
            return said
        if not has_number(text):
            return None
        if not has_hint(text):
            return _SAYS_NOTHING
        known, values = self._cut(text, heading)
        known.lines += 1
        if known.lines > EXAMPLES and not heading:
            template = expression(text, known.form.counts)
            if template is not None:
                templates.add(_reads(known, template))
        return known, values

    def _cut(self, text: str, heading: tuple[str, ...]) -> Said:
        """As `read`, of a line that no template fits."""
        parts = cut(text)
        numbers = parts[1::2]
        key = (*heading, *parts[::2])
        known = self._known.get(key)
        values = None if known is None else known.form.values(numbers)
        if known is not None and values is not None:
            return known, values
        form = form_of(key[len(heading) :], numbers)
        named = [hole.named for hole in form.holes]
        labelled = any(one.role in LABELS for one in named)  # it says itself what it is about
        words = form.words if labelled else (*heading, *form.words)
        known = Planned(form, plan(named, words, form.bar, evaluates=form.evaluates))
        if len(self._known) >= _MOST_FORMS:
            self._known.clear()
        self._known[key] = known
        return known, form.values(numbers) or []


def _reads(known: Planned, template: str) -> Read:
    """What reads the lines of a form."""
    find = re.compile(template).match
    form, others = known.form, known.form.others
    shares = any(hole.of_all >= 0 for hole in form.holes)
    conversions = [(h.at, h.convert) for h in form.holes if not known.plan.empty]

    def read(_reader: object, _line: object, text: str) -> Said | None:
        found = find(text)
        if found is None:
            return None
        numbers = found.groups()
        if shares or others:
            values = form.values(numbers)
            return None if values is None else (known, values)
        try:
            return known, [convert(numbers[at]) for at, convert in conversions]
        except ValueError:  # its digits are grouped
            return None

    return read
