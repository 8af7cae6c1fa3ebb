"""Templates of the lines of one statement, which read further lines of the same form.

A log prints the same keys in the same order again and again. A line that no template fits is read
by `KeyValues.match`; where a template matches, both give the same fields.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from sixdim.parsers.grammar.shapes.convert import converter
from sixdim.parsers.grammar.shapes.infer import Template, infer
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import Broken, Fields, Wanted
from sixdim.parsers.text.letters import MOST_TEXTS, without_digits
from sixdim.parsers.text.patterns import compiled, pattern

EXAMPLES = 3
"""Lines of a form that are read before a template is made: for fewer it would not pay off."""
MOST = 8
"""The most templates of one statement that are tried."""
_WORTH = 16
"""Beyond `MOST` templates, one more is made per this many example lines."""
_OTHER_BLANK = pattern(r"[^\S \t]")


def _is_plain(text: str) -> bool:
    """Returns whether a text has no blanks but spaces and tabs, as the templates assume."""
    return text.isprintable() or _OTHER_BLANK.search(text) is None


Read: TypeAlias = Callable[[Any, Any, str], Any]
"""Reads a text, given the log's reader and the line; None where it does not fit."""


class Templates:
    """Reads lines by a few templates; the one that the last line fitted is tried first."""

    def __init__(self) -> None:
        self._reads: list[Read] = []

    def add(self, read: Read) -> None:
        """Adds a template; if there are too many, drops the one unused for longest."""
        self._reads = [read, *self._reads[: MOST - 1]]

    @property
    def latest(self) -> Read:
        """The template that the last line fitted."""
        return self._reads[0]

    def reads(self, text: str) -> Read | None:
        """Returns the template that this line fits; None if none fits."""
        return next((read for read in self._reads if read(None, None, text) is not None), None)

    def fast(self, reader: Any, line: Any, text: str) -> Any:
        """Returns the result of the first template that fits this line; None if none does."""
        for place, read in enumerate(self._reads):
            result = read(reader, line, text)
            if result is not None:
                if place:
                    self._reads.insert(0, self._reads.pop(place))
                return result
        return None


class OneTemplate(Templates):
    """Reads all lines of one statement.

    Args:
        may_fit: Whether a text may be such a line.
        make: Makes the function that reads them, for the first line that may fit.
    """

    def __init__(self, may_fit: Callable[[str], bool], make: Callable[[], Read]) -> None:
        super().__init__()
        self._may_fit = may_fit
        self._make = make

    def fast(self, reader: Any, line: Any, text: str) -> Any:
        """As `Templates.fast`."""
        if not self._reads:
            if not self._may_fit(text):
                return None
            self.add(self._make())
        return self._reads[0](reader, line, text)


class TemplateCache(Templates):
    """Reads the lines of one statement, if possible by the template of an earlier line.

    Args:
        shape: The statement's shape.
        wanted: The fields and the pairs that are used.
        fast: Makes the function that reads the lines of a template.
        slow: Returns the result for the fields of any other line.
        is_example: Whether a line that the shape reads may be made a template.
    """

    def __init__(
        self,
        shape: KeyValues,
        wanted: Wanted,
        fast: Callable[[Template], Read],
        slow: Callable[[Any, Any, Fields | Broken], Any],
        is_example: Callable[[str], bool] = lambda _text: True,
    ) -> None:
        super().__init__()
        self._is_example = is_example
        self._shape = shape
        self._wanted = wanted
        self._fast = fast
        self._slow = slow
        self._seen: dict[int, int] = {}  # lines by the hash of their text without digits
        self._examples = 0
        self._made = 0

    def fast(self, reader: Any, line: Any, text: str) -> Any:
        """As `Templates.fast`."""
        if not (self._reads and (text.isascii() or _is_plain(text))):
            return None
        return Templates.fast(self, reader, line, text)  # `super()` takes longer

    def slow(self, reader: Any, line: Any, text: str) -> Any:
        """Returns the result for a line read by its shape; the line may become a template."""
        fields = self._shape.match(text)
        if fields is None:
            return None
        if not isinstance(fields, Broken) and _is_plain(text) and self._is_example(text):
            self._note_example(text)
        return self._slow(reader, line, fields)

    def read(self, reader: Any, line: Any, text: str) -> Any:
        """Returns the result for any line."""
        result = self.fast(reader, line, text)
        return self.slow(reader, line, text) if result is None else result

    def _note_example(self, text: str) -> None:
        """Makes a template if enough lines of this form were read."""
        form, seen = hash(without_digits(text)), self._seen
        if len(seen) >= MOST_TEXTS:
            seen.clear()
        seen[form] = seen.get(form, 0) + 1
        if seen[form] < EXAMPLES:
            return
        self._examples += 1
        if self._examples > _WORTH * max(0, self._made - MOST):
            self._infer(text)

    def _infer(self, text: str) -> None:
        self._made += 1
        template = infer(self._shape, self._wanted, text)
        if template is not None:
            self.add(self._fast(template))


def matcher(ends: str, template: Template) -> Read:
    """Makes the function that returns the fields of a line that fits a template.

    Args:
        ends: Characters that may stand around a pair's value.
        template: A template of a line.
    """
    find = compiled(template.expression).match
    convert = converter(template.groups, ends)

    def match(_reader: Any, _line: Any, text: str) -> Fields | None:
        found = find(text)
        try:
            return None if found is None else convert(*found.groups())
        except (ValueError, OverflowError):
            return None

    return match
