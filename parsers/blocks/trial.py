"""Reads lines of a log again with other digits, without changing the state of its reader."""

import copy
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from sixdim.parsers.blocks.form import DigitRun, NumberRuns
from sixdim.parsers.envelopes.prefix import Envelopes
from sixdim.parsers.events import Iteration
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.text.lines import LineSplitter

Change: TypeAlias = dict[int, bytes]
"""Other digits for some runs of a line, with blanks in front of them."""
_WIDTHS = (1, 2, 4, 9, 17)
"""Numbers of digits that are tried; a double is printed with at most the last of them."""
_WORTH = 4
"""Smallest number of digits that must fit before a run may have any smaller number."""
_BLANKS = 8


class Probe:
    """A copy of a log's reader in its present state."""

    def __init__(self, envelopes: Envelopes, reader: Reader) -> None:
        self._envelopes, self._reader = copy.deepcopy((envelopes, reader))

    def read(self, raw: bytes) -> Iteration | None:
        """Returns the progress line that a line gives; None if it gives anything else."""
        lines = [*LineSplitter().feed(raw)]
        if len(lines) != 1:
            return None
        try:
            events = [*(self._reader.read(self._envelopes.strip(lines[0])) or ())]
            events, self._reader.released = [*self._reader.released, *events], ()
        except Exception:  # noqa: BLE001 - a reader may fail at a made-up line
            return None
        more, self._envelopes.more = self._envelopes.more, []
        if more or len(events) != 1 or type(events[0]) is not Iteration:
            return None
        return events[0]

    def state(self) -> object:
        """Returns a value that is equal for equal states of the reader."""
        return _frozen((self._reader, self._envelopes), set())


def _frozen(value: Any, seen: set[int]) -> object:
    """Returns a value that is equal for equal states of an object."""
    if value is None or isinstance(value, str | bytes | int | float | frozenset | re.Pattern):
        return value
    if id(value) in seen or (callable(value) and not hasattr(value, "__dict__")):
        return None
    seen = {*seen, id(value)}
    if isinstance(value, dict):
        return [(_frozen(key, seen), _frozen(one, seen)) for key, one in value.items()]
    if isinstance(value, Iterable) and not isinstance(value, Iterator):
        return type(value).__name__, [_frozen(one, seen) for one in value]
    slots = (name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ()))
    named = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    named |= {k: v for k, v in getattr(value, "__dict__", {}).items() if k != "_dispatch"}
    return type(value).__name__, _frozen(named, seen)


class Trial:
    """A line that is read with other digits.

    Args:
        probe: Reads lines as the log's reader does.
        before: The line before it.
        raw: The line.

    Attributes:
        literals: The text between its runs of digits.
        digits: The runs of digits.
        padded: The runs that may have more blanks, or fewer, in front.
    """

    def __init__(self, probe: Probe, before: bytes, raw: bytes) -> None:
        self._probe = probe
        self._before = before
        self.padded: set[int] = set()
        self.literals = re.split(rb"\d+", raw)
        self.digits = re.findall(rb"\d+", raw)

    def line(self, changes: Change) -> bytes:
        """Returns the line with other runs of digits, and their blanks."""
        parts = [self.literals[0]]
        for place, literal in enumerate(self.literals[1:]):
            digits = changes.get(place, self.digits[place])
            if digits.startswith(b" ") or (place in self.padded and place in changes):
                parts[-1] = parts[-1].rstrip(b" ")
            parts += (digits, literal)
        return b"".join(parts)

    def event(self, changes: Change) -> Iteration | None:
        """Returns the event of the line with other runs of digits."""
        self._probe.read(self._before)
        return self._probe.read(self.line(changes))

    def text(self, number: NumberRuns, changes: Change) -> str:
        """Returns a number of the line with other runs of digits."""
        runs = [changes.get(at, self.digits[at]) for at in number if at >= 0]
        return b".".join(runs).decode("ascii")

    def others(self, place: int) -> list[Change]:
        """Returns other digits of a run: with its last digit changed, its first, and all."""
        digits = self.digits[place]
        last = digits[:-1] + b"%d" % ((digits[-1] - 47) % 10)
        first = b"%d" % (digits[0] - 48 + 1 if digits[0] < 0x39 else 8) + digits[1:]
        others = dict.fromkeys((last, first, b"7" * len(digits)))
        return [{place: one} for one in others if one != digits]

    def widths_of_run(self, place: int, fits: Callable[[Change, Iteration], bool]) -> DigitRun:
        """Returns how many digits a run may have, and how many blanks in front.

        Args:
            place: Which run.
            fits: Returns whether the event of a line with other digits is the expected one.
        """

        def reads(digits: bytes) -> bool:
            change = {place: digits}
            event = self.event(change)
            return event is not None and fits(change, event)

        width = len(self.digits[place])
        run = DigitRun(width, width)
        for tried in _WIDTHS:
            if not reads(b"3" * tried):
                break
            if tried >= max(width, _WORTH):
                run = DigitRun(1, tried)
        if run.most > 1:
            run = run._replace(zero=reads(b"0" * (max(run.least, 2) - 1) + b"3"))
        if self.literals[place].isspace() or not all(
            reads(b" " * blanks + b"5" * width) for blanks in (_BLANKS, 2, 1)
        ):
            return run
        self.padded.add(place)
        if reads(b"5" * width):
            return run._replace(blanks=_BLANKS)
        self.padded.remove(place)
        return run

    def numbers(self) -> Iterator[NumberRuns]:
        """Yields the numbers of the line: a run, or two runs with a single point between."""
        points = [False, *(one == b"." for one in self.literals[1:-1]), False]
        count = len(self.digits)
        whole = 0
        while whole < count:
            fraction = points[whole + 1] and not points[whole]
            if fraction and not (whole + 2 < len(points) and points[whole + 2]):
                yield NumberRuns(whole, whole + 1)
                whole += 2
            else:
                yield NumberRuns(whole)
                whole += 1

    def leave_state(self, first: bytes, second: bytes) -> bool:
        """Returns whether the state of the reader depends on the second of two lines alone."""
        states = []
        for lines in ((first, second), (second,)):
            self._probe.read(self._before)
            for line in lines:
                self._probe.read(line)
            states.append(self._probe.state())
        return states[0] == states[1]
