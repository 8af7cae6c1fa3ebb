"""Reads lines as a log's reader does, without changing its state."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator
from typing import Any

from sixdim.parsers.envelopes.prefix import Envelopes
from sixdim.parsers.events import Iteration
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.text.lines import LineSplitter


class Probe:
    """A copy of a log's reader in its present state.

    Args:
        envelopes: The envelopes of the log's lines.
        reader: The log's reader.
    """

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
