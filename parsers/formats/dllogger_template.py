"""Templates of DLLogger's text: records of a step or an epoch that differ only in numbers."""

import re
from collections.abc import Callable
from typing import TypeAlias

from sixdim.parsers.formats.dllogger_names import RecordPlan
from sixdim.parsers.grammar.shapes.convert import conversion, function
from sixdim.parsers.grammar.shapes.holes import HOLES, NUMBER
from sixdim.parsers.text.patterns import compiled, pattern

_BEGIN = pattern(rf"DLLL? ({HOLES['moment'][0]}) - ")
_INTEGER = pattern(r"([-+]?\d+)")
_KEY = pattern(r"((?<!\S)\S++ : )")
_VALUE = pattern(NUMBER + r"(?!\S)")
_MOST_TEMPLATES = 4
_MOST_FORMS = 64


Record: TypeAlias = tuple[int, "int | None", "int | None", RecordPlan, tuple[float, ...]]
"""A line's clock in microseconds, the epoch's label, the step, the figures' plan and values."""


class RecordTemplates:
    """Reads the lines of a log that differ from earlier ones only in their numbers."""

    def __init__(self) -> None:
        self._forms: set[str] = set()
        self._reads: list[Callable[[str], Record | None]] = []

    def read(self, text: str) -> Record | None:
        """Returns the record of a line; None if no template fits the line."""
        for read in self._reads:
            record = read(text)
            if record is not None:
                return record
        return None

    def infer(self, text: str, epoch: int | None, step: int | None, plan: RecordPlan) -> None:
        """Makes the template of a record's line if an earlier one had the same form."""
        form = _form(text, epoch, step, len(plan.figures))
        if form in self._forms:
            read = _reader(form, epoch, step, plan)
            self._reads = [read, *self._reads[: _MOST_TEMPLATES - 1]]
        elif form and len(self._forms) < _MOST_FORMS:
            self._forms.add(form)


def _reader(
    form: str, epoch: int | None, step: int | None, plan: RecordPlan
) -> Callable[[str], Record | None]:
    """Makes the function that reads lines of a form, which have an epoch or a step as given."""
    labels = [name for name, label in (("epoch", epoch), ("step", step)) if label is not None]
    fields = [("at", "moment"), *((name, "int") for name in labels)]
    figures = [f"v{len(fields) + place}" for place in range(len(plan.figures))]
    fields += [(figure.name, "float") for figure in plan.figures]
    convert, scope = conversion(fields)
    texts = ", ".join(f"t{place}" for place in range(len(fields)))
    read = [*(f"v{1 + labels.index(n)}" if n in labels else "None" for n in ("epoch", "step"))]
    statements = ["found = find(text)", "if found is None: return None"]
    statements += [f"{texts}, = found.groups()", "try:", *(f"    {one}" for one in convert)]
    statements += ["except ValueError: return None"]
    statements += [f"return v0, {', '.join(read)}, plan, ({', '.join(figures)},)"]
    made: Callable[[str], Record | None]
    made = function("(text)", statements, scope | {"find": compiled(form).match, "plan": plan})
    return made


def _form(text: str, epoch: int | None, step: int | None, figures: int) -> str:
    """Returns the regular expression of the lines that differ from this one only in numbers.

    Its groups are the clock, the epoch and the step where the line has them, and the values. The
    result is empty if no such expression matches the line.
    """
    begin = _BEGIN.match(text)
    if begin is None:
        return ""
    head, *pairs = _KEY.split(text[begin.end() :])
    parts = _INTEGER.split(head)
    if [int(part) for part in parts[1::2]] != [n for n in (epoch, step) if n is not None]:
        return ""
    out = [_BEGIN.pattern, re.escape(parts[0])]
    for literal in parts[2::2]:
        out += [r"([-+]?\d{1,18}+)", re.escape(literal)]
    for key, value in zip(pairs[::2], pairs[1::2], strict=True):
        found = _VALUE.match(value)
        figures -= found is not None
        out += [re.escape(key), f"({NUMBER})" if found else ""]
        out.append(re.escape(value[found.end() if found else 0 :]))
    return "" if figures else "".join(out) + r"[ \t]*+$"
